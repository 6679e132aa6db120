/** Reads the tax totals: sums of a few rows, however many documents are behind them. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import type { Ctx } from '../../context.ts'
import type { TaxTreatment } from '../../domain/tax/totals.ts'
import { prepare } from '../../db/query.ts'
import type { EuKey, Side, WithholdingReason } from './operation.ts'
import type { Amounts, Group } from './parts.ts'
import { sourceType } from './source.ts'
import type { SourceType } from './source.ts'

/** Whole months, both included, as numbers (202607). */
export interface Months {
  from: number
  to: number
}

export interface TaxTotalRow extends Group, Amounts {
  groupId: number
  /** Number of documents; one that adds to several totals is counted in each. */
  documents: number
}

const figures = prepare((db, p: { bookId: number; from: number; to: number }) =>
  db
    .selectFrom('figure_groups')
    .innerJoin('month_figures', 'month_figures.group_id', 'figure_groups.id')
    .selectAll('figure_groups')
    .select([
      'month',
      'base_cents',
      'tax_cents',
      'surcharge_cents',
      'deductible_cents',
      'income_cents',
      'documents',
    ])
    .where('figure_groups.book_id', '=', p.bookId)
    .where('month_figures.month', '>=', p.from)
    .where('month_figures.month', '<=', p.to)
    .orderBy('figure_groups.id')
    .orderBy('month'),
)

export interface MonthFigure extends TaxTotalRow {
  month: number
}

/** Returns the tax totals of each month, one for each group that occurs. */
export async function taxTotalsByMonth(ctx: Ctx, { from, to }: Months): Promise<MonthFigure[]> {
  const rows = await figures.all(ctx.db, { bookId: ctx.book.id, from, to })
  return rows.map((row) => ({
    month: row.month,
    groupId: row.id,
    side: row.side,
    stage: row.stage,
    rectifying: row.rectifying === 1 ? 1 : 0,
    tax: row.tax,
    taxTreatment: row.tax_treatment,
    regimeKey: row.regime_key,
    vatRateBp: row.vat_rate_bp,
    surchargeBp: row.surcharge_bp,
    place: row.place,
    nature: row.nature,
    deductible: row.deductible === 1 ? 1 : 0,
    investment: row.investment === 1 ? 1 : 0,
    euKey: row.eu_key,
    country: row.country,
    baseCents: row.base_cents,
    taxCents: row.tax_cents,
    surchargeCents: row.surcharge_cents,
    deductibleCents: row.deductible_cents,
    incomeCents: row.income_cents,
    documents: row.documents,
  }))
}

/** Sums the totals of several months and drops groups that were fully removed. */
export function sumMonths(months: readonly MonthFigure[]): TaxTotalRow[] {
  const byGroup = new Map<number, TaxTotalRow>()
  for (const { month: _, ...figure } of months) {
    const known = byGroup.get(figure.groupId)
    if (!known) {
      byGroup.set(figure.groupId, figure)
      continue
    }
    for (const amount of AMOUNTS) known[amount] += figure[amount]
    known.documents += figure.documents
  }
  return [...byGroup.values()].filter(
    (figure) => figure.documents !== 0 || AMOUNTS.some((amount) => figure[amount] !== 0),
  )
}

const AMOUNTS = ['baseCents', 'taxCents', 'surchargeCents', 'deductibleCents', 'incomeCents'] as const

/** Returns the tax totals of whole months, one for each group that occurs and was not fully removed. */
export async function taxTotals(ctx: Ctx, months: Months): Promise<TaxTotalRow[]> {
  return sumMonths(await taxTotalsByMonth(ctx, months))
}

const first = prepare((db, p: { bookId: number }) =>
  db
    .selectFrom('period_totals')
    .select((eb) => eb.fn.min<number | null>('month').as('month'))
    .where('book_id', '=', p.bookId),
)

/** Returns the first month with totals (202607), or null when there are none. */
export async function firstMonth(ctx: Ctx): Promise<number | null> {
  return (await first.first(ctx.db, { bookId: ctx.book.id }))?.month ?? null
}

export interface MonthTotal {
  /** Format 202607. */
  month: number
  documents: number
  baseCents: Cents
  taxCents: Cents
  totalCents: Cents
  incomeCents: Cents
  withheldBaseCents: Cents
  withholdingCents: Cents
  missingNif: number
  withoutFile: number
}

