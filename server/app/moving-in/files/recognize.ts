/** Recognizes what a table is, by its titles, the names of file and sheet, and its first rows. */
import type { FileRow } from '../../../platform/spreadsheets/cells.ts'
import { textOf } from '../../../platform/spreadsheets/values.ts'
import { findBook } from './books/layout.ts'
import { isInvoiceList, listKinds, mapTitles, NotationGuess } from './lists/mapping.ts'
import type { Mapping } from './lists/mapping.ts'
import type { ListSide } from './lists/fields.ts'
import { presetMapping, presetsFor } from './presets/find.ts'
import type { Preset } from './presets/preset.ts'
import { foldedTitle } from './titles.ts'
import type { FileContent, Recognition, TableColumn, TableRef } from './types.ts'

/** Rows that are looked at. */
export const HEAD_ROWS = 60
const HEADER_WITHIN = 25
const SAMPLES = 3
const SAMPLE_LENGTH = 80

/** Titles, folded, of which each group must have one. */
interface TitleRule {
  content: FileContent
  needs: readonly (readonly string[])[]
  /** Further titles that make it surer. */
  also: readonly string[]
  /** Titles that another kind of table has. */
  not: readonly string[]
}

const words = (text: string): string[] => text.split('|').map(foldedTitle)
const rule = (content: FileContent, needs: readonly string[], also = '', not = ''): TitleRule => ({
  content,
  needs: needs.map(words),
  also: also === '' ? [] : words(also),
  not: not === '' ? [] : words(not),
})

const ACCOUNT =
  'cuenta|subcuenta|codigo cuenta|cuenta contable|subcta|n cuenta|num cuenta|account|account code|codigo'
const AMOUNT_DUE =
  'pendiente|importe pendiente|saldo pendiente|pendiente de cobro|pendiente de pago|amount due|open amount'

/** In this order: the first that fits with most titles. */
const RULES: readonly TitleRule[] = [
  rule(
    'journal',
    [
      'asiento|asien|num asiento|n asiento|numero asiento|journal entry',
      ACCOUNT,
      'debe|ptadebe|eurodebe|debit|importe|cargo abono|importe asiento',
    ],
    'haber|fecha|concepto|contrapartida|contra|documento|eurohaber|fecha asiento',
  ),
  rule(
    'trial_balance',
    [
      ACCOUNT,
      'saldo|saldo deudor|saldo acreedor|deudor|acreedor|saldo final|balance|sumas debe|suma debe|debe|debit',
    ],
    'descripcion|nombre|titulo|debe|haber|sumas haber|saldo inicial|apertura',
    'asiento|fecha|iban|numero de factura|n factura',
  ),
  rule(
    'assets',
    [
      'valor adquisicion|valor de adquisicion|precio de adquisicion|coste|valor compra|importe adquisicion',
      'descripcion|elemento|bien|nombre|inmovilizado|descripcion del bien',
    ],
    'amortizacion acumulada|fecha adquisicion|fecha de adquisicion|porcentaje|% amortizacion|vida util|cuota amortizacion|coeficiente|fecha compra|dotacion',
  ),
  rule(
    'bank_balances',
    ['banco|entidad|cuenta bancaria|iban|bank', 'saldo|saldo actual|saldo final|balance'],
    'fecha|titular|divisa',
  ),
  rule(
    'receivable',
    [
      'cliente|customer|nombre cliente|deudor',
      AMOUNT_DUE,
      'numero|n factura|factura|documento|num factura|numero de factura|number',
    ],
    'vencimiento|fecha vencimiento|fecha de vencimiento|fecha|total|importe',
    'base imponible|base|subtotal|% iva|cuota iva',
  ),
  rule(
    'payable',
    [
      'proveedor|acreedor|supplier|vendor',
      AMOUNT_DUE,
      'numero|n factura|factura|documento|num factura|numero de factura|number',
    ],
    'vencimiento|fecha vencimiento|fecha de vencimiento|fecha|total|importe',
    'base imponible|base|subtotal|% iva|cuota iva',
  ),
  rule(
    'items',
    [
      'articulo|producto|servicio|nombre|descripcion|name|product|denominacion',
      'precio|pvp|precio venta|precio de venta|tarifa|unit price|sale price|precio sin iva|price',
    ],
    'referencia|codigo|sku|stock|familia|iva|% iva|coste|unidad|codigo de barras',
    'fecha|date|numero de factura|n factura|nif|cif',
  ),
  rule(
    'contacts',
    [
      'nombre|razon social|nombre fiscal|cliente|proveedor|name|nombre o razon social|contacto|empresa',
      'nif|cif|nif cif|cif nif|dni|vat|tax id|vat number',
      'direccion|domicilio|email|correo|telefono|poblacion|codigo postal|address|phone|e mail|cp',
    ],
    'provincia|pais|movil|iban|web|forma de pago',
    'fecha de factura|fecha factura|base imponible|numero de factura|n factura|total factura',
  ),
  rule(
    'accounts',
    [ACCOUNT, 'nombre|titulo|descripcion|denominacion|name'],
    'nif|grupo|nivel|tipo',
    'fecha|precio|iban|saldo|email',
  ),
]

