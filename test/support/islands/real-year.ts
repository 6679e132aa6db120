/**
 * Random years of a business as documents of trade, and the steps that enter them in a book as a person does: drafts
 * that are issued, received invoices, customs documents, corrections, cancellations and payments, in the order of their days.
 */
import type { InputOf } from '../../../server/api/contracts.ts'
import { cancel } from '../../server/sales/invoices/steps.ts'
import { CLIENT_ADDRESS } from '../books.ts'
import type { DraftInput, TestBooks } from '../books.ts'
import type { Dice } from '../seeded-random.ts'
import type { DocumentLine, Matter, TradeDocument } from './documents.ts'
import { taxOf } from './documents.ts'

/** Scheme of the business. */
export type Scheme = 'general' | 'cash' | 'retailer' | 'small_business' | 'mainland'

/** Rates of a territory in basis points, the general one first, and how a sale is written where it is not plainly taxed. */
interface Rates {
  list: readonly number[]
  postalCode: string
  lineOf: Partial<Record<Matter, object>>
}

/** How a sale of a matter is written on a line. */
const ISLAND_LINES: Partial<Record<Matter, object>> = {
  sold_with_reverse_charge: { taxTreatment: 'S2', cause: 'reverse_igic' },
  export: { taxTreatment: 'E2', cause: 'export' },
  exempt_area: { taxTreatment: 'E4', cause: 'free_zones' },
  exempt_art_25: { taxTreatment: 'E5', cause: 'investment_goods' },
  exempt_zec: { taxTreatment: 'E6', cause: 'special_zone' },
  exempt_without_right: { taxTreatment: 'E1' },
  outside: { taxTreatment: 'N2', cause: 'services_third' },
}

export const MAINLAND_RATES: Rates = {
  list: [2100, 1000, 400],
  postalCode: '28013',
  lineOf: {
    sold_with_reverse_charge: { taxTreatment: 'S2' },
    export: { taxTreatment: 'E2' },
    exempt_without_right: { taxTreatment: 'E1' },
  },
}

export const ISLAND_RATES: Rates = {
  lineOf: ISLAND_LINES,
  list: [700, 300, 0, 500, 950, 1500, 2000, 3500],
  postalCode: '35002',
}

/** A document of trade, and how it is entered. */
export interface Entered extends TradeDocument {
  /** Day on which a purchase is received and booked; the day of the document for a sale. */
  receivedOn: string
  /** What a rectifying sale corrects: by the difference, or by the right lines in place of those of the sale. */
  correction: { of: number; right: DocumentLine[] | null } | null
  isCancelled: boolean
}

const two = (number: number) => String(number).padStart(2, '0')
const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

const NIFS = ['B35000017', 'A35000025', '12345678Z', 'B87654323', 'A58818501', 'B11111119']

const SALES: Readonly<Record<Scheme, readonly Matter[]>> = {
  general: [
    'taxed',
    'taxed',
    'taxed',
    'taxed',
    'taxed',
    'sold_with_reverse_charge',
    'export',
    'exempt_area',
    'exempt_art_25',
    'exempt_zec',
    'exempt_without_right',
    'outside',
  ],
  cash: ['taxed', 'taxed', 'taxed', 'export', 'outside', 'sold_with_reverse_charge'],
  retailer: ['retail', 'retail', 'retail', 'taxed'],
  small_business: ['small_business'],
  mainland: ['taxed', 'taxed', 'taxed', 'taxed', 'sold_with_reverse_charge', 'exempt_without_right'],
}
const PURCHASES: readonly Matter[] = [
  'bought',
  'bought',
  'bought',
  'imported',
  'bought_with_reverse_charge',
  'from_farmer',
  'cost',
]

/** The tax of an invoice with several lines of one kind and rate is rounded once, so each line here has its own. */
function distinctRates(dice: Dice, { list }: Rates, count: number): number[] {
  const left = [...list]
  return Array.from(
    { length: count },
    () => left.splice(dice.below(Math.min(left.length, 4)), 1)[0] as number,
  )
}

