/** Copies an invoice of the accounting system: an issued one to a draft here, a received one to a proposal. */
import { recordAudit } from '../../../platform/audit/index.ts'
import type { ContractInput, ContractOutput } from '../../../domain/contract/define-contract.ts'
import type { copyDocumentContract } from './contract.ts'
import type { createDraftContract } from '../../../sales/invoices/contract.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import { eurosFromCents, numberFromMicro, percentFromBasisPoints } from '../../../domain/money.ts'
import { isNif } from '../../../domain/tax/nif.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { createDraft } from '../../../sales/invoices/index.ts'
import { contactOfDocument, findDocument, neutralOf } from './documents.ts'
import type { NeutralDocument, NeutralLine } from '../port.ts'
import { shortened } from '../reading/untrusted-values.ts'
import { taxesByRate } from '../reading/ready.ts'

type Output = ContractOutput<typeof copyDocumentContract>
type Note = Output['notes'][number]
type DraftInput = ContractInput<typeof createDraftContract>
type Received = NonNullable<Output['proposal']>
type TaxLine = Received['taxLines'][number]

/** Maximum lines of a draft. */
const LINES_AT_MOST = 500
const DESCRIPTION_AT_MOST = 500
const percent = percentFromBasisPoints

/** Returns the withholding rate of most of the document, because a draft has one for all lines. */
function withholdingOf(lines: readonly NeutralLine[]): { pct: number | null; differs: boolean } {
  const rates = new Set(lines.map(({ withholdingBp }) => withholdingBp ?? 0))
  const [rate] = [...rates].filter((bp) => bp > 0).toSorted((a, b) => b - a)
  return {
    pct: rate === undefined || rate > 5_000 ? null : percent(rate),
    differs: [...rates].filter((bp) => bp > 0).length > 1,
  }
}

/** Returns the lines of a draft: where they do not add up to the document, one line with its net amount. */
function draftLines(record: NeutralDocument, notes: Note[]): DraftInput['lines'] {
  const label = record.description ?? record.number ?? record.party.name
  const usable =
    record.lines.length > 0 &&
    record.lines.length <= LINES_AT_MOST &&
    !record.warnings.includes('lines_unreconciled')
  if (!usable) {
    notes.push('lines_summed')
    return [
      {
        description: shortened(label, DESCRIPTION_AT_MOST),
        quantity: 1,
        unitPrice: eurosFromCents(record.netCents),
      },
    ]
  }
  return record.lines.map((line) => ({
    description: shortened(line.description || label, DESCRIPTION_AT_MOST),
    quantity: numberFromMicro(line.quantity),
    unitPrice: numberFromMicro(line.unitPrice),
    ...(line.discountBp > 0 && line.discountBp <= 10_000 ? { discountPct: percent(line.discountBp) } : {}),
    ...(line.vatBp === null ? {} : { vatRate: percent(line.vatBp) }),
    ...(line.surchargeBp === null || line.surchargeBp === 0 ? {} : { surcharge: percent(line.surchargeBp) }),
    // A draft withholds all or, for a single line, nothing.
    ...(line.withholdingBp === null || line.withholdingBp === 0 ? { withholdable: false } : {}),
  }))
}

function currencyOf(record: NeutralDocument, notes: Note[]): { currency?: string; fxRate?: number } {
  if (record.currency === 'EUR') return {}
  const rate = record.fxRate === null ? Number.NaN : Number(record.fxRate)
  if (!(rate > 0) || !Number.isFinite(rate)) {
    notes.push('rate_missing')
    return { currency: record.currency }
  }
  return { currency: record.currency, fxRate: Math.round(rate * 1e6) / 1e6 }
}

