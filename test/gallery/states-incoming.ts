/** Documents to review in every state, and where they come from. */
import type { GalleryState, Stage } from './states.ts'

const state = (name: string, path: GalleryState['path'], act?: GalleryState['act']): GalleryState => ({
  name: `incoming-${name}`,
  world: 'papers',
  path,
  ...(act ? { act } : {}),
})
const shown = (name: string, act?: GalleryState['act']): GalleryState =>
  state(name, (ids) => `/received/incoming/${ids[name]}`, act)
const dialogBy =
  (key: string, before: (stage: Stage) => Promise<unknown> = () => Promise.resolve()) =>
  async (stage: Stage): Promise<void> => {
    await before(stage)
    await stage.page.keyboard.press(key)
    await stage.page.getByRole('dialog').first().waitFor()
  }
const ready = ({ page }: Stage): Promise<unknown> => page.locator('#incoming-title').waitFor()

/** Opens what was spent without a receipt, and the text for the first supplier. */
const missingReceipts: GalleryState = {
  name: 'incoming-missing-receipts',
  world: 'everyday',
  path: () => '/bank',
  act: async ({ page, say }) => {
    await page.getByRole('button', { name: say('bank.more') }).click()
    await page.getByRole('menuitem', { name: say('missingReceipts.open') }).click()
    await page.getByRole('dialog').first().waitFor()
  },
}

export const incomingStates: readonly GalleryState[] = [
  state('list', () => '/received/incoming'),
  shown('ready'),
  shown('doubtful', async ({ page }) => {
    await page.locator('#incoming-title').waitFor()
    await page.keyboard.press('Control+Enter')
  }),
  shown('photo'),
  shown('duplicate'),
  shown('quote'),
  shown('failed'),
  shown('rejected'),
  shown('entered'),
  shown('both', dialogBy('s', ready)),
  state(
    'many',
    () => '/received/incoming',
    async ({ page }) => {
      await page.getByRole('button', { name: /^(?:Anotar los listos|Enter the ready ones)/ }).click()
      await page.getByRole('dialog').first().waitFor()
    },
  ),
  state('sources-set-up', () => '/received/incoming/sources'),
  state('source-folder', () => '/received/incoming/sources', dialogBy('f')),
  state('source-mailbox', () => '/received/incoming/sources', dialogBy('c')),
  missingReceipts,
  state(
    'memory',
    ({ supplier }) => `/contacts/${supplier}`,
    async ({ page, say }) => {
      await page.getByText(say('supplierMemory.title')).first().scrollIntoViewIfNeeded()
    },
  ),
  state('phone', () => '/received/incoming/sources', dialogBy('p')),
]
