/**
 * Reads the book of received invoices: a row for each tax line of a document, and rows of payments under cash
 * accounting. The inverse of `receivedRows` in `accounting/returns/books/rows.ts`. The book does not say whether an
 * acquisition in the Union was of goods or services, nor what tax was withheld for: these are asked.
 */
import type { BusinessDate } from '../../../../domain/dates.ts'
import type {
  HistoryParty,
  HistoryTax,
  HistoryWithholding,
  ReceivedHistory,
} from '../../../../domain/history.ts'
import { basisPointsToText, percentOf } from '../../../../domain/money.ts'
import { normalizeNif } from '../../../../domain/tax/nif.ts'
import type { FileRow } from '../../../../platform/spreadsheets/cells.ts'
import { readDay, textOf } from '../../../../platform/spreadsheets/values.ts'
import {
  areaOf,
  checkNumber,
  checkRate,
  partyKey,
  readParty,
  readPastDay,
  sourceOf,
  withholdingOf,
} from '../document.ts'
import type { Grouping, Part } from '../plan.ts'
import { RowCells } from '../read-row.ts'
import type { TableReading } from '../read-row.ts'
import { shown } from '../report.ts'
import type { Report } from '../report.ts'
import type { HistoryJob } from '../types.ts'
import { bookRowSkip, readPayment } from './rows.ts'

const KINDS: Record<string, ReceivedHistory['kind']> = {
  F1: 'invoice',
  F2: 'simplified',
  F3: 'invoice',
  F4: 'simplified',
  F5: 'customs',
  F6: 'reagyp',
  LC: 'customs',
  SF: 'receipt',
  R1: 'rectifying',
  R2: 'rectifying',
  R3: 'rectifying',
  R4: 'rectifying',
  R5: 'rectifying',
}
const NEED_NIF: readonly string[] = ['F1', 'F3', 'F6', 'R1', 'R2', 'R3', 'R4']
const KEYS = /^(0[1-9]|1[0-9])$/
const FARMER_KEY = '02'
const UNION_KEY = '09'
const UNCHECKED_TOTALS: readonly string[] = ['03', '05']
const CONCEPT = /^(G\d{2}|GY\d)$/
const RENT_KEY = '12'
const RENT_CONCEPT = 'G12'
/** Concepts of goods: stocks and other consumption. */
const GOODS_CONCEPTS: readonly string[] = ['G01', 'G03']

interface ReceivedRun {
  identity: string
}

/** Groups the rows by reception, supplier and number. */
export function groupReceived(columns: Readonly<Record<string, number>>): Grouping<ReceivedRun> {
  const cell = ({ cells }: FileRow, field: string): string => {
    const column = columns[field]
    return column === undefined ? '' : textOf(cells[column] ?? null)
  }
  return {
    identify: (row) => {
      const skip = bookRowSkip(row, columns)
      if (skip) return skip
      const date = cell(row, 'issueDate')
      const received = readDay(cell(row, 'receptionDate'), 'dmy') ?? ''
      const party = normalizeNif(cell(row, 'nif')) || cell(row, 'name').toUpperCase()
      const identity = `${party}|${cell(row, 'number')}|${date}`
      return { key: `${received.slice(0, 4)}|${cell(row, 'reception')}|${identity}`, info: { identity } }
    },
  }
}

const isYes = (text: string): boolean => /^(s|si|sí|x|1|true)$/i.test(text)

interface Setting {
  kind: ReceivedHistory['kind']
  bookKind: string
  day: BusinessDate
  party: HistoryParty
  /** The file has data of income tax: an empty expense is none. */
  hasExpenses: boolean
  job: HistoryJob
  report: Report
}

/** Returns the nature of an operation whose VAT the buyer declares, asking where the book does not say it. */
function selfAssessedNature(
  row: RowCells,
  isUnion: boolean,
  { party, job, report, day }: Setting,
  baseCents: number,
): HistoryTax['nature'] {
  const source = sourceOf(job, [row.row])
  if (isUnion) {
    const concept = row.text('concept').toUpperCase()
    const isGoods = isYes(row.text('investment')) || GOODS_CONCEPTS.includes(concept)
    return report.ask(
      {
        code: 'question_eu_nature',
        about: partyKey(party),
        name: party.name,
        guess: isGoods ? 'eu_goods' : 'eu_services',
        depends: ['303', '349', '390'],
      },
      source,
      baseCents,
    )
  }
  if (areaOf(party, day) === 'spain') return 'reverse_charge'
  return report.ask(
    {
      code: 'question_reverse_nature',
      about: partyKey(party),
      name: party.name,
      guess: 'foreign_services',
      depends: ['303', '349', '390'],
    },
    source,
    baseCents,
  )
}

function natureOf(
  row: RowCells,
  regimeKey: string,
  setting: Setting,
  baseCents: number,
): HistoryTax['nature'] {
  if (setting.kind === 'customs') return 'import'
  const isReverse = isYes(row.text('reverseCharge'))
  if (regimeKey === UNION_KEY || isReverse)
    return selfAssessedNature(row, regimeKey === UNION_KEY, setting, baseCents)
  return setting.kind === 'reagyp' || regimeKey === FARMER_KEY ? 'reagyp' : 'domestic'
}

