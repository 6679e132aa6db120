/** SQL of filings, typed boxes and lists, and the fiscal profile. */
import type { Selectable } from 'kysely'
import type { CompanyRow } from '../../company/index.ts'
import type { Ctx } from '../../context.ts'
import { prepare } from '../../db/query.ts'
import type { WageRecipientsTable } from '../../db/schema.ts'
import type { FiscalProfile, ModelNumber, Outcome } from './contract.ts'
import type { ReturnNature } from './declaration/kinds.ts'

export interface FilingRow {
  id: number
  publicId: string
  filedOn: string
  outcome: Outcome
  resultCents: number
  reference: string | null
  /** The agency's number of the receipt. */
  receipt: string | null
  nature: ReturnNature
  source: FilingSource
  boxes: Record<string, number>
}

/** Where a filing comes from: a person said so, the agency answered so, or another program's file was read. */
type FilingSource = 'marked' | 'service' | 'file'

const filings = prepare((db, p: { bookId: number; model: string; from: number; to: number }) =>
  db
    .selectFrom('filings')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('model', '=', p.model)
    .where('year', '>=', p.from)
    .where('year', '<=', p.to)
    .where('withdrawn_at', 'is', null),
)

/** Returns the filings in force of a model in a range of years, by `year period`. */
export async function findFilings(
  ctx: Ctx,
  model: ModelNumber,
  years: { from: number; to: number },
): Promise<Map<string, FilingRow>> {
  const rows = await filings.all(ctx.db, { bookId: ctx.book.id, model, ...years })
  return new Map(
    rows.map((row) => [
      `${row.year} ${row.period}`,
      {
        id: row.id,
        publicId: row.public_id,
        filedOn: row.filed_on,
        outcome: row.outcome,
        resultCents: row.result_cents,
        reference: row.reference,
        receipt: row.receipt,
        nature: row.nature,
        source: row.source,
        boxes: JSON.parse(row.boxes) as Record<string, number>,
      },
    ]),
  )
}

const lastPaid = prepare((db, p: { bookId: number }) =>
  db
    .selectFrom('filing_sendings')
    .select('kind')
    .where('book_id', '=', p.bookId)
    .where('state', '=', 'accepted')
    .where('result_cents', '>', 0)
    .orderBy('id', 'desc')
    .limit(1),
)

/** Returns how the last return with an amount to pay was settled, as the form names it; null if none was filed here. */
export async function lastPaymentKind(ctx: Ctx): Promise<string | null> {
  return (await lastPaid.first(ctx.db, { bookId: ctx.book.id }))?.kind ?? null
}

interface NewFiling {
  bookId: number
  publicId: string
  model: string
  year: number
  period: string
  filedOn: string
  outcome: Outcome
  resultCents: number
  reference: string | null
  boxes: string
  createdAt: number
  nature: ReturnNature
  source: FilingSource
  receipt: string | null
  /** When a later filing already stands instead, and its identifier; null for one in force. */
  withdrawnAt: number | null
  replacedBy: string | null
}

export const insertFiling = prepare((db, p: NewFiling) =>
  db.insertInto('filings').values({
    book_id: p.bookId,
    public_id: p.publicId,
    model: p.model,
    year: p.year,
    period: p.period,
    filed_on: p.filedOn,
    outcome: p.outcome,
    result_cents: p.resultCents,
    reference: p.reference,
    boxes: p.boxes,
    created_at: p.createdAt,
    nature: p.nature,
    source: p.source,
    receipt: p.receipt,
    withdrawn_at: p.withdrawnAt,
    replaced_by: p.replacedBy,
  }),
)

/** Lets a later filing of the same period stand instead of one. */
export const replaceFilingRow = prepare((db, p: { id: number; at: number; by: string }) =>
  db
    .updateTable('filings')
    .set({ withdrawn_at: p.at, replaced_by: p.by })
    .where('id', '=', p.id)
    .where('withdrawn_at', 'is', null),
)

/** Lets the filing stand again that another one replaced. */
export const restoreReplacedRow = prepare((db, p: { bookId: number; by: string }) =>
  db
    .updateTable('filings')
    .set({ withdrawn_at: null, replaced_by: null })
    .where('book_id', '=', p.bookId)
    .where('replaced_by', '=', p.by),
)

export const withdrawFilingRow = prepare((db, p: { id: number; at: number }) =>
  db
    .updateTable('filings')
    .set({ withdrawn_at: p.at })
    .where('id', '=', p.id)
    .where('withdrawn_at', 'is', null),
)

