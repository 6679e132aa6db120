/** The supplier's number of the document, by its label. Pure. */
import { checkNif } from '../../../domain/tax/nif.ts'
import { lineOf } from '../amounts.ts'
import { missing } from './field-value.ts'
import type { FieldValue } from './field-value.ts'
import { plain } from './labels.ts'
import { headingIn, placeOf } from './places.ts'
import type { Place } from './places.ts'
import { agreed } from './readings.ts'
import type { Read, Readings } from './readings.ts'
import { withoutBlanks } from './rows.ts'
import type { Cell, Row } from './rows.ts'

const N = 'nummer|numero|n|no|num|nume?ro|nro|numero|number|nbr|zk|zenbakia|zkia|nr|núm'
const DOCUMENT =
  'factura|facturas|fra|fact|fac|minuta|invoice|fakturaren|faktura|documento?|document|doc|bill|ticket|tiquet|tique|tiket|recibo|rebut|abono|abonament|rectificativa|rechnung|rechnungs|facture|fatura|avoir|gutschrift|credit note|factura invoice|invoice factura'
const ADJECTIVE =
  'simplificada|simplificado|simplificat|simplif|simpl|sinplifikatua|rectificativa|rectificada|rectificado|zuzentzailea|proforma|electronica|ordinaria|completa|recapitulativa|de venta|de abono|de abonament|de servicios|de compra|invoice|factura|fiscal'

/** Labels by strength; each ends where the number begins. */
const STRONG = new RegExp(
  String.raw`\b(?:${N})(?: (?:de|da|del|do|of))?(?: (?:la|l))? (?:${DOCUMENT})(?: (?:${ADJECTIVE}|${N}))*$|\b(?:${DOCUMENT}|f)(?: (?:${ADJECTIVE}))* (?:${N}|id|ref|serie y numero|serie numero|serie n)$|\b(?:serie y (?:numero|n)|serie (?:numero|n)|serie i (?:numero|num|n)|serie e (?:numero|num)|numero de serie)$`,
)
const PLAIN = new RegExp(
  String.raw`^(?:${DOCUMENT}|f simplificada|f simplif|f simpl|simplificada|nota de credito|simplified invoice)(?: (?:${ADJECTIVE}))*$|\b(?:factura|fra|fact|invoice|faktura)(?: (?:${ADJECTIVE}))*$`,
)
const OF_INVOICE =
  /\b(?:referencia|ref|codigo|codi|identificador|id) (?:de |da |do )?(?:la )?(?:factura|fra|invoice)$/
const NUMBER_ONLY = new RegExp(
  String.raw`^(?:${N}|numero factura|numero n|rechnungsnummer|rechnungsnr|belegnummer|beleg nr)$`,
)
/** Numbers of other things. */
const OTHER =
  /\b(?:pedido|comanda|order|eskaera|albaran|albara|contrato|contracte|contrato|cliente|client|bezero|customer|poliza|polissa|presupuesto|telefono|tel|cuenta|compte|account|registro|tomo|folio|hoja|ref|referencia|mesa|taula|operacion|autorizacion|rectifica|abono de la factura|factura rectificada|factura original|anula|corrige|rectifies|cups|matricula|habitacion|expediente|lote|serie de|bultos|pagina|page|total|importe|import|base)\b/

const VALUE =
  /^[A-Z0-9][A-Z0-9ÑÇ/_.-]*(?: ?[-/] ?[A-Z0-9][A-Z0-9/_.-]*|(?<=[-/]) [A-Z]{0,3}\d[A-Z0-9/_.-]*| \d+)*/i
/** A number in groups: letters or a year, and digits after a blank ("FV 2026 00123"). */
const SPACED =
  /^#?(?:[A-Z]{1,4} (?:\d{1,4}[-/]\d{3,10}|20\d\d[-/]\d{1,10})(?=$|[\s.,;])|(?:[A-Z]{1,4}|[A-Z]{0,3}20\d\d) (?:20\d\d )?\d{2,10}(?=$|[\s.,;])(?! ?[-/.]\d))/
