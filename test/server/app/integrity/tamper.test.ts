/** The self-check locates changes made to the books with the file and its key. */
import { sql } from 'kysely'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { INVARIANTS, UNSEEN } from '../../../../server/app/integrity/invariants.ts'
import { refreshSummaries } from '../../../../server/app/summaries/index.ts'
import { checkBooks } from '../../../../server/app/integrity/index.ts'
import { createRollbackGuard } from '../../../../server/registry/index.ts'
import { refusal } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { copiesOf } from '../../../support/copied-books.ts'
import { faultsOf, hashOf, livelyBooks } from './books.ts'
import { swept } from '../../../support/sweep.ts'

const TEST_BOOK = "(select id from books where mode = 'test')"
const LIVE_BOOK = "(select id from books where mode = 'live')"
const invoice = (sequence: number) =>
  `(select invoice_id from registry_records where book_id = ${TEST_BOOK} and sequence = ${sequence})`
const record = (sequence: number) =>
  `(select id from registry_records where book_id = ${TEST_BOOK} and sequence = ${sequence})`

/** Swaps a column of two rows, around every constraint. */
const swap = (table: string, column: string, one: string, other: string): string[] => [
  `create temp table kept as select (select ${column} from ${table} where ${one}) as a, (select ${column} from ${table} where ${other}) as b`,
  `update ${table} set ${column} = (select b from temp.kept) where ${one}`,
  `update ${table} set ${column} = (select a from temp.kept) where ${other}`,
]

const blob = (text: string): string => `x'${Buffer.from(text).toString('hex')}'`
const sha256 = (text: string): string => `x'${createHash('sha256').update(text).digest('hex')}'`

/** A rendered document, an attached file and two mails with one, as the program stores them. */
const KEPT = [
  `insert into documents (invoice_id, format, language, sha256, bytes, renderer, rendered_at)
    values (${invoice(1)}, 'a4', 'es', ${sha256('paper')}, ${blob('paper')}, 'test', 0)`,
  `insert into files (book_id, public_id, sha256, size, media_type, name, created_at)
    values (${TEST_BOOK}, 'fil_0000000000000001', ${sha256('ticket')}, 6, 'text/plain', 'ticket.txt', 0)`,
  `insert into file_bytes select id, ${blob('ticket')} from files`,
  ...[1, 2].flatMap((id) => [
    `insert into mails (id, book_id, public_id, kind, channel, state, language, from_address, recipients, subject, body,
      message_id, made_by, created_at) values (${id}, ${TEST_BOOK}, 'mai_000000000000000${id}', 'invoice', 'smtp', 'sent', 'es',
      'a@example.com', '[]', 's', 'b', 'm', 'user', 0)`,
    `insert into mail_attachments (mail_id, position, name, media_type, size, sha256, bytes)
      values (${id}, 0, 'a.txt', 'text/plain', 3, ${sha256('mai')}, ${blob('mai')})`,
  ]),
]

interface Tampering {
  name: string
  statements: () => string[]
  /** Expected report of the self-check: the invariant, and the position. */
  finds: RegExp
}

