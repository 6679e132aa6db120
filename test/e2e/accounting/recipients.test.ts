/** Wages and rented premises in the built app: typed in their dialogs, from the return and from what its file lacks. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
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
import type { ServedApp } from '../../support/browser/browser.ts'
import { needs, tool } from '../../support/tools.ts'

let app: ServedApp
let browser: Browser
let book: string

const test = needs('chromium')

const day = new Date()
const year = day.getFullYear()
const today = `${year}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`
const call = (name: string, input: unknown) => callAsWindow(app, name, input, book)

/** Where a developer wants to look at the pages; nowhere by default. */
const SHOTS = process.env.SELLO_SHOTS
const shot = async (page: Page, name: string) => {
  if (SHOTS === undefined) return
  mkdirSync(SHOTS, { recursive: true })
  await page.screenshot({ path: join(SHOTS, `${name}.png`) })
}

beforeAll(async () => {
  if (!tool('chromium')) return
  app = await serveApp({ invoices: 5 })
  browser = await sharedBrowser()
  const session = (await callAsWindow(app, 'session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  book = session.companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
}, 120_000)
afterAll(async () => {
  await app?.stop()
})

test('wages are typed with the facts of a person, by keyboard, and copied from last year', async () => {
  await callAsWindow(app, 'session.savePreferences', { language: 'es' })
  const { page, context, complaints } = await openPage(browser, app, { width: 1280 })
  await visit(page, `/taxes/${year - 1}-4T/190`)
  await page.getByRole('button', { name: 'Perceptores de nóminas' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Apellidos y nombre').fill('Gil Mora, Eva')
  await dialog.getByLabel('NIF o NIE').fill('50123456Q')
  await dialog.getByLabel('Pagado en dinero').fill('18000')
  await dialog.getByLabel('Provincia (código)').fill('28')
  expect(await dialog.getByLabel('Subclave').isDisabled()).toBe(true)
  const more = dialog.getByRole('button', { name: /^Datos de la nómina de Gil Mora, Eva/ })
  await more.focus()
  await page.keyboard.press('Enter')
  expect(await more.getAttribute('aria-expanded')).toBe('true')
  await dialog.getByLabel('Año de nacimiento').fill('1880')
  await dialog.getByLabel('Situación familiar').selectOption('2')
  await dialog.getByLabel('NIF del cónyuge').fill('12345678Z')
  await dialog.getByLabel('Discapacidad', { exact: true }).selectOption('0')
  await dialog.getByLabel('Contrato o relación').selectOption('1')
  await dialog.getByLabel('Movilidad geográfica').selectOption('no')
  await dialog.getByLabel('Préstamo de vivienda comunicado').selectOption('no')
  await dialog.getByLabel('Gastos deducibles (Seguridad Social…)').fill('1143,06')
  await dialog.getByLabel('Resto: cuántos').fill('1')
  await dialog.getByLabel('Resto: por entero').fill('1')
  await dialog.getByLabel('Hijo 1').selectOption('whole')
  await settled(page)
  expect(await axeFaults(page)).toEqual([])
  await shot(page, 'wages-es')
  // What is wrong is shown where it was typed, also if the part is closed again.
  await more.click()
  await page.keyboard.press('Control+Enter')
  await dialog.getByText('Ese año de nacimiento no puede ser').waitFor()
  await dialog.getByLabel('Año de nacimiento').fill('1980')
  await page.keyboard.press('Control+Enter')
  await dialog.waitFor({ state: 'hidden' })
  const { recipients } = (await call('fiscal.wageRecipients', { year: year - 1 })) as {
    recipients: { facts?: object }[]
  }
  expect(recipients).toHaveLength(1)
  expect(recipients[0]).toMatchObject({
    key: 'A',
    paid: 18_000,
    facts: { birthYear: 1980, spouseNif: '12345678Z', deductibleCosts: 1143.06, childShares: ['whole'] },
  })

  await visit(page, `/taxes/${year}-4T/190`)
  await page.getByRole('button', { name: 'Perceptores de nóminas' }).click()
  await dialog.getByRole('button', { name: 'Copiar los datos del año pasado' }).click()
  await page.getByText('Copiados los datos de una persona', { exact: true }).waitFor()
  expect(await dialog.getByLabel('Apellidos y nombre').inputValue()).toBe('Gil Mora, Eva')
  expect(await dialog.getByLabel('Pagado en dinero').inputValue()).toBe('')
  await dialog.getByRole('button', { name: /^Datos de la nómina de Gil Mora, Eva/ }).click()
  expect(await dialog.getByLabel('Año de nacimiento').inputValue()).toBe('1980')
  expect(await dialog.getByLabel('Gastos deducibles (Seguridad Social…)').inputValue()).toBe('')
  expect(complaints.filter((line) => !line.includes('422'))).toEqual([])
  await context.close()
}, 240_000)

test('premises are typed from what the file of the 180 lacks', async () => {
  await call('received.create', {
    supplierName: 'Locales del Sur, S.A.',
    supplierNif: 'A58818501',
    supplierNumber: 'R-1',
    issueDate: today,
    taxLines: [{ base: 1000, vatRate: 21 }],
    withholding: { rate: 19, reason: 'rent' },
  })
  await call('contacts.create', {
    name: 'Locales del Sur, S.A.',
    nif: 'A58818501',
    address: { street: 'Calle Mayor 1', postalCode: '28013', city: 'Madrid', country: 'ES' },
  })
  await callAsWindow(app, 'session.savePreferences', { language: 'es' })
  const { page, context, complaints } = await openPage(browser, app, { width: 1280 })
  await visit(page, `/taxes/${year}-4T/180/file`)
  const line = page.getByRole('listitem').filter({ hasText: 'Del local de Locales del Sur, S.A.' })
  await line.getByRole('link').click()
  const dialog = page.getByRole('dialog')
  const landlord = dialog.getByRole('listitem').filter({ hasText: 'Locales del Sur, S.A.' })
  await landlord.getByText('Falta su local').waitFor()
  await dialog.getByRole('button', { name: 'Añadir un local de Locales del Sur, S.A.' }).click()
  expect(await dialog.getByLabel('NIF del arrendador').inputValue()).toBe('A58818501')
  // The focus is on the first empty field.
  await page.keyboard.type('9872023VH5797S0001WX')
  expect(await dialog.getByLabel('Referencia catastral').inputValue()).toBe('9872023VH5797S0001WX')
  await dialog.getByLabel('Tipo de vía (código INE)').fill('calle')
  await dialog.getByLabel('Nombre de la vía').fill('Mayor')
  await dialog.getByLabel('Número o km').fill('12')
  await dialog.getByLabel('Municipio', { exact: true }).fill('Madrid')
  await dialog.getByLabel('Código INE del municipio').fill('28079')
  await dialog.getByLabel('Provincia (código)').fill('28')
  await dialog.getByLabel('Código postal').fill('08001')
  await landlord.getByText('Todo va a su local').waitFor()
  await settled(page)
  expect(await axeFaults(page)).toEqual([])
  await shot(page, 'premises-es')
  await page.keyboard.press('Control+Enter')
  await dialog.getByText('Este código es de otra provincia').waitFor()
  await dialog.getByLabel('Código postal').fill('28013')
  await page.keyboard.press('Control+Enter')
  await dialog.waitFor({ state: 'hidden' })
  await visit(page, `/taxes/${year}-4T/180/file`)
  await page.getByRole('heading', { name: 'Antes de presentar' }).waitFor()
  await settled(page)
  expect(await page.getByText('Del local de Locales del Sur, S.A.').count()).toBe(0)
  expect(complaints.filter((each) => !each.includes('422'))).toEqual([])
  await context.close()
}, 240_000)

test('both dialogs fit a narrow window, in English and dark', async () => {
  await callAsWindow(app, 'session.savePreferences', { language: 'en' })
  const { page, context, complaints } = await openPage(browser, app, {
    language: 'en',
    theme: 'dark',
    width: 420,
  })
  const dialog = page.getByRole('dialog')
  await visit(page, `/taxes/${year - 1}-4T/190`)
  await page.getByRole('button', { name: 'Recipients of wages' }).click()
  await dialog.getByRole('button', { name: /^Facts of the payroll of Gil Mora, Eva/ }).click()
  await dialog.getByLabel('Year of birth').waitFor()
  await settled(page)
  expect(await overflows(page)).toBe(false)
  expect(await axeFaults(page)).toEqual([])
  await shot(page, 'wages-en-dark-420')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await visit(page, `/taxes/${year}-4T/180`)
  await page.getByRole('button', { name: 'Rented premises' }).click()
  await dialog.getByLabel('Cadastral number').waitFor()
  await settled(page)
  expect(await overflows(page)).toBe(false)
  expect(await axeFaults(page)).toEqual([])
  await shot(page, 'premises-en-dark-420')
  expect(complaints).toEqual([])
  await context.close()
}, 240_000)
