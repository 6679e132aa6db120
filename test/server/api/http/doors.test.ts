/** Credentials and the APIs that accept them, and the answers of each API to the others. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_BAD_KEYS } from '../../../../server/api/http/bad-key-limits.ts'
import { openWorld, PORT } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ shared: true })
})
afterAll(() => world.close())

describe('without a key', () => {
  test('only health and the OpenAPI document are available', async () => {
    // docs.test.ts covers the pages of /docs.
    for (const url of ['/healthz', '/api/v1/openapi.json'])
      expect((await world.inject({ method: 'GET', url })).status, url).toBe(200)
    for (const url of ['/api/v1/companies/current', '/api/v1/invoices', '/app/events'])
      expect((await world.inject({ method: 'GET', url })).body.error.code, url).toBe('unauthorized')
  })

  test('a 401 names the required scheme and no OAuth server', async () => {
    const answer = await world.inject({ method: 'GET', url: '/api/v1/keys' })
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="svc"')
    for (const name of ['oauth-protected-resource', 'oauth-authorization-server'])
      expect((await world.inject({ method: 'GET', url: `/.well-known/${name}` })).status).toBe(404)
  })
})

describe('API keys', () => {
  test('are accepted with the scheme in any case', async () => {
    const key = await world.key()
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const answer = await world.inject({
        method: 'GET',
        url: '/api/v1/companies/current',
        headers: { authorization: `${scheme} ${key}` },
      })
      expect(answer.status).toBe(200)
    }
  })

  test('are rejected at the next request after their revocation', async () => {
    const made = await world.makeKey()
    expect((await world.get('/api/v1/keys', { key: made.key })).status).toBe(200)
    expect((await world.delete(`/api/v1/keys/${made.id}`)).body.data).toEqual({
      revoked: true,
      alsoRevoked: [],
    })
    expect((await world.get('/api/v1/keys', { key: made.key })).body.error.code).toBe('unauthorized')
  })

  test('without the scope are rejected with the name of the missing scope', async () => {
    const { key } = await world.makeKey({ scopes: ['company.read'] })
    const answer = await world.get('/api/v1/invoices', { key })
    expect(answer.status).toBe(403)
    expect(answer.body.error).toMatchObject({ code: 'scope_missing', details: { needed: 'invoices.read' } })
  })

  test('of one book do not find objects of the other', async () => {
    const draft = await world.createDraft()
    const answer = await world.get(`/api/v1/invoices/${draft.id}`, { key: await world.key('live') })
    expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found'])
  })

  test('get their limits in every answer, also in an error', async () => {
    const fine = await world.get('/api/v1/companies/current')
    const failed = await world.get('/api/v1/invoices/inv_nothere')
    for (const answer of [fine, failed]) {
      expect(answer.headers['ratelimit-policy']).toMatch(/^"beta-read";q=\d+;w=60$/)
      expect(answer.headers.ratelimit).toMatch(/^"beta-read";r=\d+;t=\d+$/)
    }
  })
})

describe('the window', () => {
  test('runs person-only operations with its token', async () => {
    const answer = await world.call('session.get', {}, { book: null })
    expect(answer.status).toBe(200)
    expect(answer.body.data.companies).toHaveLength(1)
  })

  test('rejects API keys, and its token is rejected everywhere else', async () => {
    const authorization = `Bearer ${await world.key()}`
    const atWindow = await world.inject({
      method: 'POST',
      url: '/app/call/session.get',
      headers: { authorization },
      payload: undefined,
    })
    expect(atWindow.body.error.code).toBe('unauthorized')
    const atRest = await world.get('/api/v1/companies/current', { key: world.windowToken })
    expect(atRest.body.error.code).toBe('unauthorized')
  })

  test('requires the name of an existing book', async () => {
    const unnamed = await world.call('company.current', {}, { book: null })
    expect([unnamed.body.error.code, unnamed.body.error.field]).toEqual(['validation_failed', 'sello-book'])
    const unknown = await world.call(
      'company.current',
      {},
      { book: null, headers: { 'sello-book': 'book_nothere' } },
    )
    expect(unknown.body.error.code).toBe('not_found')
  })

  test('answers an unknown operation with not found', async () => {
    expect((await world.call('company.explode')).body.error.code).toBe('not_found')
    expect((await world.call('__proto__')).body.error.code).toBe('not_found')
  })

  test('takes no larger body than the operation that is called, whatever others accept', async () => {
    const input = { name: 'x'.repeat(1024 * 1024) }
    const answer = await world.call('contacts.create', input)
    expect([answer.status, answer.body.error.code]).toEqual([413, 'payload_too_large'])
    expect((await world.call('incoming.add', input)).body.error.code).toBe('validation_failed')
  })

  test('receives events as they occur, each with the identifier from which to resume', async () => {
    const headers = {
      host: `127.0.0.1:${PORT}`,
      authorization: `Bearer ${world.windowToken}`,
      // In an office the stream is of one company.
      'sello-book': world.books.test.publicId,
    }
    const read = async (
      last?: string,
    ): Promise<{ next: (count: number) => Promise<any[]>; stop: () => void }> => {
      const answer = await world.app.inject({
        method: 'GET',
        url: '/app/events',
        headers: { ...headers, ...(last ? { 'last-event-id': last } : {}) },
        payloadAsStream: true,
      })
      expect(answer.headers['content-type']).toContain('text/event-stream')
      const stream = answer.stream()
      let text = ''
      stream.on('data', (piece: Buffer) => (text += piece.toString('utf8')))
      return {
        next: async (count) => {
          const events = (): any[] =>
            [...text.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1] ?? ''))
          await expect.poll(() => events().length).toBeGreaterThanOrEqual(count)
          return events()
        },
        stop: () => stream.destroy(),
      }
    }
    const first = await read()
    await world.run('contacts.create', { name: 'Primera' })
    const [greeting, one] = await first.next(2)
    // The store's state, which is in no book: without an identifier, and sent at every opening.
    expect(greeting).toMatchObject({ id: '', type: 'store.state', bookId: null, data: { reason: null } })
    expect(one).toMatchObject({ type: 'contact.changed', mode: 'test', bookId: world.books.test.publicId })
    expect(one.id).toMatch(/^\d+$/)
    first.stop()
    await world.run('contacts.create', { name: 'Segunda' })
    await world.run('contacts.create', { name: 'Tercera' })
    const again = await read(one.id)
    const [regreeting, ...missed] = await again.next(3)
    expect(regreeting).toMatchObject({ type: 'store.state' })
    expect(missed.map((event) => Number(event.id))).toEqual([Number(one.id) + 1, Number(one.id) + 2])
    again.stop()
  })
})

test('after twenty invalid keys in a minute only invalid keys are rejected with 429', async () => {
  const other = await openWorld()
  const good = await other.key()
  for (let count = 0; count < MAX_BAD_KEYS; count += 1)
    expect((await other.get('/api/v1/companies/current', { key: 'svc_test_wrong' })).status).toBe(401)
  const limited = await other.get('/api/v1/companies/current', { key: 'svc_test_wrong' })
  expect(limited.body.error.code).toBe('rate_limited')
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
  expect((await other.get('/api/v1/companies/current', { key: good })).status).toBe(200)
})

test('a removed address says so for every method, with or without a key', async () => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
    const answer = await world.inject({ method, url: '/api/mcp/erp' })
    expect([answer.status, answer.body.error.code], method).toEqual([410, 'gone'])
    expect(answer.body.error.next).toContain('/api/mcp/svc')
  }
})
