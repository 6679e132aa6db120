/** Tax numbers of a document: the supplier's by its control digit, its label and its neighbourhood. Pure. */
import { checkNif, normalizeNif } from '../../../domain/tax/nif.ts'
import { hasRightCheckDigits } from '../../../domain/tax/vat-check-digits.ts'
import { VAT_NUMBER_FORMS } from '../../../domain/tax/vat-numbers.ts'
import { missing } from './field-value.ts'
import type { Evidence, FieldValue } from './field-value.ts'
import { plain } from './labels.ts'
import { placeOf } from './places.ts'
import type { Place } from './places.ts'
import { agreed } from './readings.ts'
import type { Read, Readings } from './readings.ts'
import type { Cell, Row } from './rows.ts'

const SPANISH =
  /(?<![A-Z0-9])(?:ES[-\s]?)?([A-Z][-.\s]{0,2}\d{2}[.\s]?\d{3}[.\s]?\d{2}[-.\s]?[0-9A-J]|[A-Z][-.\s]{0,2}\d{7}[-.\s]?[0-9A-J]|[A-Z][-.\s]?\d{8}|\d{8}[-.\s]{0,2}[A-Z]|\d{2}\.\d{3}\.\d{3}[-.\s]{0,2}[A-Z]|[XYZ][-.\s]?\d{7}[-.\s]?[A-Z])(?![A-Z0-9])/g
const PREFIXES = VAT_NUMBER_FORMS.flatMap(({ prefix, country }) => (country === 'ES' ? [] : [prefix])).join(
  '|',
)
const FOREIGN = new RegExp(
  String.raw`(?<![A-Z0-9])(${PREFIXES})[\s-]?([A-Z0-9+*](?:[.\s]?[A-Z0-9+*]){6,12})(?![A-Z0-9])`,
  'g',
)
/** The I of an Irish number, as OCR sees it. */
const MISREAD_IRISH = /(?<![A-Z0-9])[1L|](?=E\d[A-Z0-9]\d{5}[A-Z]{1,2}(?![A-Z0-9]))/g
const LABEL =
  /\b(?:n ?i ?f|c ?i ?f|nie|dni|vat|iva|ifz|ifk|ifz|tax [i1l]d|n fiscal|numero fiscal|contribuinte|steuernummer|ust idnr|tva|ust|partita|identificacion fiscal|vat number|nipc)\b/
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
  /** Read after letters were taken for digits, or by a form whose check digits are wrong. */
  isDoubtful: boolean
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
function taxIdsIn(rows: readonly Row[], own: string): TaxId[] {
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
      const mended = row.source === 'ocr' ? text.replace(MISREAD_IRISH, 'I') : text
      for (const match of mended.matchAll(FOREIGN)) {
        const [whole, prefix = '', rest = ''] = match
        const isMended = !text.startsWith(whole, match.index)
        const form = VAT_NUMBER_FORMS.find((each) => each.prefix === prefix && each.country !== 'ES')
        const bare = rest.replace(/[.\s]/g, '')
        if (!form?.form.test(bare)) continue
        const place = placeOf(rows, row, cell, match.index, match.index + whole.length)
        const isRight = hasRightCheckDigits(prefix + bare)
        const made = idOf(prefix + bare, form.country, place, rows, isRight === true && !isMended)
        // Without a label, letters and digits of that form are common; with right check digits they are not.
        if (made.hasLabel || isRight) found.push({ ...made, isDoubtful: isMended || isRight === false })
      }
      if (row.source === 'ocr') found.push(...repairedIn(cell, row, rows, own))
    }
  return found
}

/** Letters that OCR sees for digits, and digits for the letters of a tax number. */
const DIGIT_FOR: Record<string, string> = {
  O: '0',
  Q: '0',
  D: '0',
  I: '1',
  L: '1',
  '|': '1',
  Z: '2',
  S: '5',
  G: '6',
  B: '8',
}
const LETTER_FOR: Record<string, string> = { 8: 'B', 4: 'A', 6: 'G', 5: 'S', 1: 'I', 2: 'Z' }
/** Letters of persons that end as a digit: "123456787" is 12345678Z. */
const CONTROLS_FOR: Record<string, string> = { 0: 'DQ', 2: 'Z', 4: 'A', 5: 'S', 6: 'G', 7: 'ZT', 8: 'B' }

const allDigits = (text: string): string => [...text].map((char) => DIGIT_FOR[char] ?? char).join('')
const asLetter = (char: string): string => LETTER_FOR[char] ?? char

