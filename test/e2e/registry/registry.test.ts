/** Registry in the window: from a rejection to its correction, a cancellation, the export, the certificate. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, vi } from 'vitest'
import { startAuthorityServer } from '../../../server/registry/systems/verifactu/simulator/server.ts'
import type { AuthorityServer } from '../../../server/registry/systems/verifactu/simulator/server.ts'
import {
  axeFaults,
  callAsWindow,
  openPage,
  overflows,
  serveApp,
  sharedBrowser,
  visit,
} from '../../support/browser/browser.ts'
import type { ServedApp } from '../../support/browser/browser.ts'
import { makeP12 } from '../../support/files/certificates.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')

/** The simulated census does not know this number, although it is well formed. */
const UNKNOWN_NIF = '99999999R'
const KNOWN_NIF = '12345678Z'
/** A dialog accepts no confirmation in its first moments. */
const ARMED_MS = 800

interface Session {
  companies: { books: { id: string; mode: 'live' | 'test' }[] }[]
}

let browser: Browser
let downloads = ''

beforeAll(async () => {
  if (!tool('chromium')) return
  browser = await sharedBrowser()
  downloads = mkdtempSync(join(tmpdir(), 'sello-registry-'))
}, 60_000)

afterAll(async () => {
  if (downloads) rmSync(downloads, { recursive: true, force: true })
})

async function bookOf(app: ServedApp, mode: 'live' | 'test'): Promise<string> {
  const session = (await callAsWindow(app, 'session.get', {})) as Session
  return session.companies[0]?.books.find((book) => book.mode === mode)?.id ?? ''
}

async function wear(app: ServedApp, book: string): Promise<void> {
  await callAsWindow(app, 'session.savePreferences', { language: 'es', theme: 'light', activeBook: book })
}

async function makeDraft(app: ServedApp, book: string, clientNif: string): Promise<string> {
  const draft = (await callAsWindow(
    app,
    'invoices.create',
    {
      clientName: 'Ana Ruiz Gil',
      clientNif,
      client: { address: { street: 'Calle Sol 3', postalCode: '41001', city: 'Sevilla', country: 'ES' } },
      lines: [
        { description: 'Mano de obra', quantity: 2, unitPrice: 10 },
        { description: 'Curso', quantity: 1, unitPrice: 50, taxTreatment: 'E1' },
      ],
    },
    book,
  )) as { id: string }
  return draft.id
}

/** For states that no state of the gallery shows. */
async function expectSound(page: Page, where: string): Promise<void> {
  expect([where, await axeFaults(page)]).toEqual([where, []])
  expect([where, await overflows(page)]).toEqual([where, false])
}

/** Returns the complaints without the expected errors, which the browser reports. */
const unexpected = (complaints: readonly string[]) =>
  complaints.filter((complaint) => !complaint.includes('status of 422'))

