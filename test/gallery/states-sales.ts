/** States of the front page, selling, and the window's own parts: what their pages get into by being used. */
import type { Page } from 'playwright-core'
import { settled, visit } from '../support/browser/browser.ts'
import type { GalleryState, Stage } from './states.ts'

const idPath =
  (before: string, name: string, after = ''): GalleryState['path'] =>
  (ids) =>
    `${before}${ids[name] ?? ''}${after}`
const at = (path: string) => () => path
const dialog = (page: Page) => page.getByRole('dialog').first().waitFor()
const button = (page: Page, name: string) => page.getByRole('button', { name }).first()
const row = (page: Page, index: number) => page.locator('[role="row"][aria-rowindex]').nth(index)
const item = (page: Page, name: string) => page.getByRole('menuitem', { name }).first()

/** As somebody sees it who has put the first steps and the tour away. */
async function settledIn(stage: Stage): Promise<void> {
  const { page } = stage
  await page.route('**/app/call/session.get', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: { preferences: object } }
    Object.assign(body.data.preferences, { checklistDismissed: true, tour: 'off' })
    await route.fulfill({ response, json: body })
  })
  await page.reload()
  await page.locator('h1').first().waitFor()
  await settled(page)
}

const scrolledTo =
  (share: number) =>
  async (stage: Stage): Promise<void> => {
    await settledIn(stage)
    await stage.page
      .locator('main [role="region"]')
      .first()
      .evaluate((region, part) => {
        region.scrollTop = (region.scrollHeight - region.clientHeight) * part
      }, share)
  }

const menuOf = (name: string, path: GalleryState['path'], label = 'common.actions'): GalleryState => ({
  name,
  world: 'everyday',
  path,
  act: async ({ page, say }) => {
    await button(page, say(label)).click()
    await page.getByRole('menu').waitFor()
  },
})

/** Something refuses what is asked of it, in the catalogue's own words. */
const refuse = (page: Page, operation: string, code: string, status: number) =>
  page.route(`**/app/call/${operation}`, (route) =>
    route.fulfill({
      status,
      json: {
        ok: false,
        error: { code, message: 'Refused.', retry: 'never', details: {} },
        meta: { requestId: 'req_0000000000000000' },
      },
    }),
  )

async function typeLine(page: Page): Promise<void> {
  await page.locator('.line-text').first().fill('Reparación')
}

const home: readonly GalleryState[] = [
  { name: 'home-bars', world: 'everyday', path: at('/'), act: settledIn },
  { name: 'home-middle', world: 'everyday', path: at('/'), act: scrolledTo(0.5) },
  { name: 'home-foot', world: 'everyday', path: at('/'), act: scrolledTo(1) },
  { name: 'home-many-bars', world: 'large', path: at('/'), act: settledIn },
  { name: 'home-many-foot', world: 'large', path: at('/'), act: scrolledTo(1) },
  {
    name: 'home-help',
    world: 'everyday',
    path: at('/'),
    act: async ({ page }) => {
      await page.keyboard.press('F1')
      await page.locator('aside, [role="dialog"]').first().waitFor()
    },
  },
]

