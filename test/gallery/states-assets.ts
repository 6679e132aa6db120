/** Fixed assets: the form with its plan, the yearly run, the pro rata, and a disposal. */
import type { Page } from 'playwright-core'
import type { GalleryState } from './states.ts'

const at = (path: string) => () => path
const dialog = (page: Page) => page.getByRole('dialog').first().waitFor()

function opened(name: string, key: string, path: GalleryState['path'] = at('/assets')): GalleryState {
  return {
    name,
    world: 'everyday',
    path,
    act: async ({ page }) => {
      await page.keyboard.press(key)
      await dialog(page)
    },
  }
}

export const assetStates: readonly GalleryState[] = [
  {
    name: 'assets-new',
    world: 'everyday',
    path: at('/assets'),
    act: async ({ page }) => {
      await page.keyboard.press('c')
      await dialog(page)
      await page.locator('#asset-name').fill('Portátil')
      await page.locator('[aria-labelledby="asset-base"]').fill('1200')
      await page.locator('#asset-name').focus()
      await page.getByRole('dialog').locator('table').waitFor()
    },
  },
  opened('assets-run', 'a'),
  opened('assets-vat', 'v'),
  opened('asset-edit', 'e', ({ asset }) => `/assets/${asset}`),
  opened('asset-out', 'd', ({ asset }) => `/assets/${asset}`),
]
