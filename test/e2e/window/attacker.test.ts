/**
 * A hostile web page in the browser that has a window of Sello open: from another port of this computer, from other
 * names, and after DNS rebinding of its own name to our port. It changes nothing and reads nothing; against an
 * unprotected server the same page succeeds.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { attack } from '../../support/attacker/page.ts'
import type { Finding, Orders } from '../../support/attacker/page.ts'
import type { Arrival } from '../../support/attacker/recorder.ts'
import { SECRET, startAttacker, startRebinding, startStandIn } from '../../support/attacker/mock-server.ts'
import type { Attacker, StandIn } from '../../support/attacker/mock-server.ts'
import { admissionOf } from '../../support/browser/admission.ts'
import {
  callAsWindow,
  launchBrowser,
  openPage,
  serveApp,
  testKeyOf,
  visit,
} from '../../support/browser/browser.ts'
import type { ServedApp, WatchedPage } from '../../support/browser/browser.ts'
import { storeState } from '../../support/checks/store-state.ts'
import { swept } from '../../support/sweep.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')
const TEST_MS = 120_000
const PATIENCE_MS = 10_000
const FRAME_MS = 1_200
/** Addresses of each kind: a page, an answer without a key, a file, a stream, nothing. The long run reads more. */
const SOME = 6

let app: ServedApp
let port = 0
let browser: Browser
let attacker: Attacker
let standIn: StandIn
let bound: Awaited<ReturnType<typeof startRebinding>>
let boundStandIn: Awaited<ReturnType<typeof startRebinding>>
let window: WatchedPage
let key = ''
let token = ''
let book = ''
let reads: string[] = []
let writes: { path: string; body: string }[] = []
const arrivals = join(tmpdir(), `sello-arrivals-${randomBytes(8).toString('hex')}`)
const NAME = 'evil.example'

beforeAll(async () => {
  if (!tool('chromium')) return
  app = await serveApp({ invoices: 3, arrivals })
  port = Number(new URL(app.url).port)
  token = (await admissionOf(app)).pass
  key = await testKeyOf(app)
  const ask = (name: string, input: unknown) => callAsWindow(app, name, input, book) as Promise<any>
  const session = await ask('session.get', {})
  book = session.companies[0].books.find(({ mode }: { mode: string }) => mode === 'test').id
  await ask('session.savePreferences', { activeBook: book, language: 'es' })
  const issued = (await ask('invoices.window', { limit: 10 })).items.find(
    ({ state }: { state: string }) => state === 'issued',
  ).id
  const contact = await ask('contacts.create', { name: 'Ana Ruiz Gil', nif: '12345678Z' })
  const asset = /\/assets\/[^"]+\.js/.exec(await (await fetch(app.url)).text())?.[0] ?? ''
  reads = swept(
    [
      '/',
      '/healthz',
      '/docs/reference',
      `/api/v1/invoices/${issued}/pdf`,
      '/app/events',
      '/nothing-is-here',
      '/invoices',
      '/docs',
      asset,
      '/api/v1/openapi.json',
      '/api/v1/companies/current',
      '/api/v1/invoices',
      '/api/v1/events/stream',
      '/api/mcp/svc',
      '/app/call/session.get',
    ],
    (_, index) => index < SOME,
  )
  const name = JSON.stringify({ name: 'Atacante' })
  writes = [
    { path: '/app/call/contacts.create', body: name },
    { path: '/app/call/session.savePreferences', body: '{"language":"en"}' },
    { path: '/app/call/keys.createByPerson', body: '{"name":"Atacante","scopes":["company.read"]}' },
    { path: '/api/v1/contacts', body: name },
    { path: `/api/v1/contacts/${contact.id}`, body: name },
    { path: `/api/v1/invoices/${issued}/cancel`, body: '{}' },
    {
      path: '/api/mcp/svc',
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"svc_list_invoices","arguments":{}}}',
    },
  ]
  attacker = await startAttacker()
  standIn = await startStandIn()
  bound = await startRebinding(port)
  boundStandIn = await startRebinding(standIn.port)
  const rules = [
    `MAP ${NAME}:${port} 127.0.0.1:${bound.port}`,
    `MAP ${NAME}:${standIn.port} 127.0.0.1:${boundStandIn.port}`,
    `MAP ${NAME} 127.0.0.1`,
  ]
  browser = await launchBrowser([`--host-resolver-rules=${rules.join(', ')}`])
  window = await openPage(browser, app)
}, TEST_MS)
afterAll(async () => {
  await browser?.close()
  for (const server of [attacker, standIn, bound, boundStandIn]) await server?.close()
  await app?.stop()
  rmSync(arrivals, { force: true })
})

