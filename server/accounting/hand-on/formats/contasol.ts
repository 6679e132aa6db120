/**
 * The worksheets of ContaSOL: plan of accounts (MAE), journal (APU), and the VAT books (IVR issued, IVS received).
 *
 * Sources: Software DELSOL names the files and asks for each without headings (ayudadelsol.sdelsol.com, C1478); columns
 * and widths are those of telenieko/importasol, which was written from the vendor's instructions of 2011, and of public
 * exporters that cite them. Columns that came later are left empty.
 */
import { xlsxStream } from '../../../domain/formats/xlsx-stream.ts'
import type { XlsxCell } from '../../../domain/formats/xlsx-stream.ts'
import { neutralizeFormula } from '../../../domain/formats/csv-writer.ts'
import type {
  Format,
  HandOnEntry,
  HandOnFault,
  HandOnSettings,
  HandOnWork,
  VatDocument,
  VatPart,
} from '../model.ts'
import { entryFault } from './faults.ts'
import { plainNif, pointAmount, trailingDigits, writable } from './text.ts'
import { isPendingVat, vatAccountOf } from './vat-accounts.ts'

const RATES = 3
const MOST_ENTRIES = 99_999
const NUMBER_WIDTH = 12

/** Columns of the journal, in order. */
const JOURNAL = 'ABCDEFGHIJKLMNOPQ'.length

/** First columns of bases, rates, surcharge rates, tax and surcharge; each has three. */
const BLOCKS = {
  issued: ['I', 'L', 'O', 'R', 'U'],
  received: ['J', 'M', 'P', 'S', 'V'],
} as const

const COLUMNS = {
  issued: {
    last: 'BL',
    total: 'X',
    in347: 'AQ',
    withholdingRate: 'AR',
    withholding: 'AS',
    withholdingKind: 'AT',
    issueDate: 'AV',
    exemptBase: 'AW',
    operation: 'AX',
    identification: 'AY',
    tax: 'AZ',
    disbursements: 'BK',
  },
  received: {
    last: 'BU',
    total: 'Y',
    in347: 'AS',
    withholdingRate: 'AT',
    withholding: 'AU',
    withholdingKind: 'AV',
    issueDate: 'AX',
    exemptBase: 'AY',
    operation: 'BB',
    identification: 'BC',
    tax: 'BD',
    disbursements: 'BT',
  },
} as const

/** Returns the position of a column from its letters. */
function at(letters: string): number {
  let position = 0
  for (const letter of letters) position = position * 26 + (letter.codePointAt(0) ?? 0) - 64
  return position - 1
}

const amount = (cents: number): XlsxCell => ({ number: pointAmount(cents) })
const whole = (value: number): XlsxCell => ({ number: String(value) })
const cut = (text: string, width: number): XlsxCell =>
  [...neutralizeFormula(writable(text, 'utf-8'))].slice(0, width).join('')

/** Bases with tax, by rate. */
function ratesOf({ parts }: VatDocument): VatPart[] {
  const byRate = new Map<string, VatPart>()
  for (const part of parts) {
    if (part.taxCents === 0) continue
    const key = `${part.rateBp}/${part.surchargeBp}`
    const before = byRate.get(key)
    byRate.set(key, {
      ...part,
      baseCents: part.baseCents + (before?.baseCents ?? 0),
      taxCents: part.taxCents + (before?.taxCents ?? 0),
      surchargeCents: part.surchargeCents + (before?.surchargeCents ?? 0),
    })
  }
  return [...byRate.values()]
}

/** True if the VAT books of the format can hold the invoice. */
const isBooked = ({ document, lines }: HandOnEntry): boolean =>
  document !== null &&
  !document.isReplacing &&
  !document.isCashAccounting &&
  !lines.some(({ code }) => isPendingVat(code)) &&
  ratesOf(document).length <= RATES

/** Kind of operation: 0 usual, 4 rectifying, 8 reverse charge, 17 goods from the Union. */
function operationOf({ isRectifying, parts }: VatDocument): number {
  if (parts.some(({ treatment, nature }) => treatment === 'S2' || nature === 'reverse_charge')) return 8
  if (parts.some(({ nature }) => nature === 'eu_goods')) return 17
  return isRectifying ? 4 : 0
}

/** Where the operation is: issued 0 general, 1 Union, 2 export, 3 exempt; received 0 Spain, 1 import, 2 Union. */
function placeOf({ side, parts }: VatDocument): number {
  if (side === 'received') {
    if (parts.some(({ nature }) => nature === 'import')) return 1
    return parts.some(({ nature }) => nature.startsWith('eu_')) ? 2 : 0
  }
  if (parts.some(({ treatment }) => treatment === 'E5')) return 1
  if (parts.some(({ treatment }) => treatment === 'E2')) return 2
  return parts.every(({ treatment }) => treatment === 'E1') ? 3 : 0
}

