/**
 * Every page in one appearance, and all of them together in appearances that cover every pair of language, theme and
 * width: no accessibility fault, complaint or overflow, a title that can be read also where a header has the least room, and
 * a unique, listed shortcut for each action of its header and each main one. The long run takes each page in all of them
 * (test/long/books/states.test.ts).
 */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { pageStates } from '../../gallery/states.ts'
import { lookName, pairedLooks, takeStates } from '../../gallery/take.ts'
import { openWorld } from '../../gallery/worlds.ts'
import type { World } from '../../gallery/worlds.ts'
import { sharedBrowser } from '../../support/browser/browser.ts'
import { shortcutFaults } from '../../support/browser/shortcuts.ts'
import { titleFaults } from '../../support/browser/titles.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')

let browser: Browser
let world: World

beforeAll(async () => {
  if (!tool('chromium')) return
  browser = await sharedBrowser()
  world = await openWorld('everyday')
}, 120_000)

afterAll(async () => {
  await world?.app.stop()
})

describe('every page has no faults', () => {
  for (const [number, look] of pairedLooks.entries())
    test(
      lookName(look),
      async () => {
        const states = pageStates.filter((_, index) => index % pairedLooks.length === number)
        expect(states.length).toBeGreaterThan(pageStates.length / (2 * pairedLooks.length))
        const taken = await takeStates(browser, world, states, look, {
          inspect: async (page) => [...(await titleFaults(page)), ...(await shortcutFaults(page))],
        })
        expect(taken).toHaveLength(states.length)
        expect(taken.filter(({ faults }) => faults.length > 0)).toEqual([])
      },
      300_000,
    )
})