const totals = prepare((db, p: { bookId: number; side: Side; from: number; to: number }) =>
  db
    .selectFrom('period_totals')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('side', '=', p.side)
    .where('month', '>=', p.from)
    .where('month', '<=', p.to)
    .orderBy('month'),
)

/** Returns the totals of each month that has any. */
export async function monthTotals(ctx: Ctx, side: Side, { from, to }: Months): Promise<MonthTotal[]> {
  const rows = await totals.all(ctx.db, { bookId: ctx.book.id, side, from, to })
  return rows.map((row) => ({
    month: row.month,
    documents: row.documents,
    baseCents: row.base_cents,
    taxCents: row.tax_cents,
    totalCents: row.total_cents,
    incomeCents: row.income_cents,
    withheldBaseCents: row.withheld_base_cents,
    withholdingCents: row.withholding_cents,
    missingNif: row.missing_nif,
    withoutFile: row.without_file,
  }))
}

interface PartyFigure {
  partyId: number
  name: string
  nif: string | null
  country: string
  baseCents: Cents
  totalCents: Cents
  thirdCents: Cents
  documents: number
}

interface PartyRow {
  party_id: number
  name: string
  nif: string | null
  country: string
  base_cents: number
  total_cents: number
  third_cents: number
  documents: number
}

const partyView = (row: PartyRow): PartyFigure => ({
  partyId: row.party_id,
  name: row.name,
  nif: row.nif,
  country: row.country,
  baseCents: row.base_cents,
  totalCents: row.total_cents,
  thirdCents: row.third_cents,
  documents: row.documents,
})

const sideCode = (side: Side) => (side === 'issued' ? 0 : 1)

const PARTY_COLUMNS = [
  'party_figures.party_id',
  'figure_parties.name',
  'figure_parties.nif',
  'figure_parties.country',
  'party_figures.base_cents',
  'party_figures.total_cents',
  'party_figures.third_cents',
  'party_figures.documents',
] as const

const top = prepare((db, p: { bookId: number; side: number; period: number; limit: number }) =>
  db
    .selectFrom('party_figures')
    .innerJoin('figure_parties', 'figure_parties.id', 'party_figures.party_id')
    .select(PARTY_COLUMNS)
    .where('party_figures.book_id', '=', p.bookId)
    .where('party_figures.side', '=', p.side)
    .where('party_figures.period', '=', p.period)
    .orderBy('party_figures.base_cents', 'desc')
    .limit(p.limit),
)

/** Returns the parties with the largest bases of a month, a quarter (202623) or a year (202600). */
export async function topParties(
  ctx: Ctx,
  side: Side,
  period: number,
  limit: number,
): Promise<PartyFigure[]> {
  const rows = await top.all(ctx.db, { bookId: ctx.book.id, side: sideCode(side), period, limit })
  return rows.filter((row) => row.documents > 0).map(partyView)
}

/**
 * Returns the parties whose operations of a year exceed `cents` for the return of operations with third parties,
 * largest first; negative sums of that size count too.
 */
export async function partiesAbove(
  ctx: Ctx,
  side: Side,
  year: number,
  cents: Cents,
  options: { limit?: number; after?: { thirdCents: Cents; partyId: number } } = {},
): Promise<PartyFigure[]> {
  const { limit, after } = options
  let query = ctx.db
    .selectFrom('party_figures')
    .innerJoin('figure_parties', 'figure_parties.id', 'party_figures.party_id')
    .select(PARTY_COLUMNS)
    .where('party_figures.book_id', '=', ctx.book.id)
    .where('party_figures.side', '=', sideCode(side))
    .where('party_figures.period', '=', year * 100)
    // The index of these sums contains years only.
    .where(sql<SqlBool>`party_figures.period % 100 = 0`)
    .where('party_figures.third_cents', '>', cents)
    .orderBy('party_figures.third_cents', 'desc')
    .orderBy('party_figures.party_id', 'desc')
  if (after)
    query = query.where(
      sql<SqlBool>`(party_figures.third_cents, party_figures.party_id) < (${after.thirdCents}, ${after.partyId})`,
    )
  if (limit !== undefined) query = query.limit(limit)
  return (await query.execute()).map(partyView)
}

