/** Answers of invoices: converts rows to the shapes of the contract. */
import { historyOf } from '../../../platform/audit/index.ts'
import type { HistoryRow } from '../../../platform/audit/index.ts'
import { environmentOf, findCompany, issuerFacts } from '../../../company/index.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { readMetadata } from '../../../domain/contract/metadata.ts'
import { eurosFromCents, numberFromMicro, percentFromBasisPoints } from '../../../domain/money.ts'
import type { Totals } from '../../../domain/tax/totals.ts'
import type { Ctx } from '../../../context.ts'
import { prepare } from '../../../db/query.ts'
import { newRecordDetail, registryDetail } from '../../../registry/index.ts'
import type { MadeRecord } from '../../../registry/index.ts'
import { defaultCodeOf } from '../../../company/series/index.ts'
import { taxSystemOfCode } from '../../../tax/systems/index.ts'
import { contentHash, documentTotals, totalsOf, mentionsOf } from '../content.ts'
import { seriesKindOf } from '../kinds.ts'
import type { DraftContent, InvoiceReferenceFacts } from '../content.ts'
import { documentStates } from '../issue/documents.ts'
import type {
  Invoice,
  InvoiceKind,
  InvoiceLine,
  InvoiceReference,
  InvoiceSummary,
  PaymentStatus,
  TaxBreakdown,
} from '../contract.ts'
import { header } from '../fields.ts'
import { historyTotals } from '../history/write.ts'
import { instalmentViews } from './instalments-view.ts'
import { paymentsOf } from './payments-view.ts'
import { familyOf } from '../references/references.ts'
import type { NamedInvoices } from '../references/references.ts'
import { rectifiedState } from '../references/standing.ts'
import { issuerOf, partyView } from '../draft/parties.ts'
import type { PartyFacts } from '../draft/parties.ts'
import { contentOf } from '../rows.ts'
import type { InvoiceRow, LineRow } from '../rows.ts'

type PaymentColumns = Pick<
  SummaryRow,
  'state' | 'is_owed' | 'paid_cents' | 'due_cents' | 'due_date' | 'cancelled_at' | 'uncollectible_at'
>

/** Returns the payment status of an invoice on a day. */
function paymentStatus(row: PaymentColumns, today: BusinessDate): PaymentStatus {
  if (row.state === 'draft') return 'draft'
  if (row.cancelled_at !== null) return 'cancelled'
  if (row.is_owed === 0) {
    if (row.uncollectible_at !== null) return 'uncollectible'
    return row.due_cents < 0 ? 'credit' : 'paid'
  }
  if (row.due_date !== null && row.due_date < today) return 'overdue'
  return row.paid_cents > 0 ? 'partial' : 'unpaid'
}

export interface SummaryRow {
  public_id: string
  number: string | null
  series_code: string | null
  kind: InvoiceKind
  state: InvoiceSummary['state']
  issue_date: string | null
  due_date: string | null
  client_name: string
  client_nif: string | null
  base_cents: number
  tax_cents: number
  total_cents: number
  withholding_cents: number
  paid_cents: number
  due_cents: number
  is_owed: number
  currency: string
  uncollectible_at: number | null
  registry_status: InvoiceSummary['registry']['status']
  version: number
  external_ref: string | null
  created_at: number
  updated_at: number
  cancelled_at: number | null
}

/** Returns the amount still to be paid; 0 for an annulled invoice. */
function amountDueCents(row: Pick<SummaryRow, 'cancelled_at' | 'due_cents'>): number {
  return row.cancelled_at === null ? row.due_cents : 0
}

/** Returns the summary of an invoice with a given customer. */
function summaryOf(
  ctx: Ctx,
  row: Omit<SummaryRow, 'client_name' | 'client_nif'>,
  client: { name: string; nif: string | null },
  today: BusinessDate,
): InvoiceSummary {
  return {
    id: row.public_id,
    number: row.number,
    series: row.series_code,
    kind: row.kind,
    state: row.state,
    issueDate: row.issue_date,
    dueDate: row.due_date,
    clientName: client.name,
    clientNif: client.nif,
    base: eurosFromCents(row.base_cents),
    tax: eurosFromCents(row.tax_cents),
    total: eurosFromCents(row.total_cents),
    amountDue: eurosFromCents(amountDueCents(row)),
    currency: row.currency,
    registry: { status: row.registry_status, simulated: ctx.book.mode === 'test' ? true : undefined },
    payment: { status: paymentStatus(row, today) },
    cancelledAt: row.cancelled_at === null ? undefined : new Date(row.cancelled_at).toISOString(),
    version: row.version,
    externalRef: row.external_ref,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(Math.max(row.updated_at, row.created_at)).toISOString(),
    untrusted: true,
  }
}

