/** SQL that maintains the tax totals; all prepared, because it runs in every issue. */
import { sql } from 'kysely'
import type { InsertQueryBuilder, RawBuilder } from 'kysely'
import type { Ctx } from '../../context.ts'
import { prepare, prepareInsert, prepareRows } from '../../db/query.ts'
import type { Schema } from '../../db/schema.ts'
import type { OperationParty, Side } from './operation.ts'
import { groupText, partyKey } from './parts.ts'
import type { Amounts, Group } from './parts.ts'

const findGroup = prepare((db, p: Group & { bookId: number }) =>
  db
    .selectFrom('figure_groups')
    .select('id')
    .where('book_id', '=', p.bookId)
    .where('side', '=', p.side)
    .where('stage', '=', p.stage)
    .where('rectifying', '=', p.rectifying)
    .where('tax', '=', p.tax)
    .where('tax_treatment', '=', p.taxTreatment)
    .where('regime_key', '=', p.regimeKey)
    .where('vat_rate_bp', '=', p.vatRateBp)
    .where('surcharge_bp', '=', p.surchargeBp)
    .where('place', '=', p.place)
    .where('nature', '=', p.nature)
    .where('deductible', '=', p.deductible)
    .where('investment', '=', p.investment)
    .where('eu_key', '=', p.euKey)
    .where('country', '=', p.country),
)

const insertGroup = prepareInsert((db, p: Group & { bookId: number }) =>
  db
    .insertInto('figure_groups')
    .values({
      book_id: p.bookId,
      side: p.side,
      stage: p.stage,
      rectifying: p.rectifying,
      tax: p.tax,
      tax_treatment: p.taxTreatment,
      regime_key: p.regimeKey,
      vat_rate_bp: p.vatRateBp,
      surcharge_bp: p.surchargeBp,
      place: p.place,
      nature: p.nature,
      deductible: p.deductible,
      investment: p.investment,
      eu_key: p.euKey,
      country: p.country,
    })
    .returning('id'),
)

/** Cache of committed group ids, by the rows of a store: they never change, and every issue needs them. */
const knownGroups = new WeakMap<object, Map<string, number>>()

/** Returns the row of a group, created at first use. */
export async function groupId(ctx: Ctx, group: Group): Promise<number> {
  const { rowIdentity } = ctx.env.store
  let known = knownGroups.get(rowIdentity)
  if (!known) knownGroups.set(rowIdentity, (known = new Map()))
  const key = `${ctx.book.id}|${groupText(group)}`
  const cached = known.get(key)
  if (cached !== undefined) return cached
  const values = { ...group, bookId: ctx.book.id }
  const row = await findGroup.first(ctx.db, values)
  const id = row?.id ?? (await insertGroup.run(ctx.db, values))
  // Only after the commit, because a rolled-back group has no row.
  const cache = known
  ctx.afterCommit(() => cache.set(key, id))
  return id
}

interface EntryKey {
  groupId: number
  month: number
  source: number
  sourceId: number
  part: number
}

export type FigureEntry = EntryKey & Amounts

export const insertEntries = prepareRows((db, entries: readonly [FigureEntry, ...FigureEntry[]]) =>
  db.insertInto('figure_entries').values(
    entries.map((entry) => ({
      group_id: entry.groupId,
      month: entry.month,
      source: entry.source,
      source_id: entry.sourceId,
      part: entry.part,
      base_cents: entry.baseCents,
      tax_cents: entry.taxCents,
      surcharge_cents: entry.surchargeCents,
      deductible_cents: entry.deductibleCents,
      income_cents: entry.incomeCents,
    })),
  ),
)

/** Deletes an entry only if it has the amounts to be removed. */
export const deleteEntry = prepare((db, p: FigureEntry) =>
  db
    .deleteFrom('figure_entries')
    .where('group_id', '=', p.groupId)
    .where('month', '=', p.month)
    .where('source', '=', p.source)
    .where('source_id', '=', p.sourceId)
    .where('part', '=', p.part)
    .where('base_cents', '=', p.baseCents)
    .where('tax_cents', '=', p.taxCents)
    .where('surcharge_cents', '=', p.surchargeCents)
    .where('deductible_cents', '=', p.deductibleCents)
    .where('income_cents', '=', p.incomeCents),
)

export type MonthFigure = Amounts & { groupId: number; month: number; documents: number }

