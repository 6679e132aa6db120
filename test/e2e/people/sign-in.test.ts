/** People sign in to an office in a browser: with passkeys, with a password and codes, and again over a page. */
import { expect } from 'vitest'
import { TOTP, Secret } from 'otpauth'
import { axeFaults, sharedBrowser } from '../../support/browser/browser.ts'
import { openOfficeWindow } from '../../support/postgres/office-window.ts'
import { needs } from '../../support/tools.ts'
import { beginRegistration, button, registerByPasskey, say, signOut } from './steps.ts'

const test = needs('chromium')
const ANA = { email: 'ana@example.com', name: 'Ana Beltrán' }

test('somebody registers with a passkey, signs out, and signs in with it', async () => {
  const office = await openOfficeWindow()
  const { page, complaints } = await office.visit(await sharedBrowser())
  const link = await office.invite(ANA.email, ['owner'])

  // Nothing of the office is shown before.
  await page.goto(`${office.url}/invoices`)
  await button(page, 'people.signIn.passkey').waitFor()
  expect(await page.content()).not.toContain('Taller')
  expect(await axeFaults(page)).toEqual([])

  await beginRegistration(page, link, { ...ANA, email: 'otra@example.com' })
  await page.getByRole('alert').waitFor()
  expect(new URL(page.url()).hash).toBe('')
  await page.locator('#register-email').fill(ANA.email)
  await button(page, 'people.register.next').click()
  await button(page, 'people.register.passkey').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await button(page, 'people.register.passkey').click()
  await page.locator('nav').getByText(ANA.name).waitFor()
  expect(await page.locator('h1').first().textContent()).toBeTruthy()

  await signOut(page)
  await button(page, 'people.signIn.passkey').click()
  await page.locator('nav').getByText(ANA.name).waitFor()

  // The invitation was used.
  await signOut(page)
  await beginRegistration(page, link, ANA)
  await page.getByRole('alert').waitFor()
  expect(complaints).toEqual([])
})

test('somebody registers with a password and an authenticator app', async () => {
  const office = await openOfficeWindow()
  const { page, complaints } = await office.visit(await sharedBrowser())
  const PASSWORD = 'grava-tejado-nube-siete'
  await beginRegistration(page, await office.invite(ANA.email, ['owner']), ANA)
  await button(page, 'people.register.password').click()
  await page.locator('#register-password').fill('corta')
  await button(page, 'people.register.next').click()
  await page.locator('#register-password-note .fault').waitFor()
  await page.locator('#register-password').fill(PASSWORD)
  await button(page, 'people.register.next').click()
  await page.getByRole('img', { name: say('people.second.image') }).waitFor()
  expect(await axeFaults(page)).toEqual([])
  const secret = (await page.locator('pre').textContent())?.replaceAll(' ', '') ?? ''
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  await page.locator('#second-first').fill('000000')
  await button(page, 'people.second.confirm').click()
  await page.locator('#second-first-note .fault').waitFor()
  await page.locator('#second-first').fill(totp.generate())
  await button(page, 'people.second.confirm').click()
  await page.locator('ul li.font-mono').first().waitFor()
  const codes = await page.locator('ul li.font-mono').allTextContents()
  expect(codes.length).toBe(10)
  expect(await axeFaults(page)).toEqual([])
  expect(await button(page, 'people.register.done').isDisabled()).toBe(true)
  await page.getByText(say('people.codes.kept')).click()
  await button(page, 'people.register.done').click()
  await page.locator('nav').getByText(ANA.name).waitFor()

  await signOut(page)
  await button(page, 'people.signIn.password').click()
  await page.locator('#sign-in-email').fill(ANA.email)
  await page.locator('#sign-in-password').fill('otra-cosa-distinta')
  await button(page, 'people.signIn.go').click()
  await page.getByText(say('people.signIn.wrong')).waitFor()
  await page.locator('#sign-in-password').fill(PASSWORD)
  await button(page, 'people.signIn.go').click()
  await page.locator('#sign-in-code').fill('123456')
  await button(page, 'people.signIn.enter').click()
  await page.getByText(say('people.signIn.wrongCode')).waitFor()
  await page.locator('#sign-in-code').fill(codes[0]?.trim() ?? '')
  await button(page, 'people.signIn.enter').click()
  await page.locator('nav').getByText(ANA.name).waitFor()

  // Guesses are slowed down, and the page says for how long.
  await signOut(page)
  await button(page, 'people.signIn.password').click()
  await page.locator('#sign-in-email').fill(ANA.email)
  // The first wait has two seconds, which a slow computer lets pass; the later ones double.
  for (let guess = 0; guess < 12 && (await page.getByText(say('people.wait')).count()) === 0; guess += 1) {
    await page.locator('#sign-in-password').fill(`otra-cosa-distinta-${guess}`)
    await button(page, 'people.signIn.go').click()
    await expect.poll(() => button(page, 'people.signIn.go').isEnabled()).toBe(true)
  }
  expect(await page.getByText(say('people.wait')).count()).toBe(1)
  expect(complaints).toEqual([])
})

test('a session that ended elsewhere is renewed over the page, which loses nothing', async () => {
  const office = await openOfficeWindow()
  const { page, complaints } = await office.visit(await sharedBrowser())
  await registerByPasskey(page, await office.invite(ANA.email, ['owner']), ANA)
  await page.goto(`${office.url}/settings/account`)
  await page.locator('#account-name').fill('Ana Beltrán Ruiz')
  await office.office.database.admin.query('delete from person_sessions')
  // The stream notices within seconds; what was typed is below the sign-in.
  const dialog = page.getByRole('dialog')
  await dialog.getByText(say('people.signIn.againTitle')).first().waitFor({ timeout: 20_000 })
  expect(await axeFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: say('people.signIn.passkey') }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await page.locator('#account-name').inputValue()).toBe('Ana Beltrán Ruiz')
  await page.locator('#account-name').press('Enter')
  await page.locator('nav').getByText('Ana Beltrán Ruiz').waitFor()
  expect(complaints).toEqual([])
})
