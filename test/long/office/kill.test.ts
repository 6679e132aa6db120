/** A move that is killed at any step leaves the company whole at one place that writes it, and continues. */
import { afterAll, beforeAll, test } from 'vitest'
import {
  booksToMove,
  dieBetweenCells,
  dieIntoOffice,
  dieOutOfOffice,
  IMPORT_STEPS,
  MOVE_STEPS,
} from '../../support/office/kills.ts'
import { hasServer, startTestServer } from '../../support/postgres/databases.ts'
import type { Cluster } from '../../support/postgres/cluster.ts'

let cluster: Cluster | null = null
beforeAll(async () => {
  if (!hasServer()) cluster = await startTestServer()
})
afterAll(() => cluster?.stop())

test.each(IMPORT_STEPS)('into an office, at %s', async (step) => dieIntoOffice(step, await booksToMove()))
test.each(MOVE_STEPS)('out of an office, at %s', async (step) => dieOutOfOffice(step, await booksToMove()))
test.each(MOVE_STEPS)('to another cell, at %s', async (step) => dieBetweenCells(step, await booksToMove()))
