/** Documents to review in the window: ten of them by keyboard alone, wrong input, undo, live states, and every look. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
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
import type { Look, ServedApp } from '../../support/browser/browser.ts'
import { INVOICE_LINES } from '../../support/files/page-pictures.ts'
import { discPng } from '../../support/files/pictures.ts'
import {
  electronicInvoice,
  pictureInvoice,
  plainLines,
  textInvoice,
} from '../../support/files/supplier-papers.ts'
import type { SupplierPaper } from '../../support/files/supplier-papers.ts'
import { personalNif } from '../../support/nif.ts'
import { twoPages } from '../../support/examples/incoming.ts'
import { swept } from '../../support/sweep.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')
const PATH = '/received/incoming'

let app: ServedApp
let browser: Browser
let book = ''

interface Row {
  id: string
  name: string
  state: string
  version: number
  supplierName: string | null
  receivedId: string | null
  doubts: string[]
}
interface List {
  items: Row[]
  counts: Record<string, number>
}
const ask = <Answer>(name: string, input: object = {}) =>
  callAsWindow(app, name, input, book) as Promise<Answer>
const open = async (): Promise<Row[]> => (await ask<List>('incoming.list', { limit: 200 })).items
const document = (id: string) => ask<Row>('incoming.get', { id })

beforeAll(async () => {
  if (!tool('chromium')) return
  app = await serveApp({ invoices: 3 })
  browser = await sharedBrowser()
  const { companies } = await ask<{ companies: { books: { id: string; mode: string }[] }[] }>('session.get')
  book = companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
  await ask('session.savePreferences', { activeBook: book, language: 'es' })
}, 120_000)
afterAll(() => app?.stop())
beforeEach(async () => {
  if (!tool('chromium')) return
  for (const { id } of await open()) await ask('incoming.reject', { id })
})

/** Hands papers in and waits until they have been read. */
async function added(...papers: SupplierPaper[]): Promise<string[]> {
  const ids: string[] = []
  for (const paper of papers) ids.push((await ask<Row>('incoming.add', paper)).id)
  await expect
    .poll(
      async () => (await open()).filter(({ state }) => state === 'queued' || state === 'reading').length,
      {
        // The OCR of a picture takes its time on a busy computer.
        timeout: 200_000,
      },
    )
    .toBe(0)
  return ids
}

async function onPage(look: Look, path: string, walk: (page: Page) => Promise<void>): Promise<void> {
  const { page, context, complaints } = await openPage(browser, app, look)
  await visit(page, path)
  await walk(page)
  // An answer that refuses something is a complaint of the browser, not of the page.
  expect(complaints.filter((text) => !/4(?:09|22)/.test(text))).toEqual([])
  await context.close()
}
const title = (page: Page) => page.locator('#incoming-title')
const left = (page: Page) => page.getByText(/^Quedan? \d+ cosas? por comprobar/)
const isFocused = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => element === element.ownerDocument.activeElement)

test('ten documents are entered by keyboard alone within a minute', async () => {
  const papers = [
    ...[1, 2, 3, 4, 5].map((number) => electronicInvoice(number)),
    ...(await Promise.all(
      [1, 2, 3, 4].map((number) =>
        textInvoice(
          `texto-${number}.pdf`,
          plainLines(`FL-2026-${number}`, { base: 100 * number, nif: personalNif(41_000_000 + number) }),
        ),
      ),
    )),
    await pictureInvoice('foto.png', INVOICE_LINES),
  ]
  await added(...papers)
  await onPage({}, '/received', async (page) => {
    let keys = 0
    const press = async (...pressed: string[]): Promise<void> => {
      for (const key of pressed) {
        keys++
        await page.keyboard.press(key)
      }
    }
    const begun = Date.now()
    await press('g', 'v')
    await title(page).waitFor()
    for (let count = 10; count > 0; count--) {
      await page
        .getByText(count === 1 ? '1 por revisar' : `${count} por revisar`, { exact: true })
        .first()
        .waitFor()
      await title(page).waitFor()
      const { pathname } = new URL(page.url())
      // As a person does: looks at what is marked, accepts it, and enters the document.
      for (let looks = 0; looks < 10 && (await left(page).isVisible()); looks++) {
        if (looks === 0 && count === 10) await press('Control+Enter')
        await press('Enter')
      }
      await press('Control+Enter')
      await page.waitForURL((url) => url.pathname !== pathname)
    }
    const seconds = (Date.now() - begun) / 1000
    console.log(`10 documents entered in ${seconds.toFixed(1)} s with ${keys} keys`)
    expect(await open()).toEqual([])
    expect(seconds).toBeLessThan(60)
    expect(keys).toBeLessThan(60)
  })
  const { items } = await ask<{ items: { supplierName: string; total: number; files: number }[] }>(
    'received.list',
    {
      limit: 20,
    },
  )
  expect(items.filter(({ files }) => files === 1)).toHaveLength(10)
  expect(items.map(({ total }) => total)).toEqual(expect.arrayContaining([1315, 121, 242, 363, 484, 984.37]))
}, 300_000)