const ISSUED_WORDS =
  /\b(emitid|expedid|venta|ventas|ingreso|ingresos|sales|issued|clientes?|repercutid|ivr|cobros?|customers?)/
const RECEIVED_WORDS =
  /\b(recibid|compra|compras|gasto|gastos|purchase|purchases|received|bills?|proveedor|proveedores|acreedor|soportad|ivs|vendors?|suppliers?)/
const ISSUED_TITLES = new Set(
  words(
    'cliente|nombre cliente|nombre del cliente|destinatario|nombre destinatario|nif destinatario|nif cliente|customer|customer name|billing name|iva repercutido|cuota repercutida|cobrado|pendiente de cobro|importe cobrado|estado cobro',
  ),
)
const RECEIVED_TITLES = new Set(
  words(
    'proveedor|nombre proveedor|nombre del proveedor|acreedor|expedidor|nombre expedidor|emisor|nif proveedor|nif expedidor|nif emisor|supplier|supplier name|vendor|iva soportado|cuota soportada|cuota deducible|iva deducible|pendiente de pago|fecha recepcion|numero recepcion|fecha de recepcion',
  ),
)

/** Returns the side that titles and names speak for; null if none. */
function sideOf(titles: readonly string[], nameOfFile: string, sheet: string | null): ListSide | null {
  const count = (set: ReadonlySet<string>) => titles.filter((title) => set.has(title)).length
  const difference = count(ISSUED_TITLES) - count(RECEIVED_TITLES)
  if (difference !== 0) return difference > 0 ? 'issued' : 'received'
  for (const text of [foldedTitle(sheet ?? ''), foldedTitle(nameOfFile)]) {
    const [isIssued, isReceived] = [ISSUED_WORDS.test(text), RECEIVED_WORDS.test(text)]
    if (isIssued !== isReceived) return isIssued ? 'issued' : 'received'
  }
  return null
}

const VENDOR_KIND = /vendor|in invoice|in refund|proveedor|supplier|bill/