describe('the registry in the window', () => {
  let app: ServedApp
  let book = ''

  beforeAll(async () => {
    if (!tool('chromium')) return
    app = await serveApp({ invoices: 3 })
    book = await bookOf(app, 'test')
  }, 60_000)
  afterAll(() => app?.stop())

  test('a rejected invoice becomes an action item, is corrected by keyboard, accepted, and cancelled at the end', async () => {
    await wear(app, book)
    const id = await makeDraft(app, book, UNKNOWN_NIF)
    const { page, context, complaints } = await openPage(browser, app, { width: 1440, height: 900 })

    await visit(page, `/invoices/${id}`)
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('¿Emitir en pruebas?').waitFor()
    await page.waitForTimeout(ARMED_MS)
    await page.keyboard.press('Control+Enter')
    await page.getByText('El NIF del cliente no está en el censo o no va con su nombre').first().waitFor()
    await expectSound(page, 'the rejected invoice')

    // The dashboard and the registry show the same, each with its link.
    await visit(page, '/')
    await page.getByRole('button', { name: /^Corregir\s?: T-F\d{4}-\d{4}/ }).waitFor()
    await visit(page, '/registry')
    await page.getByRole('heading', { name: 'Una factura necesita tu ayuda' }).waitFor()
    await page.getByRole('button', { name: 'Detalles' }).click()
    await page
      .getByText(/1110: /)
      .first()
      .waitFor()
    await expectSound(page, 'the registry with a rejection')

    // The correction opens at the faulty field; the rest is by keyboard.
    await page.getByRole('button', { name: /^Corregir/ }).click()
    const nif = dialog.getByLabel('NIF', { exact: true })
    await nif.waitFor()
    await page.waitForFunction(
      () => (document.activeElement as HTMLInputElement | null)?.value === '99999999R',
    )
    await dialog.getByText('La AEAT no tiene este NIF con ese nombre.').waitFor()
    await expectSound(page, 'the form of a correction')
    await page.keyboard.press('Control+A')
    await page.keyboard.type(KNOWN_NIF)
    await page.waitForTimeout(ARMED_MS)
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('Se añade a la cadena un registro nuevo y no se puede deshacer.').waitFor()
    const changes = (await dialog.innerText()).replace(/\s+/g, ' ')
    expect(changes).toContain('NIF del cliente')
    expect(changes).toContain(UNKNOWN_NIF)
    expect(changes).toContain(KNOWN_NIF)
    await expectSound(page, 'what a correction changes')
    await page.waitForTimeout(ARMED_MS)
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Todo al día' }).waitFor()

    // The invoice shows both records; the newest one counts.
    await visit(page, `/invoices/${id}`)
    const records = page.getByRole('list', { name: 'Registros' })
    await records.getByRole('button', { name: /Corrección/, pressed: true }).waitFor()
    await page.getByText('Aceptada por la autoridad simulada').waitFor()
    await records.getByRole('button', { name: /Alta/ }).click()
    await page.getByText('La autoridad simulada la rechazó').waitFor()

    // Cancellation: its consequences are stated, and the confirmation waits for an answer.
    await page.getByRole('button', { name: 'Acciones' }).click()
    await page.getByRole('menuitem', { name: 'Anular la factura' }).click()
    await dialog.getByText(/no se vuelve a usar/).waitFor()
    const annul = dialog.getByRole('button', { name: /^Anular la factura/ })
    await annul.click()
    await dialog.getByText(/Si el cliente ya la tiene, no se anula/).waitFor()
    await expectSound(page, 'the annulment')
    await dialog.getByRole('checkbox').check()
    await annul.click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(/^Anulada el /).waitFor()
    await page.getByText('Anulación aceptada').waitFor()
    await expectSound(page, 'the annulled invoice')
    await visit(page, '/invoices')
    expect(await page.getByText('Anulada', { exact: true }).count()).toBeGreaterThanOrEqual(2)

    await context.close()
    expect(unexpected(complaints)).toEqual([])
  }, 120_000)

  test('the records are exported as one file, and each can be read', async () => {
    await wear(app, book)
    const { page, context, complaints } = await openPage(browser, app, { width: 390, height: 844 })
    await visit(page, '/registry')
    await page.getByRole('button', { name: 'Exportar XML' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Año').selectOption({ label: 'Todos' })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Exportar', exact: true }).click(),
    ])
    const file = join(downloads, download.suggestedFilename())
    await download.saveAs(file)
    const names = Object.keys(unzipSync(readFileSync(file)))
    expect(names.filter((name) => name.endsWith('.xml')).length).toBeGreaterThan(0)
    expect(names.filter((name) => name.endsWith('.csv'))).toHaveLength(1)

    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('row').nth(1).getByRole('button').click()
    await dialog.getByText('XML del registro').first().click()
    expect(await dialog.locator('pre').first().innerText()).toMatch(/NumeroInstalacion>\d{14}-\d{4}</)
    await context.close()
    expect(complaints).toEqual([])
  }, 60_000)

  test('the declaration is one click away, with its items in order and its blanks marked', async () => {
    await wear(app, book)
    const { page, context, complaints } = await openPage(browser, app)
    await page.getByRole('link', { name: 'Declaración responsable' }).click()
    await page.getByText('DECLARACIÓN RESPONSABLE DEL SISTEMA INFORMÁTICO DE FACTURACIÓN').waitFor()
    const letters = await page.locator('.declaration-label > span').allInnerTexts()
    expect(letters.slice(0, 12)).toEqual([...'abcdefghijkl'].map((letter) => `${letter})`))
    await page.getByText('Faltan datos del productor').waitFor()
    expect(await page.getByText('En blanco: lo completa el productor').count()).toBeGreaterThan(0)

    await page.keyboard.press('Control+K')
    // Letters typed before the list appears would be lost.
    await page.getByRole('option').first().waitFor()
    await page.keyboard.type('declaración')
    await page.getByRole('option', { name: /Declaración responsable/ }).waitFor()
    await context.close()
    expect(complaints).toEqual([])
  }, 60_000)
})