const lists: readonly GalleryState[] = [
  menuOf('invoices-menu', at('/invoices')),
  {
    name: 'invoices-keep-view',
    world: 'everyday',
    path: at('/invoices?q=hotel&from=2026-01-01'),
    act: async ({ page, say }) => {
      await button(page, say('views.keep')).click()
      await page.locator('form input[maxlength="40"]').waitFor()
    },
  },
  {
    name: 'invoices-chips',
    world: 'everyday',
    path: at('/invoices?state=issued&payment=paid&from=2026-01-01&to=2026-12-31'),
  },
  {
    name: 'invoices-issue-many',
    world: 'everyday',
    path: at('/invoices?view=drafts'),
    act: async ({ page, say }) => {
      await row(page, 1).focus()
      for (const key of ['x', 'j', 'x', 'j', 'x']) await page.keyboard.press(key)
      await page
        .locator('footer')
        .getByRole('button', { name: say('issueMany.action') })
        .first()
        .click()
      await dialog(page)
      await page.waitForTimeout(900)
    },
  },
  {
    name: 'invoices-bulk-menu',
    world: 'everyday',
    path: at('/invoices'),
    act: async ({ page, say }) => {
      await row(page, 1).focus()
      for (const key of ['x', 'j', 'x']) await page.keyboard.press(key)
      await button(page, say('invoiceList.bulk.more')).click()
      await page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'invoices-bulk-running',
    world: 'everyday',
    path: at('/invoices'),
    act: async ({ page, say }) => {
      await page.route('**/app/call/invoices.pdf', () => undefined)
      await row(page, 7).focus()
      for (const key of ['x', 'j', 'x', 'j', 'x']) await page.keyboard.press(key)
      await page
        .locator('footer')
        .getByRole('button', { name: say('invoiceList.bulk.pdf') })
        .first()
        .click()
      await page.waitForTimeout(500)
    },
  },
  {
    name: 'invoices-bulk-failed',
    world: 'everyday',
    path: at('/invoices'),
    expected: /status of 409/,
    act: async ({ page, say }) => {
      await refuse(page, 'invoices.pdf', 'invoice_not_draft', 409)
      await row(page, 7).focus()
      for (const key of ['x', 'j', 'x', 'j', 'x']) await page.keyboard.press(key)
      await page
        .locator('footer')
        .getByRole('button', { name: say('invoiceList.bulk.pdf') })
        .first()
        .click()
      await page.waitForTimeout(800)
    },
  },
]

const invoices: readonly GalleryState[] = [
  { name: 'invoice-hostile', world: 'everyday', path: idPath('/invoices/', 'hostile') },
  {
    name: 'invoice-end',
    world: 'everyday',
    path: idPath('/invoices/', 'invoice'),
    act: async ({ page }) => {
      await page.locator('main aside > :last-child').first().scrollIntoViewIfNeeded()
    },
  },
  menuOf('invoice-languages', idPath('/invoices/', 'invoice'), 'invoice.documents.otherLanguage'),
  menuOf('invoice-draft-menu', idPath('/invoices/', 'draft')),
  {
    name: 'invoice-missing',
    world: 'everyday',
    path: at('/invoices/inv_0000000000000000'),
    expected: /status of 404/,
  },
  {
    name: 'invoice-issue-faults',
    world: 'everyday',
    path: idPath('/invoices/', 'faulty'),
    act: async ({ page }) => {
      await page.keyboard.press('Control+Enter')
      await page.waitForTimeout(900)
    },
  },
  {
    name: 'invoice-issue-hostile',
    world: 'everyday',
    path: idPath('/invoices/', 'hostile'),
    act: async ({ page }) => {
      await page.keyboard.press('Control+Enter')
      await page.waitForTimeout(900)
    },
  },
  {
    name: 'invoice-rectify-lines',
    world: 'everyday',
    path: idPath('/invoices/', 'overdue'),
    act: async ({ page, say }) => {
      await page.keyboard.press('r')
      await dialog(page)
      await page.getByText(say('rectify.cause.returned_goods.title')).first().click()
      await page.waitForTimeout(600)
    },
  },
]

const editor: readonly GalleryState[] = [
  { name: 'editor-hostile', world: 'everyday', path: idPath('/invoices/', 'hostile', '/edit') },
  { name: 'editor-hundred', world: 'everyday', path: idPath('/invoices/', 'hundred', '/edit') },
  {
    name: 'editor-instalments',
    world: 'everyday',
    path: idPath('/invoices/', 'draft', '/edit'),
    expected: /ERR_FAILED|Failed to load/,
    act: async ({ page, say }) => {
      // The next look finds the draft as it was.
      await page.route('**/app/call/invoices.update', (route) => route.abort())
      await page.getByRole('button', { name: say('invoice.instalments.split'), exact: true }).click()
      const add = page.getByRole('button', { name: say('invoice.instalments.add'), exact: true })
      await add.click()
      await add.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    },
  },
  {
    name: 'editor-more',
    world: 'everyday',
    path: idPath('/invoices/', 'draft', '/edit'),
    act: async ({ page, say }) => {
      const more = page.getByRole('button', { name: say('invoice.more'), exact: true }).first()
      await more.click()
      await more.scrollIntoViewIfNeeded()
      await more.evaluate((element) => element.scrollIntoView({ block: 'start' }))
    },
  },
  {
    name: 'editor-clients',
    world: 'everyday',
    path: at('/invoices/new'),
    act: async ({ page }) => {
      await page.getByRole('combobox').first().fill('a')
      await page.getByRole('listbox').first().waitFor()
      await page.waitForTimeout(400)
    },
  },
  {
    name: 'editor-conflict',
    world: 'everyday',
    path: idPath('/invoices/', 'draft', '/edit'),
    expected: /status of 409/,
    act: async ({ page }) => {
      await refuse(page, 'invoices.update', 'version_conflict', 409)
      await typeLine(page)
      await page.waitForTimeout(1600)
    },
  },
  {
    name: 'editor-unsaved',
    world: 'everyday',
    path: idPath('/invoices/', 'draft', '/edit'),
    expected: /ERR_FAILED|Failed to load/,
    act: async ({ page }) => {
      await page.route('**/app/call/invoices.update', (route) => route.abort())
      await typeLine(page)
      await page.waitForTimeout(1600)
    },
  },
  {
    name: 'editor-help',
    world: 'everyday',
    path: idPath('/invoices/', 'draft', '/edit'),
    act: async ({ page }) => {
      await page.keyboard.press('F1')
      await page.waitForTimeout(500)
    },
  },
  {
    name: 'editor-paper',
    world: 'everyday',
    path: idPath('/invoices/', 'draft', '/edit'),
    until: 1023,
    act: async ({ page, say }) => {
      await button(page, say('invoice.tab.paper')).click()
      await page.waitForTimeout(400)
    },
  },
]

const others: readonly GalleryState[] = [
  menuOf('quotes-menu', at('/quotes'), 'quotes.otherKinds'),
  menuOf('quote-menu', idPath('/quotes/', 'quote')),
  {
    name: 'quote-convert',
    world: 'everyday',
    path: idPath('/quotes/', 'quote'),
    act: async ({ page, say }) => {
      await button(page, say('common.actions')).click()
      await item(page, say('quotes.action.convert')).click()
      await dialog(page)
    },
  },
  {
    name: 'quote-faults',
    world: 'everyday',
    path: at('/quotes/new'),
    act: async ({ page }) => {
      await page.keyboard.press('Control+s')
      await page.waitForTimeout(400)
    },
  },
  {
    name: 'recurring-faults',
    world: 'everyday',
    path: at('/recurring/new'),
    act: async ({ page }) => {
      await page.keyboard.press('Control+s')
      await page.waitForTimeout(400)
    },
  },
  {
    name: 'recurring-menu',
    world: 'everyday',
    path: idPath('/recurring/', 'recurrence'),
    act: async ({ page, say }) => {
      await button(page, say('common.actions')).click()
      await page.getByRole('menu').waitFor()
    },
  },
  ...(['contacts', 'items'] as const).map((list): GalleryState => ({
    name: `${list}-new-faults`,
    world: 'everyday',
    path: at(`/${list}`),
    act: async ({ page }) => {
      await page.keyboard.press('c')
      await page.waitForTimeout(300)
      await page.keyboard.press('Control+s')
      await page.waitForTimeout(400)
    },
  })),
  {
    name: 'contact-end',
    world: 'everyday',
    path: idPath('/contacts/', 'contact'),
    act: async ({ page }) => {
      await page.locator('#contact-invoices').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'contacts-duplicates',
    world: 'everyday',
    path: at('/contacts'),
    act: async ({ page, say }) => {
      await button(page, say('contacts.duplicates.title')).click()
      await dialog(page)
    },
  },
  {
    name: 'inbox-refused',
    world: 'everyday',
    path: at('/inbox'),
    from: 1024,
    expected: /status of 409/,
    act: async ({ page }) => {
      await refuse(page, 'inbox.decide', 'version_conflict', 409)
      await page.keyboard.press('Control+Enter')
      await page.waitForTimeout(600)
    },
  },
]

const frame: readonly GalleryState[] = [
  {
    name: 'palette-nothing',
    world: 'everyday',
    path: at('/'),
    act: async ({ page }) => {
      await page.keyboard.press('Control+k')
      await dialog(page)
      await page.keyboard.type('zzqx', { delay: 20 })
      await page.waitForTimeout(700)
    },
  },
  {
    name: 'palette-recent',
    world: 'everyday',
    path: idPath('/invoices/', 'draft'),
    act: async ({ page, world }) => {
      for (const name of ['draft', 'hostile', 'invoice']) await visit(page, `/invoices/${world.ids[name]}`)
      await visit(page, `/invoices/${world.ids.draft}/edit`)
      await visit(page, '/')
      await page.keyboard.press('Control+k')
      await dialog(page)
    },
  },
  {
    name: 'drawer-books',
    world: 'everyday',
    path: at('/invoices'),
    until: 1023,
    act: async ({ page, say }) => {
      await button(page, say('shell.openMenu')).click()
      await dialog(page)
      await page.getByRole('dialog').locator('button[aria-haspopup="menu"]').first().click()
      await page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'toast',
    world: 'everyday',
    path: idPath('/invoices/', 'draft'),
    expected: /status of 500/,
    act: async ({ page }) => {
      await refuse(page, 'invoices.create', 'internal', 500)
      await page.keyboard.press('d')
      await page.waitForTimeout(600)
    },
  },
]

export const salesStates: readonly GalleryState[] = [
  ...home,
  ...lists,
  ...invoices,
  ...editor,
  ...others,
  ...frame,
]
