/**
 * The electronic invoice between businesses as a person uses it in a test book: turned on, an invoice sent to the simulated
 * platform, one taken in, rejected, taken back and paid; and its pages in both languages and themes, wide and narrow.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { ASSUMPTIONS } from '../../../server/documents/e-invoice/index.ts'
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
import type { ServedApp, WatchedPage } from '../../support/browser/browser.ts'
import { wordsIn } from '../../support/browser/page-messages.ts'
import { COMPANY } from '../../support/browser/prepared-books.ts'
import { BUYER, exchangeInvoice } from '../../support/exchange/exchange-invoices.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')
const say = wordsIn('es')
/** A supplier of the simulated company. */
const SUPPLIER = { nif: 'A58818501', name: 'SUMINISTROS DEL EBRO SA' }

let app: ServedApp
let browser: Browser
let watched: WatchedPage
let page: Page
let book: string
let live: string

const call = <Answer>(name: string, input: object = {}) =>
  callAsWindow(app, name, input, book) as Promise<Answer>
const press = (key: string) =>
  page
    .getByRole('button', { name: new RegExp(`^${say(key)}`) })
    .first()
    .click()

interface Rows {
  items: { id: string; number: string; state: string }[]
}

beforeAll(async () => {
  if (!tool('chromium')) return
  app = await serveApp({ invoices: 3 })
  browser = await sharedBrowser()
  watched = await openPage(browser, app)
  ;({ page } = watched)
  const session = (await callAsWindow(app, 'session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  const books = session.companies[0]?.books ?? []
  book = books.find(({ mode }) => mode === 'test')?.id ?? ''
  live = books.find(({ mode }) => mode === 'live')?.id ?? ''
}, 120_000)

afterAll(async () => {
  await app?.stop()
})

/** Waits until the background has brought an invoice into a state. */
async function until(number: string, state: string): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { items } = await call<Rows>('exchange.window')
    const row = items.find((each) => each.number === number)
    if (row?.state === state) return row.id
    await page.waitForTimeout(200)
  }
  throw new Error(`${number} did not become ${state}.`)
}

test('every assumption stands on the page with its source, in both languages, and keeps a live book closed', async () => {
  for (const language of ['es', 'en'] as const) {
    await callAsWindow(app, 'session.savePreferences', { language, activeBook: live })
    const { page: shown, context, complaints } = await openPage(browser, app, { language })
    await visit(shown, '/exchange/law')
    const texts = await shown
      .locator('[data-assumption]')
      .evaluateAll((all) =>
        all.map((each) => [(each as HTMLElement).dataset.assumption ?? '', each.textContent ?? ''] as const),
      )
    expect(texts.map(([id]) => id).toSorted()).toEqual(ASSUMPTIONS.map(({ id }) => id).toSorted())
    for (const { id, title, assumed, source } of ASSUMPTIONS) {
      const text = texts.find(([of]) => of === id)?.[1]
      for (const words of [title, assumed, source]) expect(text, id).toContain(words[language])
    }
    // It says so, what to do meanwhile, and offers no way to turn it on.
    const closed = shown.locator('[aria-labelledby="exchange-closed"]')
    await closed.getByText(wordsIn(language)('exchange.law.closed.meanwhile')).waitFor()
    expect(await closed.getByRole('link').count()).toBeGreaterThan(0)
    await shown.getByText(wordsIn(language)('exchange.law.settings.onClosed')).waitFor()
    const turnOn = wordsIn(language)('exchange.law.settings.turnOn')
    expect(await shown.getByRole('button', { name: turnOn }).count()).toBe(0)
    await shown.keyboard.press('a')
    expect(await shown.getByRole('dialog').count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  }
  await expect(callAsWindow(app, 'exchange.setSettings', { sending: true }, live)).rejects.toThrow(
    'exchange_live_closed',
  )
  await callAsWindow(app, 'session.savePreferences', { language: 'es', activeBook: book })
})

test('sending is turned on for the test book by a person, with what it means said first', async () => {
  await visit(page, '/exchange')
  await page.getByText(say('exchange.offNote')).waitFor()
  await visit(page, '/exchange/law')
  await page.getByRole('heading', { name: say('exchange.law.closed.title') }).waitFor()
  await page.keyboard.press('a')
  await page.getByRole('dialog').getByText(say('exchange.law.settings.onTest')).waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByText(say('exchange.law.settings.turnedOn'), { exact: true }).waitFor()
  expect(await call('exchange.settings')).toMatchObject({ sending: true })
})

test('an issued invoice goes to the platform, and its panel has the receipt and the exact file', async () => {
  const { id } = await call<{ id: string }>('invoices.create', {
    clientName: BUYER.name,
    clientNif: BUYER.nif,
    client: {
      address: {
        street: 'Calle Mayor 1',
        postalCode: '28001',
        city: 'Madrid',
        province: 'Madrid',
        country: 'ES',
      },
    },
    lines: [{ description: 'Mano de obra', quantity: 1, unitPrice: 100 }],
  })
  const { confirmation } = await call<{ confirmation: { confirmationToken: string } }>('invoices.validate', {
    id,
  })
  const { confirmationToken } = confirmation
  const { number } = await call<{ number: string }>('invoices.issue', { id, confirmationToken })
  // It would leave by itself within a minute.
  await visit(page, '/exchange')
  await press('exchange.poll')
  const documentId = await until(number, 'admitted')
  await visit(page, `/exchange/invoices?id=${documentId}`)
  const panel = page.getByRole('complementary', { name: say('exchange.panel.label') })
  await panel.getByText(say('exchange.panel.locator'), { exact: true }).waitFor()
  expect(await panel.getByText(number).count()).toBeGreaterThan(0)
  await panel.getByRole('button', { name: say('exchange.panel.more') }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: say('exchange.panel.file') }).click()
  expect((await download).suggestedFilename()).toMatch(/\.xml$/)
})

