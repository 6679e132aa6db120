/**
 * The simulated authority of test books: takes the same XML as the real one and answers the same way, in process,
 * without a socket (server.ts adds one). It trusts nothing of the sender: every message is read, checked and hashed
 * again from its text.
 *
 * To provoke answers: a customer with NIF 99999999R is unknown to its census (1110, rejected; as issuer 4104, a
 * fault), and a customer identified with type 07 is accepted with errors (2001). For other answers see the fault
 * switches in faults.ts.
 */
import { businessDateOf } from '../../../../domain/dates.ts'
import { createCensus } from './census.ts'
import type { CensusOptions } from './census.ts'
import type { Fault, FaultControl } from './faults.ts'
import type { Attorney, Caller } from './messages/header.ts'
import { checkQr } from './qr.ts'
import type { QrAnswer, QrParams } from './qr.ts'
import { answerQuery } from './messages/query.ts'
import type { QueryHandler } from './messages/query.ts'
import { isQuery } from './messages/schema.ts'
import { contentOf, faultXml, Refusal, refusalXml } from './messages/soap.ts'
import type { SimulatorState } from './state.ts'
import { processSubmission } from './messages/submission.ts'
import type { SubmissionHandler } from './messages/submission.ts'

export { createFaultControl, readFault } from './faults.ts'
export type { Fault, FaultControl } from './faults.ts'
export type { Caller } from './messages/header.ts'
export type { QrParams } from './qr.ts'
export { memoryState } from './state.ts'
export type {
  Change,
  Entry,
  MemoryState,
  RecordKey,
  SimulatorState,
  StoredRecord,
  SystemKey,
} from './state.ts'

export interface SimulatorOptions {
  state: SimulatorState
  now: () => Date
  /** Returns the code of a submission, 16 characters (CSV). */
  newCsv: () => string
  /** Wait between submissions that senders are asked for; 60 by default. */
  waitSeconds?: number
  /** Maximum difference between a record's time and the clock before warning 2004; 240 by default. */
  clockWindowSeconds?: number
  /** Maximum records in a query's answer; 10,000 by default. */
  pageSize?: number
  census?: CensusOptions
  /** Parties that may act for others, besides each for itself. Checked only when the caller is known. */
  attorneys?: readonly Attorney[]
  /** Handling of an early submission with fewer than 1000 records: taken (default), a fault 4134, or a page. */
  earlySends?: 'taken' | 'fault' | 'refused'
  /** Maximum QR checks answered in a day; unlimited by default. */
  qrAnswersPerDay?: number
  faults?: FaultControl
}

/** An answer as the server sends it. */
interface Answered {
  kind: 'answer' | 'fault' | 'too_early'
  body: string
}

export interface Simulator {
  /** Takes a SOAP message and returns one. Never rejects because of the message: its faults are the answer. */
  submit(envelopeXml: string): Promise<string>
  /** Does the same for a query; submissions and queries are distinguished by their content, not by the method called. */
  query(envelopeXml: string): Promise<string>
  /** For the server: takes raw bytes with their caller and the fault set for them. */
  receive(
    envelope: string | Uint8Array,
    circumstances?: { caller?: Caller | null; fault?: Fault | null },
  ): Promise<Answered>
  checkQr(params: QrParams): Promise<QrAnswer>
}

const FULL_SUBMISSION = 1000

/** An early submission, refused without any SOAP answer. */
class TooEarly extends Error {}

/** Returns true for a query, without reading the whole message: for the fault switches. */
export function isQueryMessage(envelope: string | Uint8Array): boolean {
  const text = typeof envelope === 'string' ? envelope : Buffer.from(envelope).toString('latin1')
  return /<(?:[\w.-]+:)?ConsultaFactuSistemaFacturacion[\s/>]/.test(text)
}

/**
 * Creates a simulated authority over its state. Messages are processed one at a time, as the real authority does for
 * each issuer.
 */
