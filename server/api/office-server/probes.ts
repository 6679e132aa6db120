/**
 * Answers for whoever watches the servers: `/health` (the process turns), `/ready` (it takes requests) and, at an
 * address of its own, `/metrics`. They need no key, say nothing of any company, and are not part of the API.
 */
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { OfficeMetrics, OfficeWatch } from '../../app/office/index.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { JSON_TYPE } from '../http/envelope.ts'

const HEALTH = '/health'
const READY = '/ready'
const METRICS = '/metrics'

/** The paths that the server itself answers for probes. */
export const PROBES: ReadonlySet<string> = new Set([HEALTH, READY])

/** A host with a port. */
export interface Address {
  host: string
  port: number
}

/** Returns the URL of an address, for people and programs. */
export function urlOf({ host, port }: Address): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Listens at an address and returns it with its port. Throws `port_taken`. */
export async function listenAt(
  start: () => Promise<unknown>,
  server: Server,
  { host, port }: Address,
): Promise<Address> {
  try {
    await start()
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'EADDRINUSE' || code === 'EACCES') throw new AppError('port_taken', { details: { port } })
    throw error
  }
  return { host, port: (server.address() as AddressInfo).port }
}

interface Answer {
  status: number
  type: string
  body: string
}

const json = (status: number, body: unknown): Answer => ({
  status,
  type: JSON_TYPE,
  body: JSON.stringify(body),
})

function healthAnswer(watch: OfficeWatch): Answer {
  const { ok, lagMs } = watch.health()
  return json(ok ? 200 : 503, { status: ok ? 'ok' : 'slow', eventLoopLagMs: lagMs })
}

async function readyAnswer(watch: OfficeWatch): Promise<Answer> {
  const reason = await watch.readiness()
  return reason === null ? json(200, { status: 'ready' }) : json(503, { status: 'not_ready', reason })
}

/** Adds the probes to a server. */
export function installProbes(app: FastifyInstance, watch: OfficeWatch): void {
  const answers: [string, () => Answer | Promise<Answer>][] = [
    [HEALTH, () => healthAnswer(watch)],
    [READY, () => readyAnswer(watch)],
  ]
  for (const [path, answer] of answers)
    app.get(path, { exposeHeadRoute: true }, async (_request, reply) => {
      const { status, type, body } = await answer()
      return reply.code(status).header('content-type', type).send(body)
    })
}

interface ProbeServer {
  url: string
  close(): Promise<void>
}

/** Starts the server of the metrics, which answers the probes too: a server without requests has no other address. */
export async function startProbeServer(
  address: Address,
  watch: OfficeWatch,
  metrics: OfficeMetrics,
): Promise<ProbeServer> {
  const answerTo = async (path: string | undefined): Promise<Answer> => {
    if (path === HEALTH) return healthAnswer(watch)
    if (path === READY) return readyAnswer(watch)
    if (path !== METRICS) return { status: 404, type: 'text/plain', body: 'Not found.\n' }
    return { status: 200, ...(await metrics.text()) }
  }
  const server = createServer((request, response) => {
    const send = ({ status, type, body }: Answer): void => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' })
      response.end(request.method === 'HEAD' ? undefined : body)
    }
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return send({ status: 405, type: 'text/plain', body: 'Only GET.\n' })
    answerTo(request.url).then(send, () => send({ status: 500, type: 'text/plain', body: 'Failed.\n' }))
  })
  server.requestTimeout = 10_000
  server.maxConnections = 64
  const start = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(address.port, address.host, () => resolve())
    })
  const at = await listenAt(start, server, address)
  return {
    url: urlOf(at),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
