/** Counting: one fact in (1) or out (-1) of the figures of its periods, in the transaction that makes it true. */
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
 * Counts an operation: in with its issue or entry (1), out with its annulment or before it changes (-1). One function for
 * both, so that what comes in is what goes out: give the same operation both times. In the transaction of the fact.
 */
export async function countOperation(ctx: Ctx, operation: Operation, times: 1 | -1): Promise<void> {
  if (!ctx.inTransaction) throw new Error('Figures are counted in the transaction of the fact.')
  const { source, side, withholding } = operation
  if (operation.cash && times === -1) await dropCash(ctx, source)
  for (const part of partsOf(operation)) await countPart(ctx, source, source.part ?? 0, part, times)
  if (operation.cash && times === 1) await openCash(ctx, operation)
  // A part takes back what another document counted: it is no document of its own.
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

/** What an operation adds to the sums of its other party, in (1) or out (-1): for an operation whose party alone changes. */
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

/** A document counted in the month of `date` lost its last file (1) or got its first (-1). */
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
