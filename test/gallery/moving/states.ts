/** The wizard of moving in, at each of its steps, in the live book. */
import type { GalleryState, Stage } from '../states.ts'

const state = (name: string, path: GalleryState['path'], act?: GalleryState['act']): GalleryState => ({
  name,
  world: 'moving',
  book: 'live',
  path,
  ...(act ? { act } : {}),
})

const press =
  (words: Parameters<Stage['say']>[0]) =>
  async ({ page, say }: Stage): Promise<void> => {
    await page
      .getByRole('button', { name: say(words) })
      .first()
      .click()
  }

/** Scrolls the page to something, because the picture shows the window. */
const to =
  (selector: string) =>
  async ({ page }: Stage): Promise<void> => {
    await page.locator(selector).first().scrollIntoViewIfNeeded()
    await page
      .locator(selector)
      .first()
      .evaluate((element) => element.scrollIntoView({ block: 'start' }))
  }

export const movingStates: readonly GalleryState[] = [
  state('moving-list', () => '/moving?new'),
  state('moving-files', ({ files }) => `/moving/${files}`),
  state('moving-questions', ({ files }) => `/moving/${files}`, to('#moving-questions')),
  state('moving-file', ({ files }) => `/moving/${files}`, to('section[aria-label="ventas.csv"]')),
  state(
    'moving-columns',
    ({ files }) => `/moving/${files}`,
    async (stage) => {
      const { page, say } = stage
      await page
        .locator('section[aria-label="ventas.csv"]')
        .getByRole('button', { name: say('moving.file.change') })
        .click()
      await to('section[aria-label="ventas.csv"]')(stage)
    },
  ),
  state('moving-unknown', ({ files }) => `/moving/${files}`, to('section[aria-label="raro.csv"]')),
  state(
    'moving-without',
    ({ files }) => `/moving/${files}`,
    async ({ page, say }) => {
      await page
        .getByRole('button', { name: say('moving.next') })
        .first()
        .click()
      await page.getByRole('alert').first().waitFor()
    },
  ),
  state('moving-take', ({ files }) => `/moving/${files}?step=take`),
  state('moving-half', ({ half }) => `/moving/${half}`),
  state('moving-proof', ({ proof }) => `/moving/${proof}`),
  state('moving-proof-pdf', ({ proof }) => `/moving/${proof}`, to('[data-return$="3T"]')),
  state('moving-proof-unsaid', ({ proof }) => `/moving/${proof}`, press('moving.proof.finish')),
  state('moving-documents', ({ proof }) => `/moving/${proof}?step=documents`),
  state('moving-done', ({ done }) => `/moving/${done}`),
  state(
    'moving-undo',
    ({ done }) => `/moving/${done}`,
    async (stage) => {
      await press('moving.undo.open')(stage)
      await stage.page.getByRole('dialog').first().waitFor()
    },
  ),
]
