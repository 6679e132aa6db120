/** The documents of a book as an earlier program would hand them over: the opposite of taking them in, from the rows. */
import type {
  HistoryDocument,
  HistoryTax,
  IssuedHistory,
  ReceivedHistory,
} from '../../../server/domain/history.ts'
import { incomeOfTax } from '../../../server/domain/tax/totals.ts'
import type { Ctx } from '../../../server/context.ts'
import { takenBackParts } from '../../../server/tax/totals/index.ts'

type Party = HistoryDocument['party']

async function issuedOf(ctx: Ctx): Promise<IssuedHistory[]> {
  const rows = await ctx.db
    .selectFrom('invoices')
    .innerJoin('parties', 'parties.id', 'invoices.party_id')
    .selectAll('invoices')
    .select(['parties.name', 'parties.nif', 'parties.id_type', 'parties.country', 'parties.street'])
    .select(['parties.postal_code', 'parties.city', 'parties.province'])
    .where('invoices.book_id', '=', ctx.book.id)
    .where('invoices.state', '=', 'issued')
    .where('invoices.cancelled_at', 'is', null)
    .orderBy('invoices.id')
    .execute()
  const documents: IssuedHistory[] = []
  for (const row of rows) {
    const taxes = await ctx.db
      .selectFrom('invoice_taxes')
      .selectAll()
      .where('invoice_id', '=', row.id)
      .orderBy('position')
      .execute()
    const parts = await takenBackParts(ctx, [row.id])
    const before = await ctx.db
      .selectFrom('invoice_replacements')
      .innerJoin('invoices', 'invoices.id', 'invoice_replacements.replaced_id')
      .innerJoin('parties', 'parties.id', 'invoices.party_id')
      .select(['parties.name', 'parties.nif', 'parties.id_type', 'parties.country', 'parties.street'])
      .select(['parties.postal_code', 'parties.city', 'parties.province'])
      .select(['invoices.number', 'invoices.withholding_bp', 'invoices.withholding_base_cents'])
      .select('invoices.withholding_cents')
      .where('invoice_id', '=', row.id)
      .orderBy('replaced_id')
      .execute()
    const elsewhere = await ctx.db
      .selectFrom('invoice_references')
      .select('number')
      .where('invoice_id', '=', row.id)
      .where('target_id', 'is', null)
      .execute()
    const names = [
      ...before.map((one) => ({
        number: one.number ?? '',
        party: partyOf(one),
        withholding:
          one.withholding_bp === null
            ? null
            : {
                rateBp: one.withholding_bp,
                baseCents: one.withholding_base_cents,
                amountCents: one.withholding_cents,
                reason: null,
              },
      })),
      ...elsewhere.map(({ number }) => ({ number, party: null, withholding: null })),
    ]
    const payments = await ctx.db
      .selectFrom('payment_allocations')
      .innerJoin('payments', 'payments.id', 'payment_allocations.payment_id')
      .select(['payments.date', 'payment_allocations.cents'])
      .where('payment_allocations.invoice_id', '=', row.id)
      .orderBy('payments.date')
      .execute()
    documents.push({
      side: 'issued',
      kind: row.kind,
      source: { file: 'libro.xlsx', sheet: 'EXPEDIDAS_INGRESOS', rows: [row.id] },
      number: row.number ?? '',
      lastNumber: null,
      issueDate: row.issue_date ?? '',
      operationDate: row.operation_date,
      party: partyOf(row),
      taxes: taxes.map((tax): HistoryTax => ({
        taxTreatment: tax.tax_treatment,
        regimeKey: tax.regime_key,
        vatRateBp: tax.vat_rate_bp,
        baseCents: tax.base_cents,
        taxCents: tax.tax_cents,
        surchargeRateBp: tax.surcharge_bp,
        surchargeCents: tax.surcharge_cents,
        deductibleCents: 0,
        selfAssessed: false,
        investment: false,
        nature: null,
        concept: null,
        account: null,
        incomeCents: incomeOfTax(row.kind, {
          regimeKey: tax.regime_key,
          baseCents: tax.base_cents,
          outsideCents: tax.outside_cents,
        }),
      })),
      withholding:
        row.withholding_bp === null
          ? null
          : {
              rateBp: row.withholding_bp,
              baseCents: row.withholding_base_cents,
              amountCents: row.withholding_cents,
              reason: null,
            },
      totalCents: row.total_cents - row.disbursements_cents,
      payments: payments.map(({ date, cents }) => ({ date, cents, method: '01' })),
      property: row.property_situation
        ? { situation: row.property_situation, cadastralRef: row.cadastral_ref }
        : null,
      externalRef: row.external_ref,
      dueDate: row.due_date,
      openCents: row.due_cents,
      description: null,
      replaced: names.map(({ number, party, withholding }, index) => ({
        number,
        party,
        withholding,
        taxes: parts
          .filter(({ part }) => part === index + 1)
          .map((part) => ({
            taxTreatment: part.taxTreatment,
            regimeKey: part.regimeKey,
            vatRateBp: part.vatRateBp === -1 ? null : part.vatRateBp,
            baseCents: -part.baseCents,
            taxCents: -part.taxCents,
            surchargeRateBp: part.surchargeBp === -1 ? null : part.surchargeBp,
            surchargeCents: -part.surchargeCents,
            deductibleCents: 0,
            selfAssessed: false,
            investment: false,
            nature: null,
            concept: null,
            account: null,
            incomeCents: -part.incomeCents,
          })),
      })),
    })
  }
  return documents
}

