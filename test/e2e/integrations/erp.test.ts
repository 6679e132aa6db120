/** Accounting connection as a user works with it: from a key with too few permissions to a draft, and back. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import {
  axeFaults,
  callAsWindow,
  openPage,
  overflows,
  serveApp,
  settled,
  sharedBrowser,
  visit,
} from '../../support/browser/browser.ts'
import type { ServedApp, WatchedPage } from '../../support/browser/browser.ts'
import { KEYS, startErpServer } from '../../support/erp/erp-server.ts'
import type { ErpServer } from '../../support/erp/erp-server.ts'
import { inLongRun, swept } from '../../support/sweep.ts'
import { needs, tool } from '../../support/tools.ts'
import { wordsIn } from '../../support/browser/page-messages.ts'

const test = needs('chromium')
const longTest = inLongRun(test)
const say = wordsIn('es')
/** Lacks the permissions for purchases and products. */
const NARROW_KEY = 'pat_narrow_0123456789'

let erp: ErpServer
let app: ServedApp
let browser: Browser
let watched: WatchedPage
let page: Page
let book: string

const call = <Answer>(name: string, input: object = {}) =>
  callAsWindow(app, name, input, book) as Promise<Answer>
const press = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) }).first()

beforeAll(async () => {
  if (!tool('chromium')) return
  erp = await startErpServer({
    contacts: 30,
    issued: 60,
    received: 40,
    items: 20,
    keys: {
      [KEYS.v2]: 'all',
      [NARROW_KEY]: ['contacts:contacts.read', 'accounting:taxes.read', 'sales:invoices.read'],
    },
  })
  app = await serveApp({ invoices: 3, sandbox: true, erpUrl: erp.base })
  browser = await sharedBrowser()
  watched = await openPage(browser, app)
  ;({ page } = watched)
  const session = (await callAsWindow(app, 'session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  book = session.companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
}, 120_000)

afterAll(async () => {
  await app?.stop()
  await erp?.close()
})

test('a key with too few permissions is not saved, and one with all of them reads everything', async () => {
  await visit(page, '/connect/erp')
  await page.keyboard.press('c')
  await page.getByRole('radio').first().check()
  await page.keyboard.press('Control+Enter')
  await page.locator('#erp-key').fill(NARROW_KEY)
  await page.keyboard.press('Control+Enter')
  const missing = page.getByRole('dialog').getByRole('alert')
  await missing.getByText(say('erp.permission.received'), { exact: true }).waitFor()
  expect(await missing.getByText(say('erp.permissionMissing'), { exact: true }).count()).toBe(2)
  await page.locator('#erp-key').fill(`  ${KEYS.v2}\t`)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('dialog').getByText(say('erp.connect.may')).waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: say('erp.run.state.completed') }).waitFor()
  await settled(page)
  for (const [list, count] of [
    ['issued', 60],
    ['received', 40],
    ['contacts', 30],
  ] as const)
    expect(
      await page
        .getByRole('main')
        .getByRole('link', { name: say(`erp.list.${list}`) })
        .textContent(),
    ).toContain(String(count))
}, 60_000)

test('a contact is linked after its differences were shown, and unlinked with Ctrl Z', async () => {
  const { items } = await call<{ items: { erp: { id: string; name: string; taxId: string | null } }[] }>(
    'erp.compareContacts',
    { limit: 200 },
  )
  const there = items.find(({ erp: one }) => one.taxId !== null && /^\d{8}[A-Z]$/.test(one.taxId))?.erp
  if (!there) throw new Error('The stand-in has nobody with a Spanish number.')
  await call('contacts.create', { name: 'Así lo llamamos aquí', nif: there.taxId })
  await visit(page, '/connect/erp/contacts?view=same_tax_id')
  await page.locator('[role="row"][aria-rowindex="2"]').click()
  const panel = page.getByRole('complementary', { name: say('erp.contact.panel') })
  await panel.getByText('Así lo llamamos aquí').first().waitFor()
  await panel.getByRole('checkbox').first().check()
  await panel.getByRole('button', { name: say('erp.contact.linkAndTake') }).click()
  await page.getByText(say('erp.linked.taken')).first().waitFor()
  const linked = await call<{ count: number }>('erp.compareContacts', { matching: 'linked', limit: 0 })
  expect(linked.count).toBe(1)
  expect((await call<{ count: number }>('contacts.list', { text: there.name })).count).toBe(1)
  await page.locator('h1').first().focus()
  await page.keyboard.press('Control+z')
  await expect
    .poll(
      async () =>
        (await call<{ count: number }>('erp.compareContacts', { matching: 'linked', limit: 0 })).count,
    )
    .toBe(0)
  expect((await call<{ count: number }>('contacts.list', { text: 'Así lo llamamos' })).count).toBe(1)
  // All contacts with the same number at once.
  await visit(page, '/connect/erp/contacts')
  await page.keyboard.press('l')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  expect(await call<{ counts: object }>('erp.compareContacts', { limit: 0 })).toMatchObject({
    counts: { linked: 1, same_tax_id: 0 },
  })
  // A contact that exists nowhere in Sello is created, and undone completely.
  const before = (await call<{ count: number }>('contacts.list', { limit: 1 })).count
  await visit(page, '/connect/erp/contacts?view=new')
  await page.locator('[role="row"][aria-rowindex="3"]').click()
  await panel.getByRole('button', { name: say('erp.contact.create') }).click()
  await page.getByText(say('erp.linked.created')).first().waitFor()
  expect((await call<{ count: number }>('contacts.list', { limit: 1 })).count).toBe(before + 1)
  await page.locator('h1').first().focus()
  await page.keyboard.press('Control+z')
  await expect
    .poll(async () => (await call<{ count: number }>('contacts.list', { limit: 1 })).count)
    .toBe(before)
}, 60_000)

