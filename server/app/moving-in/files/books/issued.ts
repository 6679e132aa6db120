/**
 * Reads the book of issued invoices: a row for each tax of a document, rows of payments under cash accounting, and
 * before a rectifying invoice by substitution, or one in place of tickets, the documents that it takes back. The
 * inverse of `issuedRows` in `accounting/returns/books/rows.ts`.
 */
import { MARGIN_REGIMES, ONE_STOP_SHOP, TAX_TREATMENTS, usualRegime } from '../../../../domain/tax/totals.ts'
import type { TaxTreatment } from '../../../../domain/tax/totals.ts'
import { percentOf } from '../../../../domain/money.ts'
import type { Cents } from '../../../../domain/money.ts'
import type { BusinessDate } from '../../../../domain/dates.ts'
import type {
  HistoryParty,
  HistoryPayment,
  HistoryReplaced,
  HistoryTax,
  IssuedHistory,
} from '../../../../domain/history.ts'
import { isBlank } from '../../../../platform/spreadsheets/cells.ts'
import type { FileRow } from '../../../../platform/spreadsheets/cells.ts'
import { readDay, textOf } from '../../../../platform/spreadsheets/values.ts'
import { checkNumber, checkRate, readParty, readPastDay, sourceOf, withholdingOf } from '../document.ts'
import type { Grouping, Part, Run, RunLink } from '../plan.ts'
import { RowCells } from '../read-row.ts'
import type { TableReading } from '../read-row.ts'
import { shown } from '../report.ts'
import type { Report } from '../report.ts'
import { untaxedIssued } from '../untaxed.ts'
import type { HistoryJob } from '../types.ts'
import { bookRowSkip, readDocumentKind, readPayment } from './rows.ts'

/** What the first pass knows of a run of rows. */
interface IssuedRun {
  number: string
  date: string
  kind: string
  isPayment: boolean
  isNegative: boolean
  /** Base and tax without sign. */
  amounts: string
}

const REPLACING = /^(R[1-5]|F3)$/
const IDENTIFIED: readonly string[] = ['F1', 'F3', 'R1', 'R2', 'R3', 'R4']
/** Schemes whose total contains more than base and tax. */
const OUTSIDE_KEYS: readonly string[] = [...MARGIN_REGIMES, ONE_STOP_SHOP]
/** Keys whose totals the published rules do not check. */
const UNCHECKED_TOTALS: readonly string[] = [...MARGIN_REGIMES, '09']
const KEYS = /^(0[1-9]|1[0-9])$/
const DEPENDS_ON_KIND = ['303', '390', '347', '130'] as const

