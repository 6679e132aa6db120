/** A move that is killed leaves the company whole at one place that writes it, and goes on when it is repeated. */
import { describe, expect, test } from 'vitest'
import {
  booksToMove,
  dieBetweenCells,
  dieIntoOffice,
  dieOutOfOffice,
  MOVE_STEPS,
} from '../../../../support/office/kills.ts'
import { ENGINE } from '../../../../support/postgres/databases.ts'
import { openTestStore } from '../../../../support/store.ts'

// All steps are in test/long/office/kill.test.ts.
describe.runIf(ENGINE === 'pg')('a move that is killed', () => {
  test('into an office continues after the copy is durable', async () => {
    await dieIntoOffice('transfer.committed', await booksToMove())
  })

  test('out of an office continues when it is held at both places', async () => {
    await dieOutOfOffice('transfer.source_moved', await booksToMove())
  })

  test('to another cell continues before the copy is durable', async () => {
    await dieBetweenCells('transfer.proved', await booksToMove())
  })
})

test('the steps of a move are failpoints', async () => {
  await openTestStore()
  expect(MOVE_STEPS).toHaveLength(7)
})
