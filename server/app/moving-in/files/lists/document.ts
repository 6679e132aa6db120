/** Reads a document from the rows of a list of invoices of any program. */
import type { BusinessDate } from '../../../../domain/dates.ts'
import type {
  HistoryDocument,
  HistoryParty,
  HistoryTax,
  IssuedHistory,
  ReceivedHistory,
} from '../../../../domain/history.ts'
import { basisPointsToText, percentOf } from '../../../../domain/money.ts'
import type { Cents } from '../../../../domain/money.ts'
import { usualRegime } from '../../../../domain/tax/totals.ts'
import { generalRateAt } from '../../../../domain/tax/vat-rates.ts'
import {
  checkNumber,
  checkRate,
  partyKey,
  readParty,
  readPastDay,
  sourceOf,
  withholdingOf,
} from '../document.ts'
import type { Part } from '../plan.ts'
import { RowCells } from '../read-row.ts'
import type { TableReading } from '../read-row.ts'
import { shown } from '../report.ts'
import type { Report } from '../report.ts'
import { foldedTitle } from '../titles.ts'
import type { HistoryJob } from '../types.ts'
import { untaxedIssued, untaxedReceived } from '../untaxed.ts'
import type { ListSide } from './fields.ts'
import type { ListRun } from './grouping.ts'
import { rowTaxes } from './taxes.ts'
import type { ListTax } from './taxes.ts'

/** What a layout adds to the common reading. */
export interface ListRules {
  /** Amounts of received documents are negative, as in the signed columns of some programs. */
  negativeReceived?: boolean
  /** Its documents are orders, not invoices. */
  areOrders?: boolean
  /** Changes a row before it is read. */
  amend?: (cells: (string | number | boolean | null)[], columns: Readonly<Record<string, number>>) => void
}

/** Whether the orders of a shop stand for its invoices. */
const ORDERS = {
  code: 'question_orders',
  about: '',
  guess: 'yes',
  depends: ['303', '390'],
} as const

/** Most of a ticket, in cents: above it a document names its customer. RD 1619/2012 art. 4. */
const TICKET_CENTS = 300_000
const PAID =
  /^(pagad[ao]|cobrad[ao]|paid|in payment|en proceso de pago|liquidad[ao]|saldad[ao]|si|sí|yes|true|x|2|completada)$/
const UNPAID =
  /^(pendiente|no pagad[ao]|no cobrad[ao]|impagad[ao]|sin pagar|sin cobrar|unpaid|not paid|open|abierta|vencid[ao]|overdue|past due|no|false|0|pending|authorized|enviad[ao]|emitid[ao]|aceptad[ao])$/
const PARTLY =
  /^(parcial\w*|pagad[ao] parcialmente|cobrad[ao] parcialmente|partially paid|partial|partially refunded|pendiente parcial|1)$/
const CREDIT = /rectific|abono|credit|reembolso|refund|devoluc/
const TICKET = /ticket|tique|simplificad|receipt|recibo/
const YES = /^(si|s|yes|x|1|true|verdadero)$/

function readState(row: RowCells, payableCents: Cents): Cents | null {
  const open = row.cents('open')
  if (open !== null) return open
  const paid = row.cents('paid')
  const state = foldedTitle(row.text('state'))
  if (paid !== null && !PAID.test(state)) return payableCents - paid
  if (PAID.test(state)) return 0
  if (UNPAID.test(state)) return payableCents
  if (PARTLY.test(state)) row.fault('history_state_partial', 'state', { text: row.text('state') })
  return null
}

interface Setting {
  job: HistoryJob
  report: Report
  party: HistoryParty
  day: BusinessDate
  rows: readonly number[]
}

/** Returns the account of the income, expense or asset; many lists name that of the other party instead. */
function accountOf(row: RowCells): string | null {
  const account = row.text('account').replace(/[. ]/g, '')
  return /^[267]\d{2,11}$/.test(account) ? account : null
}

