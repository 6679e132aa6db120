/** Events as programs receive them: listed, and streamed over a real connection. */
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { EVENTS } from '../../../../server/platform/events/contract.ts'
import { EVENT_TYPES } from '../../../../server/platform/events/index.ts'
import type { EventView } from '../../../../server/platform/events/index.ts'
import { openWorld, PORT } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

let world: World
/** Opens books before each test of a group. */
const withBooks = (): void =>
  beforeEach(async () => {
    world = await openWorld()
  })

interface Page {
  items: EventView[]
  nextCursor: string | null
}

async function list(query = ''): Promise<Page> {
  const answer = await world.get(`/api/v1/events${query}`)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.data as Page
}

const draft = async (): Promise<string> => {
  const answer = await world.post('/api/v1/invoices', {
    clientName: 'Ana Ruiz',
    lines: [{ description: 'Taller', quantity: 1, unitPrice: 100 }],
  })
  return answer.body.data.id as string
}

test.each(EVENT_TYPES)('the example of %s matches its schema', (type) => {
  expect(EVENTS[type].data.safeParse(EVENTS[type].example).error).toBeUndefined()
})

describe('the list', () => {
  withBooks()

  test('has the newest first, or the later ones of an event in order', async () => {
    const first = (await list()).items[0]!
    const ids = [await draft(), await draft(), await draft()]
    const drafted = await list('?types=invoice.drafted')
    expect(drafted.items.map(({ data }) => data.invoiceId)).toEqual(ids.toReversed())
    expect(drafted.items[0]).toMatchObject({ type: 'invoice.drafted', mode: 'test' })
    const since = await list(`?types=invoice.*&after=${first.id}`)
    expect(since.items.map(({ data }) => data.invoiceId)).toEqual(ids)
    expect(since.nextCursor).toBeNull()
    expect((await list(`?after=${(await list()).items[0]!.id}`)).items).toEqual([])
  })

  test.each(['', '&after='])('is complete page by page (%s)', async (after) => {
    for (let count = 0; count < 5; count++) await draft()
    const all = await list('?limit=100')
    const oldest = all.items.at(-1)!
    const filter = after === '' ? '' : `${after}${oldest.id}`
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page = await list(`?limit=2${filter}${cursor === null ? '' : `&cursor=${cursor}`}`)
      expect(page.items.length).toBeLessThanOrEqual(2)
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor !== null)
    const ids = all.items.map(({ id }) => id)
    expect(seen).toEqual(after === '' ? ids : ids.slice(0, -1).toReversed())
  })

  test('is of one day and of one book', async () => {
    await draft()
    expect((await list('?from=2026-07-01&to=2026-07-01')).items.length).toBeGreaterThan(0)
    expect((await list('?from=2026-07-02')).items).toEqual([])
    const ofLive = await world.get('/api/v1/events', { key: await world.key('live') })
    const live = (ofLive.body.data as Page).items
    expect(live.some(({ type }) => type === 'invoice.drafted')).toBe(false)
    const foreign = await world.get(`/api/v1/events?after=${live[0]!.id}`)
    expect(foreign.status).toBe(422)
    expect(foreign.body.error.details.faults).toMatchObject([{ code: 'event_unknown', field: 'after' }])
  })

  test.each([
    ['types=invoice.eaten', 'types[0]'],
    ['types=invoice.issued,%20registry.*', 'types[1]'],
    ['types=', 'types[0]'],
    ['types=invoice*', 'types[0]'],
    ['after=evt_1', 'after'],
    ['from=2026-07-02&to=2026-07-01', 'from'],
    ['cursor=nonsense', 'cursor'],
    ['limit=101', 'limit'],
  ])('rejects %s', async (query, field) => {
    const answer = await world.get(`/api/v1/events?${query}`)
    expect(answer.status).toBe(422)
    expect(answer.body.error.details.faults).toMatchObject([{ field }])
  })
})

interface Listening {
  status: number
  headers: IncomingMessage['headers']
  events: EventView[]
  /** Resolves when that number of events has arrived. */
  until(count: number): Promise<EventView[]>
  ended: Promise<void>
  leave(): void
}

