/** Five hundred companies in one window: found, switched and recognized, by keyboard alone. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
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
import { personalNif } from '../../support/nif.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')
const TEST_MS = 180_000
const COMPANIES = 500
const TRADES = ['Bar', 'Taller', 'Clínica', 'Panadería', 'Bufete', 'Ferretería', 'Óptica', 'Librería']
const NAMES = ['Núñez', 'Peña', 'Álvarez', 'Ibáñez', 'Gómez', 'Güell', 'Rubio', 'Soler', 'Vidal', 'Zorita']
/** Where pictures of the pages go, if somebody wants to look at them. */
const PICTURES = process.env.SELLO_PICTURES

interface Company {
  id: string
  nif: string
  books: { id: string; mode: string }[]
}

const PURCHASE = {
  supplierName: 'Papelería Sol',
  supplierNif: personalNif(41_000_001),
  supplierNumber: 'P-1',
  issueDate: '2026-11-03',
  receptionDate: '2026-11-05',
  concept: 'G12',
  taxLines: [{ base: 100, vatRate: 21 }],
}
const DRAFT = {
  clientName: 'Cliente de prueba',
  clientNif: personalNif(41_000_002),
  lines: [{ description: 'Trabajo', quantity: 1, unitPrice: 50 }],
}

let app: ServedApp
let browser: Browser
let first: Company
let ibanez: Company

const nameOf = (nth: number): string =>
  `${TRADES[nth % TRADES.length]} ${NAMES[Math.floor(nth / TRADES.length) % NAMES.length]} ${nth}`
const call = async <Answer>(name: string, input: object, book?: string): Promise<Answer> =>
  (await callAsWindow(app, name, input, book)) as Answer

async function picture(page: Page, name: string): Promise<void> {
  if (!PICTURES) return
  mkdirSync(PICTURES, { recursive: true })
  await page.screenshot({ path: join(PICTURES, `${name}.png`) })
}

beforeAll(async () => {
  if (!tool('chromium')) return
  app = await serveApp({ invoices: 3 })
  browser = await sharedBrowser()
  const made: string[] = []
  for (let nth = 1; nth < COMPANIES; nth++) {
    const { companyId } = await call<{ companyId: string }>('company.create', {
      nif: personalNif(30_000_000 + nth),
      legalName: nameOf(nth),
      address: { street: 'Calle Mayor 1', postalCode: '28013', city: 'Madrid', country: 'ES' },
    })
    made.push(companyId)
  }
  const list = (text: string) => call<{ items: Company[] }>('companies.list', { text })
  const [one] = (await call<{ companies: Company[] }>('session.get', {})).companies
  const [other] = (await list('ibanez')).items
  if (!one || !other) throw new Error('The companies were not made.')
  first = one
  ibanez = other
  const [favourite = '', ...others] = made
  await call('companies.setFavourite', { companyId: favourite, favourite: true })
  await call('companies.setGroup', { companyIds: others.slice(0, 20), group: 'Hostelería' })
  const [last] = (await list(`${COMPANIES - 1}`)).items
  if (!last) throw new Error('The last one was not made.')
  await call('companies.archive', {}, testBook(last))
  await call('session.savePreferences', { activeBook: testBook(first), language: 'es' })
}, TEST_MS)
afterAll(async () => {
  await app?.stop()
})

const testBook = ({ books }: Company): string => books.find(({ mode }) => mode === 'test')?.id ?? ''
const field = (page: Page) => page.getByRole('combobox', { name: /Buscar empresa|Find a company/ })
const activeName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const id = document.querySelector('[role="combobox"]')?.getAttribute('aria-activedescendant') ?? ''
    return document.getElementById(id)?.getAttribute('aria-label') ?? ''
  })

async function openSwitcher(page: Page): Promise<void> {
  await page.locator('body').press('g')
  await page.locator('body').press('o')
  await field(page).waitFor()
  await page.locator('[role="row"]').first().waitFor()
}

test(
  'a company is found and opened by keyboard, in the book of the same mode, and the window says which it is',
  async () => {
    const { page, context, complaints } = await openPage(browser, app)
    await settled(page)
    await openSwitcher(page)
    expect(await field(page).evaluate((element) => document.activeElement === element)).toBe(true)
    await page.getByText(`${COMPANIES} empresas`).waitFor()
    // Only the rows in view are drawn.
    expect(await page.locator('[role="row"]').count()).toBeLessThan(40)
    await picture(page, 'switcher-es-light-1280')
    expect(await axeFaults(page)).toEqual([])

    const startedAt = Date.now()
    await field(page).fill('ibanez')
    await expect.poll(() => activeName(page)).toMatch(/Ibáñez/)
    expect(Date.now() - startedAt).toBeLessThan(2_000)
    await page.keyboard.press('Enter')
    await settled(page)
    const { preferences } = await call<{ preferences: { activeBook: string } }>('session.get', {})
    expect(preferences.activeBook).toBe(testBook(ibanez))
    await expect.poll(() => page.title()).toMatch(/^\[PRUEBAS\] \p{L}{1,2} · .*Ibáñez/u)
    await page.getByRole('button', { name: /Ibáñez.*Cambiar de libro/ }).waitFor()
    await picture(page, 'home-es-light-1280')
    expect(complaints).toEqual([])
    await context.close()
  },
  TEST_MS,
)

