/**
 * The authority and the network to it, in process: the simulated authority with its state, behind a network with
 * configurable faults.
 */
import type { Authority, Exchange } from '../../../server/registry/queue/authority.ts'
import {
  createFaultControl,
  createSimulator,
  isQueryMessage,
  memoryState,
} from '../../../server/registry/systems/verifactu/simulator/index.ts'
import type { Fault } from '../../../server/registry/systems/verifactu/simulator/index.ts'
import { MINUTE } from './surroundings.ts'
import type { Surroundings } from './surroundings.ts'

const PAGE = '<!doctype html><title>Error</title><p>Servicio no disponible.'

/** Possible faults of the next messages. The simulator implements the others itself. */
const FAULTS: readonly Fault[] = [
  { kind: 'drop_request' },
  { kind: 'drop_reply' },
  { kind: 'slow', ms: MINUTE },
  { kind: 'error_500' },
  { kind: 'error_500', processed: true },
  { kind: 'html_200' },
  { kind: 'html_200', processed: true },
  { kind: 'half_xml' },
  { kind: 'fault_server' },
  { kind: 'fault_server', processed: true },
  { kind: 'fault_client', code: '4134' },
  { kind: 'suspended' },
  { kind: 'wrong_clock', seconds: 90 },
  { kind: 'foreign_duplicate' },
  { kind: 'annulled_key' },
  { kind: 'throttle', seconds: 240 },
  { kind: 'record_code', code: '2004' },
  { kind: 'record_code', code: '1110' },
]

/** Faults of the network that no server could cause. */
type Trick = 'refused' | 'request_twice' | 'earlier_reply'
const TRICKS: readonly Trick[] = ['refused', 'request_twice', 'earlier_reply']

export class MockAuthority {
  readonly state = memoryState()
  /**
   * How often the network duplicated a record's message, by its hash: a correction or annulment is registered each
   * time.
   */
  readonly doubled = new Map<string, number>()
  faults = 0
  private readonly around: Surroundings
  private readonly control = createFaultControl()
  private readonly simulator
  private trick: Trick | null = null
  /** The previous answer, and its message. */
  private earlier: { to: string; body: string } | null = null
  private csvs = 0

  constructor(around: Surroundings) {
    this.around = around
    this.simulator = createSimulator({
      state: this.state,
      now: () => new Date(around.time),
      newCsv: () => `A-${String(++this.csvs).padStart(14, '0')}`,
      waitSeconds: 60,
    })
  }

  /** Plans a fault for one of the next messages. Returns its description. */
  spoil(): string {
    const { dice } = this.around
    this.faults += 1
    if (dice.chance(0.2)) return (this.trick = dice.pick(TRICKS))
    const fault = dice.pick(FAULTS)
    this.control.next(fault, { times: 1 + dice.below(2), on: dice.pick(['submission', 'query', 'any']) })
    return fault.kind
  }

  /** Returns true if it holds an invoice of this issuer that another program registered. */
  holdsForeign(issuerNif: string): boolean {
    const brought = new Set(this.state.records().map(({ system }) => JSON.stringify(system)))
    return this.state
      .entries()
      .some((entry) => entry.issuerNif === issuerNif && !brought.has(JSON.stringify(entry.system)))
  }

  /** Ends all faults. */
  clear(): void {
    this.control.clear()
    this.trick = null
  }

  /** The port that a sender uses. */
  readonly port: Authority = {
    submit: (envelope) => this.carry(envelope),
    query: (envelope) => this.carry(envelope),
  }

  private async carry(envelope: string): Promise<Exchange> {
    const { trick } = this
    this.trick = null
    if (trick === 'refused') return { kind: 'not_sent', reason: 'unreachable', detail: 'Nobody listens.' }
    if (trick === 'request_twice') {
      for (const hash of hashesIn(envelope)) this.doubled.set(hash, (this.doubled.get(hash) ?? 0) + 1)
      await this.simulator.receive(envelope, { fault: null })
      // Without further faults: what was accepted a moment ago is not rejected for another reason.
      return this.answered(200, (await this.simulator.receive(envelope, { fault: null })).body)
    }
    if (trick === 'earlier_reply' && this.earlier !== null && !passesFor(this.earlier, envelope)) {
      await this.simulator.receive(envelope, { fault: null })
      return this.answered(200, this.earlier.body)
    }
    return this.hand(envelope)
  }

  private async hand(envelope: string): Promise<Exchange> {
    const fault = this.control.take(isQueryMessage(envelope) ? 'query' : 'submission')
    if (fault?.kind === 'drop_request') return { kind: 'no_answer', detail: 'The connection broke.' }
    const isUseless = fault?.kind === 'error_500' || fault?.kind === 'html_200'
    if (isUseless && !fault.processed) return this.answered(fault.kind === 'html_200' ? 200 : 500, PAGE)
    const { kind, body } = await this.simulator.receive(envelope, { fault })
    if (fault?.kind === 'drop_reply') return { kind: 'no_answer', detail: 'The connection broke.' }
    if (isUseless) return this.answered(fault.kind === 'html_200' ? 200 : 500, PAGE)
    if (fault?.kind === 'slow') this.around.time += fault.ms
    if (fault?.kind === 'half_xml') return this.answered(200, body.slice(0, body.length >> 1))
    if (kind === 'answer') this.earlier = { to: envelope, body }
    const skewMs = fault?.kind === 'wrong_clock' ? fault.seconds * 1000 : 0
    return this.answered(kind === 'fault' ? 500 : 200, body, skewMs)
  }

  private answered(status: number, body: string, skewMs = 0): Exchange {
    return {
      kind: 'answered',
      status,
      body: Buffer.from(body, 'utf8'),
      serverTime: this.around.time + skewMs,
    }
  }
}

function questionIn(query: string): { nif: string; month: string; number: string } {
  const part = (name: string): string => new RegExp(`:${name}>([^<]*)<`).exec(query)?.[1] ?? ''
  return {
    nif: part('NIF'),
    month: `${part('Ejercicio')}-${part('Periodo')}`,
    number: part('NumSerieFactura'),
  }
}

/**
 * Returns true if an earlier answer cannot be distinguished from the correct one to a query: it is about the same
 * issuer and month, and contains nothing, or the same invoice unchanged. An answer does not identify its query; only
 * the separate connection of each exchange does.
 */
function passesFor(earlier: { to: string; body: string }, query: string): boolean {
  if (!isQueryMessage(query) || !isQueryMessage(earlier.to)) return false
  const [asked, before] = [questionIn(query), questionIn(earlier.to)]
  if (asked.nif !== before.nif || asked.month !== before.month) return false
  return asked.number === before.number || earlier.body.includes('>SinDatos<')
}

/** Returns the hashes of the records in a submission. */
function hashesIn(envelope: string): string[] {
  const own = /<sf:TipoHuella>01<\/sf:TipoHuella><sf:Huella>([0-9A-F]{64})/g
  return [...envelope.matchAll(own)].map(([, hash]) => hash ?? '')
}