const isTaxedSale = (matter: Matter) => matter === 'taxed'

/** Draws the documents of a year, by the day on which they are entered. `firstId` numbers the first. */
export function realYear(
  dice: Dice,
  {
    year,
    firstId,
    count,
    scheme,
    rates,
  }: { year: number; firstId: number; count: number; scheme: Scheme; rates: Rates },
): Entered[] {
  const dayOf = () => `${year}-${two(1 + dice.below(12))}-${two(1 + dice.below(28))}`
  const days = Array.from({ length: count }, dayOf).sort()
  const found: Entered[] = []
  const isCash = scheme === 'cash'
  for (const [index, day] of days.entries()) {
    const isSale = dice.chance(0.55)
    const paidOn = plusDays(day, 1 + dice.below(150))
    const plain = {
      id: firstId + index,
      day,
      receivedOn: day,
      isCorrection: false,
      correction: null,
      paidOn: null,
      deductedOn: null,
      isWithheld: false,
      isCancelled: false,
    }
    if (isSale) {
      const before = found.filter(
        (other) =>
          other.side === 'sale' &&
          other.party < 6 &&
          !other.isCorrection &&
          !other.isCancelled &&
          other.paidOn === null &&
          other.lines.every(({ matter }) => isTaxedSale(matter)) &&
          !found.some(({ correction }) => correction?.of === other.id),
      )
      if (before.length > 0 && dice.chance(0.2)) {
        found.push(correctionOf(dice, plain, dice.pick(before)))
        continue
      }
      const matter = dice.pick(SALES[scheme])
      const party = matter === 'taxed' && !isCash && dice.chance(0.15) ? 6 : dice.below(6)
      const amount = party === 6 ? 20_000 : 250_000
      const lines = (
        matter === 'taxed' ? distinctRates(dice, rates, 1 + dice.below(party === 6 ? 1 : 3)) : [0]
      ).map((rateBp): DocumentLine => {
        const baseCents = 1 + dice.below(amount)
        return {
          matter,
          rateBp,
          baseCents,
          taxCents: taxOf(baseCents, rateBp),
          deductedCents: 0,
          isInvestment: false,
        }
      })
      found.push({
        ...plain,
        side: 'sale',
        party,
        paidOn: isCash && matter === 'taxed' ? paidOn : null,
        isWithheld: !isCash && party < 6 && matter === 'taxed' && dice.chance(0.1),
        isCancelled: !isCash && dice.chance(0.05),
        lines,
      })
      continue
    }
    found.push(purchaseOf(dice, plain, { scheme, rates, paidOn }))
  }
  return found
}

type Plain = Omit<Entered, 'side' | 'party' | 'lines'>

/** A rectifying sale: the difference in one line, or the right lines in place of an earlier invoice. */
function correctionOf(dice: Dice, plain: Plain, of: Entered): Entered {
  const head = { ...plain, side: 'sale' as const, party: of.party, isCorrection: true }
  const [first] = of.lines as [DocumentLine, ...DocumentLine[]]
  if (dice.chance(0.5)) {
    const baseCents = -(1 + dice.below(first.baseCents))
    return {
      ...head,
      correction: { of: of.id, right: null },
      lines: [{ ...first, baseCents, taxCents: taxOf(baseCents, first.rateBp) }],
    }
  }
  const baseCents = 1 + dice.below(250_000)
  const right = { ...first, baseCents, taxCents: taxOf(baseCents, first.rateBp) }
  const lines = of.lines.map((line, index) => ({
    ...line,
    baseCents: (index === 0 ? right.baseCents : 0) - line.baseCents,
    taxCents: (index === 0 ? right.taxCents : 0) - line.taxCents,
  }))
  return { ...head, correction: { of: of.id, right: [right] }, lines }
}