const TAMPERINGS: Tampering[] = [
  {
    name: 'two records are swapped',
    statements: () => [
      ...swap('registry_records', 'xml', `id = ${record(2)}`, `id = ${record(3)}`),
      'drop table temp.kept',
      ...swap('registry_records', 'hash', `id = ${record(2)}`, `id = ${record(3)}`),
    ],
    finds: /^I4 chain: Record 2 \(T-F2026-0002\): /,
  },
  {
    name: 'two whole records are exchanged',
    statements: () => [
      `update registry_records set sequence = 99 where id = ${record(2)}`,
      `update registry_records set sequence = 2 where book_id = ${TEST_BOOK} and sequence = 3`,
      `update registry_records set sequence = 3 where book_id = ${TEST_BOOK} and sequence = 99`,
    ],
    finds: /^I4 chain: Record 2 \(T-F2026-0003\): /,
  },
  {
    name: 'a record is removed with everything that refers to it',
    statements: () => [
      `delete from registry_submissions where record_id = ${record(2)}`,
      `delete from registry_attempts where record_id = ${record(2)}`,
      `delete from registry_records where id = ${record(2)}`,
    ],
    finds: /^I4 chain: Record 2 \(T-F2026-0003\): a record is missing before it\./,
  },
  {
    name: 'the last record is removed, and the head reset',
    statements: () => [
      `delete from registry_submissions where record_id = ${record(5)}`,
      `delete from registry_records where id = ${record(5)}`,
      `update registry_chains set records = 4, head_hash = (select hash from registry_records where id = ${record(4)}),
        head_number = 'T-F2026-0004' where book_id = ${TEST_BOOK}`,
    ],
    finds: /^I3 mark: The mark outside knows record 5 of /,
  },
  {
    name: 'an invoice is removed with its record and number, as if it never existed',
    statements: () => [
      `delete from registry_submissions where record_id = ${record(5)}`,
      `update series set next_number = 5 where code = 'T-F2026'`,
    ],
    finds: /^I3 mark: T-F2026: the mark outside knows number 5 as given; the book would give 5\./,
  },
  {
    name: 'the audit log is reordered',
    statements: () => [
      `update audit_events set sequence = 900 where book_id = ${TEST_BOOK} and sequence = 3`,
      `update audit_events set sequence = 3 where book_id = ${TEST_BOOK} and sequence = 4`,
      `update audit_events set sequence = 4 where book_id = ${TEST_BOOK} and sequence = 900`,
    ],
    finds: /^I4 audit: aud_3: its content does not match its hash\./,
  },
  {
    name: 'an event is removed from the audit log',
    statements: () => [`delete from audit_events where book_id = ${TEST_BOOK} and sequence = 4`],
    finds: /^I4 audit: aud_4: an event is missing\./,
  },
  {
    name: 'an amount is changed with all its sums',
    statements: () => [
      `update invoice_lines set net_cents = net_cents + 100, unit_price_micro = unit_price_micro + 1000000
        where invoice_id = ${invoice(2)} and position = 0`,
      `update invoice_taxes set base_cents = base_cents + 100, tax_cents = tax_cents + 21
        where invoice_id = ${invoice(2)} and vat_rate_bp = 2100`,
      `update invoices set base_cents = base_cents + 100, tax_cents = tax_cents + 21, total_cents = total_cents + 121
        where id = ${invoice(2)}`,
    ],
    finds: /^I2 totals: T-F2026-0002: its content is not what was issued\./,
  },
  {
    name: 'only the total is changed',
    statements: () => [`update invoices set total_cents = total_cents + 1 where id = ${invoice(3)}`],
    finds: /^I2 totals: T-F2026-0003: its lines add up to /,
  },
  {
    name: 'the numbers of two invoices are exchanged',
    statements: () => [
      ...swap('invoices', 'number', `id = ${invoice(1)}`, `id = ${invoice(2)}`).map((statement) =>
        statement.replace('(select b from temp.kept)', "'x'"),
      ),
      `update invoices set number = (select b from temp.kept) where id = ${invoice(1)}`,
    ],
    finds: /^I4 chain: Record 1 \(T-F2026-0002\): the record names another invoice\./,
  },
  {
    name: 'a number is skipped',
    statements: () => ["update series set next_number = 9 where code = 'T-F2026'"],
    finds: /^I3 numbering: T-F2026: 8 numbers were given, 5 invoices have one\./,
  },
  {
    name: 'a record is removed from the queue',
    statements: () => [`delete from registry_submissions where record_id = ${record(5)}`],
    finds: /^I5 queue: Record 5 is not in the queue\./,
  },
  {
    name: 'a record stays in flight forever',
    statements: () => [`update registry_submissions set status = 'sending' where record_id = ${record(5)}`],
    finds: /^I5 queue: Record 5 is being sent in no message\./,
  },
  {
    name: 'a pending record is marked as accepted',
    statements: () => [`update registry_submissions set status = 'accepted' where record_id = ${record(5)}`],
    finds:
      /^I5 queue: Record 5 is accepted and was not answered\. 4 records are said to be accepted, 5 are\./,
  },
  {
    name: 'a token is spent twice',
    statements: () => [
      `insert into confirmations select randomblob(32), book_id, actor, action, invoice_id, draft_version, content_hash, details,
        created_at, expires_at, superseded, used_at from confirmations where invoice_id = ${invoice(1)}`,
    ],
    finds: /^I6 confirmations: inv_\w+ was issued with 2 tokens\./,
  },
  {
    name: 'a token was spent after it expired',
    statements: () => [
      `update confirmations set used_at = expires_at where invoice_id = ${invoice(1)} and used_at is not null`,
    ],
    finds: /^I6 confirmations: The token that was spent on inv_\w+ had run out\./,
  },
  {
    name: 'live data are at the simulated authority',
    statements: () => [`update simulator_records set book_id = ${LIVE_BOOK} where number = 'T-F2026-0001'`],
    finds: /^I8 apart: T-F2026-0001 is held by the simulated authority\./,
  },
  {
    name: 'an event was delivered to no receiver',
    statements: () => [
      'delete from webhook_deliveries where id = (select min(id) from webhook_deliveries where event_id is not null)',
    ],
    finds: /^I9 events: Event \d+ \(invoice\.\w+\) was never handed to \w+\./,
  },
  {
    name: 'future events count as delivered',
    statements: () => ['update event_cursors set event_id = 900'],
    finds: /^I9 events: Events up to 900 count as handed out; the last one is \d+\./,
  },
  {
    name: 'a sealed secret is moved to another row',
    statements: () => ["update webhooks set public_id = 'whk_0000000000000000'"],
    finds: /^I7 sealed: The secret of whk_0000000000000000 does not open\./,
  },
  {
    name: 'an entry of the ledger does not balance',
    statements: () => [
      'update journal_lines set amount_cents = amount_cents + 1 where entry_id = (select min(id) from journal_entries) and position = 0',
    ],
    finds: /^I16 ledger: Entry ent_\w+ of \d{4}-\d\d-\d\d: debits and credits differ by 1 cents\./,
  },
  {
    name: 'an installation is replaced by another',
    statements: () => [`update registry_chains set installation = 'X' where book_id = ${TEST_BOOK}`],
    finds: /^I12 installation: Installation X is not the one this book began last\./,
  },
  {
    name: 'a table is missing',
    statements: () => ['drop table registry_findings'],
    finds: /^I11 schema: The table registry_findings is missing\./,
  },
  {
    name: 'a referenced row is missing',
    statements: () => ['delete from webhooks'],
    finds: /^I2 references: webhook_deliveries \d+ webhooks /,
  },
  {
    name: 'a stored reply is truncated',
    statements: () => [
      `insert into idempotency_keys values ('user:b', 'k', 'invoices.create', randomblob(32), 201, '{"id":', 0, 0)`,
    ],
    finds: /^I13 replies: The reply to invoices\.create kept for user:b cannot be read\./,
  },
  {
    name: 'a stored reply contains a secret',
    statements: () => [
      `insert into idempotency_keys values ('user:b', 'k', 'webhooks.create', randomblob(32), 201, '{"secret":"s"}', 0, 0)`,
    ],
    finds: /^I13 replies: The reply to webhooks\.create kept for user:b shows secret\./,
  },
  {
    name: 'an unpaid invoice counts as paid',
    statements: () => [`update invoices set paid_cents = 1 where id = ${invoice(1)}`],
    finds: /^I16 payments: Paid of invoice inv_\w+: 1 is said, 0 is found\./,
  },
  {
    name: 'the bytes of a document are replaced',
    statements: () => [`update documents set bytes = ${blob('other')}`],
    finds: /^I2 documents: T-F2026-0001: its a4 document is not the one that was kept\./,
  },
  {
    name: 'a signature is replaced',
    statements: () => [
      `insert into document_signatures select id, 'PAdES-B-B', 1, ${blob(' forged')}, ${sha256('paper signed')}, 0 from documents`,
    ],
    finds: /^I2 documents: T-F2026-0001: the signature of its a4 document is not the one that was kept\./,
  },
  {
    name: 'an attached file is replaced',
    statements: () => [`update file_bytes set bytes = ${blob('Ticket')}`],
    finds: /^I2 documents: fil_0000000000000001 is not the file that was kept\./,
  },
  {
    name: 'the bytes of an attached file are missing',
    statements: () => ['delete from file_bytes'],
    finds: /^I2 documents: The bytes of fil_0000000000000001 are missing\./,
  },
  {
    name: 'the attachment of a mail is replaced',
    statements: () => [`update mail_attachments set bytes = ${blob('Mai')} where mail_id = 2`],
    finds: /^I2 documents: a\.txt of mail mai_0000000000000002 is not the file that was sent\./,
  },
  {
    name: 'a mail is deleted',
    statements: () => ['delete from mail_attachments where mail_id = 1', 'delete from mails where id = 1'],
    finds: /^I2 documents: 1 mails are missing\./,
  },
  {
    name: 'a registration code of the authority is changed',
    statements: () => [`update registry_submissions set csv = 'A-FORGED' where record_id = ${record(2)}`],
    finds: /^I5 queue: Record 2 has the registration code A-FORGED; the kept reply says \S+\./,
  },
  {
    name: 'a stored reply of the authority is replaced',
    statements: () => ["update registry_batches set reply = x'01ff00' where kind = 'submission'"],
    finds: /^I5 queue: The reply of exchange \d+ is missing or not the one that came\./,
  },
  {
    name: 'a stored reply of the authority is deleted',
    statements: () => ["update registry_batches set reply = null where kind = 'submission'"],
    finds: /^I5 queue: The reply of exchange \d+ is missing or not the one that came\./,
  },
  {
    name: 'an acceptance is marked and counted as one with errors',
    statements: () => [
      `update registry_submissions set status = 'accepted_with_errors', authority_code = '2000' where record_id = ${record(3)}`,
      `update registry_counts set records = records - 1 where book_id = ${TEST_BOOK} and status = 'accepted'`,
      `insert or replace into registry_counts (book_id, status, records) values (${TEST_BOOK}, 'accepted_with_errors', 1)`,
    ],
    finds: /^I5 queue: Record 3 is accepted_with_errors; the kept reply says Correcto\./,
  },
  {
    name: 'the issue time of an invoice is changed',
    statements: () => [`update invoices set issued_at = issued_at - 86400000 where id = ${invoice(2)}`],
    finds: /^I2 totals: T-F2026-0002: its record 2 was made at \S+, the invoice says /,
  },
  {
    name: 'an event is removed from the outbox',
    statements: () => [
      'delete from webhook_deliveries where event_id = 5',
      'delete from events where id = 5',
    ],
    finds: /^I9 events: Event 5 is missing from the outbox\./,
  },
  {
    name: 'the last events are removed from the outbox',
    statements: () => ['delete from webhook_deliveries', 'delete from events where id > 6'],
    finds: /^I9 events: Events up to \d+ were written; the last one in the outbox is 6\./,
  },
  {
    name: 'a spent token counts as unspent',
    statements: () => [`update confirmations set used_at = null where invoice_id = ${invoice(3)}`],
    finds: /^I6 confirmations: inv_\w+ was issued, and its token counts as unspent\./,
  },
  {
    name: 'a key no longer requires approval',
    statements: () => ["update api_keys set approval = 'never' where revoked_at is null"],
    finds: /^I14 keys: key_\w+ was changed: approval\./,
  },
  {
    name: 'a key has another secret',
    statements: () => ['update api_keys set secret_hash = randomblob(32) where revoked_at is null'],
    finds: /^I14 keys: key_\w+ was changed: secret_hash\./,
  },
  {
    name: 'a key has more scopes',
    statements: () => [`update api_keys set scopes = '["keys.write"]' where revoked_at is null`],
    finds: /^I14 keys: key_\w+ was changed: scopes\./,
  },
  {
    name: 'a key has lost its limit and expiry',
    statements: () => ['update api_keys set per_day = null, expires_at = null where revoked_at is null'],
    finds: /^I14 keys: key_\w+ was changed: expires_at, per_day\./,
  },
  {
    name: 'a revoked key is active again',
    statements: () => ['update api_keys set revoked_at = null'],
    finds: /^I14 keys: key_\w+ was changed: revoked_at\./,
  },
  {
    name: 'a key is changed and its seal removed',
    statements: () => ["update api_keys set approval = 'never', facts_seal = null where revoked_at is null"],
    finds: /^I14 keys: key_\w+ has no seal\./,
  },
  {
    name: 'a key has the seal of another key',
    statements: () => [
      'update api_keys set facts_seal = (select facts_seal from api_keys where revoked_at is not null) where revoked_at is null',
    ],
    finds: /^I14 keys: The seal of key_\w+ does not open\./,
  },
  {
    name: 'the last events are removed from the audit log',
    statements: () => [
      `delete from audit_events where book_id = ${TEST_BOOK} and sequence >
        (select max(sequence) - 2 from audit_events where book_id = ${TEST_BOOK})`,
    ],
    finds: /^I3 mark: The mark outside knows event \d+ of the history; the book has another, or none\./,
  },
  {
    name: 'the event types of a webhook are unreadable',
    statements: () => ["update webhooks set events = 'null'"],
    finds: /^I9 events: Cannot be read to its end: /,
  },
  {
    name: 'the chain of a book is missing',
    statements: () => ['delete from registry_chains'],
    finds: /^I4 chain: Cannot be read to its end: Book \w+ has no chain\./,
  },
  {
    name: 'an actor of the audit log is renamed',
    statements: () => ["update actors set name = 'Nadie' where kind = 'user'"],
    finds: /^I4 audit: aud_\d+: its content does not match its hash\./,
  },
]

