/**
 * Composes the signed lines of a rectifying draft: all that is left of an invoice, some of its lines, a part or an
 * amount of it. Pure.
 */
import type { Fault } from '../../../domain/errors/app-error.ts'
import { percentText, VAT_NAMES } from '../../../domain/languages.ts'
import { centsFromEuros, divideRounded, microFromNumber, scaleNumber } from '../../../domain/money.ts'
import type { Cents } from '../../../domain/money.ts'
import { shareCents, taxesMargin } from '../../../domain/tax/totals.ts'
import type { PriceMode } from '../../../domain/tax/totals.ts'
import { inputFault } from '../draft/faults.ts'
import type { DraftContent } from '../content.ts'
import type { InvoiceLineInput } from '../contract.ts'
import { taxSystemOfCode, VAT_SYSTEM } from '../../../tax/systems/index.ts'
import { rectifyMessages } from './rectify-messages.ts'
import { grossCents, standingTotal } from '../references/standing.ts'
import type { Standing, TaxSum } from '../references/standing.ts'

/** Requested credit. */
export interface Wanted {
  lines?: readonly { index: number; quantity?: number | undefined; amount?: number | undefined }[] | undefined
  percent?: number | undefined
  amount?: number | undefined
  newLines?: readonly InvoiceLineInput[] | undefined
}

export interface Original {
  content: DraftContent
  /** Its lines as the input that makes them again. */
  lines: readonly InvoiceLineInput[]
  number: string
  /** Alone, and with its rectifications. */
  own: Standing
  left: Standing
  isRectified: boolean
}

/** Lines of the draft, with the fields of the original that go with them. */
interface RectifyingLines {
  lines: InvoiceLineInput[]
  priceMode: PriceMode
  discountPct: number
}

const euros = (cents: Cents): number => cents / 100

/** Returns a share of a sum in cents, rounded half away from zero. */
function partOf(cents: Cents, top: number, bottom: number): Cents {
  return bottom === 0 ? 0 : Number(divideRounded(BigInt(cents) * BigInt(top), BigInt(bottom)))
}

function rateLabel(tax: TaxSum, { language, tax: code }: Original['content']): string {
  if (tax.vatRateBp === null) return rectifyMessages(language, code).untaxed
  const system = taxSystemOfCode(code)
  const name = system === VAT_SYSTEM ? VAT_NAMES[language] : system.name
  return `${name} ${percentText(tax.vatRateBp, language)}`
}

/** Returns quantity and price of a signed amount; the quantity has the sign, as on a ticket. */
function signed(cents: Cents): Pick<InvoiceLineInput, 'quantity' | 'unitPrice'> {
  return { quantity: cents < 0 ? -1 : 1, unitPrice: euros(Math.abs(cents)) }
}

/** True when the price of such a line includes its tax in either price mode: under a margin scheme. */
function isMargin(tax: TaxSum): boolean {
  return (
    taxesMargin({ regimeKey: tax.regimeKey, taxTreatment: tax.taxTreatment, costCents: 0 }) &&
    tax.outsideCents !== 0
  )
}

/** Returns one line for a tax: `baseCents` of it with net prices, `grossOfIt` with gross ones. */
function lineOfTax(
  tax: TaxSum,
  amount: { baseCents: Cents; grossOfIt: Cents; outsideCents: Cents },
  priceMode: PriceMode,
  description: string,
): InvoiceLineInput {
  const margin = isMargin(tax)
  return {
    description,
    ...signed(priceMode === 'gross' || margin ? amount.grossOfIt : amount.baseCents),
    taxTreatment: tax.taxTreatment,
    regimeKey: tax.regimeKey,
    ...(tax.vatRateBp === null ? {} : { vatRate: tax.vatRateBp / 100 }),
    surcharge: (tax.surchargeRateBp ?? 0) / 100,
    ...(margin ? { cost: euros(amount.outsideCents) } : {}),
  }
}

function paidLine(cents: Cents, description: string): InvoiceLineInput {
  return { description, ...signed(cents), isDisbursement: true, withholdable: false, taxTreatment: 'S1' }
}

/** Returns all that is left, one line for each tax: earlier credits are not split into lines again. */
function restLines({ left, content, number }: Original): InvoiceLineInput[] {
  const { language, priceMode } = content
  const words = rectifyMessages(language, content.tax)
  const lines = left.taxes
    .filter((tax) => tax.baseCents !== 0 && grossCents(tax) !== 0)
    .map((tax) =>
      lineOfTax(
        tax,
        { baseCents: -tax.baseCents, grossOfIt: -grossCents(tax), outsideCents: -tax.outsideCents },
        priceMode,
        `${words.rest(number)} (${rateLabel(tax, content)})`,
      ),
    )
  if (left.disbursementsCents !== 0)
    lines.push(paidLine(-left.disbursementsCents, words.disbursements(number)))
  return lines
}