/** Returns the third-party sums of the four quarters, by party. Gives others their turn between pieces of the list. */
export async function partyQuarters(
  ctx: Ctx,
  side: Side,
  year: number,
  partyIds: readonly number[],
): Promise<Map<number, [Cents, Cents, Cents, Cents]>> {
  const quarters = new Map<number, [Cents, Cents, Cents, Cents]>()
  const CHUNK = 500
  for (let start = 0; start < partyIds.length; start += CHUNK) {
    const rows = await ctx.db
      .selectFrom('party_figures')
      .select(['party_id', 'period', 'third_cents'])
      .where('party_id', 'in', partyIds.slice(start, start + CHUNK))
      .where('side', '=', sideCode(side))
      .where('period', '>', year * 100 + 20)
      .where('period', '<', year * 100 + 25)
      .execute()
    for (const row of rows) {
      const known = quarters.get(row.party_id) ?? [0, 0, 0, 0]
      known[(row.period % 10) - 1] = row.third_cents
      quarters.set(row.party_id, known)
    }
    await nextTurn()
  }
  return quarters
}

export interface EuFigure {
  partyId: number
  name: string
  nif: string | null
  country: string
  euKey: EuKey
  rectifying: boolean
  month: number
  baseCents: Cents
  documents: number
}

/** Returns intra-Community operations by key, party and month. */
export async function euTotals(ctx: Ctx, { from, to }: Months): Promise<EuFigure[]> {
  const rows = await ctx.db
    .selectFrom('eu_figures')
    .innerJoin('figure_parties', 'figure_parties.id', 'eu_figures.party_id')
    .selectAll('eu_figures')
    .select(['name', 'nif', 'country'])
    .where('eu_figures.book_id', '=', ctx.book.id)
    .where('month', '>=', from)
    .where('month', '<=', to)
    .where('documents', '>', 0)
    .orderBy('eu_key')
    .orderBy('name')
    .orderBy('month')
    .execute()
  return rows.map((row) => ({
    partyId: row.party_id,
    name: row.name,
    nif: row.nif,
    country: row.country,
    euKey: row.eu_key as EuKey,
    rectifying: row.rectifying === 1,
    month: row.month,
    baseCents: row.base_cents,
    documents: row.documents,
  }))
}

export interface WithholdingFigure {
  partyId: number
  name: string
  nif: string | null
  reason: WithholdingReason
  baseCents: Cents
  amountCents: Cents
  documents: number
}

/** Returns the amounts withheld from each party, by reason. */
export async function withholdingTotals(ctx: Ctx, { from, to }: Months): Promise<WithholdingFigure[]> {
  const rows = await ctx.db
    .selectFrom('withholding_figures')
    .innerJoin('figure_parties', 'figure_parties.id', 'withholding_figures.party_id')
    .select((eb) => [
      'withholding_figures.party_id',
      'reason',
      'name',
      'nif',
      eb.fn.sum<number>('base_cents').as('base'),
      eb.fn.sum<number>('amount_cents').as('amount'),
      eb.fn.sum<number>('documents').as('documents'),
    ])
    .where('withholding_figures.book_id', '=', ctx.book.id)
    .where('month', '>=', from)
    .where('month', '<=', to)
    .groupBy(['withholding_figures.party_id', 'reason', 'name', 'nif'])
    .orderBy('reason')
    .orderBy('name')
    .orderBy('withholding_figures.party_id')
    .execute()
  return rows
    .filter((row) => row.documents > 0)
    .map((row) => ({
      partyId: row.party_id,
      name: row.name,
      nif: row.nif,
      reason: row.reason,
      baseCents: row.base,
      amountCents: row.amount,
      documents: row.documents,
    }))
}

export interface FigureEntry extends Amounts {
  month: number
  source: SourceType
  sourceId: number
  part: number
  groupId: number
}

/** Position of the last entry of a page. */
export interface EntryPosition {
  month: number
  source: number
  sourceId: number
  part: number
}

const page = prepare((db, p: EntryPosition & { groupId: number; to: number; limit: number }) =>
  db
    .selectFrom('figure_entries')
    .selectAll()
    .where('group_id', '=', p.groupId)
    .where(
      sql<SqlBool>`(month, source, source_id, part) > (${p.month}, ${p.source}, ${p.sourceId}, ${p.part})`,
    )
    .where('month', '<=', p.to)
    .orderBy('month')
    .orderBy('source')
    .orderBy('source_id')
    .orderBy('part')
    .limit(p.limit),
)

