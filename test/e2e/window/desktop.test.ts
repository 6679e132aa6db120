/** The page in the desktop app: menu commands run, opened files are taken, printed pages are legible. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { addDays } from '../../../server/domain/dates.ts'
import type { MenuState, Notice } from '../../../preload/contract.ts'
import {
  axeFaults,
  callAsWindow,
  openPage,
  overflows,
  serveApp,
  sharedBrowser,
  visit,
} from '../../support/browser/browser.ts'
import type { Look, ServedApp, WatchedPage } from '../../support/browser/browser.ts'
import { DESKTOP } from '../../support/browser/stub-desktop.ts'
import { inLongRun, swept } from '../../support/sweep.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium', 'pdftotext')
const longTest = inLongRun(test)

let app: ServedApp
let browser: Browser
let book = ''
let issued = ''
let folder = ''
let opened: WatchedPage | undefined

interface Session {
  companies: { books: { id: string; mode: 'live' | 'test' }[] }[]
}

beforeAll(async () => {
  if (!tool('chromium') || !tool('pdftotext')) return
  folder = mkdtempSync(join(tmpdir(), 'sello-paper-'))
  browser = await sharedBrowser()
  // More rows than a list fetches at once.
  app = await serveApp({ invoices: 210 })
  const session = (await callAsWindow(app, 'session.get', {})) as Session
  book = session.companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
  await callAsWindow(app, 'session.savePreferences', { activeBook: book, language: 'es' })
  const { items } = (await callAsWindow(app, 'invoices.window', { limit: 100 }, book)) as {
    items: { id: string; state: string }[]
  }
  issued = items.find(({ state }) => state === 'issued')?.id ?? ''
}, 180_000)
afterEach(async () => {
  await opened?.context.close()
  opened = undefined
})
afterAll(async () => {
  await app?.stop()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

async function open(look: Look = {}): Promise<Page> {
  opened = await openPage(browser, app, { init: DESKTOP, ...look })
  return opened.page
}
const asked = <Value>(page: Page, what: string): Promise<Value> =>
  page.evaluate(`asked.${what}`) as Promise<Value>
const choose = (page: Page, kind: string, id: string) =>
  page.evaluate(`system.menu(${JSON.stringify({ kind, id })})`)
const at = (page: Page, path: string) => page.waitForFunction((wanted) => location.pathname === wanted, path)
/** Waits until an expression holds; evaluated from outside, where the page's policy does not forbid it. */
const until = (page: Page, expression: string) =>
  expect.poll(() => page.evaluate(`Boolean(${expression})`), { timeout: 20_000 }).toBe(true)
/** Returns the last reported menu, once it contains `what`. */
async function menuWith(page: Page, what: string): Promise<MenuState> {
  await until(page, `JSON.stringify(asked.menu.at(-1) ?? null).includes(${JSON.stringify(what)})`)
  return asked(page, 'menu.at(-1)')
}
const sendFile = (page: Page, name: string, text: string) =>
  page.evaluate(
    `system.file({ name: ${JSON.stringify(name)}, bytes: new TextEncoder().encode(${JSON.stringify(text)}) })`,
  )

type Appears = (page: Page, run: () => Promise<unknown>) => Promise<void>
const savesFile =
  (name: RegExp): Appears =>
  async (page, run) => {
    const [file] = await Promise.all([page.waitForEvent('download', { timeout: 30_000 }), run()])
    expect(file.suggestedFilename()).toMatch(name)
  }
const opens =
  (found: (page: Page) => Locator): Appears =>
  async (page, run) => {
    await run()
    await found(page).waitFor()
    await page.keyboard.press('Escape')
  }
const EXPORT_DIALOG = opens((page) => page.getByRole('dialog'))

/** Pages with an export, and what it does; the last value marks one of each kind. */
const EXPORTS: readonly [path: string, appears: Appears, stands: boolean][] = [
  ['/contacts', savesFile(/\.csv$/), true],
  ['/invoices', EXPORT_DIALOG, true],
  ['/ledger', opens((page) => page.getByRole('menuitem', { name: 'CSV' })), true],
  ['/registry', EXPORT_DIALOG, false],
  ['/taxes', savesFile(/\.xlsx$/), false],
]

