/**
 * Waiting times of a person in the window, in a real Chromium: first paint, page change, typing, scrolling; and
 * bundle size.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { admissionOf, letIn } from '../../test/support/browser/admission.ts'
import { launchBrowser } from '../../test/support/browser/browser.ts'
import { tool } from '../../test/support/tools.ts'
import runtime from '../../build/runtime.json' with { type: 'json' }
import type { Bench, Group } from '../bench.ts'
import { sizeName } from '../bench.ts'
import { serveLimitPages } from '../limits/ui.ts'
import type { LimitPages } from '../limits/ui.ts'
import { judge, percentile, race } from '../method.ts'
import type { Bar, Side, Turn } from '../method.ts'

/** The cost beyond the bare page: a framework, a shell with its menu, texts, styles and a chart. */
const PAINT: Bar = { better: 'less', floor: 8, goal: 5 }
const ROUTE: Bar = { better: 'less', floor: 6, goal: 4 }
const TYPING: Bar = { better: 'less', floor: 2, goal: 1.5 }
const SCROLL: Bar = { better: 'less', floor: 1.5, goal: 1.2 }
/** Compressed bytes of the entry and everything it needs before it can run. */
const ENTRY_BUDGET = 250_000

const ROUTES = [
  '/invoices',
  '/contacts',
  '/items',
  '/received',
  '/bank',
  '/quotes',
  '/payments',
  '/taxes',
  '/registry',
  '/settings',
  '/',
]
const TYPED = 'Revisión anual de la instalación y cambio de filtros, dos horas'
const KEY_EVERY_MS = 60
const WHEELS = 80
const LOOKED_MS = 5_000
const LONG_TASK_MS = 50

interface Product {
  url: string
  uiUrl: string
  call(name: string, input: unknown): Promise<unknown>
  stop(): Promise<void>
}

async function serveProduct(bench: Bench): Promise<Product> {
  const place = bench.workplace.copy(await bench.workplace.master(bench.size, 'sent'))
  const child = spawn(
    process.execPath,
    [
      ...runtime.nodeFlags,
      bench.bundle,
      'serve',
      '--data',
      place.folder,
      '--key-file',
      place.keyFile,
      '--port',
      '0',
    ],
    { env: { ...runtime.environment, ...process.env }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const line = await new Promise<string>((done, failed) => {
    createInterface({ input: child.stdout }).once('line', done)
    child.once('exit', (code) => failed(new Error(`The server ended with ${code}.`)))
  })
  const { url, uiUrl } = JSON.parse(line) as { url: string; uiUrl: string }
  const { headers } = await admissionOf({ url, uiUrl })
  let book = ''
  const call = async (name: string, input: unknown): Promise<unknown> => {
    const answer = await fetch(`${url}/app/call/${name}`, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        ...(book ? { 'sello-book': book } : {}),
      },
      body: JSON.stringify(input),
    })
    const body = (await answer.json()) as { ok: boolean; data: unknown; error: unknown }
    if (!body.ok) throw new Error(`${name}: ${JSON.stringify(body.error)}`)
    return body.data
  }
  const session = (await call('session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  book = session.companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
  await call('session.savePreferences', { activeBook: book, language: 'es', theme: 'light' })
  return {
    url,
    uiUrl,
    call,
    async stop() {
      const ended = new Promise((done) => child.once('exit', done))
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Opens a window with an empty cache, and measures the time of its main thread. */
async function openWindow(
  browser: Browser,
  url: string,
  product?: Product,
): Promise<{ page: Page; cdp: CDPSession }> {
  const window = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'es-ES' })
  if (product) await letIn(product, window)
  const page = await window.newPage()
  const cdp = await window.newCDPSession(page)
  await cdp.send('Performance.enable')
  await page.goto(url)
  // The product's page is ready when it has a heading; the bare pages when they are loaded.
  if (product) await page.locator('h1').first().waitFor()
  return { page, cdp }
}

/** Returns the microseconds of the page's main thread since its start. */
async function busyUs(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000_000
}

interface Paint {
  firstMs: number
  largestMs: number
  shift: number
  blockedMs: number
}

/** Returns the times from the server's first byte to the first and the largest contentful paint, as in Lighthouse. */
async function paintOf(
  browser: Browser,
  url: string,
  product?: Product,
): Promise<{ paint: Paint; cpuUs: number }> {
  const window = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'es-ES' })
  if (product) await letIn(product, window)
  const page = await window.newPage()
  const cdp = await window.newCDPSession(page)
  await cdp.send('Performance.enable')
  await page.addInitScript(() => {
    const seen = { largest: 0, shift: 0, blocked: 0 }
    Object.assign(globalThis, { seen })
    const watch = (type: string, note: (entry: PerformanceEntry) => void): void =>
      new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
    watch('largest-contentful-paint', (entry) => (seen.largest = entry.startTime))
    watch('layout-shift', (entry) => (seen.shift += (entry as PerformanceEntry & { value: number }).value))
    watch('longtask', (entry) => (seen.blocked += Math.max(0, entry.duration - 50)))
  })
  await page.goto(url)
  await page.waitForFunction(() => (document.querySelector('main, #page')?.textContent ?? '').length > 100)
  await page.waitForTimeout(600)
  const paint = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const first = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0
    const { seen } = globalThis as unknown as { seen: { largest: number; shift: number; blocked: number } }
    const answered = navigation?.responseStart ?? 0
    return {
      firstMs: first - answered,
      largestMs: seen.largest - answered,
      shift: seen.shift,
      blockedMs: seen.blocked,
    }
  })
  const cpuUs = await busyUs(cdp)
  await window.close()
  return { paint, cpuUs }
}

