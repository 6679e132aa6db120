/** Faults in the window, at start-up and at run time, each with its way out taken to the end. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, vi } from 'vitest'
import {
  axeFaults,
  callAsWindow,
  openPage,
  overflows,
  sharedBrowser,
  visit,
} from '../../support/browser/browser.ts'
import { copyBooks } from '../../support/browser/prepared-books.ts'
import { SCHEMA_VERSION } from '../../../server/db/migrations/version.ts'
import { storedBooks } from '../../support/stages/upgrade.ts'
import { letIn } from '../../support/browser/admission.ts'
import { serveWindow } from '../../support/browser/served-window.ts'
import { inLongRun, swept } from '../../support/sweep.ts'
import { needs, tool } from '../../support/tools.ts'
import {
  canMount,
  damage,
  makeBooks,
  makeNewer,
  newFolder,
  smallDisk,
} from '../../support/stages/unopenable-books.ts'

const test = needs('chromium')
const longTest = inLongRun(test)
const LOOKS = [
  { language: 'es', theme: 'light', width: 1280 },
  { language: 'en', theme: 'dark', width: 420 },
] as const

let browser: Browser
beforeAll(async () => {
  if (tool('chromium')) browser = await sharedBrowser()
}, 60_000)

const heading = (page: Page): Promise<string> => page.locator('h1').first().innerText()

async function fits(page: Page, what: string): Promise<void> {
  expect([what, await axeFaults(page), await overflows(page)]).toEqual([what, [], false])
}

describe('books that cannot be opened', () => {
  const SPOILT: [string, (folder: string) => void, string, string][] = [
    ['damaged', damage, 'Los datos están dañados', 'The data are damaged'],
    ['newer', makeNewer, 'Estos datos son de un Sello más nuevo', 'These data are from a newer Sello'],
    [
      'missing',
      (folder) => rmSync(join(folder, 'sello.db')),
      'Faltan los datos en esta carpeta',
      'The data are missing in this folder',
    ],
  ]
  // Missing ones are also met by the test that opens another folder.
  test.each(swept(SPOILT, ([name]) => name !== 'missing'))(
    '%s ones are reported',
    { timeout: 90_000 },
    async (name, spoil, es, en) => {
      const { folder } = await makeBooks()
      spoil(folder)
      const app = await serveWindow(folder)
      // Each in one look, in turns.
      for (const look of swept(LOOKS, (_, index) => index === Number(name === 'newer'))) {
        const { page, context, complaints } = await openPage(browser, app, look)
        await page.getByRole('heading', { name: look.language === 'es' ? es : en }).waitFor()
        await page.locator('summary').click()
        expect(await overflows(page)).toBe(false)
        // The one error with which the server reports that the books are closed.
        expect(complaints.filter((each) => !each.includes('503'))).toEqual([])
        await context.close()
      }
    },
  )

  test('a lost key: pasting the recovery code opens the requested address', { timeout: 90_000 }, async () => {
    const { folder, code } = await makeBooks()
    const key = readFileSync(join(folder, 'master.key'), 'utf8')
    rmSync(join(folder, 'master.key'))
    const app = await serveWindow(folder)
    const { page, context } = await openPage(browser, app, LOOKS[0])
    await page.getByRole('heading', { name: 'Falta la llave de tus datos' }).waitFor()
    await page.getByRole('button', { name: 'Reintentar' }).click()
    await page.getByText('Sigue igual.').waitFor()
    await page.getByRole('button', { name: 'Usar el código de recuperación' }).click()
    const first = page.getByLabel('Grupo 1')
    await first.fill('ABCU')
    await page.getByText('El grupo 1 tiene una letra que no aparece nunca.').waitFor()
    await first.fill('AAAABBBBCCCCDDDDEEEEFFFFGGGG')
    await page.getByRole('button', { name: 'Abrir mis datos' }).click()
    await page.getByText('Revísalos: las letras I, L, O y U no aparecen nunca.').waitFor()
    await first.fill(code.toLowerCase())
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: '¿Quién factura?' }).waitFor({ timeout: 20_000 })
    expect(readFileSync(join(folder, 'master.key'), 'utf8')).toBe(key)
    await context.close()
  })

  longTest(
    'a second start finds the first; if that one has no page, another folder can be opened',
    { timeout: 90_000 },
    async () => {
      const { folder } = await makeBooks()
      const first = await serveWindow(folder)
      const second = await serveWindow(folder)
      expect(second.line).toMatchObject({ uiUrl: `${first.url}/`, alreadyOpen: true })
      await first.stop()
      writeFileSync(join(folder, 'plain'), '')
      const app = await serveWindow(join(folder, 'plain'))
      const { page, context } = await openPage(browser, app, LOOKS[1])
      await page.getByRole('heading', { name: 'That folder cannot be used' }).waitFor()
      await page.getByRole('button', { name: 'Choose another folder' }).click()
      await page.getByLabel('Another folder').fill(newFolder())
      await page.keyboard.press('Enter')
      await page.getByText('The data are missing in this folder').waitFor()
      await page.getByLabel('Another folder').fill(folder)
      await page.keyboard.press('Enter')
      await page.waitForURL(/welcome/, { timeout: 20_000 })
      await context.close()
    },
  )

  needs('chromium', 'gnome-keyring-daemon', 'dbus-run-session')(
    'a real keychain: locked it says so, and the code opens the books this once',
    { timeout: 120_000 },
    async () => {
      const home = newFolder()
      for (const name of ['run', 'data']) mkdirSync(join(home, name), { mode: 0o700 })
      const env = {
        PATH: process.env.PATH,
        HOME: home,
        XDG_RUNTIME_DIR: join(home, 'run'),
        XDG_DATA_HOME: join(home, 'data'),
        XDG_CONFIG_HOME: join(home, 'config'),
        XDG_CACHE_HOME: join(home, 'cache'),
      }
      const session = (daemon: string) => [
        'dbus-run-session',
        '--',
        'sh',
        '-c',
        `${daemon} --components=secrets >/dev/null; exec "$@"`,
        'sh',
      ]
      const unlocked = session('printf "pw\\n" | gnome-keyring-daemon --unlock')
      const folder = join(home, 'books')
      mkdirSync(folder)
      const open = await serveWindow(folder, { env, through: unlocked })
      const shown = (await callAsWindow(open, 'recovery.reveal', {})) as { code: string; groups: string[] }
      await callAsWindow(open, 'recovery.confirm', {
        groups: [0, 1].map((index) => ({ index, text: shown.groups[index] ?? '' })),
      })
      await open.stop()
      const app = await serveWindow(folder, { env, through: session('gnome-keyring-daemon --start') })
      expect(app.line.trouble).toBe('keychain_locked')
      const { page, context } = await openPage(browser, app, LOOKS[0])
      await page.getByRole('heading', { name: 'El llavero está cerrado' }).waitFor()
      await fits(page, 'keychain')
      await page.getByRole('button', { name: 'Usar el código de recuperación' }).click()
      await page.getByLabel('Grupo 1').fill(shown.code)
      expect(await page.getByLabel(/^No guardarla/).isChecked()).toBe(true)
      await page.keyboard.press('Enter')
      await page.waitForURL(/welcome/, { timeout: 20_000 })
      await context.close()
      await app.stop()
    },
  )
})

describe('while working', () => {
  const withCompany = (folder: string): Promise<void> => copyBooks(folder, { invoices: 0, sandbox: false })

  test(
    'a server that stops is reported without losing typed text, and recovers by itself',
    { timeout: 120_000 },
    async () => {
      const folder = newFolder()
      await withCompany(folder)
      const app = await serveWindow(folder)
      const { page, context } = await openPage(browser, app, LOOKS[0])
      await page.getByRole('link', { name: 'Contactos' }).first().click()
      await page.getByRole('heading', { name: 'Contactos', level: 1 }).waitFor()
      const search = page.getByRole('searchbox').or(page.locator('main input')).first()
      await search.fill('Taller')
      await app.kill()
      await page
        .locator('[data-trouble="server"]')
        .getByText('Sello no responde')
        .waitFor({ timeout: 15_000 })
      const again = await serveWindow(folder, { port: new URL(app.url).port })
      expect(again.url).toBe(app.url)
      // The restart opens the browser again, and the open tab continues.
      await letIn(again, context)
      await page.locator('[data-trouble="server"]').waitFor({ state: 'detached', timeout: 20_000 })
      expect([await heading(page), await search.inputValue()]).toEqual(['Contactos', 'Taller'])
      await context.close()
    },
  )

  needs('chromium').skipIf(!canMount())(
    'a full disk: reading goes on, and the banner leaves once there is room',
    { timeout: 120_000 },
    async () => {
      const disk = smallDisk(12 * 1024)
      const folder = join(disk.folder, 'books')
      await withCompany(folder)
      const app = await serveWindow(folder)
      disk.fill()
      for (const look of LOOKS) {
        const { page, context } = await openPage(browser, app, look)
        const banner = page.locator('[data-trouble="store"]')
        // The fault occurs while the page is open, before or after its stream of events connects: it is notified
        // either way.
        await vi.waitFor(async () => {
          expect(await callAsWindow(app, 'store.check', {})).not.toEqual({ reason: null })
          await banner.waitFor({ timeout: 3_000 })
        }, 30_000)
        await fits(page, `full ${look.language}`)
        if (look === LOOKS[1]) {
          // The texts are in the language of the preferences, which a full disk cannot change.
          const check = banner.getByRole('button', { name: 'Comprobar ahora' })
          await check.click()
          await page.getByText('Todavía no se puede escribir').first().waitFor()
          disk.free()
          // A background write may be the first that succeeds.
          await check.click({ timeout: 5_000 }).catch(() => {})
          await banner.waitFor({ state: 'detached' })
        }
        await context.close()
      }
    },
  )

  needs('chromium').skipIf(!canMount())(
    'media that cannot be written: the books open for reading, show invoices and export, and refuse to save',
    { timeout: 120_000 },
    async () => {
      const disk = smallDisk(32 * 1024)
      const folder = join(disk.folder, 'books')
      cpSync(storedBooks(SCHEMA_VERSION), folder, { recursive: true })
      disk.protect(true)
      const app = await serveWindow(folder)
      for (const look of swept(LOOKS, (each) => each === LOOKS[0])) {
        const { page, context } = await openPage(browser, app, look)
        const isFirst = look === LOOKS[0]
        if (isFirst) {
          await page.getByRole('heading', { name: 'No se puede escribir en la carpeta' }).waitFor()
          await fits(page, 'protected')
          await page.getByRole('button', { name: 'Abrir solo para leer' }).click()
        }
        const banner = page.locator('[data-trouble="store"]')
        await banner.waitFor({ timeout: 20_000 })
        expect(await banner.innerText()).toContain('Abierto solo para leer')
        await visit(page, '/invoices?state=issued')
        await page.locator('[role="row"]').nth(1).waitFor()
        await fits(page, `reading ${look.width}`)
        // Nothing is sent, so nothing announces a sending.
        expect(await page.getByText('Sello lo intenta').count()).toBe(0)
        await page.locator('[role="row"]').nth(1).click()
        await page.locator('.pdf-sheet[data-drawn] canvas').first().waitFor({ timeout: 20_000 })
        await visit(page, '/contacts')
        if (isFirst) {
          await page
            .getByRole('button', { name: /Nuevo contacto/ })
            .first()
            .click()
          await page.getByLabel('Nombre').first().fill('Ana')
          await page.keyboard.press('Control+s')
          await page.getByText('Ahora mismo solo se puede leer').first().waitFor()
        }
        await context.close()
      }
      await app.stop()
      disk.protect(false)
    },
  )

  test('without a network the foot line says so, and nothing else changes', { timeout: 90_000 }, async () => {
    const folder = newFolder()
    await withCompany(folder)
    const app = await serveWindow(folder)
    const { companies } = (await callAsWindow(app, 'session.get', {})) as {
      companies: { books: { id: string; mode: string }[] }[]
    }
    const live = companies[0]?.books.find(({ mode }) => mode === 'live')?.id
    await callAsWindow(app, 'session.savePreferences', { activeBook: live })
    const { page, context } = await openPage(browser, app, LOOKS[0])
    await page.getByText('Sin noticias de la AEAT').first().waitFor()
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'onLine', { value: false, configurable: true })
      dispatchEvent(new Event('offline'))
    })
    await page.getByText('Sin conexión').waitFor()
    expect(await page.locator('[data-trouble]').count()).toBe(0)
    await context.close()
  })
})
