/** A client and its adviser in two windows: the invitation, the code, the books, a purchase, and its decision. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Page } from 'playwright-core'
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
import type { ServedApp, WatchedPage } from '../../support/browser/browser.ts'
import { EXAMPLE_COMPANY } from '../../support/store.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')
/** A folder for pictures of each state, for people. */
const SHOTS = process.env['SELLO_SHOTS']

interface Session {
  companies: { legalName: string; advised?: true; books: { id: string; mode: string }[] }[]
}

/** Presses a button and returns the file that it saves. */
async function savedBy(page: Page, label: RegExp): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: label }).first().click(),
  ])
  return download.path()
}

async function give(page: Page, path: string): Promise<void> {
  await page.locator('[data-file]').setInputFiles({
    name: 'archivo.sello-gestoria',
    mimeType: 'application/octet-stream',
    buffer: readFileSync(path),
  })
}

async function look(page: Page, name: string): Promise<void> {
  await settled(page)
  for (const width of [1280, 768, 420]) {
    await page.setViewportSize({ width, height: 900 })
    await settled(page)
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}-${width}.png` })
    expect(await overflows(page), `${name} at ${width}`).toBe(false)
  }
  expect(await axeFaults(page), name).toEqual([])
  await page.setViewportSize({ width: 1280, height: 900 })
}

let client: ServedApp
let adviser: ServedApp
let at: WatchedPage | undefined
let there: WatchedPage | undefined

beforeAll(async () => {
  if (!tool('chromium')) return
  const browser = await sharedBrowser()
  client = await serveApp({ invoices: 3 })
  adviser = await serveApp()
  await callAsWindow(adviser, 'company.create', {
    ...EXAMPLE_COMPANY,
    legalName: 'Gestoría Olmo, S.L.',
    nif: 'B58818501',
  })
  await callAsWindow(adviser, 'session.savePreferences', { language: 'en', theme: 'dark' })
  at = await openPage(browser, client, { ownProfile: true })
  there = await openPage(browser, adviser, { ownProfile: true, language: 'en', theme: 'dark' })
})
afterAll(async () => {
  await at?.context.close()
  await there?.context.close()
  await client?.stop()
  await adviser?.stop()
})

test('an adviser sees the books and enters a purchase, and the client takes it', async () => {
  if (!at || !there) throw new Error('No pages.')
  const [own, other] = [at.page, there.page]
  await visit(own, '/connect/adviser')
  await look(own, '1-client-first')
  const invitation = await savedBy(own, /^Invitar/)
  await visit(other, '/connect/adviser')
  await give(other, invitation)
  await other.getByLabel(/your name|tu nombre/i).fill('Ana Prado')
  await look(other, '2-adviser-join')
  const answer = await savedBy(other, /Accept and save|Aceptar y guardar/)
  await give(own, answer)
  await own.locator('[data-fingerprint]').waitFor()
  await look(own, '3-client-code')
  await look(other, '4-adviser-code')
  expect(await own.locator('[data-fingerprint]').innerText()).toBe(
    await other.locator('[data-fingerprint]').innerText(),
  )
  await own.getByRole('button', { name: 'El código es el mismo' }).click()
  await settled(own)
  await give(other, await savedBy(own, /^Guardar mis libros/))
  await other.getByRole('button', { name: /Open their books|Abrir sus libros/ }).click()
  await other.locator('[data-advised]').waitFor()
  const session = (await callAsWindow(adviser, 'session.get', {})) as Session
  const copy = session.companies.find(({ advised }) => advised)
  for (const { id } of copy?.books ?? [])
    await callAsWindow(
      adviser,
      'received.create',
      {
        supplierName: 'Papelería Sol, S.L.',
        supplierNif: 'B58818501',
        supplierNumber: `A-7-${id.slice(-3)}`,
        issueDate: '2026-01-10',
        taxLines: [{ base: 100, vatRate: 21 }],
        notes: 'Falta el albarán',
      },
      id,
    )
  await visit(other, '/received')
  await look(other, '5-copy-purchases')
  await visit(other, '/connect/adviser')
  await look(other, '6-adviser-changes')
  await give(own, await savedBy(other, /Save the changes|Guardar los cambios/))
  await own.locator('[data-change]').first().waitFor()
  await look(own, '7-client-changes')
  await own.locator('[data-change]').first().getByRole('button', { name: 'Rechazar' }).click()
  await look(own, '8-client-reject')
  await own.getByRole('dialog').getByRole('button', { name: 'Rechazar' }).click()
  await settled(own)
  await own.getByRole('button', { name: /^Aceptar todos/ }).click()
  await own.getByText('Un cambio aceptado.').waitFor()
  await look(own, '9-client-decided')
  await give(other, await savedBy(own, /^Guardar mis libros/))
  await settled(other)
  await look(other, '10-adviser-decided')
  // The mandate ends: the copy goes, and what was not handed over is named first.
  const [, first] = copy?.books ?? []
  await callAsWindow(
    adviser,
    'received.create',
    {
      supplierName: 'Ferretería Luna, S.L.',
      supplierNif: 'B58818501',
      supplierNumber: 'L-1',
      issueDate: '2026-01-12',
      taxLines: [{ base: 50, vatRate: 21 }],
    },
    first?.id,
  )
  const here = (await callAsWindow(adviser, 'session.get', {})) as Session
  await callAsWindow(adviser, 'session.savePreferences', {
    activeBook: here.companies.find(({ advised }) => !advised)?.books[0]?.id,
  })
  await other.reload()
  await visit(other, '/connect/adviser')
  await other.getByRole('button', { name: 'Remove the copy…' }).click()
  await other.locator('#remove-copy-nif').fill('b12345674')
  await look(other, '11-adviser-remove')
  await other.getByRole('button', { name: 'Remove the copy', exact: true }).click()
  await other.getByRole('alert').getByText('L-1').waitFor()
  await look(other, '12-adviser-remove-unsent')
  await callAsWindow(adviser, 'session.savePreferences', { language: 'es', theme: 'light' })
  await other.reload()
  await other.getByRole('button', { name: 'Quitar la copia…' }).click()
  await other.locator('#remove-copy-nif').fill('B12345674')
  await other.getByRole('button', { name: 'Quitar la copia', exact: true }).click()
  await other.getByRole('alert').getByText('L-1').waitFor()
  await look(other, '13-adviser-remove-unsent-es')
  const confirm = other.getByRole('button', { name: 'Quitar la copia', exact: true })
  expect(await confirm.isDisabled()).toBe(true)
  await other.getByText('Quitar la copia sin entregarlo', { exact: true }).click()
  await confirm.click()
  await other.getByRole('dialog').waitFor({ state: 'detached' })
  const left = (await callAsWindow(adviser, 'session.get', {})) as Session
  expect(left.companies.some(({ advised }) => advised)).toBe(false)
  await look(other, '14-adviser-removed')
  // The browser notes both refusals to remove what was not handed over.
  const refusals = there.complaints.filter((text) => /\b409\b/.test(text))
  expect(refusals).toHaveLength(2)
  expect([...at.complaints, ...there.complaints.filter((text) => !refusals.includes(text))]).toEqual([])
})