async function measurePaint(
  bench: Bench,
  browser: Browser,
  product: Product,
  pages: LimitPages,
): Promise<void> {
  const paints: Paint[] = []
  const side = (url: string, keep?: Paint[]): Side => ({
    async run(round) {
      const { paint, cpuUs } = await paintOf(browser, url, url === product.url ? product : undefined)
      if (round > 0) keep?.push(paint)
      return { operations: 1, elapsedMs: paint.largestMs, cpuUs }
    },
  })
  const result = await race(side(product.url, paints), side(`${pages.url}/`), bench.rounds)
  const worst = (pick: (paint: Paint) => number): number => Math.max(...paints.map(pick))
  bench.report(
    judge(result, {
      target: '',
      name: 'ui.paint',
      size: sizeName(bench.size),
      unit: 'ms',
      bar: PAINT,
      note: `largest paint after the server's first byte; first paint ${Math.round(
        percentile(
          paints.map(({ firstMs }) => firstMs),
          50,
        ),
      )} ms, worst largest ${Math.round(worst(({ largestMs }) => largestMs))} ms, shift ${worst(({ shift }) => shift).toFixed(3)}, blocked ${Math.round(worst(({ blockedMs }) => blockedMs))} ms`,
    }),
  )
}

/** Returns the time from requesting a page to the frame after its heading is shown. */
const showPage = (page: Page, path: string): Promise<number> =>
  page.evaluate(async (wanted) => {
    const before = document.querySelector('h1')?.textContent
    const start = performance.now()
    history.pushState({}, '', wanted)
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
    const frame = (): Promise<number> => new Promise((done) => requestAnimationFrame(done))
    while (document.querySelector('h1')?.textContent === before) {
      if (performance.now() - start > 5000) throw new Error(`${wanted} did not appear.`)
      await frame()
    }
    await frame()
    return performance.now() - start
  }, path)

async function measureRoutes(
  bench: Bench,
  browser: Browser,
  product: Product,
  pages: LimitPages,
): Promise<void> {
  const { page, cdp } = await openWindow(browser, product.url, product)
  // Pause of a person who looks at the first page.
  await page.waitForTimeout(LOOKED_MS)
  const firstVisits: number[] = []
  const texts = new Map<string, string>()
  for (const path of ROUTES) {
    firstVisits.push(await showPage(page, path))
    await page.waitForTimeout(500)
    texts.set(path, await page.evaluate(() => document.querySelector('#app')?.innerHTML ?? ''))
  }
  const plain = await openWindow(browser, `${pages.url}/routes`)
  const subject: Side = {
    async run() {
      const latenciesMs: number[] = []
      const cpu = await busyUs(cdp)
      for (const path of ROUTES) {
        latenciesMs.push(await showPage(page, path))
        await page.waitForTimeout(120)
      }
      return turnOf(latenciesMs, (await busyUs(cdp)) - cpu)
    },
  }
  const limit: Side = {
    async run() {
      const latenciesMs: number[] = []
      const cpu = await busyUs(plain.cdp)
      for (const path of ROUTES)
        latenciesMs.push(
          await plain.page.evaluate(
            async (html) => {
              const start = performance.now()
              ;(globalThis as unknown as { show: (text: string) => void }).show(html)
              for (let frames = 0; frames < 2; frames += 1)
                await new Promise((done) => requestAnimationFrame(done))
              return performance.now() - start
            },
            texts.get(path) ?? '',
          ),
        )
      return turnOf(latenciesMs, (await busyUs(plain.cdp)) - cpu)
    },
  }
  const result = await race(subject, limit, bench.rounds)
  const all = result.subject.flatMap(({ latenciesMs }) => latenciesMs ?? [])
  bench.report(
    judge(result, {
      target: '',
      name: 'ui.route',
      size: sizeName(bench.size),
      unit: 'ms',
      bar: ROUTE,
      note: `to the frame after the new heading; p99 ${Math.round(percentile(all, 99))} ms; first visits, after five seconds on the first page, p50 ${Math.round(percentile(firstVisits, 50))} ms, worst ${Math.round(Math.max(...firstVisits))} ms`,
    }),
  )
  await page.context().close()
  await plain.page.context().close()
}

