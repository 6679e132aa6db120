/**
 * Posts a received invoice to the tax totals of its periods and to the ledger, and reverses it when it changes or is
 * voided.
 */
import type { ReceivedFacts } from '../../domain/booking-facts.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Cents } from '../../domain/money.ts'
import type { Ctx } from '../../context.ts'
import { findCompany } from '../../company/index.ts'
import { taxSystemOf } from '../../tax/systems/index.ts'
import type { TaxFamily } from '../../tax/systems/contract.ts'
import { countCash, countMissingFile, countOperation } from '../../tax/totals/index.ts'
import type { Operation } from '../../tax/totals/index.ts'
import { prepare } from '../../db/query.ts'
import { sumsOf } from './content.ts'
import type { ReceivedContent, ReceivedLine } from './content.ts'

/** Received invoice with the facts that the tax totals and the ledger need. */
interface Posted {
  rowId: number
  content: ReceivedContent
  files: number
}

/** Returns the family of the company's tax, under which its purchases count. */
export async function taxFamilyOf(ctx: Ctx): Promise<TaxFamily> {
  return taxSystemOf((await findCompany(ctx)).territory).family
}

const NATURE: Partial<Record<ReceivedLine['nature'], 'goods' | 'services'>> = {
  eu_goods: 'goods',
  import: 'goods',
  eu_services: 'services',
  foreign_services: 'services',
}

/** Returns the day the tax accrues: of the operation, else of the issue. */
function accrualDate(content: Pick<ReceivedContent, 'operationDate' | 'issueDate'>): BusinessDate {
  return content.operationDate ?? content.issueDate
}

/**
 * Returns the expense of income tax: the bases, and the VAT that cannot be deducted. Depreciated goods are no expense
 * of that day, and the goods of a customs document are on their seller's invoice.
 */
function expenseCents({ kind, lines }: ReceivedContent): Cents {
  let sum = 0
  for (const line of lines) {
    if (line.investmentGood || line.account.startsWith('2')) continue
    const taxAsCost = line.taxCents + line.surchargeCents - line.deductibleCents
    sum += (kind === 'customs' ? 0 : line.baseCents) + taxAsCost
  }
  return sum
}

/** Converts a received invoice to an operation of the tax totals. */
export function operationOfReceived({ rowId, content, files }: Posted, tax: TaxFamily): Operation {
  const { kind, supplier, withholding } = content
  const sums = sumsOf(content)
  const date = accrualDate(content)
  const deduction = content.deductionDate ?? content.receptionDate
  const isDocument = kind !== 'receipt' && kind !== 'simplified'
  return {
    source: { type: 'received', id: rowId },
    side: 'received',
    date,
    // LIVA art. 99.Tres and Cuatro: VAT cannot be deducted before the invoice is received.
    ...(deduction > date ? { deductionDate: deduction } : {}),
    rectifying: kind === 'rectifying',
    cash: content.cashAccounting && content.lines.some((line) => line.regimeKey === '07'),
    taxes: content.lines.map((line) => ({
      tax,
      taxTreatment: line.taxTreatment,
      regimeKey: line.regimeKey,
      vatRateBp: line.vatRateBp,
      surchargeRateBp: line.surchargeRateBp,
      baseCents: line.baseCents,
      taxCents: line.taxCents,
      surchargeCents: line.surchargeCents,
      deductibleCents: line.deductibleCents,
      investment: line.investmentGood,
      ...(NATURE[line.nature] ? { nature: NATURE[line.nature] } : {}),
      ...(line.nature === 'import' ? { place: 'non_eu' as const } : {}),
    })),
    party: {
      nif: supplier.nif,
      name: supplier.name,
      country: supplier.country,
      postalCode: supplier.postalCode,
      idType: supplier.idType,
    },
    totalCents: kind === 'customs' ? sums.taxCents : sums.totalCents,
    withholding,
    incomeCents: expenseCents(content),
    // Customs documents, wages, contributions and bank charges are not operations with third parties.
    outsideThirdParties: kind === 'customs' || kind === 'receipt',
    missingNif: isDocument && supplier.nif === null,
    withoutFile: files === 0,
  }
}