/** Adds to totals of months; each group and month may occur once. */
export const addMonthFigures = prepareRows((db, figures: readonly [MonthFigure, ...MonthFigure[]]) =>
  db
    .insertInto('month_figures')
    .values(
      figures.map((figure) => ({
        group_id: figure.groupId,
        month: figure.month,
        base_cents: figure.baseCents,
        tax_cents: figure.taxCents,
        surcharge_cents: figure.surchargeCents,
        deductible_cents: figure.deductibleCents,
        income_cents: figure.incomeCents,
        documents: figure.documents,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['group_id', 'month']).doUpdateSet((eb) => ({
        base_cents: eb('month_figures.base_cents', '+', eb.ref('excluded.base_cents')),
        tax_cents: eb('month_figures.tax_cents', '+', eb.ref('excluded.tax_cents')),
        surcharge_cents: eb('month_figures.surcharge_cents', '+', eb.ref('excluded.surcharge_cents')),
        deductible_cents: eb('month_figures.deductible_cents', '+', eb.ref('excluded.deductible_cents')),
        income_cents: eb('month_figures.income_cents', '+', eb.ref('excluded.income_cents')),
        documents: eb('month_figures.documents', '+', eb.ref('excluded.documents')),
      })),
    ),
)

export interface TotalValues {
  bookId: number
  side: Side
  month: number
  documents: number
  baseCents: number
  taxCents: number
  totalCents: number
  incomeCents: number
  withheldBaseCents: number
  withholdingCents: number
  missingNif: number
  withoutFile: number
}

export const addTotal = prepare((db, p: TotalValues) =>
  db
    .insertInto('period_totals')
    .values({
      book_id: p.bookId,
      side: p.side,
      month: p.month,
      documents: p.documents,
      base_cents: p.baseCents,
      tax_cents: p.taxCents,
      total_cents: p.totalCents,
      income_cents: p.incomeCents,
      withheld_base_cents: p.withheldBaseCents,
      withholding_cents: p.withholdingCents,
      missing_nif: p.missingNif,
      without_file: p.withoutFile,
    })
    .onConflict((conflict) =>
      conflict.columns(['book_id', 'side', 'month']).doUpdateSet((eb) => ({
        documents: eb('period_totals.documents', '+', eb.ref('excluded.documents')),
        base_cents: eb('period_totals.base_cents', '+', eb.ref('excluded.base_cents')),
        tax_cents: eb('period_totals.tax_cents', '+', eb.ref('excluded.tax_cents')),
        total_cents: eb('period_totals.total_cents', '+', eb.ref('excluded.total_cents')),
        income_cents: eb('period_totals.income_cents', '+', eb.ref('excluded.income_cents')),
        withheld_base_cents: eb(
          'period_totals.withheld_base_cents',
          '+',
          eb.ref('excluded.withheld_base_cents'),
        ),
        withholding_cents: eb('period_totals.withholding_cents', '+', eb.ref('excluded.withholding_cents')),
        missing_nif: eb('period_totals.missing_nif', '+', eb.ref('excluded.missing_nif')),
        without_file: eb('period_totals.without_file', '+', eb.ref('excluded.without_file')),
      })),
    ),
)

interface PartyValues {
  bookId: number
  key: string
  name: string
  nif: string | null
  country: string
  idType: string | null
}

const findParty = prepare((db, p: { bookId: number; key: string }) =>
  db
    .selectFrom('figure_parties')
    .select(['id', 'name'])
    .where('book_id', '=', p.bookId)
    .where('party_key', '=', p.key),
)

const insertParty = prepareInsert((db, p: PartyValues) =>
  db
    .insertInto('figure_parties')
    .values({
      book_id: p.bookId,
      party_key: p.key,
      name: p.name,
      nif: p.nif,
      country: p.country,
      id_type: p.idType,
    })
    .returning('id'),
)

const renameParty = prepare((db, p: { id: number; name: string; idType: string | null }) =>
  db.updateTable('figure_parties').set({ name: p.name, id_type: p.idType }).where('id', '=', p.id),
)

/** Returns the row of a party, under its latest name. */
export async function figureParty(ctx: Ctx, party: OperationParty, isNews: boolean): Promise<number> {
  const key = partyKey(party)
  const { name, nif, country, idType } = party
  const known = await findParty.first(ctx.db, { bookId: ctx.book.id, key })
  if (!known) return insertParty.run(ctx.db, { bookId: ctx.book.id, key, name, nif, country, idType })
  if (isNews && known.name !== name) await renameParty.run(ctx.db, { id: known.id, name, idType })
  return known.id
}

interface PartyFigureValues {
  side: number
  bookId: number
  month: number
  quarter: number
  year: number
  baseCents: number
  totalCents: number
  thirdCents: number
  documents: number
}

/** Adds to month, quarter and year of a party in one statement. */
export const addPartyTotals = prepare((db, p: PartyFigureValues & { partyId: number }) => {
  const row = (period: number) => ({
    party_id: p.partyId,
    side: p.side,
    period,
    book_id: p.bookId,
    base_cents: p.baseCents,
    total_cents: p.totalCents,
    third_cents: p.thirdCents,
    documents: p.documents,
  })
  return addingUp(db.insertInto('party_figures').values([row(p.month), row(p.quarter), row(p.year)]))
})

/** Adds like `addPartyTotals` to the totals of a party that is known under a name; changes nothing for others. */
export const addKnownPartyTotals = prepare((db, p: PartyFigureValues & { key: string; name: string }) =>
  addingUp(
    db
      .insertInto('party_figures')
      .columns([
        'party_id',
        'side',
        'period',
        'book_id',
        'base_cents',
        'total_cents',
        'third_cents',
        'documents',
      ])
      .expression((eb) =>
        eb
          .selectFrom([
            'figure_parties',
            sql<{
              period: number
            }>`(select ${whole(p.month)} as period union all select ${whole(p.quarter)} union all select ${whole(p.year)})`.as<'periods'>(
              'periods',
            ),
          ])
          .select([
            'figure_parties.id',
            whole(p.side).as('side'),
            'periods.period',
            'figure_parties.book_id',
            whole(p.baseCents).as('base_cents'),
            whole(p.totalCents).as('total_cents'),
            whole(p.thirdCents).as('third_cents'),
            whole(p.documents).as('documents'),
          ])
          .where('figure_parties.book_id', '=', p.bookId)
          .where('figure_parties.party_key', '=', p.key)
          .where('figure_parties.name', '=', p.name),
      ),
  ),
)

/** States the type of a value that no column determines. */
function whole(value: number): RawBuilder<number> {
  return sql<number>`cast(${value} as bigint)`
}

function addingUp<O>(insert: InsertQueryBuilder<Schema, 'party_figures', O>) {
  return insert.onConflict((conflict) =>
    conflict.columns(['party_id', 'side', 'period']).doUpdateSet((eb) => ({
      base_cents: eb('party_figures.base_cents', '+', eb.ref('excluded.base_cents')),
      total_cents: eb('party_figures.total_cents', '+', eb.ref('excluded.total_cents')),
      third_cents: eb('party_figures.third_cents', '+', eb.ref('excluded.third_cents')),
      documents: eb('party_figures.documents', '+', eb.ref('excluded.documents')),
    })),
  )
}

interface EuValues {
  bookId: number
  month: number
  euKey: string
  rectifying: number
  partyId: number
  baseCents: number
  documents: number
}

export const addEuFigure = prepare((db, p: EuValues) =>
  db
    .insertInto('eu_figures')
    .values({
      book_id: p.bookId,
      month: p.month,
      eu_key: p.euKey,
      rectifying: p.rectifying,
      party_id: p.partyId,
      base_cents: p.baseCents,
      documents: p.documents,
    })
    .onConflict((conflict) =>
      conflict.columns(['book_id', 'month', 'eu_key', 'rectifying', 'party_id']).doUpdateSet((eb) => ({
        base_cents: eb('eu_figures.base_cents', '+', eb.ref('excluded.base_cents')),
        documents: eb('eu_figures.documents', '+', eb.ref('excluded.documents')),
      })),
    ),
)

interface WithholdingValues {
  bookId: number
  month: number
  reason: 'professional' | 'work' | 'rent' | 'capital' | 'other'
  partyId: number
  baseCents: number
  amountCents: number
  documents: number
}

export const addWithholding = prepare((db, p: WithholdingValues) =>
  db
    .insertInto('withholding_figures')
    .values({
      book_id: p.bookId,
      month: p.month,
      reason: p.reason,
      party_id: p.partyId,
      base_cents: p.baseCents,
      amount_cents: p.amountCents,
      documents: p.documents,
    })
    .onConflict((conflict) =>
      conflict.columns(['book_id', 'month', 'reason', 'party_id']).doUpdateSet((eb) => ({
        base_cents: eb('withholding_figures.base_cents', '+', eb.ref('excluded.base_cents')),
        amount_cents: eb('withholding_figures.amount_cents', '+', eb.ref('excluded.amount_cents')),
        documents: eb('withholding_figures.documents', '+', eb.ref('excluded.documents')),
      })),
    ),
)
