/** The list as an assistant pages through it: sums of the whole filter at once, and cursors for one filter only. */
import { expect, test } from 'vitest'
import { EXAMPLE_DRAFT, openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'
import { call, messageOf, post, toldError } from './wires.ts'

async function list(world: World, args: object): Promise<any> {
  return messageOf(await post(world, call('svc_list_invoices', args))).result.structuredContent
}

/** Creates five drafts of 10 to 50 euros before tax. */
async function fiveDrafts(): Promise<World> {
  const world = await openWorld()
  for (const unitPrice of [10, 20, 30, 40, 50])
    await world.createDraft({ lines: [{ ...EXAMPLE_DRAFT.lines[0]!, quantity: 1, unitPrice }] })
  return world
}

test('the sums of the first page cover the whole filter', async () => {
  const world = await fiveDrafts()
  const { items, nextCursor, totals } = await list(world, { limit: 2, state: 'draft' })
  expect([items.length, typeof nextCursor]).toEqual([2, 'string'])
  expect(totals).toEqual({ count: 5, base: 150, tax: 31.5, total: 181.5, due: 0 })
  expect(await list(world, { limit: 2, totals: false })).not.toHaveProperty('totals')
})

test('pages contain every invoice once, while others are created in between', async () => {
  const world = await fiveDrafts()
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: any = await list(world, { limit: 2, sort: 'total', ...(cursor ? { cursor } : {}) })
    seen.push(...page.items.map(({ base }: { base: number }) => String(base)))
    cursor = page.nextCursor
    await world.createDraft({ lines: [{ ...EXAMPLE_DRAFT.lines[0]!, quantity: 1, unitPrice: 1 }] })
  } while (cursor)
  expect(seen).toEqual(['10', '20', '30', '40', '50'])
})

test('a cursor continues only with its own filter and sort', async () => {
  const world = await fiveDrafts()
  const { nextCursor: cursor } = await list(world, { limit: 2, state: 'draft' })
  expect((await list(world, { limit: 3, state: 'draft', cursor })).items).toHaveLength(3)
  for (const other of [
    {},
    { state: 'issued' },
    { state: 'draft', text: 'Ana' },
    { state: 'draft', sort: 'total' },
  ]) {
    const error = toldError(await post(world, call('svc_list_invoices', { ...other, cursor })))
    expect(error).toMatchObject({
      code: 'validation_failed',
      field: 'cursor',
      details: { faults: [{ code: 'cursor_invalid' }] },
    })
  }
})

test('a forged cursor is rejected without an internal error', async () => {
  const world = await fiveDrafts()
  const { nextCursor } = await list(world, { limit: 2 })
  const [mark, ...position] = JSON.parse(Buffer.from(nextCursor, 'base64url').toString()) as unknown[]
  const forged = [
    [mark],
    [mark, ...position, 'more'],
    [mark, ...position.map(() => null)],
    [mark, ...position.map((part) => (typeof part === 'number' ? 'x' : 7))],
    [mark, ...position.toReversed()],
    [mark, ...position.map(() => 'x'.repeat(200))],
    [mark, ...position.map(() => 1e308)],
    {},
  ]
  for (const parts of forged) {
    const cursor = Buffer.from(JSON.stringify(parts)).toString('base64url')
    const answer = await post(world, call('svc_list_invoices', { cursor }))
    expect([cursor, toldError(answer).code]).toEqual([cursor, 'validation_failed'])
  }
  expect(world.logged.filter((line) => line.includes('"bug"'))).toEqual([])
})
