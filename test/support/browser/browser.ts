/** The built app in a real browser: the server in its own process, Chromium in front of it, and all its complaints. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import runtime from '../../../build/runtime.json' with { type: 'json' }
import { SCOPES } from '../../../server/domain/contract/scopes.ts'
import { admissionOf, giveCookie, letIn } from './admission.ts'
import { leavePort, takePort } from './ports.ts'
import { CLI, copyBooks, ROOT } from './prepared-books.ts'
import type { LocalCompany } from './prepared-books.ts'
import { ARRIVALS_FILE } from '../attacker/recorder.ts'
import { tool } from '../tools.ts'

const RECORDER = new URL('../attacker/recorder.ts', import.meta.url).href
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface ServedApp {
  url: string
  pid: number
  uiUrl: string
  folder: string
  /** Ends the server and leaves its folder. */
  end(): Promise<void>
  /** Ends the server and removes its folder. */
  stop(): Promise<void>
}

/**
 * Serves a new folder; with `invoices` it contains a company (`place`: of which territory) and that many invented
 * invoices, optionally as a sandbox; `missing` names a folder that does not exist, for a person; `erpUrl` is the accounting system of a
 * sandbox. `measured`: its memory is measured, so that no test code runs in it. `arrivals` names a file that records
 * every request.
 */