const SELF_ASSESSED: readonly (string | null)[] = [
  'reverse_charge',
  'eu_goods',
  'eu_services',
  'foreign_services',
]

function taxOf(row: RowCells, setting: Setting): HistoryTax | null {
  const { kind, bookKind, day } = setting
  const baseCents = row.cents('base')
  if (baseCents === null) {
    if (!row.failed) row.fault('history_amount_missing', 'base')
    return null
  }
  const rateBp = row.rate('rate')
  const statedTax = row.cents('tax')
  const surchargeCents = row.cents('surcharge') ?? 0
  const surchargeRateBp = row.rate('surchargeRate', 0.1)
  const regimeKey = row.has('regimeKey') ? row.text('regimeKey').padStart(2, '0').slice(-2) : '01'
  if (!KEYS.test(regimeKey)) row.fault('history_key_unknown', 'regimeKey', { text: row.text('regimeKey') })
  const isTaxed = rateBp !== null && kind !== 'receipt'
  const nature = natureOf(row, regimeKey, setting, baseCents)
  const isSelfAssessed = isTaxed && SELF_ASSESSED.includes(nature)
  const taxCents = isTaxed ? (statedTax ?? percentOf(baseCents, rateBp)) : 0
  if (isTaxed) {
    // The compensation of farmers has rates of its own; customs may collect several taxes in one amount.
    if (nature !== 'reagyp' && nature !== 'import' && rateBp !== 0)
      checkRate(row, 'rate', { rateBp, day, kind: bookKind, isNegative: baseCents < 0 })
    const expected = percentOf(baseCents, rateBp)
    if (rateBp !== 0 && nature !== 'import' && Math.abs(taxCents - expected) > 1)
      row.fault('history_tax_differs', 'tax', { given: shown(taxCents), expected: shown(expected) })
  }
  const total = row.cents('total')
  const sum = baseCents + (isSelfAssessed ? 0 : taxCents + surchargeCents)
  if (total !== null && total !== sum && kind !== 'rectifying' && !UNCHECKED_TOTALS.includes(regimeKey))
    row.fault('history_total_differs', 'total', {
      total: shown(total),
      sum: shown(sum),
      difference: shown(total - sum),
    })
  const concept = row.text('concept').toUpperCase()
  if (concept !== '' && !CONCEPT.test(concept))
    row.fault('history_concept_unknown', 'concept', { text: concept })
  const expense = row.cents('expense')
  return {
    taxTreatment: isSelfAssessed ? 'S2' : isTaxed ? 'S1' : kind === 'receipt' ? 'N1' : 'E1',
    regimeKey,
    vatRateBp: isTaxed ? rateBp : null,
    baseCents,
    taxCents,
    surchargeRateBp: isTaxed ? surchargeRateBp : null,
    surchargeCents: isTaxed ? surchargeCents : 0,
    deductibleCents: isTaxed ? (row.cents('deductible') ?? 0) : 0,
    selfAssessed: isSelfAssessed,
    investment: isYes(row.text('investment')),
    nature,
    concept: CONCEPT.test(concept) ? concept : null,
    account: null,
    // An investment good and an import have no expense of their own.
    incomeCents: expense ?? (setting.hasExpenses ? 0 : null),
  }
}

/** Returns what income tax was withheld for: the book does not say it. */
function reasonOf(
  row: RowCells,
  { rateBp, baseCents }: Omit<HistoryWithholding, 'reason'>,
  { party, job, report }: Setting,
): NonNullable<HistoryWithholding['reason']> {
  const isRent =
    row.text('concept').toUpperCase() === RENT_CONCEPT ||
    row.text('regimeKey').padStart(2, '0') === RENT_KEY ||
    row.has('propertySituation')
  return report.ask(
    {
      code: 'question_withholding_reason',
      about: `${partyKey(party)} ${basisPointsToText(rateBp)} %`,
      name: party.name,
      guess: isRent
        ? 'rent'
        : rateBp === 1500 || rateBp === 700
          ? 'professional'
          : rateBp === 1900
            ? 'rent'
            : 'other',
      depends: ['111', '115', '180', '190'],
    },
    sourceOf(job, [row.row]),
    baseCents,
  )
}

/** What may have been withheld on the invoices of a supplier; of rents since 12 July 2015 (RIRPF arts. 95, 100). */
const WITHHELD = {
  professional_15: { rateBp: 1500, reason: 'professional' },
  professional_7: { rateBp: 700, reason: 'professional' },
  rent_19: { rateBp: 1900, reason: 'rent' },
} as const

