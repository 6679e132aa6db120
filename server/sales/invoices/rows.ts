/** SQL of invoices, their lines and their taxes; statements of every request are prepared. */
import type { Instalment } from '../../domain/tax/instalments.ts'
import type { LineSupply } from '../../domain/tax/line-supply.ts'
import type { TaxTreatment, Totals } from '../../domain/tax/totals.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Ctx } from '../../context.ts'
import type { Db } from '../../db/query.ts'
import { prepare, prepareInsert } from '../../db/query.ts'
import type { InvoiceRegistryStatus } from '../../db/schema.ts'
import { itemFacts } from '../../catalog/items/index.ts'
import { totalsOf } from './content.ts'
import type { DraftContent, DraftLine, InvoiceReferenceFacts } from './content.ts'
import type { RectificationCause } from './contract.ts'
import type { LaterFigure } from './draft/draft-input.ts'
import { header } from './fields.ts'
import { CLIENT_COLUMNS, clientOf } from './draft/parties.ts'

/**
 * Selects an invoice with its customer and related names, and whether it has payments and references: most invoices
 * have none, and a query without result costs as much as one with a result.
 */
const whole = (db: Db) =>
  db
    .selectFrom('invoices')
    .innerJoin('parties', 'parties.id', 'invoices.party_id')
    .leftJoin('series', 'series.id', 'invoices.series_id')
    // A blocked contact is not shown; the invoice has its own copy of the customer's data.
    .leftJoin('contacts', (join) =>
      join.onRef('contacts.id', '=', 'invoices.contact_id').on('contacts.blocked_at', 'is', null),
    )
    .selectAll('invoices')
    .select(CLIENT_COLUMNS)
    .select((eb) => [
      'series.code as series_code',
      'contacts.public_id as contact_public_id',
      eb
        .exists(
          eb
            .selectFrom('payment_allocations')
            .select('payment_allocations.invoice_id')
            .whereRef('payment_allocations.invoice_id', '=', 'invoices.id'),
        )
        .$castTo<0 | 1>()
        .as('has_payments'),
      eb
        .exists(
          eb
            .selectFrom('invoice_references')
            .select('invoice_references.target_id')
            .whereRef('invoice_references.target_id', '=', 'invoices.id'),
        )
        .$castTo<0 | 1>()
        .as('is_named'),
    ])

const byPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  whole(db).where('invoices.book_id', '=', p.bookId).where('invoices.public_id', '=', p.publicId),
)

export type InvoiceRow = NonNullable<Awaited<ReturnType<typeof byPublicId.first>>>

/** Returns one invoice of the book by its public identifier. */
export function findInvoice(ctx: Ctx, publicId: string): Promise<InvoiceRow | undefined> {
  return byPublicId.first(ctx.db, { bookId: ctx.book.id, publicId })
}

const byRow = prepare((db, p: { bookId: number; id: number }) =>
  whole(db).where('invoices.book_id', '=', p.bookId).where('invoices.id', '=', p.id),
)

/** Returns one invoice of the book by its row. */
export function findInvoiceByRow(ctx: Ctx, id: number): Promise<InvoiceRow | undefined> {
  return byRow.first(ctx.db, { bookId: ctx.book.id, id })
}

const byNumber = prepare((db, p: { bookId: number; code: string; sequence: number }) =>
  db
    .selectFrom('series')
    .innerJoin('invoices', (join) =>
      join.onRef('invoices.series_id', '=', 'series.id').on('invoices.sequence', '=', p.sequence),
    )
    .select(['invoices.public_id', 'invoices.number'])
    .where('series.book_id', '=', p.bookId)
    .where('series.code', '=', p.code),
)

/**
 * Returns the public identifiers of the invoices with a printed number; the last hyphen separates the series from the
 * sequence.
 */
export async function findByNumber(ctx: Ctx, number: string): Promise<string[]> {
  const match = /^(.+)-(\d{1,9})$/.exec(number.trim())
  if (!match) return []
  const rows = await byNumber.all(ctx.db, {
    bookId: ctx.book.id,
    code: match[1] ?? '',
    sequence: Number(match[2]),
  })
  return rows.map((row) => row.public_id)
}