describe('the stream', () => {
  withBooks()
  let port: number
  beforeEach(async () => {
    await world.app.listen({ port: 0, host: '127.0.0.1' })
    port = (world.app.server.address() as AddressInfo).port
  })

  /** Reads `text/event-stream` without a library. */
  async function listen(query = '', headers: Record<string, string> = {}, key?: string): Promise<Listening> {
    const asking = request({
      port,
      host: '127.0.0.1',
      path: `/api/v1/events/stream${query}`,
      headers: {
        host: `127.0.0.1:${PORT}`,
        authorization: `Bearer ${key ?? (await world.key())}`,
        ...headers,
      },
    })
    asking.end()
    onTestFinished(() => void asking.destroy())
    asking.on('error', () => {})
    const answer = await new Promise<IncomingMessage>((resolve) => asking.once('response', resolve))
    const events: EventView[] = []
    const waiting = new Set<() => void>()
    let text = ''
    answer.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const lines = text.slice(0, end).split('\n')
        text = text.slice(end + 2)
        const field = (name: string) =>
          lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
        const data = field('data')
        if (data === undefined) continue
        const event = JSON.parse(data) as EventView
        expect([field('id'), field('event')]).toEqual([event.id, event.type])
        events.push(event)
      }
      for (const look of waiting) look()
    })
    const ended = new Promise<void>((resolve) => {
      answer.once('close', resolve)
      answer.once('error', () => resolve())
    })
    const until = (count: number): Promise<EventView[]> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (events.length < count) return
          waiting.delete(look)
          resolve(events)
        }
        waiting.add(look)
        look()
      })
    return {
      status: answer.statusCode ?? 0,
      headers: answer.headers,
      events,
      until,
      ended,
      leave: () => void asking.destroy(),
    }
  }

  test('sends events, and resumes after an interruption at the last position', async () => {
    const first = await listen('?types=invoice.*')
    expect(first.status).toBe(200)
    expect(first.headers['content-type']).toMatch(/^text\/event-stream/)
    expect(first.headers).toHaveProperty('ratelimit')
    expect(first.headers).not.toHaveProperty('content-disposition')
    const ids = [await draft(), await draft()]
    const seen = [...(await first.until(2))]
    first.leave()
    for (let count = 0; count < 130; count++) ids.push(await draft())
    const again = await listen('?types=invoice.*', { 'last-event-id': seen[0]!.id })
    ids.push(await draft())
    await again.until(ids.length - 1)
    expect([seen[0], ...again.events].map((event) => event?.data.invoiceId)).toEqual(ids)
    expect(again.events.every(({ mode }) => mode === 'test')).toBe(true)
  })

  test('sends nothing of the other book', async () => {
    const live = await listen('', {}, await world.key('live'))
    const own = await listen()
    await draft()
    await own.until(1)
    expect(live.events).toEqual([])
  })

  test('ends when its key is revoked, before another event is sent', async () => {
    const { key, id } = await world.makeKey()
    const stream = await listen('?types=invoice.*', {}, key)
    await draft()
    await stream.until(1)
    await world.run('keys.revoke', { id })
    await draft()
    await stream.ended
    expect(stream.events).toHaveLength(1)
  })

  test('is limited to eight per key, and closing one frees a slot', async () => {
    const open = []
    for (let count = 0; count < 8; count++) open.push(await listen())
    const refused = await listen()
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '10'])
    open[3]!.leave()
    await expect.poll(async () => (await listen()).status).toBe(200)
  })

  test('ends with the server', async () => {
    const stream = await listen()
    const closing = world.app.close()
    await stream.ended
    await closing
  })

  test('rejects an event that is not of this book, and a key without the scope', async () => {
    const unknown = await listen('', { 'last-event-id': 'evt_other_12' })
    expect(unknown.status).toBe(422)
    const { key } = await world.makeKey({ scopes: ['invoices.read'] })
    expect((await listen('', {}, key)).status).toBe(403)
  })
})
