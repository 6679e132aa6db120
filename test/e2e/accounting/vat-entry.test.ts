/** The entry of the VAT of investment goods that is regularised, in the dialog of the percentages of deduction. */
import type { Browser } from 'playwright-core'
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
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')

let app: ServedApp
let browser: Browser
let book = ''

const call = (operation: string, input: object): Promise<unknown> => callAsWindow(app, operation, input, book)

beforeAll(async () => {
  if (!tool('chromium')) return
  browser = await sharedBrowser()
  app = await serveApp({ invoices: 0 })
  const session = (await callAsWindow(app, 'session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  book = session.companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
  await callAsWindow(app, 'session.savePreferences', { activeBook: book })
}, 120_000)

afterAll(async () => {
  await app?.stop()
})

test('the regularisation of the VAT of investment goods is booked in its dialog, and taken back there', async () => {
  await call('assets.create', {
    description: 'Máquina',
    kind: '21',
    acquiredOn: '2024-01-02',
    inUseOn: '2024-01-02',
    base: 20_000,
    vat: 4200,
    vatPercent: 21,
    method: 'percent',
    percent: 10,
  })
  await call('assets.setProrata', { year: 2024, percent: 90 })
  await call('assets.setProrata', { year: 2025, percent: 50 })
  const { page, context, complaints } = await openPage(browser, app)
  await visit(page, '/assets')
  await page.keyboard.press('v')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Regularización de').selectOption('2025')
  await dialog.getByText(/Sin apuntar: .*336,00/).waitFor()
  await dialog.getByRole('button', { name: 'Apuntar en el diario' }).click()
  await dialog.getByText('Apuntada en el libro diario.').waitFor()
  await dialog.getByRole('button', { name: 'Quitar el asiento' }).click()
  await dialog.getByText(/Sin apuntar: .*336,00/).waitFor()
  expect(await axeFaults(page)).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})
