/** Webhooks: none yet, being made, refused, failing, switched off, and what was sent looked into; and the limits of keys. */
import { refused, statesOf } from './answering.ts'
import type { Answers } from './answering.ts'
import type { GalleryState, Stage } from './states.ts'

const AT = '2026-11-20T09:14:05.000Z'
const ID = 'whk_6tqy0v5cbn2k8w4e'
const ONE = {
  id: ID,
  url: 'https://tienda.obradordelebro.example/avisos/sello',
  events: ['invoice.*', 'registry.accepted', 'registry.rejected'],
  description: 'Tienda en línea',
  state: 'active',
  disabledReason: null,
  allowLocal: false,
  failingSince: null as string | null,
  lastSuccessAt: AT as string | null,
  holdUntil: null as string | null,
  previousSecretUntil: null as string | null,
  deliveries: { due: 0, dead: 0 },
  version: 1,
  createdAt: '2026-09-01T08:00:00.000Z',
  updatedAt: AT,
}
const FAILING = {
  ...ONE,
  id: 'whk_failing',
  url: 'https://almacen.example:8443/hooks/facturas-de-venta/entrada?cliente=obrador-del-ebro',
  events: ['*'],
  description: null,
  failingSince: '2026-11-19T22:10:00.000Z',
  deliveries: { due: 1234, dead: 3 },
}
const OFF = {
  ...ONE,
  id: 'whk_off',
  url: 'http://127.0.0.1:3000/hooks/sello',
  events: ['payment.changed'],
  description: 'Avisos al programa de la caja registradora del local de la calle Mayor',
  allowLocal: true,
  state: 'disabled',
  disabledReason: 'failing',
  failingSince: '2026-11-14T22:10:00.000Z',
  lastSuccessAt: null,
  deliveries: { due: 12, dead: 40 },
}

const delivery = (at: number, changes: object) => ({
  id: `msg_${String(at).padStart(12, '0')}`,
  webhookId: ID,
  eventId: `evt_book_${at}`,
  type: ['invoice.issued', 'registry.accepted', 'invoice.drafted', 'registry.accepted_with_errors'][at % 4],
  state: 'done',
  reason: null,
  attempts: 1,
  nextAttemptAt: null,
  createdAt: new Date(Date.parse(AT) - at * 3_600_000).toISOString(),
  settledAt: AT,
  ...changes,
})
const DELIVERIES = [
  delivery(0, { state: 'due', attempts: 0, nextAttemptAt: AT, settledAt: null }),
  delivery(1, {
    state: 'due',
    reason: 'status_503',
    attempts: 3,
    nextAttemptAt: '2026-11-20T11:00:00.000Z',
    settledAt: null,
  }),
  delivery(2, { state: 'dead', reason: 'timeout', attempts: 10 }),
  delivery(3, { state: 'dead', reason: 'address_private_address', attempts: 10 }),
  ...Array.from({ length: 46 }, (_, index) => delivery(index + 4, {})),
]
const DETAIL = {
  ...DELIVERIES[1],
  body: JSON.stringify({
    id: 'evt_book_1',
    type: 'registry.accepted',
    createdAt: AT,
    mode: 'test',
    data: {
      invoiceId: 'inv_6tqy0v5cbn2k8w4e',
      number: 'F2026-0001',
      recordId: 'rec_12',
      record: 'registration',
    },
  }),
  history: [
    { number: 3, at: AT, ms: 15_002, status: null, fault: 'timeout', answer: null },
    {
      number: 2,
      at: AT,
      ms: 41,
      status: 503,
      fault: 'status_503',
      answer: '<html><body>Service Unavailable</body></html>',
    },
    { number: 1, at: AT, ms: 9, status: null, fault: 'CERT_HAS_EXPIRED', answer: null },
  ],
}
const answersFor = (webhook: object, items: readonly object[] = DELIVERIES): Answers => ({
  'webhooks.get': webhook,
  'webhooks.deliveries': { items, nextCursor: items.length === 50 ? 'more' : null },
  'webhooks.delivery': DETAIL,
})
const LIMITS = {
  plan: 'standard',
  overrides: { issue: 30 },
  plans: [
    {
      name: 'beta',
      refuses: false,
      perMinute: { read: 1e6, write: 1e6, issue: 1e6, documents: 1e6, outward: 1e6 },
    },
    {
      name: 'standard',
      refuses: true,
      perMinute: { read: 120, write: 120, issue: 10, documents: 60, outward: 20 },
    },
  ],
}

const state = statesOf('webhooks', '/connect/activity')
const PATH = `/connect/webhooks/${ID}`
const dialog = ({ page }: Stage) => page.getByRole('dialog').first().waitFor()
const making = async (stage: Stage): Promise<void> => {
  await stage.page
    .getByRole('button', { name: stage.say('webhooks.new') })
    .first()
    .waitFor()
  await stage.page.keyboard.press('c')
  await dialog(stage)
}
const fromMenu =
  (key: string) =>
  async (stage: Stage): Promise<void> => {
    await stage.page.getByRole('button', { name: stage.say('webhooks.test.do') }).waitFor()
    await stage.page.keyboard.press('.')
    await stage.page.getByRole('menuitem', { name: stage.say(key) }).click()
    await dialog(stage)
  }

export const webhookStates: readonly GalleryState[] = [
  state('many', { 'webhooks.list': { items: [ONE, FAILING, OFF] } }, '/connect/webhooks'),
  state('new', {}, '/connect/webhooks', async (stage) => {
    await making(stage)
    await stage.page.getByText(stage.say('webhooks.some')).click()
    await stage.page.getByRole('button', { name: stage.say('webhooks.family.registry') }).click()
  }),
  state(
    'refused',
    { 'webhooks.createByPerson': refused(422, 'webhook_address_refused', { reason: 'private_address' }) },
    '/connect/webhooks',
    async (stage) => {
      await making(stage)
      await stage.page.locator('#webhook-url').fill('https://192.168.1.20/avisos')
      await stage.page.keyboard.press('Control+Enter')
      await stage.page.getByText(stage.say('webhooks.allowLocal')).waitFor()
    },
    { expected: /422/ },
  ),
  state(
    'secret',
    { 'webhooks.createByPerson': { ...ONE, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' } },
    '/connect/webhooks',
    async (stage) => {
      await making(stage)
      await stage.page.locator('#webhook-url').fill(ONE.url)
      await stage.page.keyboard.press('Control+Enter')
      await stage.page.getByText(stage.say('webhooks.madeTitle')).waitFor()
    },
  ),
  state('one', answersFor({ ...ONE, deliveries: { due: 2, dead: 2 } }), PATH),
  state('one-new', answersFor({ ...ONE, lastSuccessAt: null }, []), PATH),
  state('one-failing', answersFor(FAILING), PATH),
  state('one-off', answersFor(OFF), PATH),
  state(
    'message',
    answersFor({ ...ONE, deliveries: { due: 2, dead: 2 } }),
    `${PATH}?message=msg_000000000001`,
  ),
  state('replay', answersFor(ONE), PATH, fromMenu('webhooks.replay.open')),
  state('rotate', answersFor(ONE), PATH, fromMenu('webhooks.rotate.open')),
  state('delete', answersFor(FAILING), PATH, fromMenu('webhooks.remove.open')),
  state('limits', { 'limits.get': LIMITS }, '/connect/keys', async (stage) => {
    await stage.page.locator('#limit-outward').scrollIntoViewIfNeeded()
  }),
]
