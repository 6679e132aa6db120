/** The page of the app and its assets, from the folder the build wrote; nothing else of the disk can be named. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
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
export async function installStatic(app: FastifyInstance, uiDir: string | null): Promise<SendPage> {
  if (uiDir === null || !existsSync(join(uiDir, 'index.html'))) return () => null
  // Our security headers stand already; the plugin must not weaken their cache rule for the page itself.
  await app.register(fastifyStatic, {
    root: uiDir,
    serve: false,
    cacheControl: false,
    index: false,
    dotfiles: 'deny',
  })

  const sendPage = (reply: FastifyReply): FastifyReply =>
    reply
      .header('content-security-policy', PAGE_POLICY)
      .header('cache-control', 'no-cache')
      .sendFile('index.html')

  app.get('/', async (_request, reply) => sendPage(reply))
  app.get<{ Params: { '*': string } }>(`/${ASSETS}/*`, async (request, reply) => {
    const name = request.params['*']
    if (!name.split('/').every((part) => FILE_NAME.test(part))) return reply.callNotFound()
    // The build puts a hash of the content into each name.
    return reply
      .header('content-security-policy', PAGE_POLICY)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .sendFile(`${ASSETS}/${name}`)
  })
  for (const entry of readdirSync(uiDir, { withFileTypes: true })) {
    if (!entry.isFile() || entry.name === 'index.html' || !FILE_NAME.test(entry.name)) continue
    app.get(`/${entry.name}`, async (_request, reply) =>
      reply.header('cache-control', 'no-cache').sendFile(entry.name),
    )
  }

  return (request, reply, path) => {
    if (request.method !== 'GET' || RESERVED.test(path) || path.startsWith(`/${ASSETS}/`)) return null
    // A view of the page has no file extension; a browser that navigates asks for HTML.
    if (/\.[^/]*$/.test(path) || !(request.headers.accept ?? '').includes('text/html')) return null
    return sendPage(reply)
  }
}