function purchaseOf(
  dice: Dice,
  plain: Plain,
  { scheme, rates, paidOn }: { scheme: Scheme; rates: Rates; paidOn: string },
): Entered {
  const matter = dice.pick(PURCHASES)
  const deducts = scheme !== 'retailer' && scheme !== 'small_business'
  const isCorrection = matter === 'bought' && dice.chance(0.15)
  const rateList =
    matter === 'from_farmer'
      ? [1200]
      : matter === 'cost'
        ? [0]
        : distinctRates(dice, rates, 1 + dice.below(3))
  const lines = rateList.map((rateBp): DocumentLine => {
    const amount = 1 + dice.below(250_000)
    const baseCents = isCorrection ? -amount : amount
    const taxCents = matter === 'cost' ? 0 : taxOf(baseCents, rateBp)
    const share = deducts ? dice.pick([100, 100, 100, 50, 0]) : 0
    return {
      matter,
      rateBp,
      baseCents,
      taxCents,
      deductedCents: matter === 'cost' ? 0 : taxOf(taxCents, share * 100),
      isInvestment: (matter === 'bought' || matter === 'imported') && dice.chance(0.2),
    }
  })
  // The supplier, or the business itself, is under cash accounting: deducted when paid.
  const isCash = matter === 'bought' && !isCorrection && (scheme === 'cash' || dice.chance(0.1))
  const receivedOn = isCash ? plain.day : plusDays(plain.day, dice.pick([0, 0, 0, 3, 20]))
  const later = !isCash && deducts && dice.chance(0.1) ? laterQuarter(dice, receivedOn) : null
  return {
    ...plain,
    side: 'purchase',
    // The customs document names no supplier of the trade.
    party: matter === 'imported' ? 4 : dice.below(6),
    isCorrection,
    receivedOn,
    deductedOn: isCash ? null : (later ?? receivedOn),
    paidOn: isCash ? paidOn : null,
    isWithheld: matter === 'bought' && !isCorrection && !isCash && dice.chance(0.15),
    lines,
  }
}

/** First day of a later quarter of the same year; null in the last one. */
function laterQuarter(dice: Dice, day: string): string | null {
  const quarter = Math.ceil(Number(day.slice(5, 7)) / 3)
  if (quarter === 4) return null
  const later = quarter + 1 + dice.below(4 - quarter)
  return `${day.slice(0, 4)}-${two(3 * later - 2)}-01`
}

const lineInput =
  ({ lineOf }: Rates) =>
  (line: DocumentLine, index: number): DraftInput['lines'][number] => ({
    description: `Partida ${index + 1}`,
    quantity: 1,
    unitPrice: line.baseCents / 100,
    ...(line.matter === 'taxed' ? { taxTreatment: 'S1', vatRate: line.rateBp / 100 } : lineOf[line.matter]),
  })

interface Played {
  /** Identifiers of invoices and received invoices by the number of their document. */
  ids: Map<number, string>
}

const at = (postalCode: string) => ({ address: { ...CLIENT_ADDRESS, postalCode } })
const AWAY: readonly Matter[] = ['export', 'outside']

async function sell(world: TestBooks, document: Entered, { ids }: Played, rates: Rates): Promise<void> {
  const { correction, lines, party } = document
  if (correction !== null && correction.right !== null) {
    const draft = await world.run('invoices.rectify', {
      id: ids.get(correction.of) ?? '',
      cause: 'price_change',
      method: 'S',
      newLines: correction.right.map(lineInput(rates)),
    })
    ids.set(document.id, (await world.issue(draft.id)).id)
    return
  }
  const isAway = lines.some(({ matter }) => AWAY.includes(matter))
  const invoice = await world.invoice({
    ...(party === 6
      ? { kind: 'F2', clientName: 'Venta al público', clientNif: null }
      : {
          clientName: `Parte ${party}`,
          clientNif: NIFS[party] ?? null,
          client: at(isAway ? '28013' : rates.postalCode),
        }),
    lines: lines.map(lineInput(rates)),
    ...(document.isWithheld ? { withholdingPct: 15 } : {}),
    ...(correction !== null
      ? {
          kind: 'R1',
          rectifies: [{ id: ids.get(correction.of) ?? '' }],
          rectification: { method: 'I', cause: 'price_change', reason: 'Ajuste' },
        }
      : {}),
  } as Partial<DraftInput>)
  ids.set(document.id, invoice.id)
  if (document.isCancelled) {
    await world.send()
    await cancel(world, invoice.id)
  }
}

