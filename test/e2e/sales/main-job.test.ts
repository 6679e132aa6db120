import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import {
  axeFaults,
  callAsWindow,
  openPage,
  serveApp,
  sharedBrowser,
  visit,
} from '../../support/browser/browser.ts'
import type { ServedApp } from '../../support/browser/browser.ts'
import { discPng } from '../../support/files/pictures.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium', 'pdftoppm', 'zbarimg')

let app: ServedApp
let browser: Browser
let downloads = ''

beforeAll(async () => {
  if (!tool('chromium')) return
  browser = await sharedBrowser()
  app = await serveApp()
  downloads = mkdtempSync(join(tmpdir(), 'sello-downloads-'))
}, 120_000)

afterAll(async () => {
  await app?.stop()
  if (downloads) rmSync(downloads, { recursive: true, force: true })
})

async function fillCompany(page: Page): Promise<void> {
  await page.locator('#welcome-nif').fill('B12345674')
  await page.locator('#welcome-legalName').fill('Taller Norte S.L.')
  await page.locator('#welcome-street').fill('Calle Mayor 14')
  await page.locator('#welcome-postalCode').fill('28013')
  await page.locator('#welcome-city').fill('Madrid')
  await page.locator('#welcome-province').fill('Madrid')
}

async function keepRecoveryCode(page: Page): Promise<void> {
  const list = page.getByRole('list', { name: 'Código de recuperación, en siete grupos' })
  await list.getByRole('listitem').nth(6).waitFor()
  const groups = (await list.getByRole('listitem').allInnerTexts()).map((text) =>
    text.replace(/\s+/g, '').slice(1),
  )
  expect(groups).toHaveLength(7)
  await page.getByRole('button', { name: 'Ya lo tengo guardado' }).click()
  const asked = page.getByLabel(/^Grupo \d$/)
  for (const field of await asked.all()) {
    const label = (await field.getAttribute('id')) ?? ''
    await field.fill(groups[Number(label.replace('recovery-', ''))] ?? '')
  }
  await page.getByRole('button', { name: 'Comprobar' }).click()
}

