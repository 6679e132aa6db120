/** The page of the app and its assets, from the folder the build wrote; nothing else of the disk can be named. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Styles are inline because the UI kit sets colours on elements; scripts never are, and nothing is evaluated. */
export const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const RESERVED = /^\/(?:api|app|docs|healthz|\.well-known)(?:\/|$)/
const ASSETS = 'assets'
/** Names the build gives: no hidden files, no separators. */
const FILE_NAME = /^[A-Za-z0-9_-][\w.-]*$/

/** Answers the page for addresses that are views of it (`/facturas/…`); false when this is not one. */
export type SendPage = (request: FastifyRequest, reply: FastifyReply, path: string) => FastifyReply | null

/** Adds the static routes; without a built page there are none. */
export function installStatic(app: FastifyInstance, uiDir: string | null): SendPage {
  if (uiDir === null || !existsSync(join(uiDir, 'index.html'))) return () => null

  const sendFile = async (
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<FastifyReply> => {
    // A server that only answers programs never needs it.
    const { send } = await import('@fastify/send')
    const sent = await send(request.raw, path, {
      root: uiDir,
      // Each file's cache rule is ours, and nobody asks for a part of one.
      cacheControl: false,
      acceptRanges: false,
      index: false,
      dotfiles: 'deny',
    })
    if (sent.type === 'file')
      return reply
        .code(sent.statusCode)
        .headers({ ...sent.headers, ...headers })
        .send(sent.stream)
    if (sent.type === 'error' && sent.statusCode === 412) return reply.code(412).send()
    if (sent.type === 'error' && sent.statusCode > 404) throw sent.metadata.error
    // Without the headers of a file: a browser would keep for a year that it is not there.
    reply.callNotFound()
    return reply
  }
  const page = { 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-cache' }
  // The build puts a hash of the content into each name.
  const asset = {
    'content-security-policy': PAGE_POLICY,
    'cache-control': 'public, max-age=31536000, immutable',
  }

  app.get('/', (request, reply) => sendFile(request, reply, 'index.html', page))
  app.get<{ Params: { '*': string } }>(`/${ASSETS}/*`, async (request, reply) => {
    const name = request.params['*']
    if (!name.split('/').every((part) => FILE_NAME.test(part))) return reply.callNotFound()
    return sendFile(request, reply, `${ASSETS}/${name}`, asset)
  })
  for (const entry of readdirSync(uiDir, { withFileTypes: true })) {
    if (!entry.isFile() || entry.name === 'index.html' || !FILE_NAME.test(entry.name)) continue
    app.get(`/${entry.name}`, (request, reply) =>
      sendFile(request, reply, entry.name, { 'cache-control': 'no-cache' }),
    )
  }

  return (request, reply, path) => {
    if (request.method !== 'GET' || RESERVED.test(path) || path.startsWith(`/${ASSETS}/`)) return null
    // A view of the page has no file extension; a browser that navigates asks for HTML.
    if (/\.[^/]*$/.test(path) || !(request.headers.accept ?? '').includes('text/html')) return null
    sendFile(request, reply, 'index.html', page).catch((error: Error) => reply.send(error))
    return reply
  }
}
