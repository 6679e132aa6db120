/**
 * The servers around an attacking page: the attacker's own, one that answers for a name until the name is rebound,
 * and a permissive victim, which proves that every method of the page works if nothing rejects it.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'

const PAGE = '<!doctype html><meta charset="utf-8"><title>A page</title><body>'
const FONT = createRequire(import.meta.url).resolve(
  '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
)

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

export interface Attacker {
  port: number
  close(): Promise<void>
}

/** Closes a server with all its connections, including upgraded ones. */
function closing(server: Server): () => Promise<void> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }
}

/** Serves an empty page, and redirects to the address in `/redirect?to=`. */
export async function startAttacker(): Promise<Attacker> {
  const server = createServer((request, response) => {
    const to = new URL(request.url ?? '', 'http://a').searchParams.get('to')
    const open = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    if (to === null) response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
    else response.writeHead(307, { ...open, location: to }).end()
  })
  const close = closing(server)
  return { port: await listening(server), close }
}

/**
 * Serves a name that is rebound: the attacker's page at first and, after `flip`, byte by byte the server that listens
 * on `port`.
 */
export async function startRebinding(port: number): Promise<Attacker & { flip(): void }> {
  let flipped = false
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    if (flipped) {
      const victim = connect(port, '127.0.0.1')
      victim.on('error', () => socket.destroy())
      socket.on('close', () => victim.destroy())
      socket.pipe(victim).pipe(socket)
      return
    }
    socket.once('data', () =>
      socket.end(
        `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\ncontent-length: ${PAGE.length}\r\n\r\n${PAGE}`,
      ),
    )
  })
  const close = closing(server)
  return {
    port: await listening(server),
    flip: () => {
      flipped = true
    },
    close,
  }
}

/** The secret of the mock server. */
export const SECRET = 'what only the owner may read'

/** A second of silence. */
function silence(): Buffer {
  const samples = 8000
  const head = Buffer.alloc(44)
  head.write('RIFF')
  head.writeUInt32LE(36 + samples, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(samples, 24)
  head.writeUInt32LE(samples, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples, 40)
  return Buffer.concat([head, Buffer.alloc(samples, 0x80)])
}
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
const SCRIPT = 'text/javascript'
const SAY = `const secret = '${SECRET}'; const name = new URLSearchParams(location.search).get('in') ?? '';`
const ANSWERS: Readonly<Record<string, readonly [type: string, body: string | Buffer]>> = {
  text: ['application/json', JSON.stringify({ secret: SECRET })],
  script: [SCRIPT, `globalThis.readByScript = '${SECRET}'`],
  module: [SCRIPT, `export const secret = '${SECRET}'`],
  worker: [SCRIPT, `postMessage('${SECRET}')`],
  'shared-worker': [SCRIPT, `onconnect = ({ ports }) => ports[0].postMessage('${SECRET}')`],
  'service-worker': [SCRIPT, ''],
  style: ['text/css', `:root { --read-by-style: "${SECRET}" }`],
  image: ['image/png', PICTURE],
  sound: ['audio/wav', silence()],
  font: ['font/woff2', readFileSync(FONT)],
  subtitles: ['text/vtt', `WEBVTT\n\n00:00.000 --> 00:01.000\n${SECRET}\n`],
  events: ['text/event-stream', `data: ${SECRET}\n\n`],
  document: [
    'text/html',
    `${PAGE}${SECRET}<iframe></iframe><script>${SAY}
      (opener ?? parent).postMessage(secret + name, '*')</script>`,
  ],
}

export interface StandIn extends Attacker {
  /** The methods that have changed something. */
  changedBy: ReadonlySet<string>
}

/** Starts a server that answers every request and executes every change. */
export async function startStandIn(): Promise<StandIn> {
  const changedBy = new Set<string>()
  const wayOf = (request: IncomingMessage): URLSearchParams =>
    new URL(request.url ?? '', 'http://a').searchParams
  const server = createServer((request, response: ServerResponse) => {
    const asked = wayOf(request)
    const [type, body] = ANSWERS[asked.get('as') ?? ''] ?? ['text/html', PAGE]
    const { origin = '*' } = request.headers
    response.writeHead(200, {
      'content-type': type,
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers':
        request.headers['access-control-request-headers'] ?? 'authorization, content-type',
      'access-control-expose-headers': '*',
      'timing-allow-origin': '*',
      'service-worker-allowed': '/',
      'set-cookie': `kept=${SECRET.replaceAll(' ', '-')}`,
      'cache-control': 'no-store',
    })
    response.end(request.method === 'HEAD' || request.method === 'OPTIONS' ? undefined : body)
    if (request.method !== 'OPTIONS') changedBy.add(asked.get('way') ?? '')
  })
  server.on('upgrade', (request, socket) => {
    changedBy.add(wayOf(request).get('way') ?? '')
    const accepted = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64')
    socket.on('error', () => {})
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accepted}\r\n\r\n`,
    )
    socket.write(Buffer.concat([Buffer.from([0x81, SECRET.length]), Buffer.from(SECRET)]))
  })
  const close = closing(server)
  return { port: await listening(server), changedBy, close }
}
