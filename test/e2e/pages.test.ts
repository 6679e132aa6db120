import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Browser } from 'playwright-core'
import {
  axeFaults,
  callAsWindow,
  launchBrowser,
  openPage,
  overflows,
  serveApp,
  visit,
} from '../support/browser.ts'
import type { ServedApp } from '../support/browser.ts'
import { needs } from '../support/tools.ts'

const test = needs('chromium')

interface Session {
  companies: { books: { id: string; mode: 'live' | 'test' }[] }[]
}

let app: ServedApp
let browser: Browser
let testBook = ''
let liveBook = ''
let pages: string[] = []

beforeAll(async () => {
  browser = await launchBrowser()
  app = await serveApp({ invoices: 60 })
  const session = (await callAsWindow(app, 'session.get', {})) as Session
  testBook = session.companies[0]?.books.find((book) => book.mode === 'test')?.id ?? ''
  liveBook = session.companies[0]?.books.find((book) => book.mode === 'live')?.id ?? ''
  const { items } = (await callAsWindow(app, 'invoices.window', { limit: 100 }, testBook)) as {
    items: { id: string; state: string }[]
  }
  const issued = items.find((invoice) => invoice.state === 'issued')?.id
  const draft = items.find((invoice) => invoice.state === 'draft')?.id
  const first = async (operation: string, input: object): Promise<string> => {
    const answer = (await callAsWindow(app, operation, input, testBook)) as { items: { id: string }[] }
    return answer.items[0]?.id ?? ''
  }
  const contact = await first('contacts.list', { limit: 1 })
  const quote = await first('quotes.list', {})
  const received = await first('received.list', {})
  const rectifying = (
    (await callAsWindow(
      app,
      'invoices.rectify',
      { id: issued, cause: 'discount', percent: 10 },
      testBook,
    )) as {
      id: string
    }
  ).id
  pages = [
    '/',
    '/inbox',
    '/invoices',
    '/invoices/new',
    `/invoices/${issued}`,
    `/invoices/${draft}/edit`,
    `/invoices/${rectifying}`,
    '/quotes',
    '/quotes/new',
    `/quotes/${quote}`,
    '/recurring',
    '/recurring/new',
    '/templates',
    '/items',
    '/contacts',
    `/contacts/${contact}`,
    `/contacts/${contact}/statement`,
    '/received',
    '/received/new',
    `/received/${received}`,
    '/payments',
    '/payments/overdue',
    '/bank',
    '/ledger',
    '/ledger/trial',
    '/ledger/result',
    '/ledger/sheet',
    '/taxes',
    '/taxes/2026-4T/303',
    '/import',
    '/registry',
    '/declaration',
    '/connect/assistants',
    '/connect/keys',
    '/connect/activity',
    '/settings',
    '/settings/design',
    '/settings/certificate',
  ]
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await app?.stop()
})

interface Round {
  name: string
  language: 'es' | 'en'
  theme: 'light' | 'dark'
  book: 'test' | 'live'
  width: number
}

const rounds: Round[] = [
  { name: 'Spanish, light, test book', language: 'es', theme: 'light', book: 'test', width: 1280 },
  { name: 'English, dark, test book', language: 'en', theme: 'dark', book: 'test', width: 1280 },
  { name: 'Spanish, dark, live book', language: 'es', theme: 'dark', book: 'live', width: 1280 },
  { name: 'English, light, narrow', language: 'en', theme: 'light', book: 'test', width: 420 },
]

describe('every page', () => {
  for (const round of rounds) {
    test(`has no accessibility fault, no complaint and no overflow: ${round.name}`, async () => {
      await callAsWindow(app, 'session.savePreferences', {
        language: round.language,
        theme: round.theme,
        activeBook: round.book === 'test' ? testBook : liveBook,
      })
      const { page, context, complaints } = await openPage(browser, app, round)
      const faults: string[] = []
      for (const path of pages) {
        // What stands in the test book stands in no other.
        if (round.book === 'live' && /\/(?:inv|con|quo|rin)_/.test(path)) continue
        await visit(page, path)
        for (const fault of await axeFaults(page)) faults.push(`${path} ${fault}`)
        if (await overflows(page)) faults.push(`${path} is wider than its window`)
      }
      await context.close()
      expect(faults).toEqual([])
      expect(complaints).toEqual([])
    }, 180_000)
  }
})
