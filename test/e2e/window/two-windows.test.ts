/** Two windows of the same book: each shows the other's changes without a reload, and neither overwrites the other. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import {
  callAsWindow,
  openPage,
  serveApp,
  settled,
  sharedBrowser,
  visit,
} from '../../support/browser/browser.ts'
import type { ServedApp } from '../../support/browser/browser.ts'
import { inLongRun } from '../../support/sweep.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')
const longTest = inLongRun(test)
const TEST_MS = 120_000

let app: ServedApp
let browser: Browser
let book = ''

beforeAll(async () => {
  if (!tool('chromium')) return
  app = await serveApp({ invoices: 3 })
  browser = await sharedBrowser()
  const { companies } = (await callAsWindow(app, 'session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  book = companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
  await callAsWindow(app, 'session.savePreferences', { activeBook: book, language: 'es' })
}, 120_000)
afterAll(async () => {
  await app?.stop()
})

const call = async <Answer>(name: string, input: object): Promise<Answer> =>
  (await callAsWindow(app, name, input, book)) as Answer

/** Opens two tabs of one browser, the second one at an address. */
async function twoTabs(path: string) {
  const { page: first, context, complaints } = await openPage(browser, app)
  const second = await context.newPage()
  await second.goto(app.url)
  await second.locator('h1').first().waitFor()
  await visit(second, path)
  return { first, second, context, complaints }
}
/** Waits until the page shows it as saved; on failure reports what it shows instead. */
const saved = (page: Page) =>
  expect
    .poll(() => page.locator('[data-save-state]').first().innerText(), { timeout: 30_000 })
    .toMatch(/Borrador guardado/)

test(
  'a draft started, edited and issued in one window appears in the list, the page and the dashboard of the other',
  async () => {
    const { first, second, context, complaints } = await twoTabs('/invoices?view=drafts')
    await visit(first, '/invoices/new')
    await first.getByRole('combobox').first().pressSequentially('Bodegas del Sur')
    await first.getByRole('option', { name: /Bodegas del Sur/ }).click()
    await first.getByRole('textbox', { name: 'NIF' }).fill('B87654323')
    await first.keyboard.press('Enter')
    await first.getByText('NIF correcto').waitFor()
    await first.locator('textarea').first().fill('Vino')
    await saved(first)
    await second.getByRole('row', { name: /Bodegas del Sur/ }).waitFor()

    const { items } = await call<{ items: { id: string; clientName: string }[] }>('invoices.list', {
      state: 'draft',
      limit: 50,
    })
    const id = items.find(({ clientName }) => clientName === 'Bodegas del Sur')?.id ?? ''
    await call('invoices.update', {
      id,
      lines: [{ description: 'Vino de mesa', quantity: 2, unitPrice: 777 }],
    })
    await second.getByRole('row', { name: /Bodegas del Sur.*1\.880,34/ }).waitFor()
    await visit(second, `/invoices/${id}`)
    const { confirmation } = await call<{ confirmation: { confirmationToken: string } }>(
      'invoices.validate',
      { id },
    )
    const issued = await call<{ number: string }>('invoices.issue', {
      id,
      confirmationToken: confirmation.confirmationToken,
    })
    await second.getByRole('heading', { level: 1, name: issued.number }).waitFor()
    // The page on which it was edited is updated too: an issued invoice is not edited.
    await first.getByRole('heading', { level: 1, name: issued.number }).waitFor()
    expect(complaints.filter((line) => !/409|422/.test(line))).toEqual([])
    await context.close()
  },
  TEST_MS,
)

test(
  'a draft edited in both windows loses neither version: the second user is notified and chooses',
  async () => {
    const draft = await call<{ id: string }>('invoices.create', {
      clientName: 'Cliente de los dos',
      lines: [{ description: 'Trabajo', quantity: 1, unitPrice: 100 }],
    })
    const { first, second, context } = await twoTabs(`/invoices/${draft.id}/edit`)
    await visit(first, `/invoices/${draft.id}/edit`)
    const text = (page: Page) =>
      page.locator('[data-cell="description"] textarea, textarea[data-cell="description"]').first()
    // At the same moment: otherwise the second window shows what the first one has saved.
    await Promise.all([text(first).fill('Escrito en la primera'), text(second).fill('Escrito en la segunda')])
    const notified = await Promise.race(
      [first, second].map(async (page) => {
        await page.getByRole('button', { name: 'Quedarme con lo mío' }).waitFor()
        return page
      }),
    )
    const bar = notified.getByRole('alert').filter({ hasText: 'Estaba' })
    expect(await bar.textContent()).toContain('Escrito en la primera')
    expect(await bar.textContent()).toContain('Escrito en la segunda')
    await notified.getByRole('button', { name: 'Quedarme con lo mío' }).click()
    await expect
      .poll(
        async () =>
          (await call<{ lines: { description: string }[] }>('invoices.get', { id: draft.id })).lines[0]
            ?.description,
      )
      .toBe(notified === first ? 'Escrito en la primera' : 'Escrito en la segunda')
    await context.close()
  },
  TEST_MS,
)

test(
  'an answer that arrives after a newer one does not replace it',
  async () => {
    const { id } = await call<{ id: string }>('invoices.create', {
      clientName: 'Cliente lento',
      lines: [{ description: 'Antes', quantity: 1, unitPrice: 100 }],
    })
    const { page, context, complaints } = await openPage(browser, app)
    let release = (): void => {}
    const isReleased = new Promise<void>((resolve) => (release = resolve))
    let answered = 0
    await page.route('**/app/call/invoices.get', async (route) => {
      const answer = await route.fetch()
      if (++answered === 1) await isReleased
      await route.fulfill({ response: answer })
    })
    // Not visit(), which waits until every request is answered.
    await page.evaluate((path) => {
      history.pushState({}, '', path)
      dispatchEvent(new PopStateEvent('popstate', { state: {} }))
    }, `/invoices/${id}`)
    await expect.poll(() => answered).toBe(1)
    await call('invoices.update', { id, lines: [{ description: 'Después', quantity: 1, unitPrice: 200 }] })
    await page.getByText('242,00').first().waitFor()
    const late = page.waitForResponse('**/app/call/invoices.get')
    release()
    await late
    await settled(page)
    await page.getByText('242,00').first().waitFor()
    expect(await page.getByText('121,00').count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  },
  TEST_MS,
)

longTest(
  'contacts and prices changed in one window appear in the other',
  async () => {
    const { second, context, complaints } = await twoTabs('/contacts')
    await call('contacts.create', { name: 'Aceites de la Sierra', nif: 'B87654323' })
    await second.getByRole('row', { name: /Aceites de la Sierra/ }).waitFor()
    await visit(second, '/items')
    await call('items.create', { name: 'Garrafa de cinco litros', unitPrice: 31.5 })
    await second.getByRole('row', { name: /Garrafa de cinco litros/ }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  },
  TEST_MS,
)
