/** The whole close of a quarter in the built app, from opening its page to the locked days, with its clicks counted. */
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import {
  callAsWindow,
  openPage,
  serveApp,
  settled,
  sharedBrowser,
  visit,
} from '../../support/browser/browser.ts'
import type { ServedApp } from '../../support/browser/browser.ts'
import { NO_SCHEMES } from '../../support/schemes.ts'
import { needs, tool } from '../../support/tools.ts'

/** What the issue of this page allows, and a person can wait. */
const MOST_CLICKS = 12
const MOST_SECONDS = 180

let app: ServedApp
let browser: Browser

const test = needs('chromium')

const day = new Date()
const now = { year: day.getFullYear(), quarter: Math.floor(day.getMonth() / 3) + 1 }
const before =
  now.quarter === 1 ? { year: now.year - 1, quarter: 4 } : { year: now.year, quarter: now.quarter - 1 }
const address = `/taxes/${before.year}-${before.quarter}T`

beforeAll(async () => {
  if (!tool('chromium')) return
  app = await serveApp({ invoices: 40 })
  browser = await sharedBrowser()
}, 120_000)
afterAll(async () => {
  await app?.stop()
})

test('every return of the quarter is filed and its days are locked', async () => {
  const session = (await callAsWindow(app, 'session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  const book = session.companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
  const call = (name: string, input: unknown) => callAsWindow(app, name, input, book)
  // What a person says once in the year: nobody was paid wages, and no scheme applies.
  await call('fiscal.setInput', { model: '111', ...before, box: '02', amount: 0 })
  await call('fiscal.setFilingSchemes', { year: before.year, ...NO_SCHEMES })
  const due = async () =>
    (
      (await call('fiscal.models', before)) as {
        models: { model: string; applies: unknown; filing: unknown }[]
      }
    ).models
      .filter(({ applies, filing }) => applies === true && filing === null)
      .map(({ model }) => model)
  const models = await due()
  expect(models.length).toBeGreaterThanOrEqual(2)
  const { page, context, complaints } = await openPage(browser, app)
  await visit(page, `${address}/close`)
  let clicks = 0
  const click = async (target: Locator) => {
    clicks += 1
    await target.click()
  }
  const began = performance.now()
  await click(page.getByRole('button', { name: /\d+\. Modelos del trimestre/ }))
  await click(page.getByRole('link', { name: `Presentar el modelo ${models[0]}` }))
  const current = page.getByRole('radio', { name: /cuenta corriente tributaria/ })
  const next = page.getByRole('link', { name: /^Siguiente: modelo/ })
  for (const [index] of models.entries()) {
    if (index > 0) await click(next)
    await page.getByRole('button', { name: 'Presentar…' }).waitFor()
    await settled(page)
    // After the term for direct debits the demo pays into the account of the Treasury.
    if (await current.isVisible()) await click(current)
    await settled(page)
    await click(page.getByRole('button', { name: 'Presentar…' }))
    await click(page.getByRole('dialog').getByRole('button', { name: 'Sí, presentar' }))
    await page.getByText('La Agencia lo ha aceptado.').waitFor()
    await settled(page)
  }
  expect(await due()).toEqual([])
  await click(page.getByRole('link', { name: 'Volver al cierre' }))
  await page.waitForURL(`**${address}/close`)
  await settled(page)
  const lock = page.getByRole('button', { name: /^Cerrar hasta el/ })
  if (!(await lock.isVisible()))
    await click(page.getByRole('button', { name: /\d+\. Cerrar los días del trimestre/ }))
  await click(lock)
  await page.getByRole('button', { name: /^Deshacer/ }).waitFor()
  const seconds = (performance.now() - began) / 1000
  console.log(
    `${models.join(', ')} filed and the quarter locked in ${clicks} clicks and ${seconds.toFixed(1)} s`,
  )
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS)
  expect(seconds).toBeLessThan(MOST_SECONDS)
  expect(complaints).toEqual([])
  await context.close()
}, 240_000)
