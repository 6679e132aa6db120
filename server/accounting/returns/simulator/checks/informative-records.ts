/**
 * Checks the records of informative returns. The design decodes them; sums, persons and totals are read here by their
 * places in the record, apart from the program's own rules. Source: the tax agency's designs of records 347 (2025), 349
 * (2020), 190 (2025) and 180 (2023).
 */
import type { BusinessDate } from '../../../../domain/dates.ts'
import { AppError } from '../../../../domain/errors/app-error.ts'
import { VAT_NUMBER_FORMS } from '../../../../domain/tax/vat-numbers.ts'
import { decodeFile } from '../../files/file.ts'
import { finding, textOf } from '../findings.ts'
import type { Finding } from '../findings.ts'
import type { RecordNote } from '../state.ts'
import { isNifAsWritten } from './page-file.ts'
import type { Claim } from './page-file.ts'
import { isInformative, lastDayOf } from './periods.ts'

export const RECORD_LENGTH = 500

/** What record 1 says. */
export interface Head {
  name: string
  number: string
  nature: 'first' | 'complementary' | 'substitutive'
  /** Number of the earlier declaration; empty for a first one. */
  previousNumber: string
}

/** Returns the text between two places, from 1, without the blanks that fill it. */
const part = (record: string, from: number, to: number): string => record.slice(from - 1, to).trim()
const digits = (record: string, from: number, to: number): number => Number(record.slice(from - 1, to))
/** Returns an amount in cents whose sign stands before it. */
const signed = (record: string, sign: number, from: number, to: number): number =>
  (record.charAt(sign - 1) === 'N' ? -1 : 1) * digits(record, from, to)

/** Counts and sums of record 1. */
const TOTALS: Readonly<Record<string, (head: string) => number[]>> = {
  '347': (head) => [
    digits(head, 136, 144),
    signed(head, 145, 146, 160),
    digits(head, 161, 169),
    signed(head, 170, 171, 185),
  ],
  '349': (head) => [
    digits(head, 138, 146),
    digits(head, 147, 161),
    digits(head, 162, 170),
    digits(head, 171, 185),
  ],
  '190': (head) => [digits(head, 136, 144), signed(head, 145, 146, 160), digits(head, 161, 175)],
  '180': (head) => [digits(head, 136, 144), signed(head, 145, 146, 160), digits(head, 161, 175)],
}

/** Returns the totals that record 1 states. */
export function totalsOf(head: string): number[] {
  return TOTALS[head.slice(1, 4)]?.(head) ?? []
}

/** What one record 2 adds to the totals. */
const ADDS: Readonly<Record<string, (record: string) => number[]>> = {
  '347': (record) =>
    record.charAt(75) === 'I'
      ? [0, 0, 1, signed(record, 99, 100, 114)]
      : [1, signed(record, 83, 84, 98), 0, 0],
  '349': (record) =>
    isRectification(record) ? [0, 0, 1, digits(record, 153, 165)] : [1, digits(record, 134, 146), 0, 0],
  '190': (record) => [
    1,
    signed(record, 81, 82, 94) +
      signed(record, 108, 109, 121) +
      signed(record, 255, 256, 268) +
      signed(record, 282, 283, 295),
    digits(record, 95, 107) + digits(record, 122, 134) + digits(record, 269, 281) + digits(record, 296, 308),
  ],
  '180': (record) => [1, signed(record, 79, 80, 92), digits(record, 97, 109)],
}

/** A rectification of the 349 names the period that it corrects. */
const isRectification = (record: string): boolean => part(record, 147, 152) !== ''

/** Numbers unknown to the census: one by default, as in the simulator of the registry. */
const UNKNOWN = ['99999999R']

/** Returns what is wrong with record 1, or what it says. */
export async function checkHead(
  record: string,
  claim: Claim & { nif: string },
  today: BusinessDate,
): Promise<{ findings: Finding[]; head: Head | null }> {
  const refusedFor = (...findings: Finding[]) => ({ findings, head: null })
  const { model } = claim
  if (!isInformative(model)) return refusedFor(finding('S0007', model))
  const layout = await layoutFault([record])
  if (layout !== null) return refusedFor(finding('EMALREG', layout))
  const period = model === '349' ? part(record, 136, 137) : '0A'
  const found = [
    ['MODELO', claim.model, record.slice(1, 4)],
    ['EJERCICIO', claim.year, record.slice(4, 8)],
    ['PERIODO', claim.period, period],
    ['NDC', claim.nif, part(record, 9, 17)],
  ].flatMap(([name = '', said, own]) => (said === own ? [] : [finding('S0008', name)]))
  if (record.charAt(0) !== '1') found.push(finding('EMALREG', '1'))
  const lastDay = lastDayOf(model, Number(claim.year), claim.period)
  if (lastDay === null) found.push(finding('S0013', claim.period))
  else if (lastDay >= today) found.push(finding('S0012', lastDay))
  const nif = part(record, 9, 17)
  if (!isNifAsWritten(nif)) found.push(finding('S0101', nif))
  const name = part(record, 18, 57)
  if (!/^[0-9A-ZÑÇ]+(?: [0-9A-ZÑÇ]+)*$/.test(name)) found.push(finding('S0103', name))
  const [isAdded, isReplaced] = [record.charAt(120) === 'C', record.charAt(121) === 'S']
  if (isAdded && isReplaced) found.push(finding('S0618'))
  const number = record.slice(107, 120)
  if (!number.startsWith(model)) found.push(finding('S0617', number))
  const previous = record.slice(122, 135)
  const isFirst = !isAdded && !isReplaced
  if (isFirst !== /^0*$/.test(previous)) found.push(finding('S0614', previous))
  const nature = isAdded ? 'complementary' : isReplaced ? 'substitutive' : 'first'
  const head: Head = { name, number, nature, previousNumber: isFirst ? '' : previous }
  return found.length > 0 ? refusedFor(...found) : { findings: [], head }
}