/** Returns a row of a list. */
export function summaryView(ctx: Ctx, row: SummaryRow, today: BusinessDate): InvoiceSummary {
  return summaryOf(ctx, row, { name: row.client_name, nif: row.client_nif }, today)
}

/** Returns the tax breakdown as an answer. */
export function breakdownView(totals: Totals): TaxBreakdown[] {
  return totals.taxes.map((tax) => ({
    taxTreatment: tax.taxTreatment,
    regimeKey: tax.regimeKey,
    vatRate: tax.vatRateBp === null ? null : percentFromBasisPoints(tax.vatRateBp),
    base: eurosFromCents(tax.baseCents),
    tax: eurosFromCents(tax.taxCents),
    surchargeRate: tax.surchargeRateBp === null ? undefined : percentFromBasisPoints(tax.surchargeRateBp),
    surcharge: tax.surchargeRateBp === null ? undefined : eurosFromCents(tax.surchargeCents),
    outside: tax.outsideCents === 0 ? undefined : eurosFromCents(tax.outsideCents),
  }))
}

/** Returns the withholding as an answer. */
export function withholdingView(totals: Totals): NonNullable<Invoice['withholding']> | undefined {
  if (!totals.withholding) return undefined
  const { rateBp, baseCents, amountCents } = totals.withholding
  return {
    rate: percentFromBasisPoints(rateBp),
    base: eurosFromCents(baseCents),
    amount: eurosFromCents(amountCents),
  }
}

/** Returns the lines as an answer. */
export function lineViews(content: Pick<DraftContent, 'lines'>, totals: Totals): InvoiceLine[] {
  return content.lines.map((line, index) => ({
    description: line.description,
    quantity: numberFromMicro(line.quantityMicro),
    unit: line.unit ?? undefined,
    unitPrice: numberFromMicro(line.unitPriceMicro),
    discountPct: percentFromBasisPoints(line.discountBp),
    discountAmount: line.discountCents === 0 ? undefined : eurosFromCents(line.discountCents),
    vatRate: line.vatRateBp === null ? null : percentFromBasisPoints(line.vatRateBp),
    taxTreatment: line.taxTreatment,
    regimeKey: line.regimeKey,
    surcharge: line.surchargeRateBp === null ? null : percentFromBasisPoints(line.surchargeRateBp),
    withholdable: line.withholdable,
    isDisbursement: line.isDisbursement,
    cost: line.costCents === null ? undefined : eurosFromCents(line.costCents),
    cause: line.cause ?? undefined,
    itemId: line.itemId ?? undefined,
    account: line.account ?? undefined,
    supply: line.supply,
    missing: line.missing && [...line.missing],
    net: eurosFromCents(totals.lineNetsCents[index] ?? 0),
  }))
}

async function pdfState(ctx: Ctx, row: InvoiceRow, isNew: boolean): Promise<Invoice['pdf']> {
  const none = { level: 'none' } as const
  if (row.state !== 'issued') return { status: 'none', signature: none, languages: [] }
  const pdfs = isNew ? [] : await documentStates(ctx.db, row.id)
  const [first] = pdfs
  if (!first) return { status: 'pending', signature: none, languages: [] }
  const { level, signedAt } = first
  return {
    status: 'ready',
    signature:
      level === 'PAdES-B-B' && signedAt !== null
        ? { level, subject: first.subject ?? '', signedAt: new Date(signedAt).toISOString() }
        : none,
    languages: [...new Set(pdfs.map(({ language }) => language))],
  }
}

/** States in which the registry has not answered about the last record, so that no further one is possible. */
const AWAITING_ANSWER: readonly string[] = ['pending', 'sending', 'unknown']

function actionsOf(row: InvoiceRow): Invoice['actions'] {
  if (row.state === 'draft') return ['edit', 'delete', 'validate', 'issue', 'pdf', 'duplicate']
  if (row.state === 'history') return ['pay']
  const always: Invoice['actions'] = ['pdf', 'duplicate']
  const inForce: Invoice['actions'] = row.cancelled_at === null ? ['rectify', 'pay'] : []
  if (row.kind === 'F2' && row.cancelled_at === null) inForce.push('substitute')
  if (AWAITING_ANSWER.includes(row.registry_status)) return [...always, ...inForce]
  // An annulled invoice can only be reactivated, unless the registry rejected the annulment: then it can be repeated.
  const isDone = row.cancelled_at !== null && row.registry_status !== 'rejected'
  return [...always, ...inForce, ...(isDone ? [] : (['cancel'] as const)), 'amend']
}