const ordersFor = (victim: string, credential: string, paths: readonly string[] = reads): Orders => ({
  reads: paths.map((path) => victim + path),
  writes: writes.map(({ path, body }) => ({ url: victim + path, body })),
  credential,
  redirector: `http://${NAME}:${attacker.port}/redirect`,
  patienceMs: PATIENCE_MS,
  frameMs: FRAME_MS,
})

/** Lets a page at `from` attack; returns what it learned. */
async function attackFrom(context: BrowserContext, from: string, orders: Orders): Promise<Finding[]> {
  const page = await context.newPage()
  await page.goto(from)
  const found = await page.evaluate(attack, orders)
  await page.close()
  return found
}

/** Returns the requests that came from foreign pages. */
function arrivedFromElsewhere(): Arrival[] {
  const all = readFileSync(arrivals, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Arrival)
  expect(all.filter(({ setsCookie }) => setsCookie)).toEqual([])
  return all.filter(
    ({ url, host, origin, site }) =>
      /[?&]way=/.test(url) ||
      host !== `127.0.0.1:${port}` ||
      (origin !== null && origin !== app.url) ||
      site === 'cross-site' ||
      site === 'same-site',
  )
}

/**
 * Lets a page attack the open Sello, and checks the store and the server: nothing changed, every request was refused,
 * and each method ended the same at every address, so that the page does not even learn which addresses exist.
 */
async function attackInVain(where: string, attackIt: () => Promise<Finding[]>): Promise<Finding[]> {
  const before = storeState(app.folder)
  const came = arrivedFromElsewhere().length
  const found = await attackIt()
  const answered = arrivedFromElsewhere().slice(came)
  const reached = new Set(answered.map(({ url }) => new URL(url, app.url).searchParams.get('way')))
  console.log(
    `${where}: ${found.length} attempts, ${answered.length} requests arrived in ${reached.size} ways, ` +
      `${answered.filter(({ status }) => status === 403).length} refused; ` +
      `${bytes(found)} bytes read; ${before.rows} rows in ${before.tables} tables as before`,
  )
  expect(storeState(app.folder)).toEqual(before)
  expect(answered.filter(({ status }) => status !== 403)).toEqual([])
  expect(answered.length).toBeGreaterThan(300)
  expect(found.map(({ read }) => read).filter((text) => text !== '')).toEqual([])
  const ends = Map.groupBy(found, ({ way }) => way)
  const differing = [...ends].filter(([, all]) => new Set(all.map(({ told }) => told)).size > 1)
  expect(differing.map(([way, all]) => [way, ...all.map(({ url, told }) => `${told} at ${url}`)])).toEqual([])
  return found
}

const bytes = (found: readonly Finding[]): number =>
  found.reduce((sum, { read }) => sum + Buffer.byteLength(read), 0)
const learned = (found: readonly Finding[], way: string): boolean =>
  found.some((one) => one.way === way && one.read + one.about !== '')