describe('the native menu', () => {
  test('lists the pages, the actions of the current page, the books and the active options', async () => {
    const page = await open()
    await visit(page, `/invoices/${issued}`)
    const menu = await menuWith(page, 'Rectificar')
    expect(menu.places.flat()).toContainEqual({ id: 'invoices', label: 'Facturas', keys: 'g-f' })
    expect(menu.actions.map(({ keys }) => keys)).toEqual(expect.arrayContaining(['p', 'm', 'r']))
    // Global shortcuts have their own entries.
    expect(menu.actions.map(({ keys }) => keys)).not.toContain('meta_k')
    expect(menu.books.filter(({ active }) => active).map(({ id }) => id)).toEqual([book])
    expect(menu.checked).toContain('density-normal')
    expect(menu.commands).not.toContain('lock')
    expect(menu.commands).not.toContain('preview')
    expect(await asked<string[]>(page, 'language.at(-1)')).toBe('es')
    expect(await asked<number>(page, 'ready')).toBe(1)
  })

  test('opens pages, forms, the palette and the shortcut sheet', async () => {
    const page = await open()
    await choose(page, 'place', 'contacts')
    await at(page, '/contacts')
    await choose(page, 'command', 'new-quote')
    await at(page, '/quotes/new')
    await choose(page, 'command', 'back')
    await at(page, '/contacts')
    await choose(page, 'command', 'search')
    await page.getByPlaceholder('Número, cliente, importe, página o acción').waitFor()
    await page.keyboard.press('Escape')
    await choose(page, 'command', 'shortcuts')
    await page.getByRole('dialog').getByText('Atajos de teclado').first().waitFor()
    await page.keyboard.press('Escape')
    await choose(page, 'place', 'nowhere')
    await choose(page, 'command', 'lock')
    expect(new URL(page.url()).pathname).toBe('/contacts')
    expect(opened?.complaints).toEqual([])
  })

  longTest('exports the list of the page, and nothing where there is no list', async () => {
    const page = await open()
    await visit(page, '/settings')
    await until(page, "asked.menu.at(-1) && !asked.menu.at(-1).commands.includes('export')")
    for (const [path, appears] of swept(EXPORTS, ([, , stands]) => stands)) {
      await visit(page, path)
      await menuWith(page, '"export"')
      await appears(page, () => choose(page, 'command', 'export'))
    }
    expect(opened?.complaints).toEqual([])
  })

  longTest('changes theme and density, and shows the new state', async () => {
    const page = await open()
    await choose(page, 'command', 'theme-dark')
    await page.waitForFunction(() => document.documentElement.classList.contains('dark'))
    await choose(page, 'command', 'density-roomy')
    const menu = await menuWith(page, 'density-roomy"],"places')
    expect(menu.checked).toEqual(['theme-dark', 'density-roomy'])
    expect(await asked<string>(page, 'theme.at(-1)')).toBe('dark')
    await choose(page, 'command', 'theme-system')
    await choose(page, 'command', 'density-normal')
    await menuWith(page, 'density-normal"],"places')
  })

  test('runs the actions of the page, including those of a list', async () => {
    const page = await open()
    await visit(page, '/contacts')
    await menuWith(page, '"id":"c"')
    await choose(page, 'action', 'c')
    await at(page, '/contacts/new')
    await visit(page, '/invoices')
    await menuWith(page, '"id":"x"')
    await choose(page, 'action', 'x')
    await page.locator('[role="row"][aria-selected="true"]').first().waitFor()
    await choose(page, 'command', 'export')
    await page.getByRole('dialog').waitFor()
    // Actions covered by a dialog are not available.
    await choose(page, 'action', 'f')
    expect(await page.getByRole('dialog').count()).toBe(1)
  })

  longTest('opens another book', async () => {
    const page = await open()
    const { books } = await menuWith(page, 'Libro real')
    const live = books.find(({ active }) => !active)
    if (!live) throw new Error('The company has one book only.')
    await choose(page, 'book', live.id)
    await page.waitForFunction(() => !document.documentElement.classList.contains('test'))
    await choose(page, 'book', book)
    await page.waitForFunction(() => document.documentElement.classList.contains('test'))
    // The page shows it at once; the following tests need it saved.
    const kept = async () =>
      ((await callAsWindow(app, 'session.get', {})) as { preferences: { activeBook: string } }).preferences
    await expect.poll(async () => (await kept()).activeBook).toBe(book)
  })
})

