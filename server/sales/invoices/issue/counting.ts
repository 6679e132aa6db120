/** Adds an invoice to the tax totals of its period when it comes into force, and removes it when it is annulled. */
import { accrualDateOf } from '../content.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { incomeOfTax, ONE_STOP_SHOP } from '../../../domain/tax/totals.ts'
import type { TaxTotal, Totals } from '../../../domain/tax/totals.ts'
import type { Ctx } from '../../../context.ts'
import { taxSystemOfCode } from '../../../tax/systems/index.ts'
import { countOperation, countOperations, countParty } from '../../../tax/totals/index.ts'
import type { Operation, OperationTax } from '../../../tax/totals/index.ts'
import { amendedParty, saveAmendedParty } from '../draft/parties.ts'
import { isRectifying, isSimplified } from '../kinds.ts'
import type { DraftContent } from '../content.ts'
import type { PartyFacts } from '../draft/parties.ts'
import { replacedBy, standingFor, amountsOfOtherProgram } from '../references/replace.ts'
import type { Replaced } from '../references/replace.ts'

/** Treatments of goods only; the rest counts as services, which matters when the customer is in the EU. */
export const GOODS: readonly string[] = ['E2', 'E5']

/** Sales of the one-stop shop are goods, unless they are booked as services. */
function natureOf(content: DraftContent, tax: TaxTotal): 'goods' | 'services' {
  if (GOODS.includes(tax.taxTreatment)) return 'goods'
  if (tax.regimeKey !== ONE_STOP_SHOP) return 'services'
  const lines = content.lines.filter((line) => line.regimeKey === ONE_STOP_SHOP)
  return lines.every((line) => line.account?.startsWith('705')) ? 'services' : 'goods'
}

/** Facts of an issued invoice that its tax totals come from. */
export interface CountedInvoice {
  rowId: number
  content: DraftContent
  totals: Totals
  issueDate: BusinessDate
  /** Given while it is being issued: what it replaces is known, and no amendment exists yet. */
  justIssued?: { replaced: readonly Replaced[] }
}

/** Converts an invoice to an operation of the tax totals. Disbursements are not operations of the issuer. */
export function operationOf({ rowId, content, totals, issueDate }: CountedInvoice): Operation {
  const { client } = content
  const { withholding } = totals
  const rents = content.property !== null || totals.taxes.some((tax) => tax.regimeKey === '11')
  return {
    source: { type: 'invoice', id: rowId },
    side: 'issued',
    date: accrualDateOf({ ...content, issueDate }),
    rectifying: isRectifying(content.kind),
    cash: totals.taxes.some((tax) => tax.regimeKey === '07'),
    taxes: totals.taxes.map((tax) => ({
      tax: taxSystemOfCode(content.tax).family,
      taxTreatment: tax.taxTreatment,
      regimeKey: tax.regimeKey,
      vatRateBp: tax.vatRateBp,
      surchargeRateBp: tax.surchargeRateBp,
      baseCents: tax.baseCents,
      taxCents: tax.taxCents,
      surchargeCents: tax.surchargeCents,
      incomeCents: incomeOfTax(content.kind, tax),
      nature: natureOf(content, tax),
    })),
    party: {
      nif: client.nif,
      name: client.name,
      country: client.country,
      postalCode: client.postalCode,
      idType: client.idType,
    },
    totalCents: totals.totalCents - totals.disbursementsCents,
    withholding: withholding && { ...withholding, reason: rents ? 'rent' : 'professional' },
    missingNif: !isSimplified(content.kind) && client.nif === null,
  }
}

/**
 * Counts an invoice: adds it with its issue or its reactivation (1), removes it with its annulment (-1). One that
 * replaces others (an F3 its tickets, a rectification by substitution its original) reverses them on its own day, so
 * that no sale counts twice. The VAT books do the same with two entries (RIVA art. 70; their unified layout's rule
 * for rectifications by substitution).
 */
export async function countInvoice(ctx: Ctx, invoice: CountedInvoice, times: 1 | -1): Promise<void> {
  await countOperations(ctx, await operationsOf(ctx, invoice), times)
}

