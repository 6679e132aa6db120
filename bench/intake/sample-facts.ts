/** Facts of invented suppliers' documents, from a seed: what a generated document states and its truth. */
import { checkNif } from '../../server/domain/tax/nif.ts'
import { percentOf } from '../../server/domain/money.ts'
import type { TruthFields } from './truth.ts'

export const OWN = { name: 'Carpintería Lasala, S.L.', nif: 'B50998876' }

/** Uniform numbers from a seed (mulberry32). */
export class Dice {
  private state: number
  constructor(seed: number) {
    this.state = seed
  }
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }
  of<T>(all: readonly T[]): T {
    const one = all[this.int(0, all.length - 1)]
    if (one === undefined) throw new Error('Nothing to choose from.')
    return one
  }
}

/** Completes a number with its control character. */
function nifOf(start: string): string {
  for (const end of '0123456789ABCDEFGHIJKLMNPQRSTVWXYZ') if (checkNif(start + end).ok) return start + end
  throw new Error(`No control character fits ${start}.`)
}

const COMPANIES = [
  'Herrajes Garmendia, S.L.', 'Transportes Ulía S.A.', 'Maderas del Cinca, S.L.U.', 'Limpiezas Aurora, S.L.',
  'Electricidad Puig i Fills, S.L.', 'Rotulación Campos y Asociados, S.L.', 'Viveros La Ribera, S. Coop.',
  'Imprenta Nueva Luz, S.A.', 'Talleres Mecánicos Oroz, S.L.', 'Vidrios y Espejos del Sur, S.A.U.',
] // prettier-ignore
const PEOPLE = [
  'Ainhoa Zubiri Lasa',
  'Pere Comas Ferrer',
  'Xiana Rey Outeiro',
  'Tomás Villar de la Fuente',
  'Rosa Cano Prieto',
]
const STREETS = [
  'C/ Ancha, 7',
  'Rúa Nova, 21',
  'Carrer de Dalt, 3',
  'Kale Nagusia, 14',
  'Ctra. de Logroño, km 4',
]
const TOWNS = ['26001 Logroño', '17001 Girona', '20001 Donostia', '36201 Vigo', '02001 Albacete']
const GOODS = [
  'Bisagra recta 40 mm',
  'Tablero MDF 19 mm',
  'Transporte a obra',
  'Mano de obra',
  'Barniz incoloro 5 l',
  'Canto PVC blanco',
  'Reparación de prensa',
  'Cartel de fachada',
]

interface Item {
  text: string
  quantity: number
  priceCents: number
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

export interface SampleFacts {
  seller: { name: string; nif: string; street: string; town: string }
  number: string
  issueDate: string
  dueDate: string | null
  items: Item[]
  lines: SampleLine[]
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

const SURCHARGE: Record<number, number> = { 2100: 520, 1000: 140, 400: 50 }

function ibanOf(dice: Dice): string {
  const account = Array.from({ length: 20 }, () => dice.int(0, 9)).join('')
  let rest = 0
  for (const digit of `${account}142800`) rest = (rest * 10 + Number(digit)) % 97
  return `ES${String(98 - rest).padStart(2, '0')}${account}`
}

export interface SampleWish {
  rates: readonly number[]
  person?: boolean
  withheldBp?: number
  hasSurcharge?: boolean
  isSupplied?: boolean
  isPrepaid?: boolean
  isCredit?: boolean
  items?: number
}

/** Invents the facts of one document. */
export function factsOf(dice: Dice, wish: SampleWish): SampleFacts {
  const sign = wish.isCredit ? -1 : 1
  const items: Item[] = []
  for (let index = 0; index < (wish.items ?? dice.int(2, 5)); index++) {
    const quantity = dice.int(1, 9)
    const priceCents = dice.int(150, 24_000)
    const rateBp = wish.rates[index % wish.rates.length] ?? 2_100
    items.push({
      text: dice.of(GOODS),
      quantity: quantity * sign,
      priceCents,
      cents: quantity * priceCents * sign,
      rateBp,
    })
  }
  const lines = wish.rates
    .map((rateBp): SampleLine => {
      const baseCents = items
        .filter((item) => item.rateBp === rateBp)
        .reduce((sum, { cents }) => sum + cents, 0)
      const surchargeBp = wish.hasSurcharge ? (SURCHARGE[rateBp] ?? 0) : 0
      return {
        rateBp,
        baseCents,
        taxCents: percentOf(baseCents, rateBp),
        surchargeBp,
        surchargeCents: percentOf(baseCents, surchargeBp),
      }
    })
    .filter(({ baseCents }) => baseCents !== 0)
  const bases = lines.reduce((sum, { baseCents }) => sum + baseCents, 0)
  const totalCents = lines.reduce(
    (sum, line) => sum + line.baseCents + line.taxCents + line.surchargeCents,
    0,
  )
  const withheldBp = wish.withheldBp ?? 0
  const withheldCents = percentOf(bases, withheldBp)
  const suppliedCents = wish.isSupplied ? dice.int(500, 9_000) : 0
  const prepaidCents = wish.isPrepaid ? Math.round(totalCents / 4) : 0
  const day = dice.int(1, 28)
  const month = dice.int(1, 9)
  const iso = (m: number, d: number): string =>
    `2026-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`
  const isTransfer = dice.next() < 0.6
  return {
    seller: {
      name: wish.person ? dice.of(PEOPLE) : dice.of(COMPANIES),
      nif: wish.person
        ? nifOf(String(dice.int(10_000_000, 79_999_999)))
        : nifOf(`B${dice.int(1_000_000, 9_999_999)}`),
      street: dice.of(STREETS),
      town: dice.of(TOWNS),
    },
    number: dice.of([
      `${dice.int(1, 900)}`,
      `A${dice.int(100, 999)}/26`,
      `2026-F-${dice.int(10, 999)}`,
      `V-26.${dice.int(1000, 9999)}`,
      `FC2026/${dice.int(100, 999)}`,
    ]),
    issueDate: iso(month, day),
    dueDate: wish.isCredit || dice.next() < 0.3 ? null : iso(month + 1, day),
    items,
    lines,
    withheldBp,
    withheldCents,
    suppliedCents,
    prepaidCents,
    totalCents,
    payableCents: totalCents - withheldCents + suppliedCents - prepaidCents,
    iban: isTransfer ? ibanOf(dice) : null,
    payment: isTransfer ? 'transfer' : dice.of(['direct_debit', 'card', null]),
    isCredit: wish.isCredit ?? false,
  }
}

/** Returns the truth of a document. */
export function truthOf(facts: SampleFacts): TruthFields {
  const euros = (cents: number): number => cents / 100
  return {
    docType: facts.isCredit ? 'credit' : 'invoice',
    supplierName: facts.seller.name,
    supplierNif: facts.seller.nif,
    customerNif: OWN.nif,
    number: facts.number,
    issueDate: facts.issueDate,
    dueDate: facts.dueDate,
    currency: 'EUR',
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
    category: null,
  }
}
