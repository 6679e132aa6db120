/** A working day without a mouse, from an empty book to a paid invoice: typed, parsed, fixed, issued, found again. */
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect } from 'vitest'
import {
  callAsWindow,
  openPage,
  serveApp,
  settled,
  sharedBrowser,
  visit,
} from '../../support/browser/browser.ts'
import type { ServedApp } from '../../support/browser/browser.ts'
import { swept } from '../../support/sweep.ts'
import { needs, tool } from '../../support/tools.ts'
import { wordsIn } from '../../support/browser/page-messages.ts'
import type { Say } from '../../support/browser/page-messages.ts'

const test = needs('chromium')
const TEST_MS = 180_000
/** A dialog for an irreversible step accepts no confirmation in its first moments. */
const ARMED_MS = 900

/** Counts every event of a mouse, a pen or a finger. */
const NO_POINTER = `window.pointed = []
for (const type of ['pointerdown', 'pointermove', 'mousedown', 'mousemove', 'touchstart', 'wheel'])
  addEventListener(type, (event) => window.pointed.push(event.type), { capture: true, passive: true })`

let browser: Browser
beforeAll(async () => {
  if (tool('chromium')) browser = await sharedBrowser()
})

/** Returns the focused element, and its faults as drawn on the screen. */
function focus(page: Page): Promise<{ name: string; fault: string | null }> {
  return page.evaluate(() => {
    const at = document.activeElement as HTMLElement | null
    const name = [at?.tagName, at?.getAttribute('role'), at?.getAttribute('aria-label'), at?.id].join(' ')
    if (!at || at === document.body) return { name, fault: 'lost' }
    const { width, height, bottom, top } = at.getBoundingClientRect()
    if (width === 0 || height === 0 || bottom <= 0 || top >= innerHeight)
      return { name, fault: 'out of sight' }
    // A dialog is its own focus indicator, and so is the only field of the palette. A title or a page that has the
    // focus for screen readers is not a control, and shows no ring.
    if (
      at.getAttribute('role') === 'dialog' ||
      at.matches('[role="dialog"] input, main[tabindex="-1"], h1[tabindex="-1"]')
    )
      return { name, fault: null }
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at)
    const ringed = outlineStyle !== 'none' && parseFloat(outlineWidth) > 0
    return { name, fault: ringed || boxShadow !== 'none' ? null : 'not to be seen' }
  })
}

/** Keyboard of the test: each key press is followed by a check of the focus. */
function keyboard(page: Page) {
  const kept = async (after: string): Promise<void> => {
    await expect
      .poll(async () => page.evaluate(() => document.activeElement !== document.body), {
        message: `the focus is lost after ${after}`,
        timeout: 5_000,
      })
      .toBe(true)
  }
  return {
    async press(...keys: string[]): Promise<void> {
      for (const key of keys) await page.keyboard.press(key)
      // Tab only moves the focus: there is nothing to wait for.
      if (keys.some((key) => !/^(?:Shift\+)?Tab$/.test(key))) await settled(page)
      await kept(keys.join(' '))
      const { name, fault } = await focus(page)
      expect(fault, `${name} after ${keys.join(' ')}`).toBeNull()
    },
    async type(text: string): Promise<void> {
      await page.keyboard.type(text, { delay: 5 })
      await settled(page)
      await kept(text)
    },
    /** Presses Tab until the wanted element has the focus. */
    async reach(wanted: string | RegExp): Promise<void> {
      for (let step = 0; step < 60; step++) {
        const found = await page.evaluate(() => {
          const at = document.activeElement as HTMLElement | null
          return at?.getAttribute('aria-label') ?? at?.textContent?.trim() ?? ''
        })
        if (typeof wanted === 'string' ? found === wanted : wanted.test(found)) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`Tab does not lead to ${String(wanted)}.`)
    },
  }
}

const value = (page: Page) =>
  page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.value ?? '')
/** Returns the text below the focused field. */
const said = (page: Page) =>
  page.evaluate(() => {
    const id = document.activeElement?.getAttribute('aria-describedby')
    return id ? (document.getElementById(id)?.textContent?.trim() ?? '') : ''
  })
