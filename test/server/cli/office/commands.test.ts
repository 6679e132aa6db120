/** The commands of an office on its database: schema, master key, companies, keys, the integrity check. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SCHEMA_VERSION } from '../../../../server/db/migrations/version.ts'
import { officeMigrations } from '../../../../server/db/postgres/tables/office-schema.ts'
import { startChild } from '../../../support/children/run.ts'
import { callRest, COMMAND_LINE, issueBy, startOffice } from '../../../support/postgres/office-process.ts'
import { officeTerminal } from '../../../support/postgres/office-terminal.ts'
import type { OfficeTerminal } from '../../../support/postgres/office-terminal.ts'
import { tamperWith, testKey } from '../../../support/postgres/databases.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'

async function query(at: OfficeTerminal, text: string, values: unknown[] = []): Promise<void> {
  await at.database.admin.query(text, values)
}

/** Writes that a server with a schema runs, and when it has reported. */
const report = (at: OfficeTerminal, schema: number, secondsAgo: number): Promise<void> =>
  query(
    at,
    `insert into office_servers (id, version, schema_version, reported_at)
      values ('old', '0.0.9', $1, now() - make_interval(secs => $2))
      on conflict (id) do update set schema_version = excluded.schema_version, reported_at = excluded.reported_at`,
    [schema, secondsAgo],
  )

