/** Counts one part: what one document adds to one total of one month. */
import type { Ctx } from '../../context.ts'
import type { OperationSource } from './operation.ts'
import type { FigurePart } from './parts.ts'
import { addMonthFigure, deleteEntry, groupId, insertEntry } from './rows.ts'
import { SOURCE_CODES } from './source.ts'

/** Adds (1) or subtracts (-1) what one document contributes to one total. */
export async function countPart(
  ctx: Ctx,
  source: OperationSource,
  part: number,
  figure: FigurePart,
  times: 1 | -1,
): Promise<void> {
  const { group, month, ...amounts } = figure
  const id = await groupId(ctx, group)
  const entry = {
    groupId: id,
    month,
    source: SOURCE_CODES[source.type],
    sourceId: source.id,
    part,
    ...amounts,
  }
  if (times === 1) await insertEntry.run(ctx.db, entry)
  else if ((await deleteEntry.run(ctx.db, entry)).changes !== 1)
    throw new Error(`${source.type} ${source.id} was not counted as it is to be taken back.`)
  await addMonthFigure.run(ctx.db, {
    groupId: id,
    month,
    baseCents: times * amounts.baseCents,
    taxCents: times * amounts.taxCents,
    surchargeCents: times * amounts.surchargeCents,
    deductibleCents: times * amounts.deductibleCents,
    incomeCents: times * amounts.incomeCents,
    documents: times,
  })
}