/** Greatest number of candidates with the same digits: the caller has to choose anyway. */
const MAX_CANDIDATES = 20

const bySequence = prepare((db, p: { bookId: number; sequence: number }) =>
  db
    .selectFrom('series')
    .innerJoin('invoices', (join) =>
      join.onRef('invoices.series_id', '=', 'series.id').on('invoices.sequence', '=', p.sequence),
    )
    .select(['invoices.public_id', 'invoices.number', 'invoices.issue_date', 'invoices.total_cents'])
    .where('series.book_id', '=', p.bookId)
    .orderBy('invoices.issue_date', 'desc')
    .orderBy('invoices.id', 'desc')
    .limit(MAX_CANDIDATES),
)

/** Returns the invoices of all series whose number ends in these digits, the newest first. */
export function findBySequence(ctx: Ctx, sequence: number) {
  return bySequence.all(ctx.db, { bookId: ctx.book.id, sequence })
}

const linesOf = prepare((db, p: { invoiceId: number }) =>
  db
    .selectFrom('invoice_lines')
    .leftJoin('items', 'items.id', 'invoice_lines.item_id')
    .selectAll('invoice_lines')
    .select('items.public_id as item_public_id')
    .where('invoice_id', '=', p.invoiceId)
    .orderBy('position'),
)
const taxesOf = prepare((db, p: { invoiceId: number }) =>
  db.selectFrom('invoice_taxes').selectAll().where('invoice_id', '=', p.invoiceId).orderBy('position'),
)

const ratesOfItem = prepare((db, p: { itemRowId: number }) =>
  db
    .selectFrom('invoice_lines')
    .select('vat_rate_bp')
    .where('item_id', '=', p.itemRowId)
    .where('tax_treatment', '=', 'S1')
    .where('vat_rate_bp', 'is not', null)
    .orderBy('invoice_id', 'desc')
    .orderBy('position', 'desc')
    .limit(1),
)

/** Returns the rate of the newest line with an item, or null: what a person chose for it last. */
export async function lastRateOfItem(db: Db, itemRowId: number): Promise<number | null> {
  return (await ratesOfItem.first(db, { itemRowId }))?.vat_rate_bp ?? null
}

export type LineRow = Awaited<ReturnType<typeof linesOf.all>>[number]
export type TaxRow = Awaited<ReturnType<typeof taxesOf.all>>[number]

export function findLines(db: Db, invoiceId: number): Promise<LineRow[]> {
  return linesOf.all(db, { invoiceId })
}

export function findTaxes(db: Db, invoiceId: number): Promise<TaxRow[]> {
  return taxesOf.all(db, { invoiceId })
}

function lineOf(row: LineRow): DraftLine {
  return {
    description: row.description,
    quantityMicro: row.quantity_micro,
    unit: row.unit,
    unitPriceMicro: row.unit_price_micro,
    discountBp: row.discount_bp,
    discountCents: row.discount_cents,
    taxTreatment: row.tax_treatment,
    regimeKey: row.regime_key,
    vatRateBp: row.vat_rate_bp,
    surchargeRateBp: row.surcharge_bp,
    withholdable: row.withholdable === 1,
    isDisbursement: row.is_disbursement === 1,
    costCents: row.cost_cents,
    cause: row.cause,
    itemId: row.item_public_id,
    account: row.account,
    ...(row.supply === null ? {} : { supply: row.supply }),
    ...(row.missing === null ? {} : { missing: row.missing.split(',') as LaterFigure[] }),
  }
}

const referenceRows = prepare((db, p: { invoiceId: number }) =>
  db
    .selectFrom('invoice_references')
    .select(['role', 'target_id', 'number', 'issue_date'])
    .where('invoice_id', '=', p.invoiceId)
    .orderBy('position'),
)

