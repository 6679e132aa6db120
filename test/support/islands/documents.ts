/** Documents of a business of the Canary Islands, as a bookkeeper would list them, and a random year of them. */
import type { Operation, OperationTax } from '../../../server/tax/totals/index.ts'
import type { Dice } from '../seeded-random.ts'

/** What a line of a document is, in the words of the trade. */
export type Matter =
  | 'taxed'
  | 'used_goods'
  | 'travel'
  | 'sold_with_reverse_charge'
  | 'export'
  | 'exempt_area'
  | 'exempt_art_25'
  | 'exempt_zec'
  | 'exempt_without_right'
  | 'small_business'
  | 'retail'
  | 'outside'
  | 'mainland_vat'
  | 'bought'
  | 'bought_with_reverse_charge'
  | 'imported'
  | 'from_farmer'
  /** A purchase without IGIC, as one that bears VAT of the mainland: all of it is a cost. */
  | 'cost'

export interface DocumentLine {
  matter: Matter
  rateBp: number
  baseCents: number
  taxCents: number
  /** Purchases: the part of the tax that is deducted. */
  deductedCents: number
  isInvestment: boolean
}

export interface TradeDocument {
  id: number
  side: 'sale' | 'purchase'
  day: string
  party: number
  isCorrection: boolean
  /** Day of the payment under cash accounting; null under the general rule. */
  paidOn: string | null
  /** Day of the period in which a purchase is deducted, when it is a later one; null otherwise. */
  deductedOn: string | null
  /** It bears a withholding of income tax. */
  isWithheld: boolean
  lines: DocumentLine[]
}

const PARTIES = ['B35000017', 'A35000025', '12345678Z', 'B87654323', 'A58818501', 'B11111119']

/** Codes of a matter in the record. */
const CODES: Readonly<Record<Matter, Pick<OperationTax, 'taxTreatment' | 'regimeKey'>>> = {
  taxed: { taxTreatment: 'S1', regimeKey: '01' },
  used_goods: { taxTreatment: 'S1', regimeKey: '03' },
  travel: { taxTreatment: 'S1', regimeKey: '05' },
  sold_with_reverse_charge: { taxTreatment: 'S2', regimeKey: '01' },
  export: { taxTreatment: 'E2', regimeKey: '02' },
  exempt_area: { taxTreatment: 'E4', regimeKey: '01' },
  exempt_art_25: { taxTreatment: 'E5', regimeKey: '01' },
  exempt_zec: { taxTreatment: 'E6', regimeKey: '01' },
  exempt_without_right: { taxTreatment: 'E1', regimeKey: '01' },
  small_business: { taxTreatment: 'E7', regimeKey: '18' },
  retail: { taxTreatment: 'E1', regimeKey: '17' },
  outside: { taxTreatment: 'N2', regimeKey: '01' },
  mainland_vat: { taxTreatment: 'S1', regimeKey: '01' },
  bought: { taxTreatment: 'S1', regimeKey: '01' },
  bought_with_reverse_charge: { taxTreatment: 'S2', regimeKey: '01' },
  imported: { taxTreatment: 'S1', regimeKey: '01' },
  from_farmer: { taxTreatment: 'S1', regimeKey: '02' },
  cost: { taxTreatment: 'N1', regimeKey: '01' },
}

