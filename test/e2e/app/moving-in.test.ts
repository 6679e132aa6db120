/**
 * Moving in with the built app: a first run with the unified books, counted; files that cannot be read; errors in rows, the
 * undo, and a reload in the middle.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { pdfOf } from '../../../server/accounting/returns/simulator/pdf.ts'
import type { OutputOf } from '../../../server/api/contracts.ts'
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

import { COMPANY } from '../../support/browser/prepared-books.ts'
import { bigBook } from '../../support/moving/big-book.ts'
import { booksOf, bytesAsWindow, returnOf } from '../../support/moving/window.ts'
import { inLongRun } from '../../support/sweep.ts'
import { needs, tool } from '../../support/tools.ts'

let app: ServedApp
let browser: Browser
let books: { test: string; live: string }

const test = needs('chromium')

/** Where a developer wants to look at the pages; nowhere by default. */
const SHOTS = process.env.SELLO_SHOTS
const shot = async (page: Page, name: string) => {
  if (SHOTS === undefined) return
  mkdirSync(SHOTS, { recursive: true })
  await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: false })
}

beforeAll(async () => {
  if (!tool('chromium')) return
  app = await serveApp({ invoices: 60 })
  browser = await sharedBrowser()
  books = await booksOf(app)
}, 120_000)
afterAll(async () => {
  await app?.stop()
})
beforeEach(async () => {
  if (app) await callAsWindow(app, 'session.savePreferences', { activeBook: books.live })
})

type Model = OutputOf<'fiscal.model'>['model']

const year = new Date().getFullYear() - 1
/** The book of the demonstration, as the program that is left behind exports it. */
const bookFile = async (name = `libros ${year}.xlsx`) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: await bytesAsWindow(app, 'fiscal.vatBooks', { year, quarter: 4, format: 'xlsx' }, books.test),
})
const csvFile = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

/** Counts what a hand does in the page: clicks, and keys. */
const COUNTER = `
  window.handWork = { clicks: 0, keys: 0 }
  addEventListener('pointerdown', () => { handWork.clicks += 1 }, true)
  addEventListener('keydown', () => { handWork.keys += 1 }, true)
`
/** Keeps the longest time in which the page could not answer. */
const DELAYS = `
  window.longest = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
  }).observe({ type: 'longtask', buffered: true })
`
const handWork = (page: Page): Promise<{ clicks: number; keys: number }> =>
  page.evaluate(() => (window as unknown as { handWork: { clicks: number; keys: number } }).handWork)

const spanish = (value: number): string => value.toFixed(2).replace('.', ',')
const primary = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()

/** Takes every move back and deletes it, so that each test begins with an empty book. */
async function clear(): Promise<void> {
  const call = (name: string, input: object) => callAsWindow(app, name, input, books.live)
  const { items } = (await call('moving.list', {})) as OutputOf<'moving.list'>
  for (const { id, state } of items) {
    for (let now = state; now !== 'draft' && now !== 'undone';)
      now = ((await call('moving.undo', { id })) as OutputOf<'moving.undo'>).move.state
    await call('moving.discard', { id })
  }
}

afterEach(async () => {
  if (app) await clear()
})

