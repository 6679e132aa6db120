/** Facts of invented suppliers' documents, from a seed: what a generated document states and its truth. */
import { percentOf } from '../../../server/domain/money.ts'
import { checkNif } from '../../../server/domain/tax/nif.ts'
import type { ReadCategory } from '../../../server/purchases/intake/contract.ts'
import type { TruthFields } from '../truth.ts'
import type { Dice } from './dice.ts'
import { PEOPLE, STREETS, TOWNS, TRADES } from './names.ts'
import type { TradeName } from './names.ts'

/** The customer of all documents. */
export const OWN = {
  name: 'Carpintería Lasala, S.L.',
  nif: 'B50998871',
  street: 'Pol. Malpica, calle F, 12',
  town: '50016 Zaragoza',
}

/** Completes a number with its control character. */
function nifOf(start: string): string {
  for (const end of '0123456789ABCDEFGHIJKLMNPQRSTVWXYZ') if (checkNif(start + end).ok) return start + end
  throw new Error(`No control character fits ${start}.`)
}

interface SampleItem {
  code: string
  text: string
  /** Thousandths, as fuel is sold in litres with decimals. */
  milli: number
  priceCents: number
  discountBp: number
  /** Without tax; with it where the document sells with tax included. */
  cents: number
  rateBp: number
}

interface SampleLine {
  rateBp: number
  baseCents: number
  taxCents: number
  surchargeBp: number
  surchargeCents: number
}

/** Why a document carries no VAT. */
type Untaxed = 'exempt' | 'reverse' | 'outside'

export interface SampleFacts {
  seller: { name: string; nif: string | null; street: string; town: string; phone: string }
  category: ReadCategory
  docType: 'invoice' | 'simplified' | 'credit'
  currency: 'EUR' | 'USD'
  /** Whether the document names its customer. */
  hasCustomer: boolean
  number: string
  issueDate: string
  dueDate: string | null
  items: SampleItem[]
  lines: SampleLine[]
  untaxed: Untaxed | null
  withheldBp: number
  withheldCents: number
  suppliedCents: number
  prepaidCents: number
  totalCents: number
  payableCents: number
  iban: string | null
  payment: string | null
  isCredit: boolean
}

export interface SampleWish {
  trade?: TradeName
  rates: readonly number[]
  person?: boolean
  withheldBp?: number
  hasSurcharge?: boolean
  isSupplied?: boolean
  isPrepaid?: boolean
  isCredit?: boolean
  /** Prices with tax included, as on tickets. */
  isGross?: boolean
  /** One line takes something back. */
  hasNegative?: boolean
  hasDiscounts?: boolean
  untaxed?: Untaxed
  currency?: 'EUR' | 'USD'
  items?: readonly [from: number, to: number]
  /** Paid at once: no due date, by card or in cash. */
  isPaid?: boolean
  /** Share of documents with a due date, 0.7 unless told. */
  due?: number
  payments?: readonly (string | null)[]
  numbers?: readonly string[]
}

const SURCHARGE: Record<number, number> = { 2100: 520, 1000: 140, 400: 50 }
const DAY_MS = 86_400_000

function ibanOf(dice: Dice): string {
  const account = Array.from({ length: 20 }, () => dice.int(0, 9)).join('')
  let rest = 0
  for (const digit of `${account}142800`) rest = (rest * 10 + Number(digit)) % 97
  return `ES${String(98 - rest).padStart(2, '0')}${account}`
}

/** Forms of invoice numbers; # is a digit. */
const NUMBERS = [
  '###', 'A###/26', '2026-F-##', 'V-26.####', 'FC2026/###', 'F26/0####', '2026/000###', '26-00###', 'FA-2026-0###', 'VF26-00####',
  '##/2026', 'S26000##', 'B26-1-#####', '2026####',
] // prettier-ignore
const CREDIT_NUMBERS = ['R26-0##', 'AB-####', 'FR2026/0##', 'REC-26.###', 'A26/00##R'] // prettier-ignore
const TICKET_NUMBERS = ['00##-002-######', 'T26/0#####', '2026-T1-00####', 'FS 1-######', '1/####'] // prettier-ignore

function itemsOf(
  dice: Dice,
  wish: SampleWish,
  goods: readonly string[],
  prices: readonly [number, number],
): SampleItem[] {
  const sign = wish.isCredit ? -1 : 1
  const [fewest, most] = wish.items ?? [2, 5]
  const items: SampleItem[] = []
  const count = dice.int(fewest, most)
  const first = dice.int(0, goods.length - 1)
  for (let index = 0; index < count; index++) {
    const quantity = prices[1] > 60_000 ? 1 : dice.int(1, 9)
    const priceCents = dice.int(prices[0], prices[1])
    const discountBp = wish.hasDiscounts && dice.chance(0.4) ? dice.of([500, 1000, 1500]) : 0
    // Fuel is sold by the litre: any sum.
    const cents = (wish.trade === 'fuel' ? dice.int(2_000, 9_500) : quantity * priceCents) * sign
    items.push({
      code: dice.digits('####'),
      text: goods[(first + index) % goods.length] ?? '',
      milli: quantity * sign * 1_000,
      priceCents,
      discountBp,
      cents: cents - percentOf(cents, discountBp),
      rateBp: wish.rates[index % wish.rates.length] ?? 0,
    })
  }
  const [one] = items
  if (wish.hasNegative && one) {
    const back = Math.max(50, Math.round(Math.abs(one.cents) * dice.between(0.1, 0.5)))
    items.push({
      code: dice.digits('####'),
      text: dice.of([
        'Devolución envases',
        'Descuento comercial',
        'Abono material defectuoso',
        'Rappel trimestre',
      ]),
      milli: -1_000,
      priceCents: back,
      discountBp: 0,
      cents: -back,
      rateBp: one.rateBp,
    })
  }
  return items
}