test('what nothing proves is in amber with its reason, its place is marked, and it is not entered unseen', async () => {
  const [id = ''] = await added(
    await textInvoice('luna.pdf', plainLines('FL-77', { name: 'Suministros Alba, S.L.' })),
  )
  await onPage({}, `${PATH}/${id}`, async (page) => {
    const number = page.locator('[data-read="supplierNumber"]')
    await number.getByText('Leído: está junto a «Factura nº»').waitFor()
    expect(await number.getAttribute('data-tone')).toBe('doubt')
    // Sums that close are said only when asked.
    const lines = page.locator('[data-read="taxLines"]')
    expect(await lines.getAttribute('data-tone')).toBe('sure')
    expect(await lines.getByText(/100,00 × 21/).count()).toBe(0)
    await lines.getByRole('textbox', { name: 'Base' }).focus()
    await page.keyboard.press('Alt+0')
    await lines.getByText(/100,00 × 21\s% = 21,00; la suma 121,00 está junto a «Total a pagar»/).waitFor()
    await page.getByText('Cuadra con el total del documento').waitFor()
    expect(await page.locator('[data-mark]').count()).toBeGreaterThanOrEqual(3)

    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+Enter')
    expect((await document(id)).state).toBe('doubtful')
    expect(await isFocused(page, '#received-supplier')).toBe(true)
    expect(await page.locator('[data-mark]').count()).toBe(1)
    await page.keyboard.press('Enter')
    expect(await isFocused(page, '#received-number')).toBe(true)
    await page.locator('[data-read="supplierName"]').getByText('Comprobado por ti', { exact: true }).waitFor()
    // The place is where the words are, on the page as it is drawn.
    const [mark, words] = await Promise.all([
      page.locator('[data-mark]').boundingBox(),
      page.locator('.pdf-text').getByText('Factura nº FL-77').boundingBox(),
    ])
    expect(mark && words && mark.y < words.y + words.height && mark.y + mark.height > words.y).toBe(true)
  })
})

test('a wrong value is refused at its field, and typed values survive going to and fro', async () => {
  const ids = await added(
    { name: 'vacio.png', content: discPng(60).toString('base64') },
    await textInvoice('otra.pdf', plainLines('FL-78', { nif: personalNif(42_000_000) })),
  )
  const [empty = '', other = ''] = ids
  await onPage({}, `${PATH}/${empty}`, async (page) => {
    await page.getByText('No se ha encontrado ningún dato de factura.').waitFor()
    await page.keyboard.press('Control+Enter')
    expect(await isFocused(page, '#received-supplier')).toBe(true)
    await page.keyboard.type('Bar Pepe')
    await page.keyboard.press('Enter')
    expect(await isFocused(page, '#received-nif')).toBe(true)
    await page.keyboard.type('123')
    await page.keyboard.press('Enter')
    await page.keyboard.type('T-1')
    await page.keyboard.press('Enter')
    await page.keyboard.type('1/1/2031')
    await page.keyboard.press('Enter')
    await page.keyboard.type('10')
    await page.keyboard.press('Enter')
    await page.keyboard.press('k')
    await title(page).getByText('Ferretería Luna, S.L.').waitFor()
    await page.keyboard.press('j')
    await title(page).getByText('vacio.png').waitFor()
    expect(await page.locator('#received-supplier').inputValue()).toBe('Bar Pepe')
    await page.keyboard.press('Control+Enter')
    // The refusal moves the focus to the first wrong field; a key before that would be typed into it.
    await expect.poll(() => isFocused(page, '#received-form [aria-invalid="true"] >> nth=0')).toBe(true)
    expect((await document(empty)).state).toBe('failed')
    // Leaving loses what is typed: it is asked first.
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    await page.getByRole('dialog', { name: '¿Salir sin guardar?' }).waitFor()
    await page.keyboard.press('Escape')
    expect(new URL(page.url()).pathname).toBe(`${PATH}/${empty}`)
  })
  expect((await document(other)).state).toBe('doubtful')
})

