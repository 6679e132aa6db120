/** The block of sums of the paper: bases and taxes, discounts, what is kept back, and the same in euros. Pure. */
import { divideRounded, eurosFromCents, percentFromBasisPoints } from '../../server/core/money.ts'
import type { Cents, Micro } from '../../server/core/money.ts'
import type { TaxTreatment, Totals } from '../../server/core/totals.ts'
import { isMarginScheme } from './draft.ts'
import { paperFigures, paperWords } from './paper-words.ts'

export interface PaperSum {
  label: string
  /** Null for words alone. */
  amount: number | null
  tone: 'plain' | 'total' | 'strong'
  /** Of an amount that is not in the document's currency. */
  currency?: 'EUR'
}

export interface SumsInput {
  language: 'es' | 'en'
  /** IVA, IGIC or IPSI. */
  taxName: string
  /** In the currency of the document, like everything but `euros`. */
  totals: Totals
  replacedCents: Cents
  currency: string
  fxMicro: Micro | null
  fxDate: string | null
  /** Of a document in another currency. */
  euros: { taxCents: Cents; totalCents: Cents } | null
}

/** Why a line or a group bears no rate; null where it bears one. */
export function noRateWord(
  treatment: TaxTreatment,
  rateBp: number | null,
  language: 'es' | 'en',
  form: 'short' | 'long',
): string | null {
  const words = paperWords(language)
  if (treatment === 'S1' || (treatment === 'N2' && rateBp !== null)) return null
  if (treatment === 'S2') return form === 'short' ? words.reverse : words.reverseLong
  return treatment.startsWith('N') ? words.notSubject : words.exempt
}

function taxSums({ language, taxName, totals }: SumsInput): PaperSum[] {
  const words = paperWords(language)
  const { percent } = paperFigures(language)
  return totals.taxes.flatMap((tax) => {
    const plain = (label: string, cents: Cents): PaperSum => ({
      label,
      amount: eurosFromCents(cents),
      tone: 'plain',
    })
    // Under a margin scheme the tax is inside the price and is not shown.
    if (isMarginScheme(tax))
      return [plain(words.marginScheme, tax.baseCents + tax.taxCents + tax.surchargeCents + tax.outsideCents)]
    const why = noRateWord(tax.taxTreatment, tax.vatRateBp, language, 'long')
    if (why !== null) return [plain(why, tax.baseCents)]
    const rate = percent(percentFromBasisPoints(tax.vatRateBp ?? 0))
    return [
      plain(`${words.base} ${rate}`, tax.baseCents),
      // Another member state's VAT stands beside base and tax.
      plain(`${taxName} ${rate}`, tax.taxTreatment === 'N2' ? tax.outsideCents : tax.taxCents),
      ...(tax.surchargeRateBp
        ? [
            plain(
              `${words.surcharge} ${percent(percentFromBasisPoints(tax.surchargeRateBp))}`,
              tax.surchargeCents,
            ),
          ]
        : []),
    ]
  })
}

function euroSums({ language, taxName, currency, fxMicro, fxDate, euros }: SumsInput): PaperSum[] {
  if (!euros || fxMicro === null) return []
  const words = paperWords(language)
  const { quantity, day } = paperFigures(language)
  const when = fxDate === null ? '' : ` (${day(fxDate)})`
  const inEuros = (label: string, cents: Cents): PaperSum => ({
    label,
    amount: eurosFromCents(cents),
    tone: 'plain',
    currency: 'EUR',
  })
  return [
    {
      label: `${words.rate}: 1 € = ${quantity(fxMicro / 1e6)} ${currency}${when}`,
      amount: null,
      tone: 'plain',
    },
    inEuros(words.taxInEuros.replace('{tax}', taxName), euros.taxCents),
    inEuros(words.totalInEuros, euros.totalCents),
  ]
}

/** The sums in the order of the printed invoice. */
export function sumsOf(input: SumsInput): PaperSum[] {
  const { language, totals, replacedCents, currency } = input
  const words = paperWords(language)
  const { percent, money } = paperFigures(language)
  const { withholding, disbursementsCents, documentDiscountCents } = totals
  const sums: PaperSum[] = []
  const add = (label: string, cents: Cents, tone: PaperSum['tone'] = 'plain') =>
    sums.push({ label, amount: eurosFromCents(cents), tone })
  if (documentDiscountCents !== 0) add(words.documentDiscount, -documentDiscountCents)
  sums.push(...taxSums(input))
  if (withholding === null && disbursementsCents === 0 && replacedCents === 0) {
    sums.push(...euroSums(input))
    add(words.total, totals.totalCents, 'total')
    return sums
  }
  // What was supplied and its tax is what the registry and the QR hold; money advanced for the client comes on top.
  add(words.total, totals.totalCents - disbursementsCents, 'total')
  if (disbursementsCents !== 0) add(words.disbursements, disbursementsCents)
  if (withholding !== null)
    add(
      words.withholding
        .replace('{rate}', percent(percentFromBasisPoints(withholding.rateBp)))
        .replace('{base}', money(eurosFromCents(withholding.baseCents), currency)),
      -withholding.amountCents,
    )
  if (replacedCents !== 0) add(words.alreadyInvoiced, -replacedCents)
  sums.push(...euroSums(input))
  add(words.due_amount, totals.amountDueCents - replacedCents, 'strong')
  return sums
}

/** Euros in the currency of a document. */
export function inCurrency(cents: Cents, fxMicro: Micro | null): Cents {
  return fxMicro === null ? cents : Number(divideRounded(BigInt(cents) * BigInt(fxMicro), 1_000_000n))
}
