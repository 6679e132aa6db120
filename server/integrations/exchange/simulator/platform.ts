/**
 * The simulated public e-invoice platform: the messages of the real one, as far as they are known, in process (server.ts adds
 * a socket). It trusts nothing of the sender: envelope, authority and statuses are checked here, apart from the client's code, and
 * documents by the validator of the formats.
 *
 * It is no copy of the real platform, whose specification is unpublished: the assumptions of `documents/e-invoice` say what is assumed.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { webPage } from '../../../platform/simulated-authority/start.ts'
import { madridTime } from '../../../domain/dates.ts'
import type { AnswerItem } from '../types.ts'
import {
  isFault,
  OPERATION_NAMES,
  OPERATIONS,
  PART_IDS,
  PLATFORM_NIF,
  readEnvelope,
  soapType,
  writeEnvelope,
  writeFault,
  WRITTEN_VERSION,
} from '../wire/envelope.ts'
import type { Envelope, OperationName, SoapFault, SoapVersion } from '../wire/envelope.ts'
import { PLATFORM_LIMITS } from '../wire/limits.ts'
import { readMessage, writeMultipart } from '../wire/multipart.ts'
import { Unreadable } from '../wire/xml.ts'
import { createRegister } from './authority.ts'
import type { Power } from './authority.ts'
import { MessageRefused, refusalText, TAKEN } from './codes.ts'
import { writeAnswer } from './documents.ts'
import type { PlatformFault, PlatformFaultControl } from './faults.ts'
import { takeInvoices } from './invoices.ts'
import type { MessageContext } from './invoices.ts'
import { download, findByCodes, findByPeriod } from './questions.ts'
import type { HeldInvoice, PlatformState } from './state.ts'
import { takeStatuses } from './statuses.ts'

export interface PlatformOptions {
  state: PlatformState
  now: () => Date
  /** Returns the secure code of a receipt: 16 characters A-Z0-9, each once. */
  newCsv: () => string
  faults?: PlatformFaultControl
  /** Who may act for others; read again for each message. */
  powers?: readonly Power[]
  /** Tax numbers that it does not know, besides 99999999R. */
  unknown?: readonly string[]
  /** Messages of one certificate in a minute; no limit by default. */
  perMinute?: number
  /** Invoices on a page of a query: 1,000 by default. */
  pageSize?: number
}

interface PlatformRequest {
  method: string
  /** Below the address of the service, without a slash at its beginning. */
  path: string
  contentType: string
  body: Uint8Array
  /** Tax numbers of the holder of the certificate; null without an accepted one. */
  callers: readonly string[] | null
}

interface PlatformAnswered {
  kind: 'answered'
  status: number
  headers: Record<string, string>
  body: Buffer
}

export type PlatformReply = PlatformAnswered | { kind: 'dropped' }

/** A message as the page shows it. */
export interface LogEntry {
  at: string
  operation: string
  caller: string
  /** What came of it, in a few words. */
  outcome: string
}

export interface Platform {
  /** Takes a message and answers it. Never rejects because of the message: what is wrong with it is the answer. */
  handle(request: PlatformRequest): Promise<PlatformReply>
  /** Returns false if a fault switch refuses the connection that is being opened. */
  admits(): boolean
  /** The latest messages, the oldest first. */
  log(): readonly LogEntry[]
}

const LOGGED = 200
const MINUTE_MS = 60_000

const CHANGES: readonly OperationName[] = ['send', 'withdraw', 'statuses_recipient', 'statuses_issuer']

