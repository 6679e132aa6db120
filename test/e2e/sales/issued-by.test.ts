/** Who issues an invoice, said among the rare fields of the editor; its faults at their fields, and the issued invoice's page. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import {
  axeFaults,
  callAsWindow,
  openPage,
  overflows,
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

interface Answer {
  id: string
  issuedBy?: { kind: string; name: string | null; nif: string | null; country: string | null }
}
const call = (operation: string, input: object): Promise<Answer> =>
  callAsWindow(app, operation, input, book) as Promise<Answer>

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

test('a third party is named in the editor, faults stand at their fields, and the page says who issued it', async () => {
  await call('series.create', { code: 'GEST', kind: 'ordinary', purpose: 'third_party' })
  const { id } = await call('invoices.create', {
    clientName: 'Cliente Primero, S.L.',
    clientNif: '12345678Z',
    client: { address: { street: 'Calle Sol 3', postalCode: '29001', city: 'Málaga', country: 'ES' } },
    lines: [{ description: 'Reforma', quantity: 1, unitPrice: 1000 }],
    series: 'GEST',
  })
  const { page, context, complaints } = await openPage(browser, app)
  await visit(page, `/invoices/${id}/edit`)
  // Not on the first screen of the editor.
  const issuer = page.getByRole('combobox', { name: 'Quién la expide', exact: true })
  expect(await issuer.count()).toBe(0)
  await page.getByRole('region', { name: 'Más' }).getByRole('button', { name: 'Más' }).click()
  await issuer.selectOption('recipient')
  await page.getByText('Hace falta un acuerdo firmado antes').waitFor()
  await issuer.selectOption('third_party')
  const number = page.getByLabel('NIF de quien la expide', { exact: true })
  await number.fill('B12345674')
  await expect
    .poll(async () => (await call('invoices.get', { id })).issuedBy, { timeout: 15_000 })
    .toMatchObject({ kind: 'third_party', nif: 'B12345674', name: null, country: 'ES' })
  await page.keyboard.press('Control+Enter')
  await page.getByText('Escribe el nombre de quien expide la factura en tu nombre').first().waitFor()
  await page.getByText('Quien la expide en tu nombre no puede ser tu propia empresa').first().waitFor()
  expect(await axeFaults(page)).toEqual([])
  expect(await overflows(page)).toBe(false)
  await page.getByLabel('Nombre de quien la expide').fill('Gestoría Ebro, S.L.P.')
  await number.fill('B87654323')
  await expect
    .poll(async () => (await call('invoices.get', { id })).issuedBy, { timeout: 15_000 })
    .toMatchObject({ name: 'Gestoría Ebro, S.L.P.', nif: 'B87654323' })
  const { confirmation } = (await call('invoices.validate', { id })) as unknown as {
    confirmation: { confirmationToken: string }
  }
  await call('invoices.issue', { id, confirmationToken: confirmation.confirmationToken })
  await visit(page, `/invoices/${id}`)
  await page.getByText('La expide Gestoría Ebro, S.L.P.').first().waitFor()
  expect(complaints).toEqual([])
  await context.close()
})
