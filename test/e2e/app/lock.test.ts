/** App lock in the window: warned, locked, unlocked; nothing visible meanwhile, and no work lost. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest'
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
import { propose } from '../../gallery/worlds.ts'
import { DESKTOP } from '../../support/browser/stub-desktop.ts'
import { inLongRun } from '../../support/sweep.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')
const longTest = inLongRun(test)
const CODE = 'tres gatos pardos'
const MINUTE_MS = 60_000
const TEST_MS = 90_000

let app: ServedApp
let browser: Browser
let recovery = ''
let code = CODE

beforeAll(async () => {
  if (!tool('chromium')) return
  browser = await sharedBrowser()
  app = await serveApp({ invoices: 3 })
  const shown = (await callAsWindow(app, 'recovery.reveal', {})) as { code: string; groups: string[] }
  const groups = [0, 1].map((index) => ({ index, text: shown.groups[index] }))
  await callAsWindow(app, 'recovery.confirm', { groups })
  recovery = shown.code
  await callAsWindow(app, 'lock.set', { code })
}, 120_000)

afterAll(async () => {
  await app?.stop()
})

beforeEach(async () => {
  if (app) await callAsWindow(app, 'session.unlock', { code })
})

const locked = (page: Page) => page.getByRole('heading', { name: 'Sello está bloqueado' })
const open = async (page: Page) => {
  await page.getByLabel('Tu código').fill(code)
  await page.keyboard.press('Enter')
  await locked(page).waitFor({ state: 'detached' })
}

describe('the lock', () => {
  test(
    'locks with Ctrl L in every tab, leaves nothing readable, and unlocks at the same place',
    async () => {
      const { page, context, complaints } = await openPage(browser, app)
      const second = await context.newPage()
      await second.goto(app.url)
      await second.locator('h1').first().waitFor()
      await visit(page, '/invoices')
      await page.keyboard.press('Control+l')
      await locked(page).waitFor()
      await locked(second).waitFor()
      for (const tab of [page, second]) {
        expect(await tab.title()).toBe('Sello está bloqueado')
        expect(await tab.locator('html').innerText()).not.toMatch(/F2026|€|Inicio/)
        expect(await tab.locator('nav, [role="grid"], canvas').count()).toBe(0)
      }
      await page.reload()
      await locked(page).waitFor()
      // With the keyboard alone: the field has the focus.
      await page.keyboard.type('no es esta')
      await page.keyboard.press('Enter')
      await page.getByText('Ese no es el código.').first().waitFor()
      await page.keyboard.type(code)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Facturas', level: 1 }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/invoices')
      // The other tab notices when it gets the focus.
      await second.evaluate(() => window.dispatchEvent(new Event('focus')))
      await locked(second).waitFor({ state: 'detached' })
      expect(complaints.filter((line) => !line.includes('423') && !line.includes('422'))).toEqual([])
      await context.close()
    },
    TEST_MS,
  )

  test(
    'warns after idle time, stays unlocked on request, and then locks by itself',
    async () => {
      await callAsWindow(app, 'lock.options', { idleMinutes: 5 })
      const { page, context } = await openPage(browser, app, { ownProfile: true })
      // The server's clock does not advance with the page's: it answers as if no other window were active.
      await page.route('**/app/call/session.alive', (route) =>
        route.fulfill({ json: { ok: true, data: route.request().postDataJSON() as object } }),
      )
      await page.clock.install()
      await page.reload()
      await page.locator('h1').first().waitFor()
      // Idle time counts from when the page knows of the lock, which is after its heading appears.
      await settled(page)
      await page.clock.runFor(4 * MINUTE_MS)
      const warning = page.getByRole('dialog', { name: '¿Sigues ahí?' })
      expect(await warning.count()).toBe(0)
      await page.clock.runFor(45_000)
      await warning.waitFor()
      expect(await axeFaults(page)).toEqual([])
      await page.getByRole('button', { name: 'Seguir aquí' }).click()
      await page.clock.runFor(1_000)
      await warning.waitFor({ state: 'detached' })
      await page.clock.runFor(4.7 * MINUTE_MS)
      await warning.waitFor()
      await page.clock.runFor(31_000)
      await locked(page).waitFor()
      await page.getByText(/sin nadie delante/).waitFor()
      await context.close()
    },
    TEST_MS,
  )

  test(
    'preserves unsaved work, whether it could be saved or not',
    async () => {
      const { page, context } = await openPage(browser, app)
      await visit(page, '/contacts/new')
      await page.locator('#contact-name').fill('Panadería La Espiga')
      // Locked by another window: this one can save nothing any more.
      await callAsWindow(app, 'session.lock', { reason: 'person' })
      await locked(page).waitFor()
      expect(await page.locator('html').innerHTML()).not.toContain('Espiga')
      await open(page)
      await page.locator('#contact-name').waitFor()
      expect(await page.locator('#contact-name').inputValue()).toBe('Panadería La Espiga')
      await context.close()
    },
    TEST_MS,
  )

  longTest(
    'restores a new draft',
    async () => {
      const { page, context } = await openPage(browser, app)
      await visit(page, '/invoices/new')
      await page.getByRole('combobox').first().fill('Panadería La Espiga')
      await callAsWindow(app, 'session.lock', { reason: 'person' })
      await locked(page).waitFor()
      await open(page)
      await page.waitForFunction(() =>
        [...document.querySelectorAll('input')].some((input) => input.value.includes('Espiga')),
      )
      await context.close()
    },
    TEST_MS,
  )

  test(
    'is removed by the recovery code, and asks for a new code in the same step',
    async () => {
      await callAsWindow(app, 'session.lock', { reason: 'person' })
      const { page, context } = await openPage(browser, app, { width: 420, theme: 'dark' })
      await page.getByRole('button', { name: 'He olvidado el código' }).click()
      await page.getByLabel('Código de recuperación').fill(recovery)
      await page.getByLabel('Código de bloqueo nuevo').fill('123456')
      await page.keyboard.press('Enter')
      await page.getByText('Es de los primeros que cualquiera prueba').first().waitFor()
      expect(await overflows(page)).toBe(false)
      await page.getByLabel('Código de bloqueo nuevo').fill('otra clave larga')
      await page.keyboard.press('Enter')
      await locked(page).waitFor({ state: 'detached' })
      code = 'otra clave larga'
      await context.close()
    },
    TEST_MS,
  )
})

