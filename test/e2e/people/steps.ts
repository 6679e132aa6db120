/** What people do at the door of an office, in a browser. */
import type { Page } from 'playwright-core'
import { people } from '../../../renderer/locales/es/people.ts'
import { wordsIn } from '../../support/browser/page-messages.ts'

const common = wordsIn('es')

/** Returns a Spanish text of the pages of people, or a common one. */
export function say(key: string): string {
  if (!key.startsWith('people.')) return common(key)
  const text = key
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], people)
  if (typeof text !== 'string') throw new Error(`No words are called ${key}.`)
  return (text.split('|')[0] ?? '').split('{')[0]?.trim() ?? ''
}

export const button = (page: Page, key: string) =>
  page.getByRole('button', { name: say(key), exact: !say(key).endsWith(' ') }).first()

/** Opens a link of an invitation and types address and name. */
export async function beginRegistration(
  page: Page,
  link: string,
  { email, name }: { email: string; name: string },
): Promise<void> {
  await page.goto(link)
  await page.locator('#register-email').fill(email)
  await page.locator('#register-name').fill(name)
  await button(page, 'people.register.next').click()
}

/** Registers with a passkey and waits for the office. */
export async function registerByPasskey(
  page: Page,
  link: string,
  who: { email: string; name: string },
): Promise<void> {
  await beginRegistration(page, link, who)
  await button(page, 'people.register.passkey').click()
  await page.locator('nav').getByText(who.name).waitFor()
}

export async function signOut(page: Page): Promise<void> {
  await button(page, 'people.account.signOut').click()
  await button(page, 'people.signIn.passkey').waitFor()
}
