/** A lost way in: two administrators hand over a link, and whoever was not asked refuses it. */
import { expect } from 'vitest'
import { axeFaults, sharedBrowser } from '../../support/browser/browser.ts'
import { openOfficeWindow } from '../../support/postgres/office-window.ts'
import { needs } from '../../support/tools.ts'
import { button, registerByPasskey, say, signOut } from './steps.ts'

const test = needs('chromium')
const ANA = { email: 'ana@example.com', name: 'Ana Beltrán' }
const BEA = { email: 'bea@example.com', name: 'Bea Soler' }
const CAI = { email: 'cai@example.com', name: 'Cai Ferrer' }

test('a recovery is seen and refused by the person, or confirmed by a second administrator and used', async () => {
  const office = await openOfficeWindow()
  const browser = await sharedBrowser()
  const [ana, bea, cai] = await Promise.all([
    office.visit(browser),
    office.visit(browser),
    office.visit(browser),
  ])
  await registerByPasskey(ana.page, await office.invite(ANA.email, ['owner']), ANA)
  await registerByPasskey(cai.page, await office.invite(CAI.email, ['owner']), CAI)
  await registerByPasskey(bea.page, await office.invite(BEA.email, ['sales']), BEA)

  const ask = async (): Promise<void> => {
    await ana.page.goto(`${office.url}/settings/team`)
    const menu = ana.page.getByRole('button', { name: `Más acciones sobre ${BEA.name}` })
    await menu.click()
    await ana.page.getByRole('menuitem', { name: say('people.team.askRecovery') }).click()
    await button(ana.page, 'people.team.askRecoveryYes').click()
    await ana.page.getByText(say('people.team.recoveryWaits')).waitFor()
  }
  await ask()
  // The red band appears without a reload, on whichever page.
  await button(bea.page, 'people.band.refuse').waitFor()
  expect(await axeFaults(bea.page)).toEqual([])
  await button(bea.page, 'people.band.refuse').click()
  await button(bea.page, 'people.band.refuse').waitFor({ state: 'detached' })
  await expect
    .poll(async () => {
      await ana.page.reload()
      await ana.page.getByText(BEA.email).waitFor()
      return ana.page.getByText(say('people.team.recoveryWaits')).count()
    })
    .toBe(0)

  await ask()
  expect(await button(ana.page, 'people.team.recoveryLink').count()).toBe(0)
  await cai.page.goto(`${office.url}/settings/team`)
  await button(cai.page, 'people.team.confirmRecovery').click()
  await button(cai.page, 'people.team.recoveryLink').click()
  const link = (await cai.page.locator('pre').textContent()) ?? ''
  expect(await axeFaults(cai.page)).toEqual([])

  // On another computer, whose authenticator knows nothing of the account.
  const other = await office.visit(browser)
  await other.page.goto(link)
  await other.page.locator('#register-email').fill(BEA.email)
  await button(other.page, 'people.register.next').click()
  await other.page.getByText(say('people.register.choose')).waitFor()
  await button(other.page, 'people.register.passkey').click()
  await other.page.locator('nav').getByText(BEA.name).waitFor()
  // What was lost may be in other hands: the earlier session has ended.
  await bea.page.getByText(say('people.signIn.againTitle')).first().waitFor({ timeout: 20_000 })
  await signOut(other.page)
  await button(other.page, 'people.signIn.passkey').click()
  await other.page.locator('nav').getByText(BEA.name).waitFor()
  expect([...ana.complaints, ...bea.complaints, ...cai.complaints, ...other.complaints]).toEqual([])
})
