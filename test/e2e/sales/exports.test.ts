/** Export from the list: the dialog counts, shows its progress, can be cancelled, and names what is missing. */
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
import type { Look, ServedApp } from '../../support/browser/browser.ts'
import { inLongRun, swept } from '../../support/sweep.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')
const longTest = inLongRun(test)

interface Listed {
  items: { id: string; number: string | null; state: string }[]
}

let app: ServedApp
let browser: Browser
let book = ''

beforeAll(async () => {
  if (!tool('chromium')) return
  browser = await sharedBrowser()
  app = await serveApp({ invoices: 12 })
  const session = (await callAsWindow(app, 'session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  book = session.companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
  await callAsWindow(app, 'session.savePreferences', { activeBook: book })
  // An invoice without a customer, which no structured format accepts.
  const ticket = (await callAsWindow(
    app,
    'invoices.create',
    { kind: 'F2', clientName: 'Venta', lines: [{ description: 'Café', quantity: 1, unitPrice: 2 }] },
    book,
  )) as { id: string }
  const { confirmation } = (await callAsWindow(
    app,
    'invoices.validate',
    { id: ticket.id, action: 'issue' },
    book,
  )) as { confirmation: { confirmationToken: string } }
  await callAsWindow(
    app,
    'invoices.issue',
    { id: ticket.id, confirmationToken: confirmation.confirmationToken },
    book,
  )
}, 120_000)

afterAll(async () => {
  await app?.stop()
})

async function onList(look: Look, work: (page: Page) => Promise<void>): Promise<void> {
  await callAsWindow(app, 'session.savePreferences', { language: look.language ?? 'es' })
  const { page, context, complaints } = await openPage(browser, app, look)
  await visit(page, '/invoices')
  await work(page)
  expect(complaints).toEqual([])
  await context.close()
}

const issuedOf = async (): Promise<Listed['items']> =>
  ((await callAsWindow(app, 'invoices.window', { limit: 100, state: 'issued' }, book)) as Listed).items

/** With the keyboard alone: the menu of the list, its first entry. */
async function openByKeys(page: Page, menu: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: menu }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: entry }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('radio').first().waitFor()
}

test('the whole list is exported by keyboard, and the archive contains every document', async () => {
  const issued = await issuedOf()
  await onList({ language: 'es' }, async (page) => {
    await openByKeys(page, 'Acciones', 'Exportar…')
    const dialog = page.getByRole('dialog', { name: `Exportar ${issued.length} facturas` })
    await dialog.waitFor()
    const saved = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Exportar', exact: true }).focus()
    await page.keyboard.press('Enter')
    await dialog.getByRole('progressbar', { name: 'Preparando los documentos' }).waitFor()
    expect(await axeFaults(page)).toEqual([])
    const file = await saved
    expect(file.suggestedFilename()).toMatch(/^facturas-pdf-\d{4}-\d\d-\d\d\.zip$/)
    const files = unzipSync(new Uint8Array(readFileSync(await file.path())))
    expect(Object.keys(files).toSorted()).toEqual(
      [...issued.map(({ number }) => `${number}.pdf`), 'indice.csv'].toSorted(),
    )
    await dialog.getByText(`Guardado como ${file.suggestedFilename()}`).waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })
}, 120_000)

longTest(
  'an invoice that a format does not support is named with its reason',
  async () => {
    const ticket = (await issuedOf()).find(({ number }) => number?.includes('-S'))
    const languages = [
      ['es', 'Acciones', 'Exportar…', 'Exportar', 'La factura no identifica a quien compra'],
      ['en', 'Actions', 'Export…', 'Export', 'The invoice does not identify the buyer'],
    ] as const
    for (const [language, menu, entry, go, why] of swept(languages, ([each]) => each === 'en'))
      await onList({ language, width: 640, theme: 'dark' }, async (page) => {
        await openByKeys(page, menu, entry)
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('radio', { name: /^UBL/ }).check()
        const saved = page.waitForEvent('download')
        await dialog.getByRole('button', { name: go, exact: true }).click()
        await saved
        await dialog.getByText(why).waitFor()
        expect(await dialog.getByRole('link', { name: ticket?.number ?? '' }).count()).toBe(1)
        expect(await axeFaults(page)).toEqual([])
        expect(await overflows(page)).toBe(false)
      })
  },
  120_000,
)

test('chosen invoices are exported, and a running export can be cancelled', async () => {
  await onList({ language: 'es' }, async (page) => {
    for (const { number } of (await issuedOf()).slice(0, 2)) {
      await page
        .getByRole('row')
        .filter({ hasText: number ?? '' })
        .focus()
      await page.keyboard.press('x')
    }
    await page.getByRole('button', { name: 'Exportar…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Exportar 2 facturas' })
    await dialog.waitFor()
    // The server's answers are held back, so that there is something to cancel.
    await page.route('**/app/call/exports.get', () => undefined)
    await page.route('**/app/call/exports.create', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { data: { state: string; done: number } }
      await route.fulfill({
        response: answer,
        json: { ...body, data: { ...body.data, state: 'preparing', done: 1 } },
      })
    })
    const cancelled = page.waitForRequest('**/app/call/exports.cancel')
    await dialog.getByRole('button', { name: 'Exportar', exact: true }).click()
    await dialog.getByText('1 de 2').waitFor()
    await page.keyboard.press('Escape')
    expect(await dialog.isVisible()).toBe(true)
    await dialog.getByRole('button', { name: 'Cancelar la exportación' }).click()
    await cancelled
    await dialog.getByRole('radio', { name: /^PDF/ }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })
}, 120_000)

test('a list without issued invoices says so', async () => {
  await onList({ language: 'es' }, async (page) => {
    await visit(page, '/invoices?view=drafts')
    await page.getByRole('button', { name: 'Acciones' }).click()
    await page.getByRole('menuitem', { name: 'Exportar…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('No hay ninguna factura emitida que exportar.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Exportar', exact: true }).isDisabled()).toBe(true)
    expect(await axeFaults(page)).toEqual([])
  })
}, 60_000)
