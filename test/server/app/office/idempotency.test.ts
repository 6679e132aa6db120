/** Repetitions at several servers: the work is done once, also when the first server dies. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { answerOnce, answerOnceExternal } from '../../../../server/platform/idempotency/index.ts'
import { openOfficeOf } from '../../../support/postgres/office.ts'
import type { OfficeServer } from '../../../support/postgres/office.ts'
import { EXAMPLE_DRAFT } from '../../../support/world.ts'

test('the same key at two servers at a time creates one invoice, and both get it', async () => {
  const office = await openOfficeOf(2)
  const { test: book } = await office.company()
  const { key } = await office.key(book)
  const rounds = 12
  for (let round = 0; round < rounds; round += 1) {
    const answers = await Promise.all(
      [0, 1, 0, 1].map((at) =>
        office.servers[at]!.ask('POST', '/invoices', key, {
          body: EXAMPLE_DRAFT,
          headers: { 'idempotency-key': `draft-${round}` },
        }),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201])
    expect(new Set(answers.map(({ body }) => JSON.parse(body).data.id)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(3)
  }
  const reader = office.servers[0]!.env.store.readerOf(book.companyId)
  expect(await reader.selectFrom('invoices').select('id').execute()).toHaveLength(rounds)
})

test('work that calls somebody else is done once; a repetition at another server is told that it is in progress', async () => {
  const office = await openOfficeOf(2)
  const [first, second] = office.servers as [OfficeServer, OfficeServer]
  const { test: book } = await office.company()
  const request = { key: 'outward-1', operation: 'mail.test', input: { a: 1 }, status: 200 }
  let runs = 0
  let begin: () => void = () => {}
  const begun = new Promise<void>((resolve) => (begin = resolve))
  let release: () => void = () => {}
  const work = async (): Promise<unknown> => {
    runs += 1
    begin()
    await new Promise<void>((resolve) => (release = resolve))
    return { sent: true }
  }
  const answer = answerOnceExternal(first.ctx(book), request, work)
  await begun
  for (const server of [first, second])
    await expect(answerOnceExternal(server.ctx(book), request, work)).rejects.toMatchObject({
      code: 'idempotency_in_progress',
      retryAfterSeconds: 1,
    })
  release()
  expect(await answer).toEqual({ data: { sent: true }, replayed: false })
  expect(await answerOnceExternal(second.ctx(book), request, work)).toEqual({
    data: { sent: true },
    replayed: true,
  })
  expect(runs).toBe(1)
})

test('a server that loses its connection in the middle leaves neither the work nor its key, and finds the answer of another', async () => {
  const office = await openOfficeOf(2)
  const [first, second] = office.servers as [OfficeServer, OfficeServer]
  const { test: book } = await office.company()
  const { key } = await office.key(book)
  const request = { key: 'after', operation: 'test.work', input: {}, status: 200 }
  let end: (error: Error) => void = () => {}
  let begin: (pid: number) => void = () => {}
  const begun = new Promise<number>((resolve) => (begin = resolve))
  // Its connection ends while it holds the company.
  const lost = answerOnce(first.ctx(book), request, async ({ db }) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
    begin(rows[0]!.pid)
    await new Promise((_, reject) => (end = reject))
  })
  const pid = await begun
  const repeated = answerOnce(second.ctx(book), request, async () => ({ by: 'second' }))
  const other = second.ask('POST', '/invoices', key, { body: EXAMPLE_DRAFT })
  await office.database.pools.writers.query('select pg_terminate_backend($1, 5000)', [pid])
  expect(await repeated).toEqual({ data: { by: 'second' }, replayed: false })
  expect((await other).statusCode).toBe(201)
  end(new Error('Connection terminated'))
  // Its work runs again, and is done already.
  expect(await lost).toEqual({ data: { by: 'second' }, replayed: true })
})
