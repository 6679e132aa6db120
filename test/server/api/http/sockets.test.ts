/** Raw bytes on the real port that no HTTP client would send. */
import { mkdtempSync, readFileSync, rmSync, statSync, existsSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startSello, startSelloWithRecovery } from '../../../../server/api/application.ts'
import type { RunningSello } from '../../../../server/api/application.ts'
import { sendRaw } from '../../../support/raw-http.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'

const folder = mkdtempSync(join(tmpdir(), 'sello-socket-'))
const logged: string[] = []
let sello: RunningSello
beforeAll(async () => {
  sello = await startSello({
    dataDir: folder,
    port: 0,
    uiDir: null,
    keychain: null,
    cacheKib: 2048,
    log: (line) => logged.push(line),
  })
})
afterAll(async () => {
  await sello.close()
  expect(existsSync(join(folder, 'server.json'))).toBe(false)
  rmSync(folder, { recursive: true, force: true })
  expect(logged).toEqual([])
})

const send = (text: string) => sendRaw(sello.port, text)
const host = (): string => `Host: 127.0.0.1:${sello.port}\r\n`

test.each<[string, (own: string) => string, number, string]>([
  ['an asterisk', (own) => `OPTIONS * HTTP/1.1\r\n${own}\r\n`, 400, 'malformed_request'],
  [
    'both ways to give a length',
    (own) =>
      `POST /api/v1/invoices HTTP/1.1\r\n${own}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'malformed_request',
  ],
  [
    'two lengths',
    (own) => `POST /api/v1/invoices HTTP/1.1\r\n${own}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc`,
    400,
    'malformed_request',
  ],
  [
    'a length that is none',
    (own) => `POST /api/v1/invoices HTTP/1.1\r\n${own}Content-Length: -1\r\n\r\n`,
    400,
    'malformed_request',
  ],
  ['garbage', () => '\x16\x03\x01\x02\x00\x01\x00\x01', 400, 'malformed_request'],
  ['a method that does not exist', (own) => `BREW /healthz HTTP/1.1\r\n${own}\r\n`, 400, 'malformed_request'],
  [
    'a line break in a header',
    (own) => `GET /healthz HTTP/1.1\r\n${own}X: a\nb\r\n\r\n`,
    400,
    'malformed_request',
  ],
  [
    'an expectation of its own',
    (own) => `GET /api/v1/keys HTTP/1.1\r\n${own}Expect: cake\r\n\r\n`,
    401,
    'unauthorized',
  ],
])('%s is answered in the envelope', async (_what, text, status, code) => {
  const answer = await send(text(host()))
  expect(answer.status).toBe(status)
  const body = JSON.parse(answer.body) as {
    ok: boolean
    error: { code: string }
    meta: { requestId: string }
  }
  expect(body.ok).toBe(false)
  expect(body.error.code).toBe(code)
  expect(body.meta.requestId).toMatch(/^req_/)
  expect(answer.headers).toContain('x-content-type-options: nosniff')
})

test('headers that are too large are rejected', async () => {
  const answer = await send(`GET /healthz HTTP/1.1\r\n${host()}X-Long: ${'a'.repeat(70_000)}\r\n\r\n`)
  expect(answer.status).toBe(431)
  expect(JSON.parse(answer.body)).toMatchObject({ ok: false, error: { code: 'malformed_request' } })
})

test('a client that disconnects in the middle causes no harm', async () => {
  await new Promise<void>((resolve) => {
    const socket = connect(sello.port, '127.0.0.1', () => {
      socket.write(
        `POST /api/v1/invoices HTTP/1.1\r\n${host()}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"cl`,
      )
      setTimeout(() => socket.destroy(), 50)
    })
    socket.on('close', () => resolve())
  })
  expect((await send(`GET /healthz HTTP/1.1\r\n${host()}\r\n`)).status).toBe(200)
})

