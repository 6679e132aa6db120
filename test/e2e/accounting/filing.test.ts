/** Filing of a return in the built app: from the close of the quarter to the receipt, with its clicks counted. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
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
import { makeP12 } from '../../support/files/certificates.ts'
import { needs, tool } from '../../support/tools.ts'

let app: ServedApp
let browser: Browser
let book: string

const test = needs('chromium')

const day = new Date()
const now = { year: day.getFullYear(), quarter: Math.floor(day.getMonth() / 3) + 1 }
const before =
  now.quarter === 1 ? { year: now.year - 1, quarter: 4 } : { year: now.year, quarter: now.quarter - 1 }
const address = `/taxes/${before.year}-${before.quarter}T`
const call = (name: string, input: unknown) => callAsWindow(app, name, input, book)

/** Where a developer wants to look at the pages; nowhere by default. */
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
  const session = (await callAsWindow(app, 'session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  book = session.companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
}, 120_000)
afterAll(async () => {
  await app?.stop()
})

test('from the close of a quarter to the receipt, with few clicks', async () => {
  await call('fiscal.setInput', { model: '111', ...before, box: '02', amount: 0 })
  const { page, context, complaints } = await openPage(browser, app)
  await visit(page, `${address}/close`)
  await shot(page, 'close-es')
  let clicks = 0
  const click = async (target: Locator) => {
    clicks += 1
    await target.click()
  }
  const began = performance.now()
  await click(page.getByRole('button', { name: /\d+\. Modelos del trimestre/ }))
  await click(page.getByRole('link', { name: 'Presentar el modelo 303' }))
  await page.waitForURL(`**${address}/303/file`)
  await settled(page)
  await shot(page, 'file-es')
  // Nobody has stated the schemes of the year, which is done once: not part of what is counted.
  await page.getByText('Nadie ha declarado los regímenes del año').waitFor()
  await page.getByRole('button', { name: `Declarar los regímenes de ${before.year}` }).click()
  const schemes = page.getByRole('dialog')
  await schemes.getByRole('button', { name: 'Declararlo así' }).click()
  await schemes.getByText('Responde a todas las preguntas.').waitFor()
  for (const no of await schemes.getByRole('radio', { name: 'No', exact: true }).all()) await no.check()
  await schemes.getByLabel('Prorrata (no se escribe)').selectOption('none')
  expect(await axeFaults(page)).toEqual([])
  await schemes.getByRole('group', { name: 'Lleva el SII por decisión propia' }).getByLabel('Sí').check()
  await schemes.getByText('queda fuera del reglamento de facturación').waitFor()
  await shot(page, 'schemes-es')
  await schemes.getByRole('group', { name: 'Lleva el SII por decisión propia' }).getByLabel('No').check()
  await schemes.getByRole('button', { name: 'Declararlo así' }).click()
  await schemes.waitFor({ state: 'hidden' })
  await page.getByText('Registro de devolución mensual').waitFor()
  await settled(page)
  const current = page.getByRole('radio', { name: /cuenta corriente tributaria/ })
  const dialog = page.getByRole('dialog')
  const file = async () => {
    await page.getByRole('button', { name: 'Presentar…' }).waitFor()
    await settled(page)
    // After the term for direct debits the demo pays into the account of the Treasury.
    if (await current.isVisible()) await click(current)
    await settled(page)
    await click(page.getByRole('button', { name: 'Presentar…' }))
    await dialog.waitFor()
    await shot(page, 'confirm-es')
    expect(await axeFaults(page)).toEqual([])
    await click(dialog.getByRole('button', { name: 'Sí, presentar' }))
    await page.getByText('La Agencia lo ha aceptado.').waitFor()
  }
  await file()
  const seconds = (performance.now() - began) / 1000
  console.log(`303 filed in ${clicks} clicks and ${seconds.toFixed(1)} s`)
  expect(clicks).toBeLessThanOrEqual(5)
  expect(seconds).toBeLessThan(180)
  await settled(page)
  await shot(page, 'receipt-es')
  expect(await axeFaults(page)).toEqual([])
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Justificante (PDF)' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^303-\d{4}-\dT-[A-Z0-9]{16}\.pdf$/)
  await visit(page, `${address}/303`)
  await page.getByRole('link', { name: 'Ver el justificante' }).waitFor()
  expect(complaints).toEqual([])
  await context.close()
}, 240_000)

