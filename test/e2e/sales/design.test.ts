/**
 * Design of the documents in the settings: any picture becomes a logo, the preview is updated, and only legible
 * colours are saved.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import {
  axeFaults,
  callAsWindow,
  openPage,
  serveApp,
  sharedBrowser,
  visit,
} from '../../support/browser/browser.ts'
import type { Look, ServedApp } from '../../support/browser/browser.ts'
import { dice } from '../../support/seeded-random.ts'
import { discPng, JPEGS, png } from '../../support/files/pictures.ts'
import { inLongRun, swept } from '../../support/sweep.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')
const longTest = inLongRun(test)

interface Session {
  companies: { books: { id: string; mode: 'live' | 'test' }[] }[]
}
interface Kept {
  accent: string | null
  footer: string | null
  simplifiedFormat: string
  paymentQr: boolean
  logo: { width: number; height: number; sha256: string } | null
}

let app: ServedApp
let browser: Browser
let book = ''

beforeAll(async () => {
  if (!tool('chromium')) return
  browser = await sharedBrowser()
  app = await serveApp({ invoices: 3 })
  const session = (await callAsWindow(app, 'session.get', {})) as Session
  book = session.companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
  await callAsWindow(app, 'session.savePreferences', { activeBook: book })
  await callAsWindow(app, 'company.update', { iban: 'ES9121000418450200051332' }, book)
}, 120_000)

afterAll(async () => {
  await app?.stop()
})

const keptDesign = async (): Promise<Kept> => (await callAsWindow(app, 'company.design', {}, book)) as Kept

/** Opens the section and expects no complaint; the answers of its preview are recorded. */
async function inDesign(look: Look, see: (page: Page, drawn: string[]) => Promise<void>): Promise<void> {
  await callAsWindow(app, 'session.savePreferences', {
    language: look.language ?? 'es',
    theme: look.theme ?? 'light',
  })
  const { page, context, complaints } = await openPage(browser, app, look)
  const drawn: string[] = []
  page.on('response', (response) => {
    if (!response.url().endsWith('/company.designSample')) return
    // A preview request cancelled for a newer one, or by closing the page, has no body: a test that needs it would
    // wait in vain.
    void response.json().then(
      ({ data }: { data: { sha256: string } }) => drawn.push(data.sha256),
      () => undefined,
    )
  })
  try {
    await visit(page, '/settings/design')
    await page.locator('.pdf-sheet canvas').first().waitFor()
    await see(page, drawn)
    expect(complaints).toEqual([])
  } finally {
    await context.close()
  }
}

/** Performs a change of the document, and waits for its new preview. */
async function redraws(drawn: string[], change: () => Promise<void>): Promise<void> {
  const before = drawn.at(-1)
  await change()
  await expect.poll(() => drawn.at(-1)).not.toBe(before)
}

const shows = (page: Page, text: string): Promise<void> =>
  page.locator('.pdf-text span', { hasText: text }).first().waitFor({ state: 'attached' })