test('a link from outside opens its page; an unknown one leaves the page unchanged', async () => {
  const page = await open()
  await page.evaluate(`system.visit('/invoices/${issued}')`)
  await at(page, `/invoices/${issued}`)
  await page.evaluate("system.visit('/nowhere/at/all')")
  await page.waitForTimeout(200)
  expect(new URL(page.url()).pathname).toBe(`/invoices/${issued}`)
})

describe('a file', () => {
  test('of a document opens the form that reads it, from any page', async () => {
    const page = await open()
    await visit(page, '/registry')
    await sendFile(page, 'ticket.txt', 'Papelería Sol, S.L.\nTotal 12,10')
    await at(page, '/received/new')
    await page.getByText('ticket.txt').first().waitFor()
  })

  longTest('of an ambiguous kind is asked about; a statement is not', async () => {
    const page = await open()
    await sendFile(page, 'tabla.csv', 'nombre;nif\nSol;B12345674')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('tabla.csv').waitFor()
    expect(await axeFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Importar una tabla' }).click()
    await at(page, '/import')
    await page.getByText('tabla.csv').first().waitFor()
    await sendFile(page, 'enero.n43', '11')
    await at(page, '/bank')
    await page.getByRole('dialog').waitFor()
  })

  test('of an unsupported kind is named and ignored', async () => {
    const page = await open()
    await sendFile(page, 'a.exe', 'MZ')
    await page.getByText('a.exe: este tipo de archivo no se puede añadir').first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
  })

  const DRAGS = [
    ['es', 1280],
    ['es', 420],
    ['en', 1280],
    ['en', 420],
  ] as const
  test.each(swept(DRAGS, ([language, width]) => language === 'es' && width === 420))(
    'dragged over the window is announced with its destination (%s, %s wide)',
    async (language, width) => {
      if (language === 'en') await callAsWindow(app, 'session.savePreferences', { language })
      const page = await open({ language, width })
      await page.evaluate(() => {
        const data = new DataTransfer()
        data.items.add(new File(['x'], 'a.pdf'))
        window.dispatchEvent(new DragEvent('dragenter', { dataTransfer: data, cancelable: true }))
      })
      await page
        .getByText(language === 'es' ? 'Suelta para añadir el documento' : 'Drop to add the document')
        .waitFor()
      expect(await axeFaults(page)).toEqual([])
      expect(await overflows(page)).toBe(false)
      await page.evaluate(() => {
        const data = new DataTransfer()
        data.items.add(new File(['Total 3,00'], 'uno.txt'))
        data.items.add(new File(['Total 4,00'], 'dos.txt'))
        window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }))
      })
      // A wide page opens the first of them.
      await page.waitForURL((url) => url.pathname.startsWith('/received/incoming'))
      await page
        .getByText(/(?:uno|dos)\.txt/)
        .first()
        .waitFor()
      if (language === 'en') await callAsWindow(app, 'session.savePreferences', { language: 'es' })
    },
  )
})

