/** The console in a browser: what companies need, filters and views, notes, work over several, and into their books. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import {
  axeFaults,
  callAsWindow,
  openPage,
  serveApp,
  sharedBrowser,
  visit,
} from '../../support/browser/browser.ts'
import type { Look, ServedApp } from '../../support/browser/browser.ts'
import { companyNif } from '../../support/office/clients.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')
const CLIENTS = 5

let app: ServedApp
let browser: Browser

const ask = <T>(name: string, input: object, book?: string) =>
  callAsWindow(app, name, input, book) as Promise<T>

beforeAll(async () => {
  if (!tool('chromium')) return
  browser = await sharedBrowser()
  app = await serveApp({ invoices: 0 })
}, 180_000)

afterAll(async () => {
  await app?.stop()
})

async function onPage(path: string, work: (page: Page) => Promise<void>, look: Look = {}): Promise<void> {
  const { page, context, complaints } = await openPage(browser, app, look)
  await visit(page, path)
  await work(page)
  expect(complaints).toEqual([])
  await context.close()
}

test('an owner of one company sees nothing of it', async () => {
  await onPage('/', async (page) => {
    await page.getByRole('link', { name: 'Facturas', exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'Despacho' }).count()).toBe(0)
  })
  for (let number = 1; number <= CLIENTS; number++)
    await ask('company.create', { legalName: `Cliente ${number}, S.L.`, nif: companyNif(3_000_000 + number) })
})

test('companies are filtered by what they need, and a filter is saved as a view', async () => {
  await onPage('/', async (page) => {
    await page.getByRole('link', { name: 'Despacho' }).click()
    const grid = page.getByRole('grid', { name: 'Despacho' })
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(String(CLIENTS + 2))
    // Nobody has a certificate; it is computed by itself.
    const card = page.getByRole('button', { name: /^Certificado \d/ })
    await expect.poll(() => card.innerText(), { timeout: 20_000 }).toContain(String(CLIENTS + 1))
    expect(await axeFaults(page)).toEqual([])
    await card.click()
    await page.waitForURL((url) => url.searchParams.get('cards') === 'certificate')
    await page.getByLabel('Buscar empresa').fill('cliente 3')
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('2')
    await page.getByRole('button', { name: 'Vistas' }).click()
    await page.getByRole('menuitem', { name: /Guardar este filtro/ }).click()
    await page.getByLabel('Nombre de la vista').fill('Sin certificado')
    await page.getByRole('dialog').getByRole('button', { name: 'Guardar' }).click()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })
  await onPage('/console', async (page) => {
    await page.getByRole('button', { name: 'Vistas' }).click()
    await page.getByRole('menuitem', { name: 'Sin certificado', exact: true }).click()
    await page.waitForURL((url) => url.searchParams.get('cards') === 'certificate')
    await expect
      .poll(() => page.getByRole('grid', { name: 'Despacho' }).getAttribute('aria-rowcount'))
      .toBe('2')
  })
})

test('groups and favourites of the person choose the rows, also in a view', async () => {
  const { items } = await ask<{ items: { id: string; legalName: string }[] }>('companies.list', {
    text: 'Cliente',
  })
  const idOf = (number: number) => items.find(({ legalName }) => legalName.includes(` ${number},`))?.id ?? ''
  await ask('companies.setGroup', { companyIds: [idOf(1), idOf(2)], group: 'Tiendas' })
  await ask('companies.setFavourite', { companyId: idOf(4), favourite: true })
  await onPage('/console', async (page) => {
    const grid = page.getByRole('grid', { name: 'Despacho' })
    const group = page.getByLabel('Grupo', { exact: true })
    await group.selectOption('Tiendas')
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('3')
    await page.waitForURL((url) => url.searchParams.get('group') === 'Tiendas')
    await group.selectOption({ label: '★ Favoritas (1)' })
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('2')
    await page.getByRole('row', { name: /Cliente 4.*Favorita/ }).waitFor()
    expect(new URL(page.url()).searchParams.get('group')).toBeNull()
    expect(await axeFaults(page)).toEqual([])
    await group.selectOption('')
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(String(CLIENTS + 2))
  })
})

test('a narrow window has tiles, with the keys of the rows and an order of its own', async () => {
  await onPage(
    '/console?sort=name',
    async (page) => {
      const tile = page.getByRole('row', { name: /Cliente 2/ })
      await tile.getByText('Certificado').waitFor({ timeout: 20_000 })
      expect((await tile.boundingBox())?.height).toBeGreaterThan(80)
      await page.getByLabel('Orden').selectOption('certificate')
      await page.waitForURL((url) => url.searchParams.get('sort') === 'certificate')
      await tile.getByRole('button', { name: 'Seleccionar Cliente 2, S.L.' }).click()
      expect(await tile.getAttribute('aria-selected')).toBe('true')
      await tile.focus()
      await page.keyboard.press('x')
      expect(await tile.getAttribute('aria-selected')).toBe('false')
      await page.keyboard.press('m')
      await page.getByPlaceholder('Escribe una nota corta').waitFor()
    },
    { width: 420 },
  )
})

test('packs of several companies are made with an outcome for each, and downloaded', async () => {
  await onPage('/console', async (page) => {
    await page.getByRole('row').nth(2).waitFor()
    await page.getByRole('button', { name: 'Seleccionar todas' }).click()
    await page.getByRole('button', { name: 'Paquete trimestral', exact: true }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Empezar con 6/ })
      .click()
    const download = page.getByRole('button', { name: 'Descargar los 6 archivos' })
    await download.waitFor({ timeout: 60_000 })
    expect(await axeFaults(page)).toEqual([])
    const file = page.waitForEvent('download')
    await download.click()
    expect((await file).suggestedFilename()).toMatch(/^empresas-.*\.zip$/)
  })
})

test('a note is written by keyboard, and a row leads into the books, which keep that', async () => {
  await onPage('/console?sort=name', async (page) => {
    const row = page.getByRole('row', { name: /Cliente 2/ })
    await row.focus()
    await page.keyboard.press('m')
    await page.getByPlaceholder('Escribe una nota corta').fill('Falta la luz de agosto')
    await page.getByRole('button', { name: 'Añadir nota' }).click()
    await page.getByText('Falta la luz de agosto', { exact: true }).waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Abrir sus libros' }).click()
    await page.waitForURL((url) => url.pathname === '/')
    await expect.poll(() => page.title()).toContain('Cliente 2')
  })
  const session = await ask<{ companies: { legalName: string; books: { id: string; mode: string }[] }[] }>(
    'session.get',
    {},
  )
  const book = session.companies
    .find(({ legalName }) => legalName === 'Cliente 2, S.L.')
    ?.books.find(({ mode }) => mode === 'live')
  const { count } = await ask<{ count: number }>('audit.window', { action: 'books.entered' }, book?.id)
  expect(count).toBe(1)
})

for (const [width, language, theme] of [
  [1280, 'en', 'dark'],
  [768, 'es', 'dark'],
  [420, 'en', 'light'],
] as const)
  test(`nothing is cut off at ${width} pixels, in ${language} and ${theme}`, async () => {
    await onPage(
      '/console',
      async (page) => {
        await page.getByRole('row').nth(2).waitFor()
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
        expect(await axeFaults(page)).toEqual([])
        if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/console-${width}.png` })
      },
      { width, language, theme },
    )
  })
