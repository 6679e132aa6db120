/**
 * What the simulated services have in common: one message at a time, who calls, how often, fault switches and a log. It trusts nothing
 * of the sender, and is no copy of a real service: what is assumed is said in docs/ticketbai-sending.md.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { webPage } from '../../../../platform/simulated-authority/start.ts'
import type { ServiceFault, ServiceFaultControl } from './faults.ts'
import type { RegisterOptions } from './register.ts'

export interface ServiceOptions extends RegisterOptions {
  faults?: ServiceFaultControl
  /** Messages of one certificate in a minute; no limit by default. */
  perMinute?: number
}

interface ServiceRequest {
  method: string
  /** With its slash at the beginning. */
  path: string
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  body: Uint8Array
  /** Tax numbers of the holder of the certificate; null without an accepted one. */
  callers: readonly string[] | null
}

export interface ServiceAnswer {
  kind: 'answered'
  status: number
  headers: Record<string, string>
  body: Uint8Array
}
export type ServiceReply = ServiceAnswer | { kind: 'dropped' }

/** A message as the log shows it. */
interface ServiceLogEntry {
  at: string
  path: string
  caller: string
  /** What came of it, in a few words. */
  outcome: string
}

export interface SimulatedService {
  /** Takes a message and answers it. Never rejects because of the message: what is wrong with it is the answer. */
  handle(request: ServiceRequest): Promise<ServiceReply>
  /** Returns false if a fault switch refuses the connection that is being opened. */
  admits(): boolean
  /** The latest messages, the oldest first. */
  log(): readonly ServiceLogEntry[]
}

/** One kind of service: how it answers a message with the given fault, which it applies only as far as it concerns content. */
export interface Protocol {
  /** Paths by what they do. */
  effectOf(path: string): 'change' | 'read' | null
  process(
    request: ServiceRequest & { callers: readonly string[] },
    fault: ServiceFault | null,
  ): Promise<{ answer: ServiceAnswer; outcome: string }>
}

const LOGGED = 200
const MINUTE_MS = 60_000

/** Creates a service that answers by a protocol. */
export function createService(options: ServiceOptions, protocol: Protocol): SimulatedService {
  const { faults, perMinute } = options
  const log: ServiceLogEntry[] = []
  const sentAt = new Map<string, number[]>()
  let tail: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = tail.then(work)
    // A failing state must not block the messages that wait.
    tail = turn.catch(() => undefined)
    return turn
  }

  function note({ path, callers }: ServiceRequest, outcome: string): void {
    log.push({ at: options.now().toISOString(), path, caller: callers?.join(' ') ?? '', outcome })
    if (log.length > LOGGED) log.shift()
  }

  /** Returns the seconds to wait, or null for a message within the limit. */
  function waitOf(caller: string): number | null {
    if (perMinute === undefined) return null
    const now = options.now().getTime()
    const recent = (sentAt.get(caller) ?? []).filter((at) => now - at < MINUTE_MS)
    sentAt.set(caller, recent)
    if (recent.length >= perMinute) return Math.ceil((MINUTE_MS - (now - (recent[0] ?? now))) / 1_000)
    recent.push(now)
    return null
  }

  return {
    admits: () => faults?.take('connection')?.kind !== 'down',
    log: () => log,
    handle: async (request) => {
      const effect = protocol.effectOf(request.path)
      if (effect === null) return page(404, 'No encontrado', 'No hay nada aquí.')
      if (request.method !== 'POST')
        return page(405, 'Método no admitido', 'Solo se admite POST.', { allow: 'POST' })
      const { callers } = request
      if (callers === null)
        return page(403, 'Acceso denegado', 'Este servicio exige un certificado electrónico.')
      const fault = faults?.take(effect) ?? null
      if (fault) note(request, `fault: ${fault.kind}`)
      if (fault?.kind === 'drop_request') return { kind: 'dropped' }
      if (fault?.kind === 'throttled') return throttled(fault.seconds)
      const useless = uselessAnswer(fault)
      if (useless && !(fault && 'processed' in fault && fault.processed)) return useless
      const wait = waitOf(callers[0] ?? '')
      if (wait !== null) {
        note(request, '429')
        return throttled(wait)
      }
      const { answer, outcome } = await inTurn(() => protocol.process({ ...request, callers }, fault))
      note(request, outcome)
      if (fault?.kind === 'drop_reply') return { kind: 'dropped' }
      if (useless) return useless
      if (fault?.kind === 'slow') await pause(fault.ms, undefined, { ref: false })
      return fault?.kind === 'half_answer'
        ? { ...answer, body: answer.body.subarray(0, answer.body.length >> 1) }
        : answer
    },
  }
}

export function page(
  status: number,
  title: string,
  text: string,
  headers: Record<string, string> = {},
): ServiceAnswer {
  return {
    kind: 'answered',
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
    body: Buffer.from(webPage(title, text), 'utf8'),
  }
}

function throttled(seconds: number): ServiceAnswer {
  return page(429, 'Demasiados envíos', 'Espere antes de volver a enviar.', {
    'retry-after': String(seconds),
  })
}

/** Returns what a fault answers instead of the service, or null. */
function uselessAnswer(fault: ServiceFault | null): ServiceAnswer | null {
  if (fault?.kind === 'error_500') return page(500, 'Error interno', 'Vuelva a intentarlo más tarde.')
  if (fault?.kind === 'html_200')
    return page(200, 'Servicio en mantenimiento', 'Vuelva a intentarlo más tarde.')
  return null
}
