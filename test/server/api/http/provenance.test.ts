/**
 * The origin and target of a request, byte for byte on the real port: every spelling of Host, Origin and related
 * headers, each with a request that reads and with one that would change the books if it were accepted.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startSello } from '../../../../server/api/application.ts'
import type { RunningSello } from '../../../../server/api/application.ts'
import { sendRaw } from '../../../support/raw-http.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'
import { storeState } from '../../../support/checks/store-state.ts'
import type { StoreState } from '../../../support/checks/store-state.ts'

const folder = mkdtempSync(join(tmpdir(), 'sello-provenance-'))
let sello: RunningSello
let book = ''
let before: StoreState

async function callAsWindow(name: string, input: unknown, book?: string): Promise<any> {
  const answer = await fetch(`${sello.url}/app/call/${name}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${sello.windowToken}`,
      'content-type': 'application/json',
      ...(book === undefined ? {} : { 'sello-book': book }),
    },
    body: JSON.stringify(input),
  })
  return ((await answer.json()) as { data: unknown }).data
}

beforeAll(async () => {
  sello = await startSello({ dataDir: folder, port: 0, uiDir: null, keychain: null, cacheKib: 2048 })
  const { books } = await callAsWindow('company.create', EXAMPLE_COMPANY)
  book = books.find(({ mode }: { mode: string }) => mode === 'test').id
  // The first verification of the chains is recorded in the books; no request causes it.
  await vi.waitFor(async () => {
    for (const { id } of books)
      expect((await callAsWindow('registry.status', {}, id)).chain.verifiedAt).toBeTruthy()
  }, 20_000)
  before = storeState(folder)
})
afterAll(async () => {
  await sello.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A request whose answer any page may read, and one that creates a contact. */
const REQUESTS = {
  reads: (lines: string) => `GET /healthz HTTP/1.1\r\n${lines}\r\n`,
  writes: (lines: string) => {
    const body = JSON.stringify({ name: 'Atacante' })
    const head = `Authorization: Bearer ${sello.windowToken}\r\nSello-Book: ${book}\r\nContent-Type: application/json`
    return `POST /app/call/contacts.create HTTP/1.1\r\n${head}\r\nContent-Length: ${body.length}\r\n${lines}\r\n${body}`
  },
}
type Expected = 'malformed_request' | 'host_not_allowed' | 'origin_not_allowed' | 'silence'

