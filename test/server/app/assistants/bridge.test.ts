/** Bridge between stdin and HTTP: real clients of both protocols, and every failure in between. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client as ModernClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startSello } from '../../../../server/api/application.ts'
import { DRAFT, startRunning } from '../../api/mcp/running.ts'
import type { Running } from '../../api/mcp/running.ts'
import { BRIDGE, startBridge } from './bridge-process.ts'
import type { Bridge } from './bridge-process.ts'
import { swept } from '../../../support/sweep.ts'

const INSPECTOR = resolve(
  import.meta.dirname,
  '../../../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
)

let running: Running
let key: string
beforeAll(async () => {
  running = await startRunning()
  key = (await running.makeKey()).key
})
afterAll(() => running.close())

const envOf = (): Record<string, string> => ({ SELLO_DATA: running.dataDir, SVC_API_KEY: key })

function bridge(env: Record<string, string> = envOf()): Bridge {
  const started = startBridge(env)
  onTestFinished(async () => void (await started.end()))
  return started
}

/** Starts a mock server in Sello's place, which uses the listener after reporting that it is up. */
async function standIn(listener: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/healthz') response.end('{"ok":true,"data":{"status":"up"}}')
    else listener(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(
    () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const INITIALIZE = {
  id: 'init',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

describe('real clients', () => {
  const transport = { command: process.execPath, args: [BRIDGE] }
  const env = (): Record<string, string> => ({ PATH: process.env.PATH ?? '', ...envOf() })
  const connected = {
    'sdk of 2025': async () => {
      const client = new LegacyClient({ name: 'test-2025', version: '1' })
      await client.connect(new LegacyTransport({ ...transport, env: env() }))
      return client
    },
    'sdk of 2026, by itself': async () => {
      const client = new ModernClient({ name: 'test-2026', version: '1' })
      await client.connect(new ModernTransport({ ...transport, env: env() }))
      return client
    },
    'sdk of 2026, that protocol alone': async () => {
      const client = new ModernClient(
        { name: 'test-2026', version: '1' },
        { versionNegotiation: { mode: { pin: '2026-07-28' } } },
      )
      await client.connect(new ModernTransport({ ...transport, env: env() }))
      return client
    },
  }
  test.each(swept(Object.entries(connected), ([client]) => !client.endsWith('alone')))(
    '%s lists, drafts and reads, and receives rejections',
    async (_name, connect) => {
      const client = (await connect()) as LegacyClient
      try {
        expect((await client.listTools()).tools).toHaveLength(9)
        const call = (name: string, args: Record<string, unknown>): Promise<any> =>
          client.callTool({ name, arguments: args })
        const { structuredContent: draft } = await call('svc_create_invoice_draft', DRAFT)
        expect(draft).toMatchObject({ state: 'draft', total: 24.2 })
        expect(await call('svc_get_invoice', { id: 'inv_none' })).toMatchObject({ isError: true })
        const { contents } = await client.readResource({ uri: 'svc://company' })
        expect(contents).toHaveLength(1)
        // Its name cannot be a header without encoding.
        await expect(client.getPrompt({ name: 'año 📄', arguments: {} })).rejects.toMatchObject({
          code: -32602,
        })
        const both = await Promise.all(Array.from({ length: 20 }, () => call('svc_get_company_context', {})))
        expect(both.every((one) => one.structuredContent.legalName !== undefined)).toBe(true)
      } finally {
        await client.close()
      }
    },
    30_000,
  )

  test.each(swept(['legacy', 'auto', 'modern'], (era) => era === 'auto'))(
    'the inspector works, %s',
    { timeout: 60_000 },
    async (era) => {
      const home = mkdtempSync(join(tmpdir(), 'sello-inspector-'))
      onTestFinished(() => rmSync(home, { recursive: true, force: true }))
      const options = ['--cli', '--transport', 'stdio', '--protocol-era', era]
      const settings = Object.entries(envOf()).flatMap(([name, value]) => ['-e', `${name}=${value}`])
      const asked = ['--method', 'tools/list', '--format', 'json', '-q']
      const stdout = await new Promise<string>((done, fail) => {
        execFile(
          process.execPath,
          [INSPECTOR, ...options, ...settings, ...asked, '--', process.execPath, BRIDGE],
          { timeout: 50_000, maxBuffer: 1 << 24, env: { ...process.env, HOME: home, USERPROFILE: home } },
          (error, out) => (error ? fail(error) : done(out)),
        )
      })
      expect(JSON.parse(stdout).result.tools).toHaveLength(9)
    },
  )
})

describe('lines', () => {
  test('an invalid message is answered with an error, and the next line is still carried', async () => {
    const it = bridge()
    for (const line of ['', '   ', '{"jsonrpc":', '[]', 'null', '"text"']) it.write(line)
    expect((await it.ask({ id: 1, method: 'ping' })).result).toEqual({})
    expect(it.answers.slice(0, 4).map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32700],
      [null, -32600],
      [null, -32600],
      [null, -32600],
    ])
  })

  test('notifications get no answer', async () => {
    const it = bridge()
    it.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    it.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'none' } })
    expect((await it.ask({ id: 'línea', method: 'ping' })).id).toBe('línea')
    expect(it.answers).toHaveLength(1)
  })

  test('other line separators stay inside a message', async () => {
    const url = await standIn((_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'uno\u2028dos\u2029tres' } }))
    })
    const it = bridge({ ...envOf(), SVC_MCP_URL: `${url}/api/mcp/svc` })
    const { result } = await it.ask({ id: 1, method: 'ping' })
    expect(result.text).toBe('uno\u2028dos\u2029tres')
    expect(it.answers).toHaveLength(1)
  })

  test('the agreed version is sent with every later message; another revision is rejected with the reason', async () => {
    const seen: (string | undefined)[] = []
    const url = await standIn((request, response) => {
      seen.push(request.headers['mcp-protocol-version'] as string | undefined)
      request.resume().on('end', () => {
        response.setHeader('content-type', 'application/json')
        response.end('{"jsonrpc":"2.0","id":"init","result":{"protocolVersion":"2025-03-26"}}')
      })
    })
    const it = bridge({ SVC_API_KEY: key, SVC_MCP_URL: url })
    await it.ask(INITIALIZE)
    await it.ask({ ...INITIALIZE })
    it.send({ jsonrpc: '2.0', id: 'init', method: 'ping' })
    await expect.poll(() => seen).toEqual([undefined, undefined, '2025-03-26'])
  })

  test('after stdin ends, requests in flight are answered and the program ends; an endless stream is cancelled', async () => {
    const it = startBridge(envOf())
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    }
    it.send({
      jsonrpc: '2.0',
      id: 'listen',
      method: 'subscriptions/listen',
      params: { _meta: meta, notifications: { toolsListChanged: true } },
    })
    for (let id = 0; id < 20; id++) it.send({ jsonrpc: '2.0', id, method: 'tools/list' })
    expect(await it.end()).toBe(0)
    const ids = it.answers.filter(({ result }) => result?.tools).map(({ id }) => id)
    expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, id) => id))
    expect(it.answers.some(({ id, error }) => id === 'listen' && error)).toBe(false)
  })
})