/** Creates the platform over its state. Messages are processed one at a time. */
export function createPlatform(options: PlatformOptions): Platform {
  const { state, faults, powers = [], unknown, perMinute, pageSize = PLATFORM_LIMITS.foundOfPage } = options
  const register = createRegister(powers, unknown)
  const log: LogEntry[] = []
  const sentAt = new Map<string, number[]>()
  let tail: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = tail.then(work)
    // A failing state must not block the messages that wait.
    tail = turn.catch(() => undefined)
    return turn
  }

  function note(operation: string, callers: readonly string[] | null, outcome: string): void {
    log.push({ at: options.now().toISOString(), operation, caller: callers?.join(' ') ?? '', outcome })
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

  async function process(
    operation: OperationName,
    request: PlatformRequest,
    fault: PlatformFault | null,
  ): Promise<PlatformAnswered> {
    const callers = request.callers ?? []
    let version: SoapVersion = WRITTEN_VERSION
    try {
      const { root, parts } = readMessage(request.contentType, request.body)
      const envelope = readEnvelope(root)
      version = envelope.version
      if (isFault(envelope)) throw new MessageRefused('SPFE-SIM-MESSAGE', 'a fault')
      assertAddressed(envelope, operation, callers)
      const bodies = envelope.parts.map(({ id }) => parts.find((part) => part.id === id)?.body)
      if (bodies.length !== parts.length || bodies.some((body) => body === undefined))
        throw new MessageRefused('SPFE-SIM-MESSAGE', 'eb:PayloadInfo')
      const csv = options.newCsv()
      const context: MessageContext = { state, register, callers, now: options.now(), csv }
      const answer = await answered(operation, envelope, bodies as Uint8Array[], context, fault)
      note(operation, callers, answer.outcome)
      return written(answer.parts, { envelope, operation, csv })
    } catch (error) {
      if (!(error instanceof MessageRefused || error instanceof Unreadable)) throw error
      const code = error instanceof MessageRefused ? error.code : 'SPFE-SIM-MESSAGE'
      note(operation, callers, code)
      const text = error instanceof MessageRefused ? error.message : refusalText(code, error.message)
      return faultReply({ version, blames: 'sender', code, text })
    }
  }

  async function answered(
    operation: OperationName,
    { properties }: Envelope,
    bodies: readonly Uint8Array[],
    context: MessageContext,
    fault: PlatformFault | null,
  ): Promise<{ parts: AnswerPart[]; outcome: string }> {
    const only = (): Uint8Array => {
      const [body] = bodies
      if (!body || bodies.length > 1) throw new MessageRefused('SPFE-SIM-BATCH')
      return body
    }
    const document = (xml: string, outcome: string) => ({
      parts: [{ id: PART_IDS.answer, body: Buffer.from(xml, 'utf8'), properties: {} }],
      outcome,
    })
    const changed = async (taken: {
      items: AnswerItem[]
      changed: HeldInvoice[]
    }): Promise<{ parts: AnswerPart[]; outcome: string }> => {
      const refuses = fault?.kind === 'refuse'
      const items = refuses ? taken.items.map(refusedItem) : taken.items
      if (!refuses && taken.changed.length > 0) await state.write(taken.changed)
      const right = items.filter(({ code }) => code === TAKEN).length
      const batch = right === items.length ? 200 : right === 0 ? 400 : 206
      const day = madridTime(context.now).date
      const codes = [...new Set(items.map(({ code }) => code))].join(' ')
      return document(writeAnswer({ csv: context.csv, batch, items }, day), `${batch}: ${codes}`)
    }
    switch (operation) {
      case 'send':
        if (bodies.length === 0 || bodies.length > PLATFORM_LIMITS.invoicesOfBatch)
          throw new MessageRefused('SPFE-SIM-BATCH')
        return changed(await takeInvoices(bodies, context))
      case 'withdraw':
        return changed(await takeStatuses(only(), { role: 'issuer', withdrawal: true }, context))
      case 'statuses_issuer':
        return changed(await takeStatuses(only(), { role: 'issuer', withdrawal: false }, context))
      case 'statuses_recipient':
        return changed(await takeStatuses(only(), { role: 'recipient', withdrawal: false }, context))
      case 'query_codes':
        return document(await findByCodes(only(), properties, context), TAKEN)
      case 'query_period':
        if (bodies.length > 0) throw new MessageRefused('SPFE-SIM-BATCH')
        return document(await findByPeriod(properties, pageSize, context), TAKEN)
      case 'download':
      case 'download_codes': {
        const given = await download(only(), operation === 'download' ? 'locator' : 'code', context)
        const parts = given.map((part, index) => ({ ...part, id: `${PART_IDS.invoice}${index + 1}` }))
        return { parts, outcome: `${parts.length}` }
      }
    }
  }

  return {
    admits: () => faults?.take('connection')?.kind !== 'down',
    log: () => log,
    handle: async (request) => {
      const operation = OPERATION_NAMES.find((name) => OPERATIONS[name].path === request.path)
      if (!operation) return page(404, 'No encontrado', 'No hay nada aquí.')
      if (request.method !== 'POST')
        return page(405, 'Método no admitido', 'Solo se admite POST.', { allow: 'POST' })
      if (request.callers === null)
        return page(403, 'Acceso denegado', 'Este servicio exige un certificado electrónico.')
      const fault = faults?.take(CHANGES.includes(operation) ? 'change' : 'read') ?? null
      if (fault) note(operation, request.callers, `fault: ${fault.kind}`)
      if (fault?.kind === 'drop_request') return { kind: 'dropped' }
      if (fault?.kind === 'throttled') return throttled(fault.seconds)
      const useless = uselessReply(fault)
      if (useless && !(fault && 'processed' in fault && fault.processed)) return useless
      const wait = waitOf(request.callers[0] ?? '')
      if (wait !== null) {
        note(operation, request.callers, '429')
        return throttled(wait)
      }
      const answer = await inTurn(() => process(operation, request, fault))
      if (fault?.kind === 'drop_reply') return { kind: 'dropped' }
      if (useless) return useless
      if (fault?.kind === 'slow') await pause(fault.ms, undefined, { ref: false })
      return fault?.kind === 'half_answer'
        ? { ...answer, body: answer.body.subarray(0, answer.body.length >> 1) }
        : answer
    },
  }
}

