/** The shortcuts of a page: each action has one, printed on its button and listed in the shortcut sheet. */
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
      .filter((each) => !each.querySelector('kbd') && !each.hasAttribute('aria-keyshortcuts'))
      .map((each) => each.getAttribute('aria-label') ?? each.textContent?.trim() ?? '')
  })
}

/** Returns the shortcuts printed on the page's buttons, without those of fields and rows. */
function printedKeys(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main :is(button, a)')]
      .filter((each) => each.offsetParent !== null && !each.closest('form [data-cell]'))
      .map((each) => [...each.querySelectorAll('kbd')].map((key) => key.textContent).join(' '))
      .filter((keys) => keys !== '' && keys !== '↵'),
  )
}

/** Returns the keys in the shortcut sheet. */
async function sheetKeys(page: Page): Promise<string[]> {
  // In a field the question mark is typed.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('?')
  await page.locator('[role="dialog"] li kbd').first().waitFor()
  const keys = await page
    .locator('[role="dialog"] li')
    .evaluateAll((items) =>
      items.map((item) => [...item.querySelectorAll('kbd')].map((key) => key.textContent).join(' ')),
    )
  await page.keyboard.press('Escape')
  await page.locator('[role="dialog"]').waitFor({ state: 'detached' })
  return keys
}

/** Lists actions of the page's header and main actions without a shortcut, and shortcuts that are not unique or not listed. */
export async function shortcutFaults(page: Page): Promise<string[]> {
  const silent = await silentActions(page)
  const printed = await printedKeys(page)
  const listed = await sheetKeys(page)
  return [
    ...silent.map((name) => `no shortcut: ${name}`),
    ...listed
      .filter((each, index) => listed.indexOf(each) !== index)
      .map((keys) => `two of one shortcut: ${keys}`),
    ...printed.filter((each) => !listed.includes(each)).map((keys) => `not in the sheet: ${keys}`),
  ]
}
