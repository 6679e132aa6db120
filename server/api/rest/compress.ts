/**
 * Compresses JSON answers of the REST interface on request. Small, very large and streamed answers are not
 * compressed; at most two are compressed at once, so that the person's own work does not wait.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

const compress = promisify(gzip)
/** About the size of one network packet: below it compression has no benefit. */
const LEAST_BYTES = 1_400
const MOST_BYTES = 8 * 1024 * 1024
const AT_ONCE = 2
/** Nearly the size of the default level in half of its time. */
const LEVEL = 4

/** Returns true if an `Accept-Encoding` accepts gzip (RFC 9110, 12.5.3). */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)))
  }
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0
}

/** Adds compression to all routes below a path. */
export function installCompression(app: FastifyInstance, prefix: string): void {
  let atWork = 0
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || !request.url.startsWith(prefix)) return payload
    const length = Buffer.byteLength(payload)
    if (length < LEAST_BYTES || !String(reply.getHeader('content-type')).startsWith('application/json'))
      return payload
    reply.header('vary', 'accept-encoding')
    const accepted = request.headers['accept-encoding']
    const isAsked =
      request.method !== 'HEAD' && acceptsGzip(Array.isArray(accepted) ? accepted.join() : accepted)
    if (!isAsked || length > MOST_BYTES || atWork >= AT_ONCE) return payload
    atWork += 1
    try {
      const packed = await compress(payload, { level: LEVEL })
      reply.header('content-encoding', 'gzip').removeHeader('content-length')
      return packed
    } finally {
      atWork -= 1
    }
  })
}
