/** Two pairs of eyes in two browsers: what the card shows, the fresh proof of a yes, and what a no leaves. */
import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import { axeFaults, overflows, sharedBrowser } from '../../support/browser/browser.ts'
import { openOfficeWindow } from '../../support/postgres/office-window.ts'
import { needs } from '../../support/tools.ts'
import { listRequests } from '../../../server/app/people/second-person/requests.ts'
import { readRules } from '../../../server/app/people/second-person/rules.ts'
import { setRules } from '../../../server/app/people/second-person/use-cases.ts'
import { button, registerByPasskey, say } from './steps.ts'

const test = needs('chromium')
const ANA = { email: 'ana@example.com', name: 'Ana Beltrán' }
const LUIS = { email: 'luis@example.com', name: 'Luis Soto' }
const [OLD, NEW] = ['ES9121000418450200051332', 'ES7921000813610123456789']

/** The card of a step, by its title. */
const card = (page: Page, key: string) =>
  page.locator('main li').filter({ has: page.getByRole('heading', { name: say(key) }) })

test('a rule is set, a colleague issues above it, and the owner confirms with a passkey what the card shows', async () => {
  const office = await openOfficeWindow()
  const browser = await sharedBrowser()
  const [ana, luis] = [await office.visit(browser), await office.visit(browser)]
  await registerByPasskey(ana.page, await office.invite(ANA.email, ['owner']), ANA)
  await registerByPasskey(luis.page, await office.invite(LUIS.email, ['bookkeeper']), LUIS)
  const { server, books, url } = office

  await ana.page.goto(`${url}/settings/team`)
  await ana.page.getByLabel(say('people.rules.issueAbove')).fill('1000')
  await ana.page.getByLabel(say('people.rules.issueAbove')).press('Tab')
  await ana.page.getByLabel(say('people.rules.bankAccounts')).check()
  await button(ana.page, 'people.rules.save').click()
  await expect
    .poll(async () => readRules(server.ctx(books.test)))
    .toMatchObject({ issueAboveCents: 100_000, closing: false, bankAccounts: true })

  const { id } = await server.run(
    'invoices.create',
    {
      clientName: 'Ceramica del Sur SL',
      clientNif: 'B12345674',
      lines: [{ description: 'Horno', quantity: 1, unitPrice: 5_000, vatRate: 21 }],
    },
    books.test,
  )
  await luis.page.goto(`${url}/invoices/${id}`)
  await luis.page
    .getByRole('button', { name: /^Emitir/ })
    .first()
    .click()
  const issue = luis.page.getByRole('dialog').first()
  await issue.waitFor()
  // A dialog that cannot be undone takes no yes in its first moments.
  await luis.page.waitForTimeout(1_000)
  await luis.page.keyboard.press('Control+Enter')
  await expect
    .poll(async () => (await listRequests(server.ctx(books.test), 50)).waiting.length, {
      timeout: 20_000,
    })
    .toBe(1)
  expect(await server.run('invoices.get', { id }, books.test)).toMatchObject({ state: 'draft' })

  // It appears by itself, with all that would be written.
  await ana.page.goto(`${url}/inbox/mine`)
  const shown = card(ana.page, 'people.steps.operation.invoices_issue')
  await shown.waitFor()
  const text = (await shown.innerText()).replaceAll(/\s+/g, ' ')
  for (const part of [
    'T-F2026-0001',
    'Ceramica del Sur SL',
    'B12345674',
    '6.050,00 €',
    '1.050,00 €',
    LUIS.name,
    'supera 1.000,00 €',
  ])
    expect(text).toContain(part)
  expect(await axeFaults(ana.page)).toEqual([])
  expect(await overflows(ana.page)).toBe(false)

  // Without a proof nothing is done.
  await ana.setVerified(false)
  await shown.getByRole('button', { name: say('forMe.confirm') }).click()
  const proof = ana.page.getByRole('dialog', { name: say('people.verify.title') })
  await proof.getByRole('alert').waitFor()
  await proof.getByRole('button', { name: say('common.cancel') }).click()
  await proof.waitFor({ state: 'detached' })
  expect(await server.run('invoices.get', { id }, books.test)).toMatchObject({ state: 'draft' })
  await ana.setVerified(true)
  await shown.getByRole('button', { name: say('forMe.confirm') }).click()
  await expect
    .poll(async () => (await server.run('invoices.get', { id }, books.test)).state, { timeout: 20_000 })
    .toBe('issued')
  await shown.waitFor({ state: 'detached' })
  const { items } = await server.run('audit.list', { limit: 20 }, books.test)
  const deeds = items.filter(({ action }) => /^second_person\.a|^invoice\.issued/.test(action))
  expect(deeds.map(({ action, actor }) => `${action} ${actor.name}`)).toEqual([
    `second_person.approved ${ANA.name}`,
    `invoice.issued ${ANA.name}`,
    `second_person.asked ${LUIS.name}`,
  ])
  expect([...ana.complaints, ...luis.complaints]).toEqual([])
})

