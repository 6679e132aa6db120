/** The console of an office: units by companies on several servers, summaries by one of them, and what its page reads. */
import { expect, test } from 'vitest'
import { sql } from 'kysely'
import { loadOperation } from '../../../../server/api/operations.ts'
import { runOperation } from '../../../../server/api/run.ts'
import { createCtx, NO_BOOK } from '../../../../server/context.ts'
import type { AppEnvironment, Ctx } from '../../../../server/context.ts'
import type { InputOf, OperationName, OutputOf } from '../../../../server/api/contracts.ts'
import { addClients } from '../../../support/office/clients.ts'
import { watchStatements } from '../../../support/postgres/sent.ts'
import { openWorld } from '../../../support/world.ts'

const PERSON = { kind: 'user', id: 'user', name: 'Ana Ruiz' } as const

const bookless = (env: AppEnvironment): Ctx =>
  createCtx({ env, book: NO_BOOK, actor: PERSON, channel: 'ui', requestId: env.newId('req') })

async function run<Name extends OperationName>(
  env: AppEnvironment,
  name: Name,
  input: InputOf<Name>,
): Promise<OutputOf<Name>> {
  return (await runOperation(await loadOperation(name), bookless(env), input)) as never
}

/** Tables that a statement names. */
const tablesIn = (text: string): string[] =>
  [...text.matchAll(/(?:from|join|into|update) "?([a-z_]+)"?/g)].map(([, table = '']) => table)

test('the page of many companies reads summaries, and the books of none', async () => {
  const world = await openWorld()
  const statementsOf = async (): Promise<string[]> => {
    const watch = watchStatements('sello-read')
    await run(world.env, 'console.list', { cards: ['late'], sort: 'bank' })
    watch.stop()
    return watch.sent
      .map(({ text }) => text)
      .filter((text) => /^(with|select) /i.test(text) && !text.includes('set_config'))
  }
  await addClients(world.env, 5)
  const few = await statementsOf()
  expect(new Set(few.flatMap(tablesIn))).toEqual(
    new Set(['settings', 'books', 'advised_companies', 'companies', 'company_summaries', 'company_care']),
  )
  await world.env.store.transaction(null, (db) => sql`delete from company_summaries`.execute(db))
  await addClients(world.env, 20, { from: 100 })
  // As many statements, however many companies there are.
  expect(await statementsOf()).toHaveLength(few.length)
})

test('servers make the packs of several companies, each once, and go on with those of one that vanished', async () => {
  const world = await openWorld()
  await addClients(world.env, 6)
  const { items } = await run(world.env, 'console.list', {})
  expect(items.length).toBeGreaterThan(6)
  const companies = items.map(({ id }) => id)
  const { id } = await run(world.env, 'console.startWork', {
    companies,
    work: { kind: 'pack', year: 2026, quarter: 2 },
  })
  // One server takes the work of a company, begins it, and vanishes.
  const lost = await world.anotherServer()
  const now = lost.env.now().getTime()
  const taken = await lost.dueWork.take(['bulk'], { now, until: now + 30_000, limit: 1 })
  expect(taken).toHaveLength(1)
  await lost.env.store.transaction(taken[0]!.companyId, (db) =>
    sql`update bulk_units set state = 'running', attempts = 1, started_at = ${now} where company_id = ${taken[0]!.companyId}`.execute(
      db,
    ),
  )
  const servers = [await world.anotherServer(), await world.anotherServer()]
  for (const server of servers) await world.startWork(server, { kinds: ['bulk', 'summaries'] })
  const counts = async () => (await run(world.env, 'console.work', { id })).counts
  await expect.poll(async () => (await counts()).done, { timeout: 60_000 }).toBe(companies.length - 1)
  expect(await counts()).toMatchObject({ running: 1 })
  world.advance(30_001)
  await expect.poll(async () => (await counts()).done, { timeout: 60_000 }).toBe(companies.length)
  const { items: units } = await run(world.env, 'console.work', { id })
  expect(units.every(({ state, fileBytes }) => state === 'done' && (fileBytes ?? 0) > 0)).toBe(true)

  // A fact marks its company, and one of the servers computes it again.
  const before = (await run(world.env, 'console.list', {})).items.find(
    ({ bookId }) => bookId === world.books.live.publicId,
  )
  await world.run('contacts.create', { name: 'Nuevo, S.L.' }, { book: 'live' })
  world.advance(6_000)
  await expect
    .poll(
      async () => {
        const row = (await run(world.env, 'console.list', {})).items.find((one) => one.id === before?.id)
        return row?.outdated === false && row.asOf !== before?.asOf
      },
      { timeout: 60_000 },
    )
    .toBe(true)
})
