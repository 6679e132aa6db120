/** Serves the app's page and its assets from the folder written by the build; no other file can be requested. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Inline styles are allowed because the UI kit sets colours on elements; inline scripts and evaluation never are. */
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
/** File names used by the build: no hidden files, no separators. */
const FILE_NAME = /^[A-Za-z0-9_-][\w.-]*$/

/** Sends the page for addresses of its views (`/facturas/…`); returns false for others. */
type SendPage = (request: FastifyRequest, reply: FastifyReply, path: string) => FastifyReply | null

/** Adds the static routes; without a built page there are none. */
export function installStatic(app: FastifyInstance, uiDir: string | null): SendPage {
  if (uiDir === null || !existsSync(join(uiDir, 'index.html'))) return () => null

  const sendFile = async (
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<FastifyReply> => {
    // Not needed by a server that only answers programs.
    const { send } = await import('@fastify/send')
    const sent = await send(request.raw, path, {
      root: uiDir,
      // Each file has its own cache rule, and no client requests parts of one.
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
    // Without the headers of a file, which would make a browser cache the missing file for a year.
    reply.callNotFound()
    return reply
  }
  const page = { 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-cache' }
  // The build puts a content hash into each name.
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
    // A view of the page has no file extension; a navigating browser requests HTML.
    if (/\.[^/]*$/.test(path) || !(request.headers.accept ?? '').includes('text/html')) return null
    sendFile(request, reply, 'index.html', page).catch((error: Error) => reply.send(error))
    return reply
  }
}