describe('going live in a sandbox', () => {
  let app: ServedApp
  let live = ''

  beforeAll(async () => {
    if (!tool('chromium')) return
    app = await serveApp({ invoices: 0, sandbox: true })
    live = await bookOf(app, 'live')
  }, 60_000)
  afterAll(() => app?.stop())

  test('the certificate is imported, and the first invoice is issued after its commitment is confirmed', async () => {
    await wear(app, live)
    const { page, context, complaints } = await openPage(browser, app)
    await page.getByText('Datos de ensayo: nada de lo que hagas aquí llega a la AEAT.').waitFor()
    await visit(page, '/settings/certificate')
    await page.getByRole('button', { name: 'Importar', exact: true }).click()
    await page.getByText('Elige el archivo, por ejemplo empresa.p12').waitFor()

    const chooser = page.locator('input[type=file]')
    await chooser.setInputFiles({ name: 'empresa.cer', mimeType: 'text/plain', buffer: Buffer.from('x') })
    await page.getByText(/No es un \.p12 ni un \.pfx/).waitFor()
    const { p12 } = makeP12({ password: 'contraseña ñ€', organizationNif: 'B12345674' })
    await chooser.setInputFiles({ name: 'empresa.p12', mimeType: 'application/x-pkcs12', buffer: p12 })
    const password = page.getByLabel('Contraseña del archivo')
    await password.fill('no es esta')
    await password.press('Enter')
    await page.getByText(/La contraseña no abre el archivo/).waitFor()
    await expectSound(page, 'a wrong password')
    await password.fill('contraseña ñ€')
    await password.press('Enter')
    await page.getByText('Certificado de representante · B12345674').waitFor()
    await page.getByText(/^En vigor, quedan /).waitFor()

    const id = await makeDraft(app, live, KNOWN_NIF)
    await visit(page, `/invoices/${id}`)
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('¿Emitir esta factura?').waitFor()
    await dialog.getByText('SANDBOX · la AEAT no recibe nada').waitFor()
    await dialog.getByText(/al menos hasta el 31 de diciembre de \d{4}/).waitFor()
    await expectSound(page, 'the first issue')
    await page.waitForTimeout(ARMED_MS)
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('Marca la casilla para emitir, o practica en el libro de pruebas.').waitFor()
    await page.keyboard.press('Space')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: /^F\d{4}-0001$/ }).waitFor()

    // There is no authority to send to: the record waits, and the page says so.
    await visit(page, '/registry')
    await page.getByText('1 registro sin enviar', { exact: true }).first().waitFor()
    await page.getByText('1 registro espera: este sandbox no tiene a quién enviarlo').waitFor()

    // Without the certificate it continues to wait.
    await visit(page, '/settings/certificate')
    await page.getByRole('button', { name: 'Quitar', exact: true }).click()
    await dialog.getByText('No se puede deshacer.').waitFor()
    await dialog.getByRole('button', { name: 'Quitar el certificado' }).click()
    await page.getByRole('heading', { name: 'Importar el certificado' }).waitFor()
    await context.close()
    expect(unexpected(complaints)).toEqual([])
  }, 120_000)
})

