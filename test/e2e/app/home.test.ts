/** Dashboard, palette and keyboard in the built app: work without a mouse, and across books. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import {
  callAsWindow,
  openPage,
  overflows,
  serveApp,
  sharedBrowser,
  visit,
} from '../../support/browser/browser.ts'
import type { ServedApp } from '../../support/browser/browser.ts'
import { inLongRun, swept } from '../../support/sweep.ts'
import { needs, tool } from '../../support/tools.ts'

let app: ServedApp
let browser: Browser

const test = needs('chromium')
const longTest = inLongRun(test)

beforeAll(async () => {
  if (!tool('chromium')) return
  app = await serveApp({ invoices: 60 })
  browser = await sharedBrowser()
}, 120_000)
afterAll(async () => {
  await app?.stop()
})

test('pages show that it is the test book', async () => {
  const { page, context, complaints } = await openPage(browser, app)
  const [first] = (
    (await callAsWindow(app, 'invoices.list', { limit: 1 }, await bookOf(page))) as {
      items: { id: string }[]
    }
  ).items
  const paths = ['/', '/inbox', '/taxes', '/registry', '/settings', `/invoices/${first?.id}`]
  for (const path of swept(paths, (each) => each === '/taxes' || each.startsWith('/invoices/'))) {
    await visit(page, path)
    expect(await page.title(), path).toMatch(/^\[PRUEBAS\] /)
    expect(await page.locator('section.hatched').count(), path).toBe(1)
    expect(await page.evaluate(() => document.documentElement.classList.contains('test')), path).toBe(true)
  }
  await page.keyboard.press('Escape')
  await page.waitForURL('**/invoices')
  expect(complaints).toEqual([])
  await context.close()
}, 240_000)