test('a first run with the unified books takes a few clicks, and the typed results', async () => {
  const { page, context, complaints } = await openPage(browser, app, { ownProfile: true, init: COUNTER })
  const begun = Date.now()
  // From the empty dashboard of the live book.
  await visit(page, '/')
  await shot(page, '0-home')
  await page.getByRole('link', { name: 'Traer mi historia' }).click()
  await page.getByRole('heading', { name: '¿Qué te llevas?' }).waitFor()
  await shot(page, '1-start')
  const filed = await bytesAsWindow(
    app,
    'fiscal.vatBooks',
    { year: year + 1, quarter: 4, format: 'xlsx' },
    books.test,
  )
  // A drop of both books at once.
  await page
    .getByLabel('Elegir archivos')
    .setInputFiles([
      await bookFile(),
      { name: `libros ${year + 1}.xlsx`, mimeType: 'application/octet-stream', buffer: filed },
    ])
  await page.getByText('Libro de facturas expedidas').nth(1).waitFor()
  await settled(page)
  await shot(page, '2-files')
  expect(await page.getByText('Seguro').count()).toBeGreaterThanOrEqual(4)
  expect(await axeFaults(page)).toEqual([])
  // This year's book has documents of the present quarter: the first day is moved with one click.
  const late = page.getByRole('button', { name: /^Empezar el / })
  if ((await late.count()) > 0) {
    await late.click()
    await late.waitFor({ state: 'detached' })
  }
  await primary(page, 'Usar estas respuestas').click()
  await page.getByText('Respondido: los archivos se han leído de nuevo.').waitFor()
  await settled(page)
  await shot(page, '3-answered')
  await primary(page, /^Continuar/).click()
  await page.getByRole('heading', { name: 'Esto es lo que va a entrar' }).waitFor()
  await settled(page)
  await shot(page, '4-take')
  await primary(page, /^Traer \d+/).click()
  await page.getByRole('heading', { name: '¿Coincide con lo que presentaste?' }).waitFor()
  await page.getByText(/comprobadas/).waitFor()
  await settled(page)
  await shot(page, '5-proof')

  // What the earlier program filed, typed from its receipts: one result for each return.
  const fields = page.locator('[data-filed] input')
  const lines = await page
    .locator('[data-return]')
    .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.return ?? ''))
  expect(lines.length).toBeGreaterThanOrEqual(6)
  let typed = 0
  await fields.first().click()
  for (const line of lines) {
    const [model, of, period] = line.split(' ') as [Model, string, string]
    const quarter = Number(period[0])
    const computed = await returnOf(
      app,
      { model, year: Number(of), ...(period.endsWith('T') ? { quarter } : {}) },
      books.test,
    )
    const box = { '303': '71', '347': '02', '390': '86', '349': '02', '130': '19' }[model as string] ?? ''
    const value = computed.boxes.find((each) => each.box === box)?.amount ?? 0
    await page.keyboard.type(spanish(value))
    await page.keyboard.press('Enter')
    typed += 1
  }
  await settled(page)
  await shot(page, '6-typed')
  // What was withheld keeps a party out of the 347, and the book of a company says nothing of it.
  for (const why of await page.getByLabel(/^Por qué no coincide: Modelo 347/).all()) {
    await why.click()
    await page.keyboard.type('Proveedores con retención')
    await page.keyboard.press('Enter')
    typed += 1
  }
  await page.getByText(`${lines.length} de ${lines.length} comprobadas`).waitFor({ timeout: 8_000 })
  await settled(page)
  await shot(page, '6-proven')
  expect(await page.getByText(/^(Coincide|Explicado)$/).count()).toBe(lines.length)
  expect(await axeFaults(page)).toEqual([])
  await primary(page, 'Dar por comprobado').click()
  await page.getByRole('heading', { name: 'Los PDF de tus facturas' }).waitFor()
  await shot(page, '7-documents')
  await primary(page, 'Terminar sin PDF').click()
  await page.getByRole('heading', { name: 'Tu historia está aquí' }).waitFor()
  await page.getByText('Todas las declaraciones coinciden, o dijiste por qué no.').waitFor()
  await settled(page)
  await shot(page, '8-done')
  expect(await axeFaults(page)).toEqual([])
  const { clicks, keys } = await handWork(page)
  const seconds = Math.round((Date.now() - begun) / 1_000)
  // Card, Moran and Newell: 1.1 s to point, 0.2 to click, 1.35 to think before it, 0.28 for a key.
  const estimate = Math.round(clicks * 2.65 + keys * 0.28 + typed * 1.35)
  console.log(
    `moving-in: ${clicks} clicks, 1 drop, ${typed} typed values (${keys} keys), ${seconds} s in Chromium, ` +
      `${estimate} s of a person by the keystroke-level model`,
  )
  expect(clicks).toBeLessThanOrEqual(10)
  expect(estimate).toBeLessThan(120)
  expect(seconds).toBeLessThan(300)
  expect(complaints).toEqual([])
  await context.close()
}, 300_000)

