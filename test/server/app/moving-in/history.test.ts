/** History counts in every figure of its period as if the books had always been here, and goes without a trace. */
import { describe, expect, test } from 'vitest'

import type { OutputOf } from '../../../../server/api/contracts.ts'
import { verifyTaxTotals } from '../../../../server/tax/totals/index.ts'
import { randomBook } from '../../sums/sums.ts'
import { swept } from '../../../support/sweep.ts'
import { openBooks, refused } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { dump } from '../../../support/moving/dump.ts'
import { historyOf } from '../../../support/moving/history-of.ts'
import { applyAll, moveIn, stage, undoAll } from '../../../support/moving/move.ts'
import { stateSchemes } from '../../../support/schemes.ts'
import { workedQuarter } from '../../accounting/returns/worked.ts'

const AT = '2026-12-30T12:00:00+01:00'
const FIRST_DAY = '2026-12-01'

/** Returns every box and every list of the returns of a year. */
async function returnsOf(world: TestBooks, year: number): Promise<unknown> {
  const found: Record<string, unknown> = {}
  for (const quarter of [1, 2, 3, 4])
    for (const model of ['303', '130', '349', '111', '115'] as const) {
      const answer = await world.run('fiscal.model', { model, year, quarter })
      found[`${model}/${quarter}`] = figuresOf(answer)
    }
  for (const model of ['390', '347', '190', '180'] as const)
    found[model] = figuresOf(await world.run('fiscal.model', { model, year }))
  return found
}

function figuresOf({ boxes, lists }: OutputOf<'fiscal.model'>): unknown {
  return { boxes: boxes.map(({ box, amount }) => [box, amount]), lists }
}

async function emptyBooks(kind: 'legal' | 'natural'): Promise<TestBooks> {
  const world = await openBooks({ at: AT })
  if (kind === 'natural') await world.tamper("update companies set kind = 'natural'")
  await stateSchemes(world, 2026)
  return world
}

describe.each(['legal', 'natural'] as const)('a quarter of a %s person', (kind) => {
  test('has the same boxes in every return when it comes from another program', async () => {
    const before = await workedQuarter(kind)
    const documents = await historyOf(before.test)
    const after = await emptyBooks(kind)
    const move = await moveIn(after, documents, FIRST_DAY)
    expect(move).toMatchObject({ created: documents.length, skipped: 0 })
    expect(await returnsOf(after, 2026)).toEqual(await returnsOf(before, 2026))
  })
})

test.each(swept([1, 2, 3, 4, 5, 6], (seed) => seed < 3))(
  'a random book has the same returns in another place, seed %i',
  async (seed) => {
    const before = await randomBook(seed, 60)
    const documents = await historyOf(before.test)
    const after = await openBooks({ at: '2026-11-30T12:00:00+01:00' })
    await moveIn(after, documents, '2027-01-01')
    expect(await verifyTaxTotals(after.test)).toEqual([])
    expect(await returnsOf(after, 2026)).toEqual(await returnsOf(before, 2026))
  },
)

test('a file that comes twice adds nothing', async () => {
  const documents = await historyOf((await workedQuarter()).test)
  const world = await emptyBooks('legal')
  await moveIn(world, documents, FIRST_DAY)
  const once = await returnsOf(world, 2026)
  const again = await moveIn(world, documents, FIRST_DAY)
  expect(again).toMatchObject({ created: 0, skipped: documents.length })
  expect(await returnsOf(world, 2026)).toEqual(once)
})

test('a document of the first day or later stays outside', async () => {
  const documents = await historyOf((await workedQuarter()).test)
  const world = await emptyBooks('legal')
  const move = await moveIn(world, documents, '2026-11-01')
  const { rows } = await world.run('moving.rows', { id: move.id })
  expect(rows.filter(({ outcome }) => outcome === 'failed').map(({ faults }) => faults[0]?.code)).toEqual([
    'history_after_first_day',
  ])
  expect(move.created).toBe(documents.length - 1)
})

test('a rate of withholding that no invoice can have fails alone', async () => {
  const documents = await historyOf((await workedQuarter()).test)
  const wrong = documents.map((document, index) =>
    index === 0
      ? { ...document, withholding: { rateBp: 7500, baseCents: 100, amountCents: 75, reason: null } }
      : document,
  )
  const world = await emptyBooks('legal')
  const move = await moveIn(world, wrong, FIRST_DAY)
  expect(move.created).toBe(documents.length - 1)
  const { rows } = await world.run('moving.rows', { id: move.id })
  expect(rows.map(({ faults }) => faults[0]?.code)).toEqual(['history_withholding_rate'])
})

describe('what is owed', () => {
  test('is listed, is paid, and keeps the move from being undone', async () => {
    const documents = await historyOf((await workedQuarter()).test)
    const world = await emptyBooks('legal')
    const id = await stage(world, documents, FIRST_DAY)
    await applyAll(world, id)
    const { items } = await world.run('payments.open', { side: 'receivable' })
    const owed = documents.filter((document) => document.side === 'issued' && (document.openCents ?? 0) > 0)
    expect(items.filter(({ type }) => type === 'invoice').length).toBeGreaterThanOrEqual(owed.length)
    const first = items.find(({ amount }) => amount > 0)
    if (!first) throw new Error('Nothing is owed.')
    const shown = await world.run('invoices.get', { id: first.id })
    expect(shown).toMatchObject({
      state: 'history',
      registry: { status: 'not_registered' },
      number: first.number,
    })
    await world.run('payments.create', {
      date: '2026-12-15',
      direction: 'in',
      amount: first.amount,
      method: 'transfer',
      allocations: [{ invoiceId: first.id, amount: first.amount }],
    })
    expect((await world.run('invoices.get', { id: first.id })).amountDue).toBe(0)
    const error = await refused(world.run('moving.undo', { id }))
    expect(error.code).toBe('moving_in_use')
    expect(error.details).toEqual({ uses: [{ number: first.number, by: 'payment' }] })
  })

  test('history is in no list of own invoices, and in the list of history', async () => {
    const documents = await historyOf((await workedQuarter()).test)
    const world = await emptyBooks('legal')
    await moveIn(world, documents, FIRST_DAY)
    const issued = documents.filter(({ side }) => side === 'issued').length
    expect((await world.run('invoices.list', { totals: true })).totals?.count).toBe(0)
    expect((await world.run('received.list', { totals: true })).totals?.count).toBe(0)
    expect((await world.run('invoices.list', { state: 'history', totals: true })).totals?.count).toBe(issued)
    expect((await world.run('received.list', { state: 'history', totals: true })).totals?.count).toBe(
      documents.length - issued,
    )
  })
})

test('an undo leaves the same rows in every table', async () => {
  const documents = await historyOf((await workedQuarter()).test)
  const world = await emptyBooks('legal')
  await world.invoice()
  const before = await dump(world.test.db)
  const move = await moveIn(world, documents, FIRST_DAY)
  expect(await dump(world.test.db)).not.toEqual(before)
  const undone = await undoAll(world, move.id)
  expect(undone.removed).toBe(documents.length)
  await world.run('moving.discard', { id: move.id })
  expect(await dump(world.test.db)).toEqual(before)
})
