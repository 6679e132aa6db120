/** Programs of the guides, run unchanged against a real server with a test key, and the receivers under attack. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { examplesOf } from '../../../build/docs/markdown.ts'
import { pageSources } from '../../../build/docs/site.ts'
import { serveApp, testKeyOf } from '../../support/browser/browser.ts'
import type { ServedApp } from '../../support/browser/browser.ts'
import { broken, jsonValues, LANGUAGES, runPage } from '../../support/browser/docs-examples.ts'
import { needs, tool } from '../../support/tools.ts'

const sources = pageSources(resolve(import.meta.dirname, '..', '..', '..'))
let app: ServedApp
let key: string

beforeAll(async () => {
  app = await serveApp({ invoices: 0 })
  key = await testKeyOf(app)
}, 120_000)
afterAll(() => app?.stop())

describe('examples', () => {
  const cases = [...sources].flatMap(([path, source]) =>
    LANGUAGES.flatMap((language) =>
      examplesOf(source).some((one) => one.language === language.name && one.flags.has('run'))
        ? [{ path: path || 'overview', source, language }]
        : [],
    ),
  )
  // Lists are read after something is in them.
  for (const { path, source, language } of cases.toSorted(
    (a, b) => Number(a.path === 'pagination') - Number(b.path === 'pagination'),
  ))
    needs(...language.needs)(
      `${path}, ${language.name}: runs as it stands and prints what the page says`,
      async () => {
        for (const { line, printed, promised } of await runPage(source, language, {
          SELLO_URL: app.url,
          SELLO_KEY: key,
        })) {
          if (!promised) continue
          const where = `${path}.md:${line}`
          const wanted = jsonValues(promised.code)
          if (wanted.length === 0) expect(printed, where).toBe(promised.code.trim())
          else {
            const got = jsonValues(printed)
            expect(got.length, where).toBe(wanted.length)
            for (const [at, value] of wanted.entries())
              expect(broken(value, got[at]), `${where}: ${printed}`).toEqual([])
          }
        }
      },
    )

  test('the check of the printed output detects a missing member, another word and another type', () => {
    expect(broken({ a: { b: 'x' } }, { a: {} })).toEqual(['.a.b is undefined'])
    expect(broken({ code: 'gone' }, { code: 'internal' })).toEqual(['.code is "internal"'])
    expect(broken({ total: 24.2 }, { total: '24.2' })).toEqual(['.total is "24.2"'])
    expect(broken({ issues: [] }, { issues: [1] })).toEqual(['.issues is not empty'])
    expect(broken({ id: 'inv_…' }, { id: 'inv_7' })).toEqual([])
    expect(jsonValues('{"a": {"b": 1}} {"c": 2}')).toEqual([{ a: { b: 1 } }, { c: 2 }])
  })
})

interface Receiver {
  url: string
  printed: string[]
}

/** Starts the receiver of the guide as a separate program. */
async function startReceiver(language: 'js' | 'py', secret: string): Promise<Receiver> {
  const program = examplesOf(sources.get('webhooks') ?? '').find(
    (one) => one.language === language && [...one.flags].length === 0 && one.code.includes('listening on'),
  )
  const folder = mkdtempSync(join(tmpdir(), 'sello-receiver-'))
  const file = join(folder, language === 'js' ? 'receiver.mjs' : 'receiver.py')
  writeFileSync(file, program?.code ?? '')
  const command = language === 'js' ? process.execPath : (tool('python3') ?? 'python3')
  const child: ChildProcess = spawn(command, [file], {
    env: { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((done) => child.once('exit', done))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  if (!child.stdout) throw new Error('The receiver has no output.')
  const printed: string[] = []
  const port = await new Promise<string>((done, fail) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const [, found] = /^listening on (\d+)$/.exec(line) ?? []
      if (found) done(found)
      else printed.push(line)
    })
    child.once('exit', (code) => fail(new Error(`The receiver ended with ${code}.`)))
  })
  return { url: `http://127.0.0.1:${port}/hooks/sello`, printed }
}

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

