/** Everything the window can look like: each page with each kind of books, and the states a page gets into by being used. */
import type { Page } from 'playwright-core'
import type { Say } from '../support/browser/page-messages.ts'
import { salesStates } from './states-sales.ts'
import { approvalStates } from './states-approvals.ts'
import { inboxStates } from './states-inbox.ts'
import { incomingStates } from './states-incoming.ts'
import { assistantStates } from './states-assistants.ts'
import { erpStates } from './states-erp.ts'
import { listStates } from './states-lists.ts'
import { officeStates } from './states-office.ts'
import { peopleStates } from './states-people.ts'
import { webhookStates } from './states-webhooks.ts'
import { assetStates } from './states-assets.ts'
import { exchangeStates } from './exchange/states.ts'
import { portalStates } from './portal/states.ts'
import { timelineStates } from './journey/states.ts'
import { movingStates } from './moving/states.ts'
import { beforeStates } from './history/states.ts'
import { keyStates, setUpStates, territoryStates } from './territories/states.ts'
import { windowStates } from './states-window.ts'
import type { PersonName } from './office/world.ts'
import type { World, WorldName } from './worlds.ts'

export interface Stage {
  page: Page
  world: World
  say: Say
  /** Width of the window in pixels. */
  width: number
}

export interface GalleryState {
  /** Unique; of the picture's file. */
  name: string
  world: WorldName
  /** Who is signed in to an office; nobody when left out. */
  as?: PersonName
  /** In which of the company's books; the test book when left out. */
  book?: 'test' | 'live'
  path: (ids: World['ids']) => string
  /** What is done on the page before the picture is taken. */
  act?: (stage: Stage) => Promise<void>
  /** Widths of window where it can be reached; all when left out. */
  from?: number
  until?: number
  /** What the browser may complain of here, because the state is a failure that was brought about. */
  expected?: RegExp
}

const at = (path: string) => () => path

/** Pages by name; with a colon the thing of that name is put into the address. */
const PAGES: Readonly<Record<string, string>> = {
  home: '/',
  console: '/console',
  inbox: '/inbox',
  'inbox-mine': '/inbox/mine',
  invoices: '/invoices',
  'invoice-new': '/invoices/new',
  invoice: '/invoices/:invoice',
  'invoice-draft': '/invoices/:draft',
  'invoice-edit': '/invoices/:draft/edit',
  'invoice-rectifying': '/invoices/:rectifying',
  quotes: '/quotes',
  'quote-new': '/quotes/new',
  quote: '/quotes/:quote',
  'quote-edit': '/quotes/:quote/edit',
  recurring: '/recurring',
  'recurring-new': '/recurring/new',
  'recurring-one': '/recurring/:recurrence',
  templates: '/templates',
  items: '/items',
  'item-one': '/items/:item',
  contacts: '/contacts',
  contact: '/contacts/:contact',
  statement: '/contacts/:contact/statement',
  mails: '/mails',
  received: '/received',
  'received-new': '/received/new',
  'received-one': '/received/:received',
  payments: '/payments',
  'payments-overdue': '/payments/overdue',
  'payments-aging': '/payments/aging',
  'payments-remittances': '/payments/remittances',
  'payments-mandates': '/payments/mandates',
  bank: '/bank',
  ledger: '/ledger',
  'ledger-trial': '/ledger/trial',
  'ledger-result': '/ledger/result',
  'ledger-sheet': '/ledger/sheet',
  'ledger-chart': '/ledger/chart',
  'ledger-periods': '/ledger/periods',
  assets: '/assets',
  'asset-one': '/assets/:asset',
  taxes: '/taxes',
  'hand-on': '/taxes/hand-on',
  'tax-303': '/taxes/2026-4T/303',
  'tax-130': '/taxes/2026-4T/130',
  import: '/import',
  moving: '/moving',
  registry: '/registry',
  declaration: '/declaration',
  assistants: '/connect/assistants',
  keys: '/connect/keys',
  webhooks: '/connect/webhooks',
  activity: '/connect/activity',
  adviser: '/connect/adviser',
  exchange: '/exchange',
  'exchange-invoices': '/exchange/invoices',
  'exchange-duties': '/exchange/law',
  erp: '/connect/erp',
  'erp-issued': '/connect/erp/issued',
  'erp-received': '/connect/erp/received',
  'erp-contacts': '/connect/erp/contacts',
  'erp-items': '/connect/erp/items',
  'erp-runs': '/connect/erp/runs',
  settings: '/settings',
  'settings-series': '/settings/series',
  'settings-design': '/settings/design',
  'settings-certificate': '/settings/certificate',
  'settings-taxes': '/settings/taxes',
  'settings-mail': '/settings/mail',
  'settings-portal': '/settings/portal',
  'settings-appearance': '/settings/appearance',
  'settings-backups': '/settings/backups',
  'settings-security': '/settings/security',
  'settings-privacy': '/settings/privacy',
  'settings-archive': '/settings/archive',
  'import-contacts': '/import/contacts',
  'privacy-nobody': '/privacy/person',
  help: '/help',
  'help-topic': '/help/vat',
  lost: '/no-such-page',
  incoming: '/received/incoming',
  'incoming-sources': '/received/incoming/sources',
}