/** Checks that a message comes from the holder of the certificate and is one of this address. */
function assertAddressed(
  { from, to, service, action, messageId }: Envelope,
  operation: OperationName,
  callers: readonly string[],
): void {
  const wanted = OPERATIONS[operation]
  if (to !== PLATFORM_NIF) throw new MessageRefused('SPFE-SIM-MESSAGE', 'eb:To')
  if (!callers.includes(from)) throw new MessageRefused('SPFE-SIM-SENDER', from)
  if (service !== wanted.service) throw new MessageRefused('SPFE-SIM-MESSAGE', 'eb:Service')
  if (action !== wanted.action) throw new MessageRefused('SPFE-SIM-MESSAGE', 'eb:Action')
  if (messageId.length > 200) throw new MessageRefused('SPFE-SIM-MESSAGE', 'eb:MessageId')
}

const refusedItem = ({ invoice }: AnswerItem): AnswerItem => ({
  invoice,
  code: 'SPFE-SIM-FAULT',
  text: refusalText('SPFE-SIM-FAULT'),
  locator: null,
})

interface AnswerPart {
  id: string
  body: Buffer
  properties: Readonly<Record<string, string>>
}

function written(
  parts: readonly AnswerPart[],
  { envelope, operation, csv }: { envelope: Envelope; operation: OperationName; csv: string },
): PlatformAnswered {
  const { version, messageId, conversationId, from, timestamp } = envelope
  const xml = writeEnvelope({
    version,
    timestamp,
    messageId: `${csv.toLowerCase()}@platform`,
    refToMessageId: messageId,
    from: PLATFORM_NIF,
    to: from,
    ...OPERATIONS[operation].answer,
    conversationId,
    properties: {},
    parts: parts.map(({ id, properties }) => ({ id, properties })),
  })
  const { contentType, body } = writeMultipart(xml, parts, {
    boundary: `platform-${csv}`,
    soapType: soapType(version),
  })
  return { kind: 'answered', status: 200, headers: { 'content-type': contentType }, body }
}

function faultReply(fault: SoapFault): PlatformAnswered {
  // SOAP 1.2 part 2, section 7.5.2.2: 400 for the sender's faults; SOAP 1.1, section 6.2: always 500.
  const status = fault.version === '1.2' && fault.blames === 'sender' ? 400 : 500
  const headers = { 'content-type': `${soapType(fault.version)}; charset=UTF-8` }
  return { kind: 'answered', status, headers, body: Buffer.from(writeFault(fault), 'utf8') }
}

function page(
  status: number,
  title: string,
  text: string,
  headers: Record<string, string> = {},
): PlatformAnswered {
  return {
    kind: 'answered',
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
    body: Buffer.from(webPage(title, text), 'utf8'),
  }
}

function throttled(seconds: number): PlatformAnswered {
  return page(429, 'Demasiados envíos', 'Espere antes de volver a enviar.', {
    'retry-after': String(seconds),
  })
}

/** Returns what a fault answers instead of the service, or null. */
function uselessReply(fault: PlatformFault | null): PlatformAnswered | null {
  switch (fault?.kind) {
    case 'error_500':
      return page(500, 'Error interno', 'Vuelva a intentarlo más tarde.')
    case 'html_200':
      return page(200, 'Servicio en mantenimiento', 'Vuelva a intentarlo más tarde.')
    case 'fault_receiver':
      return faultReply({
        version: WRITTEN_VERSION,
        blames: 'receiver',
        code: null,
        text: 'Error interno del servicio.',
      })
    default:
      return null
  }
}