/** Returns true if the rows of a table are purchases: their kind says so, or all their signed amounts are negative. */
function arePurchases(preset: Preset, mapping: Mapping, rows: readonly FileRow[]): boolean {
  const cells = (field: string) =>
    rows.flatMap(({ cells: row }) => {
      const at = mapping[field]
      const text = at === undefined ? '' : textOf(row[at] ?? null)
      return text === '' ? [] : [text]
    })
  const kinds = cells('kind')
  if (kinds.length > 0) return kinds.every((kind) => VENDOR_KIND.test(foldedTitle(kind)))
  const bases = cells('base')
  return preset.id.startsWith('odoo') && bases.length > 0 && bases.every((base) => /^[-(]/.test(base.trim()))
}

function choosePreset(
  titles: readonly string[],
  rows: readonly FileRow[],
  side: ListSide | null,
): Preset | undefined {
  const found = presetsFor(titles)
  const most = found[0]?.needs.length ?? 0
  const best = found.filter(({ needs }) => needs.length === most)
  const [first] = best
  if (!first || best.every((preset) => preset.side === first.side)) return first
  const wanted: ListSide = arePurchases(first, presetMapping(first, titles), rows)
    ? 'received'
    : (side ?? 'issued')
  return best.find((preset) => preset.side === wanted) ?? first
}

function columnsOf(titles: readonly string[], rows: readonly FileRow[]): TableColumn[] {
  const width = Math.max(titles.length, ...rows.slice(0, 20).map(({ cells }) => cells.length))
  return Array.from({ length: width }, (_, index) => ({
    index,
    title: (titles[index] ?? '').slice(0, 120),
    samples: rows
      .map(({ cells }) => textOf(cells[index] ?? null).slice(0, SAMPLE_LENGTH))
      .filter(Boolean)
      .slice(0, SAMPLES),
  }))
}

interface Candidate {
  content: FileContent
  at: number
  score: number
  mapping: Mapping
  preset: Preset | null
  matched: number
  isSideKnown: boolean
}

function candidateAt(
  head: readonly FileRow[],
  at: number,
  names: { file: string; sheet: string | null },
  remembered: Readonly<Record<string, string>>,
): Candidate | null {
  const titles = (head[at]?.cells ?? []).map(textOf)
  const folded = titles.map(foldedTitle)
  if (folded.filter((title) => title !== '' && !/^[\d ]+$/.test(title)).length < 2) return null
  const rows = head.slice(at + 1)
  const side = sideOf(folded, names.file, names.sheet)
  const preset = choosePreset(titles, rows, side)
  if (preset) {
    const mapping = presetMapping(preset, titles)
    const matched = Object.keys(mapping).length
    return { content: preset.side, at, score: 1_000 + matched, mapping, preset, matched, isSideKnown: true }
  }
  const mapping = mapTitles(side ?? 'issued', titles, remembered)
  let best: Candidate | null = null
  const offer = (candidate: Candidate): void => {
    if (!best || candidate.score > best.score) best = candidate
  }
  if (isInvoiceList(mapping)) {
    const matched = Object.keys(mapping).length
    offer({
      content: side ?? 'issued',
      at,
      score: 20 + matched * 2,
      mapping,
      preset: null,
      matched,
      isSideKnown: side !== null,
    })
  }
  const has = new Set(folded)
  for (const { content, needs, also, not } of RULES) {
    if (!needs.every((group) => group.some((title) => has.has(title)))) continue
    if (not.some((title) => has.has(title))) continue
    const extra = also.filter((title) => has.has(title)).length
    const score = needs.length * 4 + extra * 2
    const matched = needs.length + extra
    offer({ content, at, score, mapping: {}, preset: null, matched, isSideKnown: true })
  }
  return best
}

/** Recognizes a table by its first rows. `remembered`: fields that a person chose for titles before. */
export function recognizeTable(
  table: TableRef,
  fileName: string,
  head: readonly FileRow[],
  remembered: Readonly<Record<string, string>> = {},
): Recognition {
  const empty = {
    ...table,
    content: 'unknown',
    program: null,
    preset: null,
    layout: null,
    layoutSource: null,
    sure: 'guess',
    headerRow: null,
    columns: columnsOf([], head),
    mapping: {},
    dateOrder: 'dmy',
    decimalSign: ',',
  } as const
  if (head.length < 2)
    return { ...empty, content: 'empty', sure: 'certain', reason: { code: 'recognized_empty', params: {} } }
  const book = findBook(head)
  if (book) {
    const rows = head.filter(({ row }) => row > book.headerRow)
    const isUnified = /_(ingresos|gastos)$/i.test(table.sheet ?? table.entry?.replace(/\.\w+$/, '') ?? '')
    const hasIncomeTax = book.columns.concept !== undefined || book.columns.withholding !== undefined
    const notation = notationOf(book.columns, BOOK_KINDS, rows)
    return {
      ...empty,
      ...notation,
      content: book.content,
      program: 'AEAT',
      preset: 'unified-books',
      layout: 'published',
      layoutSource: 'AEAT, LSI.xlsx (Orden HAC/773/2019)',
      sure: 'certain',
      reason: {
        code: isUnified || hasIncomeTax ? 'recognized_unified_book' : 'recognized_vat_book',
        params: { columns: Object.keys(book.columns).length },
      },
      headerRow: book.headerRow,
      columns: columnsOf(book.titles, rows),
      mapping: book.columns,
    }
  }
  let best: Candidate | null = null
  for (let at = 0; at < Math.min(head.length - 1, HEADER_WITHIN); at++) {
    const candidate = candidateAt(head, at, { file: table.entry ?? fileName, sheet: table.sheet }, remembered)
    if (candidate && candidate.score > (best?.score ?? 0)) best = candidate
  }
  if (!best) {
    // For a person who chooses the columns: the first row of words as wide as any.
    const header = widestTitles(head)
    const below = head.filter(({ row }) => header !== null && row > header.row)
    return {
      ...empty,
      reason: { code: 'recognized_nothing', params: {} },
      headerRow: header?.row ?? null,
      columns: columnsOf((header?.cells ?? []).map(textOf), header === null ? head : below),
    }
  }
  const titles = (head[best.at]?.cells ?? []).map(textOf)
  const rows = head.slice(best.at + 1)
  const { preset, content, mapping, matched, isSideKnown } = best
  const isList = content === 'issued' || content === 'received'
  const notation = isList ? notationOf(mapping, listKinds(content), rows) : {}
  return {
    ...empty,
    ...notation,
    content,
    program: preset?.program ?? null,
    preset: preset?.id ?? null,
    layout: preset?.sure ?? null,
    layoutSource: preset?.source ?? null,
    sure: preset
      ? preset.sure === 'believed'
        ? 'likely'
        : 'certain'
      : isSideKnown && matched >= 5
        ? 'likely'
        : 'guess',
    reason: preset
      ? { code: 'recognized_program', params: { program: preset.program, columns: matched } }
      : { code: 'recognized_titles', params: { columns: matched } },
    headerRow: head[best.at]?.row ?? null,
    columns: columnsOf(titles, rows),
    mapping,
  }
}

/** Returns the first of the rows that have the most cells, all of them words; null without one. */
function widestTitles(head: readonly FileRow[]): FileRow | null {
  let widest: FileRow | null = null
  let most = 1
  for (const row of head.slice(0, HEADER_WITHIN)) {
    const filled = row.cells.map(textOf).filter(Boolean)
    if (filled.length <= most || filled.some((text) => /^[-\d.,/]+$/.test(text))) continue
    widest = row
    most = filled.length
  }
  return widest
}

/** How the columns of the books are read, to guess their notation: other programs write points and dates of their own. */
export const BOOK_KINDS: Record<string, 'number' | 'day' | undefined> = Object.fromEntries([
  ...[
    'base',
    'tax',
    'total',
    'income',
    'expense',
    'deductible',
    'surcharge',
    'withholding',
    'paid',
    'value',
    'rate',
  ].map((name) => [name, 'number'] as const),
  ...['issueDate', 'operationDate', 'receptionDate', 'paidOn', 'inUseFrom'].map(
    (name) => [name, 'day'] as const,
  ),
])

function notationOf(
  columns: Readonly<Record<string, number>>,
  kinds: Readonly<Record<string, 'number' | 'day' | undefined>>,
  rows: readonly FileRow[],
): Pick<Recognition, 'dateOrder' | 'decimalSign'> {
  const guess = new NotationGuess(columns, kinds)
  for (const row of rows) guess.add(row)
  return guess.notation
}