test('a step about an account shows both values; the owner refuses it, and its author withdraws it', async () => {
  const office = await openOfficeWindow()
  const browser = await sharedBrowser()
  const [ana, luis] = [await office.visit(browser), await office.visit(browser)]
  await registerByPasskey(ana.page, await office.invite(ANA.email, ['owner']), ANA)
  await registerByPasskey(luis.page, await office.invite(LUIS.email, ['bookkeeper']), LUIS)
  const { server, books, url } = office
  const account = await server.run('bank.createAccount', { name: 'Corriente', iban: OLD }, books.test)
  await setRules(server.ctx(books.test), { issueAbove: null, closing: true, bankAccounts: true })
  const ask = (operation: string, input: object): Promise<string> =>
    luis.page.evaluate(
      async ([name, body, book]) => {
        const answer = await fetch(`/app/call/${name}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'sello-book': book },
          body,
        })
        return ((await answer.json()) as { error?: { code: string } }).error?.code ?? 'ok'
      },
      [operation, JSON.stringify(input), books.test.publicId] as const,
    )
  expect(await ask('ledger.lock', { until: '2026-06-30' })).toBe('second_person_asked')
  // A bank account needs a proof first, whoever confirms it later.
  expect(await ask('bank.updateAccount', { id: account.id, iban: NEW })).toBe('verification_needed')
  await luis.page.goto(`${url}/bank`)
  const { waiting } = await listRequests(server.ctx(books.test), 50)
  expect(waiting.map(({ operation }) => operation)).toEqual(['ledger.lock'])

  await luis.page.goto(`${url}/inbox/mine`)
  const own = card(luis.page, 'people.steps.operation.ledger_lock')
  expect(await own.innerText()).toContain('30/06/2026')
  await ana.page.goto(`${url}/inbox/mine`)
  const hers = card(ana.page, 'people.steps.operation.ledger_lock')
  await hers.getByRole('button', { name: say('forMe.deny') }).click()
  await hers.getByLabel(say('forMe.denyNote')).fill('Falta junio')
  await hers.getByRole('button', { name: say('forMe.deny') }).click()
  // Refusing is a decision too, and proved like one.
  await hers.waitFor({ state: 'detached' })
  await own.waitFor({ state: 'detached' })
  expect((await listRequests(server.ctx(books.test), 50)).decided).toMatchObject([
    { status: 'denied', note: 'Falta junio', decidedBy: { name: ANA.name } },
  ])
  expect(await ask('ledger.lock', { until: '2026-03-31' })).toBe('second_person_asked')
  await own.getByRole('button', { name: say('people.steps.withdraw') }).click()
  await expect
    .poll(async () => (await listRequests(server.ctx(books.test), 50)).decided[0]?.status, {
      timeout: 20_000,
    })
    .toBe('withdrawn')
  await own.waitFor({ state: 'detached' })
  expect(await server.run('ledger.periods', {}, books.test)).toMatchObject({ lockedUntil: null })
  expect([...ana.complaints, ...luis.complaints]).toEqual([])
})
