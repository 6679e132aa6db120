/** Every route from outside: what it takes to be let in, whose things it shows, where what it makes stands, and that a repetition changes nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EXAMPLED, exampleOf, Furnished, ROUTES, send, urlOf } from '../../../support/examples.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

let world: World
let made: Furnished
beforeAll(async () => {
  world = await openWorld({ shared: true })
  made = await new Furnished(world).open()
})
afterAll(() => world.close())

/** Where the scope is not the one that the effect suggests, and why. */
const OTHER_SCOPES: Readonly<Record<string, string>> = {
  // Checking writes a token down and changes nothing; the token asks for more.
  'invoices.validate': 'invoices.read',
  // Reads the file it is sent, into a proposal for something that is then written.
  'received.read': 'invoices.write',
  // Whoever may read each document may have them together; nothing of the books changes.
  'exports.create': 'invoices.read',
  'exports.cancel': 'invoices.read',
}

test.each(ROUTES)('$name needs a scope that fits what it does', ({ name, contract }) => {
  const { access, effect } = contract
  if (name in OTHER_SCOPES) return expect(access).toBe(OTHER_SCOPES[name])
  const fitting = { read: /\.read$/, write: /\.write$/, irreversible: /^invoices\.issue$/ }[effect]
  expect(access).toMatch(fitting)
})

test('every route has an example, and no example is left of a route that is gone', () => {
  expect([...EXAMPLED].toSorted()).toEqual(ROUTES.map(({ name }) => name).toSorted())
})

test('nothing that only a person does has an address', () => {
  expect(ROUTES.filter(({ contract }) => contract.access === 'person')).toEqual([])
})

test('an address of its own comes before one with an identifier in its place', () => {
  const patterns = ROUTES.map(({ rest }) => `${rest.method} ${rest.path.replace(/:\w+/g, ':')}`)
  expect(new Set(patterns).size).toBe(patterns.length)
})

const IDENTIFIER = /^[a-z]{3,4}_[0-9a-z]{16}$/

/** The identifiers in a request, wherever they stand. */
function identifiersOf(value: unknown): string[] {
  if (typeof value === 'string') return IDENTIFIER.test(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(identifiersOf)
}

describe('a key of one book', () => {
  const secret = 'Ana Ruiz Gil'

  test.each(ROUTES)('$name neither finds nor changes what stands in the other', async ({ name, rest }) => {
    const example = await exampleOf(name, made)
    if (identifiersOf(example).length === 0) return expect(rest.path).not.toContain(':id')
    const answer = await send(world, rest, example, { key: await world.key('live') })
    if (identifiersOf(example.params).length > 0) {
      expect([answer.status, answer.body?.error?.code], urlOf(rest, example)).toEqual([404, 'not_found'])
      expect(answer.raw.body).not.toContain(secret)
    } else expect(answer.status, answer.raw.body).toBeGreaterThanOrEqual(400)
    // In its own book the very same request works: nothing else was wrong with it.
    const own = await send(world, rest, example)
    expect(own.status, own.raw.body.slice(0, 1_000)).toBe(rest.status ?? 200)
  })

  // A live book asks for exchange rates over the internet; no list of a book is in them.
  const lists = ROUTES.filter(
    ({ name, rest, contract }) =>
      rest.method === 'GET' && !rest.path.includes(':') && !contract.media && name !== 'lookups.exchangeRate',
  )
  test.each(lists)('$name lists its own book alone', async ({ name, rest }) => {
    await made.issued()
    const example = await exampleOf(name, made)
    const answer = await send(world, rest, example, { key: await world.key('live') })
    expect(answer.status, answer.raw.body).toBe(200)
    expect(answer.raw.body).not.toContain(secret)
    expect(answer.raw.body).not.toContain('Suministros Norte')
  })
})

test.each(ROUTES.filter(({ rest }) => rest.status === 201))(
  '$name tells where what it made stands',
  async ({ name, rest }) => {
    const answer = await send(world, rest, await exampleOf(name, made))
    const { location } = answer.headers
    // A reminder is only ever listed.
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
  const repeatable = ROUTES.filter(
    ({ rest, contract }) => rest.method !== 'GET' && rest.method !== 'PATCH' && contract.effect !== 'read',
  )
  test.each(repeatable)('$name does once what is asked twice', async ({ name, rest }) => {
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

test('nothing of all this was a bug on our side', () => {
  expect(world.logged).toEqual([])
})
