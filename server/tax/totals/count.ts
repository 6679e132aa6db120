/** Adds a fact to the totals of its periods (1) or removes it (-1), in the transaction of the fact. */
import type { BusinessDate } from '../../domain/dates.ts'
import type { Ctx } from '../../context.ts'
import { dropCash, openCash } from './cash.ts'
import { countPart } from './count-part.ts'
import type { Operation, Side } from './operation.ts'
import {
  baseCentsOf,
  chargedCents,
  euBases,
  incomeOf,
  monthNumber,
  partsOf,
  periodsOf,
  thirdPartyCents,
} from './parts.ts'
import { addEuFigure, addPartyTotals, addTotal, addWithholding, figureParty } from './rows.ts'

/**
 * Counts an operation: adds it when it is issued or recorded (1), removes it when it is cancelled or before it
 * changes (-1). One function for both, so that the same amounts are added and removed: pass the same operation both
 * times. Runs in the transaction of the fact.
 */
export async function countOperation(ctx: Ctx, operation: Operation, times: 1 | -1): Promise<void> {
  if (!ctx.inTransaction) throw new Error('Figures are counted in the transaction of the fact.')
  const { source, side, withholding } = operation
  if (operation.cash && times === -1) await dropCash(ctx, source)
  for (const part of partsOf(operation)) await countPart(ctx, source, source.part ?? 0, part, times)
  if (operation.cash && times === 1) await openCash(ctx, operation)
  // A part that deducts another document's amounts is not a document of its own.
  const documents = (source.part ?? 0) === 0 ? times : 0
  const month = monthNumber(operation.date)
  const baseCents = baseCentsOf(operation)
  await addTotal.run(ctx.db, {
    bookId: ctx.book.id,
    side,
    month,
    documents,
    baseCents: times * baseCents,
    taxCents: times * chargedCents(operation),
    totalCents: times * operation.totalCents,
    incomeCents: times * incomeOf(operation),
    withheldBaseCents: times * (withholding?.baseCents ?? 0),
    withholdingCents: times * (withholding?.amountCents ?? 0),
    missingNif: operation.missingNif === true ? times : 0,
    withoutFile: operation.withoutFile === true ? times : 0,
  })
  await countParty(ctx, operation, times)
}

/** Adds (1) or subtracts (-1) what an operation contributes to its party's totals, when only the party changes. */
export async function countParty(ctx: Ctx, operation: Operation, times: 1 | -1): Promise<void> {
  const { source, side, party, withholding } = operation
  const documents = (source.part ?? 0) === 0 ? times : 0
  const month = monthNumber(operation.date)
  const partyId = await figureParty(ctx, party, times === 1)
  const [, quarter, year] = periodsOf(month)
  await addPartyTotals.run(ctx.db, {
    partyId,
    side: side === 'issued' ? 0 : 1,
    bookId: ctx.book.id,
    month,
    quarter,
    year,
    baseCents: times * baseCentsOf(operation),
    totalCents: times * operation.totalCents,
    thirdCents: times * thirdPartyCents(operation),
    documents,
  })
  for (const [euKey, base] of euBases(operation))
    await addEuFigure.run(ctx.db, {
      bookId: ctx.book.id,
      month,
      euKey,
      rectifying: operation.rectifying ? 1 : 0,
      partyId,
      baseCents: times * base,
      documents: times,
    })
  if (side === 'received' && withholding !== null)
    await addWithholding.run(ctx.db, {
      bookId: ctx.book.id,
      month,
      reason: withholding.reason,
      partyId,
      baseCents: times * withholding.baseCents,
      amountCents: times * withholding.amountCents,
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