const at = (page: Page, path: RegExp) => page.waitForURL((url) => path.test(url.pathname))

interface Speech {
  today: string
  spelled: RegExp
  price: string
  amount: string
  settings: string
}
const SPEECH: Record<'es' | 'en', Speech> = {
  es: {
    today: 'hoy',
    spelled: /3 de febrero de \d{4}/,
    price: '1.234,56',
    amount: '15.432,00',
    settings: 'Ajustes',
  },
  en: {
    today: 'today',
    spelled: /3 February \d{4}/,
    price: '1,234.56',
    amount: '15,432.00',
    settings: 'Settings',
  },
}

async function freshBook(language: 'es' | 'en'): Promise<ServedApp> {
  const app = await serveApp({ invoices: 0 })
  await callAsWindow(app, 'session.savePreferences', { language })
  return app
}

async function makeDraft(page: Page, say: Say, speech: Speech): Promise<void> {
  const { press, type, reach } = keyboard(page)
  await press('n')
  await at(page, /^\/invoices\/new$/)
  // An unknown customer is created while typing.
  await type('Panadería Sol S.L.')
  await page.getByRole('option', { name: /Panadería Sol/ }).waitFor()
  await press('ArrowDown')
  await press('Enter')
  await type('B87654323')
  await press('Enter')
  await page.getByText('B87654323').first().waitFor()

  const issue = page.locator('[id$="-issue"]')
  for (
    let step = 0;
    step < 20 && !(await issue.evaluate((field) => field === document.activeElement));
    step++
  )
    await press('Tab')
  await type(speech.today)
  expect(await said(page)).toMatch(/\d{4}/)
  await press('Tab')
  await press('Shift+Tab')
  expect(await value(page)).toMatch(/^\d{2}\/\d{2}\/\d{4}$/)
  await press('Tab', 'Tab')
  await press('Control+a')
  await type('3/2')
  expect(await said(page)).toMatch(speech.spelled)
  await press('Tab')
  await press('Shift+Tab')
  expect(await value(page)).toMatch(/^03\/02\/\d{4}$/)

  const cell = (number: number, name: 'description' | 'quantity' | 'price' | 'vat') =>
    `${say('invoice.line.cell')} ${number}, ${say(`invoice.line.${name}`)}`
  await reach(cell(1, 'description'))
  await type('Pan de molde')
  await press('Tab')
  // The numeric keypad types a point instead of a comma.
  await press('Control+a')
  await type('12.5')
  await press('Tab')
  await type(speech.price)
  await press('Enter')
  await page.locator('[data-line]').nth(1).waitFor()
  expect(await page.locator('[data-line] output').first().textContent()).toBe(speech.amount)
}

/**
 * Faults are fixed from the box that lists them, and the dialog is read, closed and opened again before it is
 * confirmed.
 */
async function issueIt(page: Page, say: Say): Promise<void> {
  const { press, type } = keyboard(page)
  const dialog = page.getByRole('dialog')
  await type('Horas de obrador')
  await press('Tab')
  // The box has the focus, and its links lead to the missing fields, one by one.
  const follow = async (anchor: RegExp) => {
    await page.locator('a[href="#page"]').first().waitFor()
    await press('Tab')
    await press('Enter')
    const reached = await page.evaluate(
      () =>
        document.activeElement?.closest('[data-anchor]')?.getAttribute('data-anchor') ??
        document.activeElement?.querySelector('[data-anchor]')?.getAttribute('data-anchor'),
    )
    expect(reached).toMatch(anchor)
    await press('Control+a')
  }
  await press('Control+Enter')
  await follow(/:unitPrice$/)
  await type('10')
  await press('Control+Enter')
  await follow(/^dueDate$/)
  await type('+30')
  await press('Control+Enter')
  await dialog.waitFor()
  const inside = () => page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null)
  for (let step = 0; step < 8; step++) {
    await press('Tab')
    expect(await inside()).toBe(true)
  }
  await press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await press('Control+Enter')
  await dialog.waitFor()
  expect(await inside()).toBe(true)
  await page.waitForTimeout(ARMED_MS)
  await press('Control+Enter')
  await at(page, /^\/invoices\/inv_/)
  await page.getByText(say('paymentStatus.unpaid')).first().waitFor()
}

