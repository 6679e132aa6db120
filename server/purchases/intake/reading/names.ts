/** Name of the supplier: by its legal form, its size, its place, and its neighbourhood to the tax number. Pure. */
import { lineOf } from '../amounts.ts'
import type { Box } from '../pages/page.ts'
import { missing } from './field-value.ts'
import type { FieldValue } from './field-value.ts'
import { plain } from './labels.ts'
import type { Place } from './places.ts'
import { union, withoutBlanks } from './rows.ts'
import type { Readings } from './readings.ts'
import type { Cell, Row } from './rows.ts'
import type { Parties } from './tax-ids.ts'

const LEGAL_FORM =
  /(?:^|[\s,])(?:S\s?\.?\s?L\s?\.?\s?(?:U|P|L|N\.?E)?|S\s?\.?\s?A\s?\.?\s?(?:U|L|D|T)?|S\.?\s?C\.?\s?(?:P|A|L)?|C\.?\s?B|S\.?\s?[CK]oop\.?(?:\s?V|\s?And|\s?Ltda)?|S\.?\s?Com|A\.?\s?I\.?\s?E|S\.?L\.?L|Inc|LLC|L\.?L\.?C|Ltd|Limited|Corp|GmbH|AG|UG|S\.?\s?à\s?r\.?\s?l|SARL|SAS|S\.A\.S|S\.?r\.?l|S\.?p\.?A|B\.?V|N\.?V|A\/S|AB|Oy|Lda|Unipessoal|Sociedad (?:Limitada|An[oó]nima)|Societat (?:Limitada|An[oò]nima)|Sozietate (?:Mugatua|Anonimoa)|E\.?S\.?P\.?J|Fundaci[oó]n|Asociaci[oó]n|Cooperativa)\.?(?=$|[\s,.·|-])/giu
/** Bodies whose name begins with what they are. */
const BODY =
  /^(?:comunidad de propietarios|comunitat de propietaris|comunidade de propietarios|ayuntamiento|ajuntament|concello|excmo ayuntamiento|diputacion|diputacio|consejeria|conselleria|ministerio|universidad|universitat|universidade|fundacion|fundacio|asociacion|associacio|colegio oficial|col legi oficial|camara de comercio|cambra de comerc|consorcio|consorci|mancomunidad|junta de|parroquia|federacion|federacio|sindicato|sociedad cooperativa|mutualidad)\b/
/** What may follow a legal form as part of the name. */
const AFTER_FORM =
  /^(?:\.|,?\s+(?:Sucursal(?: en| de)? [\p{L} ]{3,20}|de Seguros(?: y Reaseguros)?|en liquidación|Unipersonal|Profesional|Laboral|de la Vivienda))+/iu
const NO_NAME =
  /\b(?:factura|invoice|fecha|data|date|cliente|client|pagina|page|tel|telefono|telefon|www|http|n ?i ?f|c ?i ?f|vat|iva|qr|veri|total|importe|base|cuota|descripcion|articulo|concepto|unidades|precio|registro mercantil|inscrita|tomo|iban|cuenta|forma de pago|vencimiento|vto|numero|gracias|email|correo|proteccion|datos|ticket|tique|recibo|abono|pedido|albaran|bill to|address|suite|street|resumen|summary|presupuesto|proforma|copia|original|duplicado|periodo|contrato|banco|titular|rechnung|korrekturrechnung|facture|fatura|simplified)\b|^(?:calle|avda|avenida|avinguda|plaza|placa|praza|paseo|passeig|carretera|ctra|camino|cami|gran via|poligono|pol ind|kalea|carrer|rua|ronda|travesia)\b|\bkalea\b|\bc\/|^(?:spain|espana)$|@/
/** The same for a text with a legal form, which may hold such words in its name ("Data Sur, S.L."). */
const NO_NAME_WITH_FORM =
  /\b(?:registro mercantil|inscrita|n ?i ?f|c ?i ?f|www|http|iban|proteccion de datos|forma de pago|bill to|responsable del tratamiento|pedido|albaran)\b|@|^(?:factura|fecha|data de|importe|total a|base imponible|vencimiento|descripcion|concepto)\b/
