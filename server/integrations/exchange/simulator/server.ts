/**
 * The simulated platform as an HTTPS server with mutual TLS on this computer, and its control port with the page that shows
 * what it holds. It listens on 127.0.0.1 only. docs/guides/e-invoice-twin.md explains its use.
 */
import { randomBytes } from 'node:crypto'
import { readBody, startControlServer, startTlsServer } from '../../../platform/simulated-authority/index.ts'
import type { TlsServerOptions } from '../../../platform/simulated-authority/index.ts'
import { webPage } from '../../../platform/simulated-authority/start.ts'
import { MESSAGE_BYTES } from '../wire/limits.ts'
import { readPowers } from './authority.ts'
import type { Power } from './authority.ts'
import { createPlatformFaultControl, PLATFORM_FAULT_PLACES, readPlatformFault } from './faults.ts'
import type { PlatformFaultControl } from './faults.ts'
import { platformPage } from './page.ts'
import { createPlatform } from './platform.ts'
import type { PlatformOptions, PlatformReply } from './platform.ts'
import { memoryPlatformState } from './state.ts'
import type { MemoryPlatformState } from './state.ts'

export interface PlatformServerOptions
  extends Partial<Omit<PlatformOptions, 'faults' | 'state'>>, Omit<TlsServerOptions, 'now' | 'admits'> {
  state?: MemoryPlatformState
  /** A second port, without TLS, for faults, lists and the page; none by default. */
  controlPort?: number
  maxBodyBytes?: number
}

interface PlatformServer {
  /** Address of the service, with a slash at its end. */
  url: string
  /** Null without a control port. */
  controlUrl: string | null
  pageUrl: string | null
  port: number
  /** The root certificate that a client must trust. */
  caPem: string
  control: PlatformFaultControl
  state: MemoryPlatformState
  /** Closes every connection and stops listening. */
  close: () => Promise<void>
}

/** Starts the server. Rejects when a port is in use. */
export async function startPlatformServer(options: PlatformServerOptions = {}): Promise<PlatformServer> {
  const now = options.now ?? (() => new Date())
  const control = createPlatformFaultControl()
  const state = options.state ?? memoryPlatformState()
  const powers: Power[] = [...(options.powers ?? [])]
  const platform = createPlatform({ newCsv, ...options, state, now, powers, faults: control })

  const server = await startTlsServer(
    { ...options, now, admits: () => platform.admits() },
    async (request, response, { fault, nifs }) => {
      const body = await readBody(request, options.maxBodyBytes ?? MESSAGE_BYTES)
      const reply: PlatformReply =
        body === 'too_large'
          ? tooLarge()
          : await platform.handle({
              method: request.method ?? '',
              path: new URL(request.url ?? '/', 'https://127.0.0.1').pathname.slice(1),
              contentType: request.headers['content-type'] ?? '',
              body,
              callers: fault ? null : nifs,
            })
      if (reply.kind === 'dropped') {
        request.socket.destroy()
        return
      }
      response
        .writeHead(reply.status, { ...reply.headers, 'content-length': reply.body.length })
        .end(reply.body)
    },
  )
  const controlServer =
    options.controlPort === undefined
      ? null
      : await startControlServer({
          port: options.controlPort,
          control,
          readFault: readPlatformFault,
          on: PLATFORM_FAULT_PLACES,
          onError: 'on_is_change_read_or_any',
          lists: {
            invoices: () => state.all().map(({ xml: _xml, ...facts }) => facts),
            messages: () => platform.log(),
            powers: () => powers,
          },
          registers: {
            powers: (value) => {
              const read = readPowers(value)
              if (read) powers.splice(0, powers.length, ...read)
              return read !== null
            },
          },
          page: (url) => platformPage(url, { state, log: platform.log(), powers }),
        }).catch(async (error: unknown) => {
          await server.close()
          throw error
        })
  return {
    url: `https://127.0.0.1:${server.port}/`,
    controlUrl: controlServer?.url ?? null,
    pageUrl: controlServer ? new URL('/', controlServer.url).href : null,
    port: server.port,
    caPem: server.caPem,
    control,
    state,
    close: async () => {
      await controlServer?.close()
      await server.close()
    },
  }
}

const CSV_SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns 16 characters: 80 random bits. */
function newCsv(): string {
  return Array.from(randomBytes(16), (byte) => CSV_SIGNS[byte & 31]).join('')
}

function tooLarge(): PlatformReply {
  return {
    kind: 'answered',
    status: 413,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: Buffer.from(webPage('Demasiado grande', 'El mensaje no cabe.'), 'utf8'),
  }
}