function delivery(secret: string, id: string, { at = new Date(), body = BODY } = {}) {
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    } as Record<string, string>,
  }
}

const BODY = JSON.stringify({
  id: 'evt_1',
  type: 'invoice.issued',
  createdAt: '2026-07-01T10:00:00.000+02:00',
  mode: 'test',
  data: { id: 'inv_1', client: 'Peña e Hijos' },
})

async function send(url: string, { body, headers }: { body: string; headers: Record<string, string> }) {
  return (await fetch(url, { method: 'POST', body, headers })).status
}

describe.each([
  { language: 'js', needed: [] },
  { language: 'py', needed: ['python3'] },
] as const)('the receiver in $language', ({ language, needed }) => {
  needs(...needed)('takes what is genuine, and does each event once', async () => {
    const secret = newSecret()
    const { url, printed } = await startReceiver(language, secret)
    expect(await send(url, delivery(secret, 'evt_1'))).toBe(204)
    expect(await send(url, delivery(secret, 'evt_1'))).toBe(204)
    expect(await send(url, delivery(secret, 'evt_2', { at: new Date(Date.now() - 290_000) }))).toBe(204)
    await expect.poll(() => printed.length).toBe(2)
    // A third one would have arrived by now.
    expect(await send(url, delivery(secret, 'evt_2'))).toBe(204)
    expect(printed).toHaveLength(2)
    expect(printed[0]).toMatch(/^invoice\.issued \{"id": ?"inv_1"/)
  })

  needs(...needed)('takes either of two signatures while the secret is being changed', async () => {
    const [before, after] = [newSecret(), newSecret()]
    const { url } = await startReceiver(language, after)
    // Of one moment: a signature covers the second.
    const at = new Date()
    const both = delivery(before, 'evt_3', { at })
    both.headers['webhook-signature'] += ` ${delivery(after, 'evt_3', { at }).headers['webhook-signature']}`
    expect(await send(url, both)).toBe(204)
    expect(await send(url, delivery(before, 'evt_4'))).toBe(401)
  })

  needs(...needed)('refuses what is forged, changed, stale, early or unsigned, and lives on', async () => {
    const secret = newSecret()
    const { url, printed } = await startReceiver(language, secret)
    const good = delivery(secret, 'evt_5')
    const wrong: [string, { body: string; headers: Record<string, string> }][] = [
      ['another secret', delivery(newSecret(), 'evt_5')],
      ['another body', { ...good, body: BODY.replace('inv_1', 'inv_2') }],
      ['another identifier', { ...good, headers: { ...good.headers, 'webhook-id': 'evt_6' } }],
      [
        'another time',
        {
          ...good,
          headers: { ...good.headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 20) },
        },
      ],
      ['stale', delivery(secret, 'evt_5', { at: new Date(Date.now() - 310_000) })],
      ['early', delivery(secret, 'evt_5', { at: new Date(Date.now() + 310_000) })],
      [
        'another version',
        {
          ...good,
          headers: {
            ...good.headers,
            'webhook-signature': good.headers['webhook-signature']?.replace('v1,', 'v2,') ?? '',
          },
        },
      ],
      ['a cut signature', { ...good, headers: { ...good.headers, 'webhook-signature': 'v1,AAAA' } }],
      ['no signature', { ...good, headers: { 'webhook-id': 'evt_5' } }],
      ['a time that is none', { ...good, headers: { ...good.headers, 'webhook-timestamp': 'now' } }],
    ]
    for (const [what, one] of wrong) expect([what, await send(url, one)]).toEqual([what, 401])
    expect(await send(url, delivery(secret, 'evt_5', { body: 'x'.repeat(70_000) }))).toBe(413)
    expect(printed).toEqual([])
    expect(await send(url, good)).toBe(204)
    await expect.poll(() => printed.length).toBe(1)
  })
})