/** Returns the public id of the window's book. */
async function bookOf(page: Page): Promise<string> {
  const session = (await callAsWindow(app, 'session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  const mode = (await page.title()).startsWith('[PRUEBAS]') ? 'test' : 'live'
  return session.companies[0]?.books.find((book) => book.mode === mode)?.id ?? ''
}

test('the palette finds an invoice by its amount in Spanish notation, and opens it', async () => {
  const { page, context } = await openPage(browser, app)
  const { items } = (await callAsWindow(app, 'invoices.list', { limit: 40 }, await bookOf(page))) as {
    items: { number: string | null; total: number; state: string }[]
  }
  const wanted = items.find(({ state, total }) => state === 'issued' && total > 1000)
  expect(wanted).toBeDefined()
  const typed = new Intl.NumberFormat('es-ES', { minimumFractionDigits: 2, useGrouping: true }).format(
    wanted?.total ?? 0,
  )
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').or(page.locator('[role="dialog"] input')).first().fill(`${typed} €`)
  const hit = page.getByRole('option', { name: wanted?.number ?? '' })
  await hit.waitFor()
  await hit.click()
  await page.waitForURL('**/invoices/inv*')

  await visit(page, '/quotes')
  await page.keyboard.press('Control+k')
  await page.locator('[role="dialog"] input').fill('zzzznadie')
  await page.getByRole('option', { name: 'Nueva factura para «zzzznadie»' }).click()
  await page.waitForURL('**/invoices/new**')
  await page.waitForFunction(() =>
    [...document.querySelectorAll('input')].some((input) => input.value === 'zzzznadie'),
  )
  await context.close()
}, 120_000)

longTest(
  'the palette lists the page that matches a word before it offers an invoice to a new customer',
  async () => {
    const { page, context } = await openPage(browser, app)
    await page.keyboard.press('Control+k')
    await page.locator('[role="dialog"] input').fill('copia')
    const offer = page.getByRole('option', { name: 'Nueva factura para «copia»' })
    await offer.waitFor()
    const answers = await page.getByRole('option').allTextContents()
    expect(answers[0]).toContain('Copias de seguridad')
    expect(answers.findIndex((text) => text.includes('«copia»'))).toBeGreaterThan(0)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/settings/backups')
    await page.getByRole('button', { name: 'Hacer una copia ahora' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.locator('[role="dialog"] input').fill('código de recuperación')
    await page.getByRole('option', { name: 'Código de recuperación' }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/settings/security#recovery')
    await page.waitForFunction(() => document.activeElement?.id === 'recovery')
    // The page follows the card while the cards above load.
    const top = () => page.locator('#recovery').evaluate((card) => card.getBoundingClientRect().top)
    await expect.poll(top).toBeLessThan(300)
    expect(await top()).toBeGreaterThanOrEqual(0)
    await context.close()
  },
  90_000,
)

test('a user who stays on a page with unsaved changes stays in its book', async () => {
  const { page, context } = await openPage(browser, app)
  await visit(page, '/received/new')
  const supplier = page.locator('main input[type="text"], main input:not([type])').first()
  await supplier.fill('Proveedor a medias')
  await page.getByRole('button', { name: 'Ir al libro real' }).click()
  await page.getByRole('dialog').waitFor()
  await page.getByRole('button', { name: 'Seguir aquí' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await page.title()).toMatch(/^\[PRUEBAS\] /)
  expect(new URL(page.url()).pathname).toBe('/received/new')
  expect(await supplier.inputValue()).toBe('Proveedor a medias')
  await context.close()
}, 90_000)

longTest(
  'stacked elements are aligned: rows with their foot, icons with their labels, choices with each other',
  async () => {
    const { page, context } = await openPage(browser, app)
    await visit(page, '/invoices')
    const foot = page.locator('footer').last()
    await foot.getByText('Total').waitFor()
    const cell = page.locator('[role="row"][aria-rowindex="2"] [role="gridcell"]').last()
    await cell.waitFor()
    const inner = (await cell.locator('span').last().boundingBox()) ?? { x: 0, width: 0 }
    const total = (await foot.locator('> :last-child').boundingBox()) ?? { x: 0, width: 0 }
    expect(Math.abs(inner.x + inner.width - (total.x + total.width))).toBeLessThanOrEqual(1)

    await page.getByRole('button', { name: 'Acciones' }).last().click()
    const entry = page.getByRole('menuitem').first()
    await entry.waitFor()
    const middles = await entry.evaluate((item) => {
      const middle = (part: Element | null) => {
        const box = part?.getBoundingClientRect()
        return box ? box.top + box.height / 2 : Number.NaN
      }
      return [middle(item.querySelector('[class*="i-lucide"], svg')), middle(item)]
    })
    expect(Math.abs((middles[0] ?? 0) - (middles[1] ?? 0))).toBeLessThanOrEqual(1)
    await page.keyboard.press('Escape')

    await visit(page, '/contacts')
    const choice = page.locator('select.field').first()
    await choice.waitFor()
    expect(await choice.evaluate((field) => getComputedStyle(field).appearance)).toBe('none')
    expect(await choice.evaluate((field) => getComputedStyle(field).backgroundImage)).toContain('svg')
    const mails = page.locator('[data-cell="email"]')
    await mails.first().waitFor()
    expect(
      await mails.evaluateAll((cells) => cells.filter((each) => each.scrollWidth > each.clientWidth).length),
    ).toBe(0)

    // Entries have no numbers before their year is closed.
    await visit(page, '/ledger')
    await page.getByRole('columnheader', { name: 'Importe' }).waitFor()
    await page.locator('[role="row"][aria-rowindex="2"]').waitFor()
    expect(await page.getByRole('columnheader', { name: 'Asiento' }).count()).toBe(0)
    await context.close()
  },
  90_000,
)

test('a second company is set up to the end, and the first one is unchanged', async () => {
  const { page, context } = await openPage(browser, app)
  const before = await bookOf(page)
  await page
    .getByRole('button', { name: /Taller Norte/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Añadir empresa' }).click()
  await page.waitForURL('**/welcome')
  const made = (await callAsWindow(app, 'company.create', {
    legalName: 'Segunda Casa S.L.',
    nif: 'B87654323',
    kind: 'legal',
    address: { street: 'Calle Sol 2', postalCode: '28013', city: 'Madrid', province: 'Madrid' },
  }).catch((error: unknown) => error)) as { books?: unknown }
  expect(made).not.toBeInstanceOf(Error)
  await page.goto(app.url)
  await page.locator('h1').first().waitFor()
  await page.keyboard.press('Control+k')
  await page.locator('[role="dialog"] input').fill('Segunda Casa')
  // Among several companies each is found by its name.
  await page
    .getByRole('option', { name: /Segunda Casa/ })
    .first()
    .click()
  await page
    .getByRole('button', { name: /Segunda Casa/ })
    .first()
    .waitFor()
  await page.getByRole('heading', { name: 'Aquí verás' }).waitFor()
  const kept = (await callAsWindow(app, 'invoices.list', { limit: 1 }, before)) as { items: unknown[] }
  expect(kept.items).toHaveLength(1)
  await context.close()
}, 120_000)

test('the dashboard fits a small window, and every figure is a link', async () => {
  const { page, context } = await openPage(browser, app, { width: 420, height: 800, theme: 'dark' })
  await visit(page, '/')
  expect(await overflows(page)).toBe(false)
  const links = await page
    .locator('.heroes a')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  expect(links).toHaveLength(5)
  // One of each page: the others differ in the filter.
  const pageOf = (link: string | null) => link?.split('?')[0]
  const firstOfItsPage = (link: string | null, index: number) =>
    links.findIndex((each) => pageOf(each) === pageOf(link)) === index
  for (const link of swept(links, firstOfItsPage)) {
    await visit(page, link ?? '')
    expect(await page.getByText('Página no encontrada').count(), link ?? '').toBe(0)
  }
  await context.close()
}, 120_000)
