/** Lists of more than invoices: what the selection can do, what is saved of it, and what can be taken back. */
import type { Page } from 'playwright-core'
import { discPng } from '../support/files/pictures.ts'
import type { GalleryState, Stage } from './states.ts'

const at = (path: string) => () => path
const dialog = (page: Page) => page.getByRole('dialog').first().waitFor()

async function select({ page }: Pick<Stage, 'page'>, rows: number): Promise<void> {
  await page.locator('[role="row"][aria-rowindex]').nth(1).focus()
  for (let row = 0; row < rows; row++) {
    await page.keyboard.press('x')
    if (row < rows - 1) await page.keyboard.press('j')
  }
}
const press = async ({ page, say }: Stage, word: string): Promise<void> =>
  page
    .getByRole('button', { name: say(word) })
    .last()
    .click()

/** An answer held back, so that what runs is still running in the picture. */
const held = ({ page }: Stage, operation: string) =>
  page.route(`**/app/call/${operation}`, () => new Promise<void>(() => undefined))

export const listStates: readonly GalleryState[] = [
  ...(['received', 'contacts', 'items'] as const).map((list): GalleryState => ({
    name: `${list}-selected`,
    world: 'everyday',
    path: at(`/${list}`),
    act: (stage) => select(stage, 2),
  })),
  {
    name: 'received-pay-many',
    world: 'everyday',
    path: at('/received?view=owed'),
    act: async (stage) => {
      await select(stage, 2)
      await stage.page.getByRole('button', { name: /2/ }).first().click()
      await dialog(stage.page)
    },
  },
  {
    name: 'received-void-many',
    world: 'everyday',
    path: at('/received'),
    act: async (stage) => {
      await select(stage, 2)
      await press(stage, 'invoiceList.bulk.more')
      await stage.page.getByRole('menuitem').first().click()
      await dialog(stage.page)
    },
  },
  {
    name: 'received-file-remove',
    world: 'everyday',
    path: (ids) => `/received/${ids.received}`,
    act: async ({ page, say }) => {
      const remove = page.getByRole('button', { name: new RegExp(`^${say('received.detach')} `) }).first()
      if ((await remove.count()) === 0)
        await page
          .locator('input[type="file"]')
          .first()
          .setInputFiles({
            name: 'factura-luz-noviembre.png',
            mimeType: 'image/png',
            buffer: discPng(300, 420),
          })
      await remove.click()
      await dialog(page)
    },
  },
  {
    name: 'contacts-saving',
    world: 'everyday',
    path: at('/contacts'),
    act: async (stage) => {
      await held(stage, 'contacts.export')
      await stage.page.keyboard.press('o')
      await stage.page.getByRole('button', { name: stage.say('common.cancel') }).waitFor()
    },
  },
  {
    name: 'contacts-removed',
    world: 'everyday',
    path: at('/contacts'),
    act: async ({ page, say }) => {
      await page.route('**/app/call/contacts.delete', (route) =>
        route.fulfill({ json: { ok: true, data: { deleted: true } } }),
      )
      await select({ page }, 1)
      await page.getByRole('button', { name: say('selection.remove') }).click()
      await page.getByRole('button', { name: say('common.undo') }).waitFor()
    },
  },
]
