/** Events on several servers: each stream gets every event of its book once, with commits out of order and servers dying. */
import { expect, test } from 'vitest'
import type { Book } from '../../../../server/context.ts'
import { emitEvent } from '../../../../server/platform/events/index.ts'
import { openOfficeOf } from '../../../support/postgres/office.ts'
import { newMember } from '../../../support/postgres/visitor.ts'
import type { Office, OfficeServer } from '../../../support/postgres/office.ts'
import { dice } from '../../../support/seeded-random.ts'

const NIFS = ['B12345674', 'B87654321', 'A11111119', 'B22222226']
const { below } = dice(12)
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A listener that connects again, to the next server, whenever its stream ends. */
class Listener {
  readonly ids: string[] = []
  private at: number
  private last: string | undefined
  private isOver = false
  private stream: (NodeJS.ReadableStream & { destroy(): void }) | null = null
  readonly done: Promise<void>
  private readonly office: Office
  private readonly headers: Record<string, string>
  private readonly url: string
  connections = 0

  constructor(office: Office, at: number, url: string, headers: Record<string, string>, last?: string) {
    this.office = office
    this.at = at
    this.url = url
    this.headers = headers
    this.last = last
    this.done = this.listen()
  }

  private async listen(): Promise<void> {
    while (!this.isOver) {
      const { servers } = this.office
      await this.listenTo(servers[(this.at += 1) % servers.length]!).catch(() => {})
      await pause(5)
    }
  }

  private async listenTo({ app }: OfficeServer): Promise<void> {
    this.connections += 1
    const answer = await app.inject({
      method: 'GET',
      url: this.url,
      headers: {
        host: '127.0.0.1:4545',
        ...this.headers,
        ...(this.last === undefined ? {} : { 'last-event-id': this.last }),
      },
      payloadAsStream: true,
    })
    const stream = (this.stream = answer.stream() as never) as AsyncIterable<Buffer>
    if (answer.statusCode !== 200) return
    let text = ''
    for await (const piece of stream) {
      text += piece.toString('utf8')
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const id = /^id: (.+)$/m.exec(block)?.[1]
        if (id === undefined) continue
        this.last = id
        this.ids.push(id)
      }
      if (this.isOver) return
    }
  }

  /** The connection is cut, as by a server that dies. */
  cut(): void {
    this.stream?.destroy()
  }

  async stop(): Promise<void> {
    this.isOver = true
    this.cut()
    await this.done
  }
}

