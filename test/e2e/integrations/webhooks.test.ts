/**
 * Webhooks in the page, with a real receiver: created, tested, failing, fixed, renewed and deleted; and the limits of
 * keys.
 */
import { afterAll, beforeAll, expect } from 'vitest'
import type { Browser } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { openPage, serveApp, sharedBrowser, testKeyOf, visit } from '../../support/browser/browser.ts'
import type { ServedApp } from '../../support/browser/browser.ts'
import { answers, startReceiver, takes } from '../../support/receiver.ts'
import type { Message } from '../../support/receiver.ts'
import { needs } from '../../support/tools.ts'
import { wordsIn } from '../../support/browser/page-messages.ts'

const test = needs('chromium')
const say = wordsIn('es')
let app: ServedApp
let browser: Browser
let key: string

beforeAll(async () => {
  app = await serveApp({ invoices: 0 })
  browser = await sharedBrowser()
  key = await testKeyOf(app)
}, 60_000)
afterAll(async () => {
  await app?.stop()
})

const api = (path: string, body?: object) =>
  fetch(`${new URL(app.url).origin}/api/v1${path}`, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  })
const verified = (secret: string, message: Message | undefined): unknown =>
  message &&
  new Webhook(secret).verify(message.body, {
    'webhook-id': String(message.headers['webhook-id']),
    'webhook-timestamp': String(message.headers['webhook-timestamp']),
    'webhook-signature': String(message.headers['webhook-signature']),
  })

test('a webhook is created, tested, fixed, renewed and deleted', async () => {
  const receiver = await startReceiver()
  // The refused address is answered 422, which the browser reports.
  const { page, context, complaints } = await openPage(browser, app)
  const button = (key: string) => page.getByRole('button', { name: say(key) })
  await visit(page, '/connect/webhooks')
  await button('webhooks.new').first().waitFor()
  await page.keyboard.press('c')
  await page.locator('#webhook-url').fill('hooks.example')
  await page.keyboard.press('Control+Enter')
  await page.getByText(say('webhooks.address.not_an_address')).waitFor()
  expect(await page.getByText(say('webhooks.allowLocal')).count()).toBe(0)

  await page.locator('#webhook-url').fill(receiver.url)
  await page.keyboard.press('Control+Enter')
  await page.getByText(say('webhooks.address.plain_http')).waitFor()
  await page.getByText(say('webhooks.allowLocal')).click()
  await page.getByText(say('webhooks.some')).click()
  await page.keyboard.press('Control+Enter')
  await page.getByText(say('webhooks.eventsMissing')).waitFor()
  await page.locator('#webhook').getByText(say('webhooks.family.contact')).click()
  await page.keyboard.press('Control+Enter')
  const secret = await page.getByLabel(say('webhooks.secret'), { exact: true }).inputValue()
  expect(secret).toMatch(/^whsec_/)
  await page.getByText(say('secret.kept')).click()
  await page.getByRole('button', { name: say('common.done') }).click()
  await page.waitForURL('**/connect/webhooks/whk_*')
  expect(await page.getByText(secret).count()).toBe(0)

  await button('webhooks.test.do').waitFor()
  await page.keyboard.press('p')
  await page.getByText('Recibido: respondió 204').first().waitFor()
  expect(verified(secret, receiver.messages[0])).toMatchObject({ type: 'webhook.test', mode: 'test' })

  // An event of the books arrives by itself, and is listed without a click.
  expect((await api('/contacts', { name: 'Ana Beltrán' })).status).toBe(201)
  await page.getByRole('button', { name: 'contact.changed' }).first().waitFor()
  expect(verified(secret, receiver.messages[1])).toMatchObject({ type: 'contact.changed' })

  receiver.behave(answers(503, {}, 'closed for lunch'))
  await page.keyboard.press('p')
  await page.getByText('No llegó. El receptor respondió 503.').first().waitFor()
  await page.getByText('closed for lunch').waitFor()
  receiver.behave(takes)
  await page.keyboard.press('r')
  await expect.poll(() => receiver.messages.length).toBe(4)
  expect(receiver.messages[3]?.id).toBe(receiver.messages[2]?.id)
  await page.getByText('Respondió 204').first().waitFor()
  await page.keyboard.press('Escape')

  await button('common.actions').click()
  await page.getByRole('menuitem', { name: say('webhooks.rotate.open') }).click()
  await button('webhooks.rotate.yes').last().click()
  const renewed = await page.getByLabel(say('webhooks.secret'), { exact: true }).inputValue()
  expect(renewed).not.toBe(secret)
  await page.getByText(say('secret.kept')).click()
  await page.getByRole('button', { name: say('common.done') }).click()
  await page.keyboard.press('p')
  await expect.poll(() => receiver.messages.length).toBe(5)
  for (const each of [secret, renewed]) expect(verified(each, receiver.messages[4])).toBeTruthy()

  await button('common.actions').click()
  await page.getByRole('menuitem', { name: say('webhooks.replay.open') }).click()
  await page.getByText(say('webhooks.replay.both')).click()
  await page.keyboard.press('Control+Enter')
  await page
    .getByText(/mensajes salen otra vez/)
    .first()
    .waitFor()
  await expect.poll(() => receiver.messages.length).toBeGreaterThan(7)

  await button('common.actions').click()
  await page.getByRole('menuitem', { name: say('webhooks.turnOff') }).click()
  await page.getByText('Apagado', { exact: true }).first().waitFor()
  const before = receiver.messages.length
  expect((await api('/contacts', { name: 'Bea Cano' })).status).toBe(201)
  await page.locator('tbody').getByText(say('webhooks.delivery.due')).first().waitFor()
  expect(receiver.messages).toHaveLength(before)
  await page.keyboard.press('a')
  await expect.poll(() => receiver.messages.length).toBe(before + 1)
  // The number of waiting messages is updated without a click.
  await page.getByText(/^En espera\s*0$/).waitFor()

  await button('common.actions').click()
  await page.getByRole('menuitem', { name: say('webhooks.remove.open') }).click()
  await button('webhooks.remove.yes').click()
  await page.waitForURL('**/connect/webhooks')
  await page.getByText(say('webhooks.empty')).waitFor()
  expect(complaints.filter((text) => !text.includes('422'))).toEqual([])
  await context.close()
}, 120_000)

test('limits are chosen, apply at once, and can be undone', async () => {
  const { page, context, complaints } = await openPage(browser, app)
  await visit(page, '/connect/keys')
  await page.getByText(say('limits.plans.standard'), { exact: true }).click()
  await page.locator('#limit-read').fill('2x')
  await page.getByText(say('limits.fault')).waitFor()
  await page.locator('#limit-read').fill('2')
  await page.getByRole('button', { name: say('limits.save') }).click()
  await page.getByText(say('limits.saved')).first().waitFor()
  const statuses = [
    (await api('/limits')).status,
    (await api('/limits')).status,
    (await api('/limits')).status,
  ]
  expect(statuses).toEqual([200, 200, 429])
  await page
    .getByRole('button', { name: say('common.undo') })
    .first()
    .click()
  await expect.poll(async () => (await api('/limits')).status).toBe(200)
  await expect.poll(() => page.locator('#limit-read').count()).toBe(0)
  expect(complaints).toEqual([])
  await context.close()
}, 60_000)
