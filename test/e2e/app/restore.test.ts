/** Restore in the window: a backup over open books, and a portable file on a new computer. */
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import {
  axeFaults,
  callAsWindow,
  openPage,
  overflows,
  sharedBrowser,
  visit,
} from '../../support/browser/browser.ts'
import { COMPANY } from '../../support/browser/prepared-books.ts'
import { serveWindow } from '../../support/browser/served-window.ts'
import { inLongRun } from '../../support/sweep.ts'
import { needs, tool } from '../../support/tools.ts'
import { makeBooks, newFolder } from '../../support/stages/unopenable-books.ts'

const test = needs('chromium')
const longTest = inLongRun(test)
const WIDE = { language: 'es', theme: 'light', width: 1280 } as const
const NARROW = { language: 'en', theme: 'dark', width: 420 } as const

let browser: Browser
beforeAll(async () => {
  if (tool('chromium')) browser = await sharedBrowser()
}, 60_000)

async function fits(page: Page, what: string): Promise<void> {
  expect([what, await axeFaults(page), await overflows(page)]).toEqual([what, [], false])
}

interface Listed {
  items: { name: string }[]
}

/** Serves books with a company; its test book receives the calls. */
async function serveCompany() {
  const { folder, code } = await makeBooks()
  const app = await serveWindow(folder)
  const { books } = (await callAsWindow(app, 'company.create', COMPANY)) as {
    books: { id: string; mode: string }[]
  }
  const book = books.find(({ mode }) => mode === 'test')?.id
  return { app, code, ask: (name: string, input: unknown) => callAsWindow(app, name, input, book) }
}

/** Browser messages for requests to a server that is closing, closed or not yet open; the timing decides which one. */
const WHILE_SHUT = /503|net::ERR_(CONNECTION|SOCKET|EMPTY_RESPONSE|NETWORK)_?|Failed to fetch/

test('an earlier backup replaces the open books, which are kept aside', { timeout: 120_000 }, async () => {
  const { app, ask } = await serveCompany()
  await ask('contacts.create', { name: 'Antes, S.L.' })
  const { page, context, complaints } = await openPage(browser, app, WIDE)
  await visit(page, '/settings/backups')
  await page.getByRole('button', { name: 'Hacer una copia ahora' }).click()
  await page.getByText('Copia hecha y comprobada.').first().waitFor()
  await ask('contacts.create', { name: 'Después, S.L.' })
  await page.getByRole('button', { name: 'Restaurar…' }).click()
  await page.getByRole('dialog').getByText('se guardan aparte').waitFor()
  await page.getByRole('button', { name: 'Cerrar y elegir copia' }).click()
  await page.getByRole('heading', { name: 'Restaurar una copia', level: 1 }).waitFor({ timeout: 20_000 })
  // The newest backup was made before closing, the previous one by hand.
  const backups = page.getByRole('radio')
  await backups.nth(1).waitFor()
  expect(await backups.count()).toBe(3)
  await backups.nth(1).check()
  await page.getByRole('button', { name: 'Restaurar y abrir' }).click()
  await page.getByRole('navigation').first().waitFor({ timeout: 30_000 })
  const { items } = (await ask('contacts.list', {})) as Listed
  expect(items.map(({ name }) => name)).toEqual(['Antes, S.L.'])
  expect(complaints.filter((each) => !WHILE_SHUT.test(each))).toEqual([])
  await context.close()
})

longTest('the books can be opened again as they are, on a narrow screen', { timeout: 90_000 }, async () => {
  const { app, ask } = await serveCompany()
  await ask('contacts.create', { name: 'Antes, S.L.' })
  await callAsWindow(app, 'session.savePreferences', { language: 'en', theme: 'dark' })
  const { page, context } = await openPage(browser, app, NARROW)
  await visit(page, '/settings/backups')
  await page.getByRole('button', { name: 'Restore…' }).click()
  await fits(page, 'dialog')
  await page.getByRole('button', { name: 'Close and choose a backup' }).click()
  await page.getByRole('heading', { name: 'Restore a backup', level: 1 }).waitFor({ timeout: 20_000 })
  await fits(page, 'choice')
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Open the data as they are' }).click()
  await page
    .getByRole('heading', { name: 'Restore a backup', level: 1 })
    .waitFor({ state: 'detached', timeout: 30_000 })
  await page.locator('h1').first().waitFor()
  expect(((await ask('contacts.list', {})) as Listed).items).toHaveLength(1)
  await context.close()
})

test(
  'on a new computer the portable file and the code restore everything',
  { timeout: 120_000 },
  async () => {
    const { app: old, code, ask } = await serveCompany()
    await ask('contacts.create', { name: 'Antes, S.L.' })
    const { page: settings, context: before } = await openPage(browser, old, WIDE)
    await visit(settings, '/settings/backups')
    const [download] = await Promise.all([
      settings.waitForEvent('download'),
      settings.getByRole('button', { name: 'Descargar copia portátil' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^sello-\d{4}-\d\d-\d\d\.sellobak$/)
    const file = `${newFolder()}/mi copia.sellobak`
    await download.saveAs(file)
    await before.close()

    const app = await serveWindow(newFolder())
    const { page, context } = await openPage(browser, app, WIDE)
    await page.getByRole('button', { name: 'Ya uso Sello: traer mis datos de una copia' }).click()
    await page.getByRole('button', { name: 'Cerrar y elegir copia' }).click()
    await page.getByLabel('Archivo', { exact: true }).setInputFiles(file, { timeout: 20_000 })
    await page.getByRole('button', { name: 'Restaurar y abrir' }).click()
    await page.getByText('Escribe el código: sin él este archivo no se abre.').waitFor()
    await fits(page, 'file')
    await page.getByLabel('Código de recuperación').fill('AAAA-BBBB-CCCC-DDDD-EEEE-FFFF-GGGG')
    await page.getByRole('button', { name: 'Restaurar y abrir' }).click()
    await page.getByText('Revísalos: las letras I, L, O y U no aparecen nunca.').waitFor({ timeout: 20_000 })
    await page.getByLabel('Código de recuperación').fill(code.toLowerCase())
    await page.keyboard.press('Enter')
    await page.getByRole('navigation').first().waitFor({ timeout: 30_000 })
    const { companies } = (await callAsWindow(app, 'session.get', {})) as {
      companies: { books: { id: string; mode: string }[] }[]
    }
    const book = companies[0]?.books.find(({ mode }) => mode === 'test')?.id
    const { items } = (await callAsWindow(app, 'contacts.list', {}, book)) as Listed
    expect(items.map(({ name }) => name)).toEqual(['Antes, S.L.'])
    await context.close()
  },
)