interface CheckedRecords {
  accepted: string[]
  refused: RecordNote[]
  warnings: RecordNote[]
  /** Counts and sums of all records, refused ones included: record 1 states what was sent. */
  sums: number[]
  /** False if a record does not follow its design, so that what it adds is not known. */
  isReadable: boolean
}

/** Checks records 2, each by itself: a wrong one does not stop the others. `firstLine` is the line of the first. */
export async function checkRecords(
  head: string,
  records: readonly string[],
  firstLine: number,
): Promise<CheckedRecords> {
  const model = head.slice(1, 4)
  const unreadable = await unreadableIn(head, records)
  const checked: CheckedRecords = {
    accepted: [],
    refused: [],
    warnings: [],
    sums: totalsOf(head).map(() => 0),
    isReadable: true,
  }
  for (const [at, record] of records.entries()) {
    const fault = unreadable.get(at)
    const findings = fault === undefined ? recordFindings(model, head, record) : [fault]
    const note = { record, line: firstLine + at }
    if (findings.length > 0) checked.refused.push({ ...note, notes: findings.map(textOf) })
    else checked.accepted.push(record)
    const warnings = findings.length > 0 ? [] : warningsOf(model, record)
    if (warnings.length > 0) checked.warnings.push({ ...note, notes: warnings.map(textOf) })
    if (fault?.code === 'EMALREG') checked.isReadable = false
    else {
      const adds = ADDS[model]?.(record) ?? []
      checked.sums = checked.sums.map((sum, column) => sum + (adds[column] ?? 0))
    }
  }
  return checked
}

/** Returns the field at which records do not follow their design; null if they do. */
async function layoutFault(records: readonly string[]): Promise<string | null> {
  if (records.some((record) => record.length !== RECORD_LENGTH || /[\r\n]/.test(record))) return '500'
  try {
    await decodeFile(Buffer.from(records.map((record) => `${record}\r\n`).join(''), 'latin1'))
    return null
  } catch (error) {
    return error instanceof AppError ? (error.field ?? '').replace(/^records\[\d+\]\.?/, '') : ''
  }
}

/**
 * Returns the findings of records that do not follow their design, by their place. Halves what cannot be read until the
 * records are found, because a block has up to 40,000 and is read whole or not at all.
 */
async function unreadableIn(head: string, records: readonly string[]): Promise<Map<number, Finding>> {
  const found = new Map<number, Finding>()
  const ranges: [from: number, to: number][] = [[0, records.length]]
  for (let range = ranges.pop(); range; range = ranges.pop()) {
    const [from, to] = range
    if (to <= from) continue
    const field = await layoutFault([head, ...records.slice(from, to)])
    if (field === null) continue
    const middle = (from + to) >> 1
    if (to - from > 1) ranges.push([from, middle], [middle, to])
    else found.set(from, finding(field === 'subsidyCall' ? 'E010330' : 'EMALREG', field))
  }
  for (const [at, record] of records.entries())
    if (record.charAt(0) !== '2' && !found.has(at)) found.set(at, finding('EMALREG', '1'))
  return found
}

function recordFindings(model: string, head: string, record: string): Finding[] {
  const found: Finding[] = []
  if (record.slice(4, 17) !== head.slice(4, 17)) found.push(finding('S0603'))
  if (model === '349') return [...found, ...vatNumberFindings(part(record, 76, 77), part(record, 78, 92))]
  if (part(record, 36, 75) === '') found.push(finding('S0103'))
  const [own, guardian] = [part(record, 18, 26), part(record, 27, 35)]
  const isPerson = model === '347' && record.charAt(75) === 'D'
  const eu = isPerson ? part(record, 264, 280) : ''
  const isAbroad = isPerson && part(record, 77, 78) === '99'
  const nif = own === '' ? guardian : own
  if (nif !== '' && eu !== '') found.push(finding('S0605'))
  if (nif === '' && eu === '' && !isAbroad) found.push(finding('S0605'))
  if (nif !== '' && !isNifAsWritten(nif)) found.push(finding('S0604', nif))
  if (UNKNOWN.includes(nif)) found.push(finding('IDT10516', nif))
  if (eu !== '') found.push(...vatNumberFindings(part(record, 264, 265), part(record, 266, 280)))
  if (isPerson && !quartersAgree(record)) found.push(finding('S0606'))
  return found
}

/** The quarters are zero for cash accounting and communities of owners; the yearly amount stays. */
function quartersAgree(record: string): boolean {
  const quarters = [136, 168, 200, 232].map((sign) => signed(record, sign, sign + 1, sign + 15))
  const sum = quarters.reduce((total, each) => total + each, 0)
  return quarters.every((each) => each === 0) || sum === signed(record, 83, 84, 98)
}

function vatNumberFindings(prefix: string, number: string): Finding[] {
  const state = VAT_NUMBER_FORMS.find((each) => each.prefix === prefix)
  return state && prefix !== 'ES' && state.form.test(number) ? [] : [finding('S0616', prefix + number)]
}

/** The code was seen in a real answer; under which conditions it comes is not known: here for wages without such costs. */
function warningsOf(model: string, record: string): Finding[] {
  const isWage = model === '190' && record.charAt(77) === 'A' && digits(record, 82, 94) > 0
  return isWage && digits(record, 184, 196) === 0 ? [finding('22602C')] : []
}