/** Faults of the running program or its folder, and the expected report of the self-check. */
const TROUBLES: { name: string; make: (world: TestBooks) => Promise<void>; finds: RegExp }[] = [
  {
    name: 'a required pragma is off',
    make: async ({ env }) => {
      await env.store.transaction(null, (db) => sql`pragma secure_delete = 0`.execute(db))
    },
    finds: /^I1 durability: The writer has secure_delete=0, not 1\./,
  },
  {
    name: 'the last write failed',
    make: async ({ env }) => {
      await env.store.transaction(null, (db) => sql`pragma max_page_count = 1`.execute(db))
      const value = JSON.stringify('x'.repeat(100_000))
      await refusal(
        env.store.transaction(null, (db) =>
          db.insertInto('settings').values({ name: 'large', value }).execute(),
        ),
      )
    },
    finds: /^I18 writable: The last writing failed: SQLITE_FULL\./,
  },
  {
    name: 'the key can be read by others',
    make: async ({ folder }) => chmodSync(join(folder, 'master.key'), 0o644),
    finds: /^I7 files: master\.key can be read by others\./,
  },
  {
    name: 'a trigger is missing',
    make: async ({ env }) => {
      await env.store.transaction(null, (db) => sql`drop trigger registry_records_kept`.execute(db))
    },
    finds: /^I11 schema: The trigger registry_records_kept is missing\./,
  },
  {
    name: 'a trigger is disabled',
    make: async ({ env }) => {
      await env.store.transaction(null, async (db) => {
        await sql`drop trigger registry_records_kept`.execute(db)
        await sql`create trigger registry_records_kept before delete on registry_records begin select 1; end`.execute(
          db,
        )
      })
    },
    finds: /^I11 schema: The trigger registry_records_kept is not as it was made\./,
  },
  {
    name: 'a summary is not what the ledgers say',
    make: async (world) => {
      await refreshSummaries(world.env, { log: expect.fail, settleMs: 0 })
      await world.tamper(
        `update company_summaries set facts = replace(facts, '"receipts":0', '"receipts":7')`,
      )
      await world.restart()
    },
    finds: /^I16 summaries: Summary of book_\w+, receipts: 7 is said, 0 is found\./,
  },
]

