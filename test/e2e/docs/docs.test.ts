/** Documentation in a real browser: search, colours, the narrow screen, and a request tried with a test key. */
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { NAVIGATION } from '../../../build/docs/site.ts'
import { axeFaults, overflows, serveApp, sharedBrowser, testKeyOf } from '../../support/browser/browser.ts'
import type { ServedApp } from '../../support/browser/browser.ts'
import { inLongRun, swept } from '../../support/sweep.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')
const longTest = inLongRun(test)
let app: ServedApp
let browser: Browser
let key: string

beforeAll(async () => {
  if (tool('chromium') === null) return
  app = await serveApp({ invoices: 3 })
  key = await testKeyOf(app)
  browser = await sharedBrowser()
}, 120_000)
afterAll(async () => {
  await app?.stop()
})

interface Look {
  theme?: 'light' | 'dark'
  width?: number
}

/** Opens a page of the documentation, recording everything it complains of. */
async function open(path: string, { theme = 'light', width = 1280 }: Look = {}) {
  const context = await browser.newContext({
    viewport: { width, height: 860 },
    colorScheme: theme,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${app.url}/`) && !/^(?:data|blob):/.test(request.url()))
      complaints.push(`request elsewhere: ${request.url()}`)
  })
  await page.goto(app.url + path)
  return { page, complaints, close: () => context.close() }
}

const paths = NAVIGATION.flatMap(({ pages }) =>
  pages.map(({ path }) => (path === '' ? '/docs' : `/docs/${path}`)),
)
const groundOf = (page: Page): Promise<string> =>
  page.evaluate(() => getComputedStyle(document.body).backgroundColor)

/** The first for every page, the others for pages that together contain every kind of component. */
const LOOKS: readonly Look[] = [{ theme: 'light' }, { theme: 'dark' }, { theme: 'light', width: 390 }]
const EVERY_KIND = ['/docs', '/docs/first-invoice', '/docs/limits', '/docs/webhooks']
const SOME = new Set(swept(EVERY_KIND, (path) => path === '/docs/limits'))

describe('pages', () => {
  const read = swept(
    paths.filter((path) => path !== '/docs/reference'),
    (path) => EVERY_KIND.includes(path),
  )
  test('pages are accessible and complete: names, contrast, width, no complaint', async () => {
    for (const look of LOOKS) {
      const [first = '/docs', ...others] = read.filter((path) => look === LOOKS[0] || SOME.has(path))
      const { page, complaints, close } = await open(first, look)
      for (const path of [first, ...others]) {
        if (path !== first) await page.goto(app.url + path)
        const where = `${path} ${JSON.stringify(look)}`
        expect(await page.locator('h1').count(), where).toBe(1)
        expect(await axeFaults(page), where).toEqual([])
        expect(await overflows(page), where).toBe(false)
        expect(complaints, where).toEqual([])
      }
      await close()
    }
  }, 240_000)

  test('an address without a page answers 404 with a link', async () => {
    const { page, close } = await open('/docs')
    const answer = await page.goto(`${app.url}/docs/no-such-page`)
    expect(answer?.status()).toBe(404)
    await page.getByRole('main').getByRole('link', { name: 'overview' }).click()
    expect(new URL(page.url()).pathname).toBe('/docs')
    await close()
  })

  test('the docs address of an error links to its code', async () => {
    const refused = await fetch(`${app.url}/api/v1/invoices/nothing`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const { error } = (await refused.json()) as { error: { code: string; docs: string } }
    const { page, close } = await open(error.docs)
    expect(await page.locator(':target').textContent()).toContain(error.code)
    expect(await page.locator(':target').isVisible()).toBe(true)
    await close()
  })
})

describe('search and choices', () => {
  test('the key / opens the search, words find a guide, Enter opens it', async () => {
    const { page, complaints, close } = await open('/docs')
    await page.keyboard.press('/')
    await page.keyboard.type('change the secret')
    await page.getByRole('option').first().waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\/webhooks#change-the-secret$/)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('xyzzyqwv')
    await page.getByText('Nothing found').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.locator('dialog[open]').count()).toBe(0)
    expect(complaints).toEqual([])
    await close()
  })

  test('colours follow the system until they are chosen, and the choice is remembered', async () => {
    const { page, close } = await open('/docs', { theme: 'dark' })
    expect(await groundOf(page)).toBe('rgb(20, 20, 19)')
    await page.getByRole('button', { name: 'Colours: Auto' }).click()
    await page.getByRole('button', { name: 'Colours: Light' }).waitFor()
    expect(await groundOf(page)).toBe('rgb(255, 255, 255)')
    await page.goto(`${app.url}/docs/limits`)
    expect(await groundOf(page)).toBe('rgb(255, 255, 255)')
    await close()
  })

  test('a language chosen in one example applies to all, also by keyboard, and is copied in full', async () => {
    const { page, close } = await open('/docs/first-invoice')
    await page.getByRole('tab', { name: 'curl' }).first().focus()
    await page.keyboard.press('ArrowRight')
    const chosen = page.getByRole('tab', { selected: true })
    expect(new Set(await chosen.allTextContents())).toEqual(new Set(['Node']))
    expect(await chosen.count()).toBe(4)
    await page.reload()
    expect(new Set(await chosen.allTextContents())).toEqual(new Set(['Node']))
    await page.locator('.code[data-tab="Node"] .copy').first().click()
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('async function sello(')
    await close()
  })

  test('on a narrow screen the navigation is behind its button', async () => {
    const { page, close } = await open('/docs', { width: 390 })
    const link = page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Limits' })
    expect(await link.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    await link.click()
    await page.waitForURL(/\/docs\/limits$/)
    await close()
  })
})

describe('the interactive reference', () => {
  /** Opens the form of an operation, sends it unchanged, and returns the server's answer. */
  async function tryIt(page: Page, anchor: string, path: string) {
    await page.evaluate((hash) => (location.hash = hash), anchor)
    const section = page.locator(`[id$="${anchor}"]`).first()
    await section.getByRole('button', { name: /Test Request/ }).click()
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === path)
    await page.locator('[data-addressbar-action="send"]').filter({ visible: true }).click()
    const answer = await answered
    // Of the form itself: the page behind it lists statuses too, and a form closed before its answer arrives has
    // cancelled the request.
    await page
      .getByRole('dialog')
      .getByText(new RegExp(`^${answer.status()}\\b`))
      .filter({ visible: true })
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    return answer
  }

  // The page takes seconds to render, and serves every test.
  const ISSUE = 'tag/invoices/POST/api/v1/invoices/{id}/issue'
  let opened: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    if (tool('chromium')) opened = await open(`/docs/reference#${ISSUE}`, { theme: 'dark' })
  }, 90_000)
  afterAll(() => opened?.close())

  longTest(
    'a link to an operation shows it',
    async () => {
      const { page } = opened
      await page.locator(`[id$="${ISSUE}"]`).first().waitFor()
      await page.waitForFunction(() => scrollY > 1000)
    },
    60_000,
  )

  longTest(
    'uses the chosen colours',
    async () => {
      const { page } = opened
      await page.locator('body.dark-mode').waitFor()
      await page.getByRole('button', { name: 'Colours: Auto' }).click()
      await page.locator('body.light-mode').waitFor()
      expect(await groundOf(page)).toBe('rgb(255, 255, 255)')
    },
    60_000,
  )

  test('requests with a test key are answered, reading and writing, and nothing leaves the computer', async () => {
    const { page, complaints } = opened
    await page.getByPlaceholder('Token').first().fill(key)
    const read = await tryIt(page, 'tag/company/GET/api/v1/companies/current', '/api/v1/companies/current')
    expect(read.request().headers().authorization).toBe(`Bearer ${key}`)
    expect(read.status()).toBe(200)
    const made = await tryIt(page, 'tag/invoices/POST/api/v1/invoices', '/api/v1/invoices')
    expect(made.request().method()).toBe('POST')
    expect(made.status()).toBe(201)
    expect(((await made.json()) as { data: { total: number } }).data.total).toBe(24.2)
    expect(complaints).toEqual([])
  }, 90_000)

  test('the key is forgotten with the page', async () => {
    const { page } = opened
    await page.getByPlaceholder('Token').first().fill(key)
    await page.goto(`${app.url}/docs`)
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(
      key,
    )
  }, 60_000)
})