const isMinus = (text: string): boolean => /^[-(\u2212]|-$/.test(text)
const unsigned = (text: string): string => text.replace(/[-()\u2212]/g, '')

/** Groups the rows of the book. */
export function groupIssued(
  columns: Readonly<Record<string, number>>,
  { answers }: HistoryJob,
): Grouping<IssuedRun> & { isProven: (run: IssuedRun) => boolean } {
  const cell = ({ cells }: FileRow, field: string): string => {
    const column = columns[field]
    return column === undefined ? '' : textOf(cells[column] ?? null)
  }
  /** The earliest run of each number, to know a document that is named again on a later day. */
  const earliest = new Map<string, IssuedRun>()
  const isProven = (run: IssuedRun): boolean => (earliest.get(run.number)?.date ?? run.date) < run.date
  const isTakenBack = (run: IssuedRun): boolean => {
    if (run.isPayment || answers[`question_taken_back:${run.number}`] === 'no') return false
    if (isProven(run)) return run.isNegative !== earliest.get(run.number)?.isNegative
    return run.isNegative && !REPLACING.test(run.kind)
  }
  return {
    isProven,
    identify: (row) => {
      const skip = bookRowSkip(row, columns)
      if (skip) return skip
      const series = cell(row, 'series')
      const number = series === '' ? cell(row, 'number') : `${series}|${cell(row, 'number')}`
      const date = readDay(cell(row, 'issueDate'), 'dmy') ?? cell(row, 'issueDate')
      const kind = cell(row, 'kind').toUpperCase()
      const base = cell(row, 'base')
      return {
        key: `${number}|${date}|${kind}`,
        info: {
          number,
          date,
          kind,
          isPayment: isBlank(cell(row, 'base')) && !isBlank(cell(row, 'paid')),
          isNegative: isMinus(base),
          amounts: `${unsigned(base)} ${unsigned(cell(row, 'tax'))}`,
        },
      }
    },
    // The same document taken back on its own day begins with its first row, negated.
    continues: ({ info, rows }, next) =>
      !(rows > 0 && !next.isPayment && info.amounts === next.amounts && info.isNegative !== next.isNegative),
    link: (runs) => {
      for (const { info } of runs) {
        if (info.isPayment || info.date >= (earliest.get(info.number)?.date ?? '9999')) continue
        earliest.set(info.number, info)
      }
      return linkRuns(runs, isTakenBack)
    },
  }
}

function linkRuns(runs: readonly Run<IssuedRun>[], isTakenBack: (run: IssuedRun) => boolean): RunLink[] {
  const documents = new Map<string, number>()
  const links: RunLink[] = []
  /** Runs that may belong to the next document. */
  let held: number[] = []
  const own = (at: number): number => {
    const key = runs[at]?.key ?? ''
    const document = documents.get(key) ?? documents.size
    documents.set(key, document)
    links[at] = { document, role: 'own' }
    return document
  }
  const release = (): void => {
    for (const at of held) own(at)
    held = []
  }
  for (const [at, { info }] of runs.entries()) {
    const first = runs[held[0] ?? -1]?.info
    const replaces = REPLACING.test(info.kind) && !info.isPayment
    if (first && replaces && first.date === info.date && first.number !== info.number && !isTakenBack(info)) {
      const document = own(at)
      for (const part of held) links[part] = { document, role: 'replaced' }
      held = []
    } else if (isTakenBack(info)) {
      if (first && first.date !== info.date) release()
      held.push(at)
    } else {
      release()
      own(at)
    }
  }
  release()
  return links
}

interface TaxSetting {
  kind: string
  day: BusinessDate
  party: HistoryParty
  job: HistoryJob
  report: Report
}

/** Reads the tax of a row, or null after an error. */
function taxOf(row: RowCells, { kind, day, party, job, report }: TaxSetting): HistoryTax | null {
  const qualification = row.text('qualification').toUpperCase()
  const exemption = row.text('exemption').toUpperCase()
  const baseCents = row.cents('base')
  const statedTax = row.cents('tax')
  const rateBp = row.rate('rate')
  const surchargeRateBp = row.rate('surchargeRate', 0.1)
  const surchargeCents = row.cents('surcharge') ?? 0
  const statedKey = row.text('regimeKey').padStart(2, '0').slice(-2)
  if (baseCents === null) {
    if (!row.failed) row.fault('history_amount_missing', 'base')
    return null
  }
  let treatment = (exemption || qualification) as TaxTreatment
  if (!TAX_TREATMENTS.includes(treatment)) {
    if (row.isMapped('qualification') || row.isMapped('exemption')) {
      row.fault('history_qualification_unknown', 'qualification', { text: treatment })
      return null
    }
    // The books of VAT alone of other programs may lack these columns.
    if (statedTax || rateBp) treatment = 'S1'
    else treatment = untaxedIssued(report, { party, day, source: sourceOf(job, [row.row]), baseCents })
  }
  const regimeKey = row.has('regimeKey') ? statedKey : usualRegime(treatment)
  if (!KEYS.test(regimeKey)) row.fault('history_key_unknown', 'regimeKey', { text: row.text('regimeKey') })
  const isTaxed = treatment === 'S1'
  if (isTaxed && rateBp === null) row.fault('history_rate_unknown', 'rate', { rate: '', date: day })
  else if (isTaxed && rateBp !== null && regimeKey !== ONE_STOP_SHOP)
    checkRate(row, 'rate', { rateBp, day, kind, isNegative: baseCents < 0 })
  const taxCents = isTaxed ? (statedTax ?? percentOf(baseCents, rateBp ?? 0)) : 0
  if (isTaxed && rateBp !== null && !MARGIN_REGIMES.includes(regimeKey)) {
    const expected = percentOf(baseCents, rateBp)
    if (Math.abs(taxCents - expected) > 1)
      row.fault('history_tax_differs', 'tax', { given: shown(taxCents), expected: shown(expected) })
  }
  const income = row.cents('income')
  const total = row.cents('total')
  const sum = baseCents + (isTaxed ? taxCents + surchargeCents : 0)
  if (total !== null && total !== sum && !UNCHECKED_TOTALS.includes(regimeKey) && regimeKey !== ONE_STOP_SHOP)
    row.fault('history_total_differs', 'total', {
      total: shown(total),
      sum: shown(sum),
      difference: shown(total - sum),
    })
  return {
    taxTreatment: treatment,
    regimeKey,
    vatRateBp: isTaxed ? rateBp : treatment === 'S2' ? 0 : null,
    baseCents,
    taxCents,
    surchargeRateBp: isTaxed ? surchargeRateBp : null,
    surchargeCents: isTaxed ? surchargeCents : 0,
    deductibleCents: 0,
    selfAssessed: false,
    investment: false,
    nature: null,
    concept: row.text('concept').toUpperCase() || null,
    account: null,
    incomeCents: income,
  }
}

/** Zero has no sign here. */
const minus = (cents: Cents): Cents => (cents === 0 ? 0 : -cents)

const negated = (tax: HistoryTax | null): HistoryTax | null =>
  tax && {
    ...tax,
    baseCents: minus(tax.baseCents),
    taxCents: minus(tax.taxCents),
    surchargeCents: minus(tax.surchargeCents),
    incomeCents: tax.incomeCents === null ? null : minus(tax.incomeCents),
  }

const amountOf = ({ baseCents, taxCents, surchargeCents }: HistoryTax): number =>
  baseCents + taxCents + surchargeCents

/** Returns the printed number: series and sequence are joined as the person says; Sello's own books join them by a hyphen. */
function numberOf(row: RowCells, job: HistoryJob, reading: TableReading): string {
  const [series, number] = [row.text('series'), row.text('number')]
  if (series === '') return number
  if (number === '') return ''
  const join = reading.report.ask(
    {
      code: 'question_series_join',
      about: '',
      guess: '-',
      depends: ['documents'],
    },
    sourceOf(job, [row.row]),
    0,
  )
  return `${series}${join}${number}`
}

/** Reads one document from its rows; null after an error. */
export function readIssued(
  parts: readonly Part<IssuedRun>[],
  job: HistoryJob,
  reading: TableReading,
  isProven: (run: IssuedRun) => boolean,
): IssuedHistory | null {
  const rowsOf = (role: RunLink['role']) => parts.filter((part) => part.role === role)
  const ownRows = rowsOf('own').flatMap(({ rows }) => rows.map((row) => new RowCells(row, reading)))
  const paymentRows = ownRows.filter((row) => row.has('paid') && !row.has('base'))
  const taxRows = ownRows.filter((row) => !paymentRows.includes(row))
  const [first] = taxRows
  if (!first) {
    for (const row of paymentRows) row.fault('history_row_alone', 'paid')
    return null
  }
  const source = sourceOf(
    job,
    parts.flatMap(({ rows }) => rows.map(({ row }) => row)).sort((a, b) => a - b),
  )
  const kind = readDocumentKind(first)
  const issueDate = readPastDay(first, 'issueDate', job.today)
  const operationDate = first.day('operationDate')
  if (issueDate === null && !first.failed) first.fault('history_date_missing', 'issueDate')
  const number = numberOf(first, job, reading)
  checkNumber(first, number, 'number')
  if (kind === null || issueDate === null) return null
  const day = kind.startsWith('R') ? issueDate : (operationDate ?? issueDate)
  const party = readParty(first, {
    needsNif: IDENTIFIED.includes(kind),
    canBeAnonymous: kind === 'F2' || kind === 'R5',
  })
  const setting = { kind, day, party, job, report: reading.report }
  const taxes = taxRows.flatMap((row) => taxOf(row, setting) ?? [])
  const payments: HistoryPayment[] = paymentRows.flatMap((row) => readPayment(row, job.today) ?? [])
  const withheld = taxRows.flatMap((row) => row.cents('withholding') ?? [])
  const rateRow = taxRows.find((row) => row.has('withholdingRate'))
  const withholding = withholdingOf(
    taxes,
    withheld.length === 0 ? null : withheld.reduce((sum, cents) => sum + cents, 0),
    rateRow?.rate('withholdingRate') ?? null,
  )
  const replaced: HistoryReplaced[] = []
  const replacedRows: RowCells[] = []
  for (const part of rowsOf('replaced')) {
    const rows = part.rows.map((row) => new RowCells(row, reading))
    const [head] = rows
    if (!head) continue
    replacedRows.push(...rows)
    // Taken back in the book, so negative there.
    const back = rows.flatMap((row) => negated(taxOf(row, { ...setting, kind: 'R1' })) ?? [])
    const amounts = rows.flatMap((row) => row.cents('withholding') ?? [])
    const rated = rows.find((row) => row.has('withholdingRate'))
    const backWithheld = withholdingOf(
      back,
      amounts.length === 0 ? null : amounts.reduce((sum, cents) => sum - cents, 0),
      rated?.rate('withholdingRate') ?? null,
    )
    replaced.push({
      number: numberOf(head, job, reading),
      party: readParty(head, { needsNif: false, canBeAnonymous: true }),
      taxes: back,
      withholding: backWithheld && { ...backWithheld, reason: null },
    })
    if (!isProven(part.run.info))
      reading.report.ask(
        {
          code: 'question_taken_back',
          about: part.run.info.number,
          guess: 'yes',
          depends: DEPENDS_ON_KIND,
        },
        sourceOf(
          job,
          part.rows.map(({ row }) => row),
        ),
        back.reduce((sum, { baseCents }) => sum + baseCents, 0),
      )
  }
  // The income of a margin scheme is the whole price without its VAT: the rest is outside the base.
  let outsideCents = 0
  for (const tax of taxes) {
    if (!OUTSIDE_KEYS.includes(tax.regimeKey)) continue
    if (tax.regimeKey !== ONE_STOP_SHOP && tax.incomeCents !== null && kind !== 'R2' && kind !== 'R3')
      outsideCents += tax.incomeCents - tax.baseCents
    else first.fault('history_outside_unknown', 'total', { number })
  }
  if ([...ownRows, ...replacedRows].some(({ failed }) => failed)) return null
  const situation = first.text('propertySituation')
  return {
    side: 'issued',
    kind,
    source,
    number,
    lastNumber: first.text('lastNumber') || null,
    issueDate,
    operationDate: operationDate === issueDate ? null : operationDate,
    party,
    taxes,
    withholding: withholding === null ? null : { ...withholding, reason: null },
    totalCents: taxes.reduce((sum, tax) => sum + amountOf(tax), outsideCents),
    payments,
    property: situation === '' ? null : { situation, cadastralRef: first.text('cadastralRef') || null },
    externalRef: first.text('externalRef') || null,
    dueDate: null,
    openCents: null,
    description: null,
    replaced,
  }
}

/** Returns what another document of the same file must not have: number and year, so that series may begin again. */
export const issuedIdentity = ({ number, issueDate }: IssuedHistory): string =>
  `${number.toUpperCase()}|${issueDate.slice(0, 4)}`
