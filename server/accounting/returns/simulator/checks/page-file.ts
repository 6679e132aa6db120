/**
 * Checks the file of a page model. The design decodes it; everything that the design does not say is checked here, apart
 * from the program's own rules, so that both cannot be wrong in the same way.
 */
import type { BusinessDate } from '../../../../domain/dates.ts'
import { AppError } from '../../../../domain/errors/app-error.ts'
import { isNif } from '../../../../domain/tax/nif.ts'
import { decodeFile } from '../../files/file.ts'
import type { FileRecord, ReturnFile } from '../../files/file.ts'
import type { RecordValues } from '../../files/record.ts'
import { finding } from '../findings.ts'
import type { Finding, FindingCode } from '../findings.ts'
import type { ReturnKey } from '../state.ts'
import { paidBeforeOf, resultOf, sumFindings } from './boxes.ts'
import type { Boxes } from './boxes.ts'
import { markFindings } from './marks-303.ts'
import { isPageModel, lastDayOf } from './periods.ts'
import { settlementFindings } from './settlement.ts'

/** What the message says that the file is. */
export interface Claim {
  model: string
  year: string
  period: string
}

/** A return whose file is right. */
export interface PageReturn extends ReturnKey {
  name: string
  kind: string
  resultCents: number
  nature: 'first' | 'complementary' | 'rectifying' | 'substitutive'
  previousReceipt: string
  /** What a complementary return says was paid before, in cents; null if its design has no such box. */
  paidBeforeCents: number | null
}

type Checked = { findings: Finding[]; checked: null } | { findings: []; checked: PageReturn }

/** Rates of the 303 whose error codes are known, by box. */
const RATE_CODES: Readonly<Record<string, FindingCode>> = {
  '154': 'E010321',
  '17': 'E010501',
  '166': 'E010811',
  '169': 'E010841',
}
const OTHER_RATES = ['02', '05', '08', '151', '157', '20', '23']

/** The order of pages, as a pattern over their names with a comma after each. */
const PAGES: Readonly<Record<string, RegExp>> = {
  '111': /^01000,$/,
  '115': /^(?:01000,)+$/,
  '123': /^01000,$/,
  '130': /^01000,$/,
  '131': /^01000,(?:DPA00,)*(?:DID00,)?$/,
  '303': /^01000,(?:02000,){0,3}03000,(?:04000,)?(?:05000,)?(?:DID00,)?$/,
  '390': /^01000,(?:0[2-8]000,|02B00,)*$/,
}

/** Returns what is wrong with a file, or what it declares. `today` is the day in Spain. */
export async function checkPageFile(text: string, claim: Claim, today: BusinessDate): Promise<Checked> {
  if (/[\r\n\t]/.test(text)) return refusedFor(finding('ECRLF'))
  if (/[^\u0000-\u00FF]/.test(text)) return refusedFor(finding('S0006'))
  if (!isPageModel(claim.model)) return refusedFor(finding('S0007', claim.model))
  let file: ReturnFile
  try {
    file = await decodeFile(Buffer.from(text, 'latin1'))
  } catch (error) {
    return refusedFor(...layoutFindings(claim.model, error))
  }
  const strangers = [
    ['MODELO', claim.model, file.model],
    ['EJERCICIO', claim.year, String(file.year)],
    ['PERIODO', claim.period, file.period],
  ].flatMap(([name = '', said, own]) => (said === own ? [] : [finding('S0008', name)]))
  if (strangers.length > 0) return refusedFor(...strangers)
  const lastDay = lastDayOf(file.model, file.year, file.period)
  if (lastDay === null) return refusedFor(finding('S0013', file.period))
  const names = file.records.map(({ record }) => record)
  if (!PAGES[file.model]?.test(names.map((name) => `${name},`).join('')))
    return refusedFor(finding('S0104', names.join(' ')))
  const { findings, read } = readForm(file)
  if (lastDay >= today) findings.push(finding('S0012', lastDay))
  return findings.length > 0 ? { findings, checked: null } : { findings: [], checked: read }
}

function refusedFor(...findings: Finding[]): Checked {
  return { findings, checked: null }
}

/** Names what does not follow the design: with a code of its own where one is known. */
function layoutFindings(model: string, error: unknown): Finding[] {
  const faults = error instanceof AppError ? (error.details?.['faults'] ?? []) : []
  const fields = (Array.isArray(faults) ? faults : []).map(({ field }: { field?: unknown }) => String(field))
  const found = fields.flatMap((field): Finding[] => {
    const key = field.replace(/^records\[\d+\]\./, '')
    if (model === '303' && Object.hasOwn(RATE_CODES, key))
      return [finding('30515', key), finding(RATE_CODES[key] ?? 'S0201')]
    if (model === '303' && OTHER_RATES.includes(key)) return [finding('30515', key), finding('S0201', key)]
    return [finding('EMALREG', field)]
  })
  return found.length > 0 ? found : [finding('EMALREG')]
}

const text = (values: RecordValues | undefined, key: string): string => String(values?.[key] ?? '')

function valuesOf(records: readonly FileRecord[], name: string): RecordValues | undefined {
  return records.find(({ record }) => record === name)?.values
}

