/** Signing in with the firm's own directory in Chromium, against a real OpenID Connect provider. */
import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import { setGroups, peopleOf } from '../../../server/app/people/index.ts'
import { firmDirectoryFrom } from '../../../server/app/people/sign-in/index.ts'
import { OWNER } from '../../../server/cli/shared.ts'
import { axeFaults, sharedBrowser } from '../../support/browser/browser.ts'
import { openIdentityProvider } from '../../support/people/identity-provider.ts'
import { openOfficeWindow } from '../../support/postgres/office-window.ts'
import { needs } from '../../support/tools.ts'
import { say, signOut } from './steps.ts'

const test = needs('chromium')
const FIRM = 'Moncayo'

const directoryButton = (page: Page) =>
  page.getByRole('button', { name: `${say('people.signIn.directory')} ${FIRM}` })

/** Presses the button, and types the name at the provider, where nobody was signed in. */
async function signInAs(page: Page, login: string): Promise<void> {
  await directoryButton(page).click()
  await page.locator('input[name="login"]').fill(login)
  await page.locator('input[name="password"]').fill('any')
  await page.locator('button[type="submit"], input[type="submit"]').first().click()
  // The provider asks whether this office may know who it is.
  await page.locator('input[name="prompt"][value="consent"]').waitFor({ state: 'attached' })
  await page.locator('button[type="submit"], input[type="submit"]').first().click()
}

test('the button leads to the directory and back: groups give roles, no group and no provider say so', async () => {
  let provider: Awaited<ReturnType<typeof openIdentityProvider>> | undefined
  const office = await openOfficeWindow({
    directoryOf: async (callback) => {
      provider = await openIdentityProvider(callback)
      const { issuer, clientId, clientSecret } = provider
      return firmDirectoryFrom(JSON.stringify({ issuer, clientId, clientSecret, name: FIRM }))
    },
  })
  const { server, books, url } = office
  const { public_id: company } = await server.env.store.reader
    .selectFrom('companies')
    .select('public_id')
    .where('id', '=', books.live.companyId)
    .executeTakeFirstOrThrow()
  await setGroups(peopleOf(server), OWNER, [
    { group: 'ventas', company, roles: ['sales'] },
    { group: 'contabilidad', company, roles: ['bookkeeper'] },
  ])
  const account = (name: string, groups: string[]) => ({
    name,
    email: `${name.split(' ')[0]!.toLowerCase()}@moncayo.example`,
    email_verified: true,
    groups,
  })
  provider!.accounts.set('luis', account('Luis Soto', ['contabilidad', 'todos']))
  provider!.accounts.set('eva', account('Eva Prieto', ['ventas']))
  provider!.accounts.set('max', account('Max Gil', ['almacén']))
  try {
    const browser = await sharedBrowser()
    const luis = await office.visit(browser)
    await luis.page.goto(url)
    await directoryButton(luis.page).waitFor()
    expect(await axeFaults(luis.page)).toEqual([])
    await signInAs(luis.page, 'luis')
    await luis.page.locator('nav').getByText('Luis Soto').waitFor()
    await luis.page
      .locator('nav')
      .getByRole('link', { name: say('bank.title'), exact: true })
      .first()
      .waitFor()
    expect(new URL(luis.page.url()).origin).toBe(url)

    // Another group, another role: what it lacks is not there.
    const eva = await office.visit(browser)
    await eva.page.goto(url)
    await signInAs(eva.page, 'eva')
    await eva.page.locator('nav').getByText('Eva Prieto').waitFor()
    await eva.page
      .locator('nav')
      .getByRole('link', { name: say('nav.quotes') })
      .first()
      .waitFor()
    expect(
      await eva.page
        .locator('nav')
        .getByRole('link', { name: say('bank.title'), exact: true })
        .count(),
    ).toBe(0)
    // The account says how it is signed in to.
    await eva.page.goto(`${url}/settings/account`)
    await eva.page.getByText(say('people.account.directory')).waitFor()

    // A group without a place in the table: a text that says whom to ask.
    const max = await office.visit(browser)
    await max.page.goto(url)
    await signInAs(max.page, 'max')
    const refusal = max.page.getByRole('alert')
    await refusal.waitFor()
    const told = await refusal.innerText()
    console.log(`refused group: ${told}`)
    expect(told).toMatch(/grupo|administra/i)
    expect(told).not.toMatch(/[a-z]+_[a-z]+/)
    expect(new URL(max.page.url()).hash).toBe('')
    expect(await axeFaults(max.page)).toEqual([])

    // The provider is down: the page stays, says so, and the other ways are there.
    await provider!.stop()
    await signOut(luis.page)
    await directoryButton(luis.page).click()
    const down = luis.page.getByRole('alert')
    await down.waitFor()
    const text = await down.innerText()
    console.log(`provider down: ${text}`)
    expect(text).toMatch(/directorio/i)
    expect(text).not.toMatch(/[a-z]+_[a-z]+/)
    expect(await directoryButton(luis.page).isEnabled()).toBe(true)
    expect(await axeFaults(luis.page)).toEqual([])
    // The provider's own pages ask for a font on the internet.
    expect(
      [...luis.complaints, ...eva.complaints, ...max.complaints].filter(
        (one) => !/503|ERR_NAME_NOT_RESOLVED/.test(one),
      ),
    ).toEqual([])
  } finally {
    await provider?.stop().catch(() => undefined)
  }
})
