/** What of a company its adviser gets. */
import { expect, test } from 'vitest'
import { sharedTables } from '../../../../server/app/bundles/books/shared-tables.ts'
import { SEALED_COLUMNS } from '../../../../server/app/maintenance/sealed-values.ts'
import { shapeOfBuild } from '../../../../server/app/company-rows/index.ts'

test('no table with a sealed value is sent, and none of keys, tokens or queues', () => {
  const names = new Set(sharedTables(shapeOfBuild()).map(({ name }) => name))
  expect(SEALED_COLUMNS.map(({ table }) => table).filter((table) => names.has(table))).toEqual([])
  for (const name of ['key_usage', 'webhook_deliveries', 'bundle_changes', 'documents', 'events'])
    expect(names.has(name), name).toBe(false)
  for (const name of ['companies', 'books', 'invoices', 'received_invoices', 'journal_entries', 'file_bytes'])
    expect(names.has(name), name).toBe(true)
})
