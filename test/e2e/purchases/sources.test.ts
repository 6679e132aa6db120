/** Where documents come from, in the window: a folder, a mailbox and the phone, with keyboard, faults and every look. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
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
import type { Look, ServedApp } from '../../support/browser/browser.ts'
import { swept } from '../../support/sweep.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')
const PATH = '/received/incoming/sources'

let app: ServedApp
let browser: Browser
let book = ''
let folder = ''

const ask = <Answer>(name: string, input: object = {}) =>
  callAsWindow(app, name, input, book) as Promise<Answer>

beforeAll(async () => {
  if (!tool('chromium')) return
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'sello-scans-')))
  app = await serveApp({ invoices: 1 })
  browser = await sharedBrowser()
  const { companies } = await ask<{ companies: { books: { id: string; mode: string }[] }[] }>('session.get')
  book = companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
  await ask('session.savePreferences', { activeBook: book, language: 'es' })
}, 120_000)
afterAll(async () => {
  await app?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function onPage(look: Look, walk: (page: Page) => Promise<void>): Promise<void> {
  const { page, context, complaints } = await openPage(browser, app, look)
  await visit(page, PATH)
  await settled(page)
  await walk(page)
  // A refused form is answered with 422, which the browser notes.
  expect(complaints.filter((each) => !each.includes('422'))).toEqual([])
  await context.close()
}

test(
  'a folder is set up, its files come by themselves, and it is paused and removed',
  { timeout: 90_000 },
  async () => {
    writeFileSync(join(folder, 'factura.pdf'), '%PDF-1.4\n%%EOF\n')
    await onPage({}, async (page) => {
      await page.getByText('Aún no viene nada solo').waitFor()
      await page.keyboard.press('f')
      await page.getByRole('dialog').getByLabel('Carpeta').fill('Escaneos')
      await page.getByRole('button', { name: 'Guardar y comprobar' }).click()
      await page.getByText('Escribe la ruta entera de la carpeta').waitFor()
      await page.getByRole('dialog').getByLabel('Carpeta').fill(folder)
      await page.getByRole('button', { name: 'Guardar y comprobar' }).click()
      await page.getByText('Se puede leer. Archivos que hay: 1.').waitFor()
      await page.getByText('1 documento', { exact: false }).first().waitFor({ timeout: 30_000 })
      await page.getByRole('button', { name: 'Pausar' }).click()
      await page.getByText('En pausa').waitFor()
      await page.getByRole('button', { name: 'Reanudar' }).click()
      await page.getByText('En marcha').waitFor()
      await page.getByRole('button', { name: 'Quitar' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Quitar' }).click()
      await page.getByText('Aún no viene nada solo').waitFor()
    })
    const { items } = await ask<{ items: { name: string; source: string }[] }>('incoming.list')
    expect(items).toEqual([expect.objectContaining({ name: 'factura.pdf', source: 'folder' })])
  },
)

test('a mailbox says at its fields what is wrong', { timeout: 60_000 }, async () => {
  await onPage({}, async (page) => {
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Proveedor', { exact: true }).selectOption('other')
    await dialog.getByLabel('Servidor IMAP').fill('127.0.0.1')
    await dialog.getByLabel('Usuario').fill('ana@talleres.example')
    await dialog.getByLabel('Contraseña', { exact: true }).fill('secreta')
    await page.getByRole('button', { name: 'Guardar y comprobar' }).click()
    await dialog.getByText('Eso es este equipo: escribe el servidor de tu proveedor').waitFor()
    await dialog.getByLabel('Proveedor', { exact: true }).selectOption('microsoft')
    await dialog.getByRole('textbox', { name: 'Identificador de cliente' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Aún no viene nada solo').waitFor()
  })
})

test('the languages of scans are chosen: a main one and two more, in that order', async () => {
  const languages = async () => (await ask<{ languages: string[] }>('incoming.settings')).languages
  await onPage({}, async (page) => {
    const main = page.getByLabel('El más frecuente')
    await main.waitFor()
    expect(await main.inputValue()).toBe('spa')
    await page.getByLabel('Catalán').check()
    await page.getByText('Guardado', { exact: true }).waitFor()
    await expect.poll(languages).toEqual(['spa', 'cat'])
    await page.getByLabel('Inglés').check()
    await expect.poll(languages).toEqual(['spa', 'cat', 'eng'])
    expect(await page.getByLabel('Euskera').isDisabled()).toBe(true)
    // The earlier main language is read on, as the next.
    await main.selectOption('cat')
    await expect.poll(languages).toEqual(['cat', 'spa', 'eng'])
    expect(await page.getByLabel('Catalán').count()).toBe(0)
    expect(await page.getByLabel('Español').isChecked()).toBe(true)
    await page.getByLabel('Inglés').uncheck()
    await expect.poll(languages).toEqual(['cat', 'spa'])
    await main.selectOption('eus')
    await expect.poll(languages).toEqual(['eus', 'cat', 'spa'])
    await page.reload()
    await main.waitFor()
    expect(await main.inputValue()).toBe('eus')
  })
})

const LOOKS = [
  ['es', 'light', 1280],
  ['en', 'dark', 1280],
  ['es', 'dark', 420],
  ['en', 'light', 420],
] as const
test.each(swept(LOOKS, ([language, , width]) => (language === 'en' ? width === 1280 : width === 420)))(
  'the page and its dialogs are accessible and fit (%s, %s, %s wide)',
  { timeout: 90_000 },
  async (language, theme, width) => {
    await ask('session.savePreferences', { language, theme })
    const { id } = await ask<{ id: string }>('incoming.addSource', {
      name: 'Escáner',
      folder: { path: folder },
    })
    await ask('incoming.checkSource', { id })
    await onPage({ language, theme, width }, async (page) => {
      expect(await axeFaults(page)).toEqual([])
      expect(await overflows(page)).toBe(false)
      for (const key of ['c', 'f', 'p']) {
        await page.keyboard.press(key)
        await page.getByRole('dialog').waitFor()
        await settled(page)
        expect([key, await axeFaults(page)]).toEqual([key, []])
        expect([key, await overflows(page)]).toEqual([key, false])
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
    })
    await ask('incoming.removeSource', { id })
    await ask('session.savePreferences', { language: 'es', theme: 'system' })
  },
)