/** Asks what was withheld on a document, of which a book of VAT alone says nothing: without an answer nothing was. */
function askWithholding(
  row: RowCells,
  taxes: readonly HistoryTax[],
  { kind, party, day, hasExpenses, job, report }: Setting,
): HistoryWithholding | null {
  const isAsked =
    !hasExpenses &&
    (kind === 'invoice' || kind === 'rectifying') &&
    party.nif !== null &&
    areaOf(party, day) === 'spain' &&
    taxes.some(({ nature }) => nature === 'domestic')
  if (!isAsked) return null
  const baseCents = taxes.reduce((sum, tax) => sum + tax.baseCents, 0)
  const answer = report.ask(
    {
      code: 'question_withheld',
      about: partyKey(party),
      name: party.name,
      guess: 'none',
      depends: ['111', '115', '180', '190', '347'],
    },
    sourceOf(job, [row.row]),
    baseCents,
  )
  if (answer === 'none') return null
  const { rateBp, reason } = WITHHELD[answer]
  return { rateBp, reason, baseCents, amountCents: percentOf(baseCents, rateBp) }
}

/** Returns the first day of a period of the books: `3T` of 2026 is 2026-07-01, `05` is 2026-05-01. */
function periodStart(year: string, period: string): BusinessDate | null {
  const quarter = /^([1-4])T$/i.exec(period)
  const month = quarter
    ? Number(quarter[1]) * 3 - 2
    : /^(0?[1-9]|1[0-2])$/.test(period)
      ? Number(period)
      : null
  if (!/^\d{4}$/.test(year) || month === null) return null
  return `${year}-${String(month).padStart(2, '0')}-01`
}

/** Reads one document from its rows; null after an error. */
export function readReceived(
  parts: readonly Part<ReceivedRun>[],
  job: HistoryJob,
  reading: TableReading,
  hasExpenses: boolean,
): ReceivedHistory | null {
  const rows = parts.flatMap((part) => part.rows.map((row) => new RowCells(row, reading)))
  const paymentRows = rows.filter((row) => row.has('paid') && !row.has('base'))
  const taxRows = rows.filter((row) => !paymentRows.includes(row))
  const [first] = taxRows
  if (!first) {
    for (const row of paymentRows) row.fault('history_row_alone', 'paid')
    return null
  }
  const source = sourceOf(
    job,
    rows.map(({ row }) => row).sort((a, b) => a - b),
  )
  const bookKind = first.text('kind').toUpperCase()
  const kind = bookKind === '' && !first.isMapped('kind') ? 'invoice' : KINDS[bookKind]
  if (kind === undefined) first.fault('history_kind_unknown', 'kind', { text: bookKind })
  const issueDate = readPastDay(first, 'issueDate', job.today)
  const operationDate = first.day('operationDate')
  const receptionDate = readPastDay(first, 'receptionDate', job.today) ?? issueDate
  if (issueDate === null && !first.failed) first.fault('history_date_missing', 'issueDate')
  const number = first.text('number')
  checkNumber(first, number, 'number')
  if (kind === undefined || issueDate === null || receptionDate === null) return null
  const stated = readParty(first, {
    needsNif: NEED_NIF.includes(bookKind),
    canBeAnonymous: false,
  })
  // A customs document carries the own number, not that of the supplier, who is abroad.
  const isOwn =
    kind === 'customs' && stated.nif !== null && normalizeNif(stated.nif) === normalizeNif(job.ownNif)
  const party: HistoryParty = isOwn ? { ...stated, nif: null, idType: null } : stated
  const setting: Setting = {
    kind,
    bookKind,
    day: operationDate ?? issueDate,
    party,
    hasExpenses,
    job,
    report: reading.report,
  }
  const taxes = taxRows.flatMap((row) => taxOf(row, setting) ?? [])
  const payments = paymentRows.flatMap((row) => readPayment(row, job.today) ?? [])
  const withheld = taxRows.flatMap((row) => row.cents('withholding') ?? [])
  const rateRow = taxRows.find((row) => row.has('withholdingRate'))
  const withholding = withholdingOf(
    taxes,
    withheld.length === 0 ? null : withheld.reduce((sum, cents) => sum + cents, 0),
    rateRow?.rate('withholdingRate') ?? null,
  )
  const deductionDate = periodStart(first.text('deductionYear'), first.text('deductionPeriod'))
  if (rows.some(({ failed }) => failed)) return null
  const situation = first.text('propertySituation')
  return {
    side: 'received',
    kind,
    source,
    number,
    lastNumber: first.text('lastNumber') || null,
    issueDate,
    operationDate: operationDate === issueDate ? null : operationDate,
    receptionDate,
    reception: first.text('reception') || null,
    deductionDate: deductionDate !== null && deductionDate > receptionDate ? deductionDate : null,
    party,
    taxes,
    withholding:
      withholding === null
        ? askWithholding(first, taxes, setting)
        : { ...withholding, reason: reasonOf(first, withholding, setting) },
    totalCents: taxes.reduce(
      (sum, tax) => sum + tax.baseCents + (tax.selfAssessed ? 0 : tax.taxCents + tax.surchargeCents),
      0,
    ),
    payments,
    property: situation === '' ? null : { situation, cadastralRef: first.text('cadastralRef') || null },
    externalRef: first.text('externalRef') || null,
    dueDate: null,
    openCents: null,
    description: null,
  }
}