function partyOf(row: {
  name: string
  nif: string | null
  id_type: string | null
  country: string
  street: string | null
  postal_code: string | null
  city: string | null
  province: string | null
}): Party {
  return {
    name: row.name,
    nif: row.nif,
    idType: row.id_type as Party['idType'],
    country: row.country,
    street: row.street,
    postalCode: row.postal_code,
    city: row.city,
    province: row.province,
  }
}

async function receivedOf(ctx: Ctx): Promise<ReceivedHistory[]> {
  const rows = await ctx.db
    .selectFrom('received_invoices')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('state', '=', 'entered')
    .orderBy('id')
    .execute()
  const documents: ReceivedHistory[] = []
  for (const row of rows) {
    const lines = await ctx.db
      .selectFrom('received_lines')
      .selectAll()
      .where('received_id', '=', row.id)
      .orderBy('position')
      .execute()
    const payments = await ctx.db
      .selectFrom('payment_allocations')
      .innerJoin('payments', 'payments.id', 'payment_allocations.payment_id')
      .select(['payments.date', 'payment_allocations.cents'])
      .where('payment_allocations.received_id', '=', row.id)
      .execute()
    documents.push({
      side: 'received',
      kind: row.kind,
      source: { file: 'libro.xlsx', sheet: 'RECIBIDAS_GASTOS', rows: [row.id] },
      number: row.supplier_number ?? String(row.sequence),
      lastNumber: null,
      issueDate: row.issue_date,
      operationDate: row.operation_date,
      receptionDate: row.reception_date,
      reception: String(row.sequence),
      deductionDate: row.deduction_date,
      party: partyOf({
        name: row.supplier_name,
        nif: row.supplier_nif,
        id_type: row.supplier_id_type,
        country: row.supplier_country,
        street: row.supplier_street,
        postal_code: row.supplier_postal_code,
        city: row.supplier_city,
        province: row.supplier_province,
      }),
      taxes: lines.map((line): HistoryTax => ({
        taxTreatment: line.tax_treatment,
        regimeKey: line.regime_key,
        vatRateBp: line.vat_rate_bp,
        baseCents: line.base_cents,
        taxCents: line.tax_cents,
        surchargeRateBp: line.surcharge_bp,
        surchargeCents: line.surcharge_cents,
        deductibleCents: line.deductible_cents,
        selfAssessed: line.self_assessed === 1,
        investment: line.investment_good === 1,
        nature: line.nature,
        concept: line.concept,
        account: line.account,
        incomeCents: null,
      })),
      withholding:
        row.withholding_bp === null
          ? null
          : {
              rateBp: row.withholding_bp,
              baseCents: row.withholding_base_cents,
              amountCents: row.withholding_cents,
              reason: row.withholding_reason,
            },
      totalCents: row.total_cents,
      payments: payments.map(({ date, cents }) => ({ date, cents, method: '01' })),
      property: null,
      externalRef: row.external_ref,
      dueDate: row.due_date,
      openCents: row.payable_cents - row.paid_cents,
      description: null,
    })
  }
  return documents
}

/** Returns the documents in force of a book, issued ones first, in the order in which they were made. */
export async function historyOf(ctx: Ctx): Promise<HistoryDocument[]> {
  return [...(await issuedOf(ctx)), ...(await receivedOf(ctx))]
}
