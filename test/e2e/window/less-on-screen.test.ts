/**
 * What the screen leaves out, and where it is found: keys in tooltips, pages behind "more", text sizes without overflow,
 * one main action for an unpaid invoice, and the page that Sello opens with.
 */
import type { Browser, Locator, Page } from 'playwright-core'
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
import type { Look, ServedApp, WatchedPage } from '../../support/browser/browser.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')
const TEST_MS = 120_000

interface Found {
  items: { id: string; state: string; amountDue: number; number: string | null }[]
}

let browser: Browser
let app: ServedApp
let book = ''

beforeAll(async () => {
  if (!tool('chromium')) return
  browser = await sharedBrowser()
  app = await serveApp({ invoices: 30 })
  const { companies } = (await callAsWindow(app, 'session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  book = companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
})
afterAll(async () => {
  await app?.stop()
})

const prefer = (changes: object) => callAsWindow(app, 'session.savePreferences', changes)
const PLAIN = {
  language: 'es',
  theme: 'light',
  textSize: 'normal',
  menu: null,
  startPage: 'home',
  tour: 'off',
  singleKeyShortcuts: true,
}

/** Runs in a page that starts from plain preferences; what it complains about fails the test. */
async function inPage(
  preferences: object,
  look: Look,
  work: (page: Page, watched: WatchedPage) => Promise<void>,
): Promise<void> {
  await prefer({ ...PLAIN, ...preferences })
  const watched = await openPage(browser, app, look)
  await settled(watched.page)
  await work(watched.page, watched)
  expect(watched.complaints).toEqual([])
  await watched.context.close()
}

async function invoiceWith(owed: (amountDue: number, state: string) => boolean): Promise<string> {
  const { items } = (await callAsWindow(app, 'invoices.window', { offset: 0, limit: 50 }, book)) as Found
  const found = items.find(({ amountDue, state }) => owed(amountDue, state))
  if (!found) throw new Error('The books have no such invoice.')
  return found.id
}

const tip = (page: Page): Locator => page.locator('[data-key-tip]')
const keysIn = (box: Locator): Promise<string[]> => box.locator('kbd').allTextContents()
const MAIN_PAGES = [
  '/',
  '/invoices',
  '/contacts',
  '/received',
  '/payments',
  '/bank',
  '/taxes',
  '/ledger',
  '/registry',
  '/inbox',
  '/settings',
  '/settings/appearance',
  '/connect/assistants',
] as const

describe('keys', () => {
  test('stand on no page, and in the tooltip of a control by hover', { timeout: TEST_MS }, async () => {
    await inPage({ menu: 'all' }, {}, async (page) => {
      for (const path of MAIN_PAGES) {
        await visit(page, path)
        expect(await page.locator('.shell kbd').count(), path).toBe(0)
      }
      await visit(page, '/invoices')
      const create = page.getByRole('link', { name: 'Nueva factura' })
      expect(await create.getAttribute('aria-keyshortcuts')).toBe('N')
      await create.hover()
      await tip(page).waitFor()
      expect(await tip(page).innerText()).toContain('Nueva factura')
      expect(await keysIn(tip(page))).toEqual(['N'])
      expect(await axeFaults(page)).toEqual([])
      // It is inside the window, and the pointer may rest on it.
      const box = (await tip(page).boundingBox())!
      expect(box.x + box.width).toBeLessThanOrEqual(1280)
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
      await page.waitForTimeout(300)
      expect(await tip(page).count()).toBe(1)
      await page.mouse.move(640, 600)
      await tip(page).waitFor({ state: 'detached' })
      // A control that shows an icon alone has its name there, too.
      await page.getByRole('button', { name: 'Acciones' }).hover()
      await tip(page).getByText('Acciones').waitFor()
      expect(await keysIn(tip(page))).toEqual(['.'])
      await page.keyboard.press('Control')
      await tip(page).waitFor({ state: 'detached' })
    })
  })

  test('are shown by the keyboard’s focus, and closed by the next key', { timeout: TEST_MS }, async () => {
    await inPage({}, {}, async (page) => {
      await visit(page, '/invoices')
      const create = page.getByRole('link', { name: 'Nueva factura' })
      await page.getByRole('button', { name: 'Acciones' }).focus()
      // A focus that no key moved shows nothing.
      await page.waitForTimeout(400)
      expect(await tip(page).count()).toBe(0)
      await page.keyboard.press('Tab')
      expect(await create.evaluate((link) => link === document.activeElement)).toBe(true)
      await tip(page).waitFor()
      expect(await keysIn(tip(page))).toEqual(['N'])
      await page.keyboard.press('Shift')
      await tip(page).waitFor({ state: 'detached' })
      // A page of the menu has its chord.
      await page.getByRole('link', { name: 'Bandeja' }).focus()
      await page.keyboard.press('Tab')
      await tip(page).getByText('Facturas').waitFor()
      expect(await keysIn(tip(page))).toEqual(['G', 'F'])
    })
  })

  test('of one letter are not shown where they are turned off', { timeout: TEST_MS }, async () => {
    await inPage({ singleKeyShortcuts: false }, {}, async (page) => {
      await visit(page, '/invoices')
      const create = page.getByRole('link', { name: 'Nueva factura' })
      expect(await create.getAttribute('aria-keyshortcuts')).toBeNull()
      await create.hover()
      await page.waitForTimeout(800)
      expect(await tip(page).count()).toBe(0)
      await page.getByRole('button', { name: 'Acciones' }).hover()
      await tip(page).getByText('Acciones').waitFor()
      expect(await keysIn(tip(page))).toEqual([])
      await page.getByRole('button', { name: 'Buscar o hacer' }).hover()
      await tip(page).getByText('Buscar o hacer').waitFor()
      expect(await keysIn(tip(page))).toEqual(['Ctrl', 'K'])
      // The preference counts at once.
      await visit(page, '/settings/appearance')
      await page.getByRole('switch', { name: 'Atajos de una letra' }).click()
      await page.getByRole('link', { name: 'Bandeja' }).hover()
      await tip(page).getByText('Bandeja').waitFor()
      expect(await keysIn(tip(page))).toEqual(['G', 'B'])
    })
  })
})

describe('the text size', () => {
  for (const [textSize, width, theme, language] of [
    ['large', 1280, 'light', 'es'],
    ['larger', 1280, 'dark', 'es'],
    ['larger', 768, 'light', 'es'],
    ['larger', 768, 'dark', 'en'],
    ['large', 420, 'dark', 'es'],
    ['larger', 420, 'light', 'en'],
  ] as const)
    test(`${textSize} fits into ${width} px in ${language}`, { timeout: TEST_MS }, async () => {
      await inPage({ textSize, theme, language }, { width, theme, language }, async (page) => {
        const root = await page.evaluate(() =>
          parseFloat(getComputedStyle(document.documentElement).fontSize),
        )
        expect(root).toBe(textSize === 'large' ? 18 : 20)
        const unpaid = await invoiceWith((due, state) => due > 0 && state === 'issued')
        for (const path of [...MAIN_PAGES, `/invoices/${unpaid}`, '/invoices/new']) {
          await visit(page, path)
          expect(await overflows(page), path).toBe(false)
          const title = await page.locator('main h1').first().boundingBox()
          expect(title?.width ?? 0, `title of ${path}`).toBeGreaterThan(40)
          const wide = await page.evaluate(() =>
            [...document.querySelectorAll<HTMLElement>('main header')].map(
              (head) => head.scrollWidth - head.clientWidth,
            ),
          )
          expect(Math.max(0, ...wide), `header of ${path}`).toBeLessThanOrEqual(1)
        }
        // Rows grow with their text.
        await visit(page, '/invoices')
        const row = await page.locator('[role="grid"] [aria-rowindex="2"]').boundingBox()
        expect(Math.round(row?.height ?? 0)).toBe(textSize === 'large' ? 41 : 45)
      })
    })
})

describe('the main action', () => {
  const filled = (page: Page) =>
    page
      .locator('main header :is(button, a).bg-primary')
      .evaluateAll((all) => all.map((each) => (each as HTMLElement).innerText.trim()))

  test(
    'of an unpaid invoice records its payment, then that of the paid one is its PDF',
    { timeout: TEST_MS },
    async () => {
      await inPage({}, {}, async (page) => {
        const id = await invoiceWith((due, state) => due > 0 && state === 'issued')
        await visit(page, `/invoices/${id}`)
        expect(await filled(page)).toEqual(['Registrar cobro'])
        expect(await page.getByRole('button', { name: 'Registrar cobro' }).count()).toBe(1)
        await page.getByRole('button', { name: 'Registrar cobro' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Registrar', exact: true }).click()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await page.getByRole('button', { name: 'Registrar cobro' }).waitFor({ state: 'detached' })
        expect(await filled(page)).toEqual(['PDF'])
        expect(await invoiceOwes(id)).toBe(0)
      })
    },
  )

  async function invoiceOwes(id: string): Promise<number> {
    return ((await callAsWindow(app, 'invoices.get', { id }, book)) as { amountDue: number }).amountDue
  }

  test(
    'of a draft is issuing, and the key C on a row of the list records a payment',
    { timeout: TEST_MS },
    async () => {
      await inPage({}, {}, async (page) => {
        const draft = await invoiceWith((_due, state) => state === 'draft')
        await visit(page, `/invoices/${draft}`)
        expect(await filled(page)).toEqual(['Emitir en pruebas'])
        await visit(page, '/invoices?view=owed')
        await page.locator('[role="grid"] [aria-rowindex="2"]').focus()
        await page.keyboard.press('c')
        await page.getByRole('dialog').getByText('pendiente').waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        // A draft owes nothing.
        await visit(page, '/invoices?view=drafts')
        await page.locator('[role="grid"] [aria-rowindex="2"]').focus()
        await page.keyboard.press('c')
        await page.waitForTimeout(300)
        expect(await page.getByRole('dialog').count()).toBe(0)
      })
    },
  )

  test(
    'of an unpaid received invoice records its payment, until a field is changed',
    { timeout: TEST_MS },
    async () => {
      await inPage({}, {}, async (page) => {
        const { items } = (await callAsWindow(
          app,
          'received.window',
          { offset: 0, limit: 50 },
          book,
        )) as Found
        const bill = items.find(({ amountDue, state }) => amountDue > 0 && state === 'entered')
        await visit(page, `/received/${bill?.id}`)
        expect(await filled(page)).toEqual(['Registrar pago'])
        await page.locator('#received-number').fill('OTRO-1')
        await expect.poll(() => filled(page)).toEqual(['Guardar'])
        await page.locator('#received-number').press('Control+s')
        await expect.poll(() => filled(page)).toEqual(['Registrar pago'])
      })
    },
  )
})

describe('the menu', () => {
  const pages = (page: Page) => page.locator('nav[aria-label="Menú"] ul:visible a').allInnerTexts()

  test('of an owner unfolds the other pages, by keyboard too', { timeout: TEST_MS }, async () => {
    await inPage({}, {}, async (page) => {
      const first = await pages(page)
      expect(first.map((name) => name.split('\n')[0])).toEqual([
        'Inicio',
        'Bandeja',
        'Facturas',
        'Presupuestos',
        'Contactos',
        'Recibidas',
        'Banco',
        'Impuestos',
        'Ajustes',
        'Ayuda',
      ])
      const more = page.getByRole('button', { name: 'Más páginas' })
      await more.focus()
      await page.keyboard.press('Enter')
      expect(await page.getByRole('button', { name: 'Menos páginas' }).getAttribute('aria-expanded')).toBe(
        'true',
      )
      await page.getByRole('link', { name: 'Contabilidad' }).waitFor()
      expect(await axeFaults(page)).toEqual([])
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/recurring')
      // The open page is in the menu itself.
      await page.getByRole('button', { name: 'Menos páginas' }).click()
      expect(await pages(page)).toContain('Recurrentes')
      // Shortcuts reach every page.
      await page.keyboard.press('g')
      await page.keyboard.press('l')
      await page.waitForURL('**/ledger')
    })
  })

  test(
    'is chosen in the preferences, and changes the tabs of a page as well',
    { timeout: TEST_MS },
    async () => {
      await inPage({}, {}, async (page) => {
        await visit(page, '/ledger')
        const tabs = () => page.locator('main nav').getByRole('link').allInnerTexts()
        expect(await tabs()).toEqual(['Diario', 'Pérdidas y ganancias', 'Balance'])
        await page.getByRole('button', { name: 'Más', exact: true }).click()
        await page.getByRole('menuitem', { name: 'Cuentas' }).click()
        await page.waitForURL('**/ledger/chart')
        // The digit stays that of the whole list, and the open tab is in the row.
        expect((await tabs()).length).toBe(4)
        await page.keyboard.press('3')
        await page.waitForURL('**/ledger/trial')
        await visit(page, '/settings/appearance')
        await page.getByText('De contabilidad', { exact: true }).click()
        await page.getByRole('link', { name: 'Contabilidad' }).waitFor()
        expect(await pages(page)).toEqual(expect.arrayContaining(['Cobros y pagos', 'Registro AEAT']))
        expect(await axeFaults(page)).toEqual([])
        await visit(page, '/ledger')
        expect((await tabs()).length).toBe(5)
        await page.reload()
        await page.getByRole('link', { name: 'Registro AEAT' }).waitFor()
      })
    },
  )
})

test(
  'Sello opens with the chosen page; the home page stays one click away, also after a reload',
  { timeout: TEST_MS },
  async () => {
    await inPage({ startPage: 'invoices' }, {}, async (page) => {
      expect(new URL(page.url()).pathname).toBe('/invoices')
      await page.getByRole('link', { name: 'Inicio' }).click()
      await page.getByRole('heading', { name: 'Inicio', level: 1 }).waitFor()
      await page.reload()
      await page.getByRole('heading', { name: 'Inicio', level: 1 }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/')
    })
  },
)

test('backups are a page of the settings, found by their name', { timeout: TEST_MS }, async () => {
  await inPage({}, {}, async (page) => {
    await visit(page, '/settings')
    await page.getByRole('link', { name: 'Copias de seguridad' }).click()
    await page.getByRole('button', { name: 'Hacer una copia ahora' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/settings/backups')
    for (const typed of ['copia', 'backup']) {
      await page.keyboard.press('Control+k')
      await page.locator('[role="dialog"] input').fill(typed)
      await page.getByRole('option', { name: 'Copias de seguridad' }).first().waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  })
})
