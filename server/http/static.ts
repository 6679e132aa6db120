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
  "frame-src 'self' blob:",
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
  ): Promise<FastifyReply> => {
    // A server that only answers programs never needs it.
    const { send } = await import('@fastify/send')
    // Our security headers stand already, and each file's cache rule is ours.
    const sent = await send(request.raw, path, {
      root: uiDir,
      cacheControl: false,
      index: false,
      dotfiles: 'deny',
    })
    if (sent.type === 'error' && sent.statusCode > 404) throw sent.metadata.error
    if (sent.type !== 'file') {
      reply.callNotFound()
      return reply
    }
    return reply.code(sent.statusCode).headers(sent.headers).send(sent.stream)
  }
  const sendPage = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    sendFile(
      request,
      reply.header('content-security-policy', PAGE_POLICY).header('cache-control', 'no-cache'),
      'index.html',
    )

  app.get('/', sendPage)
  app.get<{ Params: { '*': string } }>(`/${ASSETS}/*`, async (request, reply) => {
    const name = request.params['*']
    if (!name.split('/').every((part) => FILE_NAME.test(part))) return reply.callNotFound()
    // The build puts a hash of the content into each name.
    reply
      .header('content-security-policy', PAGE_POLICY)
      .header('cache-control', 'public, max-age=31536000, immutable')
    return sendFile(request, reply, `${ASSETS}/${name}`)
  })
  for (const entry of readdirSync(uiDir, { withFileTypes: true })) {
    if (!entry.isFile() || entry.name === 'index.html' || !FILE_NAME.test(entry.name)) continue
    app.get(`/${entry.name}`, (request, reply) =>
      sendFile(request, reply.header('cache-control', 'no-cache'), entry.name),
    )
  }

  return (request, reply, path) => {
    if (request.method !== 'GET' || RESERVED.test(path) || path.startsWith(`/${ASSETS}/`)) return null
    // A view of the page has no file extension; a browser that navigates asks for HTML.
    if (/\.[^/]*$/.test(path) || !(request.headers.accept ?? '').includes('text/html')) return null
    sendPage(request, reply).catch((error: Error) => reply.send(error))
    return reply
  }
}
