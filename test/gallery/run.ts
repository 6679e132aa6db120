/**
 * Pictures of every page and state: `npm run gallery -- [--only a,b] [--looks es-light-1280,…|all] [--out FOLDER]`.
 * Writes an index to look through them. Ends with 1 when a state has a fault.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { launchBrowser } from '../support/browser/browser.ts'
import { tool } from '../support/tools.ts'
import { indexPage } from './index-page.ts'
import type { Picture } from './index-page.ts'
import { allStates } from './states.ts'
import { allLooks, lookName, takeStates } from './take.ts'
import { openWorld, WORLDS } from './worlds.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    looks: { type: 'string', default: 'es-light-1280,en-dark-1280,es-light-420' },
    out: { type: 'string', default: resolve(import.meta.dirname, '..', '..', 'out', 'gallery') },
  },
})

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

if (!tool('chromium')) fail('The gallery needs Chromium: install it, or name its program in CHROMIUM.')
const words = values.only?.split(',').filter(Boolean)
const states = allStates.filter(({ name }) => !words || words.some((word) => name.includes(word)))
if (states.length === 0) fail(`No state is called ${values.only}.`)
const looks =
  values.looks === 'all'
    ? allLooks
    : values.looks
        .split(',')
        .map(
          (name) =>
            allLooks.find((look) => lookName(look) === name) ??
            fail(`No look is called ${name}. There are: ${allLooks.map(lookName).join(', ')}.`),
        )

const pictures: Picture[] = []
const browser = await launchBrowser()
try {
  for (const name of WORLDS) {
    const shown = states.filter(({ world }) => world === name)
    if (shown.length === 0) continue
    const world = await openWorld(name)
    try {
      for (const look of looks) {
        const folder = join(values.out, lookName(look))
        mkdirSync(folder, { recursive: true })
        const taken = await takeStates(browser, world, shown, look, {
          picture: async (state, page) =>
            void (await page.screenshot({ path: join(folder, `${state.name}.png`) })),
        })
        for (const { name: state, faults } of taken) {
          pictures.push({ state, look: lookName(look), faults })
          process.stdout.write(`${faults.length === 0 ? 'ok   ' : 'FAULT'} ${lookName(look)} ${state}\n`)
          for (const fault of faults) process.stdout.write(`        ${fault}\n`)
        }
      }
    } finally {
      await world.app.stop()
    }
  }
} finally {
  await browser.close()
}
const index = join(values.out, 'index.html')
writeFileSync(index, indexPage(pictures))
const faulty = pictures.filter(({ faults }) => faults.length > 0).length
process.stdout.write(`${pictures.length} pictures, ${faulty} with faults: ${pathToFileURL(index).href}\n`)
process.exitCode = faulty > 0 ? 1 : 0