export async function serveApp(
  options: {
    invoices?: number
    place?: LocalCompany
    sandbox?: boolean
    missing?: true
    erpUrl?: string
    measured?: true
    arrivals?: string
  } = {},
): Promise<ServedApp> {
  const folder = mkdtempSync(join(tmpdir(), 'sello-e2e-'))
  if (options.invoices !== undefined) {
    const { invoices, place } = options
    await copyBooks(folder, { invoices, place, sandbox: options.sandbox === true })
  }
  const served = options.missing ? ['--window', '--data', join(folder, 'none')] : ['--data', folder]
  const port = await takePort()
  const child = spawn(process.execPath, [...runtime.nodeFlags, CLI, 'serve', '--port', port, ...served], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...runtime.environment,
      ...process.env,
      ...(options.erpUrl === undefined
        ? {}
        : { SELLO_TEST_ERP_URL: options.erpUrl, SELLO_TEST_ERP_PACE_MS: '0' }),
      ...(options.measured ? { NODE_OPTIONS: '' } : {}),
      ...(options.arrivals === undefined
        ? {}
        : {
            [ARRIVALS_FILE]: options.arrivals,
            NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${RECORDER}`,
          }),
    },
  })
  const address = await firstLine(child)
  const { url, uiUrl } = JSON.parse(address) as { url: string; uiUrl: string }
  const ended = new Promise((done) => child.once('exit', done))
  const end = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
    leavePort(url)
  }
  return {
    url,
    pid: child.pid ?? 0,
    uiUrl,
    folder,
    end,
    async stop() {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    if (!child.stdout) return fail(new Error('The server has no output.'))
    createInterface({ input: child.stdout }).once('line', done)
    child.once('exit', (code) => fail(new Error(`The server ended with ${code} before it answered.`)))
  })
}

/** Launches headless Chromium; `args` are additional arguments. */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const executablePath = tool('chromium')
  if (!executablePath) throw new Error('Chromium is not there: skip the test with needs().')
  return launch(executablePath, args)
}

const launch = (executablePath: string, args: readonly string[]): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...args,
    ],
  })

let shared: Promise<Browser> | undefined

/**
 * Returns the browser of this worker, which all its test files share. It ends with the worker; nobody closes it. Where it is
 * installed, it is Chromium's headless shell: the same engine without the browser's own windows, at half the time. Tests of
 * what those windows decide, such as the attacks of other pages, launch the whole browser.
 */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchShared()
  return shared
}

/** Pages of one site share a process, in which the next page finds the program compiled. Of pages that live for seconds, the optimizing compilers cost more than they gain. */
const SHARED_ARGS = ['--process-per-site', '--js-flags=--no-opt --no-maglev']

function launchShared(): Promise<Browser> {
  // A browser named in the environment wins.
  const shell = process.env.CHROMIUM ? null : tool('chromium-headless-shell')
  return shell ? launch(shell, SHARED_ARGS) : launchBrowser(SHARED_ARGS)
}

export interface Look {
  language?: 'es' | 'en'
  theme?: 'light' | 'dark'
  width?: number
  height?: number
  /** A script that runs in the page before the app. */
  init?: string
  /** A profile that no other test uses: what a test sets in it, such as a clock, cannot be taken back. */
  ownProfile?: true
}

/** A page that records every complaint: console errors and warnings, exceptions, requests to other hosts. */
export interface WatchedPage {
  page: Page
  context: BrowserContext
  complaints: string[]
}

/** Opens the app in a new browser profile, without animations, and records its complaints. */
export async function openPage(browser: Browser, app: ServedApp, look: Look = {}): Promise<WatchedPage> {
  const context = await openProfile(browser, app, look)
  const page = await context.newPage()
  await page.setViewportSize({ width: look.width ?? WIDTH, height: look.height ?? HEIGHT })
  if (look.init) await page.addInitScript(look.init)
  const complaints = watchPage(page, app.url)
  await page.goto(app.url)
  await page.locator('h1').first().waitFor()
  return { page, context, complaints }
}

/** Counts the unanswered requests of a page, and records its complaints; `url` is where its app is. */
export function watchPage(page: Page, url: string): string[] {
  countAnswers(page)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`))
  page.on('request', (request) => {
    const own = request.url().startsWith(url) || /^(data|blob):/.test(request.url())
    if (!own) complaints.push(`request elsewhere: ${request.url()}`)
  })
  return complaints
}

const WIDTH = 1280
const HEIGHT = 800

/** Empty profiles by language and theme. */
const spare = new Map<string, BrowserContext[]>()
/** The app that a profile was let into last. */
const appOf = new WeakMap<BrowserContext, ServedApp>()

/** Lets a page into the app from a profile with nothing else in it: a spare one, where what pages load is cached, or a new one. */
async function openProfile(browser: Browser, app: ServedApp, look: Look): Promise<BrowserContext> {
  const name = `${look.language ?? 'es'}-${look.theme ?? 'light'}`
  const isShared = !look.ownProfile && browser === (await shared)
  const kept = isShared ? spare.get(name)?.pop() : undefined
  if (kept) {
    await (appOf.get(kept) === app ? giveCookie(app, kept) : letIn(app, kept))
    appOf.set(kept, app)
    return kept
  }
  const context = await browser.newContext({
    viewport: { width: WIDTH, height: HEIGHT },
    locale: look.language === 'en' ? 'en-GB' : 'es-ES',
    colorScheme: look.theme ?? 'light',
    reducedMotion: 'reduce',
    acceptDownloads: true,
  })
  await letIn(app, context)
  appOf.set(context, app)
  if (isShared) await keepWhenClosed(context, name)
  return context
}

/** Makes closing a profile empty it and put it among the spare ones. */
async function keepWhenClosed(context: BrowserContext, name: string): Promise<void> {
  // A page of the site that stays open keeps the site's process alive.
  const anchor = await context.newPage()
  await anchor.goto(`${appOf.get(context)?.url}/healthz`)
  const devtools = await context.newCDPSession(anchor)
  context.close = async () => {
    if (spare.get(name)?.includes(context)) return
    const { origin } = new URL(appOf.get(context)?.url ?? '')
    for (const page of context.pages()) if (page !== anchor) await page.close()
    await context.clearCookies()
    await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
    spare.set(name, [...(spare.get(name) ?? []), context])
  }
}

/** Unanswered requests by page. The event stream never ends, so that the network is never idle. */
const unanswered = new WeakMap<Page, Set<Request>>()

function countAnswers(page: Page): void {
  const open = new Set<Request>()
  unanswered.set(page, open)
  page.on('request', (request) => {
    if (new URL(request.url()).pathname !== '/app/events') open.add(request)
  })
  page.on('requestfinished', (request) => void open.delete(request))
  page.on('requestfailed', (request) => void open.delete(request))
}

/** Longer than the debounce of a field or an event. */
const QUIET_MS = 220
const SETTLE_LIMIT_MS = 6_000

/** Waits until the page has its data and has rendered them. Requests that never end are not waited for. */
export async function settled(page: Page): Promise<void> {
  const open = unanswered.get(page)
  const until = Date.now() + SETTLE_LIMIT_MS
  for (let quietSince = Date.now(); Date.now() < until;) {
    await page.waitForTimeout(40)
    if (open && open.size > 0) quietSince = Date.now()
    else if (Date.now() - quietSince >= QUIET_MS) break
  }
  // A document is rendered in a thread after its bytes have arrived.
  await page
    .waitForFunction(() => document.querySelector('[aria-busy="true"]') === null, undefined, {
      timeout: SETTLE_LIMIT_MS,
    })
    .catch(() => undefined)
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
}

const to = (path: string): string => new URL(path, 'http://app').pathname

/** Opens an address inside the app, as a link would. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate((address) => {
    history.pushState({}, '', address)
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  }, path)
  await page.waitForFunction((wanted) => location.pathname.startsWith(wanted), to(path))
  await page.locator('h1').first().waitFor()
  await settled(page)
}

/** Calls an operation of the window's API, with a session like a page's. */
export async function callAsWindow(
  app: ServedApp,
  name: string,
  input: unknown,
  book?: string,
): Promise<unknown> {
  const { headers } = await admissionOf(app)
  const answer = await fetch(`${app.url}/app/call/${name}`, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      ...(book ? { 'sello-book': book } : {}),
    },
    body: JSON.stringify(input),
  })
  const body = (await answer.json()) as { ok: boolean; data: unknown; error: unknown }
  if (!body.ok) throw new Error(JSON.stringify(body.error))
  return body.data
}

