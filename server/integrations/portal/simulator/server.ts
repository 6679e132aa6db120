/**
 * The simulated portal as an HTTPS server on this computer, at the real service's path: for tests of the transport and for
 * authors of clients. It listens on 127.0.0.1 only. A page at `/` shows what it holds, and the control port moves invoices
 * from state to state; docs/portal.md explains its use.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  makeAuthorityCa,
  readBody,
  startControlServer,
  startTlsServer,
} from '../../../platform/simulated-authority/index.ts'
import type { TlsServerOptions } from '../../../platform/simulated-authority/index.ts'
import { PORTAL_FAULT_PLACES, readPortalFault } from './faults.ts'
import { portalIdentity } from './identity.ts'
import { createPortalFaultControl, createPortalSimulator, memoryInvoices } from './index.ts'
import type {
  HeldInvoice,
  MemoryInvoices,
  PortalFaultControl,
  PortalSimulator,
  SimulatedAnswer,
  SimulatedUnits,
} from './index.ts'
import { MEANINGS, moved } from './state.ts'

interface PortalServerOptions extends Omit<TlsServerOptions, 'now'> {
  now?: () => Date
  /** A second port, without TLS, for states and faults; none by default. */
  controlPort?: number
  units?: readonly SimulatedUnits[]
}

export interface PortalServer {
  url: string
  /** Null without a control port. */
  controlUrl: string | null
  port: number
  /** The root certificate that a client must trust. */
  caPem: string
  control: PortalFaultControl
  state: MemoryInvoices
  move: PortalSimulator['move']
  /** Closes every connection and stops listening. */
  close: () => Promise<void>
}

const MOST_BODY = 16 * 1024 * 1024
const YEAR_MS = 365 * 86_400_000

/** Starts the server. Rejects when the port is in use. */
export async function startPortalServer(options: PortalServerOptions = {}): Promise<PortalServer> {
  const now = options.now ?? (() => new Date())
  const control = createPortalFaultControl()
  const state = memoryInvoices()
  const ca = options.ca ?? (await makeAuthorityCa())
  const at = now().getTime()
  const identity = await portalIdentity({ ca, from: new Date(at - YEAR_MS), to: new Date(at + YEAR_MS) })
  const simulator = createPortalSimulator({
    state,
    now,
    identity,
    faults: control,
    ...(options.units ? { units: options.units } : {}),
  })
  const server = await startTlsServer({ ...options, ca, now }, async (request, response) => {
    if (request.method === 'GET' && request.url === '/') return sendPage(response, state.list())
    const body = await readBody(request, MOST_BODY)
    if (body === 'too_large') return void response.writeHead(413).end()
    const answer = await simulator.handle({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: headersOf(request),
      body,
    })
    send(response, answer)
  })
  const controlServer =
    options.controlPort === undefined
      ? null
      : await startControlServer({
          port: options.controlPort,
          control,
          readFault: readPortalFault,
          on: PORTAL_FAULT_PLACES,
          onError: 'on_is_submit_query_cancel_lists_or_any',
          lists: { invoices: () => state.list(), states: () => MEANINGS },
          registers: { state: (value) => isMoved(value, simulator, state) },
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
    move: (...asked) => simulator.move(...asked),
    close: async () => {
      await controlServer?.close()
      await server.close()
    },
  }
}

/** Moves the invoice that a request of the control port names. Returns false where it cannot get there. */
function isMoved(value: unknown, simulator: PortalSimulator, state: MemoryInvoices): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { registryNumber, code, reason } = value as Record<string, unknown>
  if (typeof registryNumber !== 'string' || typeof code !== 'string') return false
  const held = state.list().find((one) => one.registryNumber === registryNumber)
  if (!held || moved(held, code, { reason: null, at: 0 }) === null) return false
  void simulator.move(registryNumber, code, typeof reason === 'string' ? reason : null)
  return true
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
}

function send(response: ServerResponse, answer: SimulatedAnswer): void {
  if (answer.kind === 'dropped') {
    response.socket?.destroy()
    return
  }
  const { status, headers, body } = answer
  response.writeHead(status, { ...headers, 'content-length': body.length }).end(body)
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Shows people what the portal holds. */
function sendPage(response: ServerResponse, invoices: readonly HeldInvoice[]): void {
  const rows = invoices.map((one) => {
    const state = MEANINGS[one.processing.code]?.[0] ?? ''
    const cells = [
      one.registryNumber,
      one.issuerNif,
      `${one.series}${one.number}`,
      one.issueDate,
      one.total,
      `${one.processing.code} ${state}`,
      one.cancellation.code,
    ]
    return `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`
  })
  const titles = ['Registro', 'Emisor', 'Factura', 'Fecha', 'Total', 'Tramitación', 'Anulación']
  response
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    })
    .end(
      '<!doctype html><html lang="es"><head><meta charset="utf-8"><title>Portal simulado</title>' +
        '<style>body{font:16px system-ui;margin:2rem}td,th{padding:.3rem .8rem;text-align:left}</style></head>' +
        `<body><h1>Portal simulado</h1><p>Facturas: ${invoices.length}</p><table><thead><tr>` +
        `${titles.map((title) => `<th>${title}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></body></html>`,
    )
}
