/** A file made for the tax agency in the window: what it is, its boxes beside those of Sello, and stored on confirmation. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { returnFile as en, returnFileFaults as enFaults } from '../../../renderer/locales/en/return-file.ts'
import { returnFile as es, returnFileFaults as esFaults } from '../../../renderer/locales/es/return-file.ts'
import { encodeFile } from '../../../server/accounting/returns/files/file.ts'
import type { FileModel } from '../../../server/accounting/returns/files/layout.ts'
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
import { needs, tool } from '../../support/tools.ts'
import { EXAMPLES } from '../../server/accounting/returns/files-examples.ts'

let app: ServedApp
let browser: Browser

const test = needs('chromium')

beforeAll(async () => {
  if (!tool('chromium')) return
  app = await serveApp({ invoices: 5 })
  browser = await sharedBrowser()
}, 120_000)
afterAll(async () => {
  await app?.stop()
})

async function upload(model: FileModel, name: string) {
  const buffer = Buffer.from(await encodeFile(EXAMPLES[model]))
  return { name, mimeType: 'text/plain', buffer }
}

test.each([
  ['es', es.returnFile, esFaults, 1280],
  ['en', en.returnFile, enFaults, 420],
] as const)(
  'a broken file says why; a good one shows its boxes, and is stored as filed once (%s)',
  async (language, texts, faults, width) => {
    await callAsWindow(app, 'session.savePreferences', { language })
    const { page, context, complaints } = await openPage(browser, app, { language, width })
    await visit(page, '/taxes/2026-1T')
    await page.getByRole('button', { name: texts.open }).click()
    const dialog = page.getByRole('dialog')
    const input = dialog.getByLabel(texts.choose)
    await input.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hola') })
    await dialog.getByText(faults.return_file_unknown).waitFor()
    await input.setInputFiles(await upload('347', '347.txt'))
    await dialog.getByText(texts.parties.split(' | ')[2]!.replace('{count}', '3')).waitFor()
    expect(await dialog.getByText('DE136695976').count()).toBe(1)
    expect(await axeFaults(page)).toEqual([])
    expect(await overflows(page)).toBe(false)
    await dialog.getByRole('button', { name: texts.another }).click()
    await dialog.getByLabel(texts.choose).setInputFiles(await upload('303', '303.txt'))
    await dialog.getByText(texts.kinds.C).waitFor()
    await dialog
      .getByRole('cell', { name: /^[-−]50[.,]00$/ })
      .first()
      .waitFor()
    expect(await axeFaults(page)).toEqual([])
    expect(await overflows(page)).toBe(false)
    const save = dialog.getByRole('button', { name: texts.save })
    if (language === 'es') {
      await dialog.getByRole('columnheader', { name: texts.computed }).waitFor()
      await save.click()
      await page.getByText(texts.saved.replace('{model}', '303')).first().waitFor()
      await dialog.waitFor({ state: 'hidden' })
    } else {
      // The first round has stored it.
      await dialog.getByRole('columnheader', { name: texts.filed }).waitFor()
      await dialog.getByText(texts.sameAs.filed).waitFor()
      expect(await save.count()).toBe(0)
    }
    // The browser itself reports the refusal of the broken file.
    expect(complaints.filter((complaint) => !complaint.includes('status of 422'))).toEqual([])
    await context.close()
  },
  120_000,
)