const turnOf = (latenciesMs: readonly number[], cpuUs: number | null): Turn => ({
  operations: latenciesMs.length,
  elapsedMs: latenciesMs.reduce((sum, each) => sum + each, 0),
  cpuUs,
  latenciesMs,
})

/** Records for every key the time to the next frame, and every long task. */
const watchKeys = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const keys: number[] = []
    const tasks: number[] = []
    Object.assign(globalThis, { keys, tasks })
    addEventListener(
      'keydown',
      (event) =>
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => keys.push(performance.now() - event.timeStamp)
          port2.postMessage(null)
        }),
      { capture: true },
    )
    new PerformanceObserver((list) =>
      list.getEntries().forEach((entry) => tasks.push(entry.duration)),
    ).observe({ type: 'longtask' })
  })
const takeKeys = (page: Page): Promise<{ keys: number[]; tasks: number[] }> =>
  page.evaluate(() => {
    const { keys, tasks } = globalThis as unknown as { keys: number[]; tasks: number[] }
    return { keys: keys.splice(0), tasks: tasks.splice(0) }
  })

async function measureTyping(
  bench: Bench,
  browser: Browser,
  product: Product,
  pages: LimitPages,
): Promise<void> {
  const draft = (await product.call('invoices.create', {
    clientName: 'Cliente de cien líneas',
    lines: Array.from({ length: 100 }, (_, index) => ({
      description: `Línea ${index + 1}`,
      quantity: 2,
      unitPrice: 10.5,
    })),
  })) as { id: string }
  const { page, cdp } = await openWindow(browser, product.url, product)
  await showPage(page, `/invoices/${draft.id}/edit`)
  const field = page.getByLabel('Línea 50, Concepto')
  await field.waitFor()
  await page.waitForTimeout(1500)
  const plain = await openWindow(browser, `${pages.url}/lines`)
  await watchKeys(page)
  await watchKeys(plain.page)
  const longTasks: number[] = []
  const side = (
    typed: { page: Page; cdp: CDPSession },
    focus: () => Promise<void>,
    keep?: number[],
  ): Side => ({
    async run(round) {
      await focus()
      await takeKeys(typed.page)
      const cpu = await busyUs(typed.cdp)
      await typed.page.keyboard.type(TYPED, { delay: KEY_EVERY_MS })
      const cpuUs = (await busyUs(typed.cdp)) - cpu
      const { keys, tasks } = await takeKeys(typed.page)
      if (round > 0) keep?.push(...tasks)
      return turnOf(keys, cpuUs)
    },
  })
  const result = await race(
    side({ page, cdp }, () => field.fill(''), longTasks),
    side(plain, () => plain.page.getByLabel('text 49').fill('')),
    bench.rounds,
  )
  const all = result.subject.flatMap(({ latenciesMs }) => latenciesMs ?? [])
  const long = longTasks.filter((ms) => ms > LONG_TASK_MS)
  bench.report(
    judge(result, {
      target: '',
      name: 'ui.typing',
      size: '100 lines',
      unit: 'ms',
      bar: TYPING,
      note: `from a key to the frame that shows it; p99 ${Math.round(percentile(all, 99))} ms, ${long.length} tasks over ${LONG_TASK_MS} ms in ${all.length} keys${long.length > 0 ? `, worst ${Math.round(Math.max(...long))} ms` : ''}`,
    }),
  )
  await page.context().close()
  await plain.page.context().close()
}

