/** Every box and every list of the returns of a year, to compare two books. */
import type { OutputOf } from '../../../server/api/contracts.ts'
import type { TestBooks } from '../books.ts'

function figuresOf({ boxes, lists }: OutputOf<'fiscal.model'>): unknown {
  return { boxes: boxes.map(({ box, amount }) => [box, amount]), lists }
}

/** Returns the figures by model and period. */
export async function returnsOf(world: TestBooks, year: number): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const quarter of [1, 2, 3, 4])
    for (const model of ['303', '130', '349', '111', '115'] as const)
      found[`${model}/${quarter}`] = figuresOf(await world.run('fiscal.model', { model, year, quarter }))
  for (const model of ['390', '347', '190', '180'] as const)
    found[model] = figuresOf(await world.run('fiscal.model', { model, year }))
  return found
}
