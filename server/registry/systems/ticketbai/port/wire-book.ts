/** The wire of Bizkaia behind the port: files of one operation and year in a message of the book, and queries. */
import type { BusinessDate } from '../../../../domain/dates.ts'
import type {
  HeldRecord,
  KeyAnswer,
  PageAnswer,
  Question,
  QueuedFacts,
  Reading,
  RegistryWire,
  SentMessage,
  Taxpayer,
} from '../../../system.ts'
import { sealedFileOf } from '../client/sealed-file.ts'
import { printedNumber, splitNumber } from '../content.ts'
import { CHAPTERS } from '../lroe/chapters.ts'
import { issuedContent, lroeRequest, yearOf } from '../lroe/message.ts'
import type { LroeFile, LroeMessage, LroeTaxpayer } from '../lroe/message.ts'
import { queryRequest, readQuery } from '../lroe/query.ts'
import type { LroeFilter, QueriedRecord } from '../lroe/query.ts'
import { readLroeExchange } from '../lroe/reply.ts'
import type { RecordKey, WireRequest } from '../wire/outcome.ts'
import { sameKey } from '../wire/outcome.ts'
import { SERVICES } from '../wire/services.ts'
import type { ServiceAddresses } from '../wire/services.ts'
import { restoreAnswer, storeAnswer } from '../wire/stored-answer.ts'
import { readingOf } from './readings.ts'
import { bytesOf, NOT_STORED } from './wire-files.ts'

/** A message may have 1,000 files; each is verified before it leaves, and other work waits meanwhile. */
const FILES = 50

const STATES: Readonly<Record<QueriedRecord['state'], HeldRecord['state']>> = {
  correct: 'Correcto',
  with_errors: 'AceptadoConErrores',
  cancelled: 'Anulado',
}

/**
 * Returns the taxpayer of the book: 140 is that of persons. Of a person's name the first word is taken for the given name
 * unless a comma stands behind the surnames, since the company has one name only.
 */
function taxpayerOf({ nif, name, isPerson }: Taxpayer): LroeTaxpayer {
  if (isPerson !== true) return { model: '240', nif, name, person: null }
  const [before = '', behind] = name.split(',').map((part) => part.trim())
  const words = (behind === undefined ? name : before).split(/\s+/).filter((word) => word !== '')
  const firstName =
    behind ?? (words.length > 3 ? words.splice(0, words.length - 2).join(' ') : (words.shift() ?? ''))
  const [surname1 = '', ...others] = words
  return {
    model: '140',
    nif,
    name,
    person: { firstName, surname1, surname2: others.join(' ') || null },
  }
}

function fileOf(id: string, text: string, { isPerson, activityCode }: Taxpayer): LroeFile {
  return sealedFileOf(id, text, isPerson === true ? [{ activity: activityCode ?? '' }] : undefined)
}

function messageOf(issuer: Taxpayer, files: readonly LroeFile[]): LroeMessage & { operation: 'A00' | 'AN0' } {
  const [first] = files
  if (!first) throw new RangeError('A message has a record.')
  return {
    taxpayer: taxpayerOf(issuer),
    chapter: 'issued',
    operation: first.kind === 'cancellation' ? 'AN0' : 'A00',
    year: yearOf(first.key),
  }
}

const yearIn = (day: BusinessDate | null): string => day?.slice(0, 4) ?? ''

/** The records of one operation and year at the head of the queue. */
function fitting(records: readonly QueuedFacts[]): number {
  const [first] = records
  const end = records.findIndex(
    ({ kind, issueDate }) => kind !== first?.kind || yearIn(issueDate) !== yearIn(first.issueDate),
  )
  return Math.min(end < 0 ? records.length : end, FILES)
}

function read(kept: Uint8Array, { issuer, records }: SentMessage): Reading {
  const answered = restoreAnswer(kept)
  if (!answered || records.length === 0) return NOT_STORED
  const files = records.map(({ recordId, text }) => fileOf(recordId, text, issuer))
  const outcomes = readLroeExchange(messageOf(issuer, files), files, answered)
  const outcomesOfFiles = records.map((record, index) => ({
    record,
    file: files[index] ?? { kind: 'invoice' as const, identifier: null },
    outcome: outcomes[index]?.outcome ?? { kind: 'unknown' as const, detail: 'No outcome.' },
  }))
  return readingOf(outcomesOfFiles, true)
}

const isoDay = (written: string): BusinessDate => written.split('-').reverse().join('-')
const writtenDay = (day: BusinessDate): string => day.split('-').reverse().join('-')

