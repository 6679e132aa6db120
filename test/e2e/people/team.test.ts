/** The team of a company in the window: invitations, roles and what they show, fresh proofs, and who did what. */
import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import { axeFaults, overflows, sharedBrowser } from '../../support/browser/browser.ts'
import { openOfficeWindow } from '../../support/postgres/office-window.ts'
import { needs } from '../../support/tools.ts'
import { button, registerByPasskey, say } from './steps.ts'

const test = needs('chromium')
const ANA = { email: 'ana@example.com', name: 'Ana Beltrán' }
const BEA = { email: 'bea@example.com', name: 'Bea Soler' }

/** Counts the clicks and keys of a person, whom a test stands for. */
class Walk {
  clicks = 0
  private readonly startedAt = performance.now()

  async click(page: Page, key: string): Promise<void> {
    this.clicks += 1
    await button(page, key).click()
  }

  get seconds(): number {
    return (performance.now() - this.startedAt) / 1000
  }
}

test('an owner invites a colleague, who records a payment, and the owner sees who did it', async () => {
  const office = await openOfficeWindow()
  const browser = await sharedBrowser()
  const owner = await office.visit(browser)
  const colleague = await office.visit(browser)
  await registerByPasskey(owner.page, await office.invite(ANA.email, ['owner']), ANA)
  const { server, books } = office
  const draft = await server.run(
    'invoices.create',
    {
      clientName: 'Ceramica del Sur SL',
      clientNif: 'B12345674',
      lines: [{ description: 'Taller', quantity: 2, unitPrice: 50 }],
    },
    books.test,
  )
  const { confirmation } = await server.run('invoices.validate', { id: draft.id }, books.test)
  const confirmationToken = confirmation?.confirmationToken ?? ''
  const issued = await server.run('invoices.issue', { id: draft.id, confirmationToken }, books.test)

  const walk = new Walk()
  await owner.page.goto(`${office.url}/settings/team`)
  await walk.click(owner.page, 'people.team.invite')
  await owner.page.locator('#invite-email').fill(BEA.email)
  walk.clicks += 1
  await owner.page.locator('#invite-form').getByText(say('people.role.bookkeeper'), { exact: true }).click()
  await walk.click(owner.page, 'people.team.create')
  // The proof is asked for by itself, and the authenticator of Chromium gives it.
  const link = await owner.page.locator('pre').textContent()
  await walk.click(owner.page, 'common.done')

  await colleague.page.goto(link ?? '')
  await colleague.page.locator('#register-email').fill(BEA.email)
  await colleague.page.locator('#register-name').fill(BEA.name)
  await walk.click(colleague.page, 'people.register.next')
  await walk.click(colleague.page, 'people.register.passkey')
  await colleague.page.locator('nav').getByText(BEA.name).waitFor()
  // Without a click of the owner.
  await owner.page.getByText(BEA.name).first().waitFor()

  await colleague.page.goto(`${office.url}/invoices/${issued.id}`)
  await walk.click(colleague.page, 'payments.block.record')
  await colleague.page.keyboard.press('Control+Enter')
  walk.clicks += 1
  await expect
    .poll(async () => (await server.run('invoices.get', { id: issued.id }, books.test)).amountDue)
    .toBe(0)

  await owner.page.goto(`${office.url}/connect/activity`)
  walk.clicks += 2
  await owner.page.getByText(BEA.name).first().waitFor()
  console.log(
    `people: inviting a colleague who records a payment, seen by the owner: ${walk.clicks} clicks, ${walk.seconds.toFixed(1)} s`,
  )
  expect([...owner.complaints, ...colleague.complaints]).toEqual([])
})

