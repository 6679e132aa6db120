/**
 * Answers the page's requests to app://app/ from the server in this process, without a socket. It adds the window's
 * credential, so that it must answer only the page itself.
 */
import { Readable } from 'node:stream'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'

export const APP_SCHEME = 'app'
const APP_HOST = 'app'
export const APP_ORIGIN = `${APP_SCHEME}://${APP_HOST}`

/** The parts of the running server that the handler needs. */
export interface InProcessServer {
  /** `http://127.0.0.1:PORT`, the server's own address. */
  url: string
  /** Accepted by /app/ only; never leaves this process. */
  windowToken: string
  inject: (options: InjectOptions) => Promise<LightMyRequestResponse>
}

/** Headers that belong to one connection, or that the page must not choose. */
const DROPPED_FROM_PAGE = new Set([
  'authorization',
  'connection',
  'content-length',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'origin',
  'proxy-authorization',
  'referer',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const DROPPED_FROM_SERVER = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const WITHOUT_BODY = new Set([101, 204, 205, 304])

/** Creates the handler for `protocol.handle('app', …)`, which streams the body of the answer. */
export function appProtocolHandler(server: InProcessServer): (request: Request) => Promise<Response> {
  const self = new URL(server.url)

  return async (request) => {
    const url = new URL(request.url)
    if (url.protocol !== `${APP_SCHEME}:` || url.host !== APP_HOST) return refused(404)
    if (!comesFromThePage(request)) return refused(403)

    const headers: Record<string, string> = {}
    for (const [name, value] of request.headers) if (!DROPPED_FROM_PAGE.has(name)) headers[name] = value
    headers.host = self.host
    // For the server this page has its own origin: foreign origins have been rejected above.
    if (request.headers.has('origin')) headers.origin = self.origin
    // Only the window's API accepts this credential; other paths do not need it.
    if (url.pathname.startsWith('/app/')) headers.authorization = `Bearer ${server.windowToken}`

    const stopped = new AbortController()
    const body = request.body ? Buffer.from(await request.arrayBuffer()) : undefined
    const answer = await server.inject({
      method: request.method as NonNullable<InjectOptions['method']>,
      url: url.pathname + url.search,
      headers,
      ...(body ? { payload: body } : {}),
      payloadAsStream: true,
      signal: AbortSignal.any([request.signal, stopped.signal]),
    })
    return new Response(bodyOf(request, answer, stopped), {
      status: answer.statusCode,
      headers: answerHeaders(answer),
    })
  }
}

/**
 * Returns true if the request is from the page: one without Origin and Referer is the page's own navigation;
 * otherwise the header must name the page.
 */
function comesFromThePage(request: Request): boolean {
  const origin = request.headers.get('origin')
  if (origin !== null && origin !== APP_ORIGIN) return false
  const referer = request.headers.get('referer') ?? request.referrer
  return (
    referer === '' ||
    referer === 'about:client' ||
    referer === APP_ORIGIN ||
    referer.startsWith(`${APP_ORIGIN}/`)
  )
}

function bodyOf(
  request: Request,
  answer: LightMyRequestResponse,
  stopped: AbortController,
): ReadableStream<Uint8Array> | null {
  const source = answer.stream()
  // An aborted answer ends the stream; without a listener it would end the process.
  source.on('error', () => {})
  if (request.method === 'HEAD' || WITHOUT_BODY.has(answer.statusCode)) {
    source.resume()
    return null
  }
  const reader = (Readable.toWeb(source) as ReadableStream<Uint8Array>).getReader()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel(reason) {
      // The page is gone: abort, so that an event stream does not stay open.
      stopped.abort()
      await reader.cancel(reason).catch(() => {})
    },
  })
}

function answerHeaders(answer: LightMyRequestResponse): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value === undefined || DROPPED_FROM_SERVER.has(name.toLowerCase())) continue
    for (const each of Array.isArray(value) ? value : [value]) headers.append(name, String(each))
  }
  return headers
}

function refused(status: number): Response {
  return new Response(null, { status })
}
