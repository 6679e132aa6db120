/** Answers of received invoices, in the shapes of the contract. */
import { attachmentView, filesOf } from '../../platform/attachments/index.ts'
import { quarterOf } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { eurosFromCents, numberFromMicro, percentFromBasisPoints } from '../../domain/money.ts'
import type { Ctx } from '../../context.ts'
import { prepare } from '../../db/query.ts'
import { receptionNumber } from './content.ts'
import type { ReceivedLine } from './content.ts'
import type { Received, ReceivedSummary, ReceivedTaxLine } from './contract.ts'
import { receivedHeader } from './fields.ts'
import { contentOfReceived } from './rows.ts'
import type { ReceivedRow } from './rows.ts'

/** Target type of the files of received invoices. */
export const RECEIVED_TARGET = 'received'

const contactPublicId = prepare((db, p: { id: number }) =>
  db.selectFrom('contacts').select('public_id').where('id', '=', p.id).where('blocked_at', 'is', null),
)

function paymentStatus(row: ReceivedRow, today: BusinessDate): ReceivedSummary['payment']['status'] {
  if (row.state === 'void') return 'void'
  if (row.payable_cents === row.paid_cents) return 'paid'
  if (row.is_owed === 1 && row.due_date !== null && row.due_date < today) return 'overdue'
  return row.paid_cents === 0 ? 'unpaid' : 'partial'
}

/** Returns a row of the list. */
export function receivedSummary(
  row: ReceivedRow,
  contactId: string | null,
  today: BusinessDate,
): ReceivedSummary {
  return {
    id: row.public_id,
    receptionNumber: receptionNumber(row.year, row.sequence),
    state: row.state,
    kind: row.kind,
    supplierName: row.supplier_name,
    supplierNif: row.supplier_nif_written ?? row.supplier_nif,
    supplierId: contactId,
    supplierNumber: row.supplier_number,
    issueDate: row.issue_date,
    receptionDate: row.reception_date,
    dueDate: row.due_date,
    concept: row.concept,
    base: eurosFromCents(row.base_cents),
    tax: eurosFromCents(row.tax_cents),
    total: eurosFromCents(row.total_cents),
    payable: eurosFromCents(row.payable_cents),
    amountDue: row.state === 'void' ? 0 : eurosFromCents(row.payable_cents - row.paid_cents),
    currency: row.currency,
    payment: { status: paymentStatus(row, today), paid: eurosFromCents(row.paid_cents) },
    files: row.files,
    version: row.version,
    createdAt: new Date(row.created_at).toISOString(),
  }
}

/** Returns a tax line. */
export function taxLineView(line: ReceivedLine): ReceivedTaxLine {
  const percent = (rateBp: number | null): number | null =>
    rateBp === null ? null : percentFromBasisPoints(rateBp)
  return {
    description: line.description,
    base: eurosFromCents(line.baseCents),
    vatRate: percent(line.vatRateBp),
    tax: eurosFromCents(line.taxCents),
    taxTreatment: line.taxTreatment,
    nature: line.nature,
    regimeKey: line.regimeKey,
    selfAssessed: line.selfAssessed,
    surchargeRate: percent(line.surchargeRateBp),
    surcharge: eurosFromCents(line.surchargeCents),
    deductiblePct: percentFromBasisPoints(line.deductibleBp),
    deductible: eurosFromCents(line.deductibleCents),
    concept: line.concept,
    account: line.account,
    investmentGood: line.investmentGood,
  }
}

/** Returns a whole received invoice. */
export async function receivedView(ctx: Ctx, row: ReceivedRow): Promise<Received> {
  const content = await contentOfReceived(ctx.db, row)
  const contact =
    row.contact_id === null ? null : ((await contactPublicId.first(ctx.db, { id: row.contact_id })) ?? null)
  const files = await filesOf(ctx, { type: RECEIVED_TARGET, id: row.id })
  const { supplier, withholding, property } = content
  const { street, postalCode, city, province, country } = supplier
  return {
    ...receivedSummary(row, contact?.public_id ?? null, ctx.today()),
    supplier: {
      name: supplier.name,
      nif: supplier.nifWritten ?? supplier.nif,
      idType: supplier.idType,
      country,
      address:
        street && postalCode && city
          ? { street, postalCode, city, ...(province ? { province } : {}), country }
          : null,
    },
    ...receivedHeader.toAnswer(content),
    taxLines: content.lines.map(taxLineView),
    surcharge: eurosFromCents(row.surcharge_cents),
    selfAssessed: eurosFromCents(row.self_assessed_cents),
    deductible: eurosFromCents(row.deductible_cents),
    withholding: withholding && {
      rate: percentFromBasisPoints(withholding.rateBp),
      base: eurosFromCents(withholding.baseCents),
      amount: eurosFromCents(withholding.amountCents),
      reason: withholding.reason,
    },
    fxRate: row.fx_rate_micro === null ? null : numberFromMicro(row.fx_rate_micro),
    currencyTotal: eurosFromCents(row.currency_total_cents),
    deductionPeriod:
      row.deduction_date === null
        ? null
        : { year: Number(row.deduction_date.slice(0, 4)), quarter: quarterOf(row.deduction_date) },
    property: property && {
      situation: property.situation,
      ...(property.cadastralReference ? { cadastralReference: property.cadastralReference } : {}),
    },
    rectifies: content.rectifies,
    attachments: files.map(attachmentView),
    voidedAt: row.voided_at === null ? null : new Date(row.voided_at).toISOString(),
  }
}
