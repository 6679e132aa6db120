/** The warning about tickets of another program is determined without reading the invoices of the period. */
import { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { watchQueries } from '../../../../support/rows-read.ts'
import { openWorld } from '../../../../support/world.ts'

test('only invoices that replace tickets of another program are read', async () => {
  const world = await openWorld()
  const ran = watchQueries()
  await world.run('fiscal.model', { model: '303', year: 2026, quarter: 3 })
  const query = ran.find(({ source }) => source.includes("role = 'substitutes'"))
  const { rows } = await world.env.store.reader.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${query?.source}`, query?.values.flat() ?? []),
  )
  const steps = rows.map(({ detail }) => detail)
  expect(steps).toContain('SEARCH invoices USING INTEGER PRIMARY KEY (rowid=?)')
  expect(steps).toContain('SCAN invoice_references USING INDEX invoice_references_elsewhere')
})
