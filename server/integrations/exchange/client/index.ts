/** The client of the public e-invoice platform: the port over its messages, whatever carries them. */
import { madridTime } from '../../../domain/dates.ts'
import { writeStatusMessage } from '../../../documents/e-invoice/index.ts'
import { NothingDone } from '../port.ts'
import type { AnsweredBatch, ExchangePort, Found } from '../port.ts'
import type { InvoiceCode, PlatformAnswer, StatusMessage, StatusRole } from '../types.ts'
import { FAULT_NOT_ALLOWED, PART, PART_IDS, QUERY, ROLE_VALUES } from '../wire/envelope.ts'
import type { OperationName } from '../wire/envelope.ts'
import {
  ANSWER_BYTES,
  DOWNLOAD_BYTES,
  DOWNLOADS_PER_MESSAGE,
  inBatches,
  PLATFORM_LIMITS,
} from '../wire/limits.ts'
import type { Part } from '../wire/multipart.ts'
import { Unreadable } from '../wire/xml.ts'
import { call } from './call.ts'
import type { AnsweredPart, CallOptions } from './call.ts'
import { codeOf, readAnswer } from './documents.ts'
import { eventsSince } from './events.ts'
import { readFound, writeCodes, writeLocators } from './questions.ts'

export { createTlsTransport } from './transport.ts'
export type { HttpMessage, HttpOutcome, TlsTransportOptions, Transport } from './transport.ts'

export interface ExchangeClientOptions extends CallOptions {
  /** The company whose invoices these are. */
  company: { nif: string; name: string }
}

/** Creates the port for one company. `senderNif` is another NIF than the company's where a representative acts. */
export function createExchangeClient(options: ExchangeClientOptions): ExchangePort {
  const { company, now } = options
  const requestHead = () => ({
    id: options.newId(),
    senderTaxId: company.nif,
    issuedAt: now().toISOString(),
  })

  function change(
    operation: OperationName,
    parts: readonly Part[],
    codes: readonly InvoiceCode[],
  ): Promise<AnsweredBatch> {
    return call(options, { operation, effect: 'change', parts, answerBytes: ANSWER_BYTES }, (answered) => {
      const { body } = onlyPart(answered)
      const answer = answerAbout(codes, readAnswer(body))
      // Nothing of it was taken, and it says something of the holder of the certificate only.
      const [first] = answer.items
      if (first && answer.items.every(({ code }) => code === FAULT_NOT_ALLOWED))
        throw new NothingDone('not_allowed', `${first.code}: ${first.text}`)
      // A copy: the part is a view of the whole message.
      return { ...answer, original: Uint8Array.from(body) }
    })
  }

  async function withdrawOrReport(operation: OperationName, message: StatusMessage): Promise<AnsweredBatch> {
    return change(
      operation,
      [requestPart(statusXml(message))],
      message.reports.map(({ invoice }) => invoice),
    )
  }

  async function findCodes(role: StatusRole, codes: readonly InvoiceCode[]): Promise<Found[]> {
    const found: Found[] = []
    for (const some of slices(codes, PLATFORM_LIMITS.codesOfQuery)) {
      const page = await call(
        options,
        {
          operation: 'query_codes',
          effect: 'read',
          properties: { [QUERY.role]: ROLE_VALUES[role] },
          parts: [requestPart(writeCodes(requestHead(), some))],
          answerBytes: ANSWER_BYTES,
        },
        (parts) => readFound(onlyPart(parts).body),
      )
      found.push(...page.found)
    }
    return found
  }

  async function findPeriod(
    role: StatusRole,
    from: string,
    to: string,
    cursor: string | undefined,
  ): Promise<{ found: Found[]; next: string | null }> {
    const place = cursor === undefined ? { from, after: null } : readCursor(cursor)
    // A query stays within a month.
    const end = monthEnd(place.from) < to ? monthEnd(place.from) : to
    const page = await call(
      options,
      {
        operation: 'query_period',
        effect: 'read',
        properties: {
          [QUERY.role]: ROLE_VALUES[role],
          [QUERY.company]: company.nif,
          [QUERY.name]: company.name,
          [QUERY.from]: place.from,
          [QUERY.to]: end,
          ...(place.after === null ? {} : { [QUERY.after]: place.after }),
        },
        parts: [],
        answerBytes: ANSWER_BYTES,
      },
      (parts) => readFound(onlyPart(parts).body),
    )
    if (page.after !== null && page.after === place.after)
      throw new NothingDone('down', 'The platform repeats a page of its list.')
    const next = page.after === null ? (end < to ? `${dayAfter(end)}|` : null) : `${place.from}|${page.after}`
    return { found: page.found, next }
  }

  const port: ExchangePort = {
    send: async (items) => {
      if (items.length === 0) throw new NothingDone('refused', 'There is nothing to send.')
      if (inBatches(items).length > 1)
        throw new NothingDone('refused', 'The invoices are more than one batch.')
      const codes = items.map(({ xml }) => {
        if (Buffer.byteLength(xml, 'utf8') > PLATFORM_LIMITS.invoiceBytes)
          throw new NothingDone('refused', 'An invoice is larger than 5,120 kB.')
        return readCode(xml)
      })
      return change(
        'send',
        items.map(({ xml }, index) => ({
          id: `${PART_IDS.invoice}${index + 1}`,
          body: Buffer.from(xml, 'utf8'),
        })),
        codes,
      )
    },
    withdraw: ({ invoice }) =>
      withdrawOrReport('withdraw', {
        ...requestHead(),
        role: 'issuer',
        reports: [{ kind: 'withdrawn', invoice, date: madridTime(now()).date }],
      }),
    report: async (message) => {
      const { length } = message.reports
      if (length === 0 || length > PLATFORM_LIMITS.statusesOfMessage)
        throw new NothingDone('refused', 'A message has 1 to 100 statuses.')
      return withdrawOrReport(message.role === 'issuer' ? 'statuses_issuer' : 'statuses_recipient', message)
    },
    find: async (filter) =>
      'codes' in filter
        ? { found: await findCodes(filter.role, filter.codes), next: null }
        : findPeriod(filter.role, filter.from, filter.to, filter.cursor),
    download: async (locators) => {
      const all: { locator: string; xml: Uint8Array }[] = []
      for (const some of slices(locators, DOWNLOADS_PER_MESSAGE)) {
        const parts = [requestPart(writeLocators(requestHead(), some))]
        const got = await call(
          options,
          { operation: 'download', effect: 'read', parts, answerBytes: DOWNLOAD_BYTES },
          (answered) => downloaded(answered, some),
        )
        all.push(...got)
      }
      return all
    },
    events: (since) => {
      const at = now()
      return eventsSince(port.find, since, { today: madridTime(at).date, at: at.toISOString() })
    },
  }
  return port
}

