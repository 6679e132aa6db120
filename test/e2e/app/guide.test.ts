/** Help, tour, sample company and empty pages, in a real browser. */
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import en from '../../../renderer/app/help/en/index.ts'
import es from '../../../renderer/app/help/es/index.ts'
import { topicOfPage } from '../../../renderer/app/help/topics.ts'
import { help as enHelp } from '../../../renderer/locales/en/help.ts'
import { help as esHelp } from '../../../renderer/locales/es/help.ts'
import { TOUR } from '../../../renderer/app/tour/steps.ts'
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
import { inLongRun, swept } from '../../support/sweep.ts'
import { needs } from '../../support/tools.ts'

const test = needs('chromium')
const longTest = inLongRun(test)

interface Session {
  companies: { sample: boolean; books: { id: string; mode: 'live' | 'test' }[] }[]
}

let app: ServedApp
let browser: Browser
let testBook = ''
let liveBook = ''

const session = () => callAsWindow(app, 'session.get', {}) as Promise<Session>
const prefer = (preferences: object) => callAsWindow(app, 'session.savePreferences', preferences)

beforeAll(async () => {
  browser = await sharedBrowser()
  app = await serveApp({ invoices: 0 })
  const books = (await session()).companies[0]?.books ?? []
  testBook = books.find((book) => book.mode === 'test')?.id ?? ''
  liveBook = books.find((book) => book.mode === 'live')?.id ?? ''
}, 120_000)

afterAll(async () => {
  await app?.stop()
})

/** Returns the faults of the current page. */
async function faultsOf(page: Page, where: string): Promise<string[]> {
  const faults = (await axeFaults(page)).map((fault) => `${where} ${fault}`)
  return (await overflows(page)) ? [...faults, `${where} is wider than its window`] : faults
}

const PAGES: readonly [string, string, string?][] = [
  ['/', 'home'],
  ['/inbox', 'inbox'],
  ['/invoices', 'invoices'],
  ['/invoices/new', 'invoice-new'],
  ['/quotes', 'quotes'],
  ['/recurring', 'recurring'],
  ['/contacts', 'contacts'],
  ['/items', 'items'],
  ['/received', 'received'],
  ['/payments', 'payments'],
  ['/payments/overdue', 'payments', 'overdue'],
  ['/bank', 'bank'],
  ['/ledger', 'ledger'],
  ['/taxes', 'taxes'],
  ['/registry', 'registry'],
  ['/connect/assistants', 'assistants'],
  ['/connect/keys', 'keys'],
  ['/connect/activity', 'activity'],
  ['/settings/series', 'settings', 'series'],
  ['/settings/certificate', 'settings', 'certificate'],
]
const STANDING_PAGES = new Set(['/', '/invoices/new', '/settings/certificate'])

