/** Checks on the database: the schema of this build, and what keeps immutable rows from change. */
import { expect, test } from 'vitest'
import { ENGINE } from '../../../support/postgres/databases.ts'
import { openTestStore } from '../../../support/store.ts'

test('a new store has no faults; on PostgreSQL each part of its protection that is gone is reported', async () => {
  const { env, tamper } = await openTestStore()
  expect(await env.store.schemaFaults()).toEqual([])
  expect(await env.store.durabilityFaults()).toEqual([])
  // What the embedded engine reports is in test/server/app/integrity/tamper.test.ts.
  if (ENGINE !== 'pg') return
  await tamper(
    'drop trigger series_kept on series',
    'drop index invoices_owed',
    'alter table invoices disable trigger invoices_frozen',
    "create or replace function parties_frozen() returns trigger language plpgsql as 'begin return new; end'",
  )
  expect(await env.store.schemaFaults()).toEqual([
    'The index invoices_owed is missing.',
    'The trigger series_kept is missing.',
    'The function parties_frozen is not as it was made.',
    'The trigger invoices_frozen is switched off.',
  ])
})
