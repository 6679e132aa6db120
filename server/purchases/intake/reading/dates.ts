/** Dates of a document, by the words before and above them. Pure. */
import { isBusinessDate } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { dayOfPrinted, dayOfText } from '../amounts.ts'
import { missing } from './field-value.ts'
import type { FieldValue } from './field-value.ts'
import { plain } from './labels.ts'
import { placeOf } from './places.ts'
import type { Place } from './places.ts'
import { union } from './rows.ts'
import type { Cell, Row } from './rows.ts'

const MONTHS: readonly RegExp[] = [
  /^(?:ene|gen|jan|xan|urt)/, /^(?:feb|febr|ots)/, /^(?:mar(?!tx\w*x)|marc|marz|mart)/, /^(?:abr|apr|api)/,
  /^(?:may|mai|maig|maia|maio)/, /^(?:jun|juny|xun|eka)/, /^(?:jul|juliol|xul|uzt)/, /^(?:ago|aug|abu)/,
  /^(?:sep|set|ira)/, /^(?:oct|out|urr)/, /^(?:nov|aza)/, /^(?:dic|des|dec|abe|dez)/,
] // prettier-ignore

const NUMERIC = /(?<![\d/.-])(\d{1,2}\s?[-/.]\s?\d{1,2}\s?[-/.]\s?(?:\d{4}|\d{2}))(?![\d]|[-/.]\d)/g
const ISO = /(?<![\d/.-])((?:19|20)\d{2}[-/.]\d{2}[-/.]\d{2})(?!\d|[-/.]\d)/g
/** "12 de junio de 2026", "12-jun-2026", "3 d'abril de 2026", "3r de maig del 2026". `\p{L}` with `i` is slow. */
const DAY_FIRST =
  /(?<!\d)(\d{1,2})(?:º|r|n|t|th|st|nd|rd)?[\s./-]+(?:[dD][eE]\s+|[dD]['’]\s?|of\s+)?(\p{L}{3,10})\.?[\s./,-]+(?:[dD][eE][lL]?\s+|[dD][oO]\s+)?(\d{4}|\d{2})(?!\d)/gu
/** "September 3, 2026" and "2026ko irailaren 3a". */
const MONTH_FIRST = /(?<!\p{L})(\p{L}{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)/gu
const BASQUE = /(?<!\d)(\d{4})(?:e?ko|E?KO)?\s+(\p{L}{3,12})\s+(\d{1,2})(?!\d)/gu

function monthOf(name: string): number | null {
  const bare = plain(name)
  const index = MONTHS.findIndex((pattern) => pattern.test(bare))
  return index === -1 ? null : index + 1
}

function dayFrom(year: string, month: number | null, day: string): BusinessDate | null {
  if (month === null) return null
  const text = `${year.padStart(4, '20')}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`
  return isBusinessDate(text) ? text : null
}

interface FoundDate {
  date: BusinessDate
  from: number
  to: number
}

const TWO_GROUPS = /\d\D{1,24}\d/

/** Returns the dates of a text with their offsets. */
export function datesIn(text: string): FoundDate[] {
  const found: FoundDate[] = []
  // Every form has two groups of digits; most texts have none, and the patterns of names are slow.
  if (!TWO_GROUPS.test(text)) return found
  const add = (match: RegExpExecArray, date: BusinessDate | null): void => {
    const from = match.index
    const to = from + match[0].length
    if (date !== null && !found.some((each) => each.from < to && each.to > from))
      found.push({ date, from, to })
  }
  for (const match of text.matchAll(ISO)) add(match, dayOfText((match[1] ?? '').replace(/[/.]/g, '-')))
  for (const match of text.matchAll(NUMERIC)) add(match, dayOfPrinted((match[1] ?? '').replace(/\s/g, '')))
  for (const match of text.matchAll(DAY_FIRST))
    add(match, dayFrom(match[3] ?? '', monthOf(match[2] ?? ''), match[1] ?? ''))
  for (const match of text.matchAll(MONTH_FIRST))
    add(match, dayFrom(match[3] ?? '', monthOf(match[1] ?? ''), match[2] ?? ''))
  for (const match of text.matchAll(BASQUE))
    add(match, dayFrom(match[1] ?? '', monthOf(match[2] ?? ''), match[3] ?? ''))
  return found.toSorted((a, b) => a.from - b.from)
}

type Meaning = 'issue' | 'date' | 'due' | 'other' | null

const OTHER =
  /\b(?:pedido|comanda|order|period\w*|servicio|servei|estancia|llegada|arribada|salida|sortida|arrival|departure|check|entrega|lliurament|delivery|albaran|albara|operacio\w*|nacimiento|alta|contrato|contracte|contract|desde|hasta|del|from|lectura|inicio|fin|oferta|inscrita|poliza|efecto|consumo|rectificada?|original|valor|ultim[oa]|anterior)\b/
const DUE =
  /\b(?:venc\w*|vto|vcto|vence|venc|cargo|carrec|cobr\w*|cobrament|cobrara|due|pagar antes|abans del?|before|pagadero|limite de pago|limit de pagament|pago|pagament|payment|payable by|iraungi\w*|epemuga|muga eguna|mugaeguna|ordainketa data|adeudo)\b/
const ISSUE =
  /\b(?:fecha (?:de )?(?:la )?(?:factura|fra|emision|expedicion|documento|ticket)|emitida|expedida|emision|expedicion|emissio|expedicio|emision|emisio|factura fecha|(?:data|date) (?:de )?(?:la |l |d )?(?:factura|emissio|expedicio|emision|issue|issued)|invoice date|date of issue|issue date|issued|jaulkipen\w*|igorpen\w*|data da factura|faktura\w* data|facturacion|dated)\b/
const DATE = /\b(?:fecha|data|date|dia|eguna|fra|factura|f)\b/

function meaningOf(words: string): Meaning {
  const bare = plain(words)
  if (bare === '') return null
  if (/\b(?:period\w*|estancia|llegada|salida)\b/.test(bare)) return 'other'
  const isDue = DUE.test(bare)
  const isIssue = ISSUE.test(bare)
  if (isIssue && !isDue) return 'issue'
  // "Fecha de cargo" says when it is due; "periodo del" says neither.
  if (isDue) return 'due'
  if (OTHER.test(bare)) return 'other'
  return DATE.test(bare) ? 'date' : null
}

interface Candidate {
  date: BusinessDate
  place: Place
  meaning: Meaning
  label: string
  byHeading: boolean
}

/** The last label before a value: of "Fecha: 01/02/2026 Vto.:" only what follows the date before. */
function lastLabel(text: string): string {
  const dates = datesIn(text)
  return text.slice(dates.at(-1)?.to ?? 0)
}

/** The label to the left; one that ends in a preposition goes on in the row below. */
function leftLabel({ left, row, cell }: Place, rows: readonly Row[]): string {
  if (!/\b(?:de|del|d|of|da)$/i.test(left)) return left
  const beside = row.cells[row.cells.indexOf(cell) - 1]
  const next = rows[row.index + 1]
  if (!beside || next?.page !== row.page) return left
  const below = next.cells.find(({ box: [x0, , x1] }) => x0 < beside.box[2] && x1 > beside.box[0])
  return below ? `${left} ${below.text}` : left
}

function candidatesIn(rows: readonly Row[]): Candidate[] {
  const found: Candidate[] = []
  const add = (row: Row, cell: Cell, from: number, to: number, date: BusinessDate): void => {
    const place = placeOf(rows, row, cell, from, to)
    const tries: [string, boolean][] = [
      [lastLabel(place.before), false],
      [leftLabel(place, rows), false],
      [place.above, true],
    ]
    for (const [label, byHeading] of tries) {
      const meaning = meaningOf(label)
      if (meaning === null) continue
      found.push({ date, place, meaning, label, byHeading })
      return
    }
    found.push({ date, place, meaning: null, label: '', byHeading: false })
  }
  for (const row of rows)
    for (const cell of row.cells) {
      const dates = datesIn(cell.text)
      for (const { date, from, to } of dates) add(row, cell, from, to, date)
      const wrapped = wrappedDate(row, cell, rows, dates)
      if (wrapped) found.push(wrapped)
    }
  return found
}

/** Returns a date that begins at the end of a cell and goes on in the cell below. */
function wrappedDate(
  row: Row,
  cell: Cell,
  rows: readonly Row[],
  dates: readonly FoundDate[],
): Candidate | null {
  if (!/\d{1,2}(?:\s+(?:de|d['’]))?(?:\s+\p{L}{3,10})?(?:\s+de)?$/u.test(cell.text)) return null
  const next = rows[row.index + 1]
  const below =
    next?.page === row.page
      ? next.cells.find(({ box: [x0, , x1] }) => x0 < cell.box[2] && x1 > cell.box[0])
      : undefined
  if (!next || !below) return null
  const joined = `${cell.text} ${below.text}`
  const found = datesIn(joined).find(({ from, to }) => from < cell.text.length && to > cell.text.length + 1)
  if (!found || dates.some(({ to }) => to > found.from)) return null
  const place = placeOf(rows, row, cell, found.from, cell.text.length)
  const label = lastLabel(place.before)
  return {
    date: found.date,
    place: { ...place, box: union([place.box, below.box]) },
    meaning: meaningOf(label),
    label,
    byHeading: false,
  }
}

const YEARS_BACK = 5

function fieldOf(chosen: Candidate | null, rivals: readonly BusinessDate[]): FieldValue<BusinessDate> {
  if (chosen === null) return missing()
  const { date, place, label, byHeading, meaning } = chosen
  const isClear = meaning !== null && rivals.length === 0 && !place.isUncertain
  return {
    value: date,
    level: isClear ? 'read' : 'guess',
    evidence: [
      {
        page: place.row.page,
        box: place.box,
        reason: meaning === null ? 'position' : byHeading ? 'heading' : 'label',
        args: label === '' ? {} : { label: label.slice(0, 60) },
      },
    ],
    rivals: [...rivals],
  }
}

/** Reads the issue and due dates. `today` bounds them: an invoice is not issued in the future. */
export function readDates(
  rows: readonly Row[],
  today: BusinessDate,
): { issueDate: FieldValue<BusinessDate>; dueDate: FieldValue<BusinessDate> } {
  const earliest = `${Number(today.slice(0, 4)) - YEARS_BACK}${today.slice(4)}`
  const all = candidatesIn(rows)
  const possible = all.filter(({ date }) => date <= today && date >= earliest)
  const [issue = null] = ['issue', 'date', null].flatMap((meaning) => {
    const some = possible.filter((each) => each.meaning === meaning)
    // Unlabelled dates of a table of stays or deliveries are no dates of issue unless there is no other.
    return some.slice(0, 1)
  })
  const sameMeaning = issue === null ? [] : possible.filter(({ meaning }) => meaning === issue.meaning)
  const issueRivals = [...new Set(sameMeaning.map(({ date }) => date))].filter((date) => date !== issue?.date)
  const dues = all.filter(({ meaning, date }) => meaning === 'due' && (issue === null || date >= issue.date))
  const [due = null] = dues
  const dueRivals = [...new Set(dues.map(({ date }) => date))].filter((date) => date !== due?.date)
  return { issueDate: fieldOf(issue, issueRivals), dueDate: fieldOf(due, dueRivals) }
}
