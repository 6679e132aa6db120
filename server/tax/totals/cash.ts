/** Cash accounting: the tax of an operation accrues with its payments, and the rest on 31 December of the next year. */
import type { BusinessDate } from '../../domain/dates.ts'
import { divideRounded } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import type { Ctx } from '../../context.ts'
import { prepare } from '../../db/query.ts'
import { countParts } from './count-part.ts'
import type { Contribution } from './count-part.ts'
import type { Operation, OperationSource } from './operation.ts'
import { groupText, settledParts } from './parts.ts'
import type { Amounts, FigurePart, Group } from './parts.ts'
import { addMonthFigures } from './rows.ts'
import { SOURCE_CODES, sourceType } from './source.ts'

interface CashPart {
  source: OperationSource
  /** Row id of the payment or of its allocation, positive; the same id when it is undone. */
  paymentId: number
  date: BusinessDate
  /** Total paid of the document, including this payment. Not needed to undo. */
  paidCents?: Cents
  /** Total payable of the document, after withholding. Not needed to undo. */
  dueCents?: Cents
}

/** Pseudo-payment for the part that accrues unpaid on the last day. */
const UNPAID_PART = -1

const insertCash = prepare(
  (
    db,
    p: {
      source: number
      sourceId: number
      part: number
      bookId: number
      lastDay: string
      operation: string
    },
  ) =>
    db.insertInto('cash_operations').values({
      source: p.source,
      source_id: p.sourceId,
      part: p.part,
      book_id: p.bookId,
      last_day: p.lastDay,
      is_open: 1,
      operation: p.operation,
    }),
)

const findCash = prepare((db, p: { source: number; sourceId: number; part: number }) =>
  db
    .selectFrom('cash_operations')
    .select(['operation', 'last_day'])
    .where('source', '=', p.source)
    .where('source_id', '=', p.sourceId)
    .where('part', '=', p.part),
)

const deleteCash = prepare((db, p: { source: number; sourceId: number; part: number }) =>
  db
    .deleteFrom('cash_operations')
    .where('source', '=', p.source)
    .where('source_id', '=', p.sourceId)
    .where('part', '=', p.part),
)

const markOpen = prepare((db, p: { source: number; sourceId: number; part: number; isOpen: number }) =>
  db
    .updateTable('cash_operations')
    .set({ is_open: p.isOpen })
    .where('source', '=', p.source)
    .where('source_id', '=', p.sourceId)
    .where('part', '=', p.part),
)

const settledEntries = prepare((db, p: { source: number; sourceId: number }) =>
  db
    .selectFrom('figure_entries')
    .innerJoin('figure_groups', 'figure_groups.id', 'figure_entries.group_id')
    .selectAll('figure_entries')
    .select([
      'side',
      'stage',
      'rectifying',
      'tax',
      'tax_treatment',
      'regime_key',
      'vat_rate_bp',
      'surcharge_bp',
      'place',
      'nature',
      'deductible',
      'investment',
      'eu_key',
      'country',
    ])
    .where('figure_entries.source', '=', p.source)
    .where('figure_entries.source_id', '=', p.sourceId)
    .where('figure_entries.part', '<>', 0)
    .where('figure_groups.stage', '=', 'settled'),
)
type SettledEntry = Awaited<ReturnType<typeof settledEntries.all>>[number]

const deleteSettled = prepare(
  (db, p: { groupId: number; month: number; source: number; sourceId: number; part: number }) =>
    db
      .deleteFrom('figure_entries')
      .where('group_id', '=', p.groupId)
      .where('month', '=', p.month)
      .where('source', '=', p.source)
      .where('source_id', '=', p.sourceId)
      .where('part', '=', p.part),
)

const keyOf = (source: OperationSource) => ({
  source: SOURCE_CODES[source.type],
  sourceId: source.id,
  part: source.part ?? 0,
})

function groupTextOf(row: SettledEntry): string {
  const group: Group = {
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
  }
  return groupText(group)
}

/** Subtracts settled entries from the current totals. */
async function takeBack(ctx: Ctx, entries: readonly SettledEntry[]): Promise<void> {
  for (const entry of entries) {
    const { group_id: id, month } = entry
    await deleteSettled.run(ctx.db, {
      groupId: id,
      month,
      source: entry.source,
      sourceId: entry.source_id,
      part: entry.part,
    })
    await addMonthFigures.run(ctx.db, [
      {
        groupId: id,
        month,
        baseCents: -entry.base_cents,
        taxCents: -entry.tax_cents,
        surchargeCents: -entry.surcharge_cents,
        deductibleCents: -entry.deductible_cents,
        incomeCents: -entry.income_cents,
        documents: -1,
      },
    ])
  }
}

const AMOUNTS = ['baseCents', 'taxCents', 'surchargeCents', 'deductibleCents', 'incomeCents'] as const

