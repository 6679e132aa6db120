/** The page and its assets: the files that a browser gets, and those that are never served. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PAGE_POLICY } from '../../../../server/api/http/static.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const parent = mkdtempSync(join(tmpdir(), 'sello-page-'))
const uiDir = join(parent, 'renderer')
const PAGE = '<!doctype html><title>Sello</title>'
const html = { accept: 'text/html,application/xhtml+xml' }
let world: World

beforeAll(async () => {
  mkdirSync(join(uiDir, 'assets', 'fonts'), { recursive: true })
  writeFileSync(join(uiDir, 'index.html'), PAGE)
  writeFileSync(join(uiDir, 'robots.txt'), 'User-agent: *')
  writeFileSync(join(uiDir, '.hidden'), 'secret')
  writeFileSync(join(uiDir, 'assets', 'index-4f3a.js'), 'export {}')
  writeFileSync(join(uiDir, 'assets', 'fonts', 'text-1b2c.woff2'), 'font')
  writeFileSync(join(uiDir, 'assets', '.env'), 'secret')
  writeFileSync(join(parent, 'secret.txt'), 'secret')
  world = await openWorld({ uiDir, shared: true })
})
afterAll(async () => {
  await world.close()
  rmSync(parent, { recursive: true, force: true })
})

test('the page is served with its policy and without a key', async () => {
  const answer = await world.inject({ method: 'GET', url: '/', headers: html })
  expect(answer.status).toBe(200)
  expect(answer.raw.body).toBe(PAGE)
  expect(answer.headers['content-type']).toContain('text/html')
  expect(answer.headers['content-security-policy']).toBe(PAGE_POLICY)
  expect(PAGE_POLICY).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|https?:/)
  expect(answer.headers['cache-control']).toBe('no-cache')
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
})

test('assets have a hash in their name and may be cached for ever', async () => {
  for (const [url, type] of [
    ['/assets/index-4f3a.js', 'javascript'],
    ['/assets/fonts/text-1b2c.woff2', 'font'],
  ] as const) {
    const answer = await world.inject({ method: 'GET', url })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toContain(type)
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  }
  expect((await world.inject({ method: 'GET', url: '/robots.txt' })).raw.body).toBe('User-agent: *')
})

test('a missing file is not cached, and a browser revalidates its copy without downloading it again', async () => {
  const gone = await world.inject({ method: 'GET', url: '/assets/index-0000.js' })
  expect(gone.status).toBe(404)
  expect(gone.headers['cache-control']).toBe('no-store')
  expect(gone.headers['content-security-policy']).not.toBe(PAGE_POLICY)
  const first = await world.inject({ method: 'GET', url: '/', headers: html })
  const etag = String(first.headers.etag)
  const again = await world.inject({ method: 'GET', url: '/', headers: { ...html, 'if-none-match': etag } })
  expect([again.status, again.raw.body]).toEqual([304, ''])
  const other = await world.inject({ method: 'GET', url: '/', headers: { ...html, 'if-match': '"x"' } })
  expect(other.status).toBe(412)
  // Range requests are never needed: the whole file is a correct answer.
  for (const range of ['bytes=0-3', 'bytes=99999999-', 'bytes=x'])
    expect(
      (await world.inject({ method: 'GET', url: '/assets/index-4f3a.js', headers: { range } })).status,
      range,
    ).toBe(200)
})

test('a view of the page is the page, for a browser that navigates', async () => {
  expect(
    (await world.inject({ method: 'GET', url: '/facturas/inv_1?tab=pdf', headers: html })).raw.body,
  ).toBe(PAGE)
  for (const [method, url, headers] of [
    ['GET', '/facturas', { accept: 'application/json' }],
    ['POST', '/facturas', html],
    ['GET', '/api/v1/nothing', html],
    ['GET', '/app/nothing', html],
    ['GET', '/docs/nothing', html],
    ['GET', '/.well-known/oauth-authorization-server', html],
    ['GET', '/assets/missing.js', html],
    ['GET', '/facturas/missing.js', html],
  ] as const) {
    const answer = await world.inject({ method, url, headers })
    expect([answer.status, answer.body?.error?.code], `${method} ${url}`).toEqual([404, 'not_found'])
  }
})

test.each([
  '/../secret.txt',
  '/assets/../../secret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/assets/%2e%2e/%2e%2e/secret.txt',
  '/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
  '/assets/..%5c..%5csecret.txt',
  '/assets//etc/passwd',
  '/assets/%2fetc%2fpasswd',
  '/assets/.env',
  '/assets/%2eenv',
  '/.hidden',
  '/assets/',
  '/assets/fonts',
  '/assets/fonts/',
  '/assets/index-4f3a.js%00.png',
])('%s matches no file', async (url) => {
  const answer = await world.inject({ method: 'GET', url })
  expect([400, 404]).toContain(answer.status)
  expect(answer.raw.body).not.toContain('secret')
  expect(answer.body?.ok).toBe(false)
})
