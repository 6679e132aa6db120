/** Self-check of the MCP address: success with its duration, or the problem as one code. */
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { startRunning } from '../../api/mcp/running.ts'
import type { Running } from '../../api/mcp/running.ts'

let running: Running
beforeAll(async () => {
  running = await startRunning()
})
afterAll(() => running.close())

const check = (key: string) => running.run('assistants.check', { key })

/** Sets the address that Sello assumes for itself. */
function pretend(url: string | null): void {
  const { env } = running.sello
  const { address } = env
  env.address = { ...address, mcpUrl: url }
  onTestFinished(() => void (env.address = address))
}

async function other(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/mcp/svc`
}

test('with a valid key every step works, and the check is not taken for the assistant', async () => {
  const made = await running.makeKey()
  const answer = await check(`  ${made.key}\n`.trim())
  expect(answer).toMatchObject({ ok: true, trouble: null, tools: 9, company: expect.any(String) })
  expect(answer.steps.map(({ step }) => step)).toEqual(['connect', 'key', 'tools', 'company'])
  expect(answer.ms).toBeGreaterThanOrEqual(answer.steps.at(-1)!.ms)
  const { items } = await running.run('assistants.clients', {})
  expect(items.find(({ keyId }) => keyId === made.id)).toMatchObject({ name: null, calls: 1 })
  const { items: calls } = await running.run('assistants.calls', { keyId: made.id })
  expect(calls[0]).toMatchObject({
    tool: 'svc_get_company_context',
    client: expect.stringMatching(/^Sello /),
  })
})

test('a wrong key reaches Sello and is rejected there; one without access to the company completes the check', async () => {
  const wrong = await check('svc_test_wrong')
  expect(wrong.trouble).toEqual({ step: 'key', kind: 'key_refused', code: null })
  expect(wrong.steps.map(({ step }) => step)).toEqual(['connect'])
  const narrow = await running.makeKey({ scopes: ['invoices.read'] })
  expect((await check(narrow.key)).trouble).toEqual({
    step: 'company',
    kind: 'refused',
    code: 'scope_missing',
  })
})

test(
  'a missing port, a closed one, another program and a silent one are reported',
  { timeout: 20_000 },
  async () => {
    const { key } = await running.makeKey()
    const kindAt = async (url: string | null): Promise<string | undefined> => {
      pretend(url)
      return (await check(key)).trouble?.kind
    }
    expect(await kindAt(null)).toBe('no_port')
    expect(await kindAt('http://127.0.0.1:9/api/mcp/svc')).toBe('no_answer')
    expect(await kindAt(await other((_request, response) => response.end('<html>')))).toBe('not_sello')
    const stranger = '{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"other"}}}'
    expect(await kindAt(await other((_request, response) => response.end(stranger)))).toBe('not_sello')
    expect(await kindAt(await other((_request, response) => response.destroy()))).toBe('no_answer')
    // A fiftieth of the wait.
    const wait = AbortSignal.timeout.bind(AbortSignal)
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => wait(ms / 50))
    onTestFinished(() => timeout.mockRestore())
    expect(await kindAt(await other(() => {}))).toBe('too_slow')
    expect(timeout).toHaveBeenCalledWith(5_000)
  },
)
