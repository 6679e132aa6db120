/** The developer documentation: the pages written by the build, and no other files. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const FOLDER = 'docs'
/** Page names used by the build. */
const PAGE_NAME = /^[a-z0-9][a-z0-9-]*$/

/** Pages, styles and scripts are files of this server; nothing is inline, evaluated or loaded from elsewhere. */
export const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The interactive reference inserts styles of its components into the page; its scripts are files like all others. */
export const REFERENCE_POLICY = DOCS_POLICY.replace(
  "style-src 'self'",
  "style-src 'self' 'unsafe-inline'",
).replace("img-src 'self' data:", "img-src 'self' data: blob:")

const asksForHtml = (request: FastifyRequest): boolean => (request.headers.accept ?? '').includes('text/html')

/** Adds `/docs` and its pages from the folder of the built page; without that folder there are none. */
export function installDocs(app: FastifyInstance, uiDir: string | null): void {
  if (uiDir === null || !existsSync(join(uiDir, FOLDER, 'index.html'))) return

  const sendPage = async (
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    status?: number,
  ): Promise<FastifyReply> => {
    const { send } = await import('@fastify/send')
    const sent = await send(request.raw, `${FOLDER}/${name}.html`, {
      root: uiDir,
      cacheControl: false,
      acceptRanges: false,
      index: false,
      dotfiles: 'deny',
    })
    if (sent.type === 'file')
      return reply
        .code(status ?? sent.statusCode)
        .headers({
          ...sent.headers,
          'content-security-policy': name === 'reference' ? REFERENCE_POLICY : DOCS_POLICY,
          'cache-control': status === undefined ? 'no-cache' : 'no-store',
        })
        .send(sent.stream)
    if (sent.type === 'error' && sent.statusCode === 412) return reply.code(412).send()
    if (sent.type === 'error' && sent.statusCode > 404) throw sent.metadata.error
    return missing(request, reply)
  }
  /** A browser gets an HTML page with links, a program the envelope. */
  const missing = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | FastifyReply => {
    if (asksForHtml(request) && existsSync(join(uiDir, FOLDER, '404.html'))) {
      delete request.raw.headers['if-none-match']
      delete request.raw.headers['if-modified-since']
      return sendPage(request, reply, '404', 404)
    }
    reply.callNotFound()
    return reply
  }

  app.get('/docs', (request, reply) => sendPage(request, reply, 'index'))
  app.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    const name = request.params['*']
    if (name === '') return reply.redirect('/docs', 308)
    return PAGE_NAME.test(name) && name !== 'index' && name !== '404'
      ? sendPage(request, reply, name)
      : missing(request, reply)
  })
}
