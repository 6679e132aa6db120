/** Counts parts: what documents add to the totals of their months. */
import type { Ctx } from '../../context.ts'
import type { OperationSource } from './operation.ts'
import type { FigurePart } from './parts.ts'
import { addMonthFigures, deleteEntry, groupId, insertEntries } from './rows.ts'
import type { FigureEntry, MonthFigure } from './rows.ts'
import { SOURCE_CODES } from './source.ts'

/** What one document, or one payment of it, contributes to one total. */
export interface Contribution {
  source: OperationSource
  part: number
  figure: FigurePart
}

/** Adds (1) or subtracts (-1) contributions. Those to the same total are added at once. */
export async function countParts(ctx: Ctx, parts: readonly Contribution[], times: 1 | -1): Promise<void> {
  const entries: FigureEntry[] = []
  const months = new Map<string, MonthFigure>()
  for (const { source, part, figure } of parts) {
    const { group, month, ...amounts } = figure
    const id = await groupId(ctx, group)
    entries.push({
      groupId: id,
      month,
      source: SOURCE_CODES[source.type],
      sourceId: source.id,
      part,
      ...amounts,
    })
    const key = `${id}/${month}`
    const sum = months.get(key) ?? { groupId: id, month, ...NOTHING, documents: 0 }
    months.set(key, {
      groupId: id,
      month,
      baseCents: sum.baseCents + times * amounts.baseCents,
      taxCents: sum.taxCents + times * amounts.taxCents,
      surchargeCents: sum.surchargeCents + times * amounts.surchargeCents,
      deductibleCents: sum.deductibleCents + times * amounts.deductibleCents,
      incomeCents: sum.incomeCents + times * amounts.incomeCents,
      documents: sum.documents + times,
    })
  }
  if (times === 1) await insertEntries.later(ctx.db, entries)
  else
    for (const entry of entries)
      if ((await deleteEntry.run(ctx.db, entry)).changes !== 1)
        throw new Error('A document was not counted as it is to be taken back.')
  await addMonthFigures.later(ctx.db, [...months.values()])
}

const NOTHING = { baseCents: 0, taxCents: 0, surchargeCents: 0, deductibleCents: 0, incomeCents: 0 }
