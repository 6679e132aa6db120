/** The shortcuts of a page: each action has one, in its tooltip and in the shortcut sheet, and none is printed on the page. */
import type { Page } from 'playwright-core'

/**
 * Returns the actions without a shortcut: everything in the page's header, and every filled button below it. Buttons
 * inside a row are reached through the row; the menu button of a narrow window opens the navigation, whose pages have
 * shortcuts.
 */
function silentActions(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const inHead = [...document.querySelectorAll<HTMLElement>('main header :is(button, a)')]
    const filled = [...document.querySelectorAll<HTMLElement>('main :is(button, a).bg-primary')]
    return [...new Set([...inHead, ...filled.filter((each) => !each.closest('li, tr, [role="row"]'))])]
      .filter(
        (each) =>
          each.offsetParent !== null &&
          !each.matches('[role="checkbox"], [role="switch"], [aria-pressed], [data-tour="menu"]'),
      )
      .filter((each) => !each.dataset.keys || !each.hasAttribute('aria-keyshortcuts'))
      .map((each) => each.getAttribute('aria-label') ?? each.textContent?.trim() ?? '')
  })
}

/** Returns the shortcuts in the tooltips of the page's buttons, without those of fields, rows and tabs. */
function namedKeys(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main :is(button, a)[data-keys]')]
      .filter((each) => each.offsetParent !== null && !each.closest('form [data-cell]'))
      .map((each) => each.dataset.keys ?? '')
      .filter((keys) => keys !== '' && keys !== 'enter' && keys !== 'escape' && !/^\d$/.test(keys)),
  )
}

/** Returns the keycaps that stand on the page itself. */
function printedKeys(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.shell kbd')]
      .filter((each) => each.offsetParent !== null)
      .map((each) => each.textContent ?? ''),
  )
}

/** Returns the keys in the shortcut sheet. */
async function sheetKeys(page: Page): Promise<string[]> {
  // In a field the question mark is typed.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('?')
  await page.locator('[role="dialog"] li kbd').first().waitFor()
  const keys = await page
    .locator('[role="dialog"] li[data-shortcut]')
    .evaluateAll((items) => items.map((item) => (item as HTMLElement).dataset.shortcut ?? ''))
  await page.keyboard.press('Escape')
  await page.locator('[role="dialog"]').waitFor({ state: 'detached' })
  return keys
}

/**
 * Lists actions of the page's header and main actions without a shortcut, keycaps on the page, and shortcuts that are not
 * unique or not listed.
 */
export async function shortcutFaults(page: Page): Promise<string[]> {
  const silent = await silentActions(page)
  const named = await namedKeys(page)
  const printed = await printedKeys(page)
  const listed = await sheetKeys(page)
  return [
    ...silent.map((name) => `no shortcut: ${name}`),
    ...printed.map((key) => `a keycap on the page: ${key}`),
    ...listed
      .filter((each, index) => listed.indexOf(each) !== index)
      .map((keys) => `two of one shortcut: ${keys}`),
    ...named.filter((each) => !listed.includes(each)).map((keys) => `not in the sheet: ${keys}`),
  ]
}
