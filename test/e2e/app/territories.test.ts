/** Companies of every territory at work: set up by postal code, invoiced with their own tax, under their own registry. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
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
import type { LocalCompany } from '../../support/browser/prepared-books.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')
const TEST_MS = 180_000

let browser: Browser

beforeAll(async () => {
  if (tool('chromium')) browser = await sharedBrowser()
}, 60_000)

/** Everything that a page says: its texts, and the names of its controls. */
const said = (page: Page): Promise<string> =>
  page.evaluate(() =>
    [
      document.body.innerText,
      ...[...document.querySelectorAll('[aria-label], [placeholder], option')].map((each) =>
        [each.getAttribute('aria-label'), each.getAttribute('placeholder'), each.textContent].join(' '),
      ),
    ].join('\n'),
  )

/** Opens a page and finds no fault in it; returns what it says. */
async function walk({ page, complaints }: WatchedPage, path: string): Promise<string> {
  await visit(page, path)
  expect(await axeFaults(page), path).toEqual([])
  expect(await overflows(page), path).toBe(false)
  expect(complaints.splice(0), path).toEqual([])
  return said(page)
}

interface Expected {
  place: LocalCompany
  tax: Record<'es' | 'en', string>
  /** Words of other taxes and registries that its pages must not say. */
  never: RegExp
  page: Record<'es' | 'en', string>
  returns: RegExp
}

const COMPANIES: readonly Expected[] = [
  {
    place: 'las-palmas',
    tax: { es: 'IGIC', en: 'IGIC' },
    never: /\b(IVA|VAT|IPSI|TicketBAI)\b(?! number)/,
    page: { es: 'Registro AEAT', en: 'AEAT registry' },
    returns: /\b420\b/,
  },
  {
    place: 'ceuta',
    tax: { es: 'IPSI', en: 'IPSI' },
    never: /\b(IVA|VAT|IGIC|TicketBAI)\b(?! number)/,
    page: { es: 'Registro AEAT', en: 'AEAT registry' },
    returns: /IPSI/,
  },
  {
    place: 'bilbao',
    tax: { es: 'IVA', en: 'VAT' },
    never: /\b(IGIC|IPSI|VERI\*FACTU|AEAT)\b/,
    page: { es: 'Registro TicketBAI', en: 'TicketBAI registry' },
    returns: /Foral|foral/,
  },
]

describe.each(COMPANIES)('a company of $place', ({ place, tax, never, page: pageName, returns }) => {
  let app: ServedApp
  const ids: Record<string, string> = {}

  beforeAll(async () => {
    if (!tool('chromium')) return
    app = await serveApp({ invoices: 3, place })
    const { companies } = (await callAsWindow(app, 'session.get', {})) as {
      companies: { books: { id: string; mode: string }[] }[]
    }
    for (const { id, mode } of companies[0]?.books ?? []) ids[mode] = id
    const { items } = (await callAsWindow(app, 'invoices.window', { limit: 10 }, ids['test'])) as {
      items: { id: string; state: string }[]
    }
    ids['invoice'] = items.find(({ state }) => state === 'issued')?.id ?? ''
    const draft = (await callAsWindow(
      app,
      'invoices.create',
      {
        clientName: 'Cliente de la calle',
        client: { address: { street: 'Calle Real 1', postalCode: '28013', city: 'Madrid', country: 'ES' } },
        clientNif: 'B50000140',
        lines: [{ description: 'Trabajo', quantity: 1, unitPrice: 100 }],
      },
      ids['live'],
    )) as { id: string }
    ids['draft'] = draft.id
  }, TEST_MS)
  afterAll(async () => {
    await app?.stop()
  })

  async function open(language: 'es' | 'en', mode: 'live' | 'test'): Promise<WatchedPage> {
    await callAsWindow(app, 'session.savePreferences', { language, activeBook: ids[mode] })
    return openPage(browser, app, { language, width: language === 'es' ? 1280 : 420 })
  }

  test.each(['es', 'en'] as const)(
    'sees its own tax, returns and registry, and no other: %s',
    async (language) => {
      const window = await open(language, 'test')
      try {
        for (const path of ['/invoices/new', '/received/new', `/invoices/${ids['invoice']}`]) {
          const text = await walk(window, path)
          expect(text, path).toContain(tax[language])
          expect(text.match(never)?.[0], path).toBeUndefined()
        }
        expect(await walk(window, '/taxes')).toMatch(returns)
        const registry = await walk(window, '/registry')
        expect(registry).toContain(pageName[language])
        expect(registry.match(never)?.[0]).toBeUndefined()
        await walk(window, '/settings')
      } finally {
        await window.context.close()
      }
    },
    TEST_MS,
  )

  test(
    'is told before its first invoice if that needs the certificate',
    async () => {
      const window = await open('es', 'live')
      const say = wordsIn('es')
      try {
        for (const path of [`/invoices/${ids['draft']}/edit`, `/invoices/${ids['draft']}`, '/registry']) {
          const text = await walk(window, path)
          expect(text.includes(say('registryPage.key.missing')), path).toBe(place === 'bilbao')
        }
      } finally {
        await window.context.close()
      }
    },
    TEST_MS,
  )
})

describe('setting up', () => {
  let app: ServedApp
  beforeAll(async () => {
    if (tool('chromium')) app = await serveApp()
  }, TEST_MS)
  afterAll(async () => {
    await app?.stop()
  })

  test.each(['es', 'en'] as const)(
    'the postal code proposes the territory, which can be changed and says what it means: %s',
    async (language) => {
      await callAsWindow(app, 'session.savePreferences', { language })
      const { page, context, complaints } = await openPage(browser, app, { language })
      const say = wordsIn(language)
      try {
        await visit(page, '/welcome')
        const territory = page.locator('#welcome-territory')
        const code = page.locator('#welcome-postalCode')
        const goOn = page.getByRole('button', { name: say('common.continue') })
        for (const [postalCode, value, words] of [
          ['28013', 'mainland', null],
          ['35002', 'canary', 'welcome.territory.canary'],
          ['51001', 'ceuta_melilla', 'welcome.territory.ceuta_melilla'],
          ['48001', 'basque', 'welcome.territory.basque'],
          ['31001', 'navarre', 'welcome.barred.navarre.title'],
        ] as const) {
          await code.fill(postalCode)
          await settled(page)
          expect(await territory.inputValue(), postalCode).toBe(value)
          if (words !== null) expect(await said(page)).toContain(say(words))
          expect(await goOn.isDisabled(), postalCode).toBe(value === 'navarre')
          expect(await axeFaults(page), postalCode).toEqual([])
        }
        // Another territory than that of the postal code has to be meant.
        await code.fill('35002')
        await territory.selectOption('mainland')
        expect(await goOn.isDisabled()).toBe(true)
        await page.getByText(say('welcome.company.contradictedYes')).click()
        expect(await goOn.isDisabled()).toBe(false)
        expect(await axeFaults(page)).toEqual([])
        expect(complaints).toEqual([])
      } finally {
        await context.close()
      }
    },
    TEST_MS,
  )
})