/** Returns the invoices that an invoice names. Most kinds name none and need no query. */
export async function referencesOf(ctx: { db: Db }, row: InvoiceRow): Promise<InvoiceReferenceFacts[]> {
  if (row.kind !== 'F3' && !row.kind.startsWith('R')) return []
  const rows = await referenceRows.all(ctx.db, { invoiceId: row.id })
  return rows.map((reference) => ({
    role: reference.role,
    targetId: reference.target_id,
    number: reference.number,
    issueDate: reference.issue_date,
  }))
}

function currencyOf(row: InvoiceRow): DraftContent['currency'] {
  if (row.fx_micro === null) return null
  return { code: row.currency, fxMicro: row.fx_micro, fxDate: row.fx_date, fxSource: row.fx_source }
}

function rectificationOf(row: InvoiceRow): DraftContent['rectification'] {
  if (row.rectification_method === null) return null
  return {
    method: row.rectification_method,
    cause: row.rectification_cause as RectificationCause | null,
    reason: row.rectification_reason,
    rectified:
      row.rectified_base_cents === null
        ? null
        : {
            baseCents: row.rectified_base_cents,
            taxCents: row.rectified_tax_cents ?? 0,
            surchargeCents: row.rectified_surcharge_cents,
          },
  }
}

/** Returns the content of an invoice as it was composed. `read`: parts that are already read. */
export async function contentOf(
  db: Db,
  row: InvoiceRow,
  read: { lines?: readonly LineRow[]; references?: readonly InvoiceReferenceFacts[] } = {},
): Promise<DraftContent> {
  const lineRows = read.lines ?? (await findLines(db, row.id))
  const agreed = row.instalments === null ? null : (JSON.parse(row.instalments) as Instalment[])
  const content: DraftContent = {
    kind: row.kind,
    tax: row.tax,
    seriesCode: row.series_code,
    issueDate: row.issue_date,
    ...header.ofRow(row),
    // The column moves on to the next open instalment.
    ...(agreed === null ? {} : { dueDate: agreed[0]?.dueDate ?? null }),
    client: clientOf(row),
    contactId: row.contact_public_id,
    priceMode: row.price_mode,
    discountBp: row.discount_bp,
    discountCents: row.discount_cents,
    currency: currencyOf(row),
    withholdingBp: row.withholding_bp,
    lines: lineRows.map(lineOf),
    rectification: rectificationOf(row),
    references: [...(read.references ?? (await referencesOf({ db }, row)))],
    replacedCents: row.replaced_cents,
    instalments: agreed,
    property: row.property_situation
      ? { situation: row.property_situation, cadastralRef: row.cadastral_ref }
      : null,
  }
  return row.state === 'issued' ? underItsRule(content, row.withholding_base_cents) : content
}

/** Applies the rounding rule by which an issued invoice's withholding was computed: it is part of the hashed content. */
function underItsRule(content: DraftContent, keptCents: number): DraftContent {
  if (content.withholdingBp === null || totalsOf(content).withholding?.baseCents === keptCents) return content
  return { ...content, roundsWithholdingOnce: true }
}

/** Returns the columns of a draft's row. */
function draftColumns(content: DraftContent, totals: Totals, references: DraftReferences, listDate: string) {
  return {
    kind: content.kind,
    tax: content.tax,
    series_id: references.seriesId,
    issue_date: content.issueDate,
    list_date: listDate,
    party_id: references.partyId,
    contact_id: references.contactRowId,
    price_mode: content.priceMode,
    base_cents: totals.baseCents,
    tax_cents: totals.taxCents,
    surcharge_cents: totals.surchargeCents,
    outside_cents: totals.outsideCents,
    disbursements_cents: totals.disbursementsCents,
    total_cents: totals.totalCents,
    withholding_bp: content.withholdingBp,
    withholding_base_cents: totals.withholding?.baseCents ?? 0,
    withholding_cents: totals.withholding?.amountCents ?? 0,
    replaced_cents: content.replacedCents,
    discount_bp: content.discountBp,
    discount_cents: content.discountCents,
    currency: content.currency?.code ?? 'EUR',
    fx_micro: content.currency?.fxMicro ?? null,
    fx_date: content.currency?.fxDate ?? null,
    fx_source: content.currency?.fxSource ?? null,
    rectification_method: content.rectification?.method ?? null,
    rectification_cause: content.rectification?.cause ?? null,
    rectification_reason: content.rectification?.reason ?? null,
    rectified_base_cents: content.rectification?.rectified?.baseCents ?? null,
    rectified_tax_cents: content.rectification?.rectified?.taxCents ?? null,
    rectified_surcharge_cents: content.rectification?.rectified?.surchargeCents ?? null,
    property_situation: content.property?.situation ?? null,
    cadastral_ref: content.property?.cadastralRef ?? null,
    instalments: content.instalments === null ? null : JSON.stringify(content.instalments),
    ...header.toColumns(content),
  }
}
type DraftColumns = ReturnType<typeof draftColumns>

