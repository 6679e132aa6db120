/** Handing the journal on in the built app: the program, what a file would contain, the file, and a typed account. */
import { mkdirSync, readFileSync } from 'node:fs'
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
import { needs, tool } from '../../support/tools.ts'

let app: ServedApp
let browser: Browser

const test = needs('chromium')

/** Where a developer wants to look at the page; nowhere by default. */
const SHOTS = process.env.SELLO_SHOTS
const shot = async (page: Page, name: string) => {
  if (SHOTS === undefined) return
  mkdirSync(SHOTS, { recursive: true })
  await page.screenshot({ path: join(SHOTS, `${name}.png`) })
}

beforeAll(async () => {
  if (!tool('chromium')) return
  app = await serveApp({ invoices: 40 })
  browser = await sharedBrowser()
}, 120_000)
afterAll(async () => {
  await app?.stop()
})

test('a file is looked at, handed on, and not proposed again', async () => {
  const { page, context, complaints } = await openPage(browser, app)
  await visit(page, '/taxes/hand-on')
  await shot(page, 'unset')
  await page.getByLabel('Programa', { exact: true }).selectOption('a3')
  // Without the code of the company nothing is saved.
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await page.getByText('Ese no es un código de empresa de este programa').first().waitFor()
  expect(complaints.splice(0)).toEqual([expect.stringContaining('422')])
  await page.getByLabel('Código de la empresa allí').fill('42')
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  const create = page.getByRole('button', { name: 'Entregar y descargar' })
  await create.waitFor()
  expect(await create.isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Comprobar', exact: true }).click()
  await page.getByText('Debe y haber').waitFor()
  await settled(page)
  await shot(page, 'checked')
  const saved = page.waitForEvent('download')
  await create.click()
  const download = await saved
  expect(download.suggestedFilename()).toBe('SUENLACE.DAT')
  const records = readFileSync(await download.path())
    .toString('latin1')
    .split('\r\n')
    .slice(0, -1)
  expect(new Set(records.map(({ length }) => length))).toEqual(new Set([510]))
  expect(records.every((record) => record.startsWith('500042'))).toBe(true)
  await page.getByText('Descargar otra vez').first().waitFor()
  // Everything was handed on.
  await page.getByRole('button', { name: 'Comprobar', exact: true }).click()
  await page.getByText('No hay asientos nuevos ni cambiados').waitFor()
  // A number of the office is typed.
  const account = page.getByLabel(/^Cuenta de /).first()
  await account.fill('43000777')
  await account.press('Enter')
  await page.getByText('Cuenta guardada', { exact: true }).waitFor()
  await settled(page)
  await shot(page, 'handed')
  expect(await axeFaults(page)).toEqual([])
  expect(await overflows(page)).toBe(false)
  expect(complaints).toEqual([])
  await context.close()
}, 120_000)

test.each([
  { language: 'es', theme: 'light', width: 1280 },
  { language: 'en', theme: 'dark', width: 1280 },
  { language: 'es', theme: 'dark', width: 768 },
  { language: 'en', theme: 'light', width: 420 },
] as const)(
  'the page fits in $language, $theme, $width wide',
  async ({ language, theme, width }) => {
    await callAsWindow(app, 'session.savePreferences', { language, theme })
    const { page, context, complaints } = await openPage(browser, app, { language, theme, width })
    await visit(page, '/taxes/hand-on')
    await shot(page, `first-${language}-${theme}-${width}`)
    await page.getByRole('button', { name: language === 'es' ? 'Comprobar' : 'Check', exact: true }).click()
    await page.getByRole('status').first().waitFor()
    await settled(page)
    await shot(page, `${language}-${theme}-${width}`)
    expect(await axeFaults(page)).toEqual([])
    expect(await overflows(page)).toBe(false)
    expect(complaints).toEqual([])
    await context.close()
  },
  120_000,
)