describe('a notice', () => {
  const keep = (notices: object) => callAsWindow(app, 'session.savePreferences', { notices })
  const all = { approvals: true, registry: true, recurring: true, mail: true, private: true }
  const text = (notice: Notice | undefined) => `${notice?.title} ${notice?.body}`
  const noticeOf = async (page: Page, index: number): Promise<Notice> => {
    await until(page, `asked.notices.length > ${index}`)
    return asked(page, `notices[${index}]`)
  }
  const away = (page: Page) => page.evaluate('void (document.hasFocus = () => false)')
  /** Reloads the page and waits until it receives events: earlier ones are not delivered. */
  const anew = async (page: Page): Promise<void> => {
    await Promise.all([page.waitForResponse((answer) => answer.url().endsWith('/app/events')), page.reload()])
    await page.locator('h1').first().waitFor()
    await away(page)
  }
  afterEach(() => keep(all))

  test('about a recurring draft contains neither names nor amounts, unless the owner enables them', async () => {
    const { today } = (await callAsWindow(app, 'company.current', {}, book)) as { today: string }
    const { clientName } = (await callAsWindow(app, 'invoices.get', { id: issued }, book)) as {
      clientName: string
    }
    const { id } = (await callAsWindow(
      app,
      'recurring.create',
      // Not due by itself: only what is run here makes a draft.
      { name: 'Cuota', rule: { freq: 'monthly', start: addDays(today, 7) }, fromInvoice: issued },
      book,
    )) as { id: string }
    const run = async (): Promise<string> => {
      const { invoice } = (await callAsWindow(app, 'recurring.run', { id }, book)) as {
        invoice: { id: string }
      }
      return invoice.id
    }
    const page = await open()
    await anew(page)
    const first = await run()
    const told = await noticeOf(page, 0)
    expect(told).toMatchObject({ kind: 'recurring', path: `/invoices/${first}` })
    expect(text(told)).not.toContain(clientName)
    expect(text(told)).not.toMatch(/\d/)

    await keep({ ...all, private: false })
    await anew(page)
    await run()
    expect(text(await noticeOf(page, 0))).toContain(clientName)

    await keep({ ...all, recurring: false })
    await anew(page)
    const last = await run()
    await visit(page, `/invoices/${last}`)
    expect(await asked<Notice[]>(page, 'notices')).toEqual([])
  })

  longTest('is chosen by kind in the settings, which only the desktop shows', async () => {
    const wantsMail = async () =>
      (
        (await callAsWindow(app, 'session.get', {})) as {
          preferences: { notices: { mail: boolean } }
        }
      ).preferences.notices.mail
    const looks = [
      ['es', 1280, 'light'],
      ['en', 420, 'dark'],
    ] as const
    for (const [language, width, theme] of swept(looks, ([each]) => each === 'en')) {
      const before = await wantsMail()
      await callAsWindow(app, 'session.savePreferences', { language, theme })
      const page = await open({ language, width, theme })
      await visit(page, '/settings/appearance')
      await page.getByRole('switch', { name: language === 'es' ? 'Correo' : 'Mail' }).click()
      await expect.poll(wantsMail).toBe(!before)
      expect(await axeFaults(page)).toEqual([])
      expect(await overflows(page)).toBe(false)
      expect(opened?.complaints).toEqual([])
      await opened?.context.close()
    }
    await callAsWindow(app, 'session.savePreferences', { language: 'es', theme: 'system' })
    opened = await openPage(browser, app)
    await visit(opened.page, '/settings/appearance')
    expect(await opened.page.getByText('Avisos del sistema').count()).toBe(0)
  })
})

describe('on paper', () => {
  async function paper(page: Page, name: string): Promise<string> {
    const file = join(folder, `${name}.pdf`)
    writeFileSync(file, await page.pdf({ format: 'A4', printBackground: false }))
    return execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' })
  }

  test('a list has its header on every sheet, all its rows, and nothing of the window', async () => {
    const page = await open()
    await visit(page, '/invoices')
    await page.keyboard.press('Control+p')
    await until(page, 'asked.printed !== undefined')
    const { totals } = (await callAsWindow(app, 'invoices.window', { limit: 0, summary: true }, book)) as {
      totals: { count: number }
    }
    expect(await asked<number>(page, 'printed')).toBe(totals.count)
    const text = await paper(page, 'list')
    const sheets = text.split('\f').filter((sheet) => sheet.trim() !== '')
    expect(sheets.length).toBeGreaterThan(3)
    for (const sheet of sheets.slice(0, -1)) expect(sheet).toContain('Cliente')
    expect(sheets[0]).toContain('PRUEBAS')
    expect(sheets[0]).toContain('Taller Norte')
    expect(sheets[0]).toContain(`${totals.count} filas`)
    for (const word of ['Buscar o hacer', 'Nueva factura', 'Nada de lo que hagas'])
      expect(text).not.toContain(word)
    // Back on screen, the table is gone.
    await until(page, 'document.querySelector(".print-table") === null')
  })

  longTest('a dark theme prints on white', async () => {
    const page = await open({ theme: 'dark' })
    await visit(page, '/taxes')
    await page.emulateMedia({ media: 'print' })
    await until(page, "getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)'")
    const text = await paper(page, 'taxes')
    expect(text).toContain('Taller Norte')
    expect(text).not.toContain('Buscar o hacer')
  })

  longTest('a page that shows a document prints the document', async () => {
    const page = await open()
    await visit(page, `/invoices/${issued}`)
    await page.evaluate(
      "window.print = () => { asked.pages = document.querySelectorAll('.print-pages img').length }",
    )
    await choose(page, 'command', 'print')
    await until(page, 'asked.pages > 0')
  })
})