const DRAFT_COLUMNS = [
  'kind',
  'tax',
  'series_id',
  'issue_date',
  'list_date',
  'party_id',
  'contact_id',
  'price_mode',
  'base_cents',
  'tax_cents',
  'surcharge_cents',
  'outside_cents',
  'disbursements_cents',
  'total_cents',
  'withholding_bp',
  'withholding_base_cents',
  'withholding_cents',
  'replaced_cents',
  'discount_bp',
  'discount_cents',
  'currency',
  'fx_micro',
  'fx_date',
  'fx_source',
  'rectification_method',
  'rectification_cause',
  'rectification_reason',
  'rectified_base_cents',
  'rectified_tax_cents',
  'rectified_surcharge_cents',
  'property_situation',
  'cadastral_ref',
  'instalments',
  ...header.columns,
] as const satisfies readonly (keyof DraftColumns)[]

/** Returns each column with its value, for a prepared statement. */
function namedColumns(p: DraftColumns): DraftColumns {
  return Object.fromEntries(DRAFT_COLUMNS.map((name) => [name, p[name]])) as DraftColumns
}

const insertDraft = prepareInsert(
  (db, p: DraftColumns & { bookId: number; publicId: string; createdAt: number }) =>
    db
      .insertInto('invoices')
      .values({
        ...namedColumns(p),
        book_id: p.bookId,
        public_id: p.publicId,
        state: 'draft',
        registry_status: 'not_issued',
        created_at: p.createdAt,
      })
      .returning('id'),
)

const updateDraft = prepare((db, p: DraftColumns & { id: number; oldVersion: number }) =>
  db
    .updateTable('invoices')
    .set((eb) => ({ ...namedColumns(p), version: eb('version', '+', 1) }))
    .where('id', '=', p.id)
    .where('version', '=', p.oldVersion)
    .where('state', '=', 'draft'),
)

interface LineValues {
  invoiceId: number
  position: number
  description: string
  quantityMicro: number
  unit: string | null
  unitPriceMicro: number
  discountBp: number
  discountCents: number
  taxTreatment: TaxTreatment
  regimeKey: string
  vatRateBp: number | null
  surchargeRateBp: number | null
  withholdable: number
  isDisbursement: number
  costCents: number | null
  cause: string | null
  itemRowId: number | null
  account: string | null
  supply: LineSupply | null
  missing: string | null
  netCents: number
}

const insertLine = prepare((db, p: LineValues) =>
  db.insertInto('invoice_lines').values({
    invoice_id: p.invoiceId,
    position: p.position,
    description: p.description,
    quantity_micro: p.quantityMicro,
    unit: p.unit,
    unit_price_micro: p.unitPriceMicro,
    discount_bp: p.discountBp,
    discount_cents: p.discountCents,
    tax_treatment: p.taxTreatment,
    regime_key: p.regimeKey,
    vat_rate_bp: p.vatRateBp,
    surcharge_bp: p.surchargeRateBp,
    withholdable: p.withholdable,
    is_disbursement: p.isDisbursement,
    cost_cents: p.costCents,
    cause: p.cause,
    item_id: p.itemRowId,
    account: p.account,
    supply: p.supply,
    missing: p.missing,
    net_cents: p.netCents,
  }),
)

