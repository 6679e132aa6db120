/** Servers of an office as real processes: first invoice, probes, metrics, and an orderly end. */
import { get } from 'node:http'
import { describe, expect, test } from 'vitest'
import { startChild } from '../../../support/children/run.ts'
import {
  callRest,
  COMMAND_LINE,
  issueBy,
  setUpOffice,
  startOffice,
} from '../../../support/postgres/office-process.ts'
import { officeTerminal } from '../../../support/postgres/office-terminal.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'

/** Asks with a Host header of its own. */
function statusFor(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    }).on('error', reject)
  })
}

/** Returns the samples of a metric: the value by its labels as written. */
function samplesOf(text: string, name: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => new RegExp(`^${name}[ {]`).test(line))
  return Object.fromEntries(
    lines.map((line) => {
      const [, labels = '', value = ''] = /^[a-z_]+(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      return [labels, Number(value)]
    }),
  )
}

test('the first invoice: a company, a key, and a draft that is issued; its server is asked, measured and stopped', async () => {
  const at = await officeTerminal()
  const key = await setUpOffice(at, EXAMPLE_COMPANY)
  const server = await startOffice(at, [
    '--public-url',
    'https://office.example',
    '--trust-proxy',
    '127.0.0.1',
    '--log-requests',
    '--work',
    'none',
    '--drain',
    '1',
  ])
  const number = await issueBy((path, body) => callRest(server.url, key, path, body))
  expect(number).toMatch(/1$/)

  // Its names: its own, the public one, and the one that a proxy forwards.
  const list = `${server.url}/api/v1/invoices`
  const keyed = { authorization: `Bearer ${key}` }
  expect(await statusFor(list, { ...keyed, host: 'office.example' })).toBe(200)
  expect(await statusFor(list, { ...keyed, host: 'app', 'x-forwarded-host': 'office.example' })).toBe(200)
  expect(await statusFor(list, { ...keyed, host: 'evil.example' })).toBe(403)
  expect(await statusFor(list, { host: 'office.example' })).toBe(401)
  // The window answers its page to everybody, and calls to those who have signed in.
  const asked = await fetch(`${server.url}/app/call/session.get`, { method: 'POST', body: '{}' })
  expect([asked.status, ((await asked.json()) as { error: { code: string } }).error.code]).toEqual([
    403,
    'origin_not_allowed',
  ])

  for (const base of [server.url, server.metricsUrl]) {
    const health = await fetch(`${base}/health`)
    expect([health.status, await health.json()]).toEqual([
      200,
      { status: 'ok', eventLoopLagMs: expect.any(Number) },
    ])
    const ready = await fetch(`${base}/ready`)
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }])
  }
  expect(await statusFor(`${server.url}/ready`, { host: '10.0.0.7:4545' })).toBe(200)
  expect(await statusFor(`${server.url}/metrics`, {})).toBe(404)

  const metrics = await (await fetch(`${server.metricsUrl}/metrics`)).text()
  expect(samplesOf(metrics, 'sello_requests_total')).toMatchObject({
    'operation="invoices.issue",status="200"': 1,
    'operation="invoices.list",status="200"': 2,
    'operation="other",status="404"': 1,
  })
  expect(samplesOf(metrics, 'sello_request_seconds_count')).toMatchObject({ 'operation="invoices.issue"': 1 })
  expect(samplesOf(metrics, 'sello_lock_seconds_count')['']).toBeGreaterThan(2)
  expect(samplesOf(metrics, 'sello_lock_statements_sum')['']).toBeGreaterThan(10)
  expect(samplesOf(metrics, 'sello_transactions_open')).toEqual({ '': 0 })
  expect(samplesOf(metrics, 'sello_pool_connections')['pool="write",state="busy"']).toBe(0)
  expect(samplesOf(metrics, 'sello_queue_oldest_seconds')).toMatchObject({ 'queue="mail"': 0 })
  // Nobody works: the record and the document of the invoice wait.
  for (const queue of ['registry', 'documents'])
    expect(samplesOf(metrics, 'sello_queue_oldest_seconds')[`queue="${queue}"`], queue).toBeGreaterThan(0)
  expect(samplesOf(metrics, 'sello_records_unsent')).toEqual({ '': 0 })
  expect(samplesOf(metrics, 'sello_commit_synchronous')).toEqual({ '': 0 })
  expect(samplesOf(metrics, 'sello_ready')).toEqual({ '': 1 })
  expect(Object.values(samplesOf(metrics, 'sello_readings_failed'))).toEqual([0, 0, 0])
  // Nothing of a company, a person, a key or a document.
  for (const name of [EXAMPLE_COMPANY.nif, EXAMPLE_COMPANY.legalName, 'Beltrán', '50123456Q', number, key])
    expect(metrics).not.toContain(name)
  expect(metrics).not.toMatch(/(com|book|inv|key|con)_[0-9a-z]{16}/)

  expect(await server.stop()).toBe(0)
  const events = server.logged().map(({ event }) => event)
  expect(events).toEqual(expect.arrayContaining(['started', 'request', 'stopping', 'stopped']))
  const issued = server.logged().find(({ route }) => String(route).endsWith('/issue'))
  expect(issued).toMatchObject({
    status: 200,
    ms: expect.any(Number),
    requestId: expect.stringMatching(/^req_/),
  })
  const { rows } = await at.database.pools.readers.query('select id from office_servers')
  expect(rows).toEqual([])
})

