/**
 * The simulated authority of test books: takes the same XML as the real one and answers the same way, in process, without
 * a socket (server.ts puts it behind one). It trusts nothing of the sender: every message is read, checked and hashed again
 * from its text.
 *
 * To provoke answers: a customer with NIF 99999999R is unknown to its census (1110, rejected; as issuer 4104, a fault), a
 * customer identified with type 07 is accepted with errors (2001). Fault switches do the rest: see faults.ts.
 */
import { businessDateOf } from '../../domain/dates.ts'
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
import { takeSubmission } from './messages/submission.ts'
import type { SubmissionHandler } from './messages/submission.ts'

export { UNKNOWN_TO_CENSUS } from './census.ts'
export type { CensusOptions } from './census.ts'
export { createFaultControl, readFault } from './faults.ts'
export type { Fault, FaultControl, FaultKind } from './faults.ts'
export type { Attorney, Caller } from './messages/header.ts'
export type { QrAnswer, QrParams } from './qr.ts'
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
  /** Code of a submission, 16 characters (CSV). */
  newCsv: () => string
  /** What the sender is told to wait between submissions; 60 unless told. */
  waitSeconds?: number
  /** How far a record's time may be from the clock before 2004; 240 unless told. */
  clockWindowSeconds?: number
  /** Most records of a query's answer; 10,000 unless told. */
  pageSize?: number
  census?: CensusOptions
  /** Who may act for whom, besides each for itself. Asked only when the caller is known. */
  attorneys?: readonly Attorney[]
  /** What happens to a submission before its time with fewer than 1000 records: taken (unless told), a fault 4134, or a page. */
  earlySends?: 'taken' | 'fault' | 'refused'
  /** How many QR codes are answered in a day; without limit unless told. */
  qrAnswersPerDay?: number
  faults?: FaultControl
}

/** An answer as the server hands it over. */
export interface Answered {
  kind: 'answer' | 'fault' | 'too_early'
  body: string
}

export interface Simulator {
  /** Takes a SOAP message and answers one. Never rejects because of the message: what is wrong with it is the answer. */
  submit(envelopeXml: string): Promise<string>
  /** The same for a query; the two are told apart by what they hold, not by the door. */
  query(envelopeXml: string): Promise<string>
  /** For the server: bytes as they came, with who brought them and the fault switched on for them. */
  receive(
    envelope: string | Uint8Array,
    circumstances?: { caller?: Caller | null; fault?: Fault | null },
  ): Promise<Answered>
  checkQr(params: QrParams): Promise<QrAnswer>
}

const FULL_SUBMISSION = 1000

/** A submission before its time, to be turned away without a word of SOAP. */
class TooEarly extends Error {}

/** Whether a message asks or tells, without reading it whole: for the fault switches. */
export function isQueryMessage(envelope: string | Uint8Array): boolean {
  const text = typeof envelope === 'string' ? envelope : Buffer.from(envelope).toString('latin1')
  return /<(?:[\w.-]+:)?ConsultaFactuSistemaFacturacion[\s/>]/.test(text)
}

/** A simulated authority over its memory. Messages are taken one after another, like by the real one for an issuer. */
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
    // A failing store must not stop the ones behind it.
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
        : await takeSubmission(desk, content, { now, caller, fault, serial: ++serial })
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

/** Keeps the pace of each issuer: the time the last answer asked to wait. */
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