function heldOf({ key, signature, state, code }: QueriedRecord): HeldRecord {
  const { issuerNif, series, number, issueDate } = key
  return {
    key: {
      issuerNif,
      number: printedNumber({ series: series === '' ? null : series, number }),
      issueDate: isoDay(issueDate),
    },
    recordRef: null,
    hash: null,
    link: signature,
    kind: null,
    taxTotal: null,
    total: null,
    generatedAt: null,
    state: STATES[state],
    code,
    message: null,
    modifiedAt: '',
    requestId: null,
    presentedAt: null,
    system: null,
    recipients: [],
    description: null,
  }
}

type Failed = Extract<KeyAnswer, { kind: 'fault' | 'unreadable' }>

/** Reads one page of a query from its stored answer. */
function pageIn(
  kept: Uint8Array,
  taxpayer: LroeTaxpayer,
  filter: LroeFilter,
  page: number,
): { kind: 'page'; records: QueriedRecord[]; more: boolean } | Failed {
  const answered = restoreAnswer(kept)
  if (!answered) return { kind: 'unreadable', detail: 'No stored answer.' }
  const result = readQuery(taxpayer, filter, page, answered)
  if (result.kind === 'page') return result
  const { outcome } = result
  return outcome.kind === 'unknown'
    ? { kind: 'unreadable', detail: outcome.detail }
    : { kind: 'fault', code: outcome.code, message: outcome.detail, stops: false }
}

function aboutKey(
  service: ServiceAddresses,
  taxpayer: LroeTaxpayer,
  key: RecordKey,
): Question<WireRequest, KeyAnswer> {
  const filter: LroeFilter = { key }
  return {
    message: queryRequest(service, taxpayer, filter, 1),
    read: (kept) => {
      const result = pageIn(kept, taxpayer, filter, 1)
      if (result.kind !== 'page') return result
      const held = result.records.find((record) => sameKey(record.key, key))
      if (held) return { kind: 'held', held: heldOf(held) }
      // "No series" cannot be asked for: the invoice may stand on a later page.
      return result.more ? { kind: 'unreadable', detail: 'There are more records.' } : { kind: 'nothing' }
    },
  }
}

function pageOf(
  service: ServiceAddresses,
  taxpayer: LroeTaxpayer,
  year: string,
  page: number,
): Question<WireRequest, PageAnswer> {
  const filter: LroeFilter = { from: `01-01-${year}`, to: `31-12-${year}` }
  return {
    message: queryRequest(service, taxpayer, filter, page),
    read: (kept) => {
      const result = pageIn(kept, taxpayer, filter, page)
      if (result.kind !== 'page') return result
      return { kind: 'page', items: result.records.map(heldOf), next: result.more ? page : null }
    },
  }
}

/** Reads what an answer to a question about a key holds; the taxpayer and the year stand in it. */
function heldIn(stored: string, number: string): HeldRecord | null {
  const [, nif = ''] = /<NIF>([^<]+)<\/NIF>/.exec(stored) ?? []
  const [, year = ''] = /<Ejercicio>(\d{4})<\/Ejercicio>/.exec(stored) ?? []
  for (const isPerson of [false, true]) {
    const taxpayer = taxpayerOf({ nif, name: '', isPerson })
    const result = pageIn(bytesOf(stored), taxpayer, { from: `01-01-${year}`, to: `31-12-${year}` }, 1)
    const held =
      result.kind === 'page' ? result.records.map(heldOf).find((one) => one.key.number === number) : null
    if (held) return held
  }
  return null
}

/** Creates the wire. Addresses are those of production: the connection moves them. */
export function bookWire(): RegistryWire<WireRequest> {
  const service = SERVICES.bizkaia.production
  return {
    maxRecords: FILES,
    canAsk: true,
    readsSent: true,
    takenCode: 'B4_2000003',
    fitting,
    submission: (issuer, texts) => {
      const files = texts.map((text, index) => fileOf(String(index), text, issuer))
      const message = messageOf(issuer, files)
      const facts = CHAPTERS[message.taxpayer.model].issued
      return lroeRequest(service, message, issuedContent(facts, message.operation, files))
    },
    kept: ({ status, body, headers = {} }) => storeAnswer({ kind: 'answered', status, body, headers }),
    read: (kept, sent) => read(bytesOf(kept), sent),
    questions: (issuer, { issuerNif, number, issueDate }) => {
      const { series, number: count } = splitNumber(number)
      const key = { issuerNif, series: series ?? '', number: count, issueDate: writtenDay(issueDate) }
      return [aboutKey(service, taxpayerOf(issuer), key)]
    },
    clockQuestion: () => null,
    periods: (first, last) => {
      const years: string[] = []
      for (let year = Number(first.slice(0, 4)); year <= Number(last.slice(0, 4)); year += 1)
        years.push(String(year))
      return years
    },
    page: (issuer, year, after) =>
      pageOf(service, taxpayerOf(issuer), year, typeof after === 'number' ? after + 1 : 1),
    heldIn,
  }
}