function discountView({ discountBp, discountCents }: DraftContent, totals: Totals): Invoice['discount'] {
  if (discountBp === 0 && discountCents === 0) return undefined
  return {
    pct: percentFromBasisPoints(discountBp),
    amount: eurosFromCents(discountCents),
    base: eurosFromCents(totals.documentDiscountCents),
  }
}

function currencyView(content: DraftContent, row: InvoiceRow): Invoice['inCurrency'] {
  const { currency } = content
  if (currency === null) return undefined
  const shown = documentTotals(content)
  // Payments are stored in euros; in the document's currency they are the same share of the total.
  const share = row.total_cents === 0 ? 0 : row.paid_cents / row.total_cents
  const paidCents = Math.round(shown.totalCents * share)
  return {
    currency: currency.code,
    fxRate: numberFromMicro(currency.fxMicro),
    fxDate: currency.fxDate,
    fxSource: currency.fxSource,
    base: eurosFromCents(shown.baseCents),
    tax: eurosFromCents(shown.taxCents),
    total: eurosFromCents(shown.totalCents),
    amountDue: row.cancelled_at === null ? eurosFromCents(shown.amountDueCents - paidCents) : 0,
  }
}

function rectificationView({ rectification }: DraftContent): Invoice['rectification'] {
  if (rectification === null) return undefined
  const { method, cause, reason, rectified } = rectification
  return {
    method,
    cause,
    reason,
    ...(rectified === null
      ? {}
      : {
          base: eurosFromCents(rectified.baseCents),
          tax: eurosFromCents(rectified.taxCents),
          ...(rectified.surchargeCents === null
            ? {}
            : { surcharge: eurosFromCents(rectified.surchargeCents) }),
        }),
  }
}

const namedInvoice = prepare((db, p: { id: number }) =>
  db.selectFrom('invoices').select(['public_id', 'kind', 'total_cents']).where('id', '=', p.id),
)

const naming = prepare((db, p: { targetId: number }) =>
  db
    .selectFrom('invoice_references')
    .innerJoin('invoices', 'invoices.id', 'invoice_references.invoice_id')
    .select([
      'invoice_references.role',
      'invoices.public_id',
      'invoices.number',
      'invoices.issue_date',
      'invoices.kind',
      'invoices.total_cents',
    ])
    .where('invoice_references.target_id', '=', p.targetId)
    .where('invoices.state', '=', 'issued')
    .where('invoices.cancelled_at', 'is', null)
    .orderBy('invoices.id'),
)

async function referenceView(
  ctx: Ctx,
  reference: InvoiceReferenceFacts,
  named: NamedInvoices | undefined,
): Promise<InvoiceReference> {
  const { number, issueDate, targetId } = reference
  const row =
    targetId === null
      ? undefined
      : await (named ? named.row(targetId) : namedInvoice.first(ctx.db, { id: targetId }))
  if (!row) return { number, issueDate }
  return { id: row.public_id, number, issueDate, kind: row.kind, total: eurosFromCents(row.total_cents) }
}

/**
 * Returns the four lists of an invoice's answer and its rectified state; references of annulled invoices and drafts
 * do not count.
 */
async function referenceViews(
  ctx: Ctx,
  row: InvoiceRow,
  content: DraftContent,
  named: NamedInvoices | undefined,
): Promise<Pick<Invoice, 'rectifies' | 'rectifiedBy' | 'rectified' | 'substitutes' | 'substitutedBy'>> {
  const lists = {
    rectified: 'no' as Invoice['rectified'],
    rectifies: [] as InvoiceReference[],
    rectifiedBy: [] as InvoiceReference[],
    substitutes: [] as InvoiceReference[],
    substitutedBy: [] as InvoiceReference[],
  }
  for (const reference of content.references)
    lists[reference.role].push(await referenceView(ctx, reference, named))
  if (!row.is_named) return lists
  for (const other of await naming.all(ctx.db, { targetId: row.id })) {
    const list = other.role === 'rectifies' ? lists.rectifiedBy : lists.substitutedBy
    list.push({
      id: other.public_id,
      number: other.number ?? '',
      issueDate: other.issue_date ?? '',
      kind: other.kind,
      total: eurosFromCents(other.total_cents),
    })
  }
  if (lists.rectifiedBy.length > 0) lists.rectified = rectifiedState(await familyOf(ctx, row.id))
  return lists
}

