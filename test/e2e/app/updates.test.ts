/** Updates in the page: absent in a browser; in the desktop each step on the user's request, and accessible. */
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import type { UpdateState } from '../../../preload/contract.ts'
import {
  axeFaults,
  callAsWindow,
  openPage,
  overflows,
  serveApp,
  sharedBrowser,
  visit,
} from '../../support/browser/browser.ts'
import type { Look, ServedApp } from '../../support/browser/browser.ts'
import { DESKTOP } from '../../support/browser/stub-desktop.ts'
import { swept } from '../../support/sweep.ts'
import { needs } from '../../support/tools.ts'

const test = needs('chromium')
let app: ServedApp
let browser: Browser

beforeAll(async () => {
  app = await serveApp({ invoices: 0 })
  browser = await sharedBrowser()
}, 60_000)
afterAll(async () => {
  await app?.stop()
})

const tell = (page: Page, state: Partial<UpdateState>) =>
  page.evaluate(`system.update(${JSON.stringify(state)})`)
const asked = (page: Page) => page.evaluate('asked.updates') as Promise<string[]>

const inDesktop = (look: Look = {}) => openPage(browser, app, { ...look, init: DESKTOP })

describe('updates', () => {
  test('do not exist in a browser', async () => {
    const { page, context } = await openPage(browser, app)
    await visit(page, '/settings/security')
    expect(await page.getByRole('heading', { name: 'Actualizaciones' }).count()).toBe(0)
    await context.close()
  })

  test('require a confirmation at each step, and the preference is saved and reported', async () => {
    const { page, context, complaints } = await inDesktop()
    await expect.poll(() => asked(page)).toEqual(['state', 'off'])
    await visit(page, '/settings/security')
    await page.getByRole('button', { name: 'Buscar ahora' }).click()
    await tell(page, { phase: 'available', next: '0.2.0' })
    await page.getByRole('button', { name: 'Descargar', exact: true }).click()
    await tell(page, { phase: 'downloading', next: '0.2.0', percent: 40 })
    await page.getByText('Descargando 0.2.0: 40 %').waitFor()
    expect(await page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40')
    await tell(page, { phase: 'ready', next: '0.2.0' })
    await page.getByRole('button', { name: 'Reiniciar e instalar' }).click()
    await tell(page, { phase: 'waiting', next: '0.2.0' })
    await page.getByRole('button', { name: 'Ahora no' }).click()
    // A reload before the answer would read the preference of before.
    const saved = page.waitForResponse((response) => response.url().includes('session.savePreferences'))
    await page.getByRole('switch', { name: 'Avisarme de las versiones nuevas' }).click()
    await saved
    await expect
      .poll(() => asked(page))
      .toEqual(['state', 'off', 'check', 'download', 'restart', 'cancel', 'notify'])
    await page.reload()
    await expect.poll(() => asked(page)).toEqual(['state', 'notify'])
    await page.getByRole('switch', { name: 'Avisarme de las versiones nuevas' }).click()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('found while the user works are announced with a link, without leaving the page', async () => {
    const { page, context } = await inDesktop()
    await visit(page, '/invoices')
    await tell(page, { phase: 'checking' })
    await tell(page, { phase: 'available', next: '0.2.0' })
    await page.getByText('Hay una versión nueva de Sello: 0.2.0').first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/invoices')
    await page.getByRole('button', { name: 'Ver', exact: true }).click()
    await page.getByRole('button', { name: 'Descargar', exact: true }).waitFor()
    await context.close()
  })

  const looks = [
    ['es', 'light', 1280],
    ['en', 'dark', 420],
  ] as const
  test.each(swept(looks, ([, , width]) => width === 420))(
    'are accessible in %s, %s, %i px wide',
    async (language, theme, width) => {
      await callAsWindow(app, 'session.savePreferences', { language, theme })
      const { page, context, complaints } = await inDesktop({ language, theme, width })
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(language)
      await visit(page, '/settings/security')
      const states: Partial<UpdateState>[] = [
        {},
        { phase: 'downloading', next: '0.2.0', percent: 40 },
        { phase: 'waiting', next: '0.2.0' },
        { phase: 'failed', fault: 'signature' },
      ]
      for (const state of states) {
        await tell(page, state)
        expect([state.phase, await axeFaults(page)]).toEqual([state.phase, []])
        expect(await overflows(page)).toBe(false)
      }
      expect(complaints).toEqual([])
      await context.close()
    },
  )
})
