/** The window shows the document itself: the bytes that are printed and stored, rendered again when they change. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { admissionOf } from '../../support/browser/admission.ts'
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
import { inLongRun, swept } from '../../support/sweep.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium', 'pdfinfo')
const longTest = inLongRun(test)

interface Session {
  companies: { books: { id: string; mode: 'live' | 'test' }[] }[]
}

let app: ServedApp
let browser: Browser
let book = ''
let folder = ''
let issued = ''

beforeAll(async () => {
  if (!tool('chromium') || !tool('pdfinfo')) return
  browser = await sharedBrowser()
  app = await serveApp({ invoices: 12 })
  folder = mkdtempSync(join(tmpdir(), 'sello-preview-'))
  const session = (await callAsWindow(app, 'session.get', {})) as Session
  book = session.companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
  await callAsWindow(app, 'session.savePreferences', { activeBook: book })
  const { items } = (await callAsWindow(app, 'invoices.window', { limit: 100 }, book)) as {
    items: { id: string; state: string }[]
  }
  issued = items.find(({ state }) => state === 'issued')?.id ?? ''
}, 120_000)

afterAll(async () => {
  await app?.stop()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

/** The pages rendered now. */
const painted = (page: Page): Locator => page.locator('.pdf-sheet canvas')
const shows = (page: Page, text: string): Promise<void> =>
  page.locator('.pdf-text span', { hasText: text }).first().waitFor({ state: 'attached' })

/** Returns the bytes of a document as any program gets them. */
async function bytesOf(operation: string, input: object): Promise<Buffer> {
  const { headers } = await admissionOf(app)
  const answer = await fetch(`${app.url}/app/call/${operation}`, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      'sello-book': book,
    },
    body: JSON.stringify(input),
  })
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  return Buffer.from(await answer.arrayBuffer())
}

function pageCountOf(bytes: Buffer): number {
  const file = join(folder, 'counted.pdf')
  writeFileSync(file, bytes)
  return Number(/^Pages:\s+(\d+)$/m.exec(execFileSync('pdfinfo', [file], { encoding: 'utf8' }))?.[1])
}

