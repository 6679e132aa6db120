/** Work with lists: saved views, bulk actions, undo, and cells edited in place. */
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
import { inLongRun } from '../../support/sweep.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')
const longTest = inLongRun(test)

let app: ServedApp
let browser: Browser
let book = ''

interface Listed {
  items: { id: string; number: string | null; state: string; clientName: string; version: number }[]
}
const ask = <T>(name: string, input: object) => callAsWindow(app, name, input, book) as Promise<T>
const drafts = async () => (await ask<Listed>('invoices.window', { view: 'drafts', limit: 100 })).items

beforeAll(async () => {
  if (!tool('chromium')) return
  browser = await sharedBrowser()
  app = await serveApp({ invoices: 12 })
  const session = (await callAsWindow(app, 'session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  book = session.companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
  await callAsWindow(app, 'session.savePreferences', { activeBook: book, language: 'es' })
}, 180_000)

afterAll(async () => {
  await app?.stop()
})

async function onPage(path: string, work: (page: Page) => Promise<void>, look: Look = {}): Promise<void> {
  const { page, context, complaints } = await openPage(browser, app, look)
  await visit(page, path)
  await work(page)
  // An expected error is a failed request in the console, and nothing else is.
  expect(complaints.filter((each) => !/status of 4\d\d/.test(each))).toEqual([])
  await context.close()
}
const write = (clientName: string, changes: object = {}) =>
  ask<{ id: string; version: number }>('invoices.create', {
    clientName,
    clientNif: '12345678Z',
    lines: [{ description: 'Mano de obra', quantity: 1, unitPrice: 100 }],
    ...changes,
  })
/** Selects the rows of the list whose text matches, by their checkboxes. */
async function select(page: Page, text: RegExp): Promise<void> {
  const rows = page.getByRole('row').filter({ hasText: text })
  await rows.first().waitFor()
  for (const row of await rows.all()) await row.click({ modifiers: ['ControlOrMeta'] })
}

test('a filter is saved under a name, opened by its shortcut, removed and restored', async () => {
  await onPage('/invoices', async (page) => {
    await page.getByRole('search').getByRole('textbox').fill('Álvaro')
    await page.getByRole('button', { name: 'Guardar vista' }).click()
    await page.getByLabel('Nombre de la vista').fill('Lo de Álvaro')
    await page.keyboard.press('Enter')
    const own = page.getByRole('navigation', { name: 'Vistas propias' })
    await own.getByRole('link', { name: /Lo de Álvaro/ }).waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.keyboard.press('Control+1')
    await page.waitForURL((url) => url.search === '')
    await page.keyboard.press('Control+6')
    await page.waitForURL((url) => url.searchParams.get('q') === 'Álvaro')
    await own.getByRole('button', { name: 'Vista Lo de Álvaro' }).click()
    await page.getByRole('menuitem', { name: 'Quitar la vista' }).click()
    await own.waitFor({ state: 'detached' })
    await page.locator('h1').click()
    await page.keyboard.press('Control+z')
    await own.getByRole('link', { name: /Lo de Álvaro/ }).waitFor()
  })
  const { items } = await ask<{ items: { name: string; query: object }[] }>('views.list', {
    list: 'invoices',
  })
  expect(items).toMatchObject([{ name: 'Lo de Álvaro', query: { q: 'Álvaro' } }])
}, 120_000)

test('five drafts are issued after one confirmation; the first refusal stops it and the rest stay drafts', async () => {
  const made: { id: string; version: number }[] = []
  for (let each = 1; each <= 5; each++) made.push(await write(`Serie ${each}`))
  await onPage('/invoices?view=drafts', async (page) => {
    await select(page, /Serie \d/)
    await page.getByRole('button', { name: 'Emitir 5' }).click()
    const dialog = page.getByRole('dialog', { name: /¿Emitir 5/ })
    await dialog.getByRole('button', { name: /Emitir 5 en pruebas/ }).waitFor()
    expect(await dialog.getByRole('listitem').filter({ hasText: 'Serie' }).count()).toBe(5)
    // The third draft changes after it was shown: what was confirmed is not what would be registered.
    const third = made[2] as { id: string; version: number }
    await ask('invoices.update', { id: third.id, expectedVersion: third.version, notes: 'Otra cosa' })
    await page.waitForTimeout(700)
    await dialog.getByRole('button', { name: /Emitir 5 en pruebas/ }).click()
    await page.getByRole('button', { name: 'Por qué' }).waitFor()
    expect(await axeFaults(page)).toEqual([])
  })
  const left = (await drafts()).filter(({ clientName }) => clientName.startsWith('Serie'))
  expect(left.map(({ clientName }) => clientName).toSorted()).toEqual(['Serie 3', 'Serie 4', 'Serie 5'])
}, 180_000)

longTest(
  'many are duplicated, stopped halfway, and Ctrl Z removes the copies',
  async () => {
    for (let each = 1; each <= 4; each++) await write(`Copia ${each}`)
    const before = (await drafts()).length
    await onPage('/invoices?view=drafts', async (page) => {
      await select(page, /Copia \d/)
      // Each is read before it is copied: this one waits until it was stopped.
      let reads = 0
      let go: () => void = () => {}
      const stopped = new Promise<void>((resolve) => (go = resolve))
      await page.route('**/app/call/invoices.get', async (route) => {
        if (++reads === 2) await stopped
        await route.continue()
      })
      await page.getByRole('button', { name: 'Más acciones' }).click()
      await page.getByRole('menuitem', { name: 'Duplicar 4' }).click()
      await page.getByRole('progressbar', { name: 'Duplicar' }).waitFor()
      await expect.poll(() => reads).toBe(2)
      await page.getByRole('button', { name: 'Cancelar' }).click()
      // It continues while the user is on another page.
      await visit(page, '/items')
      go()
      await page.getByText(/2 sin tocar/).waitFor()
      expect(await axeFaults(page)).toEqual([])
      expect((await drafts()).length).toBe(before + 2)
      await page.locator('h1').click()
      await page.keyboard.press('Control+z')
      await expect.poll(async () => (await drafts()).length).toBe(before)
    })
  },
  180_000,
)

test('a price is changed in the list; a concurrent change made elsewhere wins and is shown', async () => {
  const item = await ask<{ id: string; version: number }>('items.create', {
    name: 'Aceite 5W30',
    unitPrice: 10,
    unit: 'litro',
  })
  await onPage('/items', async (page) => {
    const row = page.getByRole('row').filter({ hasText: 'Aceite 5W30' })
    await row.focus()
    await page.keyboard.press('F2')
    await page.getByRole('textbox', { name: 'Nombre' }).waitFor()
    await page.keyboard.press('Escape')
    await row.locator('[data-cell=price]').dblclick()
    const field = row.getByRole('textbox')
    await field.fill('1.234,56 €')
    await page.keyboard.press('Enter')
    await row.getByText('1.234,56').waitFor()
    await expect
      .poll(async () => (await ask<{ unitPrice: number }>('items.get', { id: item.id })).unitPrice)
      .toBe(1234.56)
    await page.route(
      '**/app/call/items.update',
      async (route) => {
        await ask('items.update', { id: item.id, unitPrice: 7 })
        await route.continue()
      },
      { times: 1 },
    )
    await row.locator('[data-cell=price]').dblclick()
    await row.getByRole('textbox').fill('99')
    await page.keyboard.press('Enter')
    await row.getByText('7,00').waitFor()
  })
}, 120_000)

longTest(
  'at 420 px and in the dark theme the bars fit and everything is reachable',
  async () => {
    await onPage(
      '/invoices?view=drafts',
      async (page) => {
        await select(page, /Copia \d/)
        expect(await overflows(page)).toBe(false)
        expect(await axeFaults(page)).toEqual([])
      },
      { width: 420, theme: 'dark' },
    )
  },
  120_000,
)

test('received invoices are selected, saved as a file and marked as paid; Ctrl Z undoes the payments', async () => {
  for (const supplierNumber of ['V-1', 'V-2'])
    await ask('received.create', {
      supplierName: 'Vidrios Vera',
      supplierNif: 'B12345674',
      supplierNumber,
      issueDate: '2026-06-01',
      taxLines: [{ base: 100, vatRate: 21 }],
    })
  const owed = async () =>
    (await ask<{ totals: { due: number } }>('received.window', { text: 'Vidrios', limit: 0, summary: true }))
      .totals.due
  await onPage('/received?q=Vidrios', async (page) => {
    await select(page, /Vidrios/)
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Exportar CSV' }).click()
    expect((await saved).suggestedFilename()).toMatch(/^facturas-recibidas-.*\.csv$/)
    await select(page, /Vidrios/)
    await page.getByRole('button', { name: 'Marcar 2 como pagadas' }).click()
    const dialog = page.getByRole('dialog', { name: /¿Marcar 2/ })
    await dialog.waitFor()
    await dialog.getByRole('button', { name: 'Marcar 2 como pagadas' }).click()
    await expect.poll(owed).toBe(0)
    // The server has them before the page offers to undo them.
    await page.getByRole('button', { name: 'Deshacer' }).first().waitFor()
    await page.locator('h1').click()
    await page.keyboard.press('Control+z')
    await expect.poll(owed).toBe(242)
  })
}, 60_000)