const BANK = /\b(?:iban|entidad|entitat|banco|banc|cuenta|compte|swift|bic|caja|caixa)\b/
const CUSTOMER =
  /^(?:cliente|client|bezeroa|datos del cliente|para$|arrendatari\w*|inquilin\w*|llogater\w*|maizterra?|facturar\b(?: a)?|factura a|facturat a|bill(?:ed)? to|ship to|sold to|tomador|titular|destinatari\w*|customer|adquirente|receptor|kunde|rechnungsempfanger|rechnung an|destinataire|facture a|fatura a|direccion de (?:envio|facturacion))\b/
const SELLER =
  /^(?:vendido por|sold by|emisor|proveedor|supplier|from|expedidor|emesa por|emitida por|issued by|proveidor|saltzailea|venut per|emissor|emitente|emetteur|fournisseur|aussteller|rechnungssteller|lieferant|jaulkitzailea|arrendador\w*|prestador\w*|alokatzailea)\b/

interface Candidate {
  name: string
  box: Box
  row: Row
  cell: Cell
  score: number
  hasForm: boolean
}

/** Legal forms whose letters and accents OCR confuses: "S.á r.l.", "S.ar.I." is "S.à r.l.". */
const withForms = (text: string): string =>
  text.replace(
    /(?<=\s)S\s?[-.,]{1,2}\s?[aàáâäãA]\s?\.?\s?r\s?[.,|]{1,2}\s?[lLI1|]?\s?(?:\.|(?=,|$|\s))/u,
    'S.à r.l.',
  )