/** Concepts of goods for trade or production: their sellers are suppliers (400), the others creditors (410). */
const GOODS_CONCEPTS: readonly string[] = ['G01', 'G03']
const WAGE_CONCEPTS: readonly string[] = ['G04']

function payableAccount({ lines, concept }: ReceivedContent): string {
  if (lines.some((line) => line.account.startsWith('2'))) return '523'
  if (WAGE_CONCEPTS.includes(concept)) return '465'
  return GOODS_CONCEPTS.includes(concept) ? '400' : '410'
}

/**
 * Converts a received invoice to an entry of the ledger. It is booked on the day of its reception, like its input
 * VAT.
 */
function factsOfReceived(content: ReceivedContent): ReceivedFacts {
  const isCustoms = content.kind === 'customs'
  const sums = sumsOf(content)
  return {
    date: content.receptionDate,
    contactId: content.contactId,
    taxes: content.lines.map((line) => ({
      account: line.account,
      vatRateBp: line.vatRateBp,
      baseCents: isCustoms ? 0 : line.baseCents,
      taxCents: line.taxCents,
      surchargeCents: line.surchargeCents,
      deductibleCents: line.deductibleCents,
      vatOwedTo: line.selfAssessed ? 'self' : 'supplier',
    })),
    withholdingCents: content.withholding?.amountCents ?? 0,
    payableAccount: payableAccount(content),
    totalCents: isCustoms ? sums.taxCents : sums.totalCents,
    cashAccounting: content.cashAccounting,
  }
}

const paymentsOf = prepare((db, p: { receivedId: number }) =>
  db
    .selectFrom('payment_allocations')
    .innerJoin('payments', 'payments.id', 'payment_allocations.payment_id')
    .select(['payments.id', 'payments.date', 'payment_allocations.cents'])
    .where('payment_allocations.received_id', '=', p.receivedId)
    .orderBy('payments.date')
    .orderBy('payments.id'),
)

/** Adds a received invoice to the tax totals and the ledger, with its payments under cash accounting. */
export async function post(ctx: Ctx, posted: Posted): Promise<void> {
  const { content, rowId } = posted
  const operation = operationOfReceived(posted, await taxFamilyOf(ctx))
  await countOperation(ctx, operation, 1)
  if (operation.cash) {
    const dueCents = sumsOf(content).payableCents
    let paidCents = 0
    for (const payment of await paymentsOf.all(ctx.db, { receivedId: rowId })) {
      paidCents += payment.cents
      const { id: paymentId, date } = payment
      await countCash(ctx, { source: operation.source, paymentId, date, paidCents, dueCents }, 1)
    }
  }
  await ctx.env.ledger.bookReceived(ctx, rowId, factsOfReceived(content))
}

/** Removes a received invoice from the tax totals and the ledger. Throws `period_locked` when its day is closed. */
export async function unpost(ctx: Ctx, posted: Posted): Promise<void> {
  await ctx.env.ledger.assertOpenPeriod(ctx, posted.content.receptionDate, 'receptionDate')
  await countOperation(ctx, operationOfReceived(posted, await taxFamilyOf(ctx)), -1)
  await ctx.env.ledger.removeEntry(ctx, { type: 'received', id: posted.rowId })
}

/** Updates the tax totals when a received invoice gets its first file (-1) or loses its last one (1). */
export async function countFileChange(ctx: Ctx, content: ReceivedContent, times: 1 | -1): Promise<void> {
  await countMissingFile(ctx, 'received', accrualDate(content), times)
}

/** Adds the VAT that a payment makes deductible under cash accounting, or removes it when `cents` are negative. */
export async function settleCash(
  ctx: Ctx,
  posted: Posted,
  payment: { id: number; date: BusinessDate; cents: Cents; paidCents: Cents },
): Promise<void> {
  const operation = operationOfReceived(posted, await taxFamilyOf(ctx))
  if (!operation.cash) return
  const dueCents = sumsOf(posted.content).payableCents
  const { id: paymentId, date, paidCents } = payment
  await countCash(
    ctx,
    { source: operation.source, paymentId, date, paidCents, dueCents },
    payment.cents > 0 ? 1 : -1,
  )
}
