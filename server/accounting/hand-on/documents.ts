/** The invoices behind entries, with what VAT books ask of them. */
import { sql } from 'kysely'
import type { Ctx } from '../../context.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { HandOnParty, VatDocument, VatPart } from './model.ts'

/** Regime of cash accounting. */
const CASH = '07'

type Documents = Map<number, VatDocument>

function partyOf(row: {
  name: string
  nif: string | null
  country: string
  street: string | null
  postal_code: string | null
  city: string | null
  province: string | null
}): HandOnParty {
  return {
    id: '',
    name: row.name,
    nif: row.nif ?? '',
    country: row.country,
    street: row.street ?? '',
    postalCode: row.postal_code ?? '',
    city: row.city ?? '',
    province: row.province ?? '',
  }
}

async function issuedTaxes(
  ctx: Ctx,
  ids: readonly number[],
): Promise<Map<number, { part: VatPart; isCash: boolean }[]>> {
  const rows = await ctx.db
    .selectFrom('invoice_taxes')
    .selectAll()
    .where('invoice_id', 'in', ids)
    .orderBy('invoice_id')
    .orderBy('position')
    .execute()
  return new Map(
    [...Map.groupBy(rows, (row) => row.invoice_id)].map(([id, taxes]) => [
      id,
      taxes.map((tax) => ({
        isCash: tax.regime_key === CASH,
        part: {
          treatment: tax.tax_treatment,
          nature: '',
          rateBp: tax.vat_rate_bp,
          baseCents: tax.base_cents,
          taxCents: tax.tax_treatment === 'S1' ? tax.tax_cents : 0,
          surchargeBp: tax.surcharge_bp,
          surchargeCents: tax.surcharge_cents,
          deductibleCents: 0,
          isSelfAssessed: false,
          isInvestment: false,
          code: null,
        },
      })),
    ]),
  )
}

/** Returns issued invoices by row. */
export async function issuedDocuments(ctx: Ctx, ids: readonly number[]): Promise<Documents> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('invoices')
    .leftJoin('amended_parties', 'amended_parties.invoice_id', 'invoices.id')
    .innerJoin('parties', (join) =>
      join.on('parties.id', '=', sql<number>`coalesce(amended_parties.party_id, invoices.party_id)`),
    )
    .select([
      'invoices.id',
      'invoices.number',
      'invoices.kind',
      'invoices.issue_date',
      'invoices.list_date',
      'invoices.operation_date',
      'invoices.total_cents',
      'invoices.disbursements_cents',
      'invoices.withholding_bp',
      'invoices.withholding_cents',
      'invoices.rectification_method',
      'invoices.property_situation',
      'parties.name',
      'parties.nif',
      'parties.country',
      'parties.street',
      'parties.postal_code',
      'parties.city',
      'parties.province',
    ])
    .where('invoices.id', 'in', ids)
    .execute()
  const taxes = await issuedTaxes(ctx, ids)
  const references = await ctx.db
    .selectFrom('invoice_references')
    .select(['invoice_id', 'number', 'issue_date'])
    .where('invoice_id', 'in', ids)
    .where('role', '=', 'rectifies')
    .orderBy('invoice_id')
    .orderBy('position')
    .execute()
  const rectified = Map.groupBy(references, (row) => row.invoice_id)
  return new Map(
    rows.map((row) => {
      const own = taxes.get(row.id) ?? []
      const [first] = rectified.get(row.id) ?? []
      const issueDate = row.issue_date ?? row.list_date
      return [
        row.id,
        {
          side: 'issued',
          kind: row.kind,
          isRectifying: row.kind.startsWith('R'),
          number: row.number ?? '',
          receptionNumber: '',
          issueDate,
          operationDate: row.operation_date ?? issueDate,
          party: partyOf(row),
          parts: own.map(({ part }) => part),
          totalCents: row.total_cents,
          disbursementsCents: row.disbursements_cents,
          withholdingBp: row.withholding_bp,
          withholdingCents: row.withholding_cents,
          isRent: row.property_situation !== null,
          isCashAccounting: own.some(({ isCash }) => isCash),
          isReplacing: row.kind === 'F3' || row.rectification_method === 'S',
          rectifies: first ? { number: first.number, date: first.issue_date } : null,
        },
      ]
    }),
  )
}

/** Reads the first document of a stored list. */
function firstRectified(stored: string | null): VatDocument['rectifies'] {
  const [first] =
    stored === null ? [] : (JSON.parse(stored) as { supplierNumber: string; issueDate: BusinessDate }[])
  return first ? { number: first.supplierNumber, date: first.issueDate } : null
}

/** Returns received invoices by row; receipts (wages, charges, contributions) are none. */
export async function receivedDocuments(ctx: Ctx, ids: readonly number[]): Promise<Documents> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('received_invoices')
    .selectAll()
    .where('id', 'in', ids)
    .where('kind', '<>', 'receipt')
    .execute()
  const lines = await ctx.db
    .selectFrom('received_lines')
    .selectAll()
    .where('received_id', 'in', ids)
    .orderBy('received_id')
    .orderBy('position')
    .execute()
  const byDocument = Map.groupBy(lines, (line) => line.received_id)
  return new Map(
    rows.map((row) => {
      const isCustoms = row.kind === 'customs'
      return [
        row.id,
        {
          side: 'received',
          kind: row.kind,
          isRectifying: row.kind === 'rectifying',
          number: row.supplier_number ?? '',
          receptionNumber: `${row.year}/${row.sequence}`,
          issueDate: row.issue_date,
          operationDate: row.operation_date ?? row.issue_date,
          party: partyOf({
            name: row.supplier_name,
            nif: row.supplier_nif_written ?? row.supplier_nif,
            country: row.supplier_country,
            street: row.supplier_street,
            postal_code: row.supplier_postal_code,
            city: row.supplier_city,
            province: row.supplier_province,
          }),
          parts: (byDocument.get(row.id) ?? []).map((line) => ({
            treatment: line.tax_treatment,
            nature: line.nature,
            rateBp: line.vat_rate_bp,
            // The goods of a customs document are on their seller's invoice.
            baseCents: isCustoms ? 0 : line.base_cents,
            taxCents: line.tax_cents,
            surchargeBp: line.surcharge_bp,
            surchargeCents: line.surcharge_cents,
            deductibleCents: line.deductible_cents,
            isSelfAssessed: line.self_assessed === 1,
            isInvestment: line.investment_good === 1,
            code: line.account,
          })),
          totalCents: row.total_cents,
          disbursementsCents: 0,
          withholdingBp: row.withholding_bp,
          withholdingCents: row.withholding_cents,
          isRent: row.withholding_reason === 'rent',
          isCashAccounting: row.cash_accounting === 1,
          isReplacing: false,
          rectifies: firstRectified(row.rectifies),
        },
      ]
    }),
  )
}