/** Test books with stored files, a key in use and a revoked one, and their external mark. */
async function fullBooks(): Promise<TestBooks> {
  const world = await livelyBooks()
  await world.key({ name: 'viva', limits: { perDay: 5 }, expiresAt: '2099-01-01T00:00:00Z' })
  const revoked = await world.key({ name: 'revocada' })
  await world.run('keys.revoke', { id: revoked.id })
  await world.tamper(...KEPT)
  await world.restart()
  await mark(world)
  return world
}

const copyOfFull = copiesOf(fullBooks)
const copyOfLively = copiesOf(livelyBooks)

/** Writes the external mark now, as the app does. */
async function mark({ env }: TestBooks): Promise<void> {
  const highWater = createRollbackGuard({ env, keychain: null, log: () => {} })
  await highWater.check()
  await highWater.close()
}

test('unchanged books pass the self-check', async () => {
  expect(await faultsOf(await copyOfFull())).toEqual([])
})

test('the cases cover at least 41 places', () => {
  expect(TAMPERINGS.length).toBeGreaterThanOrEqual(41)
})

/** The first case of each check stands for the others. */
const invariantOf = ({ finds }: { finds: RegExp }) => /^\^(I\d+ \w+):/.exec(finds.source)?.[1]
const isFirst = (each: { finds: RegExp }): boolean =>
  [...TAMPERINGS, ...TROUBLES].find((other) => invariantOf(other) === invariantOf(each)) === each