async function buy(
  world: TestBooks,
  document: Entered,
  { ids }: Played,
  { postalCode }: Rates,
): Promise<void> {
  const [first] = document.lines as [DocumentLine, ...DocumentLine[]]
  const { matter } = first
  const deducted = document.deductedOn
  const kind = document.isCorrection
    ? 'rectifying'
    : matter === 'imported'
      ? 'customs'
      : matter === 'from_farmer'
        ? 'reagyp'
        : 'invoice'
  const received = await world.run('received.create', {
    kind,
    supplierName: `Parte ${document.party}`,
    supplierNif: NIFS[document.party] ?? null,
    supplier: at(matter === 'cost' ? '28013' : postalCode),
    supplierNumber: `P-${document.id}`,
    issueDate: document.day,
    receptionDate: document.receivedOn,
    cashAccounting: document.paidOn !== null,
    ...(document.isWithheld ? { withholding: { rate: 15, reason: 'professional' } } : {}),
    ...(deducted !== null &&
    deducted.slice(5) !== document.receivedOn.slice(5) &&
    deducted > document.receivedOn
      ? {
          deductionPeriod: {
            year: Number(deducted.slice(0, 4)),
            quarter: Math.ceil(Number(deducted.slice(5, 7)) / 3),
          },
        }
      : {}),
    taxLines: document.lines.map((line): InputOf<'received.create'>['taxLines'][number] =>
      matter === 'cost'
        ? { base: line.baseCents / 100, taxTreatment: 'N1', nature: 'domestic' }
        : {
            base: line.baseCents / 100,
            vatRate: line.rateBp / 100,
            tax: line.taxCents / 100,
            ...(line.taxCents === 0 ? {} : { deductiblePct: shareOf(line) }),
            ...(line.isInvestment ? { investmentGood: true } : {}),
            ...(matter === 'bought_with_reverse_charge'
              ? { taxTreatment: 'S2' as const, nature: 'reverse_charge' as const }
              : {}),
          },
    ),
  })
  ids.set(document.id, received.id)
}

/** 0, 50 or 100, as it was drawn. */
function shareOf({ taxCents, deductedCents }: DocumentLine): number {
  return deductedCents === taxCents ? 100 : deductedCents === 0 ? 0 : 50
}

/** Enters documents and their payments by their days; calls `onDay` before the first step of each day. */
export async function play(
  world: TestBooks,
  documents: readonly Entered[],
  rates: Rates,
  onDay: (day: string) => Promise<void> = async () => {},
): Promise<void> {
  const played: Played = { ids: new Map() }
  const steps = documents.flatMap((document) => {
    const isSale = document.side === 'sale'
    const enter = {
      day: document.receivedOn,
      run: () => (isSale ? sell : buy)(world, document, played, rates),
    }
    const { paidOn } = document
    if (paidOn === null) return [enter]
    const sum = document.lines.reduce((total, { baseCents, taxCents }) => total + baseCents + taxCents, 0)
    const pay = async () => {
      const input = {
        id: played.ids.get(document.id) ?? '',
        date: paidOn,
        method: 'transfer' as const,
        amount: sum / 100,
      }
      await (isSale ? world.run('payments.payInvoice', input) : world.run('payments.payReceived', input))
    }
    return [enter, { day: paidOn, run: pay }]
  })
  // Stable: what is entered on one day keeps the order of its documents.
  for (const { day, run } of steps.toSorted((one, other) =>
    one.day < other.day ? -1 : one.day > other.day ? 1 : 0,
  )) {
    await onDay(day)
    world.setTime(`${day}T12:00:00Z`)
    await run()
  }
}