describe('answers', () => {
  test('a megabyte arrives complete, as one body and as a stream in small chunks', async () => {
    const text = 'ñ€📄'.repeat(120_000)
    const url = await standIn((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { id } = JSON.parse(Buffer.concat(chunks).toString())
        const reply = JSON.stringify({ jsonrpc: '2.0', id, result: { text } })
        if (id === 'body') return response.setHeader('content-type', 'application/json').end(reply)
        response.setHeader('content-type', 'text/event-stream')
        const bytes = Buffer.from(`event: message\r\ndata: ${reply}\r\n\r\n`)
        for (let at = 0; at < bytes.length; at += 4093) response.write(bytes.subarray(at, at + 4093))
        response.end()
      })
    })
    const it = bridge({ SVC_API_KEY: key, SVC_MCP_URL: url })
    const both = await Promise.all(['body', 'stream'].map((id) => it.ask({ id, method: 'ping' })))
    expect(Buffer.byteLength(text)).toBeGreaterThan(1 << 20)
    expect(both.map(({ result }) => result.text === text)).toEqual([true, true])
  })

  test('a request longer than Sello accepts is rejected under its own identifier', async () => {
    const it = bridge()
    const { error } = await it.ask({
      id: 7,
      method: 'tools/call',
      params: { name: 'svc_get_invoice', arguments: { id: 'x'.repeat(1 << 20) } },
    })
    expect(error.data.error.code).toBe('payload_too_large')
  })

  test('a wrong key and a missing key are rejected', async () => {
    const wrong = bridge({ ...envOf(), SVC_API_KEY: 'svc_test_wrong_and_long_enough' })
    expect((await wrong.ask({ id: 1, method: 'ping' })).error.data.error.code).toBe('unauthorized')
    const none = bridge({ SELLO_DATA: running.dataDir })
    expect((await none.ask({ id: 1, method: 'ping' })).error.message).toMatch(/^SVC_API_KEY is missing/)
    expect((await none.ask({ id: 2, method: 'ping' })).error.code).toBe(-32603)
    expect(none.stderr()).toMatch(/SVC_API_KEY is missing/)
  })

  test('excess calls are rejected, each under its own identifier, with the time to wait', async () => {
    await running.run('limits.set', { plan: 'standard', overrides: { read: 20 } })
    onTestFinished(async () => void (await running.run('limits.set', { plan: 'standard', overrides: {} })))
    const other = await running.makeKey()
    const it = bridge({ ...envOf(), SVC_API_KEY: other.key })
    const asked = Array.from({ length: 200 }, (_, id) => it.ask({ id, method: 'ping' }))
    const refused = (await Promise.all(asked)).filter(({ error }) => error)
    expect(refused.length).toBeGreaterThan(0)
    for (const { id, error } of refused) {
      expect(id).toBeTypeOf('number')
      expect(error).toMatchObject({ data: { error: { code: 'rate_limited' } } })
      expect(error.data.retryAfterSeconds).toBeGreaterThan(0)
    }
  }, 30_000)

  test('neither the log nor the arguments contain the key', async () => {
    const it = bridge({ ...envOf(), SELLO_DATA: '/nonexistent' })
    await it.ask({ id: 1, method: 'ping' })
    expect(it.stderr()).toMatch(/not running/)
    expect(it.stderr() + JSON.stringify(it.answers)).not.toContain(key)
    if (process.platform === 'linux')
      expect(readFileSync(`/proc/${it.pid}/cmdline`, 'utf8')).not.toContain(key)
  })
})

