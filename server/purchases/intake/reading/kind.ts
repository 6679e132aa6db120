/** What a document is, by its own title; a mention elsewhere ("albarán 123") does not make it one. Pure. */
import type { DocumentKind, Evidence } from './field-value.ts'
import { plain } from './labels.ts'
import type { Readings } from './readings.ts'
import type { Cell, Row } from './rows.ts'

const PROFORMA = /^(?:factura |fra |invoice |faktura |facture |fatura )?pro ?forma\b/
/** Papers before an invoice, in Spanish, Catalan, Galician, Basque, English, French, German and Portuguese. They never number one. */
const BEFORE_INVOICE =
  /^(?:presupuestos?|pressupost|orzamento|aurrekontua|oferta(?: comercial)?|eskaintza|quote|quotation|estimate|albaran(?:es)?|albara|albarana|nota de entrega|nota de lliurament|emate agiria|bidalketa oharra|delivery note|packing (?:list|slip)|pedido|pedimento|comanda|encargo|encomenda|eskaera(?: orria)?|purchase order|(?:sales )?order(?: (?:confirmation|form|acknowledgement))?|confirmacion (?:de|del) pedido|confirmacio de (?:la )?comanda|confirmacion do pedido|hoja de (?:pedido|ruta)|parte de (?:trabajo|obra)|carta de porte|contrato|contracte|devis|bon de (?:livraison|commande)|angebot|lieferschein|auftragsbestatigung|orcamento|guia de remessa)\b/
/** Orders, whose numbers tickets and invoices print as well. */
const ORDER = /^(?:pedido|pedimento|comanda|encargo|encomenda|eskaera|(?:sales )?order|contrato|contracte)\b/
/** Papers about invoices, which name their numbers. */
const ABOUT_INVOICE =
  /^(?:extracto|extracte|kontu laburpena|kontu korrontearen laburpena|(?:account )?statement(?: of account)?|estado de cuentas?|estat de comptes|recordatorio|recordatori|lembranza|lembrete|(?:ordainketa )?(?:gogorarazpena|oroigarria|abisua)|(?:payment )?reminder|overdue notice|aviso de impago|aviso de (?:pago|vencimiento)(?! (?:de )?(?:la )?(?:prima|recibo))|avis de (?:pagament|venciment)|aviso de pagamento|reclamacion (?:de|del) (?:pago|deuda|cobro)|carta de pago|(?:justificante|comprobante|resguardo|recibi|confirmacion) (?:de|del) (?:pago|transferencia|ingreso|abono|la transferencia|operacion)|justificant de (?:pagament|transferencia)|xustificante (?:de|do) (?:pagamento|pago|transferencia)|ordainagiria|ordainketa agiria|transferentziaren egiaztagiria|proof of payment|payment (?:receipt|confirmation|advice)|remittance advice|orden de (?:pago|transferencia)|relacion de facturas|listado de facturas)\b/
/** The rest of a title: its number, its date, or words that belong to it. */
const MAX_TITLE_WORDS = 6
const INVOICE_TITLE =
  /^(?:tax |vat )?(?:factura|fra|fact|invoice|faktura|facture|fatura|rechnung|bill)(?: (?:simplificada|simplificat|sinplifikatua|rectificativa|zuzentzailea|electronica|ordinaria|final|completa|recapitulativa|original|copia|duplicado|de venta|de anticipo|de servicios|de abono|invoice|factura))*(?: (?:n|no|num|numero|number|zk|zenbakia|nr|serie))*(?: [a-z]{0,4} ?[\d/ ]*\d[a-z\d/ ]*)?$/
const INVOICE_NUMBER =
  /\b(?:n|no|num|numero|nro) (?:de |da |de la )?(?:factura|fra)\b|\binvoice (?:number|no|date|id)\b|\bfecha (?:de )?(?:la )?(?:factura|fra)\b|\bdata (?:de |da |de la )?factura\b|\bfaktura(?:ren)? (?:zenbakia|zk|data)\b/
const NAMES_INVOICE = /\b(?:factura|fra|invoice|faktura|facture|fatura|rechnung)\b/
const INVOICE_TOTAL = /\b(?:total|importe|import) (?:de )?(?:la )?(?:factura|fra)\b|\binvoice total\b/
const CREDIT =
  /^(?:factura |fra |nota |facture |fatura |invoice |faktura )?(?:simplificada |simplifiee |sinplifikatu )?(?:de |d )?(?:korrekturrechnung|vereinfachte korrekturrechnung|rechnungskorrektur|stornorechnung|gutschrift|avoir|retificativa|rectificative|rectifying (?:simplified )?invoice|corrective invoice|abono|abonament|rectificativa|rectificativo|credit note|credit memo|nota de credito|nota de abono|zuzentzailea|faktura zuzentzailea)\b(?! (?:en|a|al|por|recibid\w*|realizad\w*|bancari\w*|efectuad\w*|mediante|mensual))/
const RECTIFIES =
  /\b(?:rectifica (?:a )?la factura|abono de la factura|factura rectificada|rectifica la factura|rectifies invoice|abona la factura|abonament de la factura)\b/
