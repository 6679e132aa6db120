/** One person's data in the window: found, viewed, downloaded as a valid ZIP, erased with the name typed, blocked. */
import { readFileSync } from 'node:fs'
import { unzipSync } from 'fflate'
import type { Browser, Page } from 'playwright-core'
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
const NAME = 'Zaida Ruiz Gil'
const NIF = '12345678Z'

let app: ServedApp
let browser: Browser
let book = ''
const ask = (name: string, input: object) => callAsWindow(app, name, input, book) as Promise<any>

beforeAll(async () => {
  if (!tool('chromium')) return
  browser = await sharedBrowser()
  app = await serveApp({ invoices: 3 })
  const session = (await callAsWindow(app, 'session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  book = session.companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
  await callAsWindow(app, 'session.savePreferences', { activeBook: book })
  const contact = await ask('contacts.create', { name: NAME, nif: NIF, email: 'zaida@ejemplo.es' })
  const input = {
    clientName: NAME,
    clientNif: NIF,
    clientId: contact.id,
    lines: [{ description: 'Mano de obra', quantity: 2, unitPrice: 10 }],
  }
  await ask('quotes.create', input)
  const { id } = await ask('invoices.create', input)
  const { confirmation } = await ask('invoices.validate', { id, action: 'issue' })
  await ask('invoices.issue', { id, confirmationToken: confirmation.confirmationToken })
}, 120_000)

afterAll(async () => {
  await app?.stop()
})

async function openPerson(page: Page): Promise<void> {
  await visit(page, '/settings/privacy')
  await page.locator('#privacy-search').fill('zaida')
  await page.getByRole('link', { name: NAME }).click()
  await page.locator('h1', { hasText: NAME }).waitFor()
}

test('a person is found, exported as a ZIP and erased once the name is typed', async () => {
  const { page, context, complaints } = await openPage(browser, app)
  await openPerson(page)
  await page.getByRole('heading', { name: 'Se conserva' }).waitFor()
  expect(await axeFaults(page)).toEqual([])

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Exportar sus datos' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^datos-personales-.*\.zip$/)
  const names = Object.keys(unzipSync(readFileSync((await file.path()) ?? '')))
  expect(names).toEqual(expect.arrayContaining(['resumen.html', 'datos/contact.json', 'datos/issued.json']))
  expect(names.some((name) => /^facturas\/.+\.pdf$/.test(name))).toBe(true)

  await page.getByRole('button', { name: 'Borrar…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Borrar para siempre' }).click()
  await dialog.getByText('No coincide').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await dialog.locator('#erase-name').fill('zaida ruiz gil')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Hecho' }).waitFor()

  expect((await ask('contacts.list', { text: NAME })).items).toEqual([])
  expect((await ask('quotes.list', { text: NAME })).items).toEqual([])
  await page.getByRole('link', { name: 'Volver a Privacidad' }).click()
  await page.getByRole('link', { name: `Ver los datos de ${NAME}` }).waitFor()
  expect(await axeFaults(page)).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
}, 90_000)

test('a blocked contact is unblocked with a reason, in English, in the dark theme, in a narrow window', async () => {
  await callAsWindow(app, 'session.savePreferences', { language: 'en', theme: 'dark' })
  const { page, context, complaints } = await openPage(browser, app, {
    language: 'en',
    theme: 'dark',
    width: 420,
  })
  await openPerson(page)
  await page.getByRole('heading', { name: 'Kept', exact: true }).waitFor()
  expect(await axeFaults(page)).toEqual([])
  expect(await overflows(page)).toBe(false)
  await visit(page, '/settings/privacy')
  await page.getByRole('button', { name: 'Unblock' }).click()
  await page.getByRole('dialog').getByLabel('It was blocked by mistake').check()
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Unblock' }).click()
  await page.getByText('None.').waitFor()
  expect((await ask('contacts.list', { text: NAME })).items).toMatchObject([
    { name: NAME, nif: NIF, email: null },
  ])
  expect(complaints).toEqual([])
  await context.close()
}, 90_000)