test('the server listens on the loopback address only, under the names it prints', async () => {
  expect(sello.url).toBe(`http://127.0.0.1:${sello.port}`)
  expect(sello.uiUrl).toMatch(new RegExp(`^${sello.url}/#link=[\\w-]{43}$`))
  expect(sello.uiUrl).not.toContain(sello.windowToken)
  for (const name of ['127.0.0.1', 'localhost', '[::1]'])
    expect((await send(`GET /healthz HTTP/1.1\r\nHost: ${name}:${sello.port}\r\n\r\n`)).status, name).toBe(
      200,
    )
})

test("the data folder contains the server's address, readable by its owner only", () => {
  const file = join(folder, 'server.json')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ port: sello.port, pid: process.pid })
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).not.toContain(sello.windowToken)
})

test('if the port is in use, the next free one is taken', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void taken.close())
  const address = taken.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const other = mkdtempSync(join(tmpdir(), 'sello-port-'))
  const second = await startSello({ dataDir: other, port, uiDir: null, keychain: null, cacheKib: 2048 })
  onTestFinished(async () => {
    await second.close()
    rmSync(other, { recursive: true, force: true })
  })
  expect(second.port).toBeGreaterThan(port)
  const answer = await fetch(`${second.url}/healthz`)
  expect(answer.status).toBe(200)
})

test('a port known to programs is not changed: their keys would go to the process that uses it now', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sello-promise-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const options = { dataDir, uiDir: null, keychain: null, cacheKib: 2048 }
  const free = createServer()
  await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve))
  const { port } = free.address() as { port: number }
  await new Promise((resolve) => free.close(resolve))

  const first = await startSello({ ...options, port })
  const call = async (name: string, input: unknown, book = ''): Promise<any> => {
    const answer = await fetch(`${first.url}/app/call/${name}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${first.windowToken}`,
        'content-type': 'application/json',
        ...(book ? { 'sello-book': book } : {}),
      },
      body: JSON.stringify(input),
    })
    return ((await answer.json()) as { data: unknown }).data
  }
  const { books } = await call('company.create', EXAMPLE_COMPANY)
  const scopes = ['invoices.read']
  const { id } = await call(
    'keys.createByPerson',
    { name: 'asistente', scopes, assistant: true },
    books[1].id,
  )
  expect(first.port).toBe(port)
  await first.close()

  // Another program has taken the port and listens for keys.
  const thief = createServer()
  await new Promise<void>((resolve) => thief.listen(port, '127.0.0.1', resolve))
  for (const asked of [{ port }, { port: port === 4545 ? 4646 : 4545 }, { port, namedPort: port }])
    await expect(startSello({ ...options, ...asked })).rejects.toMatchObject({
      code: 'port_taken',
      details: { port },
    })
  const shown = await startSelloWithRecovery({ ...options, port })
  expect(shown.trouble()).toMatchObject({ kind: 'port_taken', port })
  const refused = await fetch(`${shown.url}/api/v1/companies/current`)
  expect([refused.status, ((await refused.json()) as any).error.code]).toEqual([503, 'port_taken'])
  await shown.close()
  // A different port named by the owner is accepted; a new start without a name returns to the known one.
  const named = await startSello({ ...options, port: port + 1, namedPort: port + 1 })
  const there = named.port
  expect(there).toBe(port + 1)
  await named.close()
  const again = await startSello({ ...options, port: 4545 })
  expect(again.port).toBe(there)
  // Without an active key no program knows the address.
  const revoked = await fetch(`${again.url}/app/call/keys.revoke`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${again.windowToken}`,
      'content-type': 'application/json',
      'sello-book': books[1].id,
    },
    body: JSON.stringify({ id }),
  })
  expect(revoked.status).toBe(200)
  await again.close()
  const moved = await startSello({ ...options, port })
  expect(moved.port).toBeGreaterThan(port)
  await moved.close()
  await new Promise((resolve) => thief.close(resolve))
})