test('a received file is taken in, rejected with its reason, taken back, and paid', async () => {
  const today = (await call<{ today: string }>('exchange.due')).today
  const xml = exchangeInvoice({
    number: 'PROV-77',
    date: today,
    seller: SUPPLIER,
    buyer: { nif: COMPANY.nif, name: COMPANY.legalName },
  })
  await visit(page, '/exchange')
  await page.keyboard.press('i')
  await page.locator('[role="dialog"] input[type="file"]').setInputFiles({
    name: 'factura.xml',
    mimeType: 'application/xml',
    buffer: Buffer.from(xml),
  })
  await page.getByText(say('exchange.files.kind.invoice')).waitFor()
  await page.keyboard.press('Escape')

  const row = page.locator('[data-row]').filter({ hasText: 'PROV-77' })
  await row.waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('r')
  await page.getByRole('dialog').waitFor()
  // Without a reason nothing is prepared.
  await page.keyboard.press('Control+Enter')
  await page.getByText(say('exchange.say.reasonMissing')).waitFor()
  await page.locator('[role="dialog"] input[value="commercial"]').check()
  await page.keyboard.press('Control+Enter')
  await page.getByText(say('exchange.say.sure')).waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const rejected = await until('PROV-77', 'rejected')
  expect(await call('exchange.get', { id: rejected })).toMatchObject({
    reports: [{ kind: 'rejected', reason: 'commercial' }],
  })

  await visit(page, `/exchange/invoices?id=${rejected}`)
  const panel = page.getByRole('complementary', { name: say('exchange.panel.label') })
  await panel.getByRole('button', { name: say('exchange.panel.more') }).click()
  await page.getByRole('menuitem', { name: say('exchange.panel.cancel') }).click()
  await page.getByText(say('exchange.say.sure')).waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await until('PROV-77', 'open')

  // The cancellation may still wait, in a row of its own.
  await visit(page, '/exchange')
  await row.getByRole('checkbox').check()
  await press('exchange.due.paidMany')
  await page.locator('#exchange-day').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByText(say('exchange.say.sure')).waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await until('PROV-77', 'paid')
  expect(watched.complaints).toEqual([])
})

test('the pages are whole in both languages and themes, wide and narrow', async () => {
  const looks = [
    { language: 'es', theme: 'light', width: 1280 },
    { language: 'en', theme: 'dark', width: 1280 },
    { language: 'es', theme: 'dark', width: 420 },
    { language: 'en', theme: 'light', width: 420 },
  ] as const
  for (const look of looks) {
    await callAsWindow(app, 'session.savePreferences', { language: look.language, theme: look.theme })
    const { page: shown, context, complaints } = await openPage(browser, app, look)
    for (const path of ['/exchange', '/exchange/invoices', '/exchange/law']) {
      await visit(shown, path)
      await settled(shown)
      expect(await axeFaults(shown), `${path} ${JSON.stringify(look)}`).toEqual([])
      expect(await overflows(shown), `${path} ${JSON.stringify(look)}`).toBe(false)
    }
    expect(complaints).toEqual([])
    await context.close()
  }
})