test(
  'every attack of the page succeeds against an unprotected server',
  async () => {
    const context = await browser.newContext()
    const orders = (victim: string): Orders => ({
      ...ordersFor(victim, 'key', ['/secret']),
      // Everything is answered here, however slow the computer: no attack may fail for lack of time.
      patienceMs: 40_000,
      frameMs: 30_000,
      writes: [{ url: `${victim}/change`, body: '{"name":"x"}' }],
    })
    const here = `http://127.0.0.1:${standIn.port}`
    const across = await attackFrom(context, `http://127.0.0.1:${attacker.port}/`, orders(here))
    const within = await attackFrom(context, here, orders(here))
    const page = await context.newPage()
    const named = `http://${NAME}:${standIn.port}`
    await page.goto(named)
    boundStandIn.flip()
    const rebound = await page.evaluate(attack, orders(named))
    await context.close()

    const ways = [...new Set(across.map(({ way }) => way))]
    const [reading, writing] = ['read', 'write'].map((kind) => ways.filter((way) => way.startsWith(kind)))
    console.log(
      `stand-in: ${reading?.length} ways read ${bytes(across)}, ${bytes(within)} and ${bytes(rebound)} bytes, ` +
        `${writing?.length} ways change something`,
    )
    expect(reading?.filter((way) => !learned(across, way) && !learned(within, way))).toEqual([])
    expect(writing?.filter((way) => !standIn.changedBy.has(way))).toEqual([])
    for (const found of [across, within, rebound]) expect(JSON.stringify(found)).toContain(SECRET)
  },
  TEST_MS,
)

describe('a page beside the open window changes nothing and reads nothing', () => {
  const places: [where: string, from: () => string, credential: () => string][] = [
    ['at another port of the same host', () => `http://127.0.0.1:${attacker.port}/`, () => key],
    ['at another name of this computer', () => `http://localhost:${attacker.port}/`, () => token],
    ['at a name of its own', () => `http://${NAME}:${attacker.port}/`, () => 'svc_test_guessed'],
  ]
  // The first is the same site as ours, so that a request from it carries every cookie of ours.
  for (const [where, from, credential] of swept(places, (_, index) => index === 0))
    test(
      where,
      async () => {
        const orders = ordersFor(app.url, credential())
        const found = await attackInVain(where, () => attackFrom(window.context, from(), orders))
        expect(found.filter(({ about }) => about !== '')).toEqual([])
      },
      TEST_MS,
    )

  test(
    'at its own name after rebinding it to our port',
    async () => {
      const victim = `http://${NAME}:${port}`
      const page = await window.context.newPage()
      await page.goto(victim)
      bound.flip()
      const found = await attackInVain('bound to our port', () =>
        page.evaluate(attack, ordersFor(victim, key)),
      )
      // The page has the same origin as its target: it learns only that it was refused, and the time that took.
      const told = found.map(({ about }) => about).filter((about) => about !== '')
      expect(told.length).toBeGreaterThan(100)
      expect(told.filter((about) => !/^(?:403(?: 0? [a-z,-]+)?|(?:0 (?:0|403),?)+)$/.test(about))).toEqual([])
      await page.close()
    },
    TEST_MS,
  )

  test(
    'opened at our port under its own name',
    async () => {
      for (const path of ['/', '/docs', '/healthz', '/api/v1/openapi.json']) {
        // The browser's own error page would interfere with the next address.
        const page = await window.context.newPage()
        const answered = page.waitForEvent('response')
        await page.goto(`http://${NAME}:${port}${path}`).catch(() => undefined)
        const answer = await answered
        expect([path, answer.status(), answer.headers()['content-length']]).toEqual([path, 403, '0'])
        await page.close()
      }
    },
    TEST_MS,
  )
})

test(
  'the window works as before, with cookies set by another server of this host',
  async () => {
    const { page, context, complaints } = window
    const other = await context.newPage()
    await other.goto(`http://127.0.0.1:${attacker.port}/`)
    await other.evaluate((stolen) => {
      for (let nth = 0; nth < 100; nth++) document.cookie = `token${nth}=${stolen}`
    }, token)
    await other.close()
    await visit(page, '/contacts')
    const before = storeState(app.folder)
    await callAsWindow(app, 'contacts.create', { name: 'Aceites de la Sierra', nif: 'B87654323' }, book)
    await page.getByRole('row', { name: /Aceites de la Sierra/ }).waitFor()
    expect(storeState(app.folder)).not.toEqual(before)
    await page.reload()
    await page.getByRole('row', { name: /Aceites de la Sierra/ }).waitFor()
    expect(complaints).toEqual([])
    // A cookie alone is not a credential.
    const asked = await page.evaluate(
      async () => (await fetch('/app/call/session.get', { method: 'POST' })).status,
    )
    expect(asked).toBe(401)
  },
  TEST_MS,
)
