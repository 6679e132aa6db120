/** What a server remembers and another one changes: accounts, actors, installation numbers. */
import { expect, test } from 'vitest'
import { openOfficeOf } from '../../../support/postgres/office.ts'
import { createSystemCtx } from '../../../../server/context.ts'
import { recordAudit } from '../../../../server/platform/audit/index.ts'
import type { OfficeServer } from '../../../support/postgres/office.ts'

const DAY = '2026-06-30'

test('an account that another server has deleted is made again by the entry that needs it', async () => {
  const office = await openOfficeOf(2, { now: () => new Date('2026-07-01T10:00:00+02:00') })
  const [first, second] = office.servers as [OfficeServer, OfficeServer]
  const { test: book } = await office.company()
  const write = async (): Promise<string> => {
    const entry = await second.run(
      'ledger.writeEntry',
      {
        date: DAY,
        text: 'Ingreso',
        lines: [
          { account: '572', debit: 10 },
          { account: '555', credit: 10 },
        ],
      },
      book,
    )
    return entry.id
  }
  const id = await write()
  await second.run('ledger.removeEntry', { id }, book)
  // The row goes, and the second server remembers its identifier.
  await first.run('ledger.removeAccount', { code: '572' }, book)
  await write()
  const { items } = await first.run('ledger.accounts', {}, book)
  expect(items.map(({ code }) => code)).toContain('572')
  expect([...first.logged, ...second.logged].filter((line) => line.includes('"bug"'))).toEqual([])
})

test('companies that meet the same person for the first time at the same time all write their history', async () => {
  const office = await openOfficeOf(2)
  const books = []
  for (const nif of ['B12345674', 'B87654321', 'A11111119', 'B22222226'])
    books.push((await office.company(nif)).test)
  for (let round = 0; round < 5; round += 1)
    await Promise.all(
      books.map((book, at) => {
        const server = office.servers[at % 2]!
        const ctx = server.sello.ctx(book, { kind: 'user', id: 'user', name: `Persona ${round}` })
        return ctx.transaction(async (tx) => {
          await recordAudit(tx, { action: 'test.done' })
          await new Promise((resolve) => setTimeout(resolve, 20))
        })
      }),
    )
  // One after another at one server, which remembers the row of the company before.
  for (const book of books) {
    const ctx = office.servers[0]!.sello.ctx(book, { kind: 'user', id: 'user', name: 'Persona X' })
    await ctx.transaction((tx) => recordAudit(tx, { action: 'test.done' }))
  }
  const { rows } = await office.database.admin.query<{ people: string }>(
    "select company_id, count(*)::text as people from actors where name like 'Persona _' group by company_id",
  )
  // Each company has its own list of who did something.
  expect(rows.map(({ people }) => people)).toEqual(books.map(() => '6'))
})

test('the history of a company names no actor of another, which it would not see', async () => {
  const office = await openOfficeOf(1)
  const [server] = office.servers as [OfficeServer]
  // One after another: the server remembers the person and the system from the first company.
  for (const nif of ['B12345674', 'B87654321', 'A11111119']) {
    const book = (await office.company(nif)).test
    for (const ctx of [server.ctx(book), createSystemCtx(server.env, book)])
      await ctx.transaction((tx) => recordAudit(tx, { action: 'test.done' }))
    expect(await server.run('audit.verify', {}, book)).toMatchObject({ ok: true })
  }
  const { rows: strangers } = await office.database.admin.query(
    'select from audit_events as event join actors as actor on actor.id = event.actor_id where actor.company_id <> event.company_id',
  )
  expect(strangers).toEqual([])
})
