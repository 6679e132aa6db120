/** The close of a quarter in the built app: what is missing, in order, and nothing left at the end. */
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

interface Quarter {
  year: number
  quarter: number
}
const day = new Date()
const quarterNow: Quarter = { year: day.getFullYear(), quarter: Math.floor(day.getMonth() / 3) + 1 }
const before: Quarter =
  quarterNow.quarter === 1
    ? { year: quarterNow.year - 1, quarter: 4 }
    : { ...quarterNow, quarter: quarterNow.quarter - 1 }
const address = ({ year, quarter }: Quarter) => `/taxes/${year}-${quarter}T/close`
const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid' }).format(day)

const call = (name: string, input: unknown) => callAsWindow(app, name, input, book)
const step = (page: Page, title: string) => page.getByRole('button', { name: new RegExp(`\\d+\\. ${title}`) })
const isOpen = (page: Page, title: string) => step(page, title).getAttribute('aria-expanded')

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

test('a quarter with nothing missing but the lock is closed with one click, and undone', async () => {
  const models = ((await call('fiscal.models', before)) as { models: { model: string; applies: unknown }[] })
    .models
  await call('fiscal.setInput', { model: '111', ...before, box: '02', amount: 0 })
  for (const { model, applies } of models)
    if (applies === true) await call('fiscal.markFiled', { model, ...before })
  const { page, context, complaints } = await openPage(browser, app)
  await visit(page, `/taxes/${before.year}-${before.quarter}T`)
  await page.getByRole('link', { name: /^Cerrar el trimestre/ }).click()
  await page.waitForURL(`**${address(before)}`)
  await settled(page)
  await page.getByRole('status').getByText('Un paso pendiente').waitFor()
  expect(await isOpen(page, 'Cerrar los días del trimestre')).toBe('true')
  expect(await isOpen(page, 'Borradores del trimestre')).toBe('false')
  await page.getByRole('button', { name: /^Cerrar hasta el/ }).click()
  await page.getByText('No falta nada que Sello pueda comprobar').last().waitFor()
  // What cannot be known is not ticked.
  expect(await step(page, 'Movimientos del banco').textContent()).toContain('Sello no lo sabe')
  expect(await step(page, 'Paquete para la gestoría').textContent()).toContain('Sello no lo sabe')
  expect(await step(page, 'Cerrar los días del trimestre').textContent()).toContain('Hecho')
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('button', { name: /^Deshacer/ }).click()
  await page.getByRole('status').getByText('Un paso pendiente').waitFor()
  expect(complaints).toEqual([])
  await context.close()
}, 120_000)

test('what is missing opens in order, follows the books, and fits a narrow window', async () => {
  const draft = (await call('invoices.create', {
    clientName: 'Ana Ruiz Gil',
    clientNif: '12345678Z',
    lines: [{ description: 'Mano de obra', quantity: 2, unitPrice: 10 }],
  })) as { id: string }
  const bill = {
    supplierName: 'Proveedor de nombre tan largo que no cabe en una línea estrecha, S.A.',
    supplierNumber: 'P-1',
    issueDate: today,
    receptionDate: today,
    taxLines: [{ base: 200, vatRate: 21 }],
  }
  await call('received.create', { ...bill, withholding: { rate: 15, base: 200, reason: 'other' } })
  const account = (await call('bank.createAccount', { name: 'Corriente', openingDate: today })) as {
    id: string
  }
  const [year, month, date] = today.split('-')
  await call('bank.import', {
    fileName: 'movimientos.csv',
    content: Buffer.from(`Fecha;Concepto;Importe\n${date}/${month}/${year};COMISION;-10,00`).toString(
      'base64',
    ),
    accountId: account.id,
  })
  const { page, context, complaints } = await openPage(browser, app)
  await visit(page, address(quarterNow))
  for (const [title, text] of [
    ['Borradores del trimestre', 'Un borrador · 24,20 €'],
    ['Movimientos del banco', 'Un movimiento sin identificar'],
    ['Documentos de las facturas recibidas', 'Una factura sin documento'],
    ['Datos dudosos de las facturas recibidas', 'Una factura con dudas'],
    ['Modelos del trimestre', 'por presentar o comprobar'],
  ] as const)
    expect((await step(page, title).textContent())?.replaceAll('\u00a0', ' '), title).toContain(text)
  expect(await isOpen(page, 'Borradores del trimestre')).toBe('true')
  expect(await page.getByRole('link', { name: /Ana Ruiz Gil/ }).getAttribute('href')).toBe(
    `/invoices/${draft.id}`,
  )
  // The keyboard opens and closes a step.
  await step(page, 'Documentos de las facturas recibidas').focus()
  await page.keyboard.press('Enter')
  expect(await isOpen(page, 'Documentos de las facturas recibidas')).toBe('true')
  expect(await isOpen(page, 'Borradores del trimestre')).toBe('false')
  await page.keyboard.press('Enter')
  expect(await isOpen(page, 'Documentos de las facturas recibidas')).toBe('false')
  await page.setViewportSize({ width: 420, height: 800 })
  await step(page, 'Datos dudosos de las facturas recibidas').click()
  await page.getByText('Lleva una retención que ningún modelo de Sello declara').waitFor()
  expect(await overflows(page)).toBe(false)
  expect(await axeFaults(page)).toEqual([])
  // The draft is deleted elsewhere: the page goes on to the next step by itself.
  await call('invoices.delete', { id: draft.id })
  await expect.poll(() => isOpen(page, 'Movimientos del banco')).toBe('true')
  expect(await step(page, 'Borradores del trimestre').textContent()).toContain('Hecho')
  expect(complaints).toEqual([])
  await context.close()
}, 120_000)

test('a return is copied whole, and prints with all its boxes', async () => {
  const { page, context } = await openPage(browser, app, { ownProfile: true })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await visit(page, `/taxes/${quarterNow.year}-${quarterNow.quarter}T/303`)
  await page.getByRole('button', { name: 'Copiar todo' }).click()
  await page.getByRole('button', { name: /^Copiadas \d+ casillas$/ }).waitFor()
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).split(/\r?\n/)
  expect(lines).toContain('27\t0,00')
  expect(lines).toContain('45\t42,00')
  expect(lines.every((line) => /^\d+\t-?\d+(,\d\d)?$/.test(line))).toBe(true)
  const link = page.getByRole('link', { name: /Abrir la sede de la Agencia/ })
  expect(await link.getAttribute('href')).toBe(
    'https://sede.agenciatributaria.gob.es/Sede/procedimientoini/G414.shtml',
  )
  await page.evaluate(() => {
    window.print = () =>
      void document.documentElement.setAttribute('data-printed', String(document.body.innerText.length))
  })
  const shown = await page
    .locator('section[aria-labelledby^="section-"] button[title^="Copiar la casilla"]')
    .count()
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('button', { name: 'Copiar todo' }).isVisible()).toBe(false)
  await page.emulateMedia({ media: 'screen' })
  await page.getByRole('button', { name: 'Imprimir' }).click()
  await page.waitForFunction(() => document.documentElement.hasAttribute('data-printed'))
  const printed = await page
    .locator('section[aria-labelledby^="section-"] button[title^="Copiar la casilla"]')
    .count()
  expect(printed).toBe(lines.length)
  expect(printed).toBeGreaterThan(shown)
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await expect
    .poll(() =>
      page.locator('section[aria-labelledby^="section-"] button[title^="Copiar la casilla"]').count(),
    )
    .toBe(shown)
  await context.close()
}, 120_000)