test('sales sees neither bank nor ledger, and a page without access says so', async () => {
  const office = await openOfficeWindow()
  const { page, complaints } = await office.visit(await sharedBrowser())
  await registerByPasskey(page, await office.invite(BEA.email, ['sales']), BEA)
  // Somebody without the dashboard begins with the invoices.
  await page.waitForURL('**/invoices')
  const menu = page.locator('nav').first()
  await menu.getByRole('link', { name: say('nav.quotes') }).waitFor()
  for (const hidden of ['bank.title', 'nav.ledger', 'taxes.title', 'nav.registry', 'nav.received'])
    expect(await menu.getByRole('link', { name: say(hidden), exact: true }).count(), hidden).toBe(0)
  for (const path of ['/bank', '/ledger', '/taxes', '/payments', '/received']) {
    await page.goto(`${office.url}${path}`)
    await page
      .getByRole('heading', { name: say('people.noAccess.title') })
      .first()
      .waitFor()
    // No toast, and nothing was asked of the server that it refused.
    expect(await page.locator('[data-slot="viewport"] [role="status"]').count(), path).toBe(0)
  }
  expect(await axeFaults(page)).toEqual([])
  for (const path of ['/settings', '/settings/team', '/settings/security', '/settings/mail']) {
    await page.goto(`${office.url}${path}`)
    await page.locator('main h2').first().waitFor()
    expect(await page.getByText(say('people.team.text')).count(), path).toBe(0)
  }
  expect(complaints).toEqual([])
})

test('a protected action asks for a proof, and does nothing without one', async () => {
  const office = await openOfficeWindow()
  const { page, complaints, setVerified } = await office.visit(await sharedBrowser())
  await registerByPasskey(page, await office.invite(ANA.email, ['owner']), ANA)
  await page.goto(`${office.url}/connect/keys`)
  await button(page, 'connect.keys.new').click()
  await page.locator('#key-name').fill('Tienda')
  await setVerified(false)
  await button(page, 'connect.keys.create').click()
  const dialog = page.getByRole('dialog', { name: say('people.verify.title') })
  await dialog.getByRole('alert').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: say('common.cancel') }).click()
  await dialog.waitFor({ state: 'detached' })
  const keys = async () => (await office.server.run('keys.list', {}, office.books.test)).items
  expect(await keys()).toEqual([])
  await setVerified(true)
  await button(page, 'connect.keys.create').click()
  await page.getByLabel(say('connect.keys.secret'), { exact: true }).waitFor()
  expect((await keys()).map(({ name }) => name)).toEqual(['Tienda'])
  expect(complaints).toEqual([])
})

test('a draft of an invoice outlives the end of the session', async () => {
  const office = await openOfficeWindow()
  const { page } = await office.visit(await sharedBrowser())
  await registerByPasskey(page, await office.invite(ANA.email, ['owner']), ANA)
  await page.goto(`${office.url}/invoices/new`)
  const line = page.getByPlaceholder(say('invoice.line.descriptionHint')).first()
  await line.waitFor()
  await office.office.database.admin.query('delete from person_sessions')
  await line.fill('Taller de torno')
  const again = page.getByRole('dialog')
  await again.getByText(say('people.signIn.againTitle')).first().waitFor({ timeout: 20_000 })
  await again.getByRole('button', { name: say('people.signIn.passkey') }).click()
  await again.waitFor({ state: 'detached' })
  expect(await line.inputValue()).toBe('Taller de torno')
})

test('account and team pages hold in both languages, themes and three widths', async () => {
  const office = await openOfficeWindow()
  const { page, complaints } = await office.visit(await sharedBrowser())
  await registerByPasskey(page, await office.invite(ANA.email, ['owner']), ANA)
  await office.invite('carla.rodriguez.de.la.fuente@asesoria-larga.example', ['adviser', 'sales'])
  for (const section of ['account', 'team']) {
    await page.goto(`${office.url}/settings/${section}`)
    for (const theme of ['light', 'dark'] as const)
      for (const width of [1280, 768, 420]) {
        await page.emulateMedia({ colorScheme: theme })
        await page.setViewportSize({ width, height: 900 })
        await page.locator('main .card').first().waitFor()
        expect(await overflows(page), `${section} ${theme} ${width}`).toBe(false)
        expect(await axeFaults(page), `${section} ${theme} ${width}`).toEqual([])
      }
  }
  expect(complaints).toEqual([])
})
