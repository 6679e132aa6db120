/** What a document is, by its own title; a mention elsewhere ("albarán 123") does not make it one. Pure. */
import type { DocumentKind, Evidence } from './field-value.ts'
import { plain } from './labels.ts'
import type { Cell, Row } from './rows.ts'

const NOT_INVOICE =
  /^(?:factura |fra )?(?:pro ?forma|presupuesto|pressupost|orzamento|aurrekontua|oferta|quote|quotation|estimate|albaran|albara|delivery note|nota de entrega|pedido|comanda|purchase order|order confirmation|confirmacion de pedido|extracto|extracte|statement|recordatorio|reminder|recordatori|hoja de pedido|parte de trabajo|carta de porte)\b(?! (?:n|no|num|numero)? ?\d)/
const CREDIT =
  /^(?:factura |fra |nota )?(?:de |d )?(?:abono|abonament|rectificativa|rectificativo|credit note|credit memo|nota de credito|nota de abono|zuzentzailea|faktura zuzentzailea)\b/
const RECTIFIES =
  /\b(?:rectifica (?:a )?la factura|abono de la factura|factura rectificada|rectifica la factura|rectifies invoice|abona la factura|abonament de la factura)\b/
const SIMPLIFIED =
  /\b(?:(?:factura|fra|fact|f) (?:simplificada|simplificat)|simplified invoice|faktura sinplifikatua|ticket|tiquet|tique)\b/

/** Share of the rows of the first page that count as its head. */
const HEAD_ROWS = 16

function evidence(row: Row, cell: Cell): Evidence {
  return { page: row.page, box: cell.box, reason: 'title', args: { title: cell.text.slice(0, 60) } }
}

/** Reads the kind of a document. */
export function readKind(
  rows: readonly Row[],
  isNegative: boolean,
): { kind: DocumentKind; evidence: Evidence[] } {
  const head = rows.slice(0, HEAD_ROWS)
  for (const row of head)
    for (const cell of row.cells) {
      const bare = plain(cell.text)
      if (bare.split(' ').length > 5) continue
      if (NOT_INVOICE.test(bare)) {
        // "Pedido: 4711" names the order of an invoice; a title stands alone.
        const at = row.cells.indexOf(cell)
        const isLabel = /[:]$/.test(cell.text) || /\d/.test(row.cells[at + 1]?.text ?? '') || /\d/.test(bare)
        const isTitle = cell.box[3] - cell.box[1] > row.height * 1.1 || row.index <= 3
        if (!isLabel && isTitle && !hasInvoiceTitle(head, cell))
          return { kind: 'not_invoice', evidence: [evidence(row, cell)] }
      }
    }
  for (const row of head)
    for (const cell of row.cells)
      if (
        CREDIT.test(plain(cell.text)) &&
        !/^abono/i.test(cell.text.slice(6)) &&
        plain(cell.text).split(' ').length <= 6
      )
        return { kind: 'credit', evidence: [evidence(row, cell)] }
  if (isNegative)
    for (const row of rows)
      for (const cell of row.cells)
        if (RECTIFIES.test(plain(cell.text))) return { kind: 'credit', evidence: [evidence(row, cell)] }
  for (const row of head)
    for (const cell of row.cells)
      if (SIMPLIFIED.test(plain(cell.text))) return { kind: 'simplified', evidence: [evidence(row, cell)] }
  return { kind: isNegative ? 'credit' : 'invoice', evidence: [] }
}

/** True when another cell of the head is titled as an invoice. */
function hasInvoiceTitle(head: readonly Row[], title: Cell): boolean {
  return head.some(({ cells }) =>
    cells.some(
      (cell) =>
        cell !== title &&
        /^(?:factura|invoice|faktura)(?: (?:n|no|num|numero|number|simplificada))?\b(?! pro)/.test(
          plain(cell.text),
        ),
    ),
  )
}