interface TaxValues {
  invoiceId: number
  position: number
  taxTreatment: TaxTreatment
  regimeKey: string
  vatRateBp: number | null
  baseCents: number
  taxCents: number
  surchargeRateBp: number | null
  surchargeCents: number
  outsideCents: number
}

const insertTax = prepare((db, p: TaxValues) =>
  db.insertInto('invoice_taxes').values({
    invoice_id: p.invoiceId,
    position: p.position,
    tax_treatment: p.taxTreatment,
    regime_key: p.regimeKey,
    vat_rate_bp: p.vatRateBp,
    base_cents: p.baseCents,
    tax_cents: p.taxCents,
    surcharge_bp: p.surchargeRateBp,
    surcharge_cents: p.surchargeCents,
    outside_cents: p.outsideCents,
  }),
)

const insertReference = prepare(
  (
    db,
    p: {
      invoiceId: number
      position: number
      role: InvoiceReferenceFacts['role']
      targetId: number | null
      number: string
      issueDate: string
    },
  ) =>
    db.insertInto('invoice_references').values({
      invoice_id: p.invoiceId,
      position: p.position,
      role: p.role,
      target_id: p.targetId,
      number: p.number,
      issue_date: p.issueDate,
    }),
)
const deleteReferences = prepare((db, p: { invoiceId: number }) =>
  db.deleteFrom('invoice_references').where('invoice_id', '=', p.invoiceId),
)

const deleteLines = prepare((db, p: { invoiceId: number }) =>
  db.deleteFrom('invoice_lines').where('invoice_id', '=', p.invoiceId),
)
const deleteTaxes = prepare((db, p: { invoiceId: number }) =>
  db.deleteFrom('invoice_taxes').where('invoice_id', '=', p.invoiceId),
)

/** Resolved references of a content: rows instead of names. */
export interface DraftReferences {
  partyId: number
  contactRowId: number | null
  seriesId: number | null
}

async function writeParts(ctx: Ctx, invoiceId: number, content: DraftContent, totals: Totals): Promise<void> {
  for (const [position, line] of content.lines.entries()) {
    const item = line.itemId === null ? null : await itemFacts(ctx, line.itemId)
    await insertLine.run(ctx.db, {
      ...line,
      invoiceId,
      position,
      withholdable: line.withholdable ? 1 : 0,
      isDisbursement: line.isDisbursement ? 1 : 0,
      itemRowId: item?.rowId ?? null,
      supply: line.supply ?? null,
      missing: line.missing?.join(',') ?? null,
      netCents: totals.lineNetsCents[position] ?? 0,
    })
  }
  for (const [position, tax] of totals.taxes.entries())
    await insertTax.run(ctx.db, { ...tax, invoiceId, position })
  for (const [position, reference] of content.references.entries())
    await insertReference.run(ctx.db, { ...reference, invoiceId, position })
}

/** Inserts a new draft; returns its row id. */
export async function writeNewDraft(
  ctx: Ctx,
  publicId: string,
  content: DraftContent,
  totals: Totals,
  references: DraftReferences,
): Promise<number> {
  const id = await insertDraft.run(ctx.db, {
    ...draftColumns(content, totals, references, ctx.today()),
    bookId: ctx.book.id,
    publicId,
    createdAt: ctx.now().getTime(),
  })
  await writeParts(ctx, id, content, totals)
  return id
}

/** Replaces a draft's content if its version is unchanged; returns false otherwise. */
export async function rewriteDraft(
  ctx: Ctx,
  row: InvoiceRow,
  content: DraftContent,
  totals: Totals,
  references: DraftReferences,
): Promise<boolean> {
  const values = draftColumns(content, totals, references, row.list_date)
  const { changes } = await updateDraft.run(ctx.db, { ...values, id: row.id, oldVersion: row.version })
  if (changes !== 1) return false
  await deleteReferences.run(ctx.db, { invoiceId: row.id })
  await deleteLines.run(ctx.db, { invoiceId: row.id })
  await deleteTaxes.run(ctx.db, { invoiceId: row.id })
  await writeParts(ctx, row.id, content, totals)
  return true
}

