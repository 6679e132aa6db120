/** A store is preserved for every schema, and its migrations are never edited. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { migrations } from '../../../../server/db/migrations/list.ts'
import { SCHEMA_VERSION } from '../../../../server/db/migrations/version.ts'
import { openDatabase } from '../../../../server/db/embedded/open.ts'
import { keyOf } from '../../../support/stages/backups.ts'
import { KEYS } from '../../../support/erp/erp-server.ts'
import { contentOf, factsOf, fixtures, migrationsHash, unpackFixture } from '../../../support/fixtures.ts'

/**
 * Tables without rows in the newest store: filling them needs a mailbox, a year's end, another country, a fault, an informative
 * return, or an assistant that gives its name.
 */
const EMPTY = [
  'advised_companies',
  'amended_parties',
  'asset_depreciations',
  'bank_parts',
  'bulk_files',
  'bulk_units',
  'bundle_changes',
  'bundle_files',
  'cash_operations',
  'certificate_warnings',
  'company_care',
  'company_ends',
  'company_notes',
  'company_summaries',
  'erp_rejects',
  'eu_figures',
  'history_documents',
  'incoming_seen',
  'incoming_sources',
  'invoice_instalments',
  'invoice_replacements',
  'journal_unsealed',
  'key_clients',
  'ledger_years',
  'moving_files',
  'moving_records',
  'moving_rows',
  'moving_runs',
  'note_mentions',
  'notes',
  'registry_findings',
  'reminder_instalments',
  'second_person_requests',
  'second_person_rules',
  'series_gaps',
  'simulated_exchange',
  'simulated_sendings',
  'tasks',
  'vat_proratas',
  'withholding_figures',
]

test('each schema has one: `node build/run.mjs fixture` creates that of this build', () => {
  expect(fixtures().toSorted((a, b) => a - b)).toEqual(migrations.map(({ number }) => number))
})

test.each(fixtures())('the migrations up to schema %i are the ones that created its store', (schema) => {
  expect(factsOf(schema)).toMatchObject({ schema, migrations: migrationsHash(migrations, schema) })
})

test('an edited migration is detected', () => {
  const edited = migrations.map((one) => (one.number === 2 ? { ...one, sql: `${one.sql} ` } : one))
  expect(migrationsHash(edited, 1)).toBe(factsOf(1).migrations)
  for (const schema of fixtures().filter((one) => one > 1))
    expect(migrationsHash(edited, schema)).not.toBe(factsOf(schema).migrations)
})

test('the newest one contains rows in every table except the listed ones', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sello-fixture-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  unpackFixture(SCHEMA_VERSION, folder)
  const connection = openDatabase({ folder, masterKey: keyOf(folder), role: 'reader', cacheKib: 1024 })
  const tables = connection.all(
    "select name from sqlite_schema where type = 'table' and name not glob 'sqlite_*' order by name",
    [],
  ) as { name: string }[]
  const empty = tables.filter(({ name }) => !connection.get(`select 1 from "${name}" limit 1`, []))
  connection.close()
  expect(empty.map(({ name }) => name)).toEqual(EMPTY)
})

/**
 * Secrets in the form in which they are returned: keys, tokens and signing secrets, and the key of the accounting
 * system.
 */
const GIVEN = /svc_(?:live|test)_[\w-]{40}|svct_[\w-]{30}|whsec_[\w+/-]{30}|BEGIN [A-Z ]*PRIVATE KEY/

test.each(fixtures())('the fixture of schema %i contains no secret but its own key', (schema) => {
  const pages = contentOf(schema).toString('latin1')
  expect(GIVEN.exec(pages)?.[0]).toBeUndefined()
  for (const key of Object.values(KEYS)) expect(pages.includes(key)).toBe(false)
  // Proves that the decrypted pages are searched.
  expect(pages).toContain('Ana Ruiz Gil')
  expect(pages).toContain('svc_test_')
})