/** Writes a message about statuses; one that cannot be written is refused here. */
function statusXml(message: StatusMessage): string {
  try {
    return writeStatusMessage(message)
  } catch (error) {
    throw new NothingDone('refused', error instanceof Error ? error.message : String(error))
  }
}

function requestPart(xml: string): Part {
  return { id: PART_IDS.request, body: Buffer.from(xml, 'utf8') }
}

function onlyPart(parts: readonly AnsweredPart[]): AnsweredPart {
  const [part] = parts
  if (!part || parts.length > 1) throw new Unreadable('The answer has not exactly one document.')
  return part
}

function readCode(xml: string): InvoiceCode {
  try {
    return codeOf(xml)
  } catch (error) {
    if (error instanceof Unreadable) throw new NothingDone('refused', error.message)
    throw error
  }
}

const isSame = (one: InvoiceCode, other: InvoiceCode): boolean =>
  one.issuerTaxId === other.issuerTaxId && one.number === other.number && one.issueDate === other.issueDate

/**
 * Returns the answer if it is about exactly these invoices, in their order, and its parts agree with the whole. Throws
 * `Unreadable`: such an answer proves nothing.
 */
function answerAbout(codes: readonly InvoiceCode[], answer: PlatformAnswer): PlatformAnswer {
  const { batch, items } = answer
  const fits =
    items.length === codes.length &&
    items.every(({ invoice }, index) => invoice === null || isSame(invoice, codes[index] as InvoiceCode))
  if (!fits) throw new Unreadable('The answer is about other invoices.')
  const taken = items.filter(({ code }) => code === '200').length
  const expected = taken === items.length ? 200 : taken === 0 ? 400 : 206
  if (batch !== expected) throw new Unreadable('The answer contradicts itself.')
  return answer
}

/** Returns the invoices of a download. Throws `Unreadable` for one that was not asked for. */
function downloaded(
  parts: readonly AnsweredPart[],
  locators: readonly string[],
): { locator: string; xml: Uint8Array }[] {
  const got = new Map<string, Uint8Array>()
  for (const { properties, body } of parts) {
    const locator = properties[PART.id] ?? ''
    if (!locators.includes(locator) || got.has(locator))
      throw new Unreadable('The answer has an invoice that was not asked for.')
    if (properties[PART.statusCode] === '200') got.set(locator, Uint8Array.from(body))
  }
  return [...got].map(([locator, xml]) => ({ locator, xml }))
}

function* slices<T>(all: readonly T[], most: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += most) yield all.slice(at, at + most)
}

function readCursor(cursor: string): { from: string; after: string | null } {
  const [, from = '', after = ''] = /^(\d{4}-\d{2}-\d{2})\|(.*)$/s.exec(cursor) ?? []
  if (from === '') throw new NothingDone('refused', 'The cursor is none of this list.')
  return { from, after: after === '' ? null : after }
}

const DAY_MS = 86_400_000

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)
}

function monthEnd(day: string): string {
  const [year = 0, month = 1] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
}