/** Inverts a line; its discount in euros moves into the price, because a discount cannot be negative. */
function reversed(line: InvoiceLineInput): InvoiceLineInput {
  const { discountAmount = 0, discountPct = 0, cost, ...rest } = line
  const turned = {
    ...rest,
    quantity: line.quantity === 0 ? 0 : -line.quantity,
    ...(cost === undefined ? {} : { cost: cost === 0 ? 0 : -cost }),
  }
  if (discountAmount === 0) return { ...turned, ...(discountPct === 0 ? {} : { discountPct }) }
  const cents = netOfLine(line)
  return { ...turned, ...signed(-cents) }
}

/** Euros × 1e16: the scale of quantity times price times the remainder of a percentage. */
const CENT = 100_000_000_000_000n

function exactOfLine(line: InvoiceLineInput): bigint {
  const quantity = BigInt(microFromNumber(line.quantity) ?? 0)
  const price = BigInt(microFromNumber(line.unitPrice) ?? 0)
  return quantity * price * BigInt(10_000 - (scaleNumber(line.discountPct ?? 0, 2) ?? 0))
}

/** Returns the amount of a line in its prices, before the document's discount, in cents. */
function netOfLine(line: InvoiceLineInput): Cents {
  const cents = Number(divideRounded(exactOfLine(line), CENT))
  return cents - (centsFromEuros(line.discountAmount ?? 0) ?? 0)
}

/** Credits the whole invoice: line by line while nothing of it was credited, else what is left. */
function wholeLines(original: Original): RectifyingLines {
  const { content, lines } = original
  const { priceMode, discountBp, discountCents } = content
  // An inverted line with a discount in euros states its net: only whole cents add up to the same sum.
  const isInexact = lines.some((line) => (line.discountAmount ?? 0) !== 0 && exactOfLine(line) % CENT !== 0n)
  if (original.isRectified || discountCents !== 0 || isInexact)
    return { lines: restLines(original), priceMode, discountPct: 0 }
  return { lines: lines.map(reversed), priceMode, discountPct: discountBp / 100 }
}

/** Credits a percentage of every tax of the original as issued. */
function percentLines({ own, content, number }: Original, percent: number): RectifyingLines {
  const { language, priceMode } = content
  const bp = scaleNumber(percent, 2) ?? 0
  const share = rectifyMessages(language, content.tax).share(percentText(bp, language), number)
  const name = (tax: TaxSum) => `${share} (${rateLabel(tax, content)})`
  const part = (cents: Cents) => partOf(cents, -bp, 10_000)
  const lines = own.taxes.map((tax) =>
    lineOfTax(
      tax,
      {
        baseCents: part(tax.baseCents),
        grossOfIt: part(grossCents(tax)),
        outsideCents: part(tax.outsideCents),
      },
      priceMode,
      name(tax),
    ),
  )
  return { lines: lines.filter(({ unitPrice }) => unitPrice !== 0), priceMode, discountPct: 0 }
}

/**
 * Credits an amount of the total, tax included, shared among what is left of the taxes: gross prices make it exact to
 * the cent.
 */
function amountLines({ left, content, number }: Original, amount: number): RectifyingLines {
  const { language } = content
  const taxes = left.taxes.filter((tax) => grossCents(tax) > 0)
  const shares = shareCents(
    centsFromEuros(amount) ?? 0,
    taxes.map((tax) => BigInt(grossCents(tax))),
  )
  const lines = taxes.map((tax, index) => {
    const share = shares[index] ?? 0
    const outsideCents = partOf(tax.outsideCents, -share, grossCents(tax))
    return lineOfTax(
      tax,
      { baseCents: 0, grossOfIt: -share, outsideCents },
      'gross',
      `${rectifyMessages(language, content.tax).part(number)} (${rateLabel(tax, content)})`,
    )
  })
  return { lines: lines.filter(({ unitPrice }) => unitPrice !== 0), priceMode: 'gross', discountPct: 0 }
}

/** Returns the fraction of a line that remains after the document's discounts. */
function remainingOfDocument({ content, own }: Original): [top: number, bottom: number] {
  if (content.discountCents === 0) return [10_000 - content.discountBp, 10_000]
  const kept = standingTotal({ ...own, disbursementsCents: 0 })
  const isGross = content.priceMode === 'gross'
  const charged = isGross ? kept : own.taxes.reduce((sum, tax) => sum + tax.baseCents, 0)
  const listed = charged + content.discountCents
  return [partOf(charged, 10_000 - content.discountBp, 10_000), listed]
}