describe('the help', () => {
  test('F1 opens the topic of each page beside it, and Escape returns the focus', async () => {
    await prefer({ language: 'es', theme: 'light', activeBook: testBook, tour: 'seen' })
    const { page, context, complaints } = await openPage(browser, app)
    const panel = page.getByRole('complementary', { name: esHelp.help.title })
    // Of each kind: a page, one that is part of another, and a tab.
    for (const [path, name, tab] of swept(PAGES, ([path]) => STANDING_PAGES.has(path))) {
      await visit(page, path)
      const topic = topicOfPage(name, tab)
      await page.keyboard.press('F1')
      await panel.getByRole('heading', { level: 2, name: topic ? es[topic].title : '' }).waitFor()
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'detached' })
    }
    // The page stays usable beside it: a link of the panel navigates the page, and the panel stays open.
    await visit(page, '/registry')
    await page.keyboard.press('F1')
    await panel.getByRole('link', { name: es['registry-trouble'].title }).click()
    await panel.getByRole('heading', { level: 2, name: es['registry-trouble'].title }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/registry')
    expect(complaints).toEqual([])
    await context.close()
  }, 180_000)

  longTest(
    'a search without accents finds its topic by keyboard, and an unknown topic says so',
    async () => {
      await prefer({ language: 'es', theme: 'dark', activeBook: testBook, tour: 'seen' })
      const { page, context, complaints } = await openPage(browser, app, { theme: 'dark' })
      await visit(page, '/help')
      await page.getByRole('combobox', { name: esHelp.help.search }).focus()
      await page.keyboard.type('iva exento')
      await page.getByRole('option', { name: es.exempt.title }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 2, name: es.exempt.title }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/help/exempt')
      await visit(page, '/help/nothing-like-it')
      await page.getByText(esHelp.help.lost).waitFor()
      expect(complaints).toEqual([])
      await context.close()
    },
    120_000,
  )

  longTest(
    'in a narrow window the list leads to a topic and back, and F1 opens a drawer',
    async () => {
      await prefer({ language: 'en', theme: 'light', activeBook: testBook, tour: 'seen' })
      const { page, context, complaints } = await openPage(browser, app, { width: 420, language: 'en' })
      await visit(page, '/help')
      expect(await overflows(page)).toBe(false)
      await page.getByRole('link', { name: en.vat.title }).click()
      await page.getByRole('heading', { level: 2, name: en.vat.title }).waitFor()
      expect(await overflows(page)).toBe(false)
      await visit(page, '/invoices')
      await page.keyboard.press('F1')
      await page.getByRole('dialog').getByRole('heading', { name: en['draft-and-issue'].title }).waitFor()
      expect(await faultsOf(page, 'drawer')).toEqual([])
      expect(complaints).toEqual([])
      await context.close()
    },
    120_000,
  )

  test('the question mark at a technical term opens by keyboard, explains it and links to its topic', async () => {
    await prefer({ language: 'es', theme: 'light', activeBook: testBook, tour: 'seen' })
    const { page, context, complaints } = await openPage(browser, app)
    await visit(page, '/settings')
    const { title, text } = esHelp.tips.regime
    await page.getByRole('button', { name: `Qué es: ${title}` }).focus()
    await page.keyboard.press('Enter')
    await page.getByText(text).waitFor()
    expect(await faultsOf(page, 'mark')).toEqual([])
    await page.getByRole('button', { name: esHelp.help.more }).click()
    await page.getByRole('heading', { level: 2, name: es.vat.title }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  }, 120_000)
})

/** Distance between the target of the tour and its frame. */
const FRAME_PX = 4
/** Steps whose card is checked for faults: the first, whose target is outside of the page, and one with a list. */
const LOOKED_AT = new Set(
  swept(
    TOUR.map(({ id }) => id),
    (id) => id === 'book' || id === 'invoices',
  ),
)

describe('the tour', () => {
  const tours = [
    ['in Spanish', { language: 'es', theme: 'light', width: 1280 }],
    ['in English, dark and narrow', { language: 'en', theme: 'dark', width: 420 }],
  ] as const
  for (const [name, look] of swept(tours, ([, { width }]) => width === 1280))
    test(`runs from start to end by keyboard, ${name}`, async () => {
      const words = (look.language === 'es' ? esHelp : enHelp).tour
      await prefer({ language: look.language, theme: look.theme, activeBook: testBook, tour: 'new' })
      const { page, context, complaints } = await openPage(browser, app, look)
      await page.getByRole('button', { name: words.begin }).focus()
      await page.keyboard.press('Enter')
      const faults: string[] = []
      for (const [at, step] of TOUR.entries()) {
        const card = page.getByRole('dialog', { name: words.steps[step.id].title })
        await card.waitFor()
        await settled(page)
        await expect
          .poll(() => card.evaluate((element) => element.contains(document.activeElement)), {
            timeout: 5_000,
          })
          .toBe(true)
        // The card is the same in each step.
        if (LOOKED_AT.has(step.id)) faults.push(...(await faultsOf(page, step.id)))
        // In a wide window the target is the element itself: a title in its place would mean that the element is
        // missing. Only the list of invoices of an empty book has no row as a target.
        if (look.width === 1280 && step.id !== 'invoices') {
          const pointed = await page
            .locator(step.targets[0] ?? '')
            .first()
            .boundingBox({ timeout: 5_000 })
          const ring = await page.locator('.ring-2.ring-primary').boundingBox()
          const corner = (box: typeof ring) => [Math.round(box?.x ?? 0), Math.round(box?.y ?? 0)]
          expect(
            corner(ring).map((at) => at + FRAME_PX),
            step.id,
          ).toEqual(corner(pointed))
        }
        // The target stays visible.
        const box = await card.boundingBox()
        const frame = await page.locator('.ring-2.ring-primary').boundingBox()
        expect(box && frame, step.id).not.toBeNull()
        if (box && frame)
          expect(
            box.x >= frame.x + frame.width ||
              frame.x >= box.x + box.width ||
              box.y >= frame.y + frame.height ||
              frame.y >= box.y + box.height,
            step.id,
          ).toBe(true)
        if (at < TOUR.length - 1) await page.keyboard.press('ArrowRight')
      }
      await page.getByRole('button', { name: words.first }).focus()
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/invoices\/new/)
      expect(faults).toEqual([])
      expect(complaints).toEqual([])
      expect(await callAsWindow(app, 'session.get', {})).toMatchObject({ preferences: { tour: 'seen' } })
      await context.close()
    }, 180_000)

  longTest(
    'Escape ends it, and the help offers it again',
    async () => {
      await prefer({ language: 'es', theme: 'light', activeBook: testBook, tour: 'new' })
      const { page, context } = await openPage(browser, app)
      await page.getByRole('button', { name: esHelp.tour.begin }).click()
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await visit(page, '/help')
      await page.getByRole('button', { name: esHelp.tour.begin }).click()
      await page.getByRole('dialog', { name: esHelp.tour.steps.book.title }).waitFor()
      await context.close()
    },
    120_000,
  )
})

