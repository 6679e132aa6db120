/** Details of a working day in the window: an empty price, a suggested item, a bank file, an outage. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import {
  callAsWindow,
  openPage,
  serveApp,
  settled,
  sharedBrowser,
  visit,
} from '../../support/browser/browser.ts'
import type { ServedApp } from '../../support/browser/browser.ts'
import { inLongRun } from '../../support/sweep.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')
const longTest = inLongRun(test)
const STEP_MS = 10_000

let app: ServedApp
let browser: Browser
let book = ''
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

async function work(about: (page: Page) => Promise<void>): Promise<void> {
  const { page, context } = await openPage(browser, app)
  page.setDefaultTimeout(STEP_MS)
  try {
    await about(page)
  } finally {
    await context.close()
  }
}

test(
  'an empty price is still empty after a reload, and keeps the draft from being issued',
  () =>
    work(async (page) => {
      await visit(page, '/invoices/new')
      await page.getByRole('combobox', { name: 'Cliente' }).fill('Cliente, S.L.')
      await page.keyboard.press('Tab')
      await page.getByLabel('Línea 1, Concepto').fill('Trabajo sin precio')
      await page.waitForURL(/\/invoices\/.+\/edit/)
      await page
        .getByText(/Borrador guardado/)
        .first()
        .waitFor()
      await page.reload()
      const price = page.getByLabel('Línea 1, Precio')
      await price.waitFor()
      await settled(page)
      expect(await price.inputValue()).toBe('')
      await page.getByRole('button', { name: /^Emitir en pruebas/ }).click()
      await page
        .getByText(/Escribe el precio/)
        .first()
        .waitFor()
      const id = new URL(page.url()).pathname.split('/')[2]
      const { issues } = await ask<{ issues: { code: string; field: string }[] }>('invoices.validate', { id })
      expect(issues).toContainEqual(
        expect.objectContaining({ code: 'price_missing', field: 'lines[0].unitPrice' }),
      )
    }),
  60_000,
)

test('Enter takes the suggested item in the description, as it takes the suggested customer', async () => {
  await ask('items.create', { name: 'Revisión anual', unitPrice: 80 })
  await work(async (page) => {
    await visit(page, '/invoices/new')
    const description = page.getByLabel('Línea 1, Concepto')
    await description.fill('Revis')
    const option = page.getByRole('option', { name: /Revisión anual/ })
    await option.waitFor()
    expect(await option.getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('Enter')
    expect(await description.inputValue()).toBe('Revisión anual')
    expect(await page.getByLabel('Línea 1, Precio').inputValue()).toBe('80,00')
    // With the list closed, Enter moves to the next line; Escape closes it and keeps the typed text.
    await page.getByLabel('Línea 1, Concepto').focus()
    await page.keyboard.press('Enter')
    const second = page.getByLabel('Línea 2, Concepto')
    await second.fill('Revis')
    await page.getByRole('option', { name: /Revisión anual/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    expect(await second.inputValue()).toBe('Revis')
    await page.getByLabel('Línea 3, Concepto').waitFor()
  })
}, 60_000)

const CSV = [
  'Fecha;Concepto;Importe',
  ...[1, 2, 3, 4, 5].map((n) => `0${n}/11/2026;Pago ${n};-1${n},50`),
].join('\n')

longTest(
  'a bank file without an account asks for it, and counts new movements only then',
  async () => {
    for (const name of ['Banco Uno', 'Banco Dos']) await ask('bank.createAccount', { name })
    await work(async (page) => {
      await visit(page, '/bank')
      await page
        .getByRole('button', { name: /Traer|Importar/ })
        .first()
        .click()
      const dialog = page.getByRole('dialog')
      await dialog
        .locator('input[type=file]')
        .setInputFiles({ name: 'banco.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) })
      await dialog.getByText('5 movimientos').waitFor()
      expect(await dialog.getByText(/5 nuevos|No hay nada nuevo/).count()).toBe(0)
      await dialog.getByRole('button', { name: 'Elegir la cuenta' }).click()
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('bank-import-account')
      await dialog.locator('#bank-import-account').selectOption({ label: 'Banco Dos' })
      await dialog.getByText('5 nuevos').waitFor()
      const take = dialog.getByRole('button', { name: 'Traer 5 movimientos' })
      // Notices that appear while the dialog is open are at the top of the window, away from its button.
      const place = await page.locator('[data-slot="viewport"][data-expanded]').evaluate((notices) => {
        const { top, bottom } = getComputedStyle(notices)
        return { top, bottom }
      })
      expect(place.top).toBe('16px')
      await take.click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText('Pago 3').first().waitFor()
    })
  },
  60_000,
)

test(
  'a failed page shows its content by itself once the server answers again',
  () =>
    work(async (page) => {
      await page.route('**/app/call/contacts.list', (route) => route.abort())
      await visit(page, '/contacts')
      await page.getByText('Sello no responde').first().waitFor()
      await page.unroute('**/app/call/contacts.list')
      await page.getByText('Sello no responde').first().waitFor({ state: 'detached' })
      await page
        .getByText(/contacto/i)
        .first()
        .waitFor()
    }),
  60_000,
)