/** Header lines in which `PORT` stands for the server's port and `OWN` for the correct Host line. */
const CASES: readonly [lines: readonly string[], expected: Expected][] = [
  // No Host, or more than one.
  [[], 'malformed_request'],
  [['OWN', 'OWN'], 'malformed_request'],
  [['OWN', 'Host: evil.example'], 'malformed_request'],
  [['Host: evil.example', 'OWN'], 'malformed_request'],
  [['OWN', 'hOsT: evil.example:PORT'], 'malformed_request'],
  [['Host : 127.0.0.1:PORT'], 'malformed_request'],
  [['OWN', ' evil.example'], 'malformed_request'],
  [['Host: 127.0.0.1\u0000:PORT'], 'malformed_request'],
  // Names that a page can bind to this computer.
  [['Host: evil.example'], 'silence'],
  [['Host: evil.example:PORT'], 'silence'],
  [['Host: 127.0.0.1.evil.example:PORT'], 'silence'],
  [['Host: 127.0.0.1:PORT.evil.example'], 'silence'],
  [['Host: localhost.evil.example:PORT'], 'silence'],
  [['Host: evil.localhost:PORT'], 'silence'],
  [['Host: localhost.:PORT'], 'silence'],
  [['Host: 127.0.0.1.:PORT'], 'silence'],
  [['Host: user@127.0.0.1:PORT'], 'silence'],
  [['Host: 127.0.0.1:PORT@evil.example'], 'silence'],
  [['Host: 127.0.0.1:PORT/evil.example'], 'silence'],
  [['Host: 127.0.0.1:PORT#evil.example'], 'silence'],
  [['Host: 127.0.0.1:PORT, evil.example'], 'silence'],
  [['Host: 127.0.0.1:PORT evil.example'], 'silence'],
  [['Host: 127.0.0.1:+PORT'], 'silence'],
  [['Host: 127.0.0.1:0PORT'], 'silence'],
  [['Host: http://127.0.0.1:PORT'], 'silence'],
  [['Host: 127.1:PORT'], 'silence'],
  [['Host: 2130706433:PORT'], 'silence'],
  [['Host: 0x7f.0.0.1:PORT'], 'silence'],
  [['Host: \u00bc27.0.0.1:PORT'], 'silence'],
  [['Host:'], 'silence'],
  [['Host: evil.example:PORT', 'X-Forwarded-Host: 127.0.0.1:PORT'], 'silence'],
  [['Host: evil.example:PORT', 'Forwarded: host="127.0.0.1:PORT"'], 'silence'],
  [['Host: evil.example:PORT', 'Origin: http://127.0.0.1:PORT', 'Sec-Fetch-Site: same-origin'], 'silence'],
  // This computer, but not this server.
  [['Host: 127.0.0.1'], 'host_not_allowed'],
  [['Host: 127.0.0.1:1'], 'host_not_allowed'],
  [['Host: 127.0.0.2:PORT'], 'host_not_allowed'],
  [['Host: 0.0.0.0:PORT'], 'host_not_allowed'],
  [['Host: LOCALHOST:PORT'], 'host_not_allowed'],
  [['Host: [::]:PORT'], 'host_not_allowed'],
  [['Host: [0:0:0:0:0:0:0:1]:PORT'], 'host_not_allowed'],
  [['Host: [::ffff:127.0.0.1]:PORT'], 'host_not_allowed'],
  [['Host: 192.168.1.10:PORT'], 'host_not_allowed'],
  // Pages of other origins.
  ...[
    'https://evil.example',
    'http://evil.example:PORT',
    'null',
    '',
    'http://127.0.0.1',
    'http://127.0.0.1:1',
    'https://127.0.0.1:PORT',
    'http://127.0.0.1:PORT/',
    'HTTP://127.0.0.1:PORT',
    'http://127.0.0.1:PORT.evil.example',
    'http://user@127.0.0.1:PORT',
    'http://localhost.evil.example:PORT',
    'http://evil.localhost:PORT',
    'http://127.0.0.1:PORT http://evil.example',
    'http://127.0.0.1:PORT, http://evil.example',
    'file://',
    'app://evil',
    'app://app/',
    'chrome-extension://abcdefghijklmnop',
  ].map((origin): [string[], Expected] => [['OWN', `Origin: ${origin}`], 'origin_not_allowed']),
  [['OWN', 'Origin: http://127.0.0.1:PORT', 'Origin: http://evil.example'], 'origin_not_allowed'],
  [['OWN', 'Origin: http://evil.example', 'Origin: http://127.0.0.1:PORT'], 'origin_not_allowed'],
  [['OWN', 'Origin: null', 'Sec-Fetch-Site: same-origin'], 'origin_not_allowed'],
  [
    ['OWN', 'Origin: https://evil.example', 'Connection: Upgrade', 'Upgrade: websocket'],
    'origin_not_allowed',
  ],
  // Pages that a browser reports without an origin.
  [['OWN', 'Sec-Fetch-Site: cross-site'], 'origin_not_allowed'],
  [['OWN', 'Sec-Fetch-Site: same-site'], 'origin_not_allowed'],
  [['OWN', 'Sec-Fetch-Site: Cross-Site'], 'origin_not_allowed'],
  [['OWN', 'Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site'], 'origin_not_allowed'],
  [['OWN', 'Sec-Fetch-Site:'], 'origin_not_allowed'],
]

const linesOf = (lines: readonly string[]): string =>
  lines
    .map((line) => `${line === 'OWN' ? 'Host: 127.0.0.1:PORT' : line}\r\n`)
    .join('')
    .replaceAll('PORT', String(sello.port))

