/** What an earlier program made, in the window: apart in the lists, paid and filed, and nothing offered that is refused. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { moveIn } from '../../gallery/history/states.ts'
import { pdfOf } from '../../../server/accounting/returns/simulator/pdf.ts'
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
let ids: Record<string, string> = {}

const call = <Answer>(operation: string, input: object): Promise<Answer> =>
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
  ids = await moveIn(app, book)
}, 120_000)

afterAll(async () => {
  await app?.stop()
})

test('an issued invoice says where it comes from, gets its document, is reminded and paid', async () => {
  const { page, context, complaints } = await openPage(browser, app)
  await visit(page, '/invoices')
  await page.getByText('T-GEST-0001').waitFor()
  expect(await page.getByText('FAC/2026-0003').count()).toBe(0)
  await page.getByRole('link', { name: /Antes de Sello\s*4/ }).click()
  await page.getByText('FAC/2026-0003').click()
  const about = page.getByRole('region', { name: 'Viene de un programa anterior' })
  await about.getByText('ventas 2026.csv').waitFor()
  await about.getByText('fila 4').waitFor()
  const actions = page.locator('main, body').first()
  for (const name of ['Duplicar', 'Rectificar', 'Enviar', 'Imprimir'])
    expect(await actions.getByRole('button', { name, exact: false }).count(), name).toBe(0)
  expect(await page.getByText('Registro', { exact: true }).count()).toBe(0)
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog')
  await sheet.getByText('Registrar cobro').waitFor()
  expect(await sheet.getByText('Duplicar').count()).toBe(0)
  await page.keyboard.press('Escape')
  // The name of the chosen file says nothing: Sello names it by the number.
  await page.locator('input[type="file"]').setInputFiles({
    name: 'escaneo.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(pdfOf(['Factura FAC/2026-0003'])),
  })
  await page.getByRole('button', { name: 'PDF' }).waitFor()
  await page.getByRole('button', { name: 'Recordar el pago' }).waitFor()
  await page.getByRole('button', { name: /Registrar cobro/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Registrar' }).click()
  await expect
    .poll(async () => (await call<{ amountDue: number }>('invoices.get', { id: ids.bare })).amountDue)
    .toBe(0)
  expect(await axeFaults(page)).toEqual([])
  expect(await overflows(page)).toBe(false)
  expect(complaints).toEqual([])
  await context.close()
})

test('a file that is no PDF is refused in its place', async () => {
  const { page, context } = await openPage(browser, app)
  await visit(page, `/invoices/${ids.paid}`)
  await page.locator('input[type="file"]').setInputFiles({
    name: 'foto.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('no es un PDF'),
  })
  await page.getByRole('alert').waitFor()
  const { attachments } = await call<{ attachments: unknown[] }>('moving.origin', {
    type: 'invoice',
    id: ids.paid,
  })
  expect(attachments).toEqual([])
  await context.close()
})

test('a received one is paid and filed, and has no form', async () => {
  const { page, context, complaints } = await openPage(browser, app)
  await visit(page, '/received?view=history')
  await page.getByText('Luz del Sur, S.A.').click()
  await page.getByText('compras 2026.csv').waitFor()
  expect(await page.locator('#received-form').count()).toBe(0)
  for (const name of ['Guardar', 'Anular'])
    expect(await page.getByRole('button', { name, exact: false }).count(), name).toBe(0)
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({
      name: 'luz.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from(pdfOf(['Luz del Sur'])),
    })
  await expect
    .poll(async () => (await call<{ files: number }>('received.get', { id: ids.received })).files)
    .toBe(1)
  await page.getByRole('button', { name: /Registrar pago/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Registrar' }).click()
  await expect
    .poll(async () => (await call<{ amountDue: number }>('received.get', { id: ids.received })).amountDue)
    .toBe(0)
  expect(complaints).toEqual([])
  await context.close()
})

test('ten thousand of them are searched and scrolled', async () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => {
    const number = String(index + 1).padStart(5, '0')
    return `H-${number};${String((index % 28) + 1).padStart(2, '0')}/01/2026;Cliente ${index % 400};B12345674;100;21;21;121;0`
  })
  const file = ['Número;Fecha;Cliente;NIF;Base;IVA %;Cuota;Total;Pendiente', ...rows].join('\n')
  interface Answer {
    move: { id: string; state: string }
  }
  const { move } = await call<Answer>('moving.start', { firstDay: '2026-07-01' })
  const content = Buffer.from(file).toString('base64')
  await call('moving.addFile', { id: move.id, name: 'largo.csv', content })
  for (let { state } = move; state !== 'applied';)
    ({ state } = (await call<Answer>('moving.apply', { id: move.id })).move)
  const { page, context } = await openPage(browser, app)
  const before = performance.now()
  await visit(page, '/invoices?view=history&sort=number')
  await page.getByText('H-00001').waitFor()
  const shownMs = performance.now() - before
  await page.getByText('10.004 facturas').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('End')
  await page.getByText('H-10000').waitFor()
  await page.getByPlaceholder('Número, cliente o importe').fill('h-0999')
  await page.getByText('H-09990').waitFor()
  console.log(`10,004 invoices of an earlier program: first rows after ${Math.round(shownMs)} ms`)
  await context.close()
}, 300_000)