const SIMPLIFIED =
  /\b(?:(?:factura|fra|fact|f) (?:simplificada|simplificat)|simplified invoice|faktura sinplifikatua|facture simplifiee|vereinfachte rechnung|fatura simplificada|ticket|tiquet|tique)\b/

const HAS_AMOUNT = /\d[.,]\d{2}(?![\d./-])/

/** Rows of the first page that count as its head. */
const HEAD_ROWS = 16
/** A numbered title without large letters stands among the first rows. */
const TITLE_ROWS = 6
/** How much larger than the typical row large letters are. */
const LARGE = 1.2

interface Title {
  row: Row
  cell: Cell
  bare: string
}

function evidence({ row, cell }: Title): Evidence {
  return { page: row.page, box: cell.box, reason: 'title', args: { title: cell.text.slice(0, 60) } }
}

const sizeOf = ({ cell }: Title): number => cell.box[3] - cell.box[1]

function typicalHeight(rows: readonly Row[]): number {
  const heights = rows.map(({ height }) => height).toSorted((a, b) => a - b)
  return heights[Math.floor(heights.length / 2)] ?? 1
}

/** Returns the title that makes a document no invoice; null when it has none. */
function otherTitle(rows: readonly Row[], head: readonly Title[]): Title | null {
  const typical = typicalHeight(rows)
  const all = plain(rows.map(({ text }) => text).join(' '))
  // A heading of a table is no title.
  const titles = head.filter(({ row }) => row.cells.length < 3 || /\d/.test(row.text))
  const invoice = titles.find(({ bare }) => INVOICE_TITLE.test(bare) && !PROFORMA.test(bare))
  const hasInvoiceNumber = head.some(({ bare }) => INVOICE_NUMBER.test(bare))
  for (const title of titles) {
    const { row, cell, bare } = title
    const isProforma = PROFORMA.test(bare)
    const isAbout = ABOUT_INVOICE.test(bare)
    if (!isProforma && !isAbout && !BEFORE_INVOICE.test(bare)) continue
    if (bare.split(' ').length > MAX_TITLE_WORDS || cell.text.trim().endsWith(':')) continue
    const next = row.cells[row.cells.indexOf(cell) + 1]
    const isNumbered = /\d/.test(bare) || /^\W*\d/.test(next?.text ?? '')
    const isLarge = sizeOf(title) > typical * LARGE
    const isUpper = cell.text === cell.text.toUpperCase()
    // "Pedido nº 4711" names the order of an invoice; a title stands out.
    const isAlone = row.cells.length === 1 && !ORDER.test(bare) && !NAMES_INVOICE.test(all)
    if (isNumbered && !isLarge && !((isUpper || isAlone) && row.index < TITLE_ROWS)) continue
    const isFirst = invoice === undefined || invoice.row.index > row.index
    const isLarger = invoice !== undefined && sizeOf(title) > sizeOf(invoice) * LARGE
    if (isProforma && (!isNumbered || isFirst || isLarger || /^(?:factura|invoice)/.test(bare))) return title
    if (isAbout && (isFirst || isLarger)) return title
    if (isProforma || isAbout) continue
    const isInvoice = (invoice !== undefined && !isLarger) || hasInvoiceNumber || INVOICE_TOTAL.test(all)
    if (!isInvoice) return title
  }
  return null
}

/** Reads the kind of a document from the rows of all readings merged, and its title also from each. */
export function readKind(
  { merged, each }: Readings,
  isNegative: boolean,
): { kind: DocumentKind; evidence: Evidence[] } {
  const views = each.length > 1 ? [merged, ...each] : [merged]
  for (const rows of views) {
    const found = kindIn(rows, isNegative)
    if (found) return found
  }
  return { kind: isNegative ? 'credit' : 'invoice', evidence: [] }
}

function kindIn(
  rows: readonly Row[],
  isNegative: boolean,
): { kind: DocumentKind; evidence: Evidence[] } | null {
  const titlesOf = (some: readonly Row[]): Title[] =>
    some.flatMap((row) => row.cells.map((cell) => ({ row, cell, bare: plain(cell.text) })))
  const head = titlesOf(rows.slice(0, HEAD_ROWS))
  const other = otherTitle(rows, head)
  if (other) return { kind: 'not_invoice', evidence: [evidence(other)] }
  const credit = head.find(
    ({ row, bare, cell }) =>
      CREDIT.test(bare) &&
      // An item with its amount, such as "ABONO MATERIAL DEFECTUOSO", is no title.
      !HAS_AMOUNT.test(row.text) &&
      !/^abono/i.test(cell.text.slice(6)) &&
      bare.split(' ').length <= MAX_TITLE_WORDS,
  )
  if (credit) return { kind: 'credit', evidence: [evidence(credit)] }
  const rectifies = isNegative ? titlesOf(rows).find(({ bare }) => RECTIFIES.test(bare)) : undefined
  if (rectifies) return { kind: 'credit', evidence: [evidence(rectifies)] }
  const simplified = head.find(({ bare }) => SIMPLIFIED.test(bare))
  return simplified ? { kind: 'simplified', evidence: [evidence(simplified)] } : null
}