/** Returns all operations of an invoice: its own, and the reversals of those that it replaces. */
async function operationsOf(ctx: Ctx, invoice: CountedInvoice): Promise<Operation[]> {
  const operation = operationOf(await underItsCustomer(ctx, invoice))
  if (!replacesInvoices(invoice.content)) return [operation]
  const operations = [operation]
  const replaced = invoice.justIssued?.replaced ?? (await replacedBy(ctx, invoice.rowId))
  for (const [index, before] of replaced.entries()) {
    const counted = await underItsCustomer(ctx, countedOf(before))
    operations.push(takenBack(operationOf(counted), operation, index + 1))
  }
  const elsewhere = amountsOfOtherProgram(invoice.content, invoice.totals, replaced)
  if (elsewhere) operations.push(fromElsewhere(operation, elsewhere, replaced.length + 1))
  return operations
}

/** Returns the invoice with the customer that an amendment named, if one did. */
async function underItsCustomer(ctx: Ctx, invoice: CountedInvoice): Promise<CountedInvoice> {
  const client = invoice.justIssued ? null : await amendedParty(ctx, invoice.rowId)
  return client ? { ...invoice, content: { ...invoice.content, client } } : invoice
}

/**
 * Moves an invoice in force to another customer in every total, with the reversals by the invoices that replace it.
 * What accrues with payments stays: only the sums of the customers change.
 */
export async function moveToCustomer(ctx: Ctx, invoice: CountedInvoice, client: PartyFacts): Promise<void> {
  const affected = [invoice, ...(await standingFor(ctx, invoice.rowId)).map(countedOf)]
  for (const one of affected) await recount(ctx, one, -1)
  await saveAmendedParty(ctx, invoice.rowId, client)
  for (const one of affected) await recount(ctx, one, 1)
}

async function recount(ctx: Ctx, invoice: CountedInvoice, times: 1 | -1): Promise<void> {
  for (const operation of await operationsOf(ctx, invoice))
    if (operation.cash) await countParty(ctx, operation, times)
    else await countOperation(ctx, operation, times)
}

/** True for an F3 and a rectification by substitution: only these replace others. */
export function replacesInvoices(content: Pick<DraftContent, 'kind' | 'rectification'>): boolean {
  return content.kind === 'F3' || content.rectification?.method === 'S'
}

/** Converts a replaced invoice to an operation of the tax totals. */
export function countedOf({ row, content, totals }: Replaced): CountedInvoice {
  return { rowId: row.id, content, totals, issueDate: row.issue_date ?? row.list_date }
}

/** Returns the reversal of an invoice of another program, as a part of the invoice that replaces it. */
function fromElsewhere(by: Operation, tax: TaxTotal, part: number): Operation {
  const { baseCents, taxCents, surchargeCents } = tax
  const like = by.taxes.find(
    (one) => one.taxTreatment === tax.taxTreatment && one.vatRateBp === tax.vatRateBp,
  )
  return {
    ...by,
    source: { ...by.source, part },
    taxes: like ? [negated({ ...like, baseCents, taxCents, surchargeCents, incomeCents: baseCents })] : [],
    totalCents: -(baseCents + taxCents + surchargeCents),
    withholding: null,
    missingNif: false,
  }
}

/** Returns a tax with the sign of every amount inverted. */
function negated(tax: OperationTax): OperationTax {
  const { incomeCents = tax.baseCents } = tax
  return {
    ...tax,
    baseCents: -tax.baseCents,
    taxCents: -tax.taxCents,
    surchargeCents: -tax.surchargeCents,
    incomeCents: -incomeCents,
  }
}

/** Returns an operation with its signs inverted, as a part of the invoice that replaces it. */
function takenBack(before: Operation, by: Operation, part: number): Operation {
  const { withholding } = before
  return {
    ...before,
    source: { ...by.source, part },
    date: by.date,
    rectifying: by.rectifying,
    taxes: before.taxes.map(negated),
    totalCents: -before.totalCents,
    withholding: withholding && {
      ...withholding,
      baseCents: -withholding.baseCents,
      amountCents: -withholding.amountCents,
    },
    missingNif: false,
  }
}