const inputs = prepare((db, p: { bookId: number; model: string; from: number; to: number }) =>
  db
    .selectFrom('filing_inputs')
    .select(['year', 'period', 'box', 'cents'])
    .where('book_id', '=', p.bookId)
    .where('model', '=', p.model)
    .where('year', '>=', p.from)
    .where('year', '<=', p.to),
)

/** Returns the typed boxes of a model, by `year period`, then by box; in cents. */
export async function findInputs(
  ctx: Ctx,
  model: ModelNumber,
  years: { from: number; to: number },
): Promise<Map<string, Map<string, number>>> {
  const found = new Map<string, Map<string, number>>()
  for (const row of await inputs.all(ctx.db, { bookId: ctx.book.id, model, ...years })) {
    const key = `${row.year} ${row.period}`
    const boxes = found.get(key) ?? new Map<string, number>()
    boxes.set(row.box, row.cents)
    found.set(key, boxes)
  }
  return found
}

/** Writes a typed box, with who typed it, when and why; null clears it. */
export async function writeInput(
  ctx: Ctx,
  place: { model: ModelNumber; year: number; period: string; box: string },
  cents: number | null,
  reason: string | null = null,
): Promise<void> {
  const { model, year, period, box } = place
  await ctx.db
    .deleteFrom('filing_inputs')
    .where('book_id', '=', ctx.book.id)
    .where('model', '=', model)
    .where('year', '=', year)
    .where('period', '=', period)
    .where('box', '=', box)
    .execute()
  if (cents === null) return
  await ctx.db
    .insertInto('filing_inputs')
    .values({
      book_id: ctx.book.id,
      model,
      year,
      period,
      box,
      cents,
      typed_at: ctx.now().getTime(),
      typed_by: ctx.actor.name,
      reason,
    })
    .execute()
}

export type WageRecipientRow = Omit<Selectable<WageRecipientsTable>, 'book_id' | 'year' | 'position'>

const wageRecipients = prepare((db, p: { bookId: number; year: number }) =>
  db
    .selectFrom('wage_recipients')
    .select([
      'nif',
      'name',
      'key',
      'subkey',
      'province',
      'paid_cents',
      'withheld_cents',
      'in_kind_cents',
      'in_kind_withheld_cents',
      'facts',
    ])
    .where('book_id', '=', p.bookId)
    .where('year', '=', p.year)
    .orderBy('position'),
)

/** Returns the recipients of wages in a year, in the order typed. */
export async function findWageRecipients(ctx: Ctx, year: number): Promise<WageRecipientRow[]> {
  return wageRecipients.all(ctx.db, { bookId: ctx.book.id, year })
}

/** Replaces the recipients of wages in a year. */
export async function writeWageRecipients(
  ctx: Ctx,
  year: number,
  rows: readonly WageRecipientRow[],
): Promise<void> {
  await ctx.db
    .deleteFrom('wage_recipients')
    .where('book_id', '=', ctx.book.id)
    .where('year', '=', year)
    .execute()
  for (const [position, row] of rows.entries())
    await ctx.db
      .insertInto('wage_recipients')
      .values({ book_id: ctx.book.id, year, position, ...row })
      .execute()
}

const profile = prepare((db, p: { bookId: number }) =>
  db.selectFrom('fiscal_profiles').selectAll().where('book_id', '=', p.bookId),
)

function usualMethod({
  kind,
  vat_regime,
}: Pick<CompanyRow, 'kind' | 'vat_regime'>): FiscalProfile['incomeMethod'] {
  if (kind === 'legal') return 'none'
  // The simplified VAT scheme implies objective estimation in income tax (RIVA art. 36).
  return vat_regime === 'simplified' ? 'modules' : 'direct_simplified'
}

/** Returns the stored profile, or the default for the kind of business. */
export async function findProfile(
  ctx: Ctx,
  company: Pick<CompanyRow, 'kind' | 'vat_regime'>,
): Promise<FiscalProfile> {
  const row = await profile.first(ctx.db, { bookId: ctx.book.id })
  return {
    activityCode: row?.activity_code ?? null,
    activityType: row?.activity_type ?? null,
    iae: row?.iae ?? null,
    incomeMethod: row?.income_method ?? usualMethod(company),
    files123: row?.files_123 === 1,
  }
}

/** Replaces the profile. */
export async function writeProfile(ctx: Ctx, values: FiscalProfile): Promise<void> {
  await ctx.db.deleteFrom('fiscal_profiles').where('book_id', '=', ctx.book.id).execute()
  await ctx.db
    .insertInto('fiscal_profiles')
    .values({
      book_id: ctx.book.id,
      activity_code: values.activityCode,
      activity_type: values.activityType,
      iae: values.iae,
      income_method: values.incomeMethod,
      annual_vat_exempt: 0,
      files_123: values.files123 ? 1 : 0,
    })
    .execute()
}