function someLines(
  original: Original,
  wanted: NonNullable<Wanted['lines']>,
  faults: Fault[],
): RectifyingLines {
  const { content } = original
  const discounted = content.discountBp !== 0 || content.discountCents !== 0
  const [top, bottom] = remainingOfDocument(original)
  const lines: InvoiceLineInput[] = []
  for (const [at, { index, quantity, amount }] of wanted.entries()) {
    const line = original.lines[index]
    if (!line) {
      faults.push(
        inputFault('line_unknown', `lines[${at}].index`, 'The invoice has no such line.', 'Count from 0.'),
      )
      continue
    }
    const exceeds = (asked: number, all: number) =>
      Math.sign(asked) !== Math.sign(all) || Math.abs(asked) > Math.abs(all)
    const net = netOfLine(line)
    if (amount !== undefined) {
      const cents = centsFromEuros(amount) ?? 0
      if (exceeds(cents, net)) faults.push(tooMuch(`lines[${at}].amount`, euros(net)))
      lines.push(amountOfLine(line, cents, net))
      continue
    }
    const asked = quantity ?? line.quantity
    if (exceeds(asked, line.quantity)) faults.push(tooMuch(`lines[${at}].quantity`, line.quantity))
    const share = partOf(net, microFromNumber(asked) ?? 0, microFromNumber(line.quantity) ?? 0)
    const isPlain = (line.discountAmount ?? 0) === 0 && !discounted
    if (isPlain) lines.push(reversed(partOfLine(line, asked)))
    else
      lines.push({
        ...amountOfLine(line, line.isDisbursement ? share : partOf(share, top, bottom), net),
        ...(asked === 1 ? {} : { description: `${asked} × ${line.description}`.slice(0, 500) }),
      })
  }
  return { lines, priceMode: content.priceMode, discountPct: 0 }
}

function tooMuch(field: string, most: number): Fault {
  return {
    ...inputFault('credit_exceeds_line', field, `The line has only ${most}.`, 'Credit at most that much.'),
    params: { most },
  }
}

/** Credits some units of a line, with their part of its cost. */
function partOfLine(line: InvoiceLineInput, quantity: number): InvoiceLineInput {
  if (line.cost === undefined) return { ...line, quantity }
  const cents = partOf(
    centsFromEuros(line.cost) ?? 0,
    microFromNumber(quantity) ?? 0,
    microFromNumber(line.quantity) ?? 0,
  )
  return { ...line, quantity, cost: euros(cents) }
}

/** Credits an amount of a line instead of units. */
function amountOfLine(line: InvoiceLineInput, cents: Cents, net: Cents): InvoiceLineInput {
  const { discountAmount: _amount, discountPct: _pct, cost, ...rest } = line
  return {
    ...rest,
    ...signed(-cents),
    ...(cost === undefined ? {} : { cost: euros(partOf(centsFromEuros(cost) ?? 0, -cents, net)) }),
  }
}

/** Returns the requested difference as signed lines, with faults under the names of the input. */
export function differenceLines(original: Original, wanted: Wanted, faults: Fault[]): RectifyingLines {
  if (wanted.newLines) {
    const before = wholeLines(original)
    // The new lines' prices already exclude the document's discount, so the old lines include it in theirs.
    const old = before.discountPct === 0 ? before.lines : restLines(original)
    return { ...before, discountPct: 0, lines: [...old, ...wanted.newLines] }
  }
  if (wanted.lines) return someLines(original, wanted.lines, faults)
  if (wanted.percent !== undefined) return percentLines(original, wanted.percent)
  if (wanted.amount !== undefined) {
    const most = original.left.taxes.reduce((sum, tax) => sum + Math.max(0, grossCents(tax)), 0)
    if ((centsFromEuros(wanted.amount) ?? 0) > most) {
      faults.push({
        ...inputFault(
          'credit_exceeds_original',
          'amount',
          `Only ${euros(most)} are left of the invoice.`,
          'Credit at most that much.',
        ),
        params: { amount: euros(most) },
      })
      return { lines: [], priceMode: 'gross', discountPct: 0 }
    }
    return amountLines(original, wanted.amount)
  }
  return wholeLines(original)
}

/** Counts the ways of stating the credit that the input uses. */
export function creditSelections(wanted: Wanted): number {
  return [wanted.lines, wanted.percent, wanted.amount, wanted.newLines].filter((way) => way !== undefined)
    .length
}