function readForm(file: ReturnFile): { findings: Finding[]; read: PageReturn } {
  const { model, year, period, records } = file
  const first = valuesOf(records, '01000') ?? {}
  const boxes: Boxes = (box) => {
    const holder = records.find(({ values }) => typeof values[box] === 'number')
    return Number(holder?.values[box] ?? 0)
  }
  const found: Finding[] = []
  if (file.software.nif !== '' && !isNifAsWritten(file.software.nif)) found.push(finding('E000060'))
  const nif = text(first, 'nif')
  if (!isNifAsWritten(nif)) found.push(finding('S0101', nif))
  for (const { record, values } of records) {
    if (values['year'] !== undefined && values['year'] !== year) found.push(finding('S0008', record))
    // The 390 names the period in its envelope only.
    if (values['period'] !== undefined && values['period'] !== period) found.push(finding('S0008', record))
    if (values['nif'] !== undefined && values['nif'] !== nif) found.push(finding('S0008', `${record} NIF`))
  }
  if (first['year'] === undefined) found.push(finding('S0008', 'EJERCICIO'))
  if (model !== '390' && first['period'] === undefined) found.push(finding('S0008', 'PERIODO'))
  const names = [text(first, 'name') || text(first, 'surnames'), text(first, 'firstName')]
  found.push(...nameFindings(model, names))
  found.push(...sumFindings(model, boxes))
  if (model === '131') found.push(...activityFindings(first, records))
  const closing = model === '303' ? (valuesOf(records, '03000') ?? {}) : first
  if (model === '303')
    found.push(
      ...markFindings({ period, first, last: closing, pages: records.map(({ record }) => record), boxes }),
    )
  const resultCents = resultOf(model, boxes)
  const kind = text(first, 'kind')
  found.push(
    ...settlementFindings({
      model,
      kind,
      // A rectifying 303 may give back what was paid in excess, apart from its kind.
      dueCents: model === '303' ? resultCents + boxes('111') : resultCents,
      excessCents: model === '303' ? boxes('111') : 0,
      cancelsDebit: text(closing, 'cancelsDebit') === 'X',
      iban: text(valuesOf(records, 'DID00') ?? first, 'iban'),
      bank: model === '303' ? bankOf(valuesOf(records, 'DID00')) : null,
    }),
  )
  const nature = natureOf(model, first, closing)
  const previousReceipt = text(closing, 'previousReceipt')
  const paidBeforeCents = paidBeforeOf(model, boxes)
  if (model !== '303' && (nature === 'first') !== (previousReceipt === ''))
    found.push(finding('S0301', 'previousReceipt'))
  if (nature === 'first' && paidBeforeCents !== null && paidBeforeCents !== 0)
    found.push(finding('S0304', String(paidBeforeCents)))
  const name = names.filter((each) => each !== '').join(' ')
  return {
    findings: found,
    read: { nif, model, year, period, name, kind, resultCents, nature, previousReceipt, paidBeforeCents },
  }
}

/** Each activity of a 131 has its heading on the first page and a page of its own, all but the first as additional ones. */
function activityFindings(first: RecordValues, records: readonly FileRecord[]): Finding[] {
  const headings = [1, 2, 3, 4, 5].map((n) => text(first, `iae${n}`)).filter((each) => each !== '')
  const pages = records.filter(({ record }) => record === 'DPA00').map(({ values }) => values)
  const found = pages.map((values) => text(values, 'iae'))
  const isMarked = pages.every((values, at) => text(values, 'additionalPage') === (at === 0 ? '' : 'C'))
  const isWhole = found.length === headings.length && found.every((each, at) => each === headings[at])
  return isWhole && isMarked ? [] : [finding('S0104', `DPA00 ${found.join(' ')}`)]
}

/** Returns true for a valid number that is written as a file has it: nine characters, capitals. */
export function isNifAsWritten(nif: string): boolean {
  return /^[0-9A-Z]{9}$/.test(nif) && isNif(nif)
}

/** The designs admit capitals, digits and single blanks. */
function nameFindings(model: string, names: readonly string[]): Finding[] {
  return names.flatMap((name, at) => {
    if (name === '') return at === 0 ? [finding('S0103')] : []
    if (model === '303' && /\S {2,}\S/.test(name)) return [finding('E0100803', name)]
    return /^[0-9A-ZÑÇ]+(?: [0-9A-ZÑÇ]+)*$/.test(name) ? [] : [finding('S0103', name)]
  })
}

function bankOf(page: RecordValues | undefined) {
  return {
    bic: text(page, 'bic'),
    sepa: Number(page?.['sepa'] ?? 0),
    name: text(page, 'bankName'),
    address: text(page, 'bankAddress'),
    city: text(page, 'bankCity'),
    country: text(page, 'bankCountry'),
  }
}

function natureOf(model: string, first: RecordValues, closing: RecordValues): PageReturn['nature'] {
  if (model === '303') return text(closing, 'rectifying') === 'X' ? 'rectifying' : 'first'
  if (model === '390')
    return Number(first['replaces'] ?? 0) === 1
      ? 'substitutive'
      : Number(first['rectifies'] ?? 0) === 1
        ? 'rectifying'
        : 'first'
  return text(first, 'complementary') === 'X' ? 'complementary' : 'first'
}
