/** The built preload script runs in a sandbox: one file, no module but electron, and the page gets functions only. */
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

/** The environment of a sandboxed preload: `electron` with three names, a reduced `process`, and nothing else. */
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

  test('exposes desktop functions, and none that sends arbitrary messages', async () => {
    expect(await page.evaluate('Object.keys(seen.exposed)')).toEqual(['desktop'])
    const shape =
      'Object.fromEntries(Object.entries(seen.exposed.desktop).map(([name, value]) => [name, typeof value]))'
    expect(await page.evaluate(shape)).toEqual({
      platform: 'string',
      openExternal: 'function',
      chooseFolder: 'function',
      setTheme: 'function',
      setLanguage: 'function',
      setMenu: 'function',
      onMenu: 'function',
      notify: 'function',
      setBadge: 'function',
      onVisit: 'function',
      onFile: 'function',
      onSystemLock: 'function',
      stay: 'function',
      ready: 'function',
      askUpdates: 'function',
      onUpdates: 'function',
    })
  })

  test('sends fixed messages with text in them', async () => {
    await page.evaluate("seen.exposed.desktop.openExternal({ toString: () => 'https://sede.example/' })")
    await page.evaluate('seen.exposed.desktop.chooseFolder()')
    await page.evaluate("seen.exposed.desktop.setTheme('dark')")
    await page.evaluate("seen.exposed.desktop.setLanguage('en')")
    await page.evaluate("seen.exposed.desktop.setMenu({ commands: ['print'] })")
    await page.evaluate("seen.exposed.desktop.notify({ kind: 'mail', onclick: () => 1 })")
    await page.evaluate('seen.exposed.desktop.setBadge(3)')
    await page.evaluate('seen.exposed.desktop.stay()')
    await page.evaluate('seen.exposed.desktop.ready()')
    expect(await page.evaluate('seen.sent')).toEqual([
      ['desktop:open-external', 'https://sede.example/'],
      ['desktop:choose-folder', ''],
      ['desktop:set-theme', 'dark'],
      ['desktop:set-language', 'en'],
      ['desktop:set-menu', '{"commands":["print"]}'],
      ['desktop:notify', '{"kind":"mail"}'],
      ['desktop:set-badge', '3'],
      ['desktop:stay', ''],
      ['desktop:ready', ''],
    ])
  })

  test.each([
    ['onMenu', 'desktop:menu', { kind: 'command', id: 'settings' }],
    ['onVisit', 'desktop:visit', '/invoices/inv_1'],
    ['onFile', 'desktop:file', { name: 'a.pdf', bytes: [1] }],
  ])(
    '%s passes the message to the page without the event, until it is removed',
    async (name, channel, news) => {
      const heard = await page.evaluate(
        `(() => {
        const heard = []
        const stop = seen.exposed.desktop.${name}((...args) => heard.push(args))
        seen.heard.get('${channel}')({ sender: 'secret' }, ${JSON.stringify(news)})
        stop()
        return { heard, left: seen.heard.size }
      })()`,
      )
      expect(heard).toEqual({ heard: [[news]], left: 0 })
    },
  )

  test('reports that the computer was locked, and nothing more', async () => {
    const heard = await page.evaluate(`(() => {
      const heard = []
      const stop = seen.exposed.desktop.onSystemLock((...args) => heard.push(args))
      seen.heard.get('desktop:system-lock')({ sender: 'secret' }, 'x')
      stop()
      return { heard, left: seen.heard.size }
    })()`)
    expect(heard).toEqual({ heard: [[]], left: 0 })
  })
})
