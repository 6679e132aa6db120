/**
 * Issued invoice in the browser: its document is viewed, signed, downloaded, and available in every format and
 * language.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { verifyPdf } from '../../../server/documents/signing/index.ts'
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
import { archiveFaults } from '../../support/files/pdf-archive.ts'
import { PdfFile, textOf } from '../../support/files/pdf-objects.ts'
import { inLongRun } from '../../support/sweep.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium', 'pdfsig', 'certutil')
const longTest = inLongRun(test)

let app: ServedApp
let browser: Browser
let book = ''
let folder = ''
const made = makeP12({ password: 'clave', keyType: 'rsa' })

const ADDRESS = {
  street: 'Plaza Mayor, 1',
  postalCode: '06700',
  city: 'Villanueva de la Serena',
  province: 'Badajoz',
  country: 'ES',
}

async function issue(changes: object = {}): Promise<{ id: string; number: string }> {
  const draft = (await callAsWindow(
    app,
    'invoices.create',
    {
      clientName: 'Ayuntamiento de Villanueva',
      clientNif: 'P0615300A',
      client: { address: ADDRESS },
      lines: [{ description: 'Mantenimiento', quantity: 3, unitPrice: 120 }],
      ...changes,
    },
    book,
  )) as { id: string }
  const { confirmation } = (await callAsWindow(app, 'invoices.validate', { id: draft.id }, book)) as {
    confirmation: { confirmationToken: string }
  }
  const { confirmationToken } = confirmation
  return (await callAsWindow(app, 'invoices.issue', { id: draft.id, confirmationToken }, book)) as {
    id: string
    number: string
  }
}

beforeAll(async () => {
  if (!tool('chromium')) return
  browser = await sharedBrowser()
  app = await serveApp({ invoices: 3 })
  folder = mkdtempSync(join(tmpdir(), 'sello-shown-'))
  const session = (await callAsWindow(app, 'session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  book = session.companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
  await callAsWindow(app, 'session.savePreferences', { activeBook: book, language: 'es' })
}, 120_000)

afterAll(async () => {
  await app?.stop()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

async function downloaded(page: Page, ask: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), ask()])
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
}

const shows = (page: Page, text: string): Promise<void> =>
  page.locator('.pdf-text span', { hasText: text }).first().waitFor({ state: 'attached' })

describe('the documents of an invoice', () => {
  test('are shown, signed afterwards, and downloaded as they are shown', { timeout: 90_000 }, async () => {
    const { id, number } = await issue()
    const { page, context, complaints } = await openPage(browser, app, { language: 'es' })
    await visit(page, `/invoices/${id}`)
    await shows(page, number)
    const documents = page.getByRole('region', { name: 'Documento' })
    await documents.getByText('PDF sin firmar').waitFor()
    const before = await downloaded(page, () =>
      page.getByRole('button', { name: 'PDF', exact: true }).click(),
    )
    expect(before.name).toBe(`${number}.pdf`)
    expect(archiveFaults(before.bytes)).toEqual([])
    expect(await axeFaults(page)).toEqual([])

    await callAsWindow(
      app,
      'certificates.import',
      { file: made.p12.toString('base64'), password: 'clave' },
      book,
    )
    await page.reload()
    await documents.getByRole('button', { name: 'Firmar ahora' }).click()
    await documents.getByText('PDF firmado con el certificado de Ana María Núñez Güell').waitFor()
    await shows(page, number)
    const after = await downloaded(page, () => page.getByRole('button', { name: 'PDF', exact: true }).click())
    expect(after.bytes.subarray(0, before.bytes.length).equals(before.bytes)).toBe(true)
    expect(verifyPdf(after.bytes)).toHaveLength(1)
    writeFileSync(join(folder, 'signed.pdf'), after.bytes)
    writeFileSync(join(folder, 'ca.pem'), made.caPem)
    const store = `sql:${folder}`
    execFileSync('certutil', ['-d', store, '-N', '--empty-password'])
    execFileSync('certutil', ['-d', store, '-A', '-n', 'ca', '-t', 'CT,C,C', '-i', join(folder, 'ca.pem')])
    const report = execFileSync('pdfsig', ['-nssdir', store, join(folder, 'signed.pdf')], {
      encoding: 'utf8',
    })
    for (const words of ['Signature is Valid.', 'Total document signed', 'Certificate is Trusted.'])
      expect(report).toContain(words)
    expect(await axeFaults(page)).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })

  longTest('are available in every format and in other languages', { timeout: 90_000 }, async () => {
    const { id, number } = await issue()
    await callAsWindow(app, 'session.savePreferences', { language: 'en' })
    const { page, context, complaints } = await openPage(browser, app, {
      language: 'en',
      theme: 'dark',
      width: 420,
    })
    await visit(page, `/invoices/${id}`)
    await shows(page, number)
    const documents = page.getByRole('region', { name: 'Document', exact: true })
    const format = (name: string) =>
      downloaded(page, () => documents.getByRole('button', { name: new RegExp(`^${name}`) }).click())
    const facturae = await format('Facturae')
    expect(facturae.name).toBe(`${number}.xsig`)
    expect(facturae.bytes.toString('utf8')).toContain('<ds:SignatureValue')
    expect((await format('UBL')).bytes.toString('utf8')).toContain('ubl:schema:xsd:Invoice-2')
    expect((await format('CII')).bytes.toString('utf8')).toContain('CrossIndustryInvoice')
    await documents.getByRole('button', { name: 'In another language' }).click()
    const copy = await downloaded(page, () => page.getByRole('menuitem', { name: 'Euskara' }).click())
    expect(copy.name).toBe(`${number}-eu.pdf`)
    expect(textOf(new PdfFile(copy.bytes).root.get('Lang'))).toBe('eu-ES')
    expect(await overflows(page)).toBe(false)
    expect(await axeFaults(page)).toEqual([])
    expect(complaints).toEqual([])
    await callAsWindow(app, 'session.savePreferences', { language: 'es' })
    await context.close()
  })

  test('that are unavailable state the reason', { timeout: 60_000 }, async () => {
    const { id } = await issue({
      client: undefined,
      clientName: 'Sin Dirección, S.L.',
      clientNif: 'B87654323',
    })
    const { page, context, complaints } = await openPage(browser, app, { language: 'es' })
    await visit(page, `/invoices/${id}`)
    const documents = page.getByRole('region', { name: 'Documento' })
    await documents.getByRole('button', { name: /^Facturae/ }).click()
    await documents.getByRole('alert').getByText('Falta la dirección completa del cliente.').waitFor()
    expect(complaints.filter((line) => !line.includes('422'))).toEqual([])
    await context.close()
  })
})