test('with the certificate of a representative, once a person states that it may file', async () => {
  // Another return than the one that the test above files.
  const file = makeP12({
    kind: 'seal',
    organizationNif: 'A28000982',
    organization: 'Gestoría Núñez, S.A.',
    from: new Date(day.getTime() - 86_400_000),
    to: new Date(day.getTime() + 400 * 86_400_000),
  }).p12.toString('base64')
  await call('certificates.import', { file, password: 'contraseña ñ€' })
  await call('fiscal.setInput', { model: '111', ...before, box: '01', amount: 0 })
  for (const box of ['03', '04', '05', '06'])
    await call('fiscal.setInput', { model: '111', ...before, box, amount: 0 })
  const { page, context, complaints } = await openPage(browser, app)
  await visit(page, `${address}/111/file`)
  await page.getByRole('button', { name: 'Datos para presentar' }).click()
  const settings = page.getByRole('dialog')
  await settings.getByText('El certificado es de Gestoría Núñez, S.A. (A28000982)').waitFor()
  await settings.getByLabel('¿Puede presentar por la empresa?').selectOption('collaborator')
  expect(await axeFaults(page)).toEqual([])
  await shot(page, 'representative-settings-es')
  await settings.getByRole('button', { name: 'Guardar' }).click()
  await settings.waitFor({ state: 'hidden' })
  await page
    .getByText(/^Gestoría Núñez, S\.A\. \(A28000982\) presenta por .*, como colaborador social\.$/)
    .waitFor()
  const current = page.getByRole('radio', { name: /cuenta corriente tributaria/ })
  if (await current.isVisible()) await current.click()
  await settled(page)
  await page.getByRole('button', { name: 'Presentar…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/Gestoría Núñez, S\.A\. \(A28000982\) presenta por .* el modelo 111/).waitFor()
  await shot(page, 'representative-confirm-es')
  await dialog.getByRole('button', { name: 'Sí, presentar' }).click()
  await page.getByText('La Agencia lo ha aceptado.').waitFor()
  await page.getByText('Colaborador social', { exact: true }).waitFor()
  await settled(page)
  await shot(page, 'representative-receipt-es')
  expect(await axeFaults(page)).toEqual([])
  await visit(page, `${address}/111/file`)
  await page.getByRole('button', { name: 'Datos para presentar' }).click()
  await page.getByText(/^Declarado por ti el /).waitFor()
  expect(complaints).toEqual([])
  await context.close()
}, 240_000)

test('fits a narrow window, in English and dark, and says what stands against filing', async () => {
  await callAsWindow(app, 'session.savePreferences', { language: 'en' })
  const { page, context, complaints } = await openPage(browser, app, {
    language: 'en',
    theme: 'dark',
    width: 420,
  })
  const open = now
  await visit(page, `/taxes/${open.year}-${open.quarter}T/303/file`)
  await page.getByText('The period has not ended').waitFor()
  expect(await page.getByRole('button', { name: 'File…' }).isDisabled()).toBe(true)
  expect(await overflows(page)).toBe(false)
  expect(await axeFaults(page)).toEqual([])
  await shot(page, 'file-en-dark-420')
  // The form waits for what is stored: what is typed before would be overwritten.
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/fiscal.filingSettings', async (route) => {
    await released
    await route.continue()
  })
  await page.getByRole('button', { name: 'Data for filing' }).click()
  await page.getByRole('dialog').waitFor()
  expect(await page.getByLabel('Telephone').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  release()
  await page.getByLabel('Telephone').fill('12')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('A Spanish telephone number of nine digits is missing').waitFor()
  await shot(page, 'settings-en-dark-420')
  expect(await axeFaults(page)).toEqual([])
  expect(complaints.filter((line) => !line.includes('422'))).toEqual([])
  await context.close()
}, 120_000)