function bookRow(entry: HandOnEntry, document: VatDocument): XlsxCell[] {
  const { side } = document
  const columns = COLUMNS[side]
  const row: XlsxCell[] = Array.from({ length: at(columns.last) + 1 }, () => null)
  const set = (column: string, cell: XlsxCell) => {
    row[at(column)] = cell
  }
  const party = entry.lines.find((line) => line.party !== null)
  set('A', whole(entry.number))
  set('B', whole(1))
  set('C', { day: entry.date })
  set('D', cut(party?.account ?? '', 10))
  set('E', cut(document.number.slice(-NUMBER_WIDTH), NUMBER_WIDTH))
  set('F', cut(document.party.name, side === 'issued' ? 40 : 100))
  set('G', cut(plainNif(document.party.nif), 12))
  set('H', whole(placeOf(document)))
  if (side === 'received') set('I', whole(document.parts.some((part) => part.deductibleCents !== 0) ? 0 : 1))
  for (const [index, part] of ratesOf(document).entries()) {
    const cells = [
      amount(part.baseCents),
      amount(part.rateBp ?? 0),
      part.surchargeBp === null ? null : amount(part.surchargeBp),
      amount(part.taxCents),
      part.surchargeBp === null ? null : amount(part.surchargeCents),
    ]
    for (const [block, first] of BLOCKS[side].entries()) row[at(first) + index] = cells[block] ?? null
  }
  set(columns.total, amount(document.totalCents))
  if (side === 'received') set('Z', whole(document.parts.some(({ isInvestment }) => isInvestment) ? 1 : 0))
  set(columns.in347, whole(1))
  if (document.withholdingCents !== 0) {
    set(columns.withholdingRate, amount(document.withholdingBp ?? 0))
    set(columns.withholding, amount(document.withholdingCents))
    set(columns.withholdingKind, whole(document.isRent ? 2 : 1))
  }
  set(columns.issueDate, { day: document.issueDate })
  const exempt = document.parts.reduce((sum, part) => sum + (part.taxCents === 0 ? part.baseCents : 0), 0)
  if (exempt !== 0) set(columns.exemptBase, amount(exempt))
  if (side === 'received') set('AZ', whole(100))
  set(columns.operation, whole(operationOf(document)))
  set(columns.identification, whole(document.party.country === 'ES' ? 1 : 2))
  set(columns.tax, whole(0))
  if (document.disbursementsCents !== 0) set(columns.disbursements, amount(document.disbursementsCents))
  return row
}

function journalRows(entry: HandOnEntry, { journal }: HandOnSettings): XlsxCell[][] {
  const booked = isBooked(entry)
  return entry.lines.map((line, index) => {
    const vat = booked ? vatAccountOf(line.code) : null
    const row: XlsxCell[] = [
      whole(Number(journal)),
      { day: entry.date },
      whole(entry.number),
      whole(index + 1),
      cut(line.account, 10),
      whole(0),
      cut(entry.text, 60),
      cut((trailingDigits(entry.label) || entry.label).slice(-5), 5),
      amount(Math.max(line.amountCents, 0)),
      amount(Math.max(-line.amountCents, 0)),
      'E',
      whole(0),
      vat ? (entry.document?.side === 'issued' ? 'R' : 'S') : null,
      vat ? whole(entry.number) : null,
    ]
    return [...row, ...Array.from({ length: JOURNAL - row.length }, () => null)]
  })
}

async function* rowsOf(
  { entries }: HandOnWork,
  rows: (entry: HandOnEntry) => XlsxCell[][],
): AsyncGenerator<XlsxCell[][]> {
  for await (const page of entries()) yield page.flatMap(rows)
}

async function* planRows({ accounts }: HandOnWork): AsyncGenerator<XlsxCell[][]> {
  yield accounts.map(({ account, name }) => [cut(account, 10), cut(name, 40), cut(name, 255)])
}

export const contasol: Format = {
  id: 'contasol',
  name: 'ContaSOL',
  sureness: 'reader',
  source: 'ayudadelsol.sdelsol.com (C1478) · github.com/telenieko/importasol',
  digits: { min: 5, max: 10, usual: 8 },
  encodings: ['utf-8'],
  recordLengths: [],
  companyCode: null,
  journal: { pattern: /^[1-9]\d{0,2}$/, usual: '1' },
  check(entry) {
    const faults: HandOnFault[] = []
    if (entry.number > MOST_ENTRIES) faults.push(entryFault('hand_on_entry_number_large', entry))
    const { document, lines } = entry
    if (document === null) return faults
    if (document.isCashAccounting || lines.some(({ code }) => isPendingVat(code)))
      faults.push(entryFault('hand_on_cash_accounting', entry))
    else if (document.isReplacing) faults.push(entryFault('hand_on_replaces', entry))
    else if (ratesOf(document).length > RATES) faults.push(entryFault('hand_on_too_many_rates', entry))
    if (document.number.length > NUMBER_WIDTH) faults.push(entryFault('hand_on_number_cut', entry))
    return faults
  },
  posted: ({ lines }) => lines,
  files(work) {
    const sheet = (name: string, pages: AsyncIterable<XlsxCell[][]>) => ({
      name: `${name}.xlsx`,
      parts: xlsxStream(name, pages, work.writtenAt),
    })
    const book = (side: VatDocument['side']) =>
      rowsOf(work, (entry) =>
        entry.document !== null && entry.document.side === side && isBooked(entry)
          ? [bookRow(entry, entry.document)]
          : [],
      )
    return [
      sheet('MAE', planRows(work)),
      sheet(
        'APU',
        rowsOf(work, (entry) => journalRows(entry, work.settings)),
      ),
      sheet('IVR', book('issued')),
      sheet('IVS', book('received')),
    ]
  },
}