test('the sample company is created with data, is marked, and can be removed', async () => {
  await prefer({ language: 'es', theme: 'light', activeBook: testBook, tour: 'new' })
  const { page, context, complaints } = await openPage(browser, app)
  await page.getByRole('button', { name: esHelp.samples.see }).click()
  await page.getByText(esHelp.samples.here).waitFor({ timeout: 60_000 })
  expect(await faultsOf(page, 'sample')).toEqual([])
  expect((await session()).companies.map(({ sample }) => sample)).toEqual([false, true])
  await visit(page, '/invoices')
  await page.getByText('T-F2026-0048').first().waitFor()
  await page.getByRole('button', { name: esHelp.samples.remove }).click()
  await page.getByText(esHelp.samples.removed).first().waitFor()
  expect((await session()).companies.map(({ sample }) => sample)).toEqual([false])
  await visit(page, '/invoices')
  expect(await page.getByText('T-F2026-0048').count()).toBe(0)
  expect(complaints).toEqual([])
  await context.close()
}, 120_000)

const EMPTY = [
  '/inbox',
  '/invoices',
  '/quotes',
  '/recurring',
  '/templates',
  '/contacts',
  '/items',
  '/payments',
  '/payments/overdue',
  '/payments/aging',
  '/payments/remittances',
  '/payments/mandates',
  '/received',
  '/bank',
  '/ledger',
  '/ledger/trial',
  '/registry',
  '/mails',
  '/connect/keys',
]

const EMPTY_LOOKS = [
  ['wide', { language: 'es', theme: 'light', width: 1280 }],
  ['narrow', { language: 'en', theme: 'dark', width: 420 }],
] as const

test.each(swept(EMPTY_LOOKS, ([name]) => name === 'narrow'))(
  'every page of an empty live book offers an action and a link into the help, %s',
  async (_name, look) => {
    const words = look.language === 'es' ? esHelp : enHelp
    await prefer({ language: look.language, theme: look.theme, activeBook: liveBook, tour: 'seen' })
    const { page, context, complaints } = await openPage(browser, app, look)
    const faults: string[] = []
    for (const path of swept(EMPTY, (_, index) => index % 4 === 0)) {
      await visit(page, path)
      const learn = page.getByRole('button', { name: words.help.learn })
      if ((await learn.count()) !== 1) faults.push(`${path} has no way into the help`)
      else {
        const verbs = learn.locator('xpath=ancestor::section[1]').locator('a, button')
        if ((await verbs.count()) < 2) faults.push(`${path} has no verb`)
      }
      if (await overflows(page)) faults.push(`${path} is wider than its window`)
    }
    expect(faults).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  },
  180_000,
)
