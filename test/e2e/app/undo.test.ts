/** Undo of deleting and voiding with Ctrl+Z, one after another: what is restored is the same record. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import {
  axeFaults,
  callAsWindow,
  openPage,
  serveApp,
  sharedBrowser,
  visit,
} from '../../support/browser/browser.ts'
import type { ServedApp } from '../../support/browser/browser.ts'
import { swept } from '../../support/sweep.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')

let app: ServedApp
let browser: Browser
let book = ''

type Kept = Record<string, unknown> & { id: string; version: number }
const ask = <T>(name: string, input: object) => callAsWindow(app, name, input, book) as Promise<T>

beforeAll(async () => {
  if (!tool('chromium')) return
  browser = await sharedBrowser()
  app = await serveApp({ invoices: 0 })
  const session = (await callAsWindow(app, 'session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  book = session.companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
  await callAsWindow(app, 'session.savePreferences', { activeBook: book, language: 'es' })
}, 120_000)

afterAll(async () => {
  await app?.stop()
})

/** Without the fields that every change updates. */
const same = ({ version: _version, updatedAt: _at, history: _history, warnings: _warnings, ...rest }: Kept) =>
  rest
const fromMenu = async (page: Page, menu: RegExp, item: RegExp): Promise<void> => {
  await page.getByRole('button', { name: menu }).first().click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('Ctrl+Z restores a contact, an item, a draft and a voided received invoice', async () => {
  const contact = await ask<Kept>('contacts.create', {
    name: 'Se Deshace, S.L.',
    nif: 'B58818501',
  })
  const item = await ask<Kept>('items.create', { name: 'Pieza', sku: 'P-1', unitPrice: 5 })
  const draft = await ask<Kept>('invoices.create', {
    clientName: 'Otro Cliente',
    clientNif: '12345678Z',
    lines: [{ description: 'Trabajo', quantity: 2, unitPrice: 10 }],
  })
  const { warnings: _warnings, ...received } = await ask<Kept & { warnings: unknown }>('received.create', {
    supplierName: 'Se Deshace, S.L.',
    supplierNif: 'B58818501',
    supplierId: contact.id,
    supplierNumber: 'V-7',
    issueDate: '2026-06-20',
    receptionDate: '2026-06-22',
    taxLines: [{ base: 100, vatRate: 21 }],
  })
  const { page, context, complaints } = await openPage(browser, app)

  await visit(page, `/contacts/${contact.id}`)
  await page
    .getByRole('button', { name: /Borrar/ })
    .first()
    .click()
  await page
    .getByText(/Se Deshace, S.L.*borrad|Borrad.*Se Deshace, S.L./)
    .first()
    .waitFor()
  await visit(page, `/items/${item.id}`)
  await page
    .getByRole('button', { name: /Borrar|Quitar/ })
    .first()
    .click()
  await expect
    .poll(() =>
      ask('items.get', { id: item.id }).then(
        () => 'there',
        () => 'gone',
      ),
    )
    .toBe('gone')
  await visit(page, `/invoices/${draft.id}/edit`)
  await fromMenu(page, /^Acciones/, /Borrar borrador/)
  await page.waitForURL((url) => url.pathname === '/invoices')
  await visit(page, `/received/${received.id}`)
  await page
    .getByRole('button', { name: /Anular/ })
    .first()
    .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Anular/ })
    .click()
  const state = async () => (await ask<{ state: string }>('received.get', { id: received.id })).state
  await expect.poll(state).toBe('void')
  expect(await axeFaults(page)).toEqual([])

  const back = async (name: string, id: string): Promise<void> => {
    await page.locator('h1').first().click()
    await page.keyboard.press('Control+z')
    await expect
      .poll(() =>
        ask<{ state?: string }>(name, { id }).then(
          (one) => one.state ?? 'there',
          () => 'gone',
        ),
      )
      .toMatch(/there|draft|entered/)
  }
  await back('received.get', received.id)
  await page
    .getByText(/otra vez en los libros/)
    .first()
    .waitFor()
  await back('invoices.get', draft.id)
  await page.waitForURL((url) => url.pathname === `/invoices/${draft.id}/edit`)
  // The editor's own Ctrl+Z applies to its draft.
  await visit(page, '/contacts')
  await back('items.get', item.id)
  await back('contacts.get', contact.id)
  await page.waitForURL((url) => url.pathname === `/contacts/${contact.id}`)

  expect(same(await ask('contacts.get', { id: contact.id }))).toMatchObject(same(contact))
  expect(same(await ask('items.get', { id: item.id }))).toEqual(same(item))
  const { assumptions: _assumptions, nextStep: _nextStep, ...drafted } = draft
  expect(same(await ask('invoices.get', { id: draft.id }))).toEqual(same(drafted as Kept))
  expect(same(await ask('received.get', { id: received.id }))).toEqual(same(received as Kept))
  expect(complaints.filter((each) => !/status of 4\d\d/.test(each))).toEqual([])
  await context.close()
}, 60_000)

test('a notice that replaces another one is shown for its full duration, however late it comes', async () => {
  const { page, context, complaints } = await openPage(browser, app, { ownProfile: true })
  await page.clock.install()
  await page.goto(`${app.url}/invoices/new`)
  await page.locator('h1').first().waitFor()
  const notice = page.locator('li[data-state="open"]', { hasText: 'Nada que guardar todavía' })
  const SHOWN_MS = 6_000
  // The last moment of the previous notice, its end, and during its removal.
  for (const late of swept([SHOWN_MS - 100, SHOWN_MS, SHOWN_MS + 100], (each) => each === SHOWN_MS)) {
    await page.keyboard.press('Control+s')
    await notice.waitFor()
    await page.clock.runFor(late)
    await page.keyboard.press('Control+s')
    // Half its time: the rest is for a slow computer, because the page's clock continues.
    await page.clock.runFor(SHOWN_MS / 2)
    expect([late, await notice.count()]).toEqual([late, 1])
    await page.clock.runFor(SHOWN_MS)
    await notice.waitFor({ state: 'detached' })
  }
  expect(complaints).toEqual([])
  await context.close()
})
