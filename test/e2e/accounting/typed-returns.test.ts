/** Returns that a person types, in the built app: the 123 is added, typed, said to be typed, and filed. */
import type { Browser } from 'playwright-core'
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
let book: string

const test = needs('chromium')

const day = new Date()
const now = { year: day.getFullYear(), quarter: Math.floor(day.getMonth() / 3) + 1 }
const before =
  now.quarter === 1 ? { year: now.year - 1, quarter: 4 } : { year: now.year, quarter: now.quarter - 1 }
const address = `/taxes/${before.year}-${before.quarter}T`

beforeAll(async () => {
  if (!tool('chromium')) return
  app = await serveApp({ invoices: 20 })
  browser = await sharedBrowser()
  const session = (await callAsWindow(app, 'session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  book = session.companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
}, 120_000)
afterAll(async () => {
  await app?.stop()
})

test('the 123 is hidden until a person adds it, and typed box by box until it is filed', async () => {
  const { page, context, complaints } = await openPage(browser, app, { width: 1600 })
  await visit(page, address)
  await page.getByRole('link', { name: /Modelo 303/ }).waitFor()
  expect(await page.getByText('Modelo 123').count()).toBe(0)
  await page.getByRole('button', { name: 'Actividad económica' }).click()
  const profile = page.getByRole('dialog')
  await profile.getByLabel(/Presento el 123/).check()
  expect(await axeFaults(page)).toEqual([])
  await profile.getByRole('button', { name: 'Guardar' }).click()
  const card = page.getByRole('link', { name: /Modelo 123/ })
  await card.waitFor()
  expect(await card.textContent()).toContain('Lo escribes tú: aún no hay nada')
  await card.click()
  await page.getByText(/Todas las cifras de este modelo las escribe una persona/).waitFor()
  for (const box of ['07', '09', '12', '14']) {
    const field = page.getByRole('textbox', { name: new RegExp(`casilla ${box}$`, 'i') })
    await field.fill('19')
    await field.press('Tab')
    await settled(page)
  }
  await settled(page)
  expect(await axeFaults(page)).toEqual([])
  expect(await overflows(page)).toBe(false)
  await page.getByRole('link', { name: 'Presentar' }).click()
  await page.waitForURL(`**${address}/123/file`)
  await page.getByText('Las cifras las ha escrito una persona: ninguna sale de los libros.').waitFor()
  const current = page.getByRole('radio', { name: /cuenta corriente tributaria/ })
  if (await current.isVisible()) await current.click()
  await settled(page)
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Presentar…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sí, presentar' }).click()
  await page.getByText('La Agencia lo ha aceptado.').waitFor()
  const filings = (await callAsWindow(app, 'fiscal.filings', { year: before.year }, book)) as {
    items: { model: string; result: number }[]
  }
  expect(filings.items).toMatchObject([{ model: '123', result: 19 }])
  expect(complaints).toEqual([])
  await context.close()
}, 240_000)

test('the file of the one-stop shop is uploaded, and the page says why', async () => {
  const { page, context, complaints } = await openPage(browser, app)
  await visit(page, `${address}/369/file`)
  await page.getByText(/El servicio de presentación directa de la Agencia no admite este modelo/).waitFor()
  expect(await page.getByRole('button', { name: 'Presentar…' }).count()).toBe(0)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Descargar el fichero' }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`369-${before.year}-${before.quarter}T.txt`)
  expect(await axeFaults(page)).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
}, 120_000)
