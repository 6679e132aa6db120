/** Notices between servers: gathered, to the others only, and again after the connection was lost. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { Notices } from '../../../../server/db/postgres/notices.ts'
import { giveBackDatabase, takeDatabase } from '../../../support/postgres/databases.ts'
import type { TestDatabase } from '../../../support/postgres/databases.ts'

type Kind = 'keys' | 'work'

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await takeDatabase()
  onTestFinished(() => giveBackDatabase(database))
  return database
}

async function connected(url: string, lost: unknown[] = []): Promise<Notices<Kind>> {
  const notices = new Notices<Kind>({ url, onLost: (error) => lost.push(error) })
  onTestFinished(() => notices.close())
  await expect.poll(() => notices.isConnected).toBe(true)
  return notices
}

/** Collects what a server hears from now on. */
function heard(notices: Notices<Kind>): [Kind, number | null][] {
  const list: [Kind, number | null][] = []
  for (const kind of ['keys', 'work'] as const) notices.on(kind, (company) => list.push([kind, company]))
  return list
}

test('a notice reaches the other servers and not the one that tells it; equal ones are sent once', async () => {
  const { url } = await emptyDatabase()
  const [first, second, third] = await Promise.all([connected(url), connected(url), connected(url)])
  const [own, other, further] = [heard(first), heard(second), heard(third)]
  for (const company of [7, 7, 8, 7]) first.tell('work', company)
  first.tell('keys')
  await expect
    .poll(() => other)
    .toEqual([
      ['work', 7],
      ['work', 8],
      ['keys', null],
    ])
  expect(further).toEqual(other)
  second.tell('keys', 1)
  await expect.poll(() => own).toEqual([['keys', 1]])
})

test('many companies become one notice about any of them, and what is told last is sent before the end', async () => {
  const { url } = await emptyDatabase()
  const [first, second] = await Promise.all([connected(url), connected(url)])
  const other = heard(second)
  for (let company = 1; company <= 5_000; company += 1) first.tell('work', company)
  await first.close()
  await expect.poll(() => other).toEqual([['work', null]])
})

test('after a lost connection everybody is told that something may have been missed, and notices arrive again', async () => {
  const { url } = await emptyDatabase()
  const lost: unknown[] = []
  const [first, second] = await Promise.all([connected(url), connected(url, lost)])
  const other = heard(second)
  const admin = new pg.Client({ connectionString: url, application_name: randomUUID() })
  await admin.connect()
  await admin.query(
    "select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'sello-notices' and datname = current_database()",
  )
  await admin.end()
  await expect.poll(() => lost.length).toBeGreaterThan(0)
  await expect.poll(() => first.isConnected && second.isConnected).toBe(true)
  expect(other).toEqual([
    ['keys', null],
    ['work', null],
  ])
  first.tell('work', 3)
  await expect.poll(() => other.at(-1)).toEqual(['work', 3])
})
