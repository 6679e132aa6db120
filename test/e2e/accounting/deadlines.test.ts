/** Deadlines in the window: the days of each return, how certain they are, and the calendar file, in both languages. */
import { readFileSync } from 'node:fs'
import ICAL from 'ical.js'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { taxes as en } from '../../../renderer/locales/en/taxes.ts'
import { taxes as es } from '../../../renderer/locales/es/taxes.ts'
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

/** A year whose calendar is published by nobody. */
const YEAR = new Date().getFullYear() + 2

test.each([
  ['es', es.taxes, 1280],
  ['en', en.taxes, 420],
] as const)(
  'a future return says that its day is computed, and the calendar is saved as a file (%s)',
  async (language, texts, width) => {
    await callAsWindow(app, 'session.savePreferences', { language })
    const { page, context, complaints } = await openPage(browser, app, { language, width })
    await visit(page, `/taxes/${YEAR}-1T`)
    const card = page.getByRole('listitem').filter({ hasText: texts.model.replace('{model}', '303') })
    await card.getByText(texts.dayUnpublished).waitFor()
    await card.getByText(texts.debitUntil.replace('{day}', '').trim()).waitFor()
    await visit(page, `/taxes/2026-1T`)
    await card.waitFor()
    expect(await card.getByText(texts.dayUnpublished).count()).toBe(0)
    expect(await card.getByText(texts.dayByRule).count()).toBe(0)
    expect(await axeFaults(page)).toEqual([])
    expect(await overflows(page)).toBe(false)

    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: texts.calendar.save }).click()
    const file = await saved
    expect(file.suggestedFilename()).toMatch(/^\d{4}-plazos-.+\.ics$/)
    const text = readFileSync(await file.path(), 'utf8')
    const events = new ICAL.Component(ICAL.parse(text) as unknown[]).getAllSubcomponents('vevent')
    expect(events.length).toBeGreaterThan(4)
    await page.getByText(texts.calendar.saved.replace('{file}', file.suggestedFilename())).first().waitFor()
    expect(complaints).toEqual([])
    await context.close()
  },
  120_000,
)
