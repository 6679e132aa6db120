/** The whole close of a quarter in the built app, from opening its page to the receipts of all its returns, with its clicks counted. */
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
const lastDay = new Date(Date.UTC(before.year, before.quarter * 3, 0)).toISOString().slice(0, 10)
/** Steps of the close that follow the returns. */
const LATER = ['returns', 'payment', 'vat_entry', 'lock', 'pack']
const address = `/taxes/${before.year}-${before.quarter}T`

beforeAll(async () => {
  if (!tool('chromium')) return
  app = await serveApp({ invoices: 40 })
  browser = await sharedBrowser()
}, 120_000)
afterAll(async () => {
  await app?.stop()
})

test('every return of the quarter is filed, and its days are locked', async () => {
  const session = (await callAsWindow(app, 'session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  const book = session.companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
  const call = (name: string, input: unknown) => callAsWindow(app, name, input, book)
  // What a person says once in the year: nobody was paid wages, and no scheme applies.
  await call('fiscal.setInput', { model: '111', ...before, box: '02', amount: 0 })
  await call('fiscal.setFilingSchemes', { year: before.year, ...NO_SCHEMES })
  await call('received.create', {
    supplierName: 'Asesoría Núñez, S.L.P.',
    supplierNif: 'A58818501',
    supplierNumber: 'AN-1',
    issueDate: lastDay,
    receptionDate: lastDay,
    taxLines: [{ base: 400, vatRate: 21 }],
    withholding: { rate: 15, base: 400, reason: 'professional' },
  })
  // Nothing else is missing: each purchase has its document.
  const { steps } = (await call('fiscal.closing', before)) as {
    steps: { id: string; state: string; items: { id: string }[] }[]
  }
  expect(
    steps.filter(({ id, state }) => state === 'missing' && !LATER.includes(id)).map(({ id }) => id),
  ).toEqual(['received_files'])
  const document = (await call('attachments.upload', {
    name: 'factura.pdf',
    content: Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64'),
  })) as { id: string }
  for (const { id } of steps.find(({ id: step }) => step === 'received_files')?.items ?? [])
    await call('received.attach', { id, attachmentId: document.id })
  const due = async () =>
    (
      (await call('fiscal.models', before)) as {
        models: { model: string; applies: unknown; filing: unknown }[]
      }
    ).models
      .filter(({ applies, filing }) => applies === true && filing === null)
      .map(({ model }) => model)
  const models = await due()
  expect(models).toEqual(expect.arrayContaining(['303', '111', '115']))
  const { page, context, complaints } = await openPage(browser, app)
  await visit(page, `${address}/close`)
  let clicks = 0
  const click = async (target: Locator) => {
    clicks += 1
    await target.click()
  }
  const began = performance.now()
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
  const seconds = (performance.now() - began) / 1000
  console.log(`${models.join(', ')} filed in ${clicks} clicks and ${seconds.toFixed(1)} s`)
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS)
  expect(seconds).toBeLessThan(MOST_SECONDS)
  await click(page.getByRole('link', { name: 'Volver al cierre' }))
  await page.waitForURL(`**${address}/close`)
  await settled(page)
  const lock = page.getByRole('button', { name: /^Cerrar hasta el/ })
  if (!(await lock.isVisible()))
    await click(page.getByRole('button', { name: /\d+\. Cerrar los días del trimestre/ }))
  await click(lock)
  await page.getByRole('button', { name: /^Deshacer/ }).waitFor()
  console.log(`and its days locked after ${clicks} clicks`)
  expect(complaints).toEqual([])
  await context.close()
}, 240_000)
