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
  pages = [
    '/',
    '/inbox',
    '/invoices',
    '/invoices/new',
    `/invoices/${issued}`,
    `/invoices/${draft}/edit`,
    '/contacts',
    '/registry',
    '/declaration',
    '/connect/assistants',
    '/connect/keys',
    '/connect/activity',
    '/settings',
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
        if (round.book === 'live' && path.includes('inv_')) continue
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
