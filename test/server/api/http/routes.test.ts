/**
 * Every route from outside: its required scope, the separation of books, the address of a created object, and
 * idempotent repetition.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EXAMPLED, exampleOf, Furnished, ROUTES, send, urlOf } from '../../../support/examples/index.ts'
import { swept } from '../../../support/sweep.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

let world: World
let made: Furnished
beforeAll(async () => {
  world = await openWorld({ shared: true })
  made = await new Furnished(world).open()
})
afterAll(() => world.close())

/** Operations whose scope differs from the one suggested by their effect, with the reason. */
const OTHER_SCOPES: Readonly<Record<string, string>> = {
  // Validation writes a token and changes nothing else; the token requires more.
  'invoices.validate': 'invoices.read',
  // Reads the uploaded file into a proposal, which is then written.
  'received.read': 'invoices.write',
  // A caller who may read each document may export them together; the books do not change.
  'exports.create': 'invoices.read',
  'exports.cancel': 'invoices.read',
  // Remembers what an accountant got and gives accounts numbers; nothing booked changes.
  'handOn.create': 'fiscal.read',
}

test.each(ROUTES)('$name requires a scope that fits its effect', ({ name, contract }) => {
  const { access, effect } = contract
  if (name in OTHER_SCOPES) return expect(access).toBe(OTHER_SCOPES[name])
  const fitting = { read: /\.read$/, write: /\.write$/, irreversible: /^invoices\.issue$/ }[effect]
  expect(access).toMatch(fitting)
})

test('every route has an example, and no example belongs to a removed route', () => {
  expect([...EXAMPLED].toSorted()).toEqual(ROUTES.map(({ name }) => name).toSorted())
})

test('person-only operations have no address', () => {
  expect(ROUTES.filter(({ contract }) => contract.access === 'person')).toEqual([])
})

test('a fixed address takes precedence over one with an identifier in its place', () => {
  const patterns = ROUTES.map(({ rest }) => `${rest.method} ${rest.path.replace(/:\w+/g, ':')}`)
  expect(new Set(patterns).size).toBe(patterns.length)
})

const IDENTIFIER = /^[a-z]{3,4}_[0-9a-z]{16}$/

/** Returns the identifiers in a request, at any place. */
function identifiersOf(value: unknown): string[] {
  if (typeof value === 'string') return IDENTIFIER.test(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(identifiersOf)
}

/** How an answer is made: the first route of each kind stands for the others, besides those that register. */
const KINDS = ROUTES.map(({ rest, contract }) =>
  [rest.method, rest.status, contract.media, contract.effect, rest.path.includes(':')].join(' '),
)
const OF_EACH_KIND = new Set(
  swept(
    ROUTES,
    ({ contract }, index) => contract.effect === 'irreversible' || KINDS.indexOf(KINDS[index]!) === index,
  ),
)

describe('a key of one book', () => {
  const secret = 'Ana Ruiz Gil'

  test.each(ROUTES)('$name neither finds nor changes objects of the other', async (route) => {
    const { name, rest } = route
    const example = await exampleOf(name, made)
    if (identifiersOf(example).length === 0) return expect(rest.path).not.toContain(':id')
    const answer = await send(world, rest, example, { key: await world.key('live') })
    if (identifiersOf(example.params).length > 0) {
      expect([answer.status, answer.body?.error?.code], urlOf(rest, example)).toEqual([404, 'not_found'])
      expect(answer.raw.body).not.toContain(secret)
    } else expect(answer.status, answer.raw.body).toBeGreaterThanOrEqual(400)
    // In its own book the same request succeeds, so that nothing else was wrong with it; envelope.test.ts sends each.
    if (!OF_EACH_KIND.has(route)) return
    const own = await send(world, rest, example)
    expect(own.status, own.raw.body.slice(0, 1_000)).toBe(rest.status ?? 200)
  })

  // A live book requests exchange rates over the internet; no list of a book contains them.
  const lists = ROUTES.filter(
    ({ name, rest, contract }) =>
      rest.method === 'GET' && !rest.path.includes(':') && !contract.media && name !== 'lookups.exchangeRate',
  )
  test.each(lists)('$name lists only its own book', async ({ name, rest }) => {
    await made.issued()
    const example = await exampleOf(name, made)
    const answer = await send(world, rest, example, { key: await world.key('live') })
    expect(answer.status, answer.raw.body).toBe(200)
    expect(answer.raw.body).not.toContain(secret)
    expect(answer.raw.body).not.toContain('Suministros Norte')
  })
})

test.each(ROUTES.filter(({ rest }) => rest.status === 201))(
  '$name returns the address of the object it created',
  async ({ name, rest }) => {
    const answer = await send(world, rest, await exampleOf(name, made))
    const { location } = answer.headers
    // A reminder has no address of its own.
    if (location === undefined) return expect(name).toBe('payments.remind')
    const path = String(location).replace('/api/v1', '')
    const known = ROUTES.filter((route) =>
      new RegExp(`^${route.rest.path.replace(/:\w+/g, '[a-z]+_[0-9a-z]+')}$`).test(path),
    )
    expect(known, path).not.toEqual([])
    if (!known.some((route) => route.rest.method === 'GET')) return
    const found = await world.get(String(location))
    expect(found.status, path).toBe(200)
    if (found.body) expect(JSON.stringify(found.body.data)).toContain(path.split('/').at(-1))
  },
)

describe('a repetition with one Idempotency-Key', () => {
  const repeatable = [...OF_EACH_KIND].filter(
    ({ rest, contract }) => rest.method !== 'GET' && rest.method !== 'PATCH' && contract.effect !== 'read',
  )
  test.each(repeatable)('$name runs once if it is requested twice', async ({ name, rest }) => {
    const example = await exampleOf(name, made)
    const asking = { headers: { 'idempotency-key': `again-${name}` } }
    const first = await send(world, rest, example, asking)
    expect(first.status, first.raw.body).toBe(rest.status ?? 200)
    const again = await send(world, rest, example, asking)
    expect([again.status, again.headers['idempotency-replayed']], again.raw.body).toEqual([
      first.status,
      'true',
    ])
    expect(again.body.data).toEqual(first.body.data)
    expect(again.headers.location).toBe(first.headers.location)
  })
})

test('none of these requests caused an internal error', () => {
  expect(world.logged).toEqual([])
})
