/** A person leaves with everything of a company and brings it into an empty Sello: both show the same. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished } from 'vitest'
import {
  axeFaults,
  callAsWindow,
  openPage,
  overflows,
  sharedBrowser,
  visit,
} from '../../support/browser/browser.ts'
import { copyBooks } from '../../support/browser/prepared-books.ts'
import { serveWindow } from '../../support/browser/served-window.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')
const WIDE = { language: 'es', theme: 'light', width: 1280 } as const
const NARROW = { language: 'es', theme: 'dark', width: 420 } as const

let browser: Browser
beforeAll(async () => {
  if (tool('chromium')) browser = await sharedBrowser()
}, 60_000)

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sello-leave-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function fits(page: Page, what: string): Promise<void> {
  expect([what, await axeFaults(page), await overflows(page)]).toEqual([what, [], false])
}

type Served = Awaited<ReturnType<typeof serveWindow>>

async function testBook(app: Served): Promise<string> {
  const { companies } = (await callAsWindow(app, 'session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  return companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
}

/** Returns figures and lists of the test book. */
async function figures(app: Served): Promise<unknown> {
  const book = await testBook(app)
  const found: unknown[] = []
  for (const [name, input] of [
    ['invoices.list', { limit: 100, totals: true }],
    ['received.list', { limit: 100 }],
    ['payments.list', { limit: 100 }],
    ['ledger.trialBalance', { year: 2026 }],
    ['fiscal.model', { model: '303', year: 2026, quarter: 3 }],
    ['fiscal.model', { model: '390', year: 2026 }],
  ] as const)
    found.push(await callAsWindow(app, name, input, book))
  return found
}

test('from the settings of one into the welcome of another', { timeout: 240_000 }, async () => {
  const source = newFolder()
  await copyBooks(source, { invoices: 12, sandbox: false })
  const before = await serveWindow(source)
  const { page, context, complaints } = await openPage(browser, before, WIDE)
  await visit(page, '/settings')
  await page.getByRole('button', { name: 'Llévatelo todo…' }).click()
  await page.getByText('No va cifrado').waitFor()
  await fits(page, 'leave')
  const download = page.waitForEvent('download', { timeout: 120_000 })
  await page.getByRole('button', { name: 'Preparar y descargar' }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toMatch(/^sello-archivo-B12345674-\d{4}-\d\d-\d\d\.zip$/)
  const file = join(newFolder(), saved.suggestedFilename())
  await saved.saveAs(file)
  expect(existsSync(join(source, 'archive'))).toBe(false)
  expect(complaints).toEqual([])
  await context.close()
  const expected = await figures(before)

  const after = await serveWindow(newFolder())
  const there = await openPage(browser, after, NARROW)
  await visit(there.page, '/welcome')
  await there.page.getByRole('button', { name: 'Traer un archivo de Sello' }).click()
  await there.page.getByRole('button', { name: 'Comprobar y traer' }).click()
  await there.page.getByText('Elige el archivo ZIP.').waitFor()
  await fits(there.page, 'take in')
  const wrong = join(newFolder(), 'otro.zip')
  writeFileSync(wrong, 'PK otra cosa')
  await there.page.getByLabel('Archivo ZIP').setInputFiles(wrong)
  await there.page.getByRole('button', { name: 'Comprobar y traer' }).click()
  await there.page.getByText('no es un archivo de Sello').waitFor()
  await there.page.getByLabel('Archivo ZIP').setInputFiles(file)
  await there.page.getByRole('button', { name: 'Comprobar y traer' }).click()
  await there.page.getByText('Taller Norte S.L. está aquí, con todo').waitFor({ timeout: 120_000 })
  await fits(there.page, 'taken in')
  await there.page.getByRole('button', { name: 'Abrir los libros' }).click()
  await there.page.getByRole('heading', { name: 'Inicio', level: 1 }).waitFor({ timeout: 30_000 })
  expect(await figures(after)).toEqual(expected)
  expect(there.complaints.filter((each) => !/422/.test(each))).toEqual([])
  await there.context.close()
})