const chooseLogo = (page: Page, name: string, mimeType: string, buffer: Buffer): Promise<void> =>
  page.getByLabel('Imagen del logotipo').setInputFiles({ name, mimeType, buffer })

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><script>window.ran = true</script>
<circle cx="10" cy="10" r="9" fill="#b3161b"/><rect x="24" y="6" width="34" height="8" fill="#262f78" opacity=".5"/></svg>`

/** One transparent pixel. */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

test('a design is chosen beside the real document, saved, and shown when the page is opened again', async () => {
  await inDesign({}, async (page, drawn) => {
    const save = page.getByRole('button', { name: 'Guardar diseño' })
    expect(await save.isDisabled()).toBe(true)

    await redraws(drawn, () => chooseLogo(page, 'logo.svg', 'image/svg+xml', Buffer.from(SVG)))
    await page.getByText(/1\.?200 × 400 px/).waitFor()
    await redraws(drawn, () => page.locator('label[title=Granate]').click())
    await redraws(drawn, () => page.getByLabel('Pie de página').fill('Abrimos de lunes a viernes'))
    await shows(page, 'Abrimos de lunes a viernes')
    await redraws(drawn, () => page.getByRole('switch', { name: 'QR para pagar' }).click())
    await redraws(drawn, () => page.getByRole('radio', { name: /Tique de 80 mm/ }).check())
    await redraws(drawn, () => page.locator('label.choice', { hasText: /^\s*Factura\s*$/ }).click())
    await redraws(drawn, async () => {
      await page.getByLabel('Idioma del ejemplo').selectOption('en')
    })
    await shows(page, 'Catálogo impreso')
    expect((await keptDesign()).accent).toBeNull()

    await save.click()
    await page.getByText('Diseño guardado', { exact: true }).waitFor()
    expect(await keptDesign()).toMatchObject({
      accent: '#7B1238',
      footer: 'Abrimos de lunes a viernes',
      simplifiedFormat: 'ticket',
      paymentQr: false,
      logo: { width: 1200, height: 400 },
    })
    expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  })
  await inDesign({}, async (page, drawn) => {
    expect(await page.getByRole('radio', { name: 'Granate' }).isChecked()).toBe(true)
    expect(await page.getByLabel('Pie de página').inputValue()).toBe('Abrimos de lunes a viernes')
    expect(await page.getByRole('radio', { name: /Tique de 80 mm/ }).isChecked()).toBe(true)
    const logo = page.getByRole('img', { name: 'Logotipo' })
    // Half-transparent ink is drawn on white, and so is the corner.
    const pixels = await logo.evaluate((it: HTMLImageElement) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 1200, height: 400 })
      const pen = canvas.getContext('2d', { willReadFrequently: true })
      pen?.drawImage(it, 0, 0)
      return [[2, 2] as const, [820, 200] as const].map(([x, y]) => [
        ...(pen?.getImageData(x, y, 1, 1).data ?? []),
      ])
    })
    expect(pixels[0]).toEqual([255, 255, 255, 255])
    for (const [at, sample] of [147, 151, 188, 255].entries())
      expect(Math.abs((pixels[1]?.[at] ?? -9) - sample)).toBeLessThan(3)
    await redraws(drawn, () => page.getByRole('button', { name: 'Quitar' }).click())
    await page.getByRole('button', { name: 'Descartar cambios' }).click()
    await logo.waitFor()
    await page.getByRole('button', { name: 'Quitar' }).click()
    await page.getByRole('button', { name: 'Guardar diseño' }).click()
    await expect.poll(async () => (await keptDesign()).logo).toBeNull()
    await page.getByRole('button', { name: 'Deshacer' }).click()
    await expect.poll(async () => (await keptDesign()).logo?.width).toBe(1200)
  })
}, 120_000)

longTest(
  'an illegible colour is rejected at its field, with its contrast',
  async () => {
    await inDesign({}, async (page, drawn) => {
      const code = page.getByLabel('Código del color')
      const before = drawn.length
      await code.fill('#FFCC00')
      await page.getByRole('alert').getByText('Contraste 1,5:1').waitFor()
      expect(await page.getByRole('button', { name: 'Guardar diseño' }).isDisabled()).toBe(true)
      expect(await axeFaults(page)).toEqual([])
      await code.fill('verde')
      await page.getByRole('alert').getByText('Escribe un color como').waitFor()
      await page.waitForTimeout(600)
      expect(drawn).toHaveLength(before)
      // Other changes meanwhile are rendered in the last legible colour.
      await redraws(drawn, () => page.getByLabel('Pie de página').fill('Mientras tanto'))
      await redraws(drawn, () => code.fill('1f4e9e'))
      await page.getByText('se lee bien').waitFor()
      expect(await page.getByRole('radio', { name: 'Azul', exact: true }).isChecked()).toBe(true)
    })
  },
  60_000,
)

async function webp(page: Page): Promise<Buffer> {
  const drawn = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 90, height: 30 })
    canvas.getContext('2d')?.fillRect(5, 5, 20, 20)
    return canvas.toDataURL('image/webp').split(',')[1] ?? ''
  })
  return Buffer.from(drawn, 'base64')
}
function noise(): Buffer {
  const samples = dice(9)
  const pixel = (): number[] => [samples.below(256), samples.below(256), samples.below(256)]
  return png({ width: 1300, height: 500, type: 'rgb', depth: 8, pixel })
}

/** Pictures with their size as a logo. The largest stands for all: it is decoded, scaled and compressed. */
const PICTURES: [string, string, (page: Page) => Buffer | Promise<Buffer>, RegExp][] = [
  ['foto.jpg', 'image/jpeg', () => JPEGS.cmyk, /\b32 × 20 px/],
  ['logo.png', 'image/png', () => discPng(2400, 600), /1\.?200 × 300 px/],
  ['logo', 'image/webp', webp, /\b90 × 30 px/],
  ['logo.gif', 'image/gif', () => GIF, /\b16 × 16 px/],
  ['foto.png', 'image/png', noise, /× 400 px/],
]

test('pictures of every kind are accepted, and other files are rejected', async () => {
  await inDesign({}, async (page, drawn) => {
    for (const [name, type, picture, size] of swept(PICTURES, ([each]) => each === 'foto.png')) {
      const bytes = await picture(page)
      await redraws(drawn, () => chooseLogo(page, name, type, bytes))
      await page.getByText(size).waitFor()
    }
    await page.getByRole('button', { name: 'Guardar diseño' }).click()
    await expect.poll(async () => (await keptDesign()).logo?.height).toBe(400)
    await chooseLogo(page, 'factura.pdf', 'application/pdf', Buffer.from('%PDF-1.7'))
    await page.getByRole('alert').getByText('No es una imagen').waitFor()
    await chooseLogo(page, 'rota.png', 'image/png', Buffer.from('nothing'))
    await page.getByRole('alert').getByText('No se ha podido leer').waitFor()
    const bomb = discPng(40, 40)
    bomb.writeUInt32BE(30_000, 16)
    bomb.writeUInt32BE(30_000, 20)
    await chooseLogo(page, 'bomba.png', 'image/png', bomb)
    await page
      .getByRole('alert')
      .getByText(/demasiado grande|No se ha podido leer/)
      .waitFor()
    // The previous choice stays.
    await page.getByText(/× 400 px/).waitFor()
  })
}, 60_000)

longTest(
  'leaving with unsaved changes asks first',
  async () => {
    await inDesign({}, async (page) => {
      await page.getByLabel('Pie de página').fill('Otro pie')
      await page.getByRole('link', { name: 'Copias de seguridad' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Seguir aquí' }).click()
      expect(await page.getByLabel('Pie de página').inputValue()).toBe('Otro pie')
      await page.getByRole('link', { name: 'Copias de seguridad' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Salir sin guardar' }).click()
      await page.waitForURL(/\/settings\/backups$/)
      await page.getByRole('link', { name: 'Diseño de los documentos', exact: true }).click()
      await page.getByLabel('Pie de página').waitFor()
      expect(await page.getByLabel('Pie de página').inputValue()).not.toBe('Otro pie')
      await page.getByRole('link', { name: 'Copias de seguridad' }).click()
      await page.waitForURL(/\/settings\/backups$/)
    })
  },
  60_000,
)