/** What a transaction that has just issued an invoice knows of it. */
interface JustIssued {
  issuer: PartyFacts
  lines: readonly LineRow[]
  references: readonly InvoiceReferenceFacts[]
  named: NamedInvoices
  record: MadeRecord
  history: readonly HistoryRow[]
}

/**
 * Returns a whole invoice. Its totals are computed from its lines and must equal the stored ones. `known`: what the
 * transaction of its issue need not read again.
 */
export async function invoiceView(ctx: Ctx, row: InvoiceRow, known?: JustIssued): Promise<Invoice> {
  const issuer = known?.issuer ?? (row.issuer_id === null ? null : await issuerOf(ctx, row.issuer_id))
  const content = await contentOf(ctx.db, row, known)
  const totals = row.state === 'history' ? await historyTotals(ctx, row) : totalsOf(content)
  if (totals.totalCents !== row.total_cents || totals.taxCents !== row.tax_cents)
    throw new Error(
      `Invoice ${row.public_id}: its lines add up to ${totals.totalCents}, its row says ${row.total_cents}.`,
    )
  const today = ctx.today()
  const issueDate = row.issue_date ?? today
  const hash =
    row.content_hash ??
    contentHash(content, totals, {
      issuer: issuerFacts(await findCompany(ctx)),
      seriesCode:
        content.seriesCode ??
        (await defaultCodeOf(ctx, seriesKindOf(content.kind), Number(issueDate.slice(0, 4)))),
      issueDate,
      environment: environmentOf(ctx),
    })
  const summary = summaryOf(ctx, row, content.client, today)
  const self = `/api/v1/invoices/${row.public_id}`
  const qrFacts = {
    issuerNif: issuer?.nif ?? null,
    number: row.number,
    issueDate: row.issue_date,
    registeredCents: totals.registeredTotalCents,
  }
  const registry =
    row.state !== 'issued'
      ? { ...summary.registry, errors: [] }
      : await (known
          ? newRecordDetail(ctx, row.id, known.record, qrFacts)
          : registryDetail(ctx, row.id, qrFacts))
  const references = await referenceViews(ctx, row, content, known?.named)
  const history = known?.history ?? (await historyOf(ctx, row.public_id))
  const shown = content.currency ? documentTotals(content) : totals
  return {
    ...summary,
    lines: lineViews(content, shown),
    taxBreakdown: breakdownView(totals),
    surcharge: eurosFromCents(totals.surchargeCents),
    outside: eurosFromCents(totals.outsideCents),
    disbursements: eurosFromCents(totals.disbursementsCents),
    replaced: eurosFromCents(content.replacedCents),
    discount: discountView(content, totals),
    inCurrency: currencyView(content, row),
    withholding: withholdingView(totals),
    priceMode: row.price_mode,
    taxName: taxSystemOfCode(content.tax).name,
    client: partyView(content.client),
    clientId: row.contact_public_id,
    issuer: issuer ? partyView(issuer) : undefined,
    property: content.property
      ? {
          situation: content.property.situation,
          ...(content.property.cadastralRef ? { cadastralRef: content.property.cadastralRef } : {}),
        }
      : null,
    rectification: rectificationView(content),
    rectifies: references.rectifies,
    rectifiedBy: references.rectifiedBy,
    rectified: references.rectified,
    substitutes: references.substitutes,
    substitutedBy: references.substitutedBy,
    ...header.toAnswer(content),
    dueDate: summary.dueDate,
    instalments: await instalmentViews(ctx, row, content, totals),
    metadata: readMetadata(row.metadata),
    legalMentions: mentionsOf(content, totals),
    contentHash: Buffer.from(hash).toString('hex'),
    registry,
    pdf: await pdfState(ctx, row, known !== undefined),
    payments: row.has_payments ? await paymentsOf(ctx, row.id) : [],
    history: history.map((event) => ({
      at: new Date(event.at).toISOString(),
      action: event.action,
      actor: { kind: event.actor_kind, name: event.actor_name },
      outcome: event.outcome,
    })),
    actions: actionsOf(row),
    links: { self, pdf: row.state === 'issued' ? `${self}/pdf` : undefined },
  }
}