test('a file that cannot be read says why and what to do; the others are read', async () => {
  const { page, context } = await openPage(browser, app)
  await visit(page, '/moving?new')
  /** The container of old Office documents, and of those with a password. */
  const compound = (stream: string) =>
    Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(600),
      Buffer.from(stream, 'utf16le'),
      Buffer.alloc(2_000),
    ])
  await page.getByLabel('Elegir archivos').setInputFiles([
    { name: 'viejo.xls', mimeType: 'application/vnd.ms-excel', buffer: compound('Workbook') },
    { name: 'clave.xlsx', mimeType: 'application/octet-stream', buffer: compound('EncryptedPackage') },
    {
      name: 'ruido.zip',
      mimeType: 'application/zip',
      buffer: Buffer.from(`PK\u0003\u0004${'\u0097'.repeat(4_096)}`),
    },
    csvFile(
      'ventas.csv',
      `Número;Fecha;Cliente;NIF;Base;% IVA\nF-1;15/02/${year};Bar Sol;B12345674;100,00;21\n`,
    ),
  ])
  await page.getByText('Leído').waitFor()
  await page.getByText('No se puede leer').nth(2).waitFor()
  await settled(page)
  const text = await page.locator('main').innerText()
  expect(text).toContain('Es un Excel antiguo (.xls): ábrelo y guárdalo como .xlsx')
  expect(text).toContain('Tiene contraseña: ábrelo, guárdalo sin ella y vuelve a elegirlo')
  expect(text).toContain('No es un CSV ni un Excel (.xlsx)')
  await shot(page, 'unreadable')
  expect(await axeFaults(page)).toEqual([])
  await page.getByLabel('Quitar viejo.xls').click()
  await page.getByText('viejo.xls').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Descartar' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Descartar' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const { items } = (await callAsWindow(app, 'moving.list', {}, books.live)) as OutputOf<'moving.list'>
  expect(items).toEqual([])
  await context.close()
}, 120_000)

