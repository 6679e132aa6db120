/** Tax numbers of a document: the supplier's by its control digit, its label and its neighbourhood. Pure. */
import { checkNif, normalizeNif } from '../../../domain/tax/nif.ts'
import { VAT_NUMBER_FORMS } from '../../../domain/tax/vat-numbers.ts'
import { missing } from './field-value.ts'
import type { Evidence, FieldValue } from './field-value.ts'
import { plain } from './labels.ts'
import { placeOf } from './places.ts'
import type { Place } from './places.ts'
import type { Row } from './rows.ts'

const SPANISH =
  /(?<![A-Z0-9])(?:ES[-\s]?)?([A-Z][-.\s]{0,2}\d{2}[.\s]?\d{3}[.\s]?\d{2}[-.\s]?[0-9A-J]|[A-Z][-.\s]{0,2}\d{7}[-.\s]?[0-9A-J]|[A-Z][-.\s]?\d{8}|\d{8}[-.\s]{0,2}[A-Z]|\d{2}\.\d{3}\.\d{3}[-.\s]{0,2}[A-Z]|[XYZ][-.\s]?\d{7}[-.\s]?[A-Z])(?![A-Z0-9])/g
const PREFIXES = VAT_NUMBER_FORMS.flatMap(({ prefix, country }) => (country === 'ES' ? [] : [prefix])).join(
  '|',
)
const FOREIGN = new RegExp(
  String.raw`(?<![A-Z0-9])(${PREFIXES})[\s-]?([A-Z0-9+*](?:[.\s]?[A-Z0-9+*]){6,12})(?![A-Z0-9])`,
  'g',
)
const LABEL =
  /\b(?:n ?i ?f|c ?i ?f|nie|dni|vat|iva|ifz|ifk|ifz|tax id|tva|ust|partita|identificacion fiscal|vat number|nipc)\b/
const CUSTOMER =
  /\b(?:cliente|client|bezeroa|comprador|facturar? a|facturat a|bill(?:ed)? to|sold to|ship to|tomador|titular|destinatari\w*|customer|receptor|datos del cliente|dades del client|factura a|adquirente|abonado|suscriptor|direccion de facturacion|direccion de envio)\b/

interface TaxId {
  id: string
  country: string
  place: Place
  hasLabel: boolean
  /** In a block of the customer. */
  isCustomers: boolean
  /** False for the form of a Spanish number with a wrong control character. */
  isRight: boolean
  isProven: boolean
}

/** In rows: how far above a tax number the words for its owner may stand. */
const BLOCK_ROWS = 7

function isInCustomerBlock(place: Place, rows: readonly Row[]): boolean {
  const { row, cell } = place
  if (CUSTOMER.test(plain(`${place.before} ${place.left}`))) return true
  for (let index = row.index - 1; index >= Math.max(0, row.index - BLOCK_ROWS * 2); index--) {
    const above = rows[index]
    if (!above || above.page !== row.page) return false
    if (row.box[1] - above.box[1] > BLOCK_ROWS * row.height) return false
    // A block has one left edge.
    const over = above.cells.find(({ box }) => Math.abs(box[0] - cell.box[0]) < row.height * 2)
    if (over && CUSTOMER.test(plain(over.text))) return true
  }
  return false
}

/** Finds the tax numbers of a document: Spanish ones, also with a wrong control character, others by their form. */
function taxIdsIn(rows: readonly Row[]): TaxId[] {
  const found: TaxId[] = []
  for (const row of rows)
    for (const cell of row.cells) {
      const text = cell.text.toUpperCase()
      for (const match of text.matchAll(SPANISH)) {
        const check = checkNif(match[1] ?? '')
        if (!check.ok && check.kind === null) continue
        const place = placeOf(rows, row, cell, match.index, match.index + match[0].length)
        found.push({ ...idOf(check.nif, 'ES', place, rows, check.ok), isRight: check.ok })
      }
      for (const match of text.matchAll(FOREIGN)) {
        const [whole, prefix = '', rest = ''] = match
        const form = VAT_NUMBER_FORMS.find((each) => each.prefix === prefix && each.country !== 'ES')
        const bare = rest.replace(/[.\s]/g, '')
        if (!form?.form.test(bare)) continue
        const place = placeOf(rows, row, cell, match.index, match.index + whole.length)
        const made = idOf(prefix + bare, form.country, place, rows, false)
        // Without a label, letters and digits of that form are common.
        if (made.hasLabel) found.push(made)
      }
    }
  return found
}