/** The columns that an issue fills. */
export interface IssueValues {
  id: number
  version: number
  seriesId: number
  sequence: number
  number: string
  issueDate: string
  issuerId: number
  isOwed: number
  registryStatus: InvoiceRegistryStatus
  contentHash: Uint8Array
  issuedAt: number
}

const markIssuedQuery = prepare((db, p: IssueValues) =>
  db
    .updateTable('invoices')
    .set({
      state: 'issued',
      series_id: p.seriesId,
      sequence: p.sequence,
      number: p.number,
      issue_date: p.issueDate,
      list_date: p.issueDate,
      issuer_id: p.issuerId,
      is_owed: p.isOwed,
      registry_status: p.registryStatus,
      content_hash: p.contentHash,
      issued_at: p.issuedAt,
    })
    .where('id', '=', p.id)
    .where('version', '=', p.version)
    .where('state', '=', 'draft'),
)

/**
 * Turns a draft into an issued invoice; from here on the triggers freeze it. The transaction fails with
 * `confirmation_stale` when it changed meanwhile.
 */
export function markIssued(ctx: Ctx, values: IssueValues): Promise<void> {
  return markIssuedQuery.changeOne(ctx.db, values, () => new AppError('confirmation_stale'))
}

/** Returns the row of an invoice as `markIssued` has left it. */
export function rowAsIssued(draft: InvoiceRow, values: IssueValues, seriesCode: string): InvoiceRow {
  return {
    ...draft,
    state: 'issued',
    series_id: values.seriesId,
    series_code: seriesCode,
    sequence: values.sequence,
    number: values.number,
    issue_date: values.issueDate,
    list_date: values.issueDate,
    issuer_id: values.issuerId,
    is_owed: values.isOwed,
    registry_status: values.registryStatus,
    content_hash: values.contentHash,
    issued_at: values.issuedAt,
  }
}

const countRecords = prepare((db, p: { invoiceId: number }) =>
  db
    .selectFrom('registry_records')
    .select((eb) => eb.fn.countAll<number>().as('records'))
    .where('invoice_id', '=', p.invoiceId),
)

/** Counts the registry records of an invoice; each annulment and amendment adds one. */
export async function recordCount(ctx: Ctx, invoiceId: number): Promise<number> {
  return (await countRecords.first(ctx.db, { invoiceId }))?.records ?? 0
}

const setStatus = prepare((db, p: { id: number; status: InvoiceRegistryStatus }) =>
  db.updateTable('invoices').set({ registry_status: p.status }).where('id', '=', p.id),
)

/** Updates the invoice's copy of its registration's state, by which lists filter. */
export async function setRegistryStatus(ctx: Ctx, id: number, status: InvoiceRegistryStatus): Promise<void> {
  await setStatus.run(ctx.db, { id, status })
}

const setAnnulment = prepare((db, p: { id: number; cancelledAt: number | null; isOwed: number }) =>
  db
    .updateTable('invoices')
    .set({ cancelled_at: p.cancelledAt, is_owed: p.isOwed })
    .where('id', '=', p.id)
    .where('state', '=', 'issued'),
)

/** Marks an issued invoice as annulled: nothing of it is owed any more. */
export async function markAnnulled(ctx: Ctx, id: number): Promise<void> {
  await setAnnulment.run(ctx.db, { id, cancelledAt: ctx.now().getTime(), isOwed: 0 })
}

/** Brings an annulled invoice back into force, with its open amount. */
export async function markReactivated(ctx: Ctx, row: InvoiceRow): Promise<void> {
  const isOwed = row.due_cents > 0 && row.uncollectible_at === null ? 1 : 0
  await setAnnulment.run(ctx.db, { id: row.id, cancelledAt: null, isOwed })
}