async function copyIssued(
  tx: Ctx,
  record: NeutralDocument,
  taxId: string | null,
  contact: { id: string; name: string } | null,
  notes: Note[],
): Promise<string> {
  if (contact === null) notes.push('contact_unlinked')
  const { pct, differs } = withholdingOf(record.lines)
  if (differs) notes.push('withholding_differs')
  const draft = await createDraft(tx, {
    clientName: shortened(contact?.name ?? record.party.name, 120),
    clientNif: taxId?.slice(0, 20) ?? null,
    ...(contact ? { clientId: contact.id } : {}),
    lines: draftLines(record, notes),
    ...(pct === null ? {} : { withholdingPct: pct }),
    ...currencyOf(record, notes),
    externalRef: shortened(record.number ?? record.externalId, 60),
  })
  const paid = draft.total - (draft.withholding?.amount ?? 0)
  // A draft in another currency has its totals in euros.
  const expected = record.currency === 'EUR' ? record.totalCents : (record.eur?.totalCents ?? null)
  if (expected !== null && Math.abs(Math.round(paid * 100) - expected) > 1) notes.push('totals_differ')
  return draft.id
}

/** Returns rates with their sums in the document's currency. Without known rates, the whole charge is proposed as one. */
function proposedTaxLines(record: NeutralDocument, notes: Note[]): TaxLine[] {
  const inOwnCurrency = {
    ...record,
    eur: { netCents: record.netCents, taxCents: record.taxCents, totalCents: record.totalCents },
  }
  const parts = taxesByRate(inOwnCurrency)
  if (parts.some(({ vatBp }) => vatBp === -1)) notes.push('lines_summed')
  return parts.map(({ vatBp, base, tax }) => ({
    base: eurosFromCents(base),
    ...(vatBp === -1 ? {} : { vatRate: percent(vatBp) }),
    tax: eurosFromCents(tax),
  }))
}

function proposalOf(
  record: NeutralDocument,
  taxId: string | null,
  contact: { id: string; name: string } | null,
  notes: Note[],
): Received {
  const { party, withholdingCents } = record
  const number = record.supplierNumber ?? record.number
  const { pct, differs } = withholdingOf(record.lines)
  if (differs) notes.push('withholding_differs')
  if (contact === null) notes.push('contact_unlinked')
  return {
    kind: record.docKind === 'simplified' ? 'simplified' : record.totalCents < 0 ? 'rectifying' : 'invoice',
    supplierName: shortened(party.name, 120),
    supplierNif: taxId !== null && isNif(taxId) ? taxId : null,
    ...(contact ? { supplierId: contact.id } : {}),
    supplierNumber: number === null ? null : shortened(number, 60),
    issueDate: record.issueDate!,
    dueDate: record.dueDate,
    taxLines: proposedTaxLines(record, notes),
    ...(withholdingCents !== 0 && pct !== null
      ? { withholding: { rate: pct, amount: eurosFromCents(withholdingCents) } }
      : {}),
    ...currencyOf(record, notes),
    externalRef: record.externalId.slice(0, 60),
  }
}

/** Creates the draft, or returns the proposal. Rejects an external draft or a cancelled document. */
export const copyErpDocument: UseCase<typeof copyDocumentContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const row = await findDocument(tx, id)
    const record = neutralOf(row)
    if (record.state === 'cancelled')
      throw new AppError('erp_document_unreadable', { details: { reason: 'cancelled' } })
    const contact = await contactOfDocument(tx, row)
    const notes: Note[] = []
    if (record.side === 'issued') {
      const invoiceId = await copyIssued(tx, record, row.party_tax_id, contact, notes)
      await tx.db
        .updateTable('erp_documents')
        .set((eb) => ({
          invoice_id: eb.selectFrom('invoices').select('invoices.id').where('public_id', '=', invoiceId),
        }))
        .where('id', '=', row.id)
        .execute()
      await recordAudit(tx, {
        action: 'erp.document_copied',
        target: { type: 'invoice', id: invoiceId, ...(row.number === null ? {} : { label: row.number }) },
      })
      return { type: 'invoice', invoiceId, proposal: null, notes: [...new Set(notes)] }
    }
    if (record.issueDate === null)
      throw new AppError('erp_document_unreadable', { details: { reason: 'no_date' } })
    const proposal = proposalOf(record, row.party_tax_id, contact, notes)
    return { type: 'received', invoiceId: null, proposal, notes: [...new Set(notes)] }
  })
