/** The kept books of every schema go into an office and come back the same. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixtures } from '../../support/fixtures.ts'
import { thereAndBack } from '../../support/office/moves.ts'
import { hasServer, startTestServer } from '../../support/postgres/databases.ts'
import type { Cluster } from '../../support/postgres/cluster.ts'

let cluster: Cluster | null = null
beforeAll(async () => {
  if (!hasServer()) cluster = await startTestServer()
})
afterAll(() => cluster?.stop())

test('there are books of every schema', () => {
  expect(fixtures().length).toBeGreaterThanOrEqual(15)
})

test.each(fixtures())('books of schema %i come back the same', async (schema) => {
  await thereAndBack(schema)
})