async function scrollOnce(page: Page): Promise<number[]> {
  await page.mouse.move(640, 400)
  await page.evaluate(() => {
    const frames: number[] = []
    Object.assign(globalThis, { frames })
    let last = performance.now()
    const note = (): void => {
      const now = performance.now()
      frames.push(now - last)
      last = now
      requestAnimationFrame(note)
    }
    requestAnimationFrame(note)
  })
  await page.evaluate(() => void (globalThis as unknown as { frames: number[] }).frames.splice(0))
  for (let wheel = 0; wheel < WHEELS; wheel += 1) {
    await page.mouse.wheel(0, wheel % 20 === 19 ? 40_000 : 300)
    await page.waitForTimeout(16)
  }
  return page.evaluate(() => (globalThis as unknown as { frames: number[] }).frames.splice(0))
}

async function measureScrolling(
  bench: Bench,
  browser: Browser,
  product: Product,
  pages: LimitPages,
): Promise<void> {
  const frames: number[] = []
  const side = (url: string, path: string | null, keep?: number[]): Side => ({
    async run(round) {
      const { page } = await openWindow(browser, url, path ? product : undefined)
      if (path) await showPage(page, path)
      await page.waitForTimeout(1000)
      const seen = await scrollOnce(page)
      // The bare page scrolls without its main thread: processor times would be meaningless.
      const turn = turnOf(seen, null)
      if (round > 0) keep?.push(...seen)
      await page.context().close()
      return turn
    },
  })
  const result = await race(
    side(product.url, '/invoices', frames),
    side(`${pages.url}/scroll`, null),
    bench.rounds,
  )
  bench.report(
    judge(result, {
      target: '',
      name: 'ui.scroll',
      size: sizeName(bench.size),
      unit: 'ms',
      bar: SCROLL,
      note: `a frame while the list of invoices scrolls, with leaps; p95 ${percentile(frames, 95).toFixed(1)} ms, p99 ${percentile(frames, 99).toFixed(1)} ms`,
    }),
  )
}

/** Measures the entry's script with all its static imports, and the styles, each compressed as by a server. */
function entrySize(bench: Bench): void {
  const folder = join(dirname(bench.bundle), '..', 'renderer')
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const linked = (pattern: RegExp): string[] => [...html.matchAll(pattern)].map(([, path]) => path ?? '')
  const scripts = new Set<string>()
  const follow = (path: string): void => {
    if (scripts.has(path)) return
    scripts.add(path)
    const code = readFileSync(join(folder, path), 'utf8')
    for (const [, other] of code.matchAll(/\b(?:import|from)\s*"(\.\/[^"]+\.js)"/g))
      follow(join(dirname(path), other ?? ''))
  }
  for (const path of linked(/<script[^>]+src="\.?\/?([^"]+)"/g)) follow(path)
  const packed = (path: string): number => gzipSync(readFileSync(join(folder, path))).length
  const styles = linked(/<link[^>]+rel="stylesheet"[^>]+href="\.?\/?([^"]+)"/g)
  const bytes = [...scripts].reduce((sum, path) => sum + packed(path), 0)
  const turn = (value: number): Turn => ({ operations: 1, elapsedMs: value, cpuUs: null })
  bench.report(
    judge(
      { subject: [turn(bytes)], limit: [turn(ENTRY_BUDGET)], loadBefore: 0, loadAfter: 0 },
      {
        target: '',
        name: 'ui.entry',
        size: `${scripts.size} files`,
        unit: 'B',
        bar: { better: 'less', floor: 1, goal: 0.8 },
        note: `packed scripts of the entry; the limit is the budget; styles ${styles.reduce((sum, path) => sum + packed(path), 0)} B`,
      },
    ),
  )
}

export const uiGroup: Group = {
  names: ['ui.entry', 'ui.paint', 'ui.route', 'ui.typing', 'ui.scroll'],
  async run(bench, wanted) {
    if (wanted.has('ui.entry')) entrySize(bench)
    const inBrowser = [...wanted].filter((name) => name !== 'ui.entry')
    if (inBrowser.length === 0) return
    if (!tool('chromium'))
      return bench.say(`${inBrowser.join(', ')}: not measured, there is no Chromium here.`)
    const product = await serveProduct(bench)
    const answers = {
      session: await product.call('session.get', {}),
      dashboard: await product.call('dashboard.get', {}),
    }
    const pages = await serveLimitPages(answers)
    const browser = await launchBrowser()
    try {
      bench.note('chromium', browser.version())
      if (wanted.has('ui.paint')) await measurePaint(bench, browser, product, pages)
      if (wanted.has('ui.route')) await measureRoutes(bench, browser, product, pages)
      if (wanted.has('ui.typing')) await measureTyping(bench, browser, product, pages)
      if (wanted.has('ui.scroll')) await measureScrolling(bench, browser, product, pages)
    } finally {
      await browser.close()
      await pages.close()
      await product.stop()
    }
  },
}
