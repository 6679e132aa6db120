/** The pages of /docs over HTTP: open without a key, with their policies, and no other files. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DOCS_POLICY, REFERENCE_POLICY } from '../../../../server/api/http/docs.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const parent = mkdtempSync(join(tmpdir(), 'sello-docs-'))
const uiDir = join(parent, 'renderer')
const html = { accept: 'text/html,application/xhtml+xml' }
let world: World

beforeAll(async () => {
  mkdirSync(join(uiDir, 'docs'), { recursive: true })
  writeFileSync(join(uiDir, 'index.html'), '<!doctype html><title>Sello</title>')
  for (const name of ['index', 'errors', 'reference', '404'])
    writeFileSync(join(uiDir, 'docs', `${name}.html`), `<!doctype html><title>${name}</title>`)
  writeFileSync(join(uiDir, 'docs', '.hidden.html'), 'secret')
  writeFileSync(join(parent, 'secret.html'), 'secret')
  world = await openWorld({ uiDir, shared: true })
})
afterAll(async () => {
  await world.close()
  rmSync(parent, { recursive: true, force: true })
})

test('pages are served without a key, with a policy that allows only files of this server', async () => {
  for (const [url, title] of [
    ['/docs', 'index'],
    ['/docs/errors', 'errors'],
    ['/docs/reference', 'reference'],
  ] as const) {
    const answer = await world.inject({ method: 'GET', url })
    expect([answer.status, answer.raw.body], url).toEqual([200, `<!doctype html><title>${title}</title>`])
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('no-cache')
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect(answer.headers['content-security-policy']).toBe(
      title === 'reference' ? REFERENCE_POLICY : DOCS_POLICY,
    )
  }
  expect(DOCS_POLICY).not.toMatch(/unsafe|https?:|\*/)
  expect(REFERENCE_POLICY).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|https?:|\*/)
})

test('an unchanged page is not sent again', async () => {
  const { headers } = await world.inject({ method: 'GET', url: '/docs/errors' })
  const again = await world.inject({
    method: 'GET',
    url: '/docs/errors',
    headers: { 'if-none-match': String(headers.etag) },
  })
  expect([again.status, again.raw.body]).toEqual([304, ''])
})

test('for an unknown address a browser gets a page that says so, and a program the envelope', async () => {
  const page = await world.inject({ method: 'GET', url: '/docs/nothing', headers: html })
  expect([page.status, page.raw.body]).toEqual([404, '<!doctype html><title>404</title>'])
  expect(page.headers['cache-control']).toBe('no-store')
  expect(page.headers['content-security-policy']).toBe(DOCS_POLICY)
  const cached = await world.inject({
    method: 'GET',
    url: '/docs/nothing',
    headers: { ...html, 'if-none-match': '*' },
  })
  expect(cached.status).toBe(404)
  const program = await world.inject({ method: 'GET', url: '/docs/nothing' })
  expect([program.status, program.body.error.code]).toEqual([404, 'not_found'])
  for (const url of ['/docs/index', '/docs/404', '/docs/errors.html', '/docs/errors/more'])
    expect((await world.inject({ method: 'GET', url })).status, url).toBe(404)
  const slash = await world.inject({ method: 'GET', url: '/docs/' })
  expect([slash.status, slash.headers.location]).toEqual([308, '/docs'])
  const posted = await world.inject({ method: 'POST', url: '/docs/errors', headers: html })
  expect(posted.status).toBeGreaterThanOrEqual(404)
})

test.each([
  '/docs/../secret',
  '/docs/..%2f..%2fsecret',
  '/docs/%2e%2e/%2e%2e/secret',
  '/docs/..%5c..%5csecret',
  '/docs/%2fetc%2fpasswd',
  '/docs/.hidden',
  '/docs/%2ehidden',
  '/docs/errors%00',
  '/docs//secret',
])('%s matches no page', async (url) => {
  for (const headers of [{}, html]) {
    const answer = await world.inject({ method: 'GET', url, headers })
    // A path that leaves /docs is resolved by the client to a view of the app.
    if (!answer.raw.body.includes('<title>Sello</title>')) expect([400, 404]).toContain(answer.status)
    expect(answer.raw.body).not.toContain('secret')
  }
})

test('pages are served to this computer only, like everything else', async () => {
  for (const headers of [{ host: 'evil.example' }, { origin: 'https://evil.example' }])
    expect(
      (await world.inject({ method: 'GET', url: '/docs', headers: { ...html, ...headers } })).status,
    ).toBe(403)
})
