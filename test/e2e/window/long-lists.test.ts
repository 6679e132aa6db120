/** Long lists in a browser: activity, mails and journal page by page, and date cells. */
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
import type { Look, ServedApp } from '../../support/browser/browser.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')

let app: ServedApp
let browser: Browser
let book = ''

const ask = <T>(name: string, input: object) => callAsWindow(app, name, input, book) as Promise<T>

beforeAll(async () => {
  if (!tool('chromium')) return
  browser = await sharedBrowser()
  app = await serveApp({ invoices: 60 })
  const session = (await callAsWindow(app, 'session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  book = session.companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
  await callAsWindow(app, 'session.savePreferences', { activeBook: book, language: 'es' })
}, 180_000)

afterAll(async () => {
  await app?.stop()
})

async function onPage(path: string, work: (page: Page) => Promise<void>, look: Look = {}): Promise<void> {
  const { page, context, complaints } = await openPage(browser, app, look)
  await visit(page, path)
  await work(page)
  expect(complaints).toEqual([])
  await context.close()
}

test('the history is filtered by action, and its end loads as fast as its beginning', async () => {
  const { count } = await ask<{ count: number }>('audit.window', { limit: 0 })
  const issued = await ask<{ count: number }>('audit.window', { action: 'invoice.issued', limit: 0 })
  expect(issued.count).toBeGreaterThan(10)
  await onPage('/connect/activity', async (page) => {
    const grid = page.getByRole('grid', { name: 'Historial' })
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(String(count + 1))
    await grid.getByRole('row').nth(1).focus()
    await page.keyboard.press('End')
    await grid.getByRole('row').filter({ hasText: 'Empresa creada' }).waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.getByRole('button', { name: /^Filtrar/ }).click()
    await page.getByLabel('Qué', { exact: true }).selectOption({ label: 'Factura emitida' })
    await page.waitForURL((url) => url.searchParams.get('action') === 'invoice.issued')
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(String(issued.count + 1))
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Quitar el filtro Qué' }).click()
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(String(count + 1))
  })
})

test('an entry of the journal expands to both sides, by keyboard', async () => {
  const { count } = await ask<{ count: number }>('ledger.journalWindow', { limit: 0 })
  await onPage('/ledger', async (page) => {
    const grid = page.getByRole('grid', { name: 'Diario' })
    await grid.getByRole('row').nth(1).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('columnheader', { name: 'Debe' }).waitFor()
    expect(await dialog.getByRole('row').count()).toBeGreaterThan(2)
    expect(await axeFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await page.getByRole('combobox', { name: 'Qué asientos ver' }).selectOption('payment')
    await expect.poll(async () => Number(await grid.getAttribute('aria-rowcount'))).toBeLessThan(count)
  })
})

test("a draft's due date is changed in its cell and undone", async () => {
  const { id } = await ask<{ id: string }>('invoices.create', {
    clientName: 'Zarzuela, S.L.',
    clientNif: '12345678Z',
    dueDate: '2027-01-31',
    lines: [{ description: 'Mano de obra', quantity: 1, unitPrice: 100 }],
  })
  const dueDate = async () => (await ask<{ dueDate: string | null }>('invoices.get', { id })).dueDate
  await onPage('/invoices?view=drafts&q=Zarzuela', async (page) => {
    await page.getByRole('row').filter({ hasText: 'Zarzuela' }).focus()
    await page.keyboard.press('F2')
    const field = page.getByRole('textbox', { name: 'Vence' })
    await field.fill('ni idea')
    await page.keyboard.press('Enter')
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    await field.fill('28/2/2027')
    await page.keyboard.press('Enter')
    await expect.poll(dueDate).toBe('2027-02-28')
    await page.getByRole('row').filter({ hasText: '28/02/2027' }).waitFor()
    await page.keyboard.press('Control+z')
    await expect.poll(dueDate).toBe('2027-01-31')
  })
})

test('a list of unknown length shows a skeleton, and nothing moves when the rows load', async () => {
  const slow = `const real = window.fetch; window.slow = true
    window.fetch = async (...args) => {
      while (window.slow && String(args[0]).endsWith('/invoices.window')) await new Promise((go) => setTimeout(go, 20))
      return real(...args)
    }`
  const { page, context, complaints } = await openPage(browser, app, { init: slow })
  await page.evaluate(() => {
    history.pushState({}, '', '/invoices')
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  })
  const skeleton = page.locator('[data-skeleton]').first()
  await skeleton.waitFor()
  expect(await page.getByRole('grid').getAttribute('aria-busy')).toBe('true')
  expect(await axeFaults(page)).toEqual([])
  const before = await skeleton.boundingBox()
  await page.evaluate(() => ((window as unknown as { slow: boolean }).slow = false))
  const row = page.getByRole('grid').getByRole('row').nth(1)
  await row.waitFor()
  await expect.poll(() => skeleton.count()).toBe(0)
  expect(await row.boundingBox()).toEqual(before)
  expect(complaints).toEqual([])
  await context.close()
})
