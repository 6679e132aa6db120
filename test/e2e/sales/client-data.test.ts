/** Customer data typed in a document are saved to the contact: automatically if it is new, on request if it existed. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import {
  axeFaults,
  callAsWindow,
  openPage,
  serveApp,
  settled,
  sharedBrowser,
  visit,
} from '../../support/browser/browser.ts'
import type { ServedApp } from '../../support/browser/browser.ts'
import { inLongRun, swept } from '../../support/sweep.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')
const longTest = inLongRun(test)

let app: ServedApp
let browser: Browser
let book = ''

interface Kept {
  id: string
  name: string
  nif: string | null
  email: string | null
  roles: { customer: boolean; supplier: boolean }
  address: { street: string; postalCode: string; city: string; province?: string } | null
}
const ask = <T>(name: string, input: object) => callAsWindow(app, name, input, book) as Promise<T>
const contactNamed = async (text: string): Promise<Kept | null> =>
  (await ask<{ items: Kept[] }>('contacts.list', { text })).items[0] ?? null

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

const OWN_ADDRESS = { street: 'Calle Sol 3', postalCode: '29001', city: 'Málaga' }

async function typeAddress(page: Page, address: Record<string, string>): Promise<void> {
  await page.getByLabel('Calle y número').fill(address.street ?? '')
  await page.getByLabel('Código postal').fill(address.postalCode ?? '')
  await page.getByLabel('Población').fill(address.city ?? '')
}
/** Chooses "Crear" in the list below the customer's field. */
async function startNew(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Cliente' }).fill(name)
  await page.getByRole('option', { name: `Crear «${name}»` }).click()
  await page.getByRole('form', { name: 'Nuevo contacto' }).waitFor()
}
async function createWithNif(page: Page, nif: string): Promise<void> {
  const form = page.getByRole('form', { name: 'Nuevo contacto' })
  await form.getByLabel('NIF', { exact: true }).fill(nif)
  await form.getByRole('button', { name: 'Crear y usar' }).click()
  await form.waitFor({ state: 'detached' })
}

const KINDS = [
  ['an invoice', '/invoices/new'],
  ['a quote', '/quotes/new'],
  ['a recurring invoice', '/recurring/new'],
] as const
for (const [kind, path] of swept(KINDS, ([, each]) => each === '/invoices/new'))
  test(`${kind} saves the address of a new customer to the contact it creates`, async () => {
    const name = `Nuevo de ${kind}`
    const { page, context, complaints } = await openPage(browser, app)
    page.setDefaultTimeout(8_000)
    await visit(page, path)

    // Typed while the contact is created.
    await startNew(page, name)
    await typeAddress(page, OWN_ADDRESS)
    await createWithNif(page, '12345678Z')
    await expect.poll(async () => (await contactNamed(name))?.address).toMatchObject(OWN_ADDRESS)

    // Typed later: the contact gets it too.
    await page.getByRole('button', { name: 'Datos del cliente' }).click()
    await page.getByLabel('Correo', { exact: true }).fill('hola@nuevo.example')
    await page.getByLabel('Población').fill('Ronda')
    await page.getByText('Guardado también en el contacto').waitFor()
    await expect.poll(async () => (await contactNamed(name))?.email).toBe('hola@nuevo.example')
    expect((await contactNamed(name))?.address).toMatchObject({ ...OWN_ADDRESS, city: 'Ronda' })
    expect(complaints).toEqual([])
    await context.close()
    await ask('contacts.delete', { id: (await contactNamed(name))?.id })
  }, 60_000)

test('an existing contact keeps its data until the user saves the changes to it too', async () => {
  const contact = await ask<Kept>('contacts.create', {
    name: 'Conocido, S.L.',
    nif: 'B58818501',
    address: { ...OWN_ADDRESS, country: 'ES' },
  })
  const { page, context, complaints } = await openPage(browser, app)
  page.setDefaultTimeout(8_000)
  await visit(page, '/invoices/new')
  await page.getByRole('combobox', { name: 'Cliente' }).fill('Conocido')
  await page
    .getByRole('option', { name: /Conocido/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Datos del cliente' }).click()
  const offer = page.getByRole('button', { name: 'Guardar también en el contacto' })
  await settled(page)
  expect(await offer.count()).toBe(0)
  await page.getByLabel('Calle y número').fill('Avenida Nueva 8')
  await offer.waitFor()
  await settled(page)
  expect((await ask<Kept>('contacts.get', { id: contact.id })).address).toMatchObject(OWN_ADDRESS)
  expect(await axeFaults(page)).toEqual([])
  await offer.click()
  await page.getByText('Guardado también en el contacto').waitFor()
  expect((await ask<Kept>('contacts.get', { id: contact.id })).address).toMatchObject({
    ...OWN_ADDRESS,
    street: 'Avenida Nueva 8',
  })
  expect(await offer.count()).toBe(0)
  expect(complaints).toEqual([])
  await context.close()
}, 60_000)

longTest(
  'a typed customer becomes a contact with all of the typed data',
  async () => {
    const { page, context } = await openPage(browser, app)
    page.setDefaultTimeout(8_000)
    await visit(page, '/invoices/new')
    await page.getByRole('combobox', { name: 'Cliente' }).fill('A Mano, S.L.')
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Cliente' }).fill('A Mano, S.L.')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Datos del cliente' }).click()
    await page.getByLabel('NIF', { exact: true }).fill('B65410011')
    await typeAddress(page, OWN_ADDRESS)
    await page.getByRole('button', { name: 'Guardar como contacto' }).click()
    await page.getByText('Guardado también en el contacto').waitFor()
    expect(await contactNamed('A Mano')).toMatchObject({ nif: 'B65410011', address: OWN_ADDRESS })
    await context.close()
  },
  60_000,
)

longTest(
  'a template without a customer takes over the complete customer data',
  async () => {
    await ask('templates.create', {
      name: 'Para cualquiera',
      invoice: { lines: [{ description: 'Hora', quantity: 1, unitPrice: 40 }] },
    })
    const { page, context } = await openPage(browser, app)
    page.setDefaultTimeout(8_000)
    await visit(page, '/templates')
    await page.getByRole('button', { name: /^Usar/ }).first().click()
    await startNew(page, 'De Plantilla')
    await typeAddress(page, OWN_ADDRESS)
    await createWithNif(page, '87654321X')
    await page.getByRole('dialog').getByRole('button', { name: 'Crear el borrador' }).click()
    await page.waitForURL(/\/invoices\/.+\/edit/)
    const id = new URL(page.url()).pathname.split('/')[2]
    expect((await ask<{ client: Kept }>('invoices.get', { id })).client.address).toMatchObject(OWN_ADDRESS)
    await context.close()
  },
  60_000,
)

longTest(
  'a supplier saved from a received invoice has the role of a supplier',
  async () => {
    const { page, context } = await openPage(browser, app)
    page.setDefaultTimeout(8_000)
    await visit(page, '/received/new')
    await page.locator('#received-supplier').fill('Proveedor Nuevo, S.L.')
    await page.locator('#received-nif').fill('B12345674')
    await page.locator('#received-number').fill('P-1')
    await page.locator('#received-form').getByLabel(/Base/).first().fill('100')
    await page.keyboard.press('Tab')
    await page
      .getByRole('button', { name: /^Guardar/ })
      .first()
      .click()
    await expect
      .poll(async () => (await contactNamed('Proveedor Nuevo'))?.roles)
      .toEqual({
        customer: false,
        supplier: true,
      })
    await context.close()
  },
  60_000,
)