describe('the address of Sello', () => {
  test('is found again after a restart on another port, in the middle of a conversation', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sello-bridge-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const start = () => startSello({ dataDir, port: 0, uiDir: null, keychain: null, cacheKib: 2048 })
    const it = bridge({ ...envOf(), SELLO_DATA: dataDir })
    expect((await it.ask({ id: 0, method: 'ping' })).error).toMatchObject({
      code: -32603,
      message: expect.stringMatching(/^The invoicing app is not running/),
    })
    const first = await start()
    if (process.platform !== 'win32') expect(statSync(join(dataDir, 'server.json')).mode & 0o777).toBe(0o600)
    // The key belongs to other books: the rejection shows which Sello answered.
    expect((await it.ask({ id: 1, method: 'ping' })).error.data.error.code).toBe('unauthorized')
    await first.close()
    expect((await it.ask({ id: 2, method: 'ping' })).error.message).toMatch(/not running/)
    const second = await start()
    expect((await it.ask({ id: 3, method: 'ping' })).error.data.error.code).toBe('unauthorized')
    await second.close()
  }, 30_000)

  test('is not taken from stale files: of an ended process, of a process whose port another took, or half written', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sello-bridge-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    let calls = 0
    const other = createServer((_request, response) => {
      calls++
      response.end('<html>')
    })
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo
    const it = bridge({ ...envOf(), SELLO_DATA: dataDir })
    const startedAt = new Date(0).toISOString()
    const answers: Record<string, string> = {}
    for (const [name, content] of Object.entries({
      ended: JSON.stringify({ port, pid: 2 ** 22 + 1, startedAt }),
      half: '{"port":',
      noPort: JSON.stringify({ port: 70_000, pid: process.pid, startedAt }),
      taken: JSON.stringify({ port, pid: process.pid, startedAt }),
    })) {
      writeFileSync(join(dataDir, 'server.json'), content)
      answers[name] = (await it.ask({ id: name, method: 'ping' })).error.message
    }
    expect(answers).toEqual({
      ended: expect.stringMatching(/not running/),
      half: expect.stringMatching(/not running/),
      noPort: expect.stringMatching(/not running/),
      taken: expect.stringMatching(/^Another program answered/),
    })
    // Received the identity request, and never the key.
    expect(calls).toBe(1)
  })

  test('is never remote, and a truncated answer is reported as such', async () => {
    const url = await standIn((request, response) => {
      request.resume().on('end', () => {
        response.setHeader('content-type', 'text/event-stream')
        response.write('data: {"jsonrpc":')
        setTimeout(() => response.destroy(), 20)
      })
    })
    const cut = bridge({ SVC_API_KEY: key, SVC_MCP_URL: url })
    expect((await cut.ask({ id: 1, method: 'ping' })).error.message).toMatch(/closed before it had answered/)
    const away = bridge({ SVC_API_KEY: key, SVC_MCP_URL: 'http://192.0.2.1/api/mcp/svc' })
    expect((await away.ask({ id: 1, method: 'ping' })).error.message).toMatch(/address of this computer/)
  })
})
