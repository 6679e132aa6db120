/**
 * Reads the answers of LROE: headers that judge the message as a whole, and a compressed body that judges each record. What does
 * not fit together is unreadable: an outcome is never guessed.
 */
import { gunzipSync } from 'node:zlib'
import { child, children, readXml, textAt, XmlRefused } from '../../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../../domain/formats/xml-reader.ts'
import { BOOK_CODES, ENTRY_CODES } from '../wire/codes.ts'
import { notTaken, outcomeOfTransport, plainText, Unreadable } from '../wire/outcome.ts'
import type { FileOutcome, RecordOutcome, SealedFile, ServiceCode, WireExchange } from '../wire/outcome.ts'
import { CHAPTERS } from './chapters.ts'
import type { ChapterFacts } from './chapters.ts'
import type { LroeMessage } from './message.ts'

const LIMITS = { depth: 24, nodes: 1_000_000, elementChars: 2_000_000, totalChars: 64_000_000 }
const MOST_BYTES = 64 * 1024 * 1024

/** Judgement of a whole message; a header of the answer names it. */
export const KINDS = {
  correct: 'Correcto',
  partly: 'Parcialmente correcto',
  incorrect: 'Incorrecto',
} as const
const RECORD_STATES = ['Correcto', 'AceptadoConErrores', 'Anulado', 'Incorrecto'] as const
type RecordState = (typeof RECORD_STATES)[number]

interface LroeHeaders {
  kind: keyof typeof KINDS
  /** Only with an incorrect message. */
  code: string | null
  message: string
  /** Identifier of the entry, unless the message is incorrect. */
  entry: string | null
}

/** Reads the headers of an answer. Throws `Unreadable`. */
export function readLroeHeaders(headers: Readonly<Record<string, string>>): LroeHeaders {
  // The list of the schemas writes one word where the description of the service writes two.
  const written = (headers['eus-bizkaia-n3-tipo-respuesta'] ?? '').replace(/\s+/g, '').toLowerCase()
  const kind = (Object.keys(KINDS) as (keyof typeof KINDS)[]).find(
    (each) => KINDS[each].replace(/\s+/g, '').toLowerCase() === written,
  )
  if (!kind) throw new Unreadable('The headers do not judge the message.')
  const code = (headers['eus-bizkaia-n3-codigo-respuesta'] ?? '').trim()
  if (code !== '' && (kind !== 'incorrect' || !/^\w{1,20}$/.test(code)))
    throw new Unreadable('The headers name an error of a message that they call correct.')
  return {
    kind,
    code: code === '' ? null : code,
    message: plainText(headerText(headers['eus-bizkaia-n3-mensaje-respuesta'] ?? '')),
    entry: headers['eus-bizkaia-n3-identificativo']?.trim() || null,
  }
}

/** Headers arrive as one character per byte; the service writes UTF-8. */
function headerText(text: string): string {
  const bytes = Buffer.from(text, 'latin1')
  const decoded = bytes.toString('utf8')
  return decoded.includes('\ufffd') ? text : decoded
}

/** Reads the body of an answer and checks its root. Throws `Unreadable`. */
export function readLroeBody(
  { headers, body }: Extract<WireExchange, { kind: 'answered' }>,
  wanted: { root: string; namespace: string },
): XmlElement {
  const packed = (headers['content-encoding'] ?? '').toLowerCase() === 'gzip'
  try {
    const bytes = packed ? gunzipSync(body, { maxOutputLength: MOST_BYTES }) : body
    const root = readXml(new TextDecoder('utf-8', { fatal: true }).decode(bytes), LIMITS)
    if (root.name !== wanted.root || root.ns !== wanted.namespace)
      throw new Unreadable(`The answer is no ${wanted.root}.`)
    return root
  } catch (error) {
    if (error instanceof Unreadable) throw error
    if (error instanceof XmlRefused) throw new Unreadable(`Line ${error.line}: ${error.fault}.`)
    throw new Unreadable(`The body cannot be read. ${error instanceof Error ? error.message : ''}`)
  }
}

