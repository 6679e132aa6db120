/** The electronic invoice between businesses: what is due, the dialogs, the list, one invoice, and what the law asks. */
import { statesOf } from '../answering.ts'
import type { GalleryState, Stage } from '../states.ts'
import { DETAIL, DUE, IMPORTED, NOTHING_DUE, OPEN, preview, SETTINGS, TODAY, windowFrom } from './answers.ts'

const state = statesOf('exchange', '/connect/keys')
const dialog = ({ page }: Stage) => page.getByRole('dialog').first().waitFor()
const panel = ({ page, say }: Stage) =>
  page.getByRole('complementary', { name: say('exchange.panel.label') }).waitFor()

const BUSY = { 'exchange.due': DUE, 'exchange.settings': SETTINGS }
const LIST = {
  'exchange.window': windowFrom,
  'exchange.get': (input: Record<string, unknown>) => (input.id === OPEN.id ? OPEN : DETAIL),
}
const first = ({ page, say }: Stage, key: 'exchange.due.pay' | 'exchange.due.reject') =>
  page.locator('[data-row]').getByText(say(key), { exact: true }).first().click()

/** Scrolls the page to something, because the picture shows the window. */
const to =
  (selector: string) =>
  ({ page }: Stage): Promise<void> =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => element.scrollIntoView({ block: 'start' }))

export const exchangeStates: readonly GalleryState[] = [
  state('due', BUSY, '/exchange'),
  state('due-open', BUSY, '/exchange', to('[aria-labelledby="due-open"]')),
  state(
    'due-more',
    { ...BUSY, 'exchange.due': { ...DUE, counts: { reports: 3, open: 1_912, troubles: 2 } } },
    '/exchange',
    to('[aria-labelledby="due-open"]'),
  ),
  state('due-none', { ...BUSY, 'exchange.due': NOTHING_DUE }, '/exchange'),
  state(
    'due-fault',
    {
      ...BUSY,
      'exchange.due': {
        ...DUE,
        fault: { code: 'down', detail: 'HTTP 503' },
        nextSendAt: `${TODAY}T12:10:00.000Z`,
      },
    },
    '/exchange',
  ),
  state('due-marked', BUSY, '/exchange', async ({ page, say }) => {
    await page.getByLabel(say('exchange.due.markAll')).check()
  }),
  state('due-many', BUSY, '/exchange', async (stage) => {
    await stage.page.getByLabel(stage.say('exchange.due.markAll')).check()
    await stage.page.getByRole('button', { name: stage.say('exchange.due.paidMany'), exact: true }).click()
    await dialog(stage)
  }),
  state('reject', BUSY, '/exchange', async (stage) => {
    await first(stage, 'exchange.due.reject')
    await dialog(stage)
    await stage.page.keyboard.press('Control+Enter')
  }),
  state('pay', { ...BUSY, 'exchange.prepare': preview() }, '/exchange', async (stage) => {
    await first(stage, 'exchange.due.pay')
    await dialog(stage)
  }),
  state('pay-sure', { ...BUSY, 'exchange.prepare': preview() }, '/exchange', async (stage) => {
    await first(stage, 'exchange.due.pay')
    await dialog(stage)
    await stage.page.keyboard.press('Control+Enter')
    await stage.page.getByText(stage.say('exchange.say.sure')).waitFor()
  }),
  state('import', { ...BUSY, 'exchange.importFile': IMPORTED }, '/exchange', async (stage) => {
    await stage.page.keyboard.press('i')
    await dialog(stage)
  }),
  state('import-done', { ...BUSY, 'exchange.importFile': IMPORTED }, '/exchange', async (stage) => {
    await stage.page.keyboard.press('i')
    await dialog(stage)
    await stage.page
      .locator('input[type="file"]')
      .last()
      .setInputFiles({
        name: 'estados.xml',
        mimeType: 'application/xml',
        buffer: Buffer.from('<a/>'),
      })
    await stage.page.getByText(stage.say('exchange.files.kind.statuses')).waitFor()
  }),
  state('list', LIST, '/exchange/invoices'),
  state(
    'list-none',
    { 'exchange.window': { items: [], offset: 0, count: 0, counts: {} } },
    '/exchange/invoices',
  ),
  state('one-issued', LIST, '/exchange/invoices?id=exd_9', panel),
  state('one-received', LIST, '/exchange/invoices?id=exd_1', panel),
  state(
    'withdraw',
    {
      ...LIST,
      'exchange.prepare': preview({
        document: DETAIL,
        kind: 'withdrawn',
        dueDate: null,
        lastDay: null,
        warnings: ['only_if_never_existed'],
      }),
    },
    '/exchange/invoices?id=exd_9',
    async (stage) => {
      await panel(stage)
      await stage.page.getByRole('button', { name: stage.say('exchange.panel.more') }).click()
      await stage.page.getByRole('menuitem', { name: stage.say('exchange.panel.withdraw') }).click()
      await stage.page.getByText(stage.say('exchange.say.sure')).waitFor()
    },
  ),
  state('law', {}, '/exchange/law'),
  state('law-duties', {}, '/exchange/law', to('[aria-labelledby="exchange-duties"]')),
  state(
    'law-settings',
    {
      'exchange.settings': {
        ...SETTINGS,
        sending: false,
        sendingSince: null,
        sendingBy: null,
        turnoverOfBooks: null,
        certificateHolder: { nif: 'B58818501', name: 'Gestoría del Ebro, S.L.' },
      },
    },
    '/exchange/law',
    to('#settings'),
  ),
  state('law-assumptions', {}, '/exchange/law', to('#assumptions')),
  { name: 'exchange-law-live', world: 'everyday', book: 'live', path: () => '/exchange/law' },
  {
    name: 'exchange-contact',
    world: 'everyday',
    path: ({ contact }) => `/contacts/${contact}`,
    act: async ({ page, say }) => {
      await page
        .locator('section')
        .filter({ hasText: say('exchange.contact.title') })
        .last()
        .getByRole('button', { name: say('exchange.contact.change') })
        .click()
      await page.locator('form input[value="copy"]').check()
      await page.locator('form input[value="copy"]').scrollIntoViewIfNeeded()
    },
  },
  state('home', { 'exchange.due': DUE }, '/', async ({ page, say }) => {
    await page.getByRole('heading', { name: say('exchange.home.title') }).scrollIntoViewIfNeeded()
  }),
]