function scaled(amounts: Amounts, paid: Cents, due: Cents): Amounts {
  const share = (cents: Cents) =>
    paid === due ? cents : Number(divideRounded(BigInt(cents) * BigInt(paid), BigInt(due)))
  return {
    baseCents: share(amounts.baseCents),
    taxCents: share(amounts.taxCents),
    surchargeCents: share(amounts.surchargeCents),
    deductibleCents: share(amounts.deductibleCents),
    incomeCents: share(amounts.incomeCents),
  }
}

/** Returns the amounts already due, by group. */
function settledSoFar(entries: readonly SettledEntry[]): Map<string, Amounts> {
  const sums = new Map<string, Amounts>()
  for (const entry of entries) {
    const key = groupTextOf(entry)
    const sum = sums.get(key) ?? {
      baseCents: 0,
      taxCents: 0,
      surchargeCents: 0,
      deductibleCents: 0,
      incomeCents: 0,
    }
    sum.baseCents += entry.base_cents
    sum.taxCents += entry.tax_cents
    sum.surchargeCents += entry.surcharge_cents
    sum.deductibleCents += entry.deductible_cents
    sum.incomeCents += entry.income_cents
    sums.set(key, sum)
  }
  return sums
}

/** Makes the operation due up to `paid` of `due`, as one part. Returns true when nothing is left to accrue. */
async function settleUpTo(
  ctx: Ctx,
  operation: Operation,
  at: { date: BusinessDate; part: number; paid: Cents; due: Cents },
): Promise<boolean> {
  const { source } = operation
  const entries = await settledEntries.all(ctx.db, {
    source: SOURCE_CODES[source.type],
    sourceId: source.id,
  })
  const before = settledSoFar(entries)
  const isWhole = at.due === 0 || Math.abs(at.paid) >= Math.abs(at.due)
  const parts: Contribution[] = []
  for (const whole of settledParts(operation, at.date)) {
    const target = isWhole ? whole : scaled(whole, at.paid, at.due)
    const known = before.get(groupText(whole.group))
    const rest: FigurePart = { ...whole, ...target }
    if (known) for (const amount of AMOUNTS) rest[amount] -= known[amount]
    if (AMOUNTS.some((amount) => rest[amount] !== 0)) parts.push({ source, part: at.part, figure: rest })
  }
  await countParts(ctx, parts, 1)
  return isWhole
}

/** Registers an operation that was just counted, to wait for its payments. */
export async function openCash(ctx: Ctx, operation: Operation): Promise<void> {
  await insertCash.run(ctx.db, {
    ...keyOf(operation.source),
    bookId: ctx.book.id,
    lastDay: `${Number(operation.date.slice(0, 4)) + 1}-12-31`,
    operation: JSON.stringify(operation),
  })
}

/** Removes an operation and what its payments made due. */
export async function dropCash(ctx: Ctx, source: OperationSource): Promise<void> {
  const key = keyOf(source)
  await takeBack(ctx, await settledEntries.all(ctx.db, key))
  await deleteCash.run(ctx.db, key)
}

/**
 * Counts what a payment makes due of an operation counted with `cash` (1), or undoes it (-1). Does nothing for other
 * operations. When an operation is removed and counted again, its payments must be counted again too. Runs in a
 * transaction.
 */
export async function countCash(ctx: Ctx, part: CashPart, times: 1 | -1): Promise<void> {
  const key = keyOf(part.source)
  const row = await findCash.first(ctx.db, key)
  if (!row) return
  if (times === -1) {
    const entries = await settledEntries.all(ctx.db, key)
    const own = entries.filter((entry) => entry.part === part.paymentId)
    await takeBack(ctx, own)
    if (own.length > 0) await markOpen.run(ctx.db, { ...key, isOpen: 1 })
    return
  }
  const { paidCents, dueCents } = part
  if (paidCents === undefined || dueCents === undefined)
    throw new Error('A payment is counted with what is paid and what was due.')
  const isWhole = await settleUpTo(ctx, JSON.parse(row.operation) as Operation, {
    date: part.date,
    part: part.paymentId,
    paid: paidCents,
    due: dueCents,
  })
  await markOpen.run(ctx.db, { ...key, isOpen: isWhole ? 0 : 1 })
}

/**
 * Accrues the amounts still unpaid on 31 December of the year after the operation, on that day (LIVA art. 163
 * terdecies.Uno). Returns the number of operations. Runs in its own transaction.
 */
export async function accrueOverdueCash(ctx: Ctx): Promise<number> {
  return ctx.transaction(async (tx) => {
    const due = await tx.db
      .selectFrom('cash_operations')
      .select(['source', 'source_id', 'part', 'operation', 'last_day'])
      .where('book_id', '=', tx.book.id)
      .where('is_open', '=', 1)
      .where('last_day', '<', tx.today())
      .execute()
    for (const row of due) {
      const operation = JSON.parse(row.operation) as Operation
      await settleUpTo(tx, operation, { date: row.last_day, part: UNPAID_PART, paid: 0, due: 0 })
      const source = { type: sourceType(row.source), id: row.source_id, part: row.part }
      await markOpen.run(tx.db, { ...keyOf(source), isOpen: 0 })
    }
    return due.length
  })
}