test.each(swept(TAMPERINGS, isFirst))(
  '$name: the self-check reports where',
  async ({ statements, finds }) => {
    const world = await copyOfFull({ tamper: statements() })
    expect(await faultsOf(world)).toContainEqual(expect.stringMatching(finds))
  },
)

test('the last events stay missing after a start, which writes the mark again', async () => {
  const world = await copyOfFull({
    tamper: [
      `delete from audit_events where book_id = ${TEST_BOOK} and sequence =
        (select max(sequence) from audit_events where book_id = ${TEST_BOOK})`,
    ],
  })
  await mark(world)
  expect(await faultsOf(world)).toContainEqual(
    expect.stringMatching(/^I3 mark: The mark outside knows event \d+ /),
  )
})

test('an amount changed together with its hash, by somebody who knows this program, is revealed by the record', async () => {
  const world = await copyOfLively()
  await world.tamper(
    `update invoice_lines set net_cents = net_cents + 100, unit_price_micro = unit_price_micro + 1000000
      where invoice_id = ${invoice(2)} and position = 0`,
    `update invoice_taxes set base_cents = base_cents + 100, tax_cents = tax_cents + 21
      where invoice_id = ${invoice(2)} and vat_rate_bp = 2100`,
    `update invoices set base_cents = base_cents + 100, tax_cents = tax_cents + 21, total_cents = total_cents + 121
      where id = ${invoice(2)}`,
  )
  await world.restart()
  const [row] = (await world.run('invoices.list', {})).items.filter(({ number }) => number === 'T-F2026-0002')
  const hash = await hashOf(world.test, row?.id ?? '')
  await world.tamper(`update invoices set content_hash = x'${hash.toString('hex')}' where id = ${invoice(2)}`)
  await world.restart()
  expect(await faultsOf(world)).toContainEqual(
    expect.stringMatching(/^I2 totals: T-F2026-0002: its record 2 says 35\.20, tax 5\.20\./),
  )
})

test.each(swept(TROUBLES, isFirst))('$name: the self-check reports it', async ({ make, finds }) => {
  const world = await copyOfLively()
  await make(world)
  expect(await faultsOf(world)).toContainEqual(expect.stringMatching(finds))
})

test('every invariant is checked, or listed with an existing test', async () => {
  const { env, ctx } = await copyOfLively()
  const { checks, unseen } = await checkBooks(env, (book) => ctx(book))
  const told = new Set([...checks, ...unseen].map(({ invariant }) => invariant))
  expect(Object.keys(INVARIANTS).filter((invariant) => !told.has(invariant as never))).toEqual([])
  expect(UNSEEN.filter(({ test: path }) => !existsSync(path))).toEqual([])
  const caught = new Set([...TAMPERINGS, ...TROUBLES].map(invariantOf))
  const never = checks
    .map(({ invariant, name }) => `${invariant} ${name}`)
    .filter((name) => !caught.has(name))
  // Damaged pages are covered by flips.test.ts.
  expect([...new Set(never)]).toEqual(['I2 integrity'])
})