/** Returns a document as the product counts it. */
export function operationOf(document: TradeDocument): Operation {
  const isSale = document.side === 'sale'
  const taxes = document.lines.map((line): OperationTax => {
    const codes = CODES[line.matter]
    return {
      tax: line.matter === 'mainland_vat' ? 'vat' : 'igic',
      ...codes,
      regimeKey: document.paidOn === null ? codes.regimeKey : '07',
      vatRateBp: isSale && codes.taxTreatment !== 'S1' ? null : line.rateBp,
      surchargeRateBp: null,
      baseCents: line.baseCents,
      taxCents: line.taxCents,
      surchargeCents: 0,
      ...(isSale ? {} : { deductibleCents: line.deductedCents, investment: line.isInvestment }),
      ...(line.matter === 'imported' ? { place: 'non_eu' as const, nature: 'goods' as const } : {}),
    }
  })
  const sum = document.lines.reduce(
    (total, line) =>
      total + line.baseCents + (line.matter === 'bought_with_reverse_charge' ? 0 : line.taxCents),
    0,
  )
  const base = document.lines.reduce((total, { baseCents }) => total + baseCents, 0)
  return {
    source: { type: isSale ? 'invoice' : 'received', id: document.id },
    side: isSale ? 'issued' : 'received',
    date: document.day,
    ...(document.deductedOn === null ? {} : { deductionDate: document.deductedOn }),
    rectifying: document.isCorrection,
    cash: document.paidOn !== null,
    taxes,
    party: {
      nif: PARTIES[document.party] ?? null,
      name: `Parte ${document.party}`,
      country: 'ES',
      idType: null,
    },
    totalCents: sum,
    withholding: document.isWithheld
      ? { rateBp: 1500, baseCents: base, amountCents: Math.round(base * 0.15), reason: 'professional' }
      : null,
    outsideThirdParties: document.lines.some(({ matter }) => matter === 'imported'),
  }
}

const RATES = [0, 300, 500, 700, 950, 1500, 2000, 3500]
/** Half away from zero, as a tax is rounded. */
export const taxOf = (base: number, rateBp: number): number =>
  Math.sign(base) * Math.floor((Math.abs(base) * rateBp + 5000) / 10_000)

const two = (number: number) => String(number).padStart(2, '0')

/** Returns the documents of a year, with amounts in which a cent can be lost. `firstId` numbers the first of them. */
export function randomYear(dice: Dice, year: number, firstId: number, count: number): TradeDocument[] {
  const rates = RATES.filter(() => dice.chance(0.6))
  if (rates.length === 0) rates.push(700)
  const dayOf = (from: number) => `${year}-${two(from + dice.below(13 - from))}-${two(1 + dice.below(28))}`
  return Array.from({ length: count }, (_, index): TradeDocument => {
    const isSale = dice.chance(0.55)
    const isCorrection = dice.chance(0.15)
    const matterOf = (): Matter =>
      isCorrection
        ? isSale
          ? 'taxed'
          : dice.pick(['bought', 'bought', 'imported', 'bought_with_reverse_charge'])
        : isSale
          ? dice.pick([
              'taxed',
              'taxed',
              'taxed',
              'taxed',
              'used_goods',
              'travel',
              'sold_with_reverse_charge',
              'export',
              'exempt_area',
              'exempt_art_25',
              'exempt_zec',
              'exempt_without_right',
              'small_business',
              'retail',
              'outside',
              'mainland_vat',
            ])
          : dice.pick(['bought', 'bought', 'bought', 'imported', 'bought_with_reverse_charge', 'from_farmer'])
    const first = matterOf()
    // Under cash accounting all lines are of the same kind, and paid at once on a later day.
    const isCash = dice.chance(0.15) && (first === 'taxed' || first === 'bought')
    const lines = Array.from({ length: isCash ? 1 : 1 + dice.below(3) }, (__, line): DocumentLine => {
      const matter = line === 0 ? first : matterOf()
      const isTaxed = ['taxed', 'used_goods', 'travel', 'mainland_vat'].includes(matter) || !isSale
      const rateBp = isTaxed ? dice.pick(rates) : 0
      const amount = 1 + dice.below(250_000)
      const baseCents = isCorrection && dice.chance(0.8) ? -amount : amount
      const taxCents = isTaxed ? taxOf(baseCents, rateBp) : 0
      const share = dice.pick([100, 100, 100, 50, 0])
      return {
        matter,
        rateBp,
        baseCents,
        taxCents,
        deductedCents: isSale ? 0 : taxOf(taxCents, share * 100),
        isInvestment: !isSale && matter !== 'from_farmer' && dice.chance(0.25),
      }
    })
    const day = dayOf(1)
    const month = Number(day.slice(5, 7))
    return {
      id: firstId + index,
      side: isSale ? 'sale' : 'purchase',
      day,
      party: dice.below(PARTIES.length + 1),
      isCorrection,
      paidOn: isCash ? dayOf(month).replace(/\d\d$/, '28') : null,
      deductedOn: !isSale && !isCash && dice.chance(0.2) ? dayOf(month) : null,
      isWithheld: !isCash && dice.chance(0.1),
      lines,
    }
  })
}