test(
  'arrows reach the end of the archive, the other book and the star, and the palette finds companies too',
  async () => {
    await call('session.savePreferences', { activeBook: testBook(first) })
    const { page, context, complaints } = await openPage(browser, app)
    await settled(page)
    await openSwitcher(page)
    // Each key waits for nothing: the list follows, and loads what comes into view.
    const startedAt = Date.now()
    for (let step = 0; step < 120; step++) await page.keyboard.press('PageDown')
    await expect.poll(() => activeName(page), { timeout: 15_000 }).toMatch(/./)
    for (let step = 0; step < 40; step++) await page.keyboard.press('PageDown')
    await expect
      .poll(() => page.locator('[role="row"]').last().innerText(), { timeout: 10_000 })
      .toMatch(/499/)
    const perKey = (Date.now() - startedAt) / 160
    expect(perKey).toBeLessThan(100)
    await page.getByText('Archivadas').waitFor()
    expect(await activeName(page)).toMatch(/libro de pruebas/)
    await page.keyboard.press('ArrowRight')
    expect(await activeName(page)).toMatch(/^Recuperar/)
    await page.keyboard.press('Enter')
    await page.getByText('vuelve a estar en la lista').first().waitFor()

    await field(page).fill('soler')
    await expect.poll(() => activeName(page)).toMatch(/Soler/)
    await page.keyboard.press('ArrowLeft')
    expect(await activeName(page)).toMatch(/libro real/)
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight')
    expect(await activeName(page)).toMatch(/favoritas/)
    await page.keyboard.press('Enter')
    await expect.poll(() => activeName(page)).toMatch(/^Quitar .* favoritas/)
    await page.keyboard.press('Escape')
    await field(page).waitFor({ state: 'detached' })

    await page.keyboard.press('Control+k')
    await page
      .getByRole('dialog')
      .getByRole('textbox')
      .or(page.getByRole('dialog').getByRole('combobox'))
      .first()
      .fill('gomez')
    await page.getByRole('option', { name: /Gómez/ }).first().waitFor()
    await picture(page, 'palette-es-light-1280')
    await page.getByRole('option', { name: /Gómez/ }).first().click()
    await expect.poll(() => page.title()).toMatch(/Gómez/)
    expect(complaints).toEqual([])
    await context.close()
  },
  TEST_MS,
)

test(
  'all of it fits and is legible at every width, in both languages and themes',
  async () => {
    await call('session.savePreferences', { activeBook: testBook(ibanez) })
    for (const { width, theme, language } of [
      { width: 1280, theme: 'dark', language: 'en' },
      { width: 768, theme: 'light', language: 'es' },
      { width: 420, theme: 'light', language: 'en' },
      { width: 420, theme: 'dark', language: 'es' },
    ] as const) {
      await call('session.savePreferences', { language, theme })
      const { page, context } = await openPage(browser, app, { width, theme, language })
      await settled(page)
      const look = `${language}-${theme}-${width}`
      await picture(page, `home-${look}`)
      expect(await overflows(page), look).toBe(false)
      await openSwitcher(page)
      await picture(page, `switcher-${look}`)
      expect(await overflows(page), look).toBe(false)
      expect(await axeFaults(page), look).toEqual([])
      await page.keyboard.press('Escape')
      await visit(page, '/settings')
      await page.locator('#company-mark').scrollIntoViewIfNeeded()
      await picture(page, `settings-${look}`)
      expect(await axeFaults(page), look).toEqual([])
      await page.getByRole('button', { name: /^(Eliminar|Delete)…$/ }).click()
      await page.locator('#company-end-nif').waitFor()
      await picture(page, `end-${look}`)
      expect(await axeFaults(page), look).toEqual([])
      await context.close()
    }
    await call('session.savePreferences', { language: 'es', theme: 'light' })
  },
  TEST_MS,
)

