/** Checks on the database: the schema of this build, and what keeps immutable rows from change. */
import { expect, onTestFinished, test } from 'vitest'
import { createPools } from '../../../../server/db/postgres/store.ts'
import { ENGINE, giveBackDatabase, openOn, takeDatabase } from '../../../support/postgres/databases.ts'
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
    'drop policy of_company on contacts',
    'alter policy of_company on items using (true)',
    'create policy open on quotes using (true)',
    'alter table invoices no force row level security',
    'revoke insert on files from sello_server',
    'grant truncate on parties to sello_server',
    'alter table templates owner to sello_server',
  )
  expect(await env.store.schemaFaults()).toEqual([
    'The index invoices_owed is missing.',
    'The trigger series_kept is missing.',
    'The function parties_frozen is not as it was made.',
    'The trigger invoices_frozen is switched off.',
    'The table invoices is not limited to the rows of one company.',
    'The policy of_company on contacts is missing.',
    'The policy of_company on items is not as it was made.',
    'The policy open on quotes was added.',
    'The role sello_server may not read and change the table files.',
    'The role sello_server may do more with the table parties than it needs.',
    'The role sello_server owns the table templates: it could switch its policies off.',
  ])
})

test.runIf(ENGINE === 'pg')('a role for which no policy holds is reported', async () => {
  const database = await takeDatabase()
  onTestFinished(() => giveBackDatabase(database))
  const pools = createPools({ url: database.url.replace('sello_server@', 'sello@'), connections: 1 })
  onTestFinished(async () => void (await Promise.all([pools.readers.end(), pools.writers.end()])))
  const store = await openOn({ ...database, pools }, () => new Date())
  expect(await store.schemaFaults()).toEqual([
    'No policy holds for the role sello: servers need one that bypasses none.',
  ])
})
