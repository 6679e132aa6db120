/** What of a company's rows an archive has. */
import { expect, test } from 'vitest'
import { shapeOfBuild } from '../../../../server/app/company-rows/index.ts'
import { archivedTables, BLANKED, LEFT_OUT, leftOut } from '../../../../server/app/leaving/content.ts'
import { CONTENT_COLUMNS } from '../../../../server/app/maintenance/sweep-objects.ts'
import { SEALED_COLUMNS } from '../../../../server/app/maintenance/sealed-values.ts'

const shape = shapeOfBuild()
const names = new Set(archivedTables(shape).map(({ name }) => name))

test('no sealed value is in it', () => {
  const sealed = SEALED_COLUMNS.filter(
    ({ table, column }) => names.has(table) && !(`${table}.${column}` in BLANKED),
  )
  expect(sealed).toEqual([])
})

test('what is left out exists, with what belongs to it', () => {
  for (const name of Object.keys(LEFT_OUT)) expect(shape.byName.has(name), name).toBe(true)
  const left = leftOut(shape)
  expect([left.get('webhook_attempts'), left.get('erp_documents')]).toEqual([
    'Belongs to webhook_deliveries.',
    'Belongs to erp_connections.',
  ])
  for (const name of ['invoices', 'documents', 'document_signatures', 'file_bytes', 'mails', 'audit_events'])
    expect(names.has(name), name).toBe(true)
})

test('every content of documents is in a file', () => {
  expect(
    CONTENT_COLUMNS.map(({ table }) => table)
      .filter((table) => names.has(table))
      .toSorted(),
  ).toEqual(['documents', 'exchange_contents', 'file_bytes', 'mail_attachments'])
})