function linesOf(items: readonly SampleItem[], wish: SampleWish): SampleLine[] {
  return wish.rates
    .map((rateBp): SampleLine => {
      const sum = items.filter((item) => item.rateBp === rateBp).reduce((all, { cents }) => all + cents, 0)
      const baseCents = wish.isGross ? Math.round((sum * 10_000) / (10_000 + rateBp)) : sum
      const surchargeBp = wish.hasSurcharge ? (SURCHARGE[rateBp] ?? 0) : 0
      return {
        rateBp,
        baseCents,
        taxCents: wish.isGross ? sum - baseCents : percentOf(baseCents, rateBp),
        surchargeBp,
        surchargeCents: percentOf(baseCents, surchargeBp),
      }
    })
    .filter(({ baseCents }) => baseCents !== 0)
}

/** Invents the facts of one document. */
export function factsOf(dice: Dice, wish: SampleWish): SampleFacts {
  const trade = TRADES[wish.trade ?? 'goods']
  const items = itemsOf(dice, wish, trade.goods, trade.prices)
  const lines = linesOf(items, wish)
  const bases = lines.reduce((sum, { baseCents }) => sum + baseCents, 0)
  const totalCents = lines.reduce(
    (sum, line) => sum + line.baseCents + line.taxCents + line.surchargeCents,
    0,
  )
  const withheldBp = wish.withheldBp ?? 0
  const withheldCents = percentOf(bases, withheldBp)
  const suppliedCents = wish.isSupplied ? dice.int(500, 9_000) : 0
  const prepaidCents = wish.isPrepaid ? Math.round(totalCents / 4) : 0
  const issue = Date.UTC(2026, dice.int(0, 9), dice.int(1, 28))
  const iso = (time: number): string => new Date(time).toISOString().slice(0, 10)
  const payment = dice.of(
    wish.payments ??
      (wish.isPaid ? ['card', 'card', 'cash'] : ['transfer', 'transfer', 'transfer', 'direct_debit', null]),
  )
  const hasDue = !wish.isPaid && !wish.isCredit && dice.chance(wish.due ?? 0.7)
  const [name, letter] = wish.person ? [dice.of(PEOPLE), ''] : dice.of(trade.names)
  return {
    seller: {
      name,
      nif: sellerNif(dice, letter, wish.untaxed),
      street: dice.of(STREETS),
      town: dice.of(TOWNS),
      phone: dice.digits('9## ### ###'),
    },
    category: trade.category,
    docType: wish.isCredit ? 'credit' : wish.isGross && wish.isPaid ? 'simplified' : 'invoice',
    currency: wish.currency ?? 'EUR',
    hasCustomer: true,
    number: dice.digits(
      dice.of(wish.numbers ?? (wish.isCredit ? CREDIT_NUMBERS : wish.isGross ? TICKET_NUMBERS : NUMBERS)),
    ),
    issueDate: iso(issue),
    dueDate: hasDue ? iso(issue + dice.of([7, 15, 30, 30, 60]) * DAY_MS) : null,
    items,
    lines,
    untaxed: wish.untaxed ?? null,
    withheldBp,
    withheldCents,
    suppliedCents,
    prepaidCents,
    totalCents,
    payableCents: totalCents - withheldCents + suppliedCents - prepaidCents,
    iban: payment === 'transfer' ? ibanOf(dice) : null,
    payment,
    isCredit: wish.isCredit ?? false,
  }
}

/** A letter makes a Spanish number of a legal person, none that of a natural one; a pattern is one of another state. */
function sellerNif(dice: Dice, letter: string, untaxed: Untaxed | undefined): string | null {
  if (untaxed === 'outside') return null
  if (letter.length > 1) return dice.digits(letter)
  return letter === '' ? nifOf(dice.digits('3#######')) : nifOf(dice.digits(`${letter}#######`))
}

/** Returns the truth of a document. */
export function truthOf(facts: SampleFacts): TruthFields {
  const euros = (cents: number): number => cents / 100
  return {
    docType: facts.docType,
    supplierName: facts.seller.name,
    supplierNif: facts.seller.nif,
    customerNif: facts.hasCustomer ? OWN.nif : null,
    number: facts.number,
    issueDate: facts.issueDate,
    dueDate: facts.dueDate,
    currency: facts.currency,
    taxLines: facts.lines.map((line) => ({
      base: euros(line.baseCents),
      vatRate: line.rateBp / 100,
      tax: euros(line.taxCents),
      ...(line.surchargeBp === 0
        ? {}
        : { surchargeRate: line.surchargeBp / 100, surcharge: euros(line.surchargeCents) }),
    })),
    withholding:
      facts.withheldBp === 0 ? null : { rate: facts.withheldBp / 100, amount: euros(facts.withheldCents) },
    supplied: facts.suppliedCents === 0 ? null : euros(facts.suppliedCents),
    total: euros(facts.totalCents),
    payable: euros(facts.payableCents),
    paymentMethod: facts.payment,
    iban: facts.iban,
    category: facts.category,
  }
}
