/** Replacing the servers of an office one after another, under load: no request fails. */
import { Agent, createServer, request as ask } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { callRest, issueBy, setUpOffice, startOffice } from '../../../support/postgres/office-process.ts'
import type { OfficeProcess } from '../../../support/postgres/office-process.ts'
import { officeTerminal } from '../../../support/postgres/office-terminal.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'

const PROBE_MS = 150
/** A server that ends is still asked for this long: some probes. */
const BRIEF = ['--drain', '1']

/** A proxy as one is configured before an office: in turn to those that are ready, and no second try. */
class Proxy {
  private readonly agent = new Agent({ keepAlive: true })
  private readonly ready = new Set<string>()
  private turn = 0
  readonly passed = new Map<string, number>()
  private readonly server: Server = createServer((request, response) => this.pass(request, response))
  private readonly probing: NodeJS.Timeout

  constructor(bases: readonly string[]) {
    this.probing = setInterval(() => bases.forEach((base) => void this.probe(base)), PROBE_MS)
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async whenReady(base: string): Promise<void> {
    await expect.poll(() => this.ready.has(base), { timeout: 60_000 }).toBe(true)
  }

  private async probe(base: string): Promise<void> {
    const isReady = await fetch(`${base}/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) this.ready.add(base)
    else this.ready.delete(base)
  }

  private pass(request: IncomingMessage, response: ServerResponse): void {
    const bases = [...this.ready].toSorted()
    const base = bases[this.turn++ % Math.max(1, bases.length)]
    const fail = (status: number): void => {
      response.writeHead(status).end()
    }
    if (base === undefined) return fail(503)
    this.passed.set(base, (this.passed.get(base) ?? 0) + 1)
    const { method, url, headers } = request
    const { connection: _connection, ...rest } = headers
    const on = ask(
      `${base}${url ?? ''}`,
      { method: method ?? 'GET', headers: { ...rest, host: new URL(base).host }, agent: this.agent },
      (answer) => {
        const { connection: _own, 'keep-alive': _time, ...own } = answer.headers
        response.writeHead(answer.statusCode ?? 502, own)
        answer.pipe(response)
      },
    )
    on.on('error', () => (response.headersSent ? response.destroy() : fail(502)))
    request.pipe(on)
  }

  close(): void {
    clearInterval(this.probing)
    this.agent.destroy()
    this.server.close()
    this.server.closeAllConnections()
  }
}

test('two servers are restarted one after another while clients read, write and issue', async () => {
  const at = await officeTerminal()
  const key = await setUpOffice(at, EXAMPLE_COMPANY)
  const servers: OfficeProcess[] = await Promise.all([startOffice(at, BRIEF), startOffice(at, BRIEF)])
  const bases = servers.map(({ url }) => url)
  const proxy = new Proxy(bases)
  onTestFinished(() => proxy.close())
  const through = await proxy.listen()
  for (const base of bases) await proxy.whenReady(base)

  const counts = { answered: 0, failed: [] as string[], numbers: [] as string[] }
  let isOver = false
  const call = async (path: string, body?: unknown): Promise<Awaited<ReturnType<typeof callRest>>> => {
    const answer = await callRest(through, key, path, body)
    if (answer.status >= 400) counts.failed.push(`${path} ${answer.status} ${JSON.stringify(answer.body)}`)
    else counts.answered += 1
    return answer
  }
  const client = async (work: () => Promise<unknown>): Promise<void> => {
    while (!isOver) {
      await work().catch((error: unknown) => counts.failed.push(String(error)))
      await pause(120)
    }
  }
  let made = 0
  const clients = [
    client(() => call('contacts')),
    client(() => call('invoices?state=issued')),
    client(() => call('contacts', { name: `Cliente ${made++}` })),
    client(async () => counts.numbers.push(await issueBy(call))),
  ]
  for (const [index, server] of servers.entries()) {
    const { host } = new URL(server.url)
    const before = proxy.passed.get(server.url) ?? 0
    expect(await server.stop()).toBe(0)
    const next = await startOffice(at, [...BRIEF, '--listen', host])
    expect(next.url).toBe(server.url)
    servers[index] = next
    await proxy.whenReady(server.url)
    // It is used again before the next one ends.
    await expect.poll(() => proxy.passed.get(server.url) ?? 0).toBeGreaterThan(before + 2)
  }
  isOver = true
  await Promise.all(clients)
  console.log(
    `rolling restart: ${counts.answered} requests answered, ${counts.failed.length} failed, ${counts.numbers.length} invoices`,
  )
  expect(counts.failed).toEqual([])
  expect(counts.answered).toBeGreaterThan(30)
  // Numbers without gaps, each once, in one line over both servers.
  const ordinals = counts.numbers.map((number) => Number(/(\d+)$/.exec(number)?.[1]))
  expect(ordinals).toEqual(ordinals.map((_, index) => index + 1))
  for (const server of servers) expect(await server.stop()).toBe(0)
  expect((await at.run('office', 'verify')).answer).toMatchObject({ ok: true, wrong: 0 })
})
