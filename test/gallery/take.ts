/** Brings the window into a state, looks for faults in it, and takes its picture. */
import type { Browser } from 'playwright-core'
import { axeFaults, callAsWindow, openPage, overflows, settled, visit } from '../support/browser/browser.ts'
import type { WatchedPage } from '../support/browser/browser.ts'
import { isBareKey, wordsIn } from '../support/browser/page-messages.ts'
import type { GalleryState } from './states.ts'
import type { World } from './worlds.ts'

export interface GalleryLook {
  language: 'es' | 'en'
  theme: 'light' | 'dark'
  /** Of the window, in pixels. */
  width: number
}

const WIDTHS = [1280, 768, 420] as const

/** Two languages, two themes, three widths. */
export const allLooks: readonly GalleryLook[] = WIDTHS.flatMap((width) =>
  (['es', 'en'] as const).flatMap((language) =>
    (['light', 'dark'] as const).map((theme) => ({ language, theme, width })),
  ),
)

/** Half of them, in which every two properties still meet. */
export const pairedLooks: readonly GalleryLook[] = [
  { language: 'es', theme: 'light', width: 1280 },
  { language: 'en', theme: 'dark', width: 1280 },
  { language: 'es', theme: 'dark', width: 768 },
  { language: 'en', theme: 'light', width: 768 },
  { language: 'es', theme: 'dark', width: 420 },
  { language: 'en', theme: 'light', width: 420 },
]

export const lookName = ({ language, theme, width }: GalleryLook): string => `${language}-${theme}-${width}`

export const fits = ({ from = 0, until = Number.POSITIVE_INFINITY }: GalleryState, width: number): boolean =>
  width >= from && width <= until

interface Taken {
  name: string
  faults: readonly string[]
}

interface TakeOptions {
  /** Lists further faults of a state, after all others were looked for. */
  inspect?: (page: WatchedPage['page']) => Promise<string[]>
  /** Called when the state is reached. */
  picture?: (state: GalleryState, page: WatchedPage['page']) => Promise<void>
}

/** What stands on the page, piece by piece; the names of its controls, too. */
function shownTexts(page: WatchedPage['page']): Promise<string[]> {
  return page.evaluate(() => {
    const texts = new Set<string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode
      // Names of the interface look like keys, and are marked as code.
      if (!parentElement?.closest('code, pre')) texts.add(textContent?.trim() ?? '')
    }
    for (const named of document.querySelectorAll('[aria-label]'))
      texts.add(named.getAttribute('aria-label') ?? '')
    return [...texts]
  })
}

/** One world's states in one look, in one window; a state that left something open gets a new one after it. */
export async function takeStates(
  browser: Browser,
  world: World,
  states: readonly GalleryState[],
  look: GalleryLook,
  options: TakeOptions = {},
): Promise<Taken[]> {
  const taken: Taken[] = []
  let window: WatchedPage | null = null
  let book = ''
  for (const state of states.filter((each) => fits(each, look.width))) {
    const wanted = world.office ? (state.as ?? '') : (world.books?.[state.book ?? 'test'] ?? '')
    if (!window || wanted !== book) {
      await window?.context.close()
      await world.prepare?.()
      if (!world.shut && !world.office)
        await callAsWindow(world.app, 'session.savePreferences', {
          language: look.language,
          theme: look.theme,
          ...(wanted ? { activeBook: wanted } : {}),
        })
      book = wanted
      window = await (world.office?.open(browser, look, state.as ?? null) ??
        openPage(browser, world.app, look))
    }
    const { page, context, complaints } = window
    const faults: string[] = []
    try {
      await visit(page, state.path(world.ids))
      if (state.act) {
        await state.act({ page, world, say: wordsIn(look.language), width: look.width })
        await settled(page)
      }
      for (const fault of await axeFaults(page)) faults.push(fault)
      if (await overflows(page)) faults.push('wider than its window')
      for (const text of await shownTexts(page))
        if (isBareKey(text)) faults.push(`shows the key ${text} in place of words`)
      await options.picture?.(state, page)
      faults.push(...((await options.inspect?.(page)) ?? []))
    } catch (error) {
      faults.push(`not reached: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`)
      await options.picture?.(state, page).catch(() => undefined)
    }
    faults.push(...complaints.splice(0).filter((text) => !state.expected?.test(text)))
    taken.push({ name: state.name, faults })
    if (state.act) {
      await context.close()
      window = null
    }
  }
  await window?.context.close()
  return taken
}
