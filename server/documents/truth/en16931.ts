/** What an invoice in the terms of EN 16931 says, whichever syntax it was read from; with its own arithmetic. */
import { addTax } from './said.ts'
import type { Said, SaidLine, SaidTax } from './said.ts'
import { cents } from './scan.ts'
import { named, sum } from './stored.ts'

export interface StandardTax {
  category: string
  rateBp: number
  baseCents: number
  taxCents: number
}

interface StandardParty {
  taxId: string | null
  name: string | null
}

/** The parts of a document that are compared, with the signs of the invoice. */
export interface StandardParts {
  source: string
  number: string | null
  issueDate: string | null
  dueDate: string | null
  operationDate: string | null
  /** UNTDID 1001. */
  typeCode: string
  currency: string | null
  notes: string
  /** Legal mentions that the notes must hold. */
  mentions: readonly string[]
  terms: string | null
  preceding: { number: string; issueDate: string }[]
  seller: StandardParty
  buyer: StandardParty
  iban: string | null
  paymentId: string | null
  sign: 1 | -1
  taxes: StandardTax[]
  taxCents: number
  /** VAT in euros of a document in another currency. */
  eurosTaxCents: number | null
  /** Sums of the allowances and charges of the document, and those with a rate: the equivalence surcharge. */
  allowances: number
  charges: number
  surcharges: { rateBp: number; cents: number }[]
  statedAllowances: number
  statedCharges: number
  lineSum: number
  baseCents: number
  totalCents: number
  paidCents: number
  dueCents: number
  lines: SaidLine[]
  /** What stands in collection lines outside the total, where a format has them. */
  collected?: { disbursementsCents: number; withheldCents: number }
  /** What the customer withholds, where a format has fields for it. */
  withheld?: { cents: number; rateBp: number; baseCents: number | null }
}

const CREDIT_NOTES = ['381', '261']
const CORRECTED = ['384', '471']
const SELF_BILLED = ['389', '261', '471']
const KNOWN = ['380', '389', ...CREDIT_NOTES, ...CORRECTED]

/** `Retención del IRPF 15 % (100.00 EUR): 15.00 EUR, …`: the standard has no field for what the buyer withholds. */
const WITHHELD = /(\d{1,3}(?:[.,]\d{1,2})?) % \((-?\d+\.\d\d) [A-Z]{3}\): (-?\d+\.\d\d) [A-Z]{3}/g

function withheldIn(notes: string, sign: 1 | -1): Record<string, number> {
  const match = [...notes.matchAll(WITHHELD)].at(-1)
  if (!match) return { withheld: 0, withholdingRate: 0 }
  return {
    withholdingRate: Math.round(Number((match[1] ?? '').replace(',', '.')) * 100),
    withholdingBase: sign * cents(match[2] ?? null) + 0,
    withheld: sign * cents(match[3] ?? null) + 0,
  }
}

/** `Vencimientos: 2026-07-03 100.00 EUR; …` */
function instalmentsIn(terms: string | null): { date: string; cents: number }[] {
  return [...(terms ?? '').matchAll(/(\d{4}-\d\d-\d\d) (-?\d+\.\d\d) [A-Z]{3}/g)].map(
    ([, date = '', amount = '']) => ({
      date,
      cents: cents(amount),
    }),
  )
}

/** Returns what a format states in fields of its own of what the customer withholds; otherwise what the notes state. */
function withheldOf({ withheld, notes, sign }: StandardParts): Record<string, number> {
  if (withheld === undefined) return withheldIn(notes, sign)
  return {
    withheld: withheld.cents + 0,
    withholdingRate: withheld.rateBp,
    ...(withheld.baseCents === null ? {} : { withholdingBase: withheld.baseCents }),
  }
}

/** Returns what the parts say, what they state of their sums, what they add up to, and their payment reference. */
export function standardFacts(
  parts: StandardParts,
): [said: Said, stated: Said, added: Said, ...more: Said[]] {
  const { source, taxes, lines } = parts
  const { disbursementsCents, withheldCents } = parts.collected ?? { disbursementsCents: 0, withheldCents: 0 }
  const shown = new Map<string, SaidTax>()
  let untaxedAll = 0
  for (const { category, rateBp, baseCents, taxCents } of taxes) {
    const isTaxed = (category === 'S' || category === 'L' || category === 'M') && rateBp > 0
    if (isTaxed) addTax(shown, `vat ${rateBp}`, { base: baseCents, tax: taxCents, surcharge: 0 })
    else untaxedAll += baseCents
  }
  // A share of a base is the equivalence surcharge.
  for (const { rateBp, cents: tax } of parts.surcharges)
    addTax(shown, `surcharge ${rateBp}`, { base: 0, tax, surcharge: 0 })
  const instalments = instalmentsIn(parts.terms)
  const unsaid = parts.mentions.find((mention) => !parts.notes.includes(mention))
  const { typeCode } = parts
  const said: Said = {
    source,
    facts: {
      number: parts.number,
      issueDate: parts.issueDate,
      operationDate: parts.operationDate === parts.issueDate ? null : parts.operationDate,
      dueDate: parts.dueDate,
      isRectifying: CREDIT_NOTES.includes(typeCode) || CORRECTED.includes(typeCode) ? 1 : 0,
      issuedByRecipient: SELF_BILLED.includes(typeCode) ? 1 : 0,
      isKnownType: KNOWN.includes(typeCode) ? 1 : 0,
      sellerTaxId: parts.seller.taxId,
      sellerName: parts.seller.name,
      buyerTaxId: parts.buyer.taxId,
      buyerName: parts.buyer.name,
      currency: parts.currency,
      references: parts.preceding
        .map(({ number, issueDate }) => named(number, issueDate))
        .sort()
        .join('; '),
      instalmentDates: instalments.map(({ date }) => date).join(' '),
      instalments: instalments.map(({ date, cents: amount }) => `${date} ${amount}`).join('; '),
      ...withheldOf(parts),
      iban: parts.iban,
      mentions: unsaid === undefined ? '' : `missing: ${unsaid}`,
      total: parts.totalCents + disbursementsCents + 0,
      due: parts.dueCents + 0,
      deducted: parts.paidCents + withheldCents + 0,
      vatAmount: parts.taxCents + 0,
      untaxedAll: untaxedAll + disbursementsCents + 0,
      lineSum: parts.lineSum + 0,
      lineCount: lines.length,
      ...(parts.eurosTaxCents === null ? {} : { eurosVat: parts.eurosTaxCents + 0 }),
    },
    shown,
    lines,
  }
  const added: Said = {
    source: `sums of ${source}`,
    facts: {
      lineSum: sum(lines.map(({ netCents = 0 }) => netCents)),
      vatAmount: sum(taxes.map(({ taxCents }) => taxCents)),
      total: parts.lineSum - parts.allowances + parts.charges + parts.taxCents + disbursementsCents,
      due: parts.totalCents - parts.paidCents + disbursementsCents - withheldCents,
      [`${source}.allowances`]: parts.allowances,
      [`${source}.charges`]: parts.charges,
      [`${source}.base`]: sum(taxes.map(({ baseCents }) => baseCents)),
    },
  }
  const stated: Said = {
    source,
    facts: {
      [`${source}.allowances`]: parts.statedAllowances,
      [`${source}.charges`]: parts.statedCharges,
      [`${source}.base`]: parts.baseCents,
    },
  }
  const reference: Said[] =
    parts.paymentId === null
      ? []
      : [{ source: `payment reference of ${source}`, facts: { number: parts.paymentId } }]
  return [said, stated, added, ...reference]
}
