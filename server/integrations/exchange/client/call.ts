/** One message to the platform and its answer: builds the envelope, and tells a certain failure from an open outcome. */
import { NothingDone, OutcomeUnknown } from '../port.ts'
import {
  FAULT_NOT_ALLOWED,
  isFault,
  OPERATIONS,
  PLATFORM_NIF,
  readEnvelope,
  soapType,
  writeEnvelope,
  WRITTEN_VERSION,
} from '../wire/envelope.ts'
import type { Envelope, OperationName, PartInfo } from '../wire/envelope.ts'
import { readMessage, writeMultipart } from '../wire/multipart.ts'
import type { Part } from '../wire/multipart.ts'
import { Unreadable } from '../wire/xml.ts'
import type { HttpOutcome, Transport } from './transport.ts'

/** Whether a message changes something at the platform. */
type Effect = 'change' | 'read'

export interface CallOptions {
  transport: Transport
  /** NIF of the holder of the certificate. */
  senderNif: string
  now: () => Date
  /** Returns a new identifier of a message. */
  newId: () => string
}

interface Call {
  operation: OperationName
  effect: Effect
  properties?: Readonly<Record<string, string>>
  parts: readonly Part[]
  answerBytes: number
}

export interface AnsweredPart extends PartInfo {
  body: Uint8Array
}

/**
 * Sends one message and returns what `read` makes of the parts of its answer. Throws `NothingDone` or, for a message that
 * changes something, `OutcomeUnknown`: also if `read` throws `Unreadable`.
 */
export async function call<T>(
  options: CallOptions,
  wanted: Call,
  read: (parts: AnsweredPart[]) => T,
): Promise<T> {
  const { operation, effect, parts, properties = {} } = wanted
  const { path, service, action } = OPERATIONS[operation]
  const messageId = options.newId()
  const envelope = writeEnvelope({
    version: WRITTEN_VERSION,
    timestamp: options.now().toISOString(),
    messageId,
    refToMessageId: null,
    from: options.senderNif,
    to: PLATFORM_NIF,
    service,
    action,
    conversationId: messageId,
    properties,
    parts: parts.map(({ id }) => ({ id, properties: {} })),
  })
  const boundary = `sello-${messageId.replace(/[^A-Za-z0-9]/g, '').slice(0, 40)}`
  const soap = soapType(WRITTEN_VERSION)
  const { contentType, body } =
    parts.length === 0
      ? { contentType: `${soap}; charset=UTF-8`, body: Buffer.from(envelope, 'utf8') }
      : writeMultipart(envelope, parts, { boundary, soapType: soap })
  const outcome = await options.transport({
    path,
    headers: { 'content-type': contentType },
    body,
    answerBytes: wanted.answerBytes,
  })
  const answered = certain(outcome, effect)
  try {
    const { header, found } = readWhole(answered)
    if (isFault(header)) {
      if (header.blames === 'receiver') throw new Unreadable(`The platform failed: ${header.text}`)
      const code = header.code === FAULT_NOT_ALLOWED ? 'not_allowed' : 'refused'
      throw new NothingDone(code, [header.code, header.text].filter((each) => each).join(': '))
    }
    if (answered.status !== 200) throw new Unreadable(`The answer has status ${answered.status}.`)
    assertAnswerTo(header, { operation, messageId, senderNif: options.senderNif })
    return read(found)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    // A bad request was not taken, whatever its page says.
    throw answered.status === 400 ? new NothingDone('refused', error.message) : lost(effect, error.message)
  }
}

/** Returns a usable answer, or throws what is certain about the message. */
function certain(outcome: HttpOutcome, effect: Effect): Extract<HttpOutcome, { kind: 'answered' }> {
  if (outcome.kind === 'no_answer') throw lost(effect, outcome.detail)
  if (outcome.kind === 'not_sent') throw new NothingDone(NOT_SENT[outcome.reason], outcome.detail)
  const { status, headers } = outcome
  if (status === 429)
    throw new NothingDone('throttled', 'The platform asks to wait.', secondsOf(headers['retry-after']))
  if (status === 401 || status === 403)
    throw new NothingDone('not_allowed', `The platform refused access (status ${status}).`)
  // A fault comes with status 400 or 500 and is read; a request that timed out may have been read whole.
  if (status > 400 && status < 500 && status !== 408)
    throw new NothingDone('refused', `The platform refused the message (status ${status}).`)
  if (status !== 200 && status !== 400 && status !== 500)
    throw lost(effect, `The answer has status ${status}.`)
  return outcome
}

const NOT_SENT: Record<Extract<HttpOutcome, { kind: 'not_sent' }>['reason'], NothingDone['code']> = {
  unreachable: 'down',
  // Another machine answered, or none that proves itself.
  not_trusted: 'down',
  no_certificate: 'not_allowed',
  certificate_refused: 'not_allowed',
  no_address: 'not_configured',
}

/** A message that changes nothing can be asked again: its failure is certain. */
function lost(effect: Effect, detail: string): NothingDone | OutcomeUnknown {
  return effect === 'change' ? new OutcomeUnknown(detail) : new NothingDone('down', detail)
}

const MOST_SECONDS = 86_400

/** Returns the seconds of `Retry-After`; undefined for none and for a date. */
function secondsOf(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,6}$/.test(value) ? Math.min(Number(value), MOST_SECONDS) : undefined
}

function readWhole({ headers, body }: Extract<HttpOutcome, { kind: 'answered' }>): {
  header: ReturnType<typeof readEnvelope>
  found: AnsweredPart[]
} {
  const { root, parts } = readMessage(headers['content-type'] ?? '', body)
  const header = readEnvelope(root)
  if (isFault(header)) return { header, found: [] }
  if (header.parts.length !== parts.length) throw new Unreadable('The answer has other parts than it names.')
  const found = header.parts.map((info) => {
    const part = parts.find(({ id }) => id === info.id)
    if (!part) throw new Unreadable('The answer lacks a part that it names.')
    return { ...info, body: part.body }
  })
  return { header, found }
}

/** Checks that an envelope answers this message and no other. Throws `Unreadable`. */
function assertAnswerTo(
  header: Envelope,
  { operation, messageId, senderNif }: { operation: OperationName; messageId: string; senderNif: string },
): void {
  const { service, action } = OPERATIONS[operation].answer
  const fits =
    header.refToMessageId === messageId &&
    header.from === PLATFORM_NIF &&
    header.to === senderNif &&
    header.service === service &&
    header.action === action
  if (!fits) throw new Unreadable('The answer belongs to another message.')
}