test('rejecting and entering are undone, and an entry leads back to its document', async () => {
  const [id = ''] = await added(electronicInvoice(21))
  await onPage({}, `${PATH}/${id}`, async (page) => {
    await title(page).waitFor()
    await page.keyboard.press('x')
    await page.getByText('Descartado: ').first().waitFor()
    expect((await document(id)).state).toBe('rejected')
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await document(id)).state).toBe('ready')
    await page.getByText('Listo', { exact: true }).last().waitFor()
    await title(page).waitFor()
    await page.keyboard.press('Control+Enter')
    await expect.poll(async () => (await document(id)).state).toBe('entered')
    const { receivedId } = await document(id)
    await visit(page, `${PATH}/${id}?state=entered`)
    await page.getByText('Lo anotó').waitFor()
    await page.keyboard.press('e')
    await page.waitForURL((url) => url.pathname === `/received/${receivedId}`)
    await visit(page, `${PATH}/${id}?state=entered`)
    await page.getByText('Lo anotó').waitFor()
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await document(id)).state).toBe('ready')
    expect((await ask<{ state: string }>('received.get', { id: receivedId ?? '' })).state).toBe('void')
  })
})

test('the same invoice in another file is entered only by an explicit answer', async () => {
  const first = electronicInvoice(31)
  const again = {
    name: 'otra-copia.xml',
    content: Buffer.from(`${Buffer.from(first.content, 'base64')}\n`).toString('base64'),
  }
  const [one = '', two = ''] = [...(await added(first)), ...(await added(again))]
  expect((await document(two)).state).toBe('duplicate')
  await onPage({}, `${PATH}/${two}`, async (page) => {
    await page.getByText('Ya está por revisar otro documento con este número').waitFor()
    await page.keyboard.press('d')
    await page.waitForURL((url) => url.pathname === `${PATH}/${one}`)
    await title(page).waitFor()
    await page.getByText('Listo', { exact: true }).last().waitFor()
    await page.keyboard.press('Control+Enter')
    await expect.poll(async () => (await document(one)).state).toBe('entered')
    // The page goes on by itself when the answer has come; a key before that is for the first document.
    await page.waitForURL((url) => url.pathname !== `${PATH}/${one}`)
    await visit(page, `${PATH}/${two}`)
    const answer = page.getByRole('button', { name: 'Es otra: anotarla igualmente' }).first()
    await answer.waitFor()
    await page.keyboard.press('Control+Enter')
    await expect
      .poll(() => answer.evaluate((button) => button === button.ownerDocument.activeElement))
      .toBe(true)
    expect((await document(two)).state).toBe('duplicate')
    await page.keyboard.press('Enter')
    await page.getByText('Se anota igualmente').waitFor()
    await page.keyboard.press('Control+Enter')
    await expect.poll(async () => (await document(two)).state).toBe('entered')
  })
})

