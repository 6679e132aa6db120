/** The authority's service of a live book, and until when a person may choose it. */
import { describe, expect, test } from 'vitest'
import { loadBook } from '../../../server/platform/books/index.ts'
import { eventsAfter } from '../../../server/platform/events/index.ts'
import { authenticate } from '../../../server/platform/api-keys/index.ts'
import { openBooks, refusal, refused } from '../../support/books.ts'
import type { TestBooks } from '../../support/books.ts'
import { openLiveBooks } from './live.ts'

const PRACTICE = { environment: 'preproduction' } as const

async function liveNow(world: TestBooks) {
  const book = await loadBook(world.env.store.reader, world.books.live.publicId)
  if (!book) throw new Error('The live book is gone.')
  return world.ctx(book)
}

async function environmentSeen(world: TestBooks) {
  const ctx = await liveNow(world)
  const [company, status] = [
    await world.run('company.current', {}, ctx),
    await world.run('registry.status', {}, ctx),
  ]
  return [company.registry.environment, status.environment]
}

describe('the environment of a live book', () => {
  test('is production unless a person chooses another before the first record', async () => {
    const world = await openBooks()
    expect(await environmentSeen(world)).toEqual(['production', 'production'])
    expect(await world.run('registry.setEnvironment', PRACTICE, world.live)).toEqual(PRACTICE)
    expect(await environmentSeen(world)).toEqual(['preproduction', 'preproduction'])
    expect(
      await world.run('registry.setEnvironment', { environment: 'production' }, await liveNow(world)),
    ).toEqual({ environment: 'production' })
    expect(await environmentSeen(world)).toEqual(['production', 'production'])
  })

  test('is recorded in the history and emits an event, once for each change', async () => {
    const world = await openBooks()
    await world.run('registry.setEnvironment', PRACTICE, world.live)
    await world.run('registry.setEnvironment', PRACTICE, await liveNow(world))
    const told = (await world.run('audit.list', {}, world.live)).items.filter(
      (item) => item.action === 'registry.environment_set',
    )
    expect(told.map((item) => item.target?.label)).toEqual(['preproduction'])
    const events = (await eventsAfter(world.env.store.reader, 0)).filter(
      (event) => event.type === 'registry.changed',
    )
    expect(events.map((event) => event.data)).toEqual([PRACTICE])
  })

  test('is fixed by the first record, which carries the QR of its service', async () => {
    const world = await openLiveBooks()
    await world.run('registry.setEnvironment', PRACTICE, world.live)
    const ctx = await liveNow(world)
    const { registry } = await world.invoice({}, ctx)
    expect(registry.qrUrl).toMatch(/^https:\/\/prewww2\./)
    const failure = await refused(world.run('registry.setEnvironment', { environment: 'production' }, ctx))
    expect([failure.code, failure.details]).toEqual(['environment_fixed', { records: 1 }])
    expect(await environmentSeen(world)).toEqual(['preproduction', 'preproduction'])
  })

  test('of a sandbox is the sandbox, whatever was chosen', async () => {
    const world = await openBooks({ environment: { sandbox: true } })
    expect(await world.run('registry.setEnvironment', PRACTICE, world.live)).toEqual({
      environment: 'sandbox',
    })
    expect(await environmentSeen(world)).toEqual(['sandbox', 'sandbox'])
  })

  test('can be set neither in a test book nor by an API key', async () => {
    const world = await openBooks()
    expect(await refusal(world.run('registry.setEnvironment', PRACTICE, world.test))).toBe(
      'validation_failed',
    )
    expect((await world.run('registry.status', {})).environment).toBe('simulated')
    const key = await world.key({}, world.books.live)
    const ctx = world.ctx(world.books.live, key)
    expect(await refusal(world.run('registry.setEnvironment', PRACTICE, ctx))).toBe('not_found')
  })

  test('is set once by two concurrent choices', async () => {
    const world = await openBooks()
    const { live } = world
    await Promise.all([
      world.run('registry.setEnvironment', PRACTICE, live),
      world.run('registry.setEnvironment', { environment: 'production' }, live),
    ])
    expect(await environmentSeen(world)).toEqual(['production', 'production'])
  })

  test('blocks an issue that showed the QR of the previous one', async () => {
    const world = await openLiveBooks()
    const { live } = world
    const { id } = await world.draft({}, live)
    const confirmationToken = await world.token(id, live)
    const [chosen, issued] = await Promise.allSettled([
      world.run('registry.setEnvironment', PRACTICE, live),
      world.run('invoices.issue', { id, confirmationToken }, live),
    ])
    expect(chosen).toMatchObject({ status: 'fulfilled', value: PRACTICE })
    expect(issued).toMatchObject({ status: 'rejected', reason: { code: 'confirmation_stale' } })
    const { registry } = await world.issue(id, await liveNow(world))
    expect(registry.qrUrl).toMatch(/^https:\/\/prewww2\./)
  })

  test('is returned to API keys that asked before', async () => {
    const world = await openBooks()
    const { key } = await world.run(
      'keys.createByPerson',
      { name: 'Clave', scopes: ['registry.read'] },
      world.live,
    )
    const environmentOfKey = async () =>
      (await authenticate(world.env.store.reader, key, world.env.now()))?.book.environment
    expect(await environmentOfKey()).toBe('production')
    await world.run('registry.setEnvironment', PRACTICE, world.live)
    expect(await environmentOfKey()).toBe('preproduction')
  })
})
