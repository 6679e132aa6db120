/** The built preload runs in a sandbox: one file, no module but electron, and the page gets functions only. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { needs, tool } from '../support/tools.ts'

const bundle = resolve(import.meta.dirname, '../../out/preload/index.cjs')
const test = needs('chromium')
let browser: Browser | undefined
let page: Page

/** What a sandboxed preload finds: `electron` with three names, a `process` with little in it, and nothing else. */
const SANDBOX = `(code) => {
  const seen = { exposed: {}, sent: [], refused: [], heard: new Map() }
  globalThis.seen = seen
  const electron = {
    contextBridge: { exposeInMainWorld: (name, api) => { seen.exposed[name] = api } },
    ipcRenderer: {
      invoke: async (channel, ...args) => { seen.sent.push([channel, ...args]); return true },
      on: (channel, listener) => { seen.heard.set(channel, listener) },
      off: (channel, listener) => { if (seen.heard.get(channel) === listener) seen.heard.delete(channel) },
    },
  }
  const require = (name) => {
    if (name === 'electron') return electron
    seen.refused.push(name)
    throw new Error('module not found: ' + name)
  }
  const module = { exports: {} }
  new Function('require', 'module', 'exports', 'process', code)(require, module, module.exports, { platform: 'linux' })
}`

beforeAll(async () => {
  const executablePath = tool('chromium')
  if (!executablePath) return
  browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-sync',
    ],
  })
  page = await browser.newPage()
  await page.evaluate(`(${SANDBOX})(${JSON.stringify(readFileSync(bundle, 'utf8'))})`)
})
afterAll(() => browser?.close())

describe('the preload', () => {
  test('needs no module but electron', async () => {
    expect(await page.evaluate('seen.refused')).toEqual([])
  })

  test('exposes desktop matters as functions, and nothing that sends at will', async () => {
    expect(await page.evaluate('Object.keys(seen.exposed)')).toEqual(['desktop'])
    const shape =
      'Object.fromEntries(Object.entries(seen.exposed.desktop).map(([name, value]) => [name, typeof value]))'
    expect(await page.evaluate(shape)).toEqual({
      platform: 'string',
      openExternal: 'function',
      setTheme: 'function',
      setLanguage: 'function',
      onMenu: 'function',
      askUpdates: 'function',
      onUpdates: 'function',
    })
  })

  test('sends fixed messages with text in them', async () => {
    await page.evaluate("seen.exposed.desktop.openExternal({ toString: () => 'https://sede.example/' })")
    await page.evaluate("seen.exposed.desktop.setTheme('dark')")
    await page.evaluate("seen.exposed.desktop.setLanguage('en')")
    expect(await page.evaluate('seen.sent')).toEqual([
      ['desktop:open-external', 'https://sede.example/'],
      ['desktop:set-theme', 'dark'],
      ['desktop:set-language', 'en'],
    ])
  })

  test("tells the page the menu's choice without the event, until it stops listening", async () => {
    const heard = await page.evaluate(`(() => {
      const heard = []
      const stop = seen.exposed.desktop.onMenu((...args) => heard.push(args))
      seen.heard.get('desktop:menu')({ sender: 'secret' }, 'settings')
      stop()
      return { heard, left: seen.heard.size }
    })()`)
    expect(heard).toEqual({ heard: [['settings']], left: 0 })
  })
})
