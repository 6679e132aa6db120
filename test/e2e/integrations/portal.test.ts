/** Invoices to public bodies in the built app: the directory is read, offices chosen, an invoice submitted and cancelled. */
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
import { wordsIn } from '../../support/browser/page-messages.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')
const say = wordsIn('es')
let app: ServedApp
let browser: Browser
let book: string
const call = (name: string, input: unknown) => callAsWindow(app, name, input, book) as Promise<any>

/** Where a developer wants to look at the pages; nowhere by default. */
const SHOTS = process.env.SELLO_SHOTS
const shot = async (page: Page, name: string): Promise<void> => {
  if (SHOTS === undefined) return
  mkdirSync(SHOTS, { recursive: true })
  await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true })
}

const DIRECTORY = `Administración;Código Órgano Gestor;Órgano Gestor;Código Unidad Tramitadora;Unidad Tramitadora;Código Oficina Contable;Oficina Contable
Ayuntamiento de Madrid;L01280796;Ayuntamiento de Madrid;L01280798;Contratación;L01280797;Intervención
Ayuntamiento de Madrid;L01280796;Ayuntamiento de Madrid;L01280799;Parques y Jardines;L01280797;Intervención
Ayuntamiento de Madrid;malo;Ayuntamiento de Madrid;L01280799;Parques y Jardines;L01280797;Intervención
`

beforeAll(async () => {
  if (!tool('chromium')) return
  app = await serveApp({ invoices: 0 })
  browser = await sharedBrowser()
  const session = (await callAsWindow(app, 'session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  book = session.companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
}, 120_000)
afterAll(async () => {
  await app?.stop()
})

test('a directory is read, and its offices are chosen for a customer', async () => {
  const { page, context, complaints } = await openPage(browser, app)
  await visit(page, '/settings/portal')
  await page.getByLabel(say('portal.settings.email')).fill('facturas@example.com')
  await page.getByRole('button', { name: say('portal.settings.save') }).click()
  await page.getByText(say('portal.settings.saved'), { exact: true }).waitFor()
  await page.getByLabel(say('portal.directory.choose')).setInputFiles({
    name: 'unidades.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(DIRECTORY),
  })
  await page.getByText('Nuevas: 4. Cambiadas: 0. Como estaban: 0.').waitFor()
  await page.getByText('Fila 4, columna B').waitFor()
  await settled(page)
  expect(await axeFaults(page)).toEqual([])
  expect(await overflows(page)).toBe(false)
  await shot(page, 'portal-settings')

  const { id } = await call('contacts.create', {
    name: 'Ayuntamiento de Madrid',
    nif: 'P2807900B',
    address: { street: 'Plaza de Cibeles, 1', postalCode: '28014', city: 'Madrid', country: 'ES' },
  })
  await visit(page, `/contacts/${id}`)
  // A public body is an entity: its further data are open.
  await page.getByLabel(say('portal.units.search')).fill('parques')
  await page.getByRole('button', { name: /Parques y Jardines/ }).click()
  await expect.poll(() => page.getByLabel(say('contacts.dir3.body')).inputValue()).toBe('L01280796')
  expect(await page.getByLabel(say('contacts.dir3.office')).inputValue()).toBe('L01280797')
  expect(await page.getByLabel(say('contacts.dir3.unit')).inputValue()).toBe('L01280799')
  await shot(page, 'portal-contact')
  await page.keyboard.press('Control+s')
  await expect
    .poll(async () => (await call('contacts.get', { id })).dir3)
    .toEqual({ accountingOffice: 'L01280797', managingBody: 'L01280796', processingUnit: 'L01280799' })
  expect(complaints).toEqual([])
  await context.close()
})

test('an invoice is submitted, accepted, and its cancellation asked for and accepted', async () => {
  await call('portal.setSettings', { email: 'facturas@example.com', live: false })
  const client = await call('contacts.create', {
    name: 'Ayuntamiento de Getafe',
    nif: 'P2806500A',
    address: { street: 'Plaza de la Constitución, 1', postalCode: '28901', city: 'Getafe', country: 'ES' },
    dir3: { accountingOffice: 'L01280650', managingBody: 'L01280651', processingUnit: 'L01280652' },
  })
  const draft = await call('invoices.create', {
    clientName: 'Ayuntamiento de Getafe',
    clientId: client.id,
    lines: [{ description: 'Reparación de bancos', quantity: 2, unitPrice: 150 }],
  })
  const { confirmation } = await call('invoices.validate', { id: draft.id })
  const { confirmationToken } = confirmation
  await call('invoices.issue', { id: draft.id, confirmationToken })
  const { page, context, complaints } = await openPage(browser, app)
  await visit(page, `/invoices/${draft.id}`)
  const panel = page.getByRole('region', { name: say('portal.title'), exact: true })
  await panel.getByRole('button', { name: say('portal.submit') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('portal.submit') })
    .click()
  await panel.getByText(say('portal.state.registered')).waitFor()
  await panel.getByRole('button', { name: say('portal.code.2400') }).click()
  await panel.getByText(say('portal.code.2400')).first().waitFor()
  await settled(page)
  expect(await axeFaults(page)).toEqual([])
  await shot(page, 'portal-accepted')
  await panel.getByRole('button', { name: say('portal.cancel.action') }).click()
  await page.getByLabel(say('portal.cancel.reason')).fill('Acordado con la administración')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('portal.cancel.action') })
    .click()
  await panel.getByText(say('portal.code.4200')).waitFor()
  await panel.getByRole('button', { name: say('portal.code.4300') }).click()
  await panel.getByText(say('portal.code.3100')).first().waitFor()
  await shot(page, 'portal-cancelled')
  await panel.getByRole('button', { name: say('portal.submit') }).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})