test(
  'a company that the law holds is archived instead, says so, and asks before it issues under which name',
  async () => {
    const live = ibanez.books.find(({ mode }) => mode === 'live')?.id ?? ''
    await call('received.create', PURCHASE, live)
    await call('session.savePreferences', { activeBook: live, language: 'es', theme: 'light' })
    const { page, context, complaints } = await openPage(browser, app)
    await settled(page)
    await visit(page, '/settings')
    await page.getByRole('button', { name: 'Eliminar…' }).click()
    await page.getByRole('cell', { name: /^Facturas recibidas/ }).waitFor()
    expect(await page.getByRole('dialog').innerText()).toMatch(/se podrá eliminar el .*2033/)
    expect(await axeFaults(page)).toEqual([])
    await picture(page, 'end-held-es-light-1280')
    await page.getByRole('button', { name: 'Archivar mientras tanto' }).click()
    await page.getByText('Empresa archivada', { exact: true }).first().waitFor()
    await settled(page)
    await picture(page, 'archived-es-light-1280')
    await expect(call('received.create', { ...PURCHASE, supplierNumber: 'P-2' }, live)).rejects.toThrow(
      'company_archived',
    )
    await page
      .getByRole('region', { name: 'Empresa archivada' })
      .getByRole('button', { name: 'Recuperar' })
      .click()
    await page.getByRole('region', { name: 'Empresa archivada' }).waitFor({ state: 'detached' })

    const { id } = await call<{ id: string }>('invoices.create', DRAFT, testBook(ibanez))
    await openSwitcher(page)
    await field(page).fill(ibanez.nif)
    // Faster than the search: nobody may land in another company.
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.title()).toMatch(/^\[PRUEBAS\] .*Ibáñez/)
    await settled(page)
    await visit(page, `/invoices/${id}/edit`)
    await page.getByRole('button', { name: /^Emitir en pruebas/ }).click()
    await page.getByRole('dialog').getByText(ibanez.nif).first().waitFor()
    await picture(page, 'issue-es-light-1280')
    expect(await axeFaults(page)).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  },
  TEST_MS,
)

test(
  'adding a company asks for the number first, says when it is here already, and is deleted by its number',
  async () => {
    const { page, context, complaints } = await openPage(browser, app)
    await settled(page)
    await visit(page, '/welcome')
    await page.locator('#welcome-nif').fill(personalNif(30_000_000 + 7))
    await page.getByRole('button', { name: 'Buscar sus datos' }).click()
    await page.getByText('Ese NIF ya está en Sello').waitFor()
    await picture(page, 'welcome-exists')
    await page.getByRole('button', { name: 'Abrir esa empresa' }).click()
    await expect.poll(() => page.title()).toContain(nameOf(7))

    await visit(page, '/settings')
    await page.getByRole('button', { name: 'Eliminar…' }).click()
    const confirm = page.getByRole('button', { name: 'Eliminar para siempre' })
    await page.locator('#company-end-nif').fill(personalNif(30_000_008))
    expect(await confirm.isDisabled()).toBe(true)
    await page.locator('#company-end-nif').fill(personalNif(30_000_007).toLowerCase())
    await confirm.click()
    await page.getByText(`${nameOf(7)} se ha eliminado`, { exact: true }).waitFor()
    const { items } = await call<{ items: unknown[] }>('companies.list', { text: personalNif(30_000_007) })
    expect(items).toEqual([])
    expect(await call('companies.ended', {})).toMatchObject({ items: [{ legalName: nameOf(7) }] })

    // What has ended has a page: one that the law holds, one that nothing holds, and the deleted one.
    const held = ibanez.books.find(({ mode }) => mode === 'live')?.id ?? ''
    const free = (await call<{ items: Company[] }>('companies.list', { text: personalNif(30_000_008) }))
      .items[0]
    const freeBook = free?.books.find(({ mode }) => mode === 'live')?.id ?? ''
    await call('companies.archive', {}, held)
    await call('companies.archive', {}, freeBook)
    for (const [language, theme] of [
      ['es', 'light'],
      ['en', 'dark'],
    ] as const) {
      await call('session.savePreferences', { language, theme })
      await page.reload()
      await visit(page, '/settings/archive')
      const rows = page.getByRole('main').getByRole('listitem')
      const one = rows.filter({ hasText: ibanez.nif })
      await one.getByText(/(eliminar el|deleted on) .*2033/).waitFor()
      await one.getByRole('button', { name: /^(Qué se conserva|What stays)/ }).click()
      await one.getByRole('cell', { name: /^(Facturas recibidas|Invoices received)/ }).waitFor()
      expect(await one.getByRole('button', { name: /^(Eliminar|Delete)/ }).count()).toBe(0)
      await rows
        .filter({ hasText: nameOf(8) })
        .getByRole('button', { name: /^(Eliminar|Delete)/ })
        .waitFor()
      await rows.filter({ hasText: nameOf(7) }).waitFor()
      expect(await axeFaults(page)).toEqual([])
      for (const width of [1280, 768, 420]) {
        await page.setViewportSize({ width, height: 900 })
        await settled(page)
        expect(await overflows(page), `${language} ${width}`).toBe(false)
        await picture(page, `ended-${language}-${theme}-${width}`)
      }
      await page.setViewportSize({ width: 1280, height: 900 })
    }
    await page
      .getByRole('listitem')
      .filter({ hasText: ibanez.nif })
      .getByRole('button', { name: /^Take back/ })
      .click()
    await page.getByText('Archived (2)').waitFor()
    await page.getByRole('button', { name: `Delete ${nameOf(8)}`, exact: true }).click()
    await expect.poll(() => page.title()).toContain(nameOf(8))
    await page.getByRole('heading', { name: 'Archive or delete' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  },
  TEST_MS,
)