/** Checks that an answer repeats the header of the message. Throws `Unreadable`. */
export function assertHeaderOf(
  header: XmlElement | null,
  { taxpayer, operation, year }: LroeMessage,
  facts: ChapterFacts,
): void {
  const fits =
    textAt(header, 'Modelo') === facts.model &&
    textAt(header, 'Capitulo') === facts.chapter &&
    textAt(header, 'Subcapitulo') === facts.subchapter &&
    textAt(header, 'Operacion') === operation &&
    textAt(header, 'Ejercicio') === year &&
    textAt(header, 'ObligadoTributario', 'NIF') === taxpayer.nif
  if (!fits) throw new Unreadable('The answer belongs to another message.')
}

interface RecordLine {
  identity: XmlElement
  state: RecordState
  codes: ServiceCode[]
}

interface LroeReply extends LroeHeaders {
  /** DD-MM-YYYY hh:mm:ss; null for a message that was refused as a whole. */
  presentedAt: string | null
  lines: RecordLine[]
}

/** Reads an answer to a message that changes the book. Throws `Unreadable`. */
export function readLroeReply(
  answered: Extract<WireExchange, { kind: 'answered' }>,
  message: LroeMessage,
): LroeReply {
  const facts = CHAPTERS[message.taxpayer.model][message.chapter]
  const shape = facts.operations[message.operation]
  if (!shape) throw new RangeError('There is no such message.')
  const head = readLroeHeaders(answered.headers)
  // A message that is refused as a whole may come without a body, unless the code is that of a record.
  const known = head.code === null ? undefined : BOOK_CODES[head.code]
  const isOfRecord = known !== undefined && known.effect !== 'not_taken'
  if (head.kind === 'incorrect' && answered.body.length === 0 && !isOfRecord)
    return { ...head, presentedAt: null, lines: [] }
  let root: XmlElement
  try {
    root = readLroeBody(answered, shape.answer)
  } catch (error) {
    // A code of the entry service is complete by itself; one of the book may be that of a record in the body.
    if (
      error instanceof Unreadable &&
      head.kind === 'incorrect' &&
      head.code !== null &&
      ENTRY_CODES[head.code]
    )
      return { ...head, presentedAt: null, lines: [] }
    throw error
  }
  const header = child(root, 'Cabecera')
  if (header || head.kind !== 'incorrect') assertHeaderOf(header, message, facts)
  const lines = children(child(root, 'Registros'), 'Registro').map(lineOf)
  const refused = lines.filter(({ state }) => state === 'Incorrecto').length
  const contradicts =
    (head.kind === 'correct' && refused > 0) ||
    (head.kind === 'partly' && lines.length > 0 && refused === lines.length) ||
    (head.kind === 'incorrect' && refused < lines.length) ||
    (head.kind !== 'incorrect' && lines.length === 0)
  if (contradicts || (lines.length === 0 && isOfRecord))
    throw new Unreadable('The headers contradict the records.')
  return { ...head, presentedAt: textAt(root, 'DatosPresentacion', 'FechaPresentacion'), lines }
}

function lineOf(line: XmlElement): RecordLine {
  const situation = child(line, 'SituacionRegistro')
  const identity = line.children.find(({ name }) => name !== 'SituacionRegistro')
  const written = textAt(situation, 'EstadoRegistro')
  const state = RECORD_STATES.find((each) => each === written)
  if (!state || !identity) throw new Unreadable('A record has no state.')
  const code = textAt(situation, 'CodigoErrorRegistro')
  if (state === 'Correcto' && code !== null) throw new Unreadable('A correct record has an error.')
  const basque = plainText(textAt(situation, 'DescripcionErrorRegistroEU'))
  return {
    identity,
    state,
    codes:
      code === null
        ? []
        : [
            {
              code: plainText(code),
              text: plainText(textAt(situation, 'DescripcionErrorRegistroES')),
              ...(basque === '' ? {} : { basque }),
            },
          ],
  }
}