async function payAndTakeBack(page: Page, say: Say): Promise<void> {
  const { press } = keyboard(page)
  const [file] = await Promise.all([page.waitForEvent('download', { timeout: 30_000 }), press('p')])
  expect(file.suggestedFilename()).toMatch(/\.pdf$/)
  await press('c')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  expect(await page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null)).toBe(true)
  await press('Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(say('paymentStatus.paid'), { exact: true }).first().waitFor()
  await press('Control+z')
  await page.getByText(say('paymentStatus.unpaid'), { exact: true }).first().waitFor()
}

async function findAgain(page: Page, say: Say, speech: Speech): Promise<void> {
  const { press, type } = keyboard(page)
  await press('Escape')
  await at(page, /^\/invoices$/)
  await press('/')
  await type('Panadería')
  await page.waitForURL(/q=Panader/)
  await press('Enter')
  const row = () => page.evaluate(() => document.activeElement?.getAttribute('role'))
  expect(await row()).toBe('row')
  await press('j')
  await press('k')
  expect(await row()).toBe('row')
  await press('x')
  const bulk = page.getByLabel(say('invoiceList.bulk.label'))
  await bulk.waitFor()
  await press('Escape')
  await bulk.waitFor({ state: 'detached' })
  await press('Control+k')
  await type(speech.settings)
  await page.getByRole('option', { name: speech.settings }).first().waitFor()
  await press('Enter')
  await at(page, /^\/settings$/)
  await press('2')
  await at(page, /^\/settings\/design$/)
  await press('?')
  await page.getByRole('dialog').waitFor()
  await press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await press('g')
  await press('f')
  await at(page, /^\/invoices$/)
}

describe.each(swept(['es', 'en'] as const, (language) => language === 'es'))(
  'without a mouse, in %s',
  (language) => {
    test(
      'an invoice is created, issued, paid, undone, and found again',
      async () => {
        const app = await freshBook(language)
        const say = wordsIn(language)
        const speech = SPEECH[language]
        try {
          const { page, context, complaints } = await openPage(browser, app, {
            language,
            init: NO_POINTER,
            // A pointer that another test has moved stays in its profile.
            ownProfile: true,
          })
          await makeDraft(page, say, speech)
          await issueIt(page, say)
          await payAndTakeBack(page, say)
          await findAgain(page, say, speech)
          expect(await page.evaluate(() => (window as never as { pointed: string[] }).pointed)).toEqual([])
          expect(complaints).toEqual([])
          await context.close()
        } finally {
          await app.stop()
        }
      },
      TEST_MS,
    )
  },
)

test(
  'text typed while a new customer is being saved stays in its field',
  async () => {
    const app = await freshBook('es')
    try {
      const { page, context } = await openPage(browser, app)
      let answer = (): void => {}
      const answered = new Promise<void>((resolve) => (answer = resolve))
      await page.route('**/app/call/contacts.create', async (route) => {
        await answered
        await route.continue()
      })
      await visit(page, '/invoices/new')
      await page.keyboard.type('Bodegas del Sur')
      await page.getByRole('option', { name: /Bodegas del Sur/ }).waitFor()
      await page.keyboard.press('Enter')
      await page.keyboard.type('B87654323')
      await page.keyboard.press('Enter')
      await page.getByRole('textbox', { name: 'Línea 1, Concepto' }).focus()
      await page.keyboard.type('Vino ')
      answer()
      await page
        .getByRole('form', { name: wordsIn('es')('invoice.client.newTitle') })
        .waitFor({ state: 'detached' })
      await settled(page)
      await page.keyboard.type('de mesa')
      const line = page.getByRole('textbox', { name: 'Línea 1, Concepto' })
      expect(await line.inputValue()).toBe('Vino de mesa')
      await page
        .getByText(/Borrador guardado/)
        .first()
        .waitFor()
      await context.close()
    } finally {
      await app.stop()
    }
  },
  TEST_MS,
)