describe('office migrate', () => {
  test('creates the schema and a key once; twice at the same time it is done once', async () => {
    const at = await officeTerminal({ bare: true })
    const before = await at.run('office', 'verify')
    expect([before.code, before.answer.error.code]).toEqual([1, 'office_not_migrated'])

    const key = join(at.folder, 'new.key')
    const both = await Promise.all([
      at.run('office', 'migrate', '--create-key', key),
      at.run('office', 'migrate'),
    ])
    const names = officeMigrations.map(({ name }) => name)
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect(both.map(({ answer }) => answer).toSorted((a, b) => a.from - b.from)).toEqual([
      { from: 0, to: SCHEMA_VERSION, steps: names },
      { from: SCHEMA_VERSION, to: SCHEMA_VERSION, steps: [] },
    ])
    expect(readFileSync(key, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
    expect(statSync(key).mode & 0o777).toBe(0o600)
    const again = await at.run('office', 'create-key', '--out', key)
    expect([again.code, again.answer.error.details.faults[0]]).toMatchObject([1, { field: 'out' }])
  })

  test('grants a role that exists, bypasses nothing and does not own, each time it runs', async () => {
    const at = await officeTerminal({ bare: true })
    const none = { ...at.env, SELLO_OFFICE_MIGRATION_URL: '' }
    expect((await at.runWith(none, 'office', 'migrate')).answer.error.details.faults).toMatchObject([
      { field: 'migration-database-file' },
    ])
    for (const [role, why] of [
      ['sello_nobody', 'missing'],
      ['sello', 'bypasses_policies'],
      ['sello_owner', 'owner'],
    ] as const) {
      const refused = await at.run('office', 'migrate', '--servers-role', role)
      expect([refused.code, refused.answer.error], role).toMatchObject([
        1,
        { code: 'office_role_unfit', details: { role, why } },
      ])
    }
    // Nothing was begun.
    expect((await at.run('office', 'migrate')).answer).toMatchObject({ from: 0 })
    expect((await at.run('office', 'verify')).answer).toMatchObject({ ok: true, books: 0 })
    await query(at, 'revoke select on contacts from sello_server')
    expect((await at.run('office', 'verify')).answer.faults).toMatchObject([{ name: 'schema' }])
    expect((await at.run('office', 'migrate')).answer).toMatchObject({ from: SCHEMA_VERSION, steps: [] })
    expect((await at.run('office', 'verify')).answer).toMatchObject({ ok: true, wrong: 0 })
    // The servers' role migrates nothing.
    const asServers = { ...at.env, SELLO_OFFICE_MIGRATION_URL: at.database.url }
    expect((await at.runWith(asServers, 'office', 'migrate')).answer.error).toMatchObject({
      code: 'office_role_unfit',
      details: { why: 'owner' },
    })
  })

  test('refuses while a server two versions behind has reported within a minute', async () => {
    const at = await officeTerminal()
    at.database.spoiled = true
    await report(at, SCHEMA_VERSION - 2, 10)
    const refused = await at.run('office', 'migrate')
    expect([refused.code, refused.answer.error]).toMatchObject([
      1,
      {
        code: 'office_servers_older',
        details: { servers: [{ id: 'old', version: '0.0.9', schema: SCHEMA_VERSION - 2 }] },
      },
    ])
    await report(at, SCHEMA_VERSION - 1, 10)
    expect((await at.run('office', 'migrate')).code).toBe(0)
    await report(at, SCHEMA_VERSION - 2, 61)
    expect((await at.run('office', 'migrate')).code).toBe(0)
  })

  test('a build runs on its own schema and on the next one, and on no other', async () => {
    const at = await officeTerminal()
    at.database.spoiled = true
    const next = (by: number): Promise<void> =>
      query(at, "insert into schema_migrations (number, name) values ($1, 'next')", [SCHEMA_VERSION + by])
    await next(1)
    expect((await at.run('office', 'key', 'list')).answer).toEqual({ items: [] })
    expect((await at.run('office', 'migrate')).answer.error.code).toBe('store_newer')
    await next(2)
    expect((await at.run('office', 'key', 'list')).answer.error.code).toBe('store_newer')
    await query(at, 'delete from schema_migrations where number > $1', [SCHEMA_VERSION])
    await query(at, "delete from office_migrations where name = 'servers'")
    expect((await at.run('office', 'key', 'list')).answer.error).toMatchObject({
      code: 'office_not_migrated',
      details: { missing: ['servers'] },
    })
  })
})

test('a company, its keys and the check of its books; another key opens nothing', async () => {
  const at = await officeTerminal()
  const company = at.file('company.json', JSON.stringify(EXAMPLE_COMPANY))
  const made = await at.run('office', 'init', '--company', company)
  expect([made.code, made.said]).toEqual([0, ''])
  expect(made.answer.books).toEqual([
    { id: expect.stringMatching(/^book_/), mode: 'live' },
    { id: expect.stringMatching(/^book_/), mode: 'test' },
  ])
  const key = await at.run('office', 'key', 'create', '--mode', 'test', '--name', 'erp', '--scopes', 'all')
  expect(key.answer.key).toMatch(/^svc_test_/)
  const listed = await at.run('office', 'key', 'list')
  expect(listed.answer.items).toMatchObject([{ id: key.answer.id, book: made.answer.books[1].id }])
  expect((await at.run('office', 'key', 'revoke', '--id', key.answer.id)).code).toBe(0)

  const verified = await at.run('office', 'verify')
  expect([verified.code, verified.answer]).toMatchObject([0, { ok: true, books: 2, wrong: 0, faults: [] }])
  expect(verified.said.match(/^ok {4}/gm)).toHaveLength(verified.answer.checks)
  expect(verified.said).toContain(`ok     I4 audit ${made.answer.books[0].id} (live): `)

  const others = at.file('other.key', Buffer.alloc(32, 8))
  const wrong = await at.run('office', 'verify', '--master-key-file', others)
  expect([wrong.code, wrong.answer.error.code]).toEqual([1, 'office_key_wrong'])

  await tamperWith(at.database, ["update actors set name = 'Nadie' where kind = 'user'"])
  const tampered = await at.run('office', 'verify')
  expect([tampered.code, tampered.answer.ok, tampered.answer.wrong]).toEqual([1, false, 2])
  expect(tampered.said).toMatch(/^WRONG {2}I4 audit book_/m)
})

test('the check reads the rows of every company: a fault of one is found in its book', async () => {
  const at = await officeTerminal()
  const made = []
  for (const nif of [EXAMPLE_COMPANY.nif, 'B87654321']) {
    const file = at.file('company.json', JSON.stringify({ ...EXAMPLE_COMPANY, nif }))
    made.push((await at.run('office', 'init', '--company', file)).answer)
  }
  const [, second] = made
  const { id: book } = second.books[1]
  const key = await at.run('office', 'key', 'create', '--book', book, '--name', 'erp', '--scopes', 'all')
  const server = await startOffice(at, ['--work', 'none', '--drain', '0'])
  await issueBy((path, body) => callRest(server.url, key.answer.key, path, body))
  expect(await server.stop()).toBe(0)
  const whole = await at.run('office', 'verify')
  expect(whole.answer).toMatchObject({ ok: true, books: 4 })
  expect(whole.said).toContain(`ok     I2 totals ${book} (test): 1 invoices add up, as they were issued.`)

  const company = `(select company_id from books where public_id = '${book}')`
  await tamperWith(at.database, [
    `update invoices set total_cents = total_cents + 1 where company_id = ${company}`,
    `insert into mail_accounts (company_id, sealed_password, updated_at) values (${company}, 'none', 0)`,
  ])
  const found = await at.run('office', 'verify')
  expect([found.code, found.answer.ok]).toEqual([1, false])
  const places = found.answer.faults.map(({ name, book: at }: any) => `${name} ${at ?? ''}`.trim())
  // No rows of the other company, and none without a company.
  expect(places).toEqual(['sealed', `totals ${book} (test)`, `ledger ${book} (test)`])
})

describe('the bucket of an office', () => {
  const SETTINGS = { region: 'eu', bucket: 'sello', accessKeyFile: 'access', secretKeyFile: 'secret' }

  test.each([
    ['no JSON', '{', /not JSON/],
    ['a list', '[]', /not an object/],
    ['no region', JSON.stringify({ ...SETTINGS, region: undefined }), /region is missing/],
    ['a number', JSON.stringify({ ...SETTINGS, bucket: 7 }), /bucket is a text/],
    ['a secret itself', JSON.stringify({ ...SETTINGS, secretKey: 'x' }), /secretKey is no setting/],
    ['no address', JSON.stringify({ ...SETTINGS, endpoint: 'here' }), /endpoint is not an address/],
    ['no TLS', JSON.stringify({ ...SETTINGS, endpoint: 'http://s3.example' }), /must begin with https/],
    ['a key that is not there', JSON.stringify({ ...SETTINGS, secretKeyFile: 'lost' }), /lost/],
  ])('%s is a fault of its option', async (_what, content, message) => {
    const at = await officeTerminal()
    at.file('access', 'a')
    at.file('secret', 's')
    const file = at.file('bucket.json', content)
    for (const command of ['verify', 'serve']) {
      const ran = await at.run('office', command, '--bucket-file', file)
      expect([ran.code, ran.answer.error], command).toMatchObject([
        1,
        { code: 'validation_failed', details: { faults: [{ field: 'bucket-file' }] } },
      ])
      expect(ran.answer.error.details.faults[0].message).toMatch(message)
    }
  })
})

describe('what the options name', () => {
  test.each([
    ['bytes', testKey()],
    ['hexadecimal', `${testKey().toString('hex')}\n`],
    ['Base64', `${testKey().toString('base64')}\n`],
  ])('the key is read as %s', async (_form, content) => {
    const at = await officeTerminal()
    await at.run('office', 'key', 'list')
    const ran = await at.run('office', 'key', 'list', '--master-key-file', at.file('written.key', content))
    expect([ran.code, ran.answer]).toEqual([0, { items: [] }])
  })

  test('credentials of systemd are used without an option, and files before the environment', async () => {
    const at = await officeTerminal()
    at.file('database', `${at.database.url}\n`)
    at.file('master-key', testKey())
    const none = { SELLO_OFFICE_URL: 'postgresql://sello@localhost:1/none' }
    const ran = await at.runWith({ ...none, CREDENTIALS_DIRECTORY: at.folder }, 'office', 'key', 'list')
    expect([ran.code, ran.answer]).toEqual([0, { items: [] }])
  })

  test.each([
    ['nothing', {}, [], 'database-file'],
    ['no address', { SELLO_OFFICE_URL: 'mysql://a@localhost/b' }, [], 'database-file'],
    ['no database', { SELLO_OFFICE_URL: 'postgresql://a@localhost' }, [], 'database-file'],
    ['no host', { SELLO_OFFICE_URL: 'postgresql:///db' }, [], 'database-file'],
    ['two hosts', { SELLO_OFFICE_URL: 'postgresql://a@localhost/b?host=db.example' }, [], 'database-file'],
    ['a host without TLS', { SELLO_OFFICE_URL: 'postgresql://a@db.example/b' }, [], 'database-file'],
    [
      'TLS without a check',
      { SELLO_OFFICE_URL: 'postgresql://a@db.example/b?sslmode=require' },
      [],
      'database-file',
    ],
    [
      'another way to say so',
      { SELLO_OFFICE_URL: 'postgresql://a@db.example/b?sslmode=verify-full&uselibpqcompat=true' },
      [],
      'database-file',
    ],
    [
      'a number as the name in a certificate',
      { SELLO_OFFICE_URL: 'postgresql://a@10.0.0.7/b?sslmode=verify-full' },
      [],
      'database-file',
    ],
    [
      'an authority that cannot be read',
      { SELLO_OFFICE_URL: 'postgresql://a@db.example/b?sslmode=verify-full' },
      ['--database-ca-file', '/nowhere'],
      'database-ca-file',
    ],
    ['no key', { SELLO_OFFICE_URL: 'postgresql://a@localhost/b' }, [], 'master-key-file'],
    [
      'a key that is none',
      { SELLO_OFFICE_URL: 'postgresql://a@localhost/b' },
      ['--master-key-file', import.meta.filename],
      'master-key-file',
    ],
  ])('%s is a fault of its option', async (_what, env, argv, field) => {
    const { runWith } = await officeTerminal()
    const ran = await runWith(env, 'office', 'verify', ...argv)
    expect([ran.code, ran.answer.error]).toMatchObject([
      1,
      { code: 'validation_failed', details: { faults: [{ field }] } },
    ])
  })

  test('a role that the database does not know, and a database that is not there', async () => {
    const at = await officeTerminal()
    const nobody = at.database.url.replace('//sello_server@', '//nobody@')
    const ran = await at.runWith({ ...at.env, SELLO_OFFICE_URL: nobody }, 'office', 'verify')
    expect([ran.code, ran.answer.error]).toMatchObject([
      1,
      { code: 'office_database_refused', details: { why: '28000' } },
    ])
    const nowhere = { ...at.env, SELLO_OFFICE_URL: 'postgresql://sello@localhost:1/none' }
    const unreachable = await at.runWith(nowhere, 'office', 'verify')
    expect(unreachable.answer.error).toMatchObject({
      code: 'store_readonly',
      details: { reason: 'database_unreachable' },
    })
  })

  test('options of a desk are none of an office', async () => {
    const at = await officeTerminal()
    const ran = await at.run('office', 'verify', '--data', at.folder)
    expect([ran.code, ran.answer.error.code]).toEqual([2, 'command_unknown'])
    const unknown = await at.run('office', 'key', 'lost')
    expect([unknown.code, unknown.answer.error.details.command]).toEqual([2, 'office key'])
    const help = await at.run('help', 'office', 'key', 'create')
    expect(help.answer).toEqual({ command: 'office key create' })
  })
})

test('a command answers before its process ends, though nothing but the connection for notices keeps it alive', async () => {
  const at = await officeTerminal()
  // The connection may be made before the command is done, or after it.
  for (let time = 0; time < 6; time += 1) {
    const child = startChild(COMMAND_LINE, ['office', 'key', 'list'], {
      env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...at.env },
    })
    expect(await child.line()).toEqual({ items: [] })
    await child.ended()
    expect(child.process.exitCode).toBe(0)
  }
})