/** Cuts a text before the tax number that stands beside the name. */
const beforeTaxId = (text: string): string =>
  text.replace(/[\s,;:(·-]*\b(?:N\.?\s?I\.?\s?F|C\.?\s?I\.?\s?F|D\.?N\.?I|N\.?I\.?E|VAT|IFZ|IFK)\b.*$/iu, '')

/** Cuts a text after the legal form that ends a name; null when it holds none. */
function upToForm(text: string): string | null {
  // A name may begin with such a word: "Cooperativa San Isidro, S. Coop.".
  const match = [...text.matchAll(LEGAL_FORM)].find(({ index }) => index > 0)
  if (!match) return null
  const end = match.index + match[0].length
  const rest = AFTER_FORM.exec(text.slice(end))?.[0] ?? ''
  // "S.L" and its final dot.
  const dot = text[end] === '.' ? '.' : ''
  const name = text.slice(0, end) + dot + rest.replace(/^\./, '')
  return /\p{L}{3}/u.test(name) ? name.replace(/\.\.$/, '.').trim() : null
}

/** Removes words that label a name, as in "Vendido por X". */
const withoutLabel = (text: string): string =>
  beforeTaxId(withForms(text))
    .replace(/^[^\p{L}\p{N}]+/u, '')
    // "&" and "Mª" as OCR sees them.
    .replace(/(?<=\p{L}\.?) [8éÉ£$6][:;.]? (?=(?:Co|C[ií]a|Hijos?|Hnos|Asociados|Partners|Sons)\b)/u, ' & ')
    .replace(/^M[*°"'”?]?(?=\s\p{Lu}\p{Ll})/u, 'Mª')
    .replace(
      /^(?:vendido por|sold by|emisor|proveedor|proveïdor|emitida por|expedida por|issued by|raz[oó]n social|ra[oó] social|raz[oó]n social|nombre(?: fiscal| o raz[oó]n social)?|nom|empresa|expedidor|saltzailea|supplier|seller|from)\s*:?\s+(?=\p{Lu})/iu,
      '',
    )
    .replace(/^.*[·|•–—]\s+(?=\p{Lu})/u, '')

/** A form with at most one word before it may be the end of a name. */
const FORM_ONLY = /^(?:[\p{L}.]+,?\s+)?(?:S\.?\s?L\.?\s?[UPL]?|S\.?\s?A\.?\s?U?|S\.?L\.?N\.?E)\.?$/iu

function below(cell: Cell, row: Row, rows: readonly Row[]): { row: Row; cell: Cell } | null {
  for (let index = row.index + 1; index <= row.index + 2; index++) {
    const next = rows[index]
    if (!next || next.page !== row.page || next.box[1] - row.box[3] > row.height) return null
    const over = next.cells.find(({ box }) => box[0] < cell.box[2] && box[2] > cell.box[0])
    if (over) return { row: next, cell: over }
  }
  return null
}

const isPersonLike = (text: string): boolean =>
  /^(?:\p{Lu}[\p{L}'’-]+)(?:\s+(?:de|del|la|las|los|el|els|les|i|y|e|&|\p{Lu}[\p{L}'’.-]*)){1,6}$/u.test(
    text,
  ) && !/\d/.test(text)

/** A legal form, with at most two words before it, that may be the end of a name in the cell at its left. */
const isEndOfName = (text: string): boolean =>
  FORM_ONLY.test(text) || /^(?:[\p{L}'’.-]+,?\s+){1,2}\S{1,6}$/u.test(text)
/** In heights of the row: how wide a gap may be within a name. */
const NAME_GAP = 2.5

/** Returns the cell at the right that ends the name of a cell, also where a bent row was taken for two. */
function rightOf(cell: Cell, row: Row, rows: readonly Row[]): Cell | null {
  const middle = (cell.box[1] + cell.box[3]) / 2
  for (const other of rows.slice(Math.max(row.index - 2, 0), row.index + 3)) {
    if (other.page !== row.page) continue
    const next = other.cells.find(
      ({ box, text }) =>
        box[0] >= cell.box[2] &&
        box[0] - cell.box[2] < row.height * NAME_GAP &&
        box[1] < middle &&
        box[3] > middle &&
        isEndOfName(text) &&
        upToForm(`Xxx ${withForms(text)}`) !== null,
    )
    if (next) return next
  }
  return null
}

/** Returns the first of three rows of a name: as large as the second, at the same left edge, and close above it. */
function beginningOver(cell: Cell, row: Row, rows: readonly Row[]): string | null {
  const above = rows[row.index - 1]
  if (!above || above.page !== row.page || row.box[1] - above.box[3] > row.height * 0.8) return null
  const size = cell.box[3] - cell.box[1]
  const over = above.cells.find(
    ({ box }) => Math.abs(box[0] - cell.box[0]) < size && Math.abs(box[3] - box[1] - size) < size * SAME_SIZE,
  )
  if (!over || !/^\p{Lu}[\p{L}'’.-]*(?: [\p{L}'’.-]+){0,4}$/u.test(over.text)) return null
  return NO_NAME.test(plain(over.text)) ? null : over.text
}
const SAME_SIZE = 0.15

/** Rows of the head in which a name may stand. */
const HEAD_ROWS = 12

/** Returns the rows, and those of the head again in which the blanks of wide letters part the words of a name. */
function withWideNames(rows: readonly Row[]): Row[] {
  return rows.flatMap((row) => {
    const joined = row.index < HEAD_ROWS && !/[\d:]/.test(row.text) ? withoutBlanks(row) : null
    return joined ? [row, joined] : [row]
  })
}

function candidatesIn(rows: readonly Row[]): Candidate[] {
  const found: Candidate[] = []
  for (const row of withWideNames(rows))
    for (const cell of row.cells) {
      const text = withoutLabel(cell.text.split(/\s[·|•–—-]\s/)[0] ?? '')
      const whole = upToForm(text)
      const next = below(cell, row, rows)
      // A wide gap within a name, as large letters have it.
      const right = whole === null ? rightOf(cell, row, rows) : null
      const joined = right && /^\p{L}/u.test(text) ? upToForm(withoutLabel(`${text} ${right.text}`)) : null
      if (right && joined !== null && !/[:\d]/.test(text))
        found.push({ name: joined, box: union([cell.box, right.box]), row, cell, score: 0.5, hasForm: true })
      if (whole !== null)
        found.push({
          name: whole,
          box: cell.box,
          row,
          cell,
          score: FORM_ONLY.test(text) ? -1.5 : 0,
          hasForm: true,
        })
      // A name over two rows: the form ends the second one.
      const second = next ? upToForm(withoutLabel(`${text} ${next.cell.text}`)) : null
      if (
        whole === null &&
        next &&
        second !== null &&
        second.length > text.length &&
        !/[:\d]/.test(text) &&
        !SELLER.test(plain(text)) &&
        second.length <= 70
      ) {
        const size = cell.box[3] - cell.box[1]
        const nextSize = next.cell.box[3] - next.cell.box[1]
        const first = FORM_ONLY.test(next.cell.text) ? beginningOver(cell, row, rows) : null
        // The ink of a form is only as high as its capitals.
        const isInk = row.source === 'ocr' && FORM_ONLY.test(next.cell.text) && nextSize < size
        // In exact text a name has one size: a trade name above the legal one is larger.
        const tolerance = row.source === 'text' ? SAME_SIZE : isInk ? 0.5 : 0.25
        if (Math.abs(size - nextSize) < size * tolerance && !NO_NAME.test(plain(text)))
          found.push({
            name: first === null ? second : `${first} ${second}`,
            box: union([cell.box, next.cell.box]),
            row,
            cell,
            score: 0.5,
            hasForm: true,
          })
      }
      // What follows the form, such as a branch, may go on in the next row.
      if (whole !== null && next && whole.length < text.trim().length) {
        const longer = upToForm(`${text} ${next.cell.text}`)
        if (longer !== null && longer.length > whole.length)
          found.push({
            name: longer,
            box: union([cell.box, next.cell.box]),
            row,
            cell,
            score: 0.3,
            hasForm: true,
          })
      }
      if (whole === null && BODY.test(plain(text)) && text.length <= MAX_NAME && !/[:]/.test(text))
        found.push({ name: text.trim(), box: cell.box, row, cell, score: 0, hasForm: true })
      else if (whole === null && isPersonLike(text) && text.length <= 60)
        found.push({ name: text, box: cell.box, row, cell, score: 0, hasForm: false })
    }
  return found
}

/** In heights of a row: how far below its name a block prints the tax number, and the widest gap within it. */
const BLOCK = 5.5
const BLOCK_GAP = 0.9

/** True when a name begins the block of rows with one left edge that holds a tax number, and no supplier's. */
function isBlock(
  { row, box }: Candidate,
  { row: last, box: id }: Place,
  rows: readonly Row[],
  supplierIds: Parties['supplierIds'],
): boolean {
  if (last.page !== row.page || last.index <= row.index || id[1] - box[1] > row.height * BLOCK) return false
  let bottom = box[3]
  for (const { index, cells, height } of rows.slice(row.index + 1, last.index + 1)) {
    const cell = cells.find((each) => Math.abs(each.box[0] - box[0]) < height)
    if (!cell) continue
    if (cell.box[1] - bottom > height * BLOCK_GAP) return false
    if (supplierIds.some(({ place }) => place.row.index === index && place.cell === cell)) return false
    bottom = cell.box[3]
    if (index === last.index) return cell.box[0] <= id[0] && cell.box[2] >= id[2]
  }
  return false
}

/** True when a cell stands under the words for the customer, or beside its tax number. */
function isCustomers(candidate: Candidate, rows: readonly Row[], parties: Parties): boolean {
  const { row, cell, box: own } = candidate
  const near = (page: number, box: Box): boolean =>
    page === row.page && Math.abs(box[1] - own[1]) < row.height * 2.6 && box[0] < own[2] && box[2] > own[0]
  if (parties.customerIds.some(({ place }) => near(place.row.page, place.box))) return true
  const { customerIds, supplierIds } = parties
  const hasOwnId = supplierIds.some(({ place }) => place.row === row)
  if (!hasOwnId && customerIds.some(({ place }) => isBlock(candidate, place, rows, supplierIds))) return true
  const isIn = (ids: Parties['customerIds']): boolean => ids.some(({ place }) => place.row === row)
  if (isIn(parties.customerIds) && !isIn(parties.supplierIds)) return true
  if (CUSTOMER.test(plain(cell.text))) return true
  const at = row.cells.indexOf(cell)
  if (CUSTOMER.test(plain(row.cells[at - 1]?.text ?? ''))) return true
  for (let index = row.index - 1; index >= row.index - 4; index--) {
    const above = rows[index]
    if (!above || above.page !== row.page || row.box[1] - above.box[1] > row.height * 3.5) break
    const over = above.cells.find(({ box }) => Math.abs(box[0] - cell.box[0]) < row.height * 2)
    if (over && CUSTOMER.test(plain(over.text))) return true
  }
  return false
}

/** Nearness of a name in the row of the tax number. */
const BESIDE = 3

function nearnessTo(candidate: Candidate, parties: Parties): number {
  const { row, cell } = candidate
  let best = 0
  for (const { place } of parties.supplierIds) {
    if (place.row.page !== row.page) continue
    const lines = Math.abs(place.box[1] - cell.box[1]) / Math.max(row.height, 1)
    const isAligned =
      place.box[0] < cell.box[2] + row.height * 4 && place.box[2] > cell.box[0] - row.height * 4
    if (place.row === row) best = Math.max(best, BESIDE)
    else if (isAligned && lines < 6 && place.box[1] >= cell.box[1] - row.height)
      best = Math.max(best, 2.5 - lines * 0.2)
    else if (isAligned && lines < 8) best = Math.max(best, 1)
  }
  return best
}

const MIN_CONFIDENCE = 80

const confidenceOf = ({ cell }: Candidate): number =>
  cell.words.reduce((sum, { conf }) => sum + conf, 0) / cell.words.length

/** True for a name that is the company's own, or a part of it. */
function isOwn(bare: string, own: string): boolean {
  if (own === '') return false
  const [name, ours] = [stem(bare), stem(own)]
  return name === ours || bare.startsWith(own) || (name.length >= 5 && ` ${ours} `.includes(` ${name} `))
}

/** True when one name is the end or the beginning of another: a broken row shows half of a name. */
const isPartOf = (part: string, whole: string): boolean =>
  part.length >= 4 && part.length < whole.length && (whole.endsWith(part) || whole.startsWith(`${part} `))

/** Returns the names in the rows of one reading that may be the supplier's, the best first. */
function rankedIn(
  rows: readonly Row[],
  parties: Parties,
  own: string,
  customers: readonly string[],
): Candidate[] {
  const sizes = rows.map(({ height }) => height).toSorted((a, b) => a - b)
  const typical = sizes[Math.floor(sizes.length / 2)] ?? 1
  const all = candidatesIn(rows)
  const words = plain(rows.map(({ text }) => text).join(' '))
  const scored = all.flatMap((candidate) => {
    const bare = plain(candidate.name)
    if (bare.length < 4 || isOwn(bare, own)) return []
    if (customers.some((each) => each === stem(bare) || isPartOf(stem(bare), each))) return []
    if (isCustomers(candidate, rows, parties)) return []
    const isBroken = all.some(({ name }) => isPartOf(stem(bare), stem(plain(name))))
    if ((candidate.hasForm ? NO_NAME_WITH_FORM : NO_NAME).test(bare)) return []
    const repeats = words.split(stem(bare)).length - 2
    const size = (candidate.cell.box[3] - candidate.cell.box[1]) / typical
    const isTop = candidate.row.page === rows[0]?.page && candidate.row.index < 12
    const nearness = nearnessTo(candidate, parties)
    // Two words with capitals are a name only where a supplier stands.
    if (!candidate.hasForm && nearness === 0 && !(isTop && size > 1.15)) return []
    const score =
      candidate.score +
      (candidate.hasForm ? 3 : 0) +
      nearness +
      (isTop ? 1 : 0) +
      Math.min(Math.max(size - 1, 0), isTop ? 2 : 1) +
      Math.min(repeats, 3) * 0.4 +
      (SELLER.test(plain(candidate.cell.text)) ? 1.5 : 0) -
      (nearness < BESIDE && BANK.test(plain(candidate.row.text)) ? 3 : 0) -
      (isBroken ? 1 : 0) -
      Math.max(MIN_CONFIDENCE - confidenceOf(candidate), 0) / 20 -
      (/^\p{Ll}/u.test(candidate.name) ? 2.5 : 0)
    return [{ ...candidate, score }]
  })
  return scored.toSorted((a, b) => b.score - a.score)
}

const MAX_NAME = 120
const CLEAR_SCORE = 5
/** What a second reading that has the same name adds to it. */
const IN_BOTH = 2

const stemOf = ({ name }: Candidate): string => stem(plain(name))

/** True when two names have one long first word: one of them may be misread. */
function resembles(a: string, b: string): boolean {
  const [word = ''] = a.split(' ')
  return word.length >= 5 && word === b.split(' ')[0]
}

/** Reads the supplier's name. `ownName` is the company's own, which is never the supplier's. */
export function readName(
  { each }: Readings,
  parties: readonly Parties[],
  ownName: string,
): FieldValue<string> {
  const own = plain(ownName)
  const readings = each.flatMap((rows, index) => {
    const of = parties[index]
    return of ? [{ rows, of }] : []
  })
  // One reading may break the name of the customer that another shows whole.
  const customers = readings.flatMap(({ rows, of }) =>
    candidatesIn(rows)
      .filter(({ hasForm, ...rest }) => hasForm && isCustomers({ hasForm, ...rest }, rows, of))
      .map(stemOf),
  )
  const lists = readings.map(({ rows, of }) => rankedIn(rows, of, own, customers))
  const isInAll = (candidate: Candidate): boolean =>
    lists.every((list) => list.some((other) => stemOf(other) === stemOf(candidate)))
  const ranked = lists
    .flat()
    .map((each) => (lists.length > 1 && isInAll(each) ? { ...each, score: each.score + IN_BOTH } : each))
    .toSorted((a, b) => b.score - a.score || confidenceOf(b) - confidenceOf(a))
  const [first] = ranked
  if (!first) return missing()
  // Small print is misread more often than the same name in the heading.
  const clear =
    confidenceOf(first) >= MIN_CONFIDENCE
      ? first
      : (ranked.find(
          (other) => confidenceOf(other) >= MIN_CONFIDENCE && resembles(stemOf(other), stemOf(first)),
        ) ?? first)
  // The second row of a name is not the whole.
  const whole = ranked.find(
    (other) => other.hasForm && other.score > 0 && stemOf(other).endsWith(` ${stemOf(clear)}`),
  )
  // A heading may leave the legal form to the small print.
  const best = clear.hasForm
    ? (whole ?? clear)
    : (ranked.find((other) => other.hasForm && stemOf(other) === stemOf(clear)) ?? clear)
  const isPicture = best.row.source === 'ocr'
  const name = lineOf(isPicture ? best.name.replace(/\bS\. (?=[LAC]\.)/, 'S.') : best.name, MAX_NAME)
  if (name === null) return missing()
  const others = ranked.filter((other) => stemOf(other) !== stemOf(best))
  const isClear =
    best.hasForm && first.score >= CLEAR_SCORE && isInAll(best) && confidenceOf(best) >= MIN_CONFIDENCE
  return {
    value: name,
    level: isClear ? 'read' : 'guess',
    evidence: [{ page: best.row.page, box: best.box, reason: best.hasForm ? 'words' : 'position', args: {} }],
    rivals: [...new Set(others.map((other) => other.name))].slice(0, 3),
  }
}

/** The name without its legal form, as headings often print it. */
function stem(bare: string): string {
  return bare.replace(/(?: (?:s l u?|s l p|s a u?|sl|sa|slu|sau|slp|c b|inc|llc|ltd|gmbh|s a r l))+$/, '')
}
