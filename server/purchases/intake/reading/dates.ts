/** Dates of a document, by the words before and above them. Pure. */
import { addDays, isBusinessDate } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { dayOfPrinted, dayOfText } from '../amounts.ts'
import { missing } from './field-value.ts'
import type { FieldValue } from './field-value.ts'
import { plain } from './labels.ts'
import { placeOf } from './places.ts'
import type { Place } from './places.ts'
import { agreed } from './readings.ts'
import type { Read, Readings } from './readings.ts'
import { union } from './rows.ts'
import type { Cell, Row } from './rows.ts'

const MONTHS: readonly RegExp[] = [
  /^(?:ene|gen|jan|xan|urt)/, /^(?:feb|febr|ots)/, /^(?:mar(?!tx\w*x)|marc|marz|mart)/, /^(?:abr|apr|api)/,
  /^(?:may|mai|maig|maia|maio)/, /^(?:jun|juny|xun|eka)/, /^(?:jul|juliol|xul|uzt)/, /^(?:ago|aug|abu)/,
  /^(?:sep|set|ira)/, /^(?:oct|out|urr)/, /^(?:nov|aza)/, /^(?:dic|des|dec|abe|dez)/,
] // prettier-ignore

/** A letter before it may be its first digit, misread: "I5/06/2026" is not the fifth. */
const NUMERIC = /(?<![\d/.OoIlSB-])(\d{1,2}\s?[-/.]\s?\d{1,2}\s?[-/.]\s?(?:\d{4}|\d{2}))(?![\d]|[-/.]\d)/g
const ISO = /(?<![\d/.-])((?:19|20)\d{2}[-/.]\d{2}[-/.]\d{2})(?!\d|[-/.]\d)/g
/** "12 de junio de 2026", "12-jun-2026", "3 d'abril de 2026", "3r de maig del 2026". `\p{L}` with `i` is slow. */
const DAY_FIRST =
  /(?<!\d)(\d{1,2})(?:º|r|n|t|th|st|nd|rd)?[\s./-]+(?:[dD][eE]\s+|[dD]['’]\s?|of\s+)?(\p{L}{3,10})\.?[\s./,-]+(?:[dD][eE][lL]?\s+|[dD][oO]\s+)?(\d{4}|\d{2})(?!\d)/gu
/** "September 3, 2026" and "2026ko irailaren 3a". */
const MONTH_FIRST = /(?<!\p{L})(\p{L}{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:,\s*|\s+)(\d{4})(?!\d)/gu
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
  /** True when letters were taken for digits, or a mark between the numbers was missing. */
  isRepaired?: boolean
}

const TWO_GROUPS = /\d\D{1,24}\d/

/** A date in which OCR saw letters for digits: "O2/1O/2026". */
const WITH_LETTERS =
  /(?<![\p{L}\d])[\dOolI]{1,2}[-/.][\dOolI]{1,2}[-/.](?:[\dOolI]{4}|[\dOolI]{2})(?![\p{L}\d])/gu
/** A date without one of its marks: "2211-2026", "22/112026". */
const WITHOUT_MARK = /(?<![\d/.,-])(?:(\d{2})(\d{2})[-/.](20\d{2})|(\d{2})[-/.](\d{2})(20\d{2}))(?![\d/.,-])/g

/** A letter for the first of a month that is written in words: "2026ko maiatzaren la", "l de mayo de 2026". */
const LETTER_FOR_ONE = /(?<![\p{L}\d])[lI|](?=a(?![\p{L}\d])|\s+de\s+\p{L})/gu

/** Returns the dates that OCR misread in a text and that can be meant in one way only. */
function repairedDatesIn(text: string): FoundDate[] {
  const withOnes = text.replace(LETTER_FOR_ONE, '1')
  const found: FoundDate[] = withOnes === text ? [] : datesIn(withOnes)
  for (const date of found) date.isRepaired = true
  for (const match of text.matchAll(WITH_LETTERS)) {
    if (!/[OolI]/.test(match[0]) || !/\d/.test(match[0])) continue
    const date = dayOfPrinted(match[0].replace(/[Oo]/g, '0').replace(/[lI]/g, '1'))
    if (date !== null)
      found.push({ date, from: match.index, to: match.index + match[0].length, isRepaired: true })
  }
  for (const match of text.matchAll(WITHOUT_MARK)) {
    const day = match[1] ?? match[4] ?? ''
    const month = match[2] ?? match[5] ?? ''
    const date = dayOfText(`${match[3] ?? match[6]}-${month}-${day}`)
    if (date !== null)
      found.push({ date, from: match.index, to: match.index + match[0].length, isRepaired: true })
  }
  return found
}

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
  /\b(?:pedido|comanda|order|period\w*|servicio|servei|estancia|llegada|arribada|salida|sortida|arrival|departure|check|entrega|lliurament|delivery|albaran|albara|operacio\w*|nacimiento|alta|contrato|contracte|contract|desde|hasta|del|from|lectura|inicio|fin|oferta|inscrita|poliza|efecto|consumo|rectificada?|original|valor|ultim[oa]|anterior|operacao|operation|lieferdatum|leistung\w*|livraison|entrega|berichtigt|rectifie)\b/
const DUE =
  /\b(?:venc\w*|vto|vcto|v[il]t?o|vence|venc|cargo|cargara|carregara|carrec|cobr\w*|cobrament|cobrara|due|pagar antes|abans del?|before|pagadero|limite de pago|limit de pagament|pago|pagament|payment|payable by|iraungi\w*|epemuga|muga eguna|mugaeguna|ordainketa data|adeudo|echeance|faellig\w*|fallig\w*|zahlbar bis|a payer avant|vencimento)\b/
const ISSUE =
  /\b(?:fecha (?:de )?(?:la )?(?:factura|fra|emision|expedicion|documento|ticket)|emitid[oa]|expedid[oa]|emes[ao]|emes|emitit|emision|expedicion|emissio|expedicio|emision|emisio|factura fecha|(?:data|date) (?:de )?(?:la |l |d )?(?:factura|emissio|expedicio|emision|issue|issued)|invoice date|date of issue|issue date|issued|jaulkipen\w*|igorpen\w*|data da factura|faktura\w* data|facturacion|dated|ausstellungsdatum|rechnungsdatum|belegdatum|date d emission|date de facture|data de emissao)\b/
const DATE = /\b(?:fecha|data|date|datum|dia|eguna|fra|factura|f)\b/

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

/** "En Zaragoza, a": place and date of the signature. */
const DATED_AT = /^(?:en\s+)?\p{Lu}[^\d,:]{2,40},(?:\s+(?:a|el|a d[ií]a))?$/iu

interface Candidate {
  date: BusinessDate
  place: Place
  meaning: Meaning
  label: string
  byHeading: boolean
  isRepaired: boolean
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
  const add = (row: Row, cell: Cell, { from, to, date, isRepaired = false }: FoundDate): void => {
    const place = placeOf(rows, row, cell, from, to)
    const tries: [string, boolean][] = [
      [lastLabel(place.before), false],
      [leftLabel(place, rows), false],
      [place.above, true],
    ]
    for (const [label, byHeading] of tries) {
      const meaning = meaningOf(label)
      if (meaning === null) continue
      found.push({ date, place, meaning, label, byHeading, isRepaired })
      return
    }
    const isDated = DATED_AT.test(place.before)
    const label = isDated ? place.before : ''
    found.push({ date, place, meaning: isDated ? 'date' : null, label, byHeading: false, isRepaired })
  }
  for (const row of rows)
    for (const cell of row.cells) {
      const dates = datesIn(cell.text)
      for (const date of dates) add(row, cell, date)
      if (row.source === 'ocr' && dates.length === 0)
        for (const date of repairedDatesIn(cell.text)) add(row, cell, date)
      const wrapped = wrappedDate(row, cell, rows, dates)
      if (wrapped) found.push(wrapped)
    }
  return found.map((each) => (isInColumn(each, found) ? { ...each, meaning: 'other' } : each))
}

/** True for a date of a column with several: stays, deliveries or movements, under a heading that says only "Fecha". */
function isInColumn(
  { place, meaning, byHeading, label, date }: Candidate,
  all: readonly Candidate[],
): boolean {
  if (!byHeading || meaning !== 'date') return false
  return all.some(
    (other) =>
      other.byHeading &&
      other.label === label &&
      other.place.row !== place.row &&
      (other.date !== date || all.length > 2) &&
      Math.abs(other.place.box[0] - place.box[0]) < place.row.height,
  )
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
    isRepaired: false,
  }
}

const YEARS_BACK = 5

function readOf(chosen: Candidate | null, rivals: readonly BusinessDate[]): Read<BusinessDate> {
  if (chosen === null) return { field: missing(), certainty: 0 }
  const { date, place, label, byHeading, meaning, isRepaired } = chosen
  const isClear = meaning !== null && rivals.length === 0 && !place.isUncertain && !isRepaired
  return {
    certainty: (meaning === null ? 0 : 1) + (isRepaired ? 0 : 1) + place.conf / 100,
    field: {
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
    },
  }
}

/** "a 30 días", "30 días fecha factura", "30 dies", "30 egun", "net 30", "30 days net". */
const DAYS =
  /(?<![\d/,.-])(?:(\d{1,3})\s*(?:d[ií]as?|dies|d\/f|d\.f\.?|dd|egun\w*|days?)(?!\p{L})|\bnet\s+(\d{1,3})\b(?!\s*(?:€|eur|[.,]\d)))/giu
/** Words of a row that states the terms of payment. */
const TERMS =
  /\b(?:venc\w*|vto|vcto|forma de pag\w*|forma pag\w*|formas? de cobro|condicions? (?:de )?pag\w*|condiciones (?:de )?pag\w*|condiciones|plazo de pago|termini de pagament|prazo de pago|pago|pagament|pagadero|transferencia|giro|recibo|domicili\w*|confirming|pagare|payment|payable|terms|due|net|ordainketa\w*|epea|epemuga|fecha (?:de )?factura|data (?:de )?factura|f f|dias vista)\b/
/** Days of something else. */
const OTHER_DAYS =
  /\b(?:devoluc\w*|garant\w*|oferta|valid\w*|reclam\w*|desist\w*|cancel\w*|entrega|interes\w*|demora|recargo|preaviso|estancia|alquiler|consumo|periodo|stock|return|refund|warranty|lliurament)\b/
const MAX_TERM_DAYS = 180
/** Rows with more words are clauses. */
const MAX_TERM_WORDS = 16

/** Returns the due date that a printed term makes of the issue date: "a 30 días". It is calculated, so never proven. */
function dueByTerm(rows: readonly Row[], issue: Candidate | null): Read<BusinessDate> {
  const none: Read<BusinessDate> = { field: missing(), certainty: 0 }
  if (issue === null) return none
  const terms: { days: number; row: Row; cell: Cell }[] = []
  for (const row of rows)
    for (const [at, cell] of row.cells.entries()) {
      const bare = plain(`${row.cells[at - 1]?.text ?? ''} ${cell.text}`)
      const isStated =
        TERMS.test(bare) || /^(?:a )?\d{1,3} (?:dias|dies|egun\w*|days)(?: |$)/.test(plain(cell.text))
      if (!isStated || OTHER_DAYS.test(bare) || bare.split(' ').length > MAX_TERM_WORDS) continue
      for (const match of cell.text.matchAll(DAYS)) {
        const days = Number(match[1] ?? match[2])
        if (days > 0 && days <= MAX_TERM_DAYS) terms.push({ days, row, cell })
      }
      // "30/60/90 días": the first part is due first.
      for (const match of cell.text.matchAll(/(?<![\d/])(\d{2,3}(?:\s?[/,-]\s?\d{2,3})+)\s*d[ií]as?/giu))
        for (const days of (match[1] ?? '').split(/\D+/).map(Number)) terms.push({ days, row, cell })
    }
  const dates = [...new Set(terms.map(({ days }) => days))]
    .toSorted((a, b) => a - b)
    .map((days) => addDays(issue.date, days))
  const [term] = terms.toSorted((a, b) => a.days - b.days)
  const [date, ...rivals] = dates
  if (!term || date === undefined) return none
  const isClear =
    rivals.length === 0 && issue.meaning !== null && !issue.place.isUncertain && !issue.isRepaired
  return {
    certainty: 0.5,
    field: {
      value: date,
      level: isClear ? 'read' : 'guess',
      evidence: [
        {
          page: term.row.page,
          box: term.cell.box,
          reason: 'words',
          args: { text: term.cell.text.slice(0, 80), days: String(term.days) },
        },
      ],
      rivals,
    },
  }
}

function readIn(
  rows: readonly Row[],
  today: BusinessDate,
): { issue: Read<BusinessDate>; due: Read<BusinessDate> } {
  const earliest = `${Number(today.slice(0, 4)) - YEARS_BACK}${today.slice(4)}`
  const all = candidatesIn(rows)
  const possible = all.filter(({ date }) => date <= today && date >= earliest)
  const [issue = null] = ['issue', 'date', null].flatMap((meaning) => {
    const some = possible.filter((each) => each.meaning === meaning)
    // Unlabelled dates of a table of stays or deliveries are no dates of issue unless there is no other.
    return some.slice(0, 1)
  })
  const sameMeaning = issue === null ? [] : possible.filter(({ meaning }) => meaning === issue.meaning)
  // A column lower down says less than a label.
  const alike = sameMeaning.filter(({ byHeading }) => !byHeading || issue?.byHeading)
  const issueRivals = [...new Set(alike.map(({ date }) => date))].filter((date) => date !== issue?.date)
  const dues = all.filter(({ meaning, date }) => meaning === 'due' && (issue === null || date >= issue.date))
  const [due = null] = dues
  const dueRivals = [...new Set(dues.map(({ date }) => date))].filter((date) => date !== due?.date)
  return {
    issue: readOf(issue, issueRivals),
    due: due === null ? dueByTerm(rows, issue) : readOf(due, dueRivals),
  }
}

/** Reads the issue and due dates. `today` bounds them: an invoice is not issued in the future. */
export function readDates(
  { each, merged }: Readings,
  today: BusinessDate,
): { issueDate: FieldValue<BusinessDate>; dueDate: FieldValue<BusinessDate> } {
  const reads = each.map((rows) => readIn(rows, today))
  const both = each.length > 1 ? readIn(merged, today) : null
  const issueDate = agreed(
    reads.map(({ issue }) => issue),
    both?.issue ?? null,
  )
  const dueDate = agreed(
    reads.map(({ due }) => due),
    both?.due ?? null,
  )
  // A reading that took another date of issue may hold a due date before it.
  const isBefore = dueDate.value !== null && issueDate.value !== null && dueDate.value < issueDate.value
  return { issueDate, dueDate: isBefore ? missing() : dueDate }
}