test(
  'while it is locked the desktop announces how many proposals wait, and nothing else',
  async () => {
    const { page, context } = await openPage(browser, app, { init: DESKTOP, ownProfile: true })
    const asked = () =>
      page.evaluate(() => {
        const { notices, badge } = (window as never as { asked: { notices: object[]; badge: number[] } })
          .asked
        return { notices, badge: badge.at(-1) }
      })
    const { companies } = (await callAsWindow(app, 'session.get', {})) as {
      companies: { books: { id: string; mode: string }[] }[]
    }
    const book = companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
    await callAsWindow(app, 'session.savePreferences', { activeBook: book })
    const { id } = (await callAsWindow(
      app,
      'invoices.create',
      {
        clientName: 'Cliente secreto',
        clientNif: 'B87654323',
        lines: [{ description: 'Trabajo', quantity: 1, unitPrice: 321 }],
      },
      book,
    )) as { id: string }
    const { key } = (await callAsWindow(
      app,
      'keys.createByPerson',
      { name: 'Asistente', scopes: ['invoices.read', 'invoices.write'] },
      book,
    )) as { key: string }
    // The key works from when the page knows of the lock, which is after its heading appears.
    await settled(page)
    await page.clock.install()
    await page.keyboard.press('Control+l')
    await locked(page).waitFor()
    await page.clock.runFor(21_000)
    await propose(app, key, id)
    await page.clock.runFor(21_000)
    await page.waitForFunction(
      () => (window as never as { asked: { badge: number[] } }).asked.badge.at(-1) === 1,
    )
    const { notices } = await asked()
    expect(notices).toEqual([
      {
        kind: 'approvals',
        title: 'Algo espera tu respuesta',
        body: 'Hay 1 cosa por decidir.',
        path: '/inbox',
      },
    ])
    await page.clock.runFor(41_000)
    expect((await asked()).notices).toHaveLength(1)
    await context.close()
  },
  TEST_MS,
)

inLongRun(describe)('the look', () => {
  test(
    'hides unused entries from the menu but still finds them, and disables animations',
    async () => {
      const { page, context } = await openPage(browser, app)
      await visit(page, '/settings/appearance')
      const menu = page.getByRole('navigation', { name: 'Menú' })
      expect(await menu.getByRole('link', { name: 'Presupuestos' }).count()).toBe(1)
      await page.getByRole('checkbox', { name: 'Presupuestos' }).click()
      await page.getByText('Guardado').first().waitFor()
      await menu.getByRole('link', { name: 'Presupuestos' }).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Deshacer' }).click()
      await menu.getByRole('link', { name: 'Presupuestos' }).waitFor()
      await page.getByRole('checkbox', { name: 'Presupuestos' }).click()
      await menu.getByRole('link', { name: 'Presupuestos' }).waitFor({ state: 'detached' })
      await page.keyboard.press('Control+k')
      await page.keyboard.type('Presup')
      await page
        .getByRole('option', { name: /^Presupuestos/ })
        .first()
        .waitFor()
      await page.keyboard.press('Escape')
      await page.getByText('Sin animaciones', { exact: true }).click()
      await page.waitForFunction(() => document.documentElement.dataset.motion === 'less')
      await page.emulateMedia({ reducedMotion: 'no-preference' })
      const duration = () => page.evaluate(() => getComputedStyle(document.body).transitionDuration)
      expect(await duration()).toBe('1e-05s')
      await page.getByText('Como el sistema', { exact: true }).last().click()
      await page.waitForFunction(() => document.documentElement.dataset.motion === 'full')
      expect(await duration()).toBe('0s')
      await context.close()
    },
    TEST_MS,
  )
})