function idOf(id: string, country: string, place: Place, rows: readonly Row[], isProven: boolean): TaxId {
  const hasLabel = LABEL.test(plain(`${place.left} ${place.before}`)) || LABEL.test(plain(place.above))
  return {
    id,
    country,
    place,
    hasLabel,
    isCustomers: isInCustomerBlock(place, rows),
    isRight: true,
    isProven: isProven && !place.isUncertain,
  }
}

function evidenceOf({ place, isProven }: TaxId): Evidence {
  const label = place.before || place.left
  return {
    page: place.row.page,
    box: place.box,
    reason: isProven ? 'control_digit' : 'label',
    args: label === '' ? {} : { label: label.slice(-60) },
  }
}

export interface Parties {
  supplierNif: FieldValue<string>
  supplierCountry: FieldValue<string>
  customerNif: FieldValue<string>
  /** Places of the supplier's number and of the customer's, for the search of names. */
  supplier: TaxId | null
  supplierIds: TaxId[]
  customerIds: TaxId[]
}

/** Decides which tax number is the supplier's. `ownNif` is the company's own, which never is. */
export function readParties(rows: readonly Row[], ownNif: string): Parties {
  const ids = taxIdsIn(rows)
  const own = normalizeNif(ownNif)
  const ours = ids.filter(({ id }) => id === own)
  const others = ids.filter(({ id, isRight }) => id !== own && isRight)
  // A number at the customer's place that is not ours, even a mistyped one, makes the paper somebody else's.
  const mistyped = ids.filter(({ id, isRight }) => id !== own && !isRight)
  const byId = new Map<string, TaxId[]>()
  for (const each of others) byId.set(each.id, [...(byId.get(each.id) ?? []), each])
  const ranked = [...byId.values()]
    .map((places) => ({ places, score: scoreOf(places, ours.length > 0) }))
    .toSorted((a, b) => b.score - a.score)
  const [first, second] = ranked
  const supplier = first?.places.toSorted((a, b) => Number(b.hasLabel) - Number(a.hasLabel))[0] ?? null
  const customers = ours.length > 0 ? ours : (second?.places ?? mistyped)
  // Two numbers of which neither is ours: which one is the supplier's is a guess by its surroundings.
  const isClear =
    ours.length > 0
      ? second === undefined || (first?.score ?? 0) - second.score >= 2
      : second === undefined && mistyped.length === 0
  const isSure =
    supplier !== null &&
    supplier.isProven &&
    isClear &&
    !supplier.isCustomers &&
    // Alone on the paper it may also be the customer's.
    (ours.length > 0 || supplier.hasLabel)
  const level =
    supplier === null ? 'missing' : isSure ? 'proven' : isClear && supplier.hasLabel ? 'read' : 'guess'
  const rivals = ranked.slice(1).flatMap(({ places: [place] }) => (place ? [place.id] : []))
  const [customer = null] = customers
  return {
    supplierNif:
      supplier === null ? missing() : { value: supplier.id, level, evidence: [evidenceOf(supplier)], rivals },
    supplierCountry:
      supplier === null
        ? missing()
        : {
            value: supplier.country,
            level: level === 'proven' ? 'read' : 'guess',
            evidence: [{ ...evidenceOf(supplier), reason: 'country_prefix' }],
            rivals: [],
          },
    customerNif:
      customer === null
        ? missing()
        : {
            value: customer.id,
            level: ours.length > 0 && !customer.place.isUncertain ? 'proven' : 'guess',
            evidence: [{ ...evidenceOf(customer), reason: ours.length > 0 ? 'own_number' : 'control_digit' }],
            rivals: [],
          },
    supplier,
    supplierIds: first?.places ?? [],
    customerIds: customers,
  }
}

/** Without our own number on the paper, a number at the customer's words is the customer's. */
function scoreOf(places: readonly TaxId[], isOwnKnown: boolean): number {
  const some = (is: (id: TaxId) => boolean): number => (places.some(is) ? 1 : 0)
  const isCustomers = places.every((each) => each.isCustomers)
  return (
    2 * some(({ hasLabel }) => hasLabel) +
    some(({ country }) => country === 'ES') -
    (isCustomers ? (isOwnKnown ? 1 : 4) : 0) +
    0.5 * Math.min(places.length - 1, 2)
  )
}