/** Creates a key of the test book with every scope, as a person would in the app; returns the key itself. */
export async function testKeyOf(app: ServedApp): Promise<string> {
  const session = (await callAsWindow(app, 'session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  const book = session.companies[0]?.books.find(({ mode }) => mode === 'test')?.id
  const input = { name: 'documentation', scopes: [...SCOPES] }
  return ((await callAsWindow(app, 'keys.createByPerson', input, book)) as { key: string }).key
}

/** Lists violations of WCAG 2.2 A and AA and of best practices, one line each. */
export async function axeFaults(page: Page): Promise<string[]> {
  // Evaluated code is not subject to the page's content security policy. The half megabyte is loaded once per page.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: {
        run(
          options: object,
        ): Promise<{ violations: { id: string; nodes: { target: string[]; failureSummary?: string }[] }[] }>
      }
    }
    const { violations } = await axe.run({
      // Without the details of what passes, which take most of its time.
      resultTypes: ['violations'],
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    })
    return violations.map(
      (one) =>
        `${one.id}: ${one.nodes
          .slice(0, 3)
          .map((node) => `${node.target.join(' ')} (${node.failureSummary?.split('\n')[1]?.trim() ?? ''})`)
          .join('; ')}`,
    )
  })
  return found
}

/** Returns true if the page is wider than its window, or a grid's columns than the grid, where the excess is cut off. */
export function overflows(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    const isWider = (): boolean =>
      [document.documentElement, ...document.querySelectorAll('[role="grid"] [role="row"]')].some(
        // Headings that only screen readers get are a pixel wide.
        (box) => box.scrollWidth > box.clientWidth + 1 && box.closest('.sr-only') === null,
      )
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))
    // After a change of its size a page measures itself, and lays itself out again in the next frames.
    const until = (await frame()) + 1_000
    while ((await frame()) < until && isWider());
    return isWider()
  })
}