test('documents appear while they come in, and the ready ones of known suppliers are entered at once', async () => {
  await onPage({}, PATH, async (page) => {
    await page.getByText('Nada por revisar').first().waitFor()
    const list = page.getByRole('navigation', { name: 'Documentos' })
    const [id = ''] = await added(electronicInvoice(41))
    await list.getByRole('link', { name: /Lucía 41/ }).waitFor()
    await list.getByText('Listo', { exact: true }).waitFor()
    await page.getByLabel('1 por revisar').first().waitFor()
    await page.waitForURL((url) => url.pathname === `${PATH}/${id}`)
    await page.keyboard.press('a')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Hay 1 listo').waitFor()
    await dialog.getByRole('textbox').fill('x')
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('«x» no es').waitFor()
    await dialog.getByRole('textbox').fill('2000')
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('Proveedor nuevo').waitFor()
    await dialog.getByText('No se ha anotado ninguno').waitFor()
    expect(await axeFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cerrar' }).click()
    await page.keyboard.press('a')
    await dialog.getByRole('checkbox').click()
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('1 anotado').waitFor()
    expect((await document(id)).state).toBe('entered')
  })
})

test('a file with two invoices is split by its pages, and two files are joined', async () => {
  const [both = ''] = await added(twoPages(51) as SupplierPaper)
  await onPage({}, `${PATH}/${both}`, async (page) => {
    await title(page).waitFor()
    await page.keyboard.press('s')
    const dialog = page.getByRole('dialog', { name: 'Separar en varios documentos' })
    await dialog.getByRole('checkbox', { name: 'Empieza otro' }).waitFor()
    await dialog.locator('canvas').nth(1).waitFor()
    expect(await axeFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Separar en 2' }).click()
    await page.getByText('Separado en 2 documentos').first().waitFor()
    await expect.poll(async () => (await open()).length).toBe(2)
  })
  for (const { id } of await open()) await ask('incoming.reject', { id })
  await added(
    await textInvoice('hoja-2.pdf', ['Hoja 2', 'Total a pagar 121,00 EUR']),
    await textInvoice('hoja-1.pdf', plainLines('FL-52').slice(0, -1)),
  )
  const [first] = await open()
  await onPage({}, `${PATH}/${first?.id}`, async (page) => {
    await title(page).waitFor()
    await page.keyboard.press('m')
    await page.getByRole('dialog', { name: '¿Son páginas de la misma factura?' }).waitFor()
    await page.getByRole('button', { name: 'Unirlos' }).click()
    await expect.poll(async () => (await open()).length).toBe(1)
  })
})

test('several files dropped on the window, and a pasted picture, wait for review', async () => {
  await onPage({}, '/invoices', async (page) => {
    await page.evaluate(() => {
      const data = new DataTransfer()
      for (const name of ['uno.txt', 'dos.txt', 'tres.exe']) data.items.add(new File([`Total ${name}`], name))
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }))
    })
    await page.waitForURL((url) => url.pathname.startsWith(PATH))
    await page.getByText('2 documentos añadidos: se están leyendo').first().waitFor()
    await page.getByText('tres.exe: este tipo de archivo no se puede añadir').first().waitFor()
    await expect
      .poll(async () => (await open()).map(({ name }) => name).sort())
      .toEqual(['dos.txt', 'uno.txt'])
    await visit(page, '/contacts')
    await page.evaluate((base64) => {
      const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
      const data = new DataTransfer()
      data.items.add(new File([bytes], 'captura.png', { type: 'image/png' }))
      window.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, cancelable: true, bubbles: true }),
      )
    }, discPng(70).toString('base64'))
    await page.getByText('1 documento añadido: se está leyendo').first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/contacts')
    await page.getByRole('button', { name: 'Revisarlos' }).click()
    await page.waitForURL((url) => url.pathname.startsWith(PATH))
    await page.getByText('captura.png').first().waitFor()
  })
})

const LOOKS = [
  ['es', 'light', 1280],
  ['en', 'dark', 1280],
  ['es', 'dark', 420],
  ['en', 'light', 420],
] as const
test.each(swept(LOOKS, ([language, , width]) => (language === 'en' ? width === 1280 : width === 420)))(
  'the page is accessible and fits (%s, %s, %s wide)',
  async (language, theme, width) => {
    await ask('session.savePreferences', { language, theme })
    await onPage({ language, theme, width }, PATH, async (page) => {
      const empty =
        language === 'es'
          ? /^(?:No queda nada|Deja aquí las facturas)/
          : /^(?:Nothing is left|Leave the invoices)/
      await page.getByText(empty).filter({ visible: true }).first().waitFor()
      expect(await axeFaults(page)).toEqual([])
      expect(await overflows(page)).toBe(false)
    })
    const ids = await added(electronicInvoice(61), await textInvoice('luna.pdf', plainLines('FL-60')), {
      name: 'vacio.png',
      content: discPng(61).toString('base64'),
    })
    await onPage({ language, theme, width }, PATH, async (page) => {
      for (const id of [null, ...ids]) {
        await visit(page, id === null ? PATH : `${PATH}/${id}`)
        await settled(page)
        expect([id, await axeFaults(page)]).toEqual([id, []])
        expect([id, await overflows(page)]).toEqual([id, false])
      }
      if (width < 1024) {
        await page.getByRole('tab', { name: language === 'es' ? 'Papel' : 'Paper' }).click()
        await page.getByRole('img', { name: 'vacio.png' }).waitFor()
        expect(await axeFaults(page)).toEqual([])
      }
    })
    await ask('session.savePreferences', { language: 'es', theme: 'system' })
  },
)