function issuedTax(tax: ListTax, kind: string, { job, report, party, day, rows }: Setting): HistoryTax {
  const { row, baseCents, rateBp, taxCents, surchargeRateBp, surchargeCents } = tax
  const treatment =
    rateBp === null ? untaxedIssued(report, { party, day, source: sourceOf(job, rows), baseCents }) : 'S1'
  if (rateBp !== null) checkRate(row, tax.field, { rateBp, day, kind, isNegative: baseCents < 0 })
  return {
    taxTreatment: treatment,
    regimeKey: YES.test(foldedTitle(row.text('cashAccounting'))) ? '07' : usualRegime(treatment),
    vatRateBp: rateBp ?? (treatment === 'S2' ? 0 : null),
    baseCents,
    taxCents,
    surchargeRateBp,
    surchargeCents,
    deductibleCents: 0,
    selfAssessed: false,
    investment: false,
    nature: null,
    concept: null,
    account: accountOf(row),
    incomeCents: null,
  }
}

const SELF_ASSESSED: readonly string[] = ['reverse_charge', 'eu_goods', 'eu_services', 'foreign_services']

function receivedTax(tax: ListTax, kind: string, setting: Setting): HistoryTax {
  const { job, report, party, day, rows } = setting
  const { row, baseCents, surchargeRateBp, surchargeCents } = tax
  let { rateBp, taxCents } = tax
  const what =
    rateBp === null
      ? untaxedReceived(report, { party, day, source: sourceOf(job, rows), baseCents })
      : 'domestic'
  const isSelfAssessed = SELF_ASSESSED.includes(what)
  if (isSelfAssessed) {
    // The document shows no VAT; the buyer declares that of the general rate, as part of the guess.
    rateBp = generalRateAt(day)
    taxCents = percentOf(baseCents, rateBp)
  } else if (rateBp !== null) checkRate(row, tax.field, { rateBp, day, kind, isNegative: baseCents < 0 })
  const pct = row.rate('deductiblePct', 0)
  const stated = row.cents('deductible')
  const deductible =
    rateBp === null || kind === 'simplified'
      ? 0
      : (stated ?? (pct === null ? taxCents : percentOf(taxCents, pct)))
  return {
    taxTreatment: isSelfAssessed
      ? 'S2'
      : rateBp !== null
        ? 'S1'
        : what === 'not_subject' || what === 'receipt'
          ? 'N1'
          : 'E1',
    regimeKey: what === 'eu_goods' || what === 'eu_services' ? '09' : '01',
    vatRateBp: rateBp,
    baseCents,
    taxCents,
    surchargeRateBp,
    surchargeCents,
    deductibleCents: deductible,
    selfAssessed: isSelfAssessed,
    investment: YES.test(foldedTitle(row.text('investment'))),
    nature: isSelfAssessed ? (what as HistoryTax['nature']) : 'domestic',
    concept: /^G\d{2}$/i.test(row.text('concept')) ? row.text('concept').toUpperCase() : null,
    account: accountOf(row),
    incomeCents: null,
  }
}

/** Joins the taxes of lines with the same rate and account. */
function joined(taxes: readonly ListTax[]): ListTax[] {
  const groups = new Map<string, ListTax>()
  for (const tax of taxes) {
    const key = `${tax.rateBp}|${tax.surchargeRateBp}|${tax.row.text('account')}|${tax.row.text('concept')}`
    const group = groups.get(key)
    if (!group) groups.set(key, { ...tax })
    else {
      group.baseCents += tax.baseCents
      group.taxCents += tax.taxCents
      group.surchargeCents += tax.surchargeCents
    }
  }
  return [...groups.values()]
}

/** Returns the kind of an issued document, asking what its words leave open. */
function issuedKind(
  row: RowCells,
  party: HistoryParty,
  totalCents: Cents,
  setting: Setting,
): IssuedHistory['kind'] {
  const { job, report, rows } = setting
  const stated = row.text('kind').toUpperCase()
  if (/^(F[123]|R[1-5])$/.test(stated)) return stated as IssuedHistory['kind']
  const words = foldedTitle(stated)
  const isTicket =
    TICKET.test(words) || (words === '' && party.nif === null && Math.abs(totalCents) <= TICKET_CENTS)
  if (CREDIT.test(words) || row.has('rectifies'))
    return report.ask(
      {
        code: 'question_rectifying_kind',
        about: '',
        guess: isTicket ? 'R5' : 'R1',
        depends: ['303', '390', '130'],
      },
      sourceOf(job, rows),
      totalCents,
    )
  if (totalCents < 0)
    return report.ask(
      {
        code: 'question_negative_kind',
        about: '',
        guess: isTicket ? 'R5' : 'R1',
        depends: ['303', '390'],
      },
      sourceOf(job, rows),
      totalCents,
    )
  return isTicket ? 'F2' : 'F1'
}