/** Builds a PDF of one page from its content, its fonts and one picture, with a correct cross-reference table. */
function pdfOf(content: string, resources: string, picture: { words: string; data: Buffer }): Buffer {
  const stream = (words: string, data: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(`<<${words}/Length ${data.length}>>stream\n`),
      data,
      Buffer.from('\nendstream'),
    ])
  const objects = [
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    Buffer.from('<</Type/Pages/Kids[3 0 R]/Count 1>>'),
    Buffer.from(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents 4 0 R/Resources<</XObject<</Scan 5 0 R>>${resources}>>>>`,
    ),
    stream('', Buffer.from(content)),
    stream(`/Type/XObject/Subtype/Image${picture.words}`, picture.data),
  ]
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const places: number[] = []
  const end = (): number => parts.reduce((sum, { length }) => sum + length, 0)
  for (const [index, object] of objects.entries()) {
    places.push(end())
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n'))
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(
    Buffer.from(
      `xref\n0 6\n0000000000 65535 f \n${table}trailer<</Size 6/Root 1 0 R>>\nstartxref\n${end()}\n%%EOF`,
    ),
  )
  return Buffer.concat(parts)
}

/** A scan of 400 × 200 points in CCITT group 4 (ITU-T T.6): fifty white rows, then black ones. */
function scan(): { words: string; data: Buffer } {
  const white = '1'
  const firstBlack = `001${'00110101'}${'000000110100'}${'0000010111'}`
  const endOfBlock = '000000000001'.repeat(2)
  const bits = white.repeat(50) + firstBlack + '11'.repeat(99) + endOfBlock
  const bytes = bits.match(/.{1,8}/g)?.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)) ?? []
  return {
    words:
      '/Width 400/Height 150/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns 400/Rows 150>>',
    data: Buffer.from(bytes),
  }
}

async function draftOf(lines: readonly string[], more: object = {}): Promise<string> {
  const made = await callAsWindow(
    app,
    'invoices.create',
    {
      clientName: 'Ana Ruiz Gil',
      clientNif: '12345678Z',
      lines: lines.map((description) => ({ description, quantity: 1, unitPrice: 10 })),
      ...more,
    },
    book,
  )
  return (made as { id: string }).id
}

/** Opens a page of the app, runs the assertions, and expects no complaint but those `of` names. */
async function at(
  path: string,
  look: Look,
  see: (page: Page) => Promise<void>,
  of: RegExp = /^$/,
): Promise<void> {
  const { page, context, complaints } = await openPage(browser, app, look)
  try {
    await visit(page, path)
    await see(page)
    expect(complaints.filter((complaint) => !of.test(complaint))).toEqual([])
  } finally {
    await context.close()
  }
}

describe('the preview of a draft', () => {
  test('appears with the first line and follows the typed text, without ever being blank', async () => {
    await at('/invoices/new', {}, async (page) => {
      await page.getByText('Aparecerá en cuanto el borrador tenga cliente').waitFor()
      await page.getByRole('combobox', { name: 'Cliente' }).fill('Talleres Ebro')
      await page
        .getByRole('option', { name: /Usar|Crear/ })
        .first()
        .waitFor()
      await page.keyboard.press('Escape')
      await page.getByLabel('Línea 1, Concepto').fill('Revisión de la caldera')
      await page.getByLabel('Línea 1, Precio').fill('145,50')
      await page.getByLabel('Línea 1, Precio').press('Tab')
      await shows(page, 'Revisión de la caldera')
      // From now on there is always a picture, whatever is typed.
      await page.evaluate(() => {
        const counted = window as unknown as { blanks: number }
        counted.blanks = 0
        const look = (): void => {
          if (!document.querySelector('.pdf-sheet canvas')) counted.blanks++
          requestAnimationFrame(look)
        }
        look()
      })
      await page.getByLabel('Línea 1, Concepto').fill('Revisión de la caldera y del quemador')
      await shows(page, 'y del quemador')
      await page.getByLabel('Línea 1, Precio').fill('200')
      await page.getByLabel('Línea 1, Precio').press('Tab')
      await shows(page, '242,00')
      expect(await page.evaluate(() => (window as unknown as { blanks: number }).blanks)).toBe(0)
      expect(await painted(page).count()).toBe(1)
    })
  }, 90_000)

  longTest(
    'keeps its scroll position when the pages change',
    async () => {
      const id = await draftOf(Array.from({ length: 80 }, (_, index) => `Pieza ${index + 1}`))
      await at(`/invoices/${id}/edit`, {}, async (page) => {
        await painted(page).first().waitFor()
        const pane = page.getByRole('complementary', { name: 'Vista previa' })
        await pane.evaluate((it) => it.scrollTo(0, 500))
        await page.getByLabel('Línea 3, Concepto').fill('Otra pieza')
        await shows(page, 'Otra pieza')
        expect(await pane.evaluate((it) => it.scrollTop)).toBe(500)
      })
    },
    90_000,
  )

  longTest(
    'is hidden and shown again, and has its own tab in a narrow window',
    async () => {
      const id = await draftOf(['Mano de obra'])
      await at(`/invoices/${id}/edit`, {}, async (page) => {
        await shows(page, 'Mano de obra')
        await page.getByRole('button', { name: 'Vista previa' }).click()
        await painted(page).first().waitFor({ state: 'detached' })
        await page.getByRole('button', { name: 'Vista previa' }).click()
        await shows(page, 'Mano de obra')
      })
      await at(`/invoices/${id}/edit`, { width: 420, theme: 'dark' }, async (page) => {
        expect(await painted(page).count()).toBe(0)
        await page.getByRole('button', { name: 'Vista previa' }).click()
        await shows(page, 'Mano de obra')
        expect(await overflows(page)).toBe(false)
        expect(await axeFaults(page)).toEqual([])
      })
    },
    90_000,
  )
})

/** Areas of the preview, each with the anchor of its field. */
const AREAS = [
  ['client', 'client'],
  ['number', 'series'],
  ['issueDate', 'issueDate'],
  ['dueDate', 'dueDate'],
  ['operationDate', 'operationDate'],
  ['withholding', 'withholding'],
  ['discount', 'discountPct'],
  ['paymentMethod', 'paymentMethod'],
  ['notes', 'notes'],
] as const
/** One of each kind: a field with a list, one with another name than its area, a date, a text. */
const STANDING_AREAS = new Set<string>(['client', 'number', 'dueDate', 'notes'])

describe('the areas of the preview', () => {
  test('lead to their fields', async () => {
    const id = await draftOf(['Mano de obra', 'Filtro'], {
      dueDate: '2027-01-31',
      operationDate: '2026-11-02',
      withholdingPct: 15,
      discountPct: 5,
      paymentMethod: 'card',
      notes: 'Gracias por su confianza',
    })
    const focused = (page: Page): Promise<string> =>
      page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-anchor]')?.dataset.anchor ?? '')
    const area = (page: Page, field: string): Locator => page.locator(`.pdf-area[data-field="${field}"]`)
    await at(`/invoices/${id}/edit`, {}, async (page) => {
      await shows(page, 'Filtro')
      for (const [field, anchor] of swept(AREAS, ([name]) => STANDING_AREAS.has(name))) {
        await area(page, field).first().click()
        await expect.poll(() => focused(page), { message: field }).toBe(anchor)
      }
      await area(page, 'lines.1').first().click()
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
        .toBe('Línea 2, Concepto')
      // Areas that are not editable here are read-only, and the keyboard uses the form.
      expect(await area(page, 'issuer').count()).toBe(0)
      expect(await page.locator('.pdf-area:not([tabindex="-1"])').count()).toBe(0)
    })
    await at(`/invoices/${id}/edit`, { width: 420 }, async (page) => {
      await page.getByRole('button', { name: 'Vista previa' }).click()
      await area(page, 'issueDate').first().click()
      await expect.poll(() => focused(page)).toBe('issueDate')
    })
  }, 90_000)
})

describe('a document of many pages', () => {
  test('renders pages near the view, has the page count of the file, and stays sharp when the window grows', async () => {
    const id = await draftOf(Array.from({ length: 400 }, (_, index) => `Pieza ${index + 1}`))
    const count = pageCountOf(await bytesOf('invoices.pdf', { id }))
    expect(count).toBeGreaterThan(10)
    await at(`/invoices/${id}`, {}, async (page) => {
      await painted(page).first().waitFor()
      const pages = page.getByRole('group', { name: /^Página \d+ de \d+$/ })
      expect(await pages.count()).toBe(count)
      expect(await painted(page).count()).toBeLessThan(5)
      await page.getByRole('group', { name: `Página ${count} de ${count}` }).scrollIntoViewIfNeeded()
      await shows(page, 'Pieza 400')
      // A page far away is released again.
      await expect.poll(() => pages.first().locator('canvas').count()).toBe(0)

      const sharpness = (): Promise<number> =>
        painted(page)
          .last()
          .evaluate((it: HTMLCanvasElement) => it.width / it.getBoundingClientRect().width / devicePixelRatio)
      await page.setViewportSize({ width: 1100, height: 800 })
      await expect.poll(sharpness).toBeCloseTo(1, 1)
      await page.setViewportSize({ width: 1700, height: 900 })
      await expect.poll(sharpness).toBeCloseTo(1, 1)
    })
  }, 120_000)
})

describe('an issued invoice', () => {
  test('is shown from its stored bytes, on white paper in every theme, with selectable text', async () => {
    const { number } = (await callAsWindow(app, 'invoices.get', { id: issued }, book)) as { number: string }
    await at(`/invoices/${issued}`, { theme: 'dark' }, async (page) => {
      await shows(page, number)
      const corner = await painted(page)
        .first()
        .evaluate((it: HTMLCanvasElement) => [...(it.getContext('2d')?.getImageData(2, 2, 1, 1).data ?? [])])
      expect(corner).toEqual([255, 255, 255, 255])
      await page.locator('.pdf-text span', { hasText: number }).first().selectText()
      expect(await page.evaluate(() => getSelection()?.toString())).toContain(number)
    })
  }, 60_000)

  test('is printed as whole pages of its own', async () => {
    await at(`/invoices/${issued}`, {}, async (page) => {
      await painted(page).first().waitFor()
      await page.evaluate(() => {
        const seen = window as unknown as { sheets: [number, number][] }
        window.print = () => {
          seen.sheets = [...document.querySelectorAll<HTMLImageElement>('body > .print-sheet img')].map(
            (image) => [image.naturalWidth, image.naturalHeight],
          )
        }
      })
      await page.getByRole('button', { name: 'Acciones' }).click()
      await page.getByRole('menuitem', { name: 'Imprimir' }).click()
      const sheets = () =>
        page.evaluate(() => (window as unknown as { sheets?: [number, number][] }).sheets ?? [])
      await expect.poll(async () => (await sheets()).length).toBe(1)
      // A4 at 300 dots per inch.
      expect((await sheets())[0]).toEqual([2480, 3508])
      await expect.poll(() => page.locator('.print-sheet').count()).toBe(0)
    })
  }, 60_000)
})

inLongRun(describe)('quotes', () => {
  test('are rendered as they are saved, and in the editor before that', async () => {
    // On a slow computer the preview is requested before the line is complete, and rejected.
    await at(
      '/quotes/new',
      {},
      async (page) => {
        await page.getByText('Aparecerá en cuanto haya cliente y una línea').waitFor()
        await page.getByRole('combobox', { name: 'Cliente' }).fill('Talleres Ebro')
        await page
          .getByRole('option', { name: /Usar|Crear/ })
          .first()
          .waitFor()
        await page.keyboard.press('Escape')
        await page.getByLabel('Línea 1, Concepto').fill('Ventana de aluminio')
        await page.getByLabel('Línea 1, Precio').fill('250')
        await page.getByLabel('Línea 1, Precio').press('Tab')
        await shows(page, 'Ventana de aluminio')
        const { items } = (await callAsWindow(app, 'quotes.list', { text: 'Talleres Ebro' }, book)) as {
          items: unknown[]
        }
        expect(items).toEqual([])
        await page.getByRole('button', { name: /^Guardar/ }).click()
        await page.waitForURL(/\/quotes\/quo_[0-9a-z]{16}$/)
        await shows(page, 'Ventana de aluminio')
      },
      /status of 422/,
    )
  }, 60_000)
})

inLongRun(describe)("a supplier's file", () => {
  test('is rendered as it is, and an unreadable one says so', async () => {
    const bill = await bytesOf('invoices.pdf', { id: issued })
    const choose = (page: Page, name: string, buffer: Buffer): Promise<void> =>
      page.locator('input[type=file]').first().setInputFiles({ name, mimeType: 'application/pdf', buffer })
    await at('/received/new', {}, async (page) => {
      await choose(page, 'factura.pdf', bill)
      await painted(page).first().waitFor()
    })
    // The server reads it too, and rejects it.
    const broken = Buffer.from('%PDF-1.7\nthis is no document')
    await at(
      '/received/new',
      {},
      async (page) => {
        await choose(page, 'rota.pdf', broken)
        await page.getByText('Este PDF no se puede abrir').waitFor()
        expect(await axeFaults(page)).toEqual([])
      },
      /status of 422/,
    )
  }, 90_000)

  test('is rendered completely if it is a scan or embeds no fonts', async () => {
    const fonts =
      '/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>/F2<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>'
    const content =
      'q 400 0 0 200 0 0 cm /Scan Do Q BT /F1 60 Tf 20 320 Td (nnn) Tj ET BT /F2 24 Tf 20 230 Td (Factura 7) Tj ET'
    const file = pdfOf(content, fonts, scan())
    await at('/received/new', {}, async (page) => {
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'escaneada.pdf', mimeType: 'application/pdf', buffer: file })
      await shows(page, 'Factura 7')
      // Dark from 200 of its points down, and where the three squares of the dingbats are.
      const dark = await painted(page)
        .first()
        .evaluate((it: HTMLCanvasElement) => {
          const scale = it.width / 400
          const share = (x: number, y: number, width: number, height: number): number => {
            const { data } = it
              .getContext('2d')
              ?.getImageData(x * scale, y * scale, width * scale, height * scale) ?? {
              data: new Uint8ClampedArray(),
            }
            let count = 0
            for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 255) < 64) count++
            return count / (data.length / 4)
          }
          return {
            scan: share(20, 300, 300, 60),
            top: share(20, 210, 300, 40),
            squares: share(20, 30, 120, 50),
          }
        })
      expect(dark.scan).toBe(1)
      expect(dark.top).toBe(0)
      expect(dark.squares).toBeGreaterThan(0.3)
      expect(asked.filter((path) => path.includes('/pdfjs-')).map((path) => path.split('/').at(-1))).toEqual(
        expect.arrayContaining(['FoxitDingbats.pfb', 'jbig2_nowasm_fallback.js']),
      )
    })
  }, 60_000)
})