const IS_DATE = /^\d{1,2}([-/.])\d{1,2}\1(?:(?:19|20)\d{2}|\d{2})$/
const IS_AMOUNT = /^-?\d{1,3}(?:\.\d{3})*,\d{2}$|^\d+\.\d{2}$/
/** "Nº" as it is printed and as OCR sees its raised letter: `N*`, `N%`, `Ne`, `n2`, `N”`. */
const NUMERO = /^n\.?[º°ª*?"'”“’‘%&^~2oef9a]{0,2}[.:]{0,3}$/i
/** The end of a label "Invoice ID", as OCR sees it. */
const MISREAD_ID = /^[1l|]D:?$/i
/** A postal code and its town. */
const IS_TOWN = /^\d{5} \p{Lu}?\p{L}{2,}/u

/** The label with "Nº", however it was seen, as "n". */
const withNumero = (text: string): string =>
  text
    .replaceAll('/', ' ')
    .split(' ')
    .map((word) => (NUMERO.test(word) && !/\d\d/.test(word) ? 'n' : MISREAD_ID.test(word) ? 'id' : word))
    .join(' ')

interface Candidate {
  value: string
  place: Place
  label: string
  score: number
  byHeading: boolean
}

/** Tax numbers have marks after the first letter and before the last character only: "B26-1-81586" is none. */
export const isTaxId = (value: string): boolean =>
  /^(?:[A-Z]-?[\d.]{7,10}-?[A-Z\d]|[\d.]{8,10}-?[A-Z])$/i.test(value) && checkNif(value).ok

/** Returns a number at the start of a text; null when it is a date, an amount, a tax number or a word. */
function numberAt(text: string): string | null {
  if (IS_TOWN.test(text)) return null
  const spaced = SPACED.exec(text)?.[0]
  const [first = ''] =
    spaced === undefined
      ? text.split(/(?<![-/])\s+(?![-/]\s?[A-Z0-9])|(?<=[-/])\s+(?![A-Z]{0,3}\d)/)
      : [spaced]
  if (NUMERO.test(first)) return null
  const token = first.replace(/^[^\p{L}\p{N}]+/u, '').replace(/[.,:;/_*-]+$/, '')
  const [value = ''] = VALUE.exec(token) ?? []
  if (value !== token) return null
  if (!/\d/.test(value) || value.length > 40) return null
  if (MISREAD_ID.test(value)) return null
  if (value.length < 2 && !/^\d$/.test(value)) return null
  if (IS_DATE.test(value) || IS_AMOUNT.test(value) || isTaxId(value)) return null
  return value
}

/** Joins a number that goes on in the next row after a hyphen or a slash. */
function continued(value: string, cellText: string, row: Row, cell: Cell, rows: readonly Row[]): string {
  const text = cellText.trim()
  const next = rows[row.index + 1]
  if (!next || next.page !== row.page || next.box[1] - row.box[3] > row.height) return value
  const below = next.cells.find(({ box }) => box[0] < cell.box[2] && box[2] > cell.box[0])
  if (!below) return value
  if (/[-/]$/.test(text)) {
    const rest = /^[A-Z0-9/_.]+(?:- ?[A-Z0-9/_.]+)*/i.exec(below.text)?.[0]
    return rest && /\d/.test(rest) && !IS_DATE.test(rest) ? `${value}${text.slice(-1)}${rest}` : value
  }
  // A row that begins with the mark goes on with the number above it.
  if (!text.endsWith(value) || Math.abs(below.box[0] - cell.box[0]) > row.height * 4) return value
  const rest = /^[-/][A-Z0-9]+(?:[-/][A-Z0-9]+)*$/i.exec(below.text)?.[0]
  return rest && /\d/.test(rest) ? value + rest : value
}

/** OCR takes the last capital of a prefix for a small letter, "Cl0073", and sees blanks after a mark, "2026- T1- 06". */
const mendedNumber = (value: string, { source }: Row): string =>
  source === 'ocr'
    ? value.replace(/^([A-Z]{1,3})l(?=[\d-])/, '$1I').replace(/(?<=[-/]) (?=[A-Z\d])/g, '')
    : value

function strengthOf(label: string): number {
  const bare = plain(label)
  if (OF_INVOICE.test(bare)) return 2.5
  if (bare === '' || OTHER.test(bare)) return 0
  if (STRONG.test(bare)) return 3
  if (NUMBER_ONLY.test(bare)) return 2
  return PLAIN.test(bare) ? 1.8 : 0
}

/** The last words of a label that could name a number. */
const labelEnd = (text: string): string => plain(withNumero(text)).split(' ').slice(-6).join(' ')

function candidatesIn(rows: readonly Row[]): Candidate[] {
  const found: Candidate[] = []
  const add = (
    row: Row,
    cell: Cell,
    from: number,
    label: string,
    score: number,
    byHeading: boolean,
  ): boolean => {
    const text = cell.text.slice(from)
    const value = numberAt(text)
    if (value === null) return false
    const whole = mendedNumber(continued(value, text, row, cell, rows), row)
    const place = placeOf(rows, row, cell, from, from + value.length)
    found.push({ value: whole, place, label, score: score - weakness(value, text, byHeading), byHeading })
    return true
  }
  for (const row of rows)
    row.cells.forEach((cell, at) => {
      // Within the cell, at each word.
      for (const start of cell.starts.slice(1)) {
        const label = labelEnd(cell.text.slice(0, start))
        const strength = strengthOf(label)
        if (strength > 0 && add(row, cell, start, cell.text.slice(0, start), strength, false)) break
      }
      const left = row.cells[at - 1]
      if (left) {
        const strength = strengthOf(labelEnd(left.text))
        if (strength > 0) add(row, cell, 0, left.text, strength, false)
      }
      // Under a heading: of the row above, or of one a little higher.
      for (const above of headingsOver(cell, row, rows)) {
        const strength = strengthOf(labelEnd(above))
        if (strength > 0 && add(row, cell, 0, above, strength - 0.5, true)) break
      }
    })
  return found
}

/** What speaks against a value: small letters, one or two digits under a heading, more words beside it. */
function weakness(value: string, text: string, byHeading: boolean): number {
  const isShort = /^\d{1,2}$/.test(value)
  const rest = text.slice(text.indexOf(value) + value.length)
  return (
    (/[a-z]/.test(value) ? 0.2 : 0) +
    (byHeading && isShort ? 1 : 0) +
    (byHeading && /\p{L}{3}/u.test(rest) && !/\d{1,2}[-/.]\d/.test(rest) ? 0.5 : 0)
  )
}

/** Box of the first word of a cell. */
const boxOfValue = (cell: Cell): Cell['box'] => cell.words[0]?.box ?? cell.box

const MAX_ABOVE = 4

/** Returns the texts above a cell, nearest first, up to one that is a value itself. */
function headingsOver(cell: Cell, row: Row, rows: readonly Row[]): string[] {
  const found: string[] = []
  for (let index = row.index - 1; index >= 0 && found.length < MAX_ABOVE; index--) {
    const above = rows[index]
    if (!above || above.page !== row.page || row.box[1] - above.box[1] > 5 * row.height) break
    const direct = headingIn(above, boxOfValue(cell), row)
    const heading = direct ?? headingIn(above, cell.box, row)
    if (!heading) continue
    found.push(heading.text)
    if (direct && numberAt(direct.cell.text) !== null) break
  }
  return found
}

const CLEAR_SCORE = 1.2

/** Characters that OCR takes for each other: everywhere, and beside a letter, where a digit may be one. */
const AMBIGUOUS = /[IlO]|[A-Z]1|1[A-Z]|[A-Z]0[A-Z]/

/** Reads the document's number in the rows of one reading. */
function readIn(rows: readonly Row[]): Read<string> {
  const found = candidatesIn(rows)
  // The blanks of a ticket may part "FRA. SIMPL." from its number, and the number.
  const candidates = found.length > 0 ? found : candidatesIn(rows.map((row) => withoutBlanks(row) ?? row))
  const ranked = candidates.toSorted((a, b) => b.score - a.score || a.place.row.index - b.place.row.index)
  const [best] = ranked
  const value = best ? lineOf(best.value, MAX_NUMBER) : null
  if (!best || value === null) return { field: missing(), certainty: 0 }
  const others = ranked.filter(({ value: other, score }) => other !== best.value && best.score - score < 0.6)
  const rivals = [...new Set(others.map((each) => each.value))].slice(0, 5)
  const isClear =
    rivals.length === 0 &&
    best.score >= CLEAR_SCORE &&
    !best.place.isUncertain &&
    (best.place.row.source === 'text' || !AMBIGUOUS.test(value))
  return {
    // A single digit is often a piece of the number.
    certainty: best.score + best.place.conf / 50 + Math.min(value.length, 6) / 5,
    field: {
      value,
      level: isClear ? 'read' : 'guess',
      evidence: [
        {
          page: best.place.row.page,
          box: best.place.box,
          reason: best.byHeading ? 'heading' : 'label',
          args: { label: best.label.slice(-60) },
        },
      ],
      rivals,
    },
  }
}

const MAX_NUMBER = 60

/** A form in which letters and digits that OCR takes for each other are one. */
const merged = (number: string): string =>
  number.toUpperCase().replace(/[IL|]/g, '1').replace(/[OQD]/g, '0').replace(/S/g, '5').replace(/B/g, '8')

/**
 * Returns which of two numbers that differ only in such characters is likelier by the others: a prefix is of letters, and
 * a run of digits is of digits. Higher is likelier.
 */
function likelihood(number: string): number {
  const prefix = /^[A-Za-z]*/.exec(number)?.[0] ?? ''
  const mixed = (number.match(/[A-Za-z]\d(?=[A-Za-z])|\d[A-Za-z](?=\d)/g) ?? []).length
  // "P1264…" is hardly a letter and a long number: prefixes have two letters or more, or none.
  const isSplitPrefix = prefix.length === 1 && /^[A-Za-z][01]\d{8,}$/.test(number)
  return -mixed - (isSplitPrefix ? 1 : 0) - (/[a-z]/.test(number) ? 1 : 0)
}

/** Reads the document's number. Readings that differ leave it a guess; the shape may rank them. */
export function readNumber({ each, merged: rows }: Readings): FieldValue<string> {
  const reads = each.map(readIn)
  const [first, second] = reads.map(({ field }) => field.value)
  if (first && second && first !== second && merged(first) === merged(second)) {
    const by = likelihood(first) - likelihood(second)
    if (by !== 0) for (const [index, read] of reads.entries()) read.certainty += index === 0 ? by : -by
  }
  return agreed(reads, each.length > 1 ? readIn(rows) : null)
}