const filled =
  (path: string): GalleryState['path'] =>
  (ids) =>
    path.replace(/:(\w+)/g, (_whole, name: string) => {
      const id = ids[name]
      if (!id) throw new Error(`These books have no ${name}.`)
      return id
    })
const needsThing = (path: string): boolean => path.includes(':')

/** Every page in everyday test books. */
export const pageStates: readonly GalleryState[] = Object.entries(PAGES).map(([name, path]) => ({
  name,
  world: 'everyday',
  path: filled(path),
}))

/** Every page of a real book in which nothing has happened yet: what an owner sees on the first day. */
const emptyStates: readonly GalleryState[] = Object.entries(PAGES)
  .filter(([name, path]) => !needsThing(path) && name !== 'lost')
  .map(([name, path]) => ({ name: `empty-${name}`, world: 'empty', book: 'live', path: at(path) }))

const press =
  (...keys: string[]) =>
  async ({ page }: Stage): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key)
  }
const dialog = (page: Page) => page.getByRole('dialog').first().waitFor()
const button = (page: Page, name: string) => page.getByRole('button', { name }).first()
/** A dialog that cannot be undone takes no yes in its first moments. */
const ARMED_MS = 900
const firstRow = (page: Page) => page.locator('[role="row"][aria-rowindex]').nth(1)

