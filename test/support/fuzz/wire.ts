/** Requests as sent, byte for byte, and their answers. */
import { gunzipSync } from 'node:zlib'
import { Agent, request as httpRequest } from 'node:http'
import type { OutgoingHttpHeaders } from 'node:http'
import { PORT } from '../world.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export interface Sent {
  method: Method
  /** With all necessary escapes. */
  url: string
  headers: OutgoingHttpHeaders
  payload: string | Buffer | undefined
}

export interface HttpAnswer {
  status: number
  /** In the form used by clients and `inject`. */
  headers: OutgoingHttpHeaders
  body: Buffer
}

/** Decompresses a body. */
const read = (body: Buffer, encoding: string | undefined): Buffer =>
  encoding === 'gzip' && body.length > 0 ? gunzipSync(body) : body

/** How long the server keeps an idle connection. */
const IDLE_MS = 5_000

/** A client of a server at a port of this computer, one request at a time. */
export class Wire {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 })
  private readonly port: number
  private answeredAt = 0

  constructor(port: number) {
    this.port = port
  }

  close(): void {
    this.agent.destroy()
  }

  /**
   * Sends it unchanged. Of an endless answer, returns the first piece. On a busy computer the server ends a connection
   * that was idle too long in the moment in which it is used again: that request has not arrived, and goes by another
   * connection (Node, "request.reusedSocket"). A connection that ends sooner breaks off a request: an error.
   */
  async send(sent: Sent): Promise<HttpAnswer> {
    const wasIdle = performance.now() - this.answeredAt >= IDLE_MS
    const first = await this.attempt(sent)
    const answer = first === 'connection_ended' && wasIdle ? await this.attempt(sent) : first
    this.answeredAt = performance.now()
    if (answer === 'connection_ended') throw new Error('The connection ended.')
    return answer
  }

  private attempt({ method, url, headers, payload }: Sent): Promise<HttpAnswer | 'connection_ended'> {
    const { agent, port } = this
    // For a DELETE, Node does not send the length of its body.
    const length =
      payload === undefined || 'transfer-encoding' in headers
        ? {}
        : { 'content-length': Buffer.byteLength(payload) }
    const options = { host: '127.0.0.1', port, agent, method, path: url, headers: { ...headers, ...length } }
    return new Promise((resolve, reject) => {
      const request = httpRequest(options, (response) => {
        const pieces: Buffer[] = []
        const finish = (): void =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: read(Buffer.concat(pieces), response.headers['content-encoding']),
          })
        response.on('data', (piece: Buffer) => {
          pieces.push(piece)
          if (!String(response.headers['content-type']).startsWith('text/event-stream')) return
          finish()
          request.destroy()
        })
        response.on('end', finish)
        response.on('error', reject)
      })
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (request.reusedSocket && error.code === 'ECONNRESET') resolve('connection_ended')
        else reject(error)
      })
      request.end(payload)
    })
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Returns the request as a command that repeats it; shortened if it is long. */
export function asCurl({ method, url, headers, payload }: Sent): string {
  const parts = Object.entries(headers).map(
    ([name, value]) => `-H ${quoted(`${name}: ${String(value)}`.slice(0, 500))}`,
  )
  if (payload !== undefined) parts.push(`--data-binary ${quoted(payload.toString().slice(0, 3_000))}`)
  return `curl -i -X ${method} ${quoted(`http://127.0.0.1:${PORT}${url.slice(0, 1_000)}`)} ${parts.join(' ')}`
}

/** Returns the beginning of an answer. */
export const shown = ({ status, headers, body }: HttpAnswer): string =>
  `${status} ${String(headers['content-type'])} ${body.toString('utf8').slice(0, 800)}`
