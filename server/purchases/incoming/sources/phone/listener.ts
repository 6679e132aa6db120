/**
 * Listens for one phone: on one private address, a port of the system's choice and a path with a token of 128 bits. The
 * first phone that opens the page is the only one that is answered. It can hand files in and ask for nothing else.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MAX_FILE_BYTES } from '../../../../domain/media-types.ts'
import { PHONE_POLICY, phonePage } from './page.ts'
import type { PhoneLanguage } from './page.ts'

/** What becomes of a file. */
export type Received = 'added' | 'known' | 'refused'

interface ListenerOptions {
  address: string
  language: PhoneLanguage
  /** Called with each file, one at a time. */
  receive: (name: string, bytes: Uint8Array<ArrayBuffer>) => Promise<Received>
  /** Called when the phone has opened the page. */
  onConnected: () => void
  /** Called when no more files are taken. */
  onFull: () => void
}

export interface PhoneListener {
  url: string
  close(): void
}

const MOST_FILES = 20
/** Wrong requests of one address, after which it gets no answer. */
const MOST_WRONG = 20
const REQUEST_MS = 120_000

const HEADERS = {
  'Content-Security-Policy': PHONE_POLICY,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const

/** Begins to listen. */
export async function listenForPhone(options: ListenerOptions): Promise<PhoneListener> {
  const token = randomBytes(16).toString('base64url')
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: 10_000, maxHeaderSize: 8_192 })
  server.maxConnections = 16
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, options.address, resolve)
  })
  const { port } = server.address() as AddressInfo
  const phone = new Phone(options, { token, host: `${options.address}:${port}` })
  server.on('request', (request, response) => {
    phone.answer(request, response).catch(() => response.destroy())
  })
  return { url: `http://${options.address}:${port}/${token}`, close: () => end(server) }
}

function end(server: Server): void {
  server.close()
  server.closeAllConnections()
}

class Phone {
  private readonly options: ListenerOptions
  private readonly host: string
  private readonly token: Buffer
  /** The address of the first phone. */
  private phone: string | null = null
  private files = 0
  private readonly wrong = new Map<string, number>()
  /** One file at a time is in memory. */
  private busy: Promise<unknown> = Promise.resolve()

  constructor(options: ListenerOptions, { token, host }: { token: string; host: string }) {
    this.options = options
    this.host = host
    this.token = Buffer.from(token)
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const from = request.socket.remoteAddress ?? ''
    if ((this.wrong.get(from) ?? 0) >= MOST_WRONG) return say(response, 429)
    const { host, origin } = request.headers
    // A page elsewhere that a browser was lured to has another name or origin.
    if (host !== this.host || (origin !== undefined && origin !== `http://${this.host}`))
      return this.refuse(from, response)
    const url = new URL(request.url ?? '/', `http://${this.host}`)
    const [, token = '', what = null, ...rest] = url.pathname.split('/')
    if (rest.length > 0 || !this.isToken(token) || (this.phone !== null && this.phone !== from))
      return this.refuse(from, response)
    if (what === null && request.method === 'GET') return this.showPage(from, response)
    if (what !== 'files' || request.method !== 'POST' || origin === undefined || this.phone !== from)
      return this.refuse(from, response)
    const name = (url.searchParams.get('name') ?? '').slice(0, 500)
    const mine = this.busy.then(() => this.takeFile(name, request, response))
    this.busy = mine.catch(() => {})
    return mine
  }

  private isToken(given: string): boolean {
    const bytes = Buffer.from(given)
    return bytes.length === this.token.length && timingSafeEqual(bytes, this.token)
  }

  private refuse(from: string, response: ServerResponse): void {
    if (this.wrong.size < 1_000) this.wrong.set(from, (this.wrong.get(from) ?? 0) + 1)
    say(response, 404)
  }

  private showPage(from: string, response: ServerResponse): void {
    if (this.phone === null) {
      this.phone = from
      this.options.onConnected()
    }
    response.writeHead(200, { ...HEADERS, 'Content-Type': 'text/html; charset=utf-8' })
    response.end(phonePage(this.options.language))
  }

  private async takeFile(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.files >= MOST_FILES) return say(response, 429)
    const bytes = await bodyOf(request)
    if (bytes === null) return say(response, 413)
    this.files += 1
    const state = await this.options.receive(name, bytes)
    say(response, state === 'refused' ? 415 : 200, { state })
    if (this.files >= MOST_FILES) response.once('finish', () => this.options.onFull())
  }
}

function say(response: ServerResponse, status: number, body: object = {}): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    ...HEADERS,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
  })
  response.end(text)
}

/** Reads the body of an upload; null if it is larger than a file may be. */
async function bodyOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_FILE_BYTES) return null
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length > MAX_FILE_BYTES) return null
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}
