/**
 * Every page in every appearance, the states of pages, and pages of books without any data: too many for every run.
 * The gallery shows all appearances.
 */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { allStates, pageStates } from '../../gallery/states.ts'
import { fits, lookName, pairedLooks, takeStates } from '../../gallery/take.ts'
import type { GalleryLook } from '../../gallery/take.ts'
import { openWorld, WORLDS } from '../../gallery/worlds.ts'
import type { World } from '../../gallery/worlds.ts'
import { sharedBrowser } from '../../support/browser/browser.ts'
import { shortcutFaults } from '../../support/browser/shortcuts.ts'
import { titleFaults } from '../../support/browser/titles.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')

const looks: readonly GalleryLook[] = [
  { language: 'es', theme: 'dark', width: 1280 },
  { language: 'en', theme: 'light', width: 420 },
]

let browser: Browser

beforeAll(async () => {
  if (tool('chromium')) browser = await sharedBrowser()
}, 60_000)

const states = allStates.filter((state) => !pageStates.includes(state))
// The long list is only for the gallery: it takes longer to create than to view.
for (const name of WORLDS.filter((world) => world !== 'large')) {
  const shown = states.filter(({ world }) => world === name)
  describe(`books: ${name}`, () => {
    let world: World
    beforeAll(async () => {
      if (tool('chromium')) world = await openWorld(name)
    }, 120_000)
    afterAll(async () => {
      await world?.app.stop()
    })
    for (const look of looks)
      test(`every state has no faults: ${lookName(look)}`, async () => {
        const taken = await takeStates(browser, world, shown, look)
        expect(taken).toHaveLength(shown.filter((state) => fits(state, look.width)).length)
        expect(taken.filter(({ faults }) => faults.length > 0)).toEqual([])
      }, 600_000)
  })
}

describe('every page in every appearance', () => {
  let world: World
  beforeAll(async () => {
    if (tool('chromium')) world = await openWorld('everyday')
  }, 120_000)
  afterAll(async () => {
    await world?.app.stop()
  })
  for (const look of pairedLooks)
    test(
      lookName(look),
      async () => {
        const taken = await takeStates(browser, world, pageStates, look, {
          inspect: async (page) => [...(await titleFaults(page)), ...(await shortcutFaults(page))],
        })
        expect(taken).toHaveLength(pageStates.length)
        expect(taken.filter(({ faults }) => faults.length > 0)).toEqual([])
      },
      600_000,
    )
})