function receivedKind(row: RowCells, totalCents: Cents): ReceivedHistory['kind'] {
  const words = foldedTitle(row.text('kind'))
  if (CREDIT.test(words) || /^r\d$/.test(words) || totalCents < 0) return 'rectifying'
  if (/^(f5|lc)$|dua|aduana|importacion/.test(words)) return 'customs'
  if (/^f6$|agricult|reagyp/.test(words)) return 'reagyp'
  if (/^sf$|nomina|seguro social|sin factura/.test(words)) return 'receipt'
  return TICKET.test(words) || words === 'f2' ? 'simplified' : 'invoice'
}

/** The base, VAT and surcharge of all taxes. */
const sumOf = (taxes: readonly ListTax[]): Cents =>
  taxes.reduce(
    (sum, { baseCents, taxCents, surchargeCents }) => sum + baseCents + taxCents + surchargeCents,
    0,
  )

/** Reads one document from its rows; null after an error, `skipped` if a person said that it is none. */
export function readListed(
  side: ListSide,
  parts: readonly Part<ListRun>[],
  job: HistoryJob,
  reading: TableReading,
  rules: ListRules,
): HistoryDocument | 'skipped' | null {
  const rows = parts.flatMap((part) =>
    part.rows.map((row) => {
      if (!rules.amend) return new RowCells(row, reading)
      const cells = [...row.cells]
      rules.amend(cells, reading.columns)
      return new RowCells({ row: row.row, cells }, reading)
    }),
  )
  const [first] = rows
  if (!first) return null
  const rowNumbers = rows.map(({ row }) => row).sort((a, b) => a - b)
  const source = sourceOf(job, rowNumbers)
  const issueDate = readPastDay(first, 'date', job.today)
  const operationDate = first.day('operationDate')
  if (issueDate === null && !first.failed) first.fault('history_date_missing', 'date')
  const [series, sequence] = [first.text('series'), first.text('number')]
  // `F-26-001` beside the series `F` is whole already; `15` beside the series `1` is not.
  const isWhole = sequence.startsWith(series) && /^[-/. ]/.test(sequence.slice(series.length))
  const number = series === '' || sequence === '' || isWhole ? sequence : joinNumber(first, job, reading)
  checkNumber(first, number, 'number')
  const currency = first.text('currency').toUpperCase()
  if (currency !== '' && !/^(EUR|€|EUROS?)$/.test(currency))
    first.fault('history_currency', 'currency', { text: currency })
  if (issueDate === null) return null
  const day = operationDate ?? issueDate
  let taxes = joined(rows.flatMap((row) => rowTaxes(row, reading.columns, day, rows.length === 1)))
  const sign = rules.negativeReceived === true && side === 'received' ? -1 : 1
  if (sign < 0)
    taxes = taxes.map((tax) => ({
      ...tax,
      baseCents: 0 - tax.baseCents,
      taxCents: 0 - tax.taxCents,
      surchargeCents: 0 - tax.surchargeCents,
    }))
  if (taxes.length === 0 && !rows.some(({ failed }) => failed)) first.fault('history_amount_missing', 'base')
  if (rows.some(({ failed }) => failed)) return null
  const sum = sumOf(taxes)
  const anonymous = readKindNeeds(side, first, sum)
  const party = readParty(first, anonymous)
  const setting: Setting = { job, report: reading.report, party, day, rows: rowNumbers }
  const kind = side === 'issued' ? issuedKind(first, party, sum, setting) : receivedKind(first, sum)
  if (rules.areOrders && reading.report.ask(ORDERS, source, sum) === 'no') {
    reading.report.skip(first.row, 'skipped_not_invoice', number)
    return 'skipped'
  }
  const historyTaxes = taxes.map((tax) =>
    side === 'issued' ? issuedTax(tax, kind, setting) : receivedTax(tax, kind, setting),
  )
  const withheldCells = rows.flatMap((row) => row.cents('withholding') ?? [])
  const baseSum = taxes.reduce((total, { baseCents }) => total + baseCents, 0)
  const withheld = withheldCells.length === 0 ? null : withheldCells.reduce((a, b) => a + b, 0)
  // Some programs write what is withheld as a negative amount.
  const amount = withheld === null ? null : Math.abs(withheld) * Math.sign(baseSum || 1)
  const rate = rows.find((row) => row.has('withholdingRate'))?.rate('withholdingRate') ?? null
  const withholding = withholdingOf(historyTaxes, amount, rate)
  checkTotal(first, rows, sign, sum, withholding?.amountCents ?? 0)
  if (rows.some(({ failed }) => failed)) return null
  const charged = historyTaxes.reduce(
    (total, tax) => total + tax.baseCents + (tax.selfAssessed ? 0 : tax.taxCents + tax.surchargeCents),
    0,
  )
  const open = readState(first, charged - (withholding?.amountCents ?? 0))
  const facts = {
    source,
    number,
    lastNumber: null,
    issueDate,
    operationDate: operationDate === issueDate ? null : operationDate,
    party,
    taxes: historyTaxes,
    totalCents: charged,
    payments: [],
    property: null,
    externalRef: first.text('externalRef') || null,
    dueDate: first.day('dueDate'),
    openCents: open === null ? null : open * (sign < 0 && first.has('open') ? -1 : 1),
    description: first.text('description').slice(0, 200) || null,
  }
  if (side === 'issued')
    return {
      side,
      kind: kind as IssuedHistory['kind'],
      ...facts,
      withholding: withholding && { ...withholding, reason: null },
      replaced: [],
    }
  return {
    side,
    kind: kind as ReceivedHistory['kind'],
    ...facts,
    withholding: withholding && {
      ...withholding,
      reason: reading.report.ask(
        {
          code: 'question_withholding_reason',
          about: `${partyKey(party)} ${basisPointsToText(withholding.rateBp)} %`,
          name: party.name,
          guess:
            withholding.rateBp === 1900
              ? 'rent'
              : withholding.rateBp === 1500 || withholding.rateBp === 700
                ? 'professional'
                : 'other',
          depends: ['111', '115', '180', '190'],
        },
        source,
        withholding.baseCents,
      ),
    },
    receptionDate: readPastDay(first, 'receptionDate', job.today) ?? issueDate,
    reception: first.text('reception') || null,
    deductionDate: null,
  }
}

