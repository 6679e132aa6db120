/**
 * The simulated filing services as an HTTPS server with mutual TLS on this computer, at the real services' paths: for tests
 * of the transport and for authors of clients. It listens on 127.0.0.1 only. docs/authority.md explains its use.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody, startControlServer, startTlsServer } from '../../../platform/simulated-authority/index.ts'
import type { TlsServerOptions } from '../../../platform/simulated-authority/index.ts'
import { page } from './answers.ts'
import { readReturnsFault, RETURNS_FAULT_PLACES } from './faults.ts'
import { createReturnsFaultControl, createReturnsSimulator, memoryReturnsState } from './index.ts'
import { readPowers } from './registry.ts'
import type { Power } from './registry.ts'
import type {
  MemoryReturnsState,
  ReturnsFaultControl,
  ReturnsSimulatorOptions,
  ReturnsState,
  SimulatedAnswer,
} from './index.ts'

interface ReturnsServerOptions
  extends Partial<Omit<ReturnsSimulatorOptions, 'faults'>>, Omit<TlsServerOptions, 'now'> {
  /** A second port, without TLS, for setting faults and reading what is held; none by default. */
  controlPort?: number
  /** Maximum body size that is read: a block of informative records has up to 20 MB. */
  maxBodyBytes?: number
}

export interface ReturnsServer {
  /** Origin of all services. */
  url: string
  /** Null without a control port. */
  controlUrl: string | null
  port: number
  /** The root certificate that a client must trust. */
  caPem: string
  control: ReturnsFaultControl
  /** The state that the server holds; null when the caller gave one that is not in memory. */
  state: MemoryReturnsState | null
  /** Closes every connection and stops listening. */
  close: () => Promise<void>
}

/** Starts the server. Rejects when the port is in use. */
export async function startReturnsServer(options: ReturnsServerOptions = {}): Promise<ReturnsServer> {
  const now = options.now ?? (() => new Date())
  const control = createReturnsFaultControl()
  const given = options.state ?? memoryReturnsState()
  const state = isMemory(given) ? given : null
  const powers: Power[] = [...(options.powers ?? [])]
  const simulator = createReturnsSimulator({ ...options, state: given, now, faults: control, powers })

  const server = await startTlsServer({ ...options, now }, async (request, response, { fault, nifs }) => {
    const body = await readBody(request, options.maxBodyBytes ?? 24 * 1024 * 1024)
    if (body === 'too_large') return send(response, page(413, 'Demasiado grande', 'El mensaje no cabe.'))
    const answer = await simulator.handle({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: headersOf(request),
      body,
      callers: fault ? null : nifs,
    })
    send(response, answer)
  })
  const controlServer =
    options.controlPort === undefined
      ? null
      : await startControlServer({
          port: options.controlPort,
          control,
          readFault: readReturnsFault,
          on: RETURNS_FAULT_PLACES,
          onError: 'on_is_file_validate_query_document_informative_or_any',
          lists: {
            powers: () => powers,
            ...(state ? { declared: () => state.allDeclared(), sendings: () => state.allSendings() } : {}),
          },
          registers: {
            powers: (value) => {
              const read = readPowers(value)
              if (read) powers.splice(0, powers.length, ...read)
              return read !== null
            },
          },
        }).catch(async (error: unknown) => {
          await server.close()
          throw error
        })
  return {
    url: `https://127.0.0.1:${server.port}`,
    controlUrl: controlServer?.url ?? null,
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

function isMemory(state: ReturnsState): state is MemoryReturnsState {
  return 'allDeclared' in state
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const single = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ])
  return Object.fromEntries(single)
}

function send(response: ServerResponse, answer: SimulatedAnswer): void {
  if (answer.kind === 'dropped') {
    response.socket?.destroy()
    return
  }
  const { status, headers, body } = answer
  response.writeHead(status, { ...headers, 'content-length': body.length }).end(body)
}