describe('is rejected', () => {
  test('in more than forty spellings', () => {
    expect(new Set(CASES.map(([lines]) => lines.join('\n'))).size).toBe(CASES.length)
    expect(CASES.length).toBeGreaterThan(40)
  })

  test.each(CASES)('%j: %s', async (lines, expected) => {
    for (const make of Object.values(REQUESTS)) {
      const answer = await sendRaw(sello.port, make(linesOf(lines)))
      expect(answer.status).toBe(expected === 'malformed_request' ? 400 : 403)
      if (expected === 'silence') expect(answer.body).toBe('')
      else expect(JSON.parse(answer.body)).toMatchObject({ ok: false, error: { code: expected } })
      expect(answer.headers).not.toContain('access-control-')
      expect(answer.headers).toContain('cross-origin-resource-policy: same-origin')
    }
  })

  test.each<[string, string, number]>([
    ['the whole address of another server', 'GET http://evil.example/healthz HTTP/1.1\r\nOWN\r\n', 400],
    ['the whole address of ours', 'GET http://127.0.0.1:PORT/healthz HTTP/1.1\r\nOWN\r\n', 400],
    ['an address that names a server', 'GET //evil.example/healthz HTTP/1.1\r\nOWN\r\n', 404],
    ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nOWN\r\n', 0],
    [
      'the question of a browser whether it may',
      'OPTIONS /api/v1/contacts HTTP/1.1\r\nOWNOrigin: null\r\n\r\n',
      403,
    ],
    ['an older HTTP without a Host', 'GET /healthz HTTP/1.0\r\n\r\n', 400],
    ['an older HTTP from elsewhere', 'GET /healthz HTTP/1.0\r\nHost: evil.example\r\n\r\n', 403],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    [
      'an address that cannot be read, from elsewhere',
      'GET /%zz HTTP/1.1\r\nHost: evil.example\r\n\r\n',
      403,
    ],
    ['an address that cannot be read, of another page', 'GET /%zz HTTP/1.1\r\nOWNOrigin: null\r\n\r\n', 403],
  ])('%s', async (_what, text, status) => {
    const own = text.replaceAll('OWN', 'Host: 127.0.0.1:PORT\r\n').replaceAll('PORT', String(sello.port))
    expect((await sendRaw(sello.port, own)).status).toBe(status)
  })

  test('the second request of a connection too, whatever the first was', async () => {
    const [own, foreign] = [linesOf(['OWN']), linesOf(['Host: evil.example:PORT'])]
    for (const make of Object.values(REQUESTS)) {
      const answer = await sendRaw(sello.port, REQUESTS.reads(own) + make(foreign), 2)
      expect([answer.status, answer.body]).toEqual([403, ''])
    }
  })

  test('a credential that a page could send by itself', async () => {
    const { windowToken, port } = sello
    const cookie = `Host: 127.0.0.1:${port}\r\nCookie: token=${windowToken}; authorization=Bearer ${windowToken}\r\n`
    const json = `Sello-Book: ${book}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`
    for (const path of [
      'session.get',
      `session.get?token=${windowToken}`,
      `session.get?access_token=${windowToken}`,
    ]) {
      const answer = await sendRaw(port, `POST /app/call/${path} HTTP/1.1\r\n${cookie}${json}`)
      expect(answer.status).toBe(401)
    }
  })
})

test('rejected requests change nothing in the books, and accepted ones do', async () => {
  expect(storeState(folder)).toEqual(before)
  const allowed = [
    ['OWN'],
    ['Host: localhost:PORT'],
    ['Host: [::1]:PORT'],
    ['Host:  127.0.0.1:PORT\t '],
    ['OWN', 'Origin: http://127.0.0.1:PORT', 'Sec-Fetch-Site: same-origin'],
    ['OWN', 'Origin: http://localhost:PORT'],
    ['OWN', 'Origin: app://app'],
    ['OWN', 'Sec-Fetch-Site: none'],
    ['OWN', 'Sec-Fetch-Site: same-origin'],
  ]
  for (const lines of allowed)
    for (const make of Object.values(REQUESTS))
      expect((await sendRaw(sello.port, make(linesOf(lines)))).status, lines.join()).toBe(200)
  const after = storeState(folder)
  expect(after.rows).toBeGreaterThan(before.rows)
  expect(after.sha256).not.toBe(before.sha256)
})
