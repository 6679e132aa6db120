/** Adds a fact to the totals of its periods (1) or removes it (-1), in the transaction of the fact. */
import type { BusinessDate } from '../../domain/dates.ts'
import type { Ctx } from '../../context.ts'
import { dropCash, openCash } from './cash.ts'
import { countParts } from './count-part.ts'
import type { Operation, Side } from './operation.ts'
import {
  baseCentsOf,
  chargedCents,
  euBases,
  incomeOf,
  monthNumber,
  partsOf,
  partyKey,
  periodsOf,
  thirdPartyCents,
} from './parts.ts'
import {
  addEuFigure,
  addKnownPartyTotals,
  addPartyTotals,
  addTotal,
  addWithholding,
  figureParty,
} from './rows.ts'
import type { TotalValues } from './rows.ts'

/**
 * Counts operations: adds them when they are issued or recorded (1), removes them when they are cancelled or before
 * they change (-1). One function for both, so that the same amounts are added and removed: pass the same operations
 * both times. Each of them is a part of its own. Runs in the transaction of the fact.
 */
export function countOperations(ctx: Ctx, operations: readonly Operation[], times: 1 | -1): Promise<void> {
  return countAll(ctx, operations, times, times === 1)
}

/** Counts operations of an earlier program like `countOperations`; the names of parties stay, which are newer. */
export function countHistory(ctx: Ctx, operations: readonly Operation[], times: 1 | -1): Promise<void> {
  return countAll(ctx, operations, times, false)
}

async function countAll(
  ctx: Ctx,
  operations: readonly Operation[],
  times: 1 | -1,
  isNews: boolean,
): Promise<void> {
  if (!ctx.inTransaction) throw new Error('Figures are counted in the transaction of the fact.')
  if (times === -1) for (const { cash, source } of operations) if (cash) await dropCash(ctx, source)
  const parts = operations.flatMap((operation) =>
    partsOf(operation).map((figure) => ({
      source: operation.source,
      part: operation.source.part ?? 0,
      figure,
    })),
  )
  await countParts(ctx, parts, times)
  if (times === 1) for (const operation of operations) if (operation.cash) await openCash(ctx, operation)
  for (const total of totalsOfMonths(ctx, operations, times)) await addTotal.later(ctx.db, total)
  for (const operation of operations) await countParty(ctx, operation, times, isNews)
}

/** Counts one operation, like `countOperations`. */
export function countOperation(ctx: Ctx, operation: Operation, times: 1 | -1): Promise<void> {
  return countOperations(ctx, [operation], times)
}

/** Returns what operations add to the totals of their months, each month and side once. */
function totalsOfMonths(ctx: Ctx, operations: readonly Operation[], times: 1 | -1): TotalValues[] {
  const sums = new Map<string, TotalValues>()
  for (const operation of operations) {
    const { source, side, withholding } = operation
    const month = monthNumber(operation.date)
    const own: TotalValues = {
      bookId: ctx.book.id,
      side,
      month,
      // A part that deducts another document's amounts is not a document of its own.
      documents: (source.part ?? 0) === 0 ? times : 0,
      baseCents: times * baseCentsOf(operation),
      taxCents: times * chargedCents(operation),
      totalCents: times * operation.totalCents,
      incomeCents: times * incomeOf(operation),
      withheldBaseCents: times * (withholding?.baseCents ?? 0),
      withholdingCents: times * (withholding?.amountCents ?? 0),
      missingNif: operation.missingNif === true ? times : 0,
      withoutFile: operation.withoutFile === true ? times : 0,
    }
    const key = `${side}/${month}`
    const sum = sums.get(key)
    if (sum) for (const amount of ADDED) sum[amount] += own[amount]
    else sums.set(key, own)
  }
  return [...sums.values()]
}

const ADDED = [
  'documents',
  'baseCents',
  'taxCents',
  'totalCents',
  'incomeCents',
  'withheldBaseCents',
  'withholdingCents',
  'missingNif',
  'withoutFile',
] as const

/** Adds (1) or subtracts (-1) what an operation contributes to its party's totals, when only the party changes. */
export async function countParty(
  ctx: Ctx,
  operation: Operation,
  times: 1 | -1,
  isNews = times === 1,
): Promise<void> {
  const { source, side, party, withholding } = operation
  const documents = (source.part ?? 0) === 0 ? times : 0
  const month = monthNumber(operation.date)
  const [, quarter, year] = periodsOf(month)
  const totals = {
    side: side === 'issued' ? 0 : 1,
    bookId: ctx.book.id,
    month,
    quarter,
    year,
    baseCents: times * baseCentsOf(operation),
    totalCents: times * operation.totalCents,
    thirdCents: times * thirdPartyCents(operation),
    documents,
  }
  const bases = euBases(operation)
  const withheld = side === 'received' ? withholding : null
  if (bases.size === 0 && withheld === null) {
    const known = { ...totals, key: partyKey(party), name: party.name }
    if ((await addKnownPartyTotals.together(ctx.db, known)).changes > 0) return
  }
  const partyId = await figureParty(ctx, party, isNews)
  await addPartyTotals.run(ctx.db, { ...totals, partyId })
  for (const [euKey, base] of bases)
    await addEuFigure.run(ctx.db, {
      bookId: ctx.book.id,
      month,
      euKey,
      rectifying: operation.rectifying ? 1 : 0,
      partyId,
      baseCents: times * base,
      documents: times,
    })
  if (withheld !== null)
    await addWithholding.run(ctx.db, {
      bookId: ctx.book.id,
      month,
      reason: withheld.reason,
      partyId,
      baseCents: times * withheld.baseCents,
      amountCents: times * withheld.amountCents,
      documents: times,
    })
}

/** Counts that a document of the month of `date` lost its last file (1) or received its first one (-1). */
export async function countMissingFile(
  ctx: Ctx,
  side: Side,
  date: BusinessDate,
  times: 1 | -1,
): Promise<void> {
  await addTotal.run(ctx.db, {
    bookId: ctx.book.id,
    side,
    month: monthNumber(date),
    documents: 0,
    baseCents: 0,
    taxCents: 0,
    totalCents: 0,
    incomeCents: 0,
    withheldBaseCents: 0,
    withholdingCents: 0,
    missingNif: 0,
    withoutFile: times,
  })
}
