/** The supplier's number of the document, by its label. Pure. */
import { checkNif } from '../../../domain/tax/nif.ts'
import { lineOf } from '../amounts.ts'
import { missing } from './field-value.ts'
import type { FieldValue } from './field-value.ts'
import { plain } from './labels.ts'
import { placeOf } from './places.ts'
import type { Place } from './places.ts'
import type { Cell, Row } from './rows.ts'

/** Labels by strength; each ends where the number begins. */
const STRONG =
  /\b(?:n|no|num|nume?ro?|numero|number|nbr|zk|zenbakia|zkia|nr)(?: (?:de|da|del|de la|of))? (?:factura|fra|fact|invoice|documento?|document|faktura|tiquet|ticket|tique|recibo|rebut|abono|abonament)(?: (?:simplificada|simplificado|rectificativa|rectificada|proforma|n|no|num|numero))*$|\b(?:factura|fra|fact|invoice|fakturaren|faktura|documento?|document|ticket|tiquet|tique|recibo|rebut|credit note|abono|rectificativa)(?: (?:simplificada|simplificado|sinplifikatua|simplificat|rectificativa|de abono|de abonament|invoice|factura))* (?:n|no|num|numero|number|nbr|zk|zenbakia|zkia|nr|id|ref|serie y numero|serie numero)$|\b(?:serie y numero|serie numero|serie i numero|numero de serie)$/
const PLAIN =
  /^(?:factura|fra|invoice|faktura|factura invoice|invoice factura|documento|document|factura simplificada|fra simplificada|f simplificada|fact simplificada|simplificada|tiquet|ticket|tique|abono|abonament|factura rectificativa|rectificativa|nota de credito|credit note|recibo|rebut|factura simplificada invoice|simplified invoice)(?: (?:simplificada|rectificativa))?$|\b(?:factura|fra|fact|invoice|faktura)(?: (?:simplificada|rectificativa|simplificat|sinplifikatua))?$/
const NUMBER_ONLY = /^(?:n|no|num|numero|number|nº|zenbakia|zk|nr|numero factura|numero n)$/
/** Numbers of other things. */
const OTHER =
  /\b(?:pedido|comanda|order|eskaera|albaran|albara|contrato|contracte|contrato|cliente|client|bezero|customer|poliza|polissa|presupuesto|telefono|tel|cuenta|compte|account|registro|tomo|folio|hoja|ref|referencia|mesa|taula|operacion|autorizacion|rectifica|abono de la factura|factura rectificada|factura original|anula|corrige|rectifies|cups|matricula|habitacion|expediente|lote|serie de|bultos|pagina|page|total|importe|import|base)\b/

const VALUE = /^[A-Z0-9][A-Z0-9ÑÇ/_.-]*(?: ?[-/] ?[A-Z0-9][A-Z0-9/_.-]*)*/i
const IS_DATE = /^\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}$/
const IS_AMOUNT = /^-?\d{1,3}(?:\.\d{3})*,\d{2}$|^\d+\.\d{2}$/

interface Candidate {
  value: string
  place: Place
  label: string
  score: number
  byHeading: boolean
}

/** Returns a number at the start of a text; null when it is a date, an amount, a tax number or a word. */
function numberAt(text: string): string | null {
  const [first = ''] = text.split(/\s+(?![-/]\s?[A-Z0-9])/)
  const token = first.replace(/^[#:]+/, '').replace(/[.,:;/_-]+$/, '')
  const [value = ''] = VALUE.exec(token) ?? []
  if (value !== token) return null
  if (!/\d/.test(value) || value.length > 40) return null
  if (value.length < 2 && !/^\d$/.test(value)) return null
  if (IS_DATE.test(value) || IS_AMOUNT.test(value) || checkNif(value).ok) return null
  return value
}

/** Joins a number that goes on in the next row after a hyphen or a slash. */
function continued(value: string, cellText: string, row: Row, cell: Cell, rows: readonly Row[]): string {
  if (!/[-/]$/.test(cellText.trim())) return value
  const next = rows[row.index + 1]
  const below =
    next?.page === row.page
      ? next.cells.find(({ box }) => box[0] < cell.box[2] && box[2] > cell.box[0])
      : undefined
  const rest = below ? /^[A-Z0-9/_.-]+/i.exec(below.text)?.[0] : undefined
  const mark = cellText.trim().slice(-1)
  return rest && /\d/.test(rest) ? `${value}${mark}${rest}` : value
}

function strengthOf(label: string): number {
  const bare = plain(label)
  if (bare === '' || OTHER.test(bare)) return 0
  if (STRONG.test(bare)) return 3
  if (NUMBER_ONLY.test(bare)) return 2
  return PLAIN.test(bare) ? 1.8 : 0
}

/** The last words of a label that could name a number. */
const labelEnd = (text: string): string => plain(text.replaceAll('/', ' ')).split(' ').slice(-6).join(' ')

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
    const whole = continued(value, text, row, cell, rows)
    const place = placeOf(rows, row, cell, from, from + value.length)
    found.push({ value: whole, place, label, score, byHeading })
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
      for (const above of cellsAbove(cell, row, rows)) {
        const strength = strengthOf(labelEnd(above.text))
        if (strength > 0 && add(row, cell, 0, above.text, strength - 0.5, true)) break
      }
    })
  return found
}

const MAX_ABOVE = 4

/** Returns the cells above a cell, nearest first, up to one that is a value itself. */
function cellsAbove(cell: Cell, row: Row, rows: readonly Row[]): Cell[] {
  const found: Cell[] = []
  for (let index = row.index - 1; index >= 0 && found.length < MAX_ABOVE; index--) {
    const above = rows[index]
    if (!above || above.page !== row.page || row.box[1] - above.box[1] > 5 * row.height) break
    const over = above.cells.find(({ box }) => box[0] < cell.box[2] && box[2] > cell.box[0])
    if (!over) continue
    found.push(over)
    if (numberAt(over.text) !== null) break
  }
  return found
}

const CLEAR_SCORE = 1.2

/** Characters that OCR takes for each other. */
const AMBIGUOUS = /[IlO]/

/** Reads the document's number. */
export function readNumber(rows: readonly Row[]): FieldValue<string> {
  const candidates = candidatesIn(rows)
  const ranked = candidates.toSorted((a, b) => b.score - a.score || a.place.row.index - b.place.row.index)
  const [best] = ranked
  if (!best) return missing()
  const value = lineOf(best.value, 60)
  if (value === null) return missing()
  const others = ranked.filter(({ value: other, score }) => other !== best.value && best.score - score < 0.6)
  const rivals = [...new Set(others.map((each) => each.value))].slice(0, 5)
  const isClear =
    rivals.length === 0 &&
    best.score >= CLEAR_SCORE &&
    !best.place.isUncertain &&
    (best.place.row.source === 'text' || !AMBIGUOUS.test(value))
  return {
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
  }
}