export function createSimulator(options: SimulatorOptions): Simulator {
  const { state, faults } = options
  const rights = { census: createCensus(options.census), attorneys: options.attorneys ?? [] }
  const queryDesk: QueryHandler = { state, rights, pageSize: options.pageSize ?? 10_000 }
  const flow = new Flow(options.earlySends ?? 'taken')
  const qrAnswers = { day: '', count: 0 }
  let tail: Promise<unknown> = Promise.resolve()
  let serial = 0

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = tail.then(work)
    // A failing store must not block the messages that wait.
    tail = turn.catch(() => undefined)
    return turn
  }

  async function answer(
    envelope: string | Uint8Array,
    caller: Caller | null,
    fault: Fault | null,
  ): Promise<Answered> {
    if (fault?.kind === 'fault_client') return refusal(fault.code)
    if (fault?.kind === 'suspended') return refusal('4141')
    if (fault?.kind === 'fault_server' && !fault.processed) return SERVER_FAULT
    const behind = fault?.kind === 'wrong_clock' ? fault.seconds * 1000 : 0
    const now = new Date(options.now().getTime() + behind)
    const waitSeconds = fault?.kind === 'throttle' ? fault.seconds : (options.waitSeconds ?? 60)
    try {
      const content = contentOf(envelope)
      const desk: SubmissionHandler = {
        state,
        rights,
        newCsv: options.newCsv,
        clockWindowSeconds: options.clockWindowSeconds ?? 240,
        waitSeconds,
        admit: (issuerNif, records, at) => flow.admit(issuerNif, records, at, waitSeconds),
      }
      const body = isQuery(content)
        ? await answerQuery(queryDesk, content, caller)
        : await processSubmission(desk, content, { now, caller, fault, serial: ++serial })
      return fault?.kind === 'fault_server' ? SERVER_FAULT : { kind: 'answer', body }
    } catch (error) {
      if (error instanceof Refusal) return { kind: 'fault', body: refusalXml(error) }
      if (error instanceof TooEarly) return { kind: 'too_early', body: '' }
      throw error
    }
  }

  function receive(
    envelope: string | Uint8Array,
    { caller = null, fault }: { caller?: Caller | null; fault?: Fault | null } = {},
  ): Promise<Answered> {
    const asked = isQueryMessage(envelope) ? 'query' : 'submission'
    const switched = fault === undefined ? (faults?.take(asked) ?? null) : fault
    return inTurn(() => answer(envelope, caller, switched))
  }

  return {
    submit: async (envelopeXml) => (await receive(envelopeXml)).body,
    query: async (envelopeXml) => (await receive(envelopeXml)).body,
    receive,
    checkQr: (params) => {
      const today = businessDateOf(options.now())
      if (qrAnswers.day !== today) Object.assign(qrAnswers, { day: today, count: 0 })
      qrAnswers.count += 1
      const exhausted = qrAnswers.count > (options.qrAnswersPerDay ?? Infinity)
      return checkQr(state, params, { fault: faults?.take('qr') ?? null, exhausted })
    },
  }
}

const SERVER_FAULT: Answered = {
  kind: 'fault',
  body: faultXml('Server', 'Se ha producido un error interno. Vuelva a intentarlo más tarde.'),
}

function refusal(code: string): Answered {
  return { kind: 'fault', body: refusalXml(new Refusal(code as Refusal['code'])) }
}

/** Enforces the pace of each issuer: the wait that the last answer asked for. */
class Flow {
  private readonly earlySends: 'taken' | 'fault' | 'refused'
  private readonly next = new Map<string, number>()

  constructor(earlySends: 'taken' | 'fault' | 'refused') {
    this.earlySends = earlySends
  }

  admit(issuerNif: string, records: number, now: Date, waitSeconds: number): void {
    const isEarly = now.getTime() < (this.next.get(issuerNif) ?? 0) && records < FULL_SUBMISSION
    if (isEarly && this.earlySends === 'fault') throw new Refusal('4134')
    if (isEarly && this.earlySends === 'refused') throw new TooEarly()
    this.next.set(issuerNif, now.getTime() + waitSeconds * 1000)
  }
}