/** Returns the one right tax number that a misread word can be; null when there is none, or more than one. */
function repairedNif(word: string): string | null {
  const bare = normalizeNif(word)
  if (bare.length !== 9 || !/^[A-Z0-9|]{9}$/.test(bare) || checkNif(bare).ok) return null
  const middle = allDigits(bare.slice(1, 8))
  const first = bare.slice(0, 1)
  const control = bare.slice(8)
  const tries = new Set([
    allDigits(first) + middle + asLetter(control),
    asLetter(first) + middle + allDigits(control),
    asLetter(first) + middle + asLetter(control),
    first + middle + control,
    ...[...(CONTROLS_FOR[control] ?? '')].map((letter) => allDigits(first) + middle + letter),
  ])
  const right = [...tries].filter((each) => checkNif(each).ok)
  return right.length === 1 ? (right[0] ?? null) : null
}

/** True for our own number with one character misread: a number with a right control digit is another company's. */
function isNearly(word: string, own: string): boolean {
  const bare = normalizeNif(word)
  if (bare.length !== own.length || checkNif(bare).ok) return false
  return [...bare].filter((char, at) => char !== own[at]).length === 1
}

const PERSONS_LABEL = /\b(?:n ?i ?f|d ?n ?i)$/
const CONTROL_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'

/** Completes the eight digits of a person whose letter was not seen ("32354412]"); the letter follows from them. */
function personsNif(word: string, { before, left }: Place): string | null {
  if (!/^\d{8}$/.test(word) || !PERSONS_LABEL.test(plain(before || left))) return null
  return word + CONTROL_LETTERS.charAt(Number(word) % CONTROL_LETTERS.length)
}

/** Finds the tax numbers that OCR misread, only where a label says that one stands there, and our own. */
function repairedIn(cell: Cell, row: Row, rows: readonly Row[], own: string): TaxId[] {
  return cell.words.flatMap((word, index) => {
    const start = cell.starts[index] ?? 0
    const text = word.t.replace(/^[^\p{L}\p{N}|]+|[^\p{L}\p{N}|]+$/gu, '')
    const place = placeOf(rows, row, cell, start, start + word.t.length)
    const id = (isNearly(text, own) ? own : repairedNif(text)) ?? personsNif(text, place)
    if (id === null) return []
    const made = idOf(id, 'ES', place, rows, false)
    return made.hasLabel || id === own ? [{ ...made, isDoubtful: true }] : []
  })
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
    isDoubtful: false,
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

/** Decides which tax number of one reading is the supplier's. `ownNif` is the company's own, which never is. */
function partiesIn(rows: readonly Row[], ownNif: string): Parties {
  const own = normalizeNif(ownNif)
  const ids = taxIdsIn(rows, own)
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
  const isRead = supplier !== null && isClear && supplier.hasLabel && !supplier.isDoubtful
  const level = supplier === null ? 'missing' : isSure ? 'proven' : isRead ? 'read' : 'guess'
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
            level: ours.some(({ place, isDoubtful }) => !place.isUncertain && !isDoubtful)
              ? 'proven'
              : 'guess',
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

/** What the readings say together of the supplier's and the customer's numbers, and what each says alone. */
interface AgreedParties extends Pick<Parties, 'supplierNif' | 'supplierCountry' | 'customerNif'> {
  each: Parties[]
}

/** Reads the tax numbers. `ownNif` is the company's own, which is never the supplier's. */
export function readParties({ each, merged }: Readings, ownNif: string): AgreedParties {
  const parties = each.map((rows) => partiesIn(rows, ownNif))
  const both = each.length > 1 ? partiesIn(merged, ownNif) : null
  const own = normalizeNif(ownNif)
  const supplierOf = ({ supplierNif, supplier }: Parties): Read<string> => ({
    field: supplierNif,
    certainty:
      (supplier?.hasLabel ? 1 : 0) - (supplier?.isDoubtful ? 2 : 0) + (supplier?.place.conf ?? 0) / 100,
  })
  const customerOf = ({ customerNif, customerIds: [customer] }: Parties): Read<string> => ({
    field: customerNif,
    certainty: (customerNif.value === own ? 2 : 0) + (customer?.place.conf ?? 0) / 100,
  })
  const supplierNif = agreed(parties.map(supplierOf), both && supplierOf(both))
  const from = [...parties, ...(both ? [both] : [])].find(
    ({ supplier }) => supplier?.id === supplierNif.value,
  )
  return {
    supplierNif,
    supplierCountry: from?.supplierCountry ?? missing(),
    customerNif: agreed(parties.map(customerOf), both && customerOf(both)),
    each: parties,
  }
}