describe('a number that another program has registered', () => {
  let app: ServedApp
  let authority: AuthorityServer
  let live = ''

  beforeAll(async () => {
    if (!tool('chromium')) return
    authority = await startAuthorityServer({ waitSeconds: 0 })
    const ca = join(downloads, 'authority.pem')
    writeFileSync(ca, authority.caPem)
    vi.stubEnv('SELLO_TEST_AUTHORITY_URL', authority.url)
    vi.stubEnv('SELLO_TEST_AUTHORITY_CA', ca)
    app = await serveApp({ invoices: 0, sandbox: true })
    vi.unstubAllEnvs()
    live = await bookOf(app, 'live')
  }, 60_000)
  afterAll(async () => {
    await app?.stop()
    await authority?.close()
  })

  test('both invoices are shown side by side, ours is chosen, and the authority accepts it', async () => {
    await wear(app, live)
    const password = 'contraseña ñ€'
    const { p12 } = makeP12({ password, organizationNif: 'B12345674' })
    await callAsWindow(app, 'certificates.import', { file: p12.toString('base64'), password }, live)
    const id = await makeDraft(app, live, KNOWN_NIF)
    const { page, context, complaints } = await openPage(browser, app, { width: 1280, height: 800 })
    const dialog = page.getByRole('dialog')

    // Between the review and the sending, another program registers the number.
    authority.control.next({ kind: 'foreign_duplicate' })
    await visit(page, `/invoices/${id}`)
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('¿Emitir esta factura?').waitFor()
    await dialog.getByRole('checkbox').check()
    await page.waitForTimeout(ARMED_MS)
    await page.keyboard.press('Control+Enter')
    const number = await page.getByRole('heading', { name: /^F\d{4}-0001$/ }).innerText()
    await page.getByText('otro programa ha registrado este número').first().waitFor()
    await expectSound(page, 'the invoice in conflict')
    await visit(page, '/registry')
    await page.getByRole('heading', { name: 'Una factura necesita tu ayuda' }).waitFor()

    await page.getByRole('button', { name: /^Decidir/ }).click()
    await dialog.getByRole('heading', { name: 'La que tiene la AEAT' }).waitFor()
    const side = (name: string) =>
      dialog.locator('section', { has: page.getByRole('heading', { name, exact: true }) })
    const theirs = await side('La que tiene la AEAT').innerText()
    expect(theirs).toContain('OTRA-INSTALACION (otra)')
    expect(theirs).toContain('Ana Ruiz Gil')
    expect(theirs).toContain('En vigor')
    expect(await side('La de Sello').innerText()).toMatch(/\d{14}-\d{4} \(esta\)/)
    await dialog.getByText(/puede ser la misma factura/).waitFor()
    await expectSound(page, 'the conflict')

    await dialog.getByRole('button', { name: 'Continuar' }).click()
    await dialog.getByText('Elige una de las dos.').waitFor()
    await dialog.getByRole('radio', { name: /^Vale la de Sello/ }).check()
    await dialog.getByRole('button', { name: 'Continuar' }).click()

    // The next step has nothing to correct, and names the record that it replaces.
    await dialog.getByText('Se añade a la cadena un registro nuevo y no se puede deshacer.').waitFor()
    await dialog.getByText(/la factura de otro programa: se cambiaría por esta/).waitFor()
    await dialog.getByText('No cambia nada: se envía otra vez lo mismo en un registro nuevo.').waitFor()
    await expectSound(page, 'ours in the place of the other')
    await page.waitForTimeout(ARMED_MS)
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Todo al día' }).waitFor()

    const held = authority.state?.entries().find((entry) => entry.number === number)
    expect(held?.system.installation).toMatch(/^\d{14}-\d{4}$/)
    expect(held?.status).toBe('active')
    await visit(page, `/invoices/${id}`)
    await page.getByText('Registro corregido').first().waitFor()
    await context.close()
    expect(unexpected(complaints)).toEqual([])
  }, 120_000)
})