test('an issued invoice becomes a draft, and a received one a prefilled form', async () => {
  await visit(page, '/connect/erp/issued?view=notHere')
  await page.locator('[role="row"][aria-rowindex="4"]').click()
  await press(say('erp.doc.copy.issued')).click()
  await page.waitForURL(/\/invoices\/inv_\w+\/edit/)
  await settled(page)
  const entered = (await call<{ items: unknown[] }>('received.list', { limit: 100 })).items.length
  await visit(page, '/connect/erp/received')
  await page.locator('[role="row"][aria-rowindex="6"]').click()
  await press(say('erp.doc.copy.received')).click()
  await page.waitForURL(/\/received\/new/)
  await settled(page)
  expect(await page.locator('#received-supplier').inputValue()).not.toBe('')
  // Viewing it books nothing.
  expect((await call<{ items: unknown[] }>('received.list', { limit: 100 })).items).toHaveLength(entered)
  await visitLeaving('/connect/erp')
}, 60_000)

/** Filled-in fields are not discarded without a question. */
async function visitLeaving(path: string): Promise<void> {
  await page.evaluate((address) => {
    history.pushState({}, '', address)
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  }, path)
  await page.getByRole('dialog').getByRole('button').last().click()
  await settled(page)
}

longTest(
  'the lists have no faults in the dark theme and on a phone',
  async () => {
    const narrow = await openPage(browser, app, { theme: 'dark', width: 420, height: 900 })
    const faults: string[] = []
    const pages = ['', '/issued', '/received', '/contacts', '/items', '/runs']
    const cases = pages.flatMap((path) => [
      { path, on: watched.page },
      { path, on: narrow.page },
    ])
    // Each kind of page when narrow: the summary, a list of documents, and the comparison of contacts.
    const standing = new Set(['', '/issued', '/contacts'])
    for (const { path, on } of swept(cases, (each) => each.on === narrow.page && standing.has(each.path))) {
      await visit(on, `/connect/erp${path}`)
      faults.push(...(await axeFaults(on)).map((fault) => `${path}: ${fault}`))
      if (await overflows(on)) faults.push(`${path}: wider than the window`)
    }
    await visit(page, '/taxes')
    await page.getByRole('heading', { name: say('erp.tax.title') }).waitFor()
    await narrow.context.close()
    expect(faults).toEqual([])
  },
  60_000,
)

test('a refused key is asked for again, and disconnecting keeps what was read', async () => {
  await visit(page, '/connect/erp')
  erp.fail({ path: '/contacts', with: 401 })
  await press(say('erp.full')).click()
  await page.getByRole('alert', { name: say('erp.state.needs_reconnection') }).waitFor()
  erp.heal()
  await page.keyboard.press('c')
  await page.locator('#erp-key').fill(KEYS.v2)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('dialog').getByText(say('erp.connect.may')).waitFor()
  await page.keyboard.press('Escape')
  await press(say('erp.disconnect.open')).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: say('erp.earlier.title') }).waitFor()
  expect(
    await page
      .getByRole('main')
      .getByRole('link', { name: say('erp.list.issued') })
      .textContent(),
  ).toContain('60')
  const { integrations } = await call<{ integrations: { state: string; keyHint: string | null }[] }>(
    'erp.status',
  )
  expect(integrations.some(({ state, keyHint }) => state === 'connected' || keyHint !== null)).toBe(false)
}, 60_000)