function joinNumber(row: RowCells, job: HistoryJob, { report }: TableReading): string {
  const join = report.ask(
    {
      code: 'question_series_join',
      about: '',
      guess: '-',
      depends: ['documents'],
    },
    sourceOf(job, [row.row]),
    0,
  )
  return `${row.text('series')}${join}${row.text('number')}`
}

/** Returns whether a document must name its other party. */
function readKindNeeds(
  side: ListSide,
  row: RowCells,
  totalCents: Cents,
): { needsNif: boolean; canBeAnonymous: boolean } {
  const words = foldedTitle(row.text('kind'))
  const isTicket = TICKET.test(words) || /^(f2|r5)$/.test(words)
  const canBeAnonymous = side === 'issued' && (isTicket || Math.abs(totalCents) <= TICKET_CENTS)
  return { needsNif: !isTicket && (side === 'received' || words !== '' || !canBeAnonymous), canBeAnonymous }
}

/** Compares base, VAT and surcharge with the total: before or after what is withheld, of the document or of each row. */
function checkTotal(
  first: RowCells,
  rows: readonly RowCells[],
  sign: number,
  sum: Cents,
  withheld: Cents,
): void {
  const totals = rows.flatMap((row) => row.cents('total') ?? [])
  if (totals.length === 0) return
  const all = totals.reduce((a, b) => a + b, 0) * sign
  const repeated = totals.every((total) => total === totals[0]) ? (totals[0] ?? 0) * sign : null
  const fits = (total: Cents) => total === sum || total === sum - withheld
  if (fits(all) || (repeated !== null && fits(repeated))) return
  const total = repeated ?? all
  first.fault('history_total_differs', 'total', {
    total: shown(total),
    sum: shown(sum),
    difference: shown(total - sum),
  })
}

/** Returns what another document of the same file must not have. */
export const listedIdentity = (document: HistoryDocument): string =>
  document.side === 'issued'
    ? `${document.number.toUpperCase()}|${document.issueDate.slice(0, 4)}`
    : `${document.number.toUpperCase()}|${partyKey(document.party)}|${document.issueDate}`
