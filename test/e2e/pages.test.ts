/** Every page, in looks where every two of language, theme and width meet: no accessibility fault, complaint or overflow. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { pageStates } from '../gallery/states.ts'
import { lookName, pairedLooks, takeStates } from '../gallery/take.ts'
import { openWorld } from '../gallery/worlds.ts'
import type { World } from '../gallery/worlds.ts'
import { launchBrowser } from '../support/browser.ts'
import { needs, tool } from '../support/tools.ts'

const test = needs('chromium')

let browser: Browser
let world: World

beforeAll(async () => {
  if (!tool('chromium')) return
  browser = await launchBrowser()
  world = await openWorld('everyday')
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await world?.app.stop()
})

describe('every page is sound', () => {
  for (const look of pairedLooks)
    test(
      lookName(look),
      async () => {
        const taken = await takeStates(browser, world, pageStates, look)
        expect(taken).toHaveLength(pageStates.length)
        expect(taken.filter(({ faults }) => faults.length > 0)).toEqual([])
      },
      300_000,
    )
})