const comparePositions = (a: FigureEntry, b: FigureEntry): number =>
  a.month - b.month ||
  (a.source === b.source ? 0 : a.source === 'invoice' ? -1 : 1) ||
  a.sourceId - b.sourceId ||
  a.part - b.part ||
  a.groupId - b.groupId

/**
 * Returns the entries behind some groups, by month and document. Reads `limit` of each group from the position on, so
 * its cost does not grow with the documents; entries of one document are never split between two pages.
 */
export async function entriesOf(
  ctx: Ctx,
  groupIds: readonly number[],
  { from, to }: Months,
  options: { limit: number; after?: EntryPosition },
): Promise<FigureEntry[]> {
  const after = options.after ?? { month: from, source: 0, sourceId: 0, part: 0 }
  const found: FigureEntry[] = []
  for (const groupId of groupIds) {
    const rows = await page.all(ctx.db, { ...after, groupId, to, limit: options.limit })
    for (const row of rows)
      found.push({
        groupId,
        month: row.month,
        source: sourceType(row.source),
        sourceId: row.source_id,
        part: row.part,
        baseCents: row.base_cents,
        taxCents: row.tax_cents,
        surchargeCents: row.surcharge_cents,
        deductibleCents: row.deductible_cents,
        incomeCents: row.income_cents,
      })
  }
  found.sort(comparePositions)
  const last = found[options.limit - 1]
  if (!last) return found
  let end = options.limit
  for (let next = found[end]; next !== undefined; next = found[end]) {
    const isSame =
      next.month === last.month &&
      next.source === last.source &&
      next.sourceId === last.sourceId &&
      next.part === last.part
    if (!isSame) break
    end += 1
  }
  return found.slice(0, end)
}

/** Amounts that an invoice deducts for the invoices it replaces: negative, part by part. */
interface TakenBackPart extends Amounts {
  sourceId: number
  /** From 1, in the order of the replaced invoices; documents outside these books come last. */
  part: number
  taxTreatment: TaxTreatment
  regimeKey: string
  vatRateBp: number
  surchargeBp: number
}

/** Returns the parts that issued invoices deducted for others, by row id. */
export async function takenBackParts(ctx: Ctx, invoiceIds: readonly number[]): Promise<TakenBackPart[]> {
  if (invoiceIds.length === 0) return []
  const rows = await ctx.db
    .selectFrom('figure_entries')
    .innerJoin('figure_groups', 'figure_groups.id', 'figure_entries.group_id')
    .select([
      'source_id',
      'part',
      'tax_treatment',
      'regime_key',
      'vat_rate_bp',
      'surcharge_bp',
      'base_cents',
      'tax_cents',
      'surcharge_cents',
      'deductible_cents',
      'income_cents',
    ])
    .where('figure_entries.source', '=', 1)
    .where('figure_entries.source_id', 'in', invoiceIds)
    .where('figure_entries.part', '<>', 0)
    .where('figure_groups.stage', '<>', 'settled')
    .orderBy('source_id')
    .orderBy('part')
    .orderBy('figure_groups.id')
    .execute()
  return rows.map((row) => ({
    sourceId: row.source_id,
    part: row.part,
    taxTreatment: row.tax_treatment,
    regimeKey: row.regime_key,
    vatRateBp: row.vat_rate_bp,
    surchargeBp: row.surcharge_bp,
    baseCents: row.base_cents,
    taxCents: row.tax_cents,
    surchargeCents: row.surcharge_cents,
    deductibleCents: row.deductible_cents,
    incomeCents: row.income_cents,
  }))
}

const entriesOfInvoice = prepare((db, p: { invoiceId: number }) =>
  db
    .selectFrom('figure_entries')
    .innerJoin('figure_groups', 'figure_groups.id', 'figure_entries.group_id')
    .select([
      'figure_entries.month',
      'tax_treatment',
      'regime_key',
      'vat_rate_bp',
      'surcharge_bp',
      'base_cents',
      'tax_cents',
      'surcharge_cents',
    ])
    .where('figure_entries.source', '=', 1)
    .where('figure_entries.source_id', '=', p.invoiceId)
    .where('figure_entries.part', '=', 0),
)

export type CountedTax = Awaited<ReturnType<typeof entriesOfInvoice.all>>[number]

/** Returns what an issued invoice itself adds to the totals, without what it takes back and what payments make due. */
export function taxesCounted(ctx: Ctx, invoiceId: number): Promise<CountedTax[]> {
  return entriesOfInvoice.all(ctx.db, { invoiceId })
}