describe('the end of a server', () => {
  test('is told to proxies first; open requests and streams end, and later ones are refused', async () => {
    const at = await officeTerminal()
    const key = await setUpOffice(at, EXAMPLE_COMPANY)
    const server = await startOffice(at, ['--drain', '2'])
    const stream = await fetch(`${server.url}/api/v1/events/stream`, {
      headers: { authorization: `Bearer ${key}` },
    })
    let streamed = ''
    const streamEnds = (async () => {
      for await (const piece of stream.body!) streamed += Buffer.from(piece).toString()
    })()
    await expect.poll(() => streamed).toContain('retry: 3000')

    // A transaction of the same company holds its lock: the request is open when the server is asked to end.
    const client = await at.database.admin.connect()
    await client.query('begin')
    await client.query('select id from companies for no key update')
    const waiting = callRest(server.url, key, 'contacts', { name: 'Ana Beltrán Ruiz', nif: '50123456Q' })
    const ended = server.stop()
    await expect
      .poll(async () => (await fetch(`${server.url}/ready`)).json())
      .toEqual({ status: 'not_ready', reason: 'stopping' })
    const late = await callRest(server.url, key, 'contacts')
    expect([late.status, late.headers.get('connection')]).toEqual([200, 'close'])
    await expect
      .poll(async () => (await callRest(server.url, key, 'contacts')).body.error?.code, { interval: 50 })
      .toBe('office_server_ending')
    await client.query('rollback')
    client.release()
    expect((await waiting).status).toBe(201)
    await streamEnds
    expect(streamed).toMatch(/retry: ([1-9]\d{3}|10000)\n\n$/)
    expect(await ended).toBe(0)
    // The only thing in the database that names a server is gone.
    const { rows } = await at.database.pools.readers.query('select id from office_servers')
    expect(rows).toEqual([])
  })

  test('a server without a door answers probes only', async () => {
    const at = await officeTerminal()
    const child = startChild(
      COMMAND_LINE,
      ['office', 'serve', '--no-door', '--work', 'none', '--metrics', '127.0.0.1:0'],
      { env: { PATH: process.env.PATH, ...at.env } },
    )
    const line = (await child.line()) as { url: null; metricsUrl: string; work: string[] }
    expect(line).toMatchObject({ url: null, work: [] })
    expect((await fetch(`${line.metricsUrl}/ready`)).status).toBe(200)
    child.process.kill('SIGTERM')
    await child.ended()
    expect(child.process.exitCode).toBe(0)
  })
})

describe('the options of office serve', () => {
  test.each([
    [['--listen', 'office.example:80'], 'listen'],
    [['--listen', '127.0.0.1'], 'listen'],
    [['--listen', '127.0.0.1:70000'], 'listen'],
    [['--listen', '0.0.0.0:4545'], 'listen'],
    [['--listen', '127.0.0.1:4545', '--no-door'], 'no-door'],
    [['--trust-proxy', '0.0.0.0/0'], 'trust-proxy'],
    [['--trust-proxy', '10.0.0.0/8'], 'trust-proxy'],
    [['--trust-proxy', '::/0'], 'trust-proxy'],
    [['--trust-proxy', 'true'], 'trust-proxy'],
    [['--public-url', 'office.example'], 'public-url'],
    [['--public-url', 'https://office.example/sello'], 'public-url'],
    [['--metrics', '9464'], 'metrics'],
    [['--connections', '0'], 'connections'],
    [['--drain', '31'], 'drain'],
    [['--work', 'documents,laundry'], 'work'],
  ])('%j is refused', async (argv, field) => {
    const at = await officeTerminal()
    const ran = await at.run('office', 'serve', ...argv)
    expect([ran.code, ran.answer.error]).toMatchObject([
      1,
      { code: 'validation_failed', details: { faults: [{ field }] } },
    ])
  })

  test('a port that is taken is named', async () => {
    const at = await officeTerminal()
    const server = await startOffice(at, ['--drain', '0'])
    const { port } = new URL(server.url)
    const ran = await at.run('office', 'serve', '--listen', `127.0.0.1:${port}`)
    expect([ran.code, ran.answer.error]).toMatchObject([
      3,
      { code: 'port_taken', details: { port: Number(port) } },
    ])
    expect(await server.stop()).toBe(0)
  })
})
