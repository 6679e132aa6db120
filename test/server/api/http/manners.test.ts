/** General expectations of HTTP clients: HEAD, compression, request identifiers, conditional writes, trailing slashes. */
import { gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { prefersSpanish } from '../../../../server/domain/errors/spanish.ts'
import { acceptsGzip } from '../../../../server/api/rest/compress.ts'
import { EXAMPLE_DRAFT, openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

let world: World
beforeEach(async () => {
  world = await openWorld()
})

const withKey = async () => ({ authorization: `Bearer ${await world.key()}` })

async function ask(method: 'GET' | 'HEAD' | 'POST', url: string, headers: Record<string, string> = {}) {
  return world.inject({ method, url, headers: { ...(await withKey()), ...headers } })
}

describe('HEAD', () => {
  test('answers like GET, without the body', async () => {
    const { id } = await world.createDraft()
    for (const url of [`/api/v1/invoices/${id}`, '/api/v1/invoices?limit=5', '/healthz']) {
      const [got, head] = [await ask('GET', url), await ask('HEAD', url)]
      expect([head.status, head.raw.body], url).toEqual([200, ''])
      expect(head.headers['content-type']).toBe(got.headers['content-type'])
      expect(Number(head.headers['content-length'])).toBe(Buffer.byteLength(got.raw.body))
    }
  })

  test('respects scopes, limits and addresses, and opens no endless stream', async () => {
    const { key } = await world.makeKey({ scopes: ['keys.read'] })
    const refused = await world.inject({
      method: 'HEAD',
      url: '/api/v1/invoices',
      headers: { authorization: `Bearer ${key}` },
    })
    expect(refused.status).toBe(403)
    expect((await ask('HEAD', '/api/v1/invoices/inv_0')).status).toBe(404)
    expect((await ask('HEAD', '/api/v1/events/stream')).status).toBe(405)
    expect((await ask('HEAD', '/api/v1/invoices')).headers['ratelimit']).toBeDefined()
  })
})

describe('compression', () => {
  test('is applied on request to answers of sufficient size', async () => {
    for (let index = 0; index < 5; index++) await world.createDraft()
    const plain = await ask('GET', '/api/v1/invoices?limit=50')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.headers.vary).toBe('accept-encoding')
    const packed = await ask('GET', '/api/v1/invoices?limit=50', { 'accept-encoding': 'br, gzip;q=0.8' })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(packed.raw.rawPayload.length).toBeLessThan(plain.raw.rawPayload.length / 2)
    expect(JSON.parse(gunzipSync(packed.raw.rawPayload).toString()).data).toEqual(plain.body.data)
    const small = await ask('GET', '/api/v1/limits', { 'accept-encoding': 'identity' })
    expect(small.headers['content-encoding']).toBeUndefined()
    const tiny = await ask('GET', '/api/v1/invoices?limit=1&text=nothing-like-it', {
      'accept-encoding': 'gzip',
    })
    expect(tiny.headers['content-encoding']).toBeUndefined()
  })

  test.each([
    ['gzip', true],
    ['GZIP;q=0.5', true],
    ['*', true],
    ['br, *;q=0.1', true],
    ['gzip;q=0', false],
    ['*;q=0', false],
    ['br', false],
    ['', false],
    [undefined, false],
  ])('%j is %s', (header, taken) => expect(acceptsGzip(header)).toBe(taken))
})

test('every answer has the request identifier in a header, also an error', async () => {
  for (const answer of [
    await ask('GET', '/api/v1/invoices'),
    await ask('GET', '/api/v1/nothing'),
    await world.inject({ method: 'GET', url: '/api/v1/invoices' }),
  ])
    expect(answer.headers['x-request-id']).toBe(answer.body.meta.requestId)
})

describe('If-Match', () => {
  const patch = async (id: string, match: string, body: object = { notes: 'x' }) =>
    world.patch(`/api/v1/invoices/${id}`, body, { headers: { 'if-match': match } })

  test('protects a change with the ETag of the state that was read', async () => {
    const { id } = await world.createDraft()
    const read = await ask('GET', `/api/v1/invoices/${id}`)
    const tag = String(read.headers.etag)
    expect(tag).toBe(`"${read.body.data.version}"`)
    const first = await patch(id, tag)
    expect([first.status, first.headers.etag]).toEqual([200, `"${first.body.data.version}"`])
    expect(first.headers.etag).not.toBe(tag)
    const second = await patch(id, tag)
    expect([second.status, second.body.error.code]).toEqual([409, 'version_conflict'])
    expect((await patch(id, '*')).status).toBe(200)
    const gone = await world.inject({
      method: 'DELETE',
      url: `/api/v1/invoices/${id}`,
      headers: { ...(await withKey()), 'if-match': tag },
    })
    expect(gone.status).toBe(409)
  })

  test('is rejected if it is invalid or differs from the body', async () => {
    const draft = await world.createDraft()
    for (const answer of [
      await patch(draft.id, 'yesterday'),
      await patch(draft.id, '"1", "2"'),
      await patch(draft.id, `"${draft.version}"`, { notes: 'x', expectedVersion: draft.version + 1 }),
    ])
      expect([answer.status, answer.body.error.field]).toEqual([422, 'If-Match'])
  })

  test('is rejected for objects without a version', async () => {
    const answer = await world.post('/api/v1/invoices', EXAMPLE_DRAFT, { headers: { 'if-match': '"1"' } })
    expect([answer.status, answer.body.error.field]).toEqual([422, 'If-Match'])
  })
})

describe('Accept-Language', () => {
  const SPANISH = { 'accept-language': 'es-ES,es;q=0.9,en;q=0.8' }

  test('gives the messages of errors and their faults in Spanish, and leaves codes and the next step unchanged', async () => {
    const english = await ask('GET', '/api/v1/invoices/inv_0')
    const told = await ask('GET', '/api/v1/invoices/inv_0', SPANISH)
    expect([told.status, told.headers['content-language']]).toEqual([404, 'es'])
    expect(told.body.error).toEqual({ ...english.body.error, message: 'Eso ya no está.' })
    expect(english.headers['content-language']).toBeUndefined()
    expect(english.body.error.message).toBe('There is no record with that address or identifier.')
    const unknown = await world.inject({ method: 'GET', url: '/api/v1/invoices', headers: SPANISH })
    expect(unknown.body.error.message).toBe('Falta la clave de API, o no está en vigor.')
    const faulty = await world.post('/api/v1/invoices', { lines: [] }, { headers: SPANISH })
    expect(faulty.body.error.message).toBe('Hay datos por corregir.')
    expect(faulty.body.error.details.faults).toContainEqual(
      expect.objectContaining({ code: 'too_small', message: 'Falta, o es demasiado corto o pequeño.' }),
    )
  })

  test('gives the findings of a check in Spanish, with their values, also compressed', async () => {
    const { id } = await world.createDraft({ issueDate: '2026-06-30', dueDate: '2026-01-01' })
    const path = `/api/v1/invoices/${id}/validate`
    const { body } = await world.post(path, {}, { headers: { ...SPANISH, 'accept-encoding': 'identity' } })
    const english = (await world.post(path, {})).body.data.issues as { code: string; message: string }[]
    const issues = body.data.issues as { code: string; message: string }[]
    expect(issues.map(({ code }) => code)).toEqual(english.map(({ code }) => code))
    const late = (list: typeof issues) => list.find(({ code }) => code === 'due_date_before_issue')?.message
    expect(late(issues)).toBe('Vence antes de emitirse: usa la fecha de la factura o una posterior.')
    expect(late(english)).not.toBe(late(issues))
    const packed = await world.post(path, {}, { headers: { ...SPANISH, 'accept-encoding': 'gzip' } })
    const plain =
      packed.headers['content-encoding'] === 'gzip'
        ? gunzipSync(packed.raw.rawPayload).toString()
        : packed.raw.body
    expect(late(JSON.parse(plain).data.issues)).toBe(late(issues))
  })

  test.each([
    ['es', true],
    ['es-MX', true],
    ['en;q=0.5, ES;q=0.9', true],
    ['fr, es;q=0.1', true],
    ['en, es', false],
    ['es;q=0', false],
    ['*', false],
    ['estonian', false],
    [undefined, false],
  ])('%j is %s', (header, preferred) => expect(prefersSpanish(header)).toBe(preferred))
})

test('a slash at the end of an address makes no difference', async () => {
  const { id } = await world.createDraft()
  expect((await ask('GET', `/api/v1/invoices/${id}/`)).body.data.id).toBe(id)
  expect((await ask('GET', '/api/v1/invoices/?limit=1')).body.data.items).toHaveLength(1)
  expect((await ask('POST', `/api/v1/invoices/${id}/validate/`)).status).toBe(200)
  expect((await ask('GET', '/api/v1/nothing/')).status).toBe(404)
})