test('nothing is lost and nothing twice, in the streams of keys and of the window', async () => {
  const office = await openOfficeOf(2)
  const books: Book[] = []
  for (const nif of NIFS) books.push((await office.company(nif)).test)
  const keys = await Promise.all(books.map((book) => office.key(book)))
  const people = await Promise.all(
    books.map((book, at) =>
      newMember(office.servers[0]!, book, {
        email: `persona${at}@example.com`,
        name: `Persona ${at}`,
        roles: ['owner'],
      }),
    ),
  )
  const newest = new Map<Book, string>()
  for (const [at, book] of books.entries()) {
    const listed = await office.servers[0]!.ask('GET', '/events?limit=1', keys[at]!.key)
    newest.set(book, JSON.parse(listed.body).data.items[0]?.id)
  }
  const firstId = (book: Book): string => newest.get(book) ?? `evt_${book.publicId.slice(5)}_0`
  const listeners = books.flatMap((book, at) => [
    new Listener(
      office,
      at,
      '/api/v1/events/stream',
      { authorization: `Bearer ${keys[at]!.key}` },
      firstId(book),
    ),
    new Listener(
      office,
      at + 1,
      '/app/events',
      { cookie: `__Host-sello=${people[at]!.cookie}`, 'sello-book': book.publicId },
      firstId(book).split('_').at(-1),
    ),
  ])

  const commits: number[] = []
  const written = new Map<Book, number[]>(books.map((book) => [book, []]))
  const write = async (book: Book, number: number): Promise<void> => {
    const server = office.servers[below(office.servers.length)]!
    const id = await server.ctx(book).transaction(async (tx) => {
      await emitEvent(tx, 'contact.changed', { contactId: `contact_${number}` } as never)
      const { id: given } = await tx.db
        .selectFrom('events')
        .select('id')
        .where('book_id', '=', book.id)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow()
      // The commit of one company comes long after those of others with higher identifiers.
      await pause(below(25))
      return given
    })
    commits.push(id)
    written.get(book)!.push(id)
  }
  // What was not committed is not confirmed, and is written again elsewhere.
  const insist = async (book: Book, number: number, tries = 5): Promise<void> => {
    try {
      await write(book, number)
    } catch (error) {
      if (tries === 1) throw error
      await insist(book, number, tries - 1)
    }
  }
  const writer = async (book: Book): Promise<void> => {
    for (let number = 0; number < 25; number += 1) {
      await insist(book, number)
      if (number % 6 === 0) await Promise.all([insist(book, 100 + number), insist(book, 200 + number)])
    }
  }
  const disturb = async (): Promise<void> => {
    for (let round = 0; round < 3; round += 1) {
      await pause(150)
      for (const listener of listeners) if (below(2) === 0) listener.cut()
    }
    // All connections of both servers end, in the middle of transactions, as when the database starts again.
    await office.database.pools.writers.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and application_name like 'sello-%'`,
    )
    await pause(100)
    const [dying] = office.servers.splice(0, 1)
    await office.start()
    await dying!.close()
  }
  await Promise.all([...books.map(writer), disturb()])

  // Identifiers were given in another order than they were committed.
  expect(commits).not.toEqual(commits.toSorted((a, b) => a - b))
  for (const [at, book] of books.entries()) {
    const expected = (
      await office.servers[0]!.env.store.readerOf(book.companyId)
        .selectFrom('events')
        .select('id')
        .where('book_id', '=', book.id)
        .where('id', '>', Number(firstId(book).split('_').at(-1)))
        .orderBy('id')
        .execute()
    ).map(({ id }) => id)
    expect(expected.length).toBeGreaterThanOrEqual(25)
    for (const id of written.get(book)!) expect(expected).toContain(id)
    for (const listener of listeners.slice(at * 2, at * 2 + 2)) {
      await expect.poll(() => listener.ids.length).toBe(expected.length)
      expect(listener.ids.map((id) => Number(id.split('_').at(-1)))).toEqual(expected)
    }
  }
  expect(Math.max(...listeners.map(({ connections }) => connections))).toBeGreaterThan(1)
  await Promise.all(listeners.map((listener) => listener.stop()))
})

test('an event reaches a stream of another server at once by a notice, and within seconds without', async () => {
  const office = await openOfficeOf(2)
  const [first] = office.servers
  const { test: book } = await office.company()
  const { key } = await office.key(book)
  const listener = new Listener(office, 0, '/api/v1/events/stream', { authorization: `Bearer ${key}` })
  await pause(300)
  const arrival = async (): Promise<number> => {
    const before = listener.ids.length
    const startedAt = performance.now()
    await first!.ctx(book).transaction((tx) => emitEvent(tx, 'contact.changed', { contactId: 'c' } as never))
    await expect.poll(() => listener.ids.length, { interval: 5 }).toBe(before + 1)
    return performance.now() - startedAt
  }
  const told = [await arrival(), await arrival(), await arrival()]
  first!.env.servers = { ...first!.env.servers!, tell: () => {} }
  first!.env.wake = () => {}
  const untold = await arrival()
  console.info(
    `An event at another server: ${told.map(Math.round).join(', ')} ms; without a notice ${Math.round(untold)} ms.`,
  )
  expect(Math.min(...told)).toBeLessThan(500)
  expect(untold).toBeLessThan(5_000)
  await listener.stop()
})
