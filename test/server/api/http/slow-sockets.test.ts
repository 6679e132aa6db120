/** Slow clients over real sockets: they are closed in time, and lock out nobody. */
import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createIdMaker } from '../../../../server/domain/ids.ts'
import { createBareServer } from '../../../../server/api/http/bare.ts'
import { CONNECTION_BOUNDS } from '../../../../server/api/http/connections.ts'
import { OwnAddress } from '../../../../server/api/http/guard.ts'

const SLOW = 300
const closers: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function startServer(timeouts?: Parameters<typeof createBareServer>[0]['timeouts']) {
  const address = new OwnAddress(0)
  const app = createBareServer({
    newId: createIdMaker(() => Date.now()),
    now: () => new Date(),
    log: () => {},
    address,
    uiDir: null,
    ...(timeouts ? { timeouts } : {}),
  })
  let isEntered = (): void => {}
  const entered = new Promise<void>((resolve) => (isEntered = resolve))
  let leave = (): void => {}
  const left = new Promise<void>((resolve) => (leave = resolve))
  app.get('/healthz', async () => 'up')
  app.post('/swallow', async () => 'all of it')
  app.get('/long', async () => {
    isEntered()
    await left
    return 'at last'
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  address.setPort(port)
  closers.push(() => app.close())
  return { port, entered, leave: () => leave() }
}

/** Opens a socket, sends a partial request, and then nothing. */
async function slow(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  closers.push(() => socket.destroy())
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

const health = (port: number) =>
  fetch(`http://127.0.0.1:${port}/healthz`, {
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(5_000),
  })

test.each([
  ['headers', (port: number) => `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Slow: a`],
  ['nothing at all', () => ''],
  [
    'bodies',
    (port: number) =>
      `POST /swallow HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  ],
])('300 sockets that send %s slowly do not lock out other clients', async (_what, text) => {
  const { port } = await startServer()
  const sockets: Socket[] = []
  for (let index = 0; index < SLOW; index++) sockets.push(await slow(port, text(port)))
  for (let index = 0; index < 5; index++) expect((await health(port)).status).toBe(200)
  const left = sockets.filter(({ closed, destroyed }) => !closed && !destroyed)
  expect(left.length).toBeLessThanOrEqual(CONNECTION_BOUNDS.waitingPerPeer)
  // The newest ones remain.
  expect(left.includes(sockets.at(-1)!)).toBe(true)
})

test('a request that is being answered is not closed in their favour', async () => {
  const { port, entered, leave } = await startServer()
  const answer = fetch(`http://127.0.0.1:${port}/long`)
  await entered
  for (let index = 0; index < SLOW; index++) await slow(port, 'GET')
  leave()
  expect(await (await answer).text()).toBe('at last')
})

test('a slow request is aborted at its time limit, not half a minute later', async () => {
  const { port } = await startServer({ headersMs: 200, requestMs: 400, checkEveryMs: 50 })
  const headers = await slow(port, `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX: a`)
  const body = await slow(
    port,
    `POST /swallow HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  )
  const answers = await Promise.all(
    [headers, body].map(async (socket) => {
      let text = ''
      socket.on('data', (part) => (text += String(part)))
      await once(socket, 'close')
      return text.slice(0, 12)
    }),
  )
  expect(answers).toEqual(['HTTP/1.1 408', 'HTTP/1.1 408'])
})