/**
 * Returns what an exchange proves about each file of a message, in their order. A file that the answer does not name is unknown; a
 * record that is none of ours makes the whole answer unreadable. Never throws.
 */
export function readLroeExchange(
  message: LroeMessage,
  files: readonly SealedFile[],
  exchange: WireExchange,
): FileOutcome[] {
  const all = (outcome: RecordOutcome): FileOutcome[] => files.map(({ id }) => ({ id, outcome }))
  if (exchange.kind !== 'answered') return all(outcomeOfTransport(exchange))
  const refusedByStatus = outcomeOfTransport(exchange)
  try {
    const reply = readLroeReply(exchange, message)
    if (reply.lines.length === 0) return all(outcomeOfRefusal(reply))
    const byFile = matched(message, files, reply.lines)
    return files.map((file, index) => {
      const line = byFile[index]
      const outcome: RecordOutcome = line
        ? outcomeOfLine(line, reply)
        : { kind: 'unknown', detail: 'The answer does not name the record.' }
      return { id: file.id, outcome }
    })
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return all(refusedByStatus ?? { kind: 'unknown', detail: `Status ${exchange.status}. ${error.message}` })
  }
}

/** Returns what the refusal of a whole message means. One without a known code is final for nothing: nothing was looked at. */
export function outcomeOfRefusal({ code, message }: LroeHeaders): RecordOutcome {
  const known = code === null ? undefined : (ENTRY_CODES[code] ?? BOOK_CODES[code])
  return notTaken(known?.reason ?? 'refused', message || (known?.meaning ?? 'The message was refused.'), code)
}

export function outcomeOfLine(
  { state, codes }: RecordLine,
  { entry, presentedAt }: LroeReply,
): RecordOutcome {
  if (state === 'Correcto' || state === 'AceptadoConErrores' || state === 'Anulado')
    return { kind: 'accepted', warnings: codes, receipt: entry, receivedAt: presentedAt }
  const [first] = codes
  const known = first && BOOK_CODES[first.code]
  if (known?.effect === 'held') return { kind: 'held', codes, heldIdentifier: null }
  if (first && known?.effect === 'not_taken')
    return notTaken(known.reason ?? 'refused', first.text, first.code)
  return { kind: 'rejected', codes }
}

const ENVELOPED: readonly string[] = ['TicketBai', 'AnulacionTicketBai']

/** Returns the line of each file. Throws `Unreadable` for a line of no file, and for two of one. */
function matched(
  { taxpayer }: LroeMessage,
  files: readonly SealedFile[],
  lines: readonly RecordLine[],
): (RecordLine | undefined)[] {
  const found: (RecordLine | undefined)[] = files.map(() => undefined)
  const byKey = new Map(files.map((file, index) => [keyText(file.key), index]))
  for (const line of lines) {
    const invoice = child(line.identity, 'IDFactura')
    const enveloped = line.identity.children.find(({ name }) => ENVELOPED.includes(name))
    const index = invoice
      ? byKey.get(keyText(keyOf(invoice, taxpayer.nif)))
      : files.findIndex(({ xml }) => enveloped && sameBytes(enveloped.text, xml))
    if (index === undefined || index < 0)
      throw new Unreadable('The answer names a record of another message.')
    if (found[index]) throw new Unreadable('The answer names a record twice.')
    found[index] = line
  }
  return found
}

function sameBytes(base64: string, xml: Uint8Array): boolean {
  return Buffer.compare(Buffer.from(base64, 'base64'), xml) === 0
}

function keyText({ issuerNif, series, number, issueDate }: SealedFile['key']): string {
  return JSON.stringify([issuerNif, series, number, issueDate])
}

/** Returns the key that an element names; series, number and date stand in it. */
export function keyOf(element: XmlElement | null, issuerNif: string): SealedFile['key'] {
  const number = textAt(element, 'NumFactura')
  const issueDate = textAt(element, 'FechaExpedicionFactura')
  if (number === null || issueDate === null) throw new Unreadable('A record has no number or no date.')
  return { issuerNif, series: textAt(element, 'SerieFactura') ?? '', number, issueDate }
}