/** States reached by using a page. */
const usedStates: readonly GalleryState[] = [
  {
    name: 'welcome',
    world: 'fresh',
    path: at('/welcome'),
  },
  {
    name: 'welcome-faults',
    world: 'fresh',
    path: at('/welcome'),
    act: async ({ page, say }) => {
      await page.locator('#welcome-nif').fill('B1234567')
      await button(page, say('common.continue')).click()
    },
  },
  {
    name: 'welcome-take-in',
    world: 'fresh',
    path: at('/welcome'),
    act: async ({ page, say }) => {
      await button(page, say('leaving.takeIn.link')).click()
      await dialog(page)
      await button(page, say('leaving.takeIn.yes')).click()
    },
  },
  {
    name: 'palette',
    world: 'everyday',
    path: at('/invoices'),
    act: async (stage) => {
      await press('Control+k')(stage)
      await dialog(stage.page)
    },
  },
  {
    name: 'palette-found',
    world: 'everyday',
    path: at('/'),
    act: async (stage) => {
      await press('Control+k')(stage)
      await dialog(stage.page)
      await stage.page.keyboard.type('a', { delay: 20 })
      await stage.page.waitForTimeout(600)
    },
  },
  {
    name: 'shortcuts',
    world: 'everyday',
    path: at('/invoices'),
    act: async (stage) => {
      await press('?')(stage)
      await dialog(stage.page)
    },
  },
  {
    name: 'books-menu',
    world: 'everyday',
    path: at('/'),
    from: 1024,
    act: async ({ page }) => {
      await page.locator('.shell nav button[aria-haspopup="menu"]').first().click()
      await page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'drawer',
    world: 'everyday',
    path: at('/invoices'),
    until: 1023,
    act: async ({ page, say }) => {
      await button(page, say('shell.openMenu')).click()
      await dialog(page)
    },
  },
  {
    name: 'invoices-selected',
    world: 'everyday',
    path: at('/invoices'),
    act: async ({ page }) => {
      await firstRow(page).focus()
      await page.keyboard.press('x')
      await page.keyboard.press('j')
      await page.keyboard.press('x')
    },
  },
  {
    name: 'invoices-filters',
    world: 'everyday',
    path: at('/invoices'),
    act: async ({ page, say }) => {
      await button(page, say('invoiceList.filter.open')).click()
      await dialog(page)
    },
  },
  { name: 'invoices-overdue', world: 'everyday', path: at('/invoices?view=overdue') },
  { name: 'invoices-nothing', world: 'everyday', path: at('/invoices?q=zzzzzz') },
  { name: 'invoices-many', world: 'large', path: at('/invoices') },
  {
    name: 'invoices-many-end',
    world: 'large',
    path: at('/invoices'),
    act: async ({ page }) => {
      await firstRow(page).focus()
      await page.keyboard.press('End')
      await page.waitForTimeout(400)
    },
  },
  { name: 'home-many', world: 'large', path: at('/') },
  {
    name: 'invoices-waiting',
    world: 'everyday',
    path: at('/contacts'),
    act: async ({ page }) => {
      await page.route('**/app/call/invoices.window', () => undefined)
      await page.keyboard.press('g')
      await page.keyboard.press('f')
      await page.waitForTimeout(500)
    },
  },
  {
    name: 'invoices-refused',
    world: 'everyday',
    path: at('/contacts'),
    expected: /status of 500/,
    act: async ({ page }) => {
      await page.route('**/app/call/invoices.window', (route) =>
        route.fulfill({
          status: 500,
          json: {
            ok: false,
            error: { code: 'internal', message: 'Something went wrong.', retry: 'backoff' },
            meta: { requestId: 'req_0000000000000000' },
          },
        }),
      )
      await page.keyboard.press('g')
      await page.keyboard.press('f')
      await page.getByRole('alert').first().waitFor()
    },
  },
  {
    name: 'invoice-issue',
    world: 'everyday',
    path: filled('/invoices/:draft'),
    act: async ({ page }) => {
      await page.keyboard.press('Control+Enter')
      await dialog(page)
      await page.waitForTimeout(ARMED_MS)
    },
  },
  {
    name: 'invoice-send',
    world: 'everyday',
    path: filled('/invoices/:invoice'),
    act: async ({ page }) => {
      await page.keyboard.press('m')
      await dialog(page)
    },
  },
  {
    name: 'invoice-pay',
    world: 'everyday',
    path: filled('/invoices/:overdue'),
    act: async ({ page }) => {
      await page.keyboard.press('c')
      await dialog(page)
    },
  },
  {
    name: 'invoice-rectify',
    world: 'everyday',
    path: filled('/invoices/:invoice'),
    act: async ({ page }) => {
      await page.keyboard.press('r')
      await dialog(page)
    },
  },
  ...(['amend', 'cancel'] as const).map((action): GalleryState => ({
    name: `invoice-${action}`,
    world: 'everyday',
    path: filled('/invoices/:invoice'),
    act: async ({ page, say }) => {
      await button(page, say('common.actions')).click()
      await page
        .getByRole('menuitem', { name: say(`invoice.action.${action}`) })
        .first()
        .click()
      await dialog(page)
      await page.waitForTimeout(ARMED_MS)
    },
  })),
  {
    name: 'invoice-menu',
    world: 'everyday',
    path: filled('/invoices/:invoice'),
    act: async ({ page, say }) => {
      await button(page, say('common.actions')).click()
      await page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'editor-faults',
    world: 'everyday',
    path: at('/invoices/new'),
    act: async ({ page }) => {
      await page
        .locator('.line-row input, [data-cell] input')
        .first()
        .waitFor({ timeout: 2000 })
        .catch(() => undefined)
      await page.keyboard.press('Control+Enter')
      await page.waitForTimeout(400)
    },
  },
  {
    name: 'export',
    world: 'everyday',
    path: at('/invoices'),
    act: async ({ page, say }) => {
      await button(page, say('common.actions')).click()
      await page.getByRole('menuitem').first().click()
      await dialog(page)
    },
  },
  {
    name: 'bank-movement',
    world: 'everyday',
    path: at('/bank'),
    act: async ({ page }) => {
      await firstRow(page).click()
      await page.waitForTimeout(400)
    },
  },
  {
    name: 'bank-import',
    world: 'everyday',
    path: at('/bank'),
    act: async ({ page }) => {
      await page.keyboard.press('i')
      await dialog(page)
    },
  },
  {
    name: 'ledger-entry',
    world: 'everyday',
    path: at('/ledger'),
    act: async ({ page }) => {
      await page.keyboard.press('c')
      await dialog(page)
    },
  },
  {
    name: 'server-gone',
    world: 'everyday',
    path: at('/contacts'),
    expected: /ERR_FAILED|Failed to load/,
    act: async ({ page }) => {
      await page.route('**/app/**', (route) => route.abort())
      await page.keyboard.press('g')
      await page.keyboard.press('f')
      await page.getByRole('alert').first().waitFor()
    },
  },
]

export const allStates: readonly GalleryState[] = [
  ...pageStates,
  ...emptyStates,
  ...usedStates,
  ...salesStates,
  ...windowStates,
  ...assetStates,
  ...movingStates,
  ...beforeStates,
  ...officeStates,
  ...listStates,
  ...approvalStates,
  ...inboxStates,
  ...incomingStates,
  ...erpStates,
  ...exchangeStates,
  ...portalStates,
  ...timelineStates,
  ...webhookStates,
  ...assistantStates,
  ...peopleStates,
  ...territoryStates,
  ...keyStates,
  ...setUpStates,
]