test('wrong rows are named, and the good ones come in without them by a choice; then all is undone', async () => {
  const { page, context, complaints } = await openPage(browser, app)
  await visit(page, '/moving?new')
  const rows = [
    'Número;Fecha;Cliente;NIF;Base;% IVA;Cuota IVA;Total',
    `F-0001;15/02/${year};Bar Sol;B12345674;100,00;21;21,00;121,00`,
    `F-2;31/02/${year};Bar Sol;B12345674;100,00;21;21,00;121,00`,
    `F-3;16/02/${year};Bar Sol;B12345674;100,00;21;21,00;150,00`,
    `F-4;17/02/${year};Bar Sol;B12345674;200,00;21;42,00;242,00`,
  ]
  // Dropped beside the area, it is taken all the same.
  const dropped = await page.evaluateHandle(
    (text) => {
      const data = new DataTransfer()
      data.items.add(new File([text], 'ventas.csv', { type: 'text/csv' }))
      return data
    },
    `${rows.join('\n')}\n`,
  )
  await page.getByText('Primer día en Sello').dispatchEvent('drop', { dataTransfer: dropped })
  await page.getByText('2 documentos tienen errores').waitFor()
  await settled(page)
  const text = await page.locator('main').innerText()
  expect(text).toContain(`Fila 3, columna «Fecha»: «31/02/${year}» no es una fecha`)
  expect(text).toContain('Los importes suman 121,00, no 150,00: hay 29,00 de diferencia')
  await shot(page, 'faults')
  await primary(page, /^Continuar/).click()
  await page.getByText('Decide si entran los buenos').waitFor()
  expect(page.url()).not.toContain('step=take')
  await page.getByLabel('Traer los buenos sin esos 2').check()
  await primary(page, /^Continuar/).click()
  await primary(page, /^Traer 2/).click()
  await page.getByRole('heading', { name: '¿Coincide con lo que presentaste?' }).waitFor()
  await settled(page)
  // Nobody says what was filed: it stays unchecked, without a sign of proof.
  await primary(page, 'Dar por comprobado').click()
  await page.getByText(/^Falta decir algo de/).waitFor()
  await shot(page, 'unsaid')
  await page.getByRole('button', { name: 'Dejar sin comprobar las que faltan' }).click()
  await primary(page, 'Terminar con partes sin comprobar').click()
  await page.getByRole('heading', { name: 'Los PDF de tus facturas' }).waitFor()
  const pdf = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')
  const zip = zipSync({ 'F-0001 Bar Sol.pdf': pdf, 'F-99.pdf': pdf })
  await page
    .getByLabel('Elegir archivos')
    .setInputFiles([{ name: 'papeles.zip', mimeType: 'application/zip', buffer: Buffer.from(zip) }])
  await page.getByText('Ninguna factura tiene un número de su nombre').waitFor()
  await settled(page)
  await shot(page, 'attached')
  expect(await axeFaults(page)).toEqual([])
  await primary(page, 'Terminar').click()
  await page.getByText('Sin comprobar, por decisión tuya:').waitFor()
  await settled(page)
  expect(await page.getByText('Todas las declaraciones coinciden').count()).toBe(0)
  await shot(page, 'done-left')
  await page.getByRole('button', { name: 'Deshacer el traslado' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('2 documentos y fichas que entraron con él').waitFor()
  await shot(page, 'undo')
  expect(await axeFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Deshacer todo' }).click()
  await page.getByRole('heading', { name: 'El traslado se ha deshecho entero' }).waitFor()
  await settled(page)
  await shot(page, 'undone')
  const { items } = (await callAsWindow(app, 'contacts.list', {}, books.live)) as { items: unknown[] }
  expect(items).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
}, 180_000)

test('the set-up of somebody who comes from another program ends in the wizard, in the live book', async () => {
  const fresh = await serveApp()
  const { page, context, complaints } = await openPage(browser, fresh)
  try {
    await page.locator('#welcome-nif').fill('B12345674')
    const values = { legalName: 'Taller Norte S.L.', street: 'Calle Mayor 14', postalCode: '28013' }
    for (const [name, value] of Object.entries({ ...values, city: 'Madrid', province: 'Madrid' }))
      await page.locator(`#welcome-${name}`).fill(value)
    await primary(page, 'Continuar').click()
    await page.getByRole('heading', { name: 'Así será tu factura' }).waitFor()
    await primary(page, 'Más tarde').click()
    await page.getByRole('heading', { name: 'Empiezas en el libro de pruebas' }).waitFor()
    expect(await page.getByLabel(/^Vengo de otro programa/).count()).toBe(0)
    await primary(page, 'Continuar').click()
    await page.getByRole('heading', { name: 'Tu código de recuperación' }).waitFor()
    await page.getByLabel(/^Vengo de otro programa/).click()
    await shot(page, 'welcome')
    expect(await axeFaults(page)).toEqual([])
    await primary(page, 'Hacerlo más tarde, en Ajustes').click()
    await page.getByRole('heading', { name: '¿Qué te llevas?' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/moving')
    expect(await page.title()).not.toContain('[PRUEBAS]')
    expect(complaints).toEqual([])
  } finally {
    await context.close()
    await fresh.stop()
  }
}, 120_000)

test('the PDF of a return is read at the check; what it does not prove is a guess until it is confirmed', async () => {
  const call = <Answer>(name: string, input: object) =>
    callAsWindow(app, name, input, books.live) as Promise<Answer>
  const { move } = await call<OutputOf<'moving.start'>>('moving.start', { firstDay: `${year + 1}-01-01` })
  const { id } = move
  await call('moving.addFile', { id, name: 'l.xlsx', content: (await bookFile()).buffer.toString('base64') })
  for (let state = 'draft'; state !== 'applied';)
    state = (await call<OutputOf<'moving.apply'>>('moving.apply', { id })).move.state
  const proof = await call<OutputOf<'moving.proof'>>('moving.proof', { id })
  const boxes = proof.returns.find(({ model, period }) => model === '303' && period === '3T')?.boxes ?? []
  const lines = boxes
    .filter(({ box, computed }) => /^\d{2,3}$/.test(box) && computed)
    .map(({ box, computed }) => `${box} ${spanish(computed ?? 0)}`)
  const head = ['Modelo 303', `NIF ${COMPANY.nif} Ejercicio ${year} Periodo 3T`]
  const pdf = (name: string, text: string[]) => ({
    name,
    mimeType: 'application/pdf',
    buffer: Buffer.from(pdfOf(text)),
  })
  const { page, context } = await openPage(browser, app)
  await visit(page, `/moving/${id}`)
  await page
    .getByLabel('Elegir archivos')
    .setInputFiles([
      pdf('303 3T.pdf', [...head, ...lines]),
      pdf('factura.pdf', ['Factura 7', 'Total 121,00']),
    ])
  await page.getByText('El PDF no dice qué declaración es ni de qué periodo').first().waitFor()
  const line = page.locator('[data-return$="3T"]')
  await line.getByText('Supuesto: el PDF no lo prueba').first().waitFor()
  expect(await line.getByText('Coincide', { exact: true }).count()).toBe(0)
  await line.getByRole('button', { name: /^Confirmar las leídas del PDF/ }).click()
  await line.getByText('Coincide', { exact: true }).waitFor()
  expect(await axeFaults(page)).toEqual([])
  await context.close()
}, 120_000)

test('after a reload the move goes on, and asks for the file that it needs', async () => {
  const { page, context } = await openPage(browser, app)
  await visit(page, '/moving?new')
  await page.getByLabel('Elegir archivos').setInputFiles([await bookFile()])
  await page.getByText('Libro de facturas expedidas').waitFor()
  await settled(page)
  await page.reload()
  await page.getByText('Libro de facturas expedidas').waitFor()
  await settled(page)
  await page.getByRole('combobox', { name: /¿Cómo se escribe el número entero\?/ }).selectOption('/')
  await primary(page, 'Usar estas respuestas').click()
  await page.getByText(`Vuelve a elegir «libros ${year}.xlsx»`).waitFor()
  await shot(page, 'needed')
  // Another file is not taken in its place.
  const again = page.getByLabel(`Volver a elegir libros ${year}.xlsx`)
  await again.setInputFiles([csvFile('otro.csv', 'a;b\n1;2\n')])
  await page.getByText('Ese no es el mismo archivo').last().waitFor()
  await again.setInputFiles([await bookFile('el mismo con otro nombre.xlsx')])
  await page.getByText('Respondido', { exact: true }).first().waitFor()
  const { items } = (await callAsWindow(app, 'moving.list', {}, books.live)) as OutputOf<'moving.list'>
  const answerOf = (questions: OutputOf<'moving.get'>['move']['files'][number]['questions']) =>
    questions.find(({ code }) => code === 'question_series_join')?.answer
  expect(items[0]?.files.map(({ name, questions }) => [name, answerOf(questions)])).toEqual([
    [`libros ${year}.xlsx`, '/'],
  ])
  // The address without the move leads to the only one that is open.
  await visit(page, '/moving')
  await page.waitForURL(`**/moving/${items[0]?.id}`)
  await context.close()
}, 180_000)

inLongRun(test)(
  'a book of 50,000 rows is read and taken in, and the window answers meanwhile',
  async () => {
    const { page, context, complaints } = await openPage(browser, app, { ownProfile: true, init: DELAYS })
    await visit(page, '/moving?new')
    // By its path: bytes would be decoded inside the page.
    const path = join(app.folder, 'libro grande.xlsx')
    writeFileSync(path, await bigBook(25_000, 'xlsx'))
    const longest = (): Promise<number> =>
      page.evaluate(() => {
        const own = window as unknown as { longest: number }
        const found = Math.round(own.longest)
        own.longest = 0
        return found
      })
    // The start of the program is not part of it.
    await longest()
    await page.getByLabel('Elegir archivos').setInputFiles(path)
    const begun = Date.now()
    await page
      .getByText(/^Leyendo [\d.]+ de 50\.000 filas/)
      .first()
      .waitFor({ timeout: 120_000 })
    await page
      .getByText(/[\d.]{6} documentos/)
      .first()
      .waitFor({ timeout: 300_000 })
    const read = Date.now() - begun
    await settled(page)
    const reading = await longest()
    const late = page.getByRole('button', { name: /^Empezar el / })
    if ((await late.count()) > 0) await late.click()
    await settled(page)
    // Documents of a month that has not come yet are errors.
    const rest = page.getByLabel(/^Traer los buenos/)
    if ((await rest.count()) > 0) await rest.check()
    await primary(page, /^Continuar/).click()
    await primary(page, /^Traer [\d.]{6}/).click()
    await page.getByText(/^Trayendo [1-9][\d.]* de/).waitFor({ timeout: 120_000 })
    // Another page answers while the run goes on behind it.
    await visit(page, '/contacts')
    await visit(page, '/moving')
    await page.getByText(/^Trayendo [\d.]+ de/).waitFor()
    await page.getByRole('button', { name: 'Parar' }).click()
    await page.getByText(/^Se quedó a medias/).waitFor({ timeout: 60_000 })
    const taking = await longest()
    console.log(
      `moving-in: 50,000 rows read in ${Math.round(read / 1_000)} s; longest delay of the window ` +
        `${reading} ms while reading, ${taking} ms while taking in and changing pages`,
    )
    expect(Math.max(reading, taking)).toBeLessThan(400)
    expect(complaints).toEqual([])
    await context.close()
  },
  900_000,
)

test.each([
  { language: 'es', theme: 'dark', width: 768 },
  { language: 'en', theme: 'light', width: 420 },
] as const)(
  'every step fits in $language, $theme, $width wide',
  async ({ language, theme, width }) => {
    await callAsWindow(app, 'session.savePreferences', { language, theme })
    const call = <Answer>(name: string, input: object) =>
      callAsWindow(app, name, input, books.live) as Promise<Answer>
    const { move } = await call<OutputOf<'moving.start'>>('moving.start', { firstDay: `${year + 1}-01-01` })
    const { id } = move
    const content = (await bookFile()).buffer.toString('base64')
    await call('moving.addFile', { id, name: 'libros.xlsx', content })
    const wrong = Buffer.from('Número;Fecha;Base;% IVA\nF-1;31/02/2025;1,00;21\n').toString('base64')
    await call('moving.addFile', { id, name: 'mal.csv', content: wrong })
    const { page, context, complaints } = await openPage(browser, app, { language, theme, width })
    const look = async (path: string, name: string) => {
      await visit(page, path)
      await settled(page)
      await shot(page, `${name}-${language}-${theme}-${width}`)
      expect(await axeFaults(page), name).toEqual([])
      expect(await overflows(page), name).toBe(false)
    }
    await look(`/moving/${id}`, 'files')
    await look(`/moving/${id}?step=take`, 'take')
    for (let state = 'draft'; state !== 'applied';)
      state = (await call<OutputOf<'moving.apply'>>('moving.apply', { id })).move.state
    const boxes = { '71': -5 }
    await call('moving.setFiled', { id, model: '303', year, period: '1T', boxes })
    await look(`/moving/${id}?step=proof`, 'proof')
    await look(`/moving/${id}?step=documents`, 'documents')
    const proof = await call<OutputOf<'moving.proof'>>('moving.proof', { id })
    await call('moving.explain', { id, model: '303', year, period: '1T', box: '71', reason: 'Gestor.' })
    const withoutProof = proof.returns
      .filter(({ status }) => status === 'open')
      .map(({ model, year: of, period }) => ({ model, year: of, period }))
    await call('moving.finish', { id, withoutProof })
    await look(`/moving/${id}`, 'done')
    expect(complaints).toEqual([])
    await context.close()
    await callAsWindow(app, 'session.savePreferences', { language: 'es', theme: 'light' })
  },
  180_000,
)