async function testBook(): Promise<string> {
  const { companies } = (await callAsWindow(app, 'session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  return companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
}

describe('the main job in the window', () => {
  test('leads from an empty installation to an issued invoice with its PDF, by keyboard where it matters', async () => {
    const { page, context, complaints } = await openPage(browser, app)
    const continueOn = () => page.getByRole('button', { name: 'Continuar' }).click()

    // Set-up: missing fields are reported, a wrong NIF is detected, and it ends in the test book.
    await continueOn()
    await page.getByText('Escribe tu NIF, por ejemplo 12345678Z').waitFor()
    await fillCompany(page)
    // A reload loses no typed value.
    await page.reload()
    await page.locator('#welcome-nif').waitFor()
    expect(await page.locator('#welcome-legalName').inputValue()).toBe('Taller Norte S.L.')
    expect(await page.locator('#welcome-city').inputValue()).toBe('Madrid')
    await continueOn()

    // The second step shows the invoice and asks for its content; the frame around the window is explained.
    await page.getByRole('heading', { name: 'Así será tu factura' }).waitFor()
    await page.getByText('El marco naranja que acaba de aparecer').waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Así será tu factura' }).waitFor()
    await page.locator('.pdf-sheet[data-drawn] canvas').first().waitFor()
    await page.locator('#welcome-iban').fill('ES00 1111')
    await continueOn()
    await page.locator('#welcome-iban[aria-invalid="true"]').waitFor()
    await page.locator('#welcome-iban').fill('ES91 2100 0418 4502 0005 1332')
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: discPng(48) })
    await page.locator('.logo-sheet img').waitFor()
    await page.reload()
    await page.locator('.logo-sheet img').waitFor()
    await page.locator('.pdf-sheet[data-drawn] canvas').first().waitFor()
    expect(await page.locator('#welcome-iban').inputValue()).toBe('ES91 2100 0418 4502 0005 1332')
    expect(await axeFaults(page)).toEqual([])
    await continueOn()
    await page.getByRole('heading', { name: 'Empiezas en el libro de pruebas' }).waitFor()
    const company = (await callAsWindow(app, 'company.current', {}, await testBook())) as { iban?: string }
    expect(company.iban?.replace(/\s/g, '')).toBe('ES9121000418450200051332')
    await continueOn()
    await keepRecoveryCode(page)
    await page.waitForURL(/\/invoices\/inv_[0-9a-z]{16}\/edit/)
    await page.getByText('Nada de lo que hagas aquí llega a la AEAT.').waitFor()
    expect(await page.title()).toContain('[PRUEBAS]')

    // A new invoice by keyboard, with a fault on the way.
    await visit(page, '/invoices/new')
    const client = page.getByRole('combobox', { name: 'Cliente' })
    await client.fill('Clínica Dental Aljarafe S.L.P.')
    await page.getByRole('option', { name: /Crear/ }).click()
    const nif = page.getByLabel('NIF').last()
    await nif.fill('B41998873')
    await page.getByRole('button', { name: 'Crear y usar' }).click()
    await page.getByText('NIF correcto').first().waitFor()
    await page.getByLabel('Línea 1, Concepto').fill('Diseño de la página de reservas')
    await page.getByLabel('Línea 1, Cantidad').fill('32')
    await page.getByLabel('Línea 1, Precio').fill('45,5o')
    await page.keyboard.press('Control+Enter')
    // The box names the fault; its link leads to the field.
    await page.getByText('Línea 1: «45,5o» no es un precio').click()
    const price = page.getByLabel('Línea 1, Precio')
    await page.waitForFunction(() =>
      (document.activeElement?.getAttribute('aria-label') ?? '').startsWith('Línea 1, Precio'),
    )
    await price.fill('1.045,50')
    await price.press('Enter')
    await page.getByLabel('Línea 2, Concepto').fill('Guía impresa')
    await page.getByLabel('Línea 2, Precio').fill('12.5')
    await page.getByLabel('Línea 2, IVA').selectOption({ label: '4 %' })
    await page.getByText(/Borrador guardado/).waitFor()
    expect(await axeFaults(page)).toEqual([])

    // 32 × 1.045,50 = 33.456,00 at 21 %; 12,50 at 4 %: 40.494,76
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('¿Emitir en pruebas?').waitFor()
    const shown = (await dialog.innerText()).replace(/\s+/g, ' ')
    expect(shown).toContain('T-F2026-0001'.replace('2026', String(new Date().getFullYear())))
    expect(shown).toContain('40.494,76')
    expect(shown).toContain('Taller Norte S.L. · B12345674')
    expect(shown).toContain('Clínica Dental Aljarafe S.L.P. · B41998873')
    expect(shown).toContain('Autoridad simulada')
    await page.waitForTimeout(800)
    expect(await axeFaults(page)).toEqual([])
    await page.keyboard.press('Control+Enter')

    await page.waitForURL(/\/invoices\/inv_[0-9a-z]{16}$/)
    await page.getByRole('heading', { name: /^T-F\d{4}-0001$/ }).waitFor()
    await page.getByText('Registrada', { exact: true }).first().waitFor()
    expect(await axeFaults(page)).toEqual([])

    // The document is the one that the registry's QR links to.
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^PDF/ }).first().click(),
    ])
    const file = join(downloads, download.suggestedFilename())
    await download.saveAs(file)
    expect(readFileSync(file).subarray(0, 5).toString()).toBe('%PDF-')
    execFileSync('pdftoppm', ['-r', '100', '-png', '-singlefile', file, join(downloads, 'page')])
    const qr = execFileSync('zbarimg', ['-q', '--raw', join(downloads, 'page.png')], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    expect(qr.trim()).toMatch(
      /^https:\/\/prewww2\.aeat\.es\/wlpl\/TIKE-CONT\/ValidarQR\?nif=B12345674&numserie=T-F\d{4}-0001&fecha=\d\d-\d\d-\d{4}&importe=40494\.76$/,
    )

    await visit(page, '/invoices')
    await page
      .getByText(/^T-F\d{4}-0001$/)
      .first()
      .click()

    // The live copy of it: one click creates, in the live book, a draft with the same customer and lines.
    await page.getByRole('button', { name: 'Hacerla en el libro real' }).click()
    await page.waitForURL(/\/invoices\/inv_[0-9a-z]{16}\/edit/)
    // The exact text: the same notice is also announced, with a word before it.
    await page.getByText('Ahora en el libro real, como borrador', { exact: true }).waitFor()
    expect(await page.title()).not.toContain('[PRUEBAS]')
    expect(await page.getByLabel('Línea 1, Concepto').inputValue()).toBe('Diseño de la página de reservas')
    expect(await page.getByLabel('Línea 2, Concepto').inputValue()).toBe('Guía impresa')
    await page.getByText('40.494,76').first().waitFor()
    await page.getByText('NIF correcto').first().waitFor()
    await context.close()
    // The error for the wrong IBAN.
    expect(complaints.filter((text) => !/422/.test(text))).toEqual([])
    expect(complaints.length).toBeLessThanOrEqual(1)
  }, 120_000)
})
