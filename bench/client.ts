/**
 * Load clients in a separate process, so that their work is not attributed to the server. Keep-alive connections over
 * plain sockets: a complete HTTP client costs as much as the measured server.
 */
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { answer } from './child.ts'

/** The requests of one turn. */
export interface ClientJob {
  port: number
  authorization: string
  connections: number
  /** Paths requested in rotation until `operations` are done. */
  paths?: string[]
  /** Body posted to each of the paths; without it they are read. */
  posted?: { headers: Record<string, string>; body: string }
  /** Bodies of drafts: created, and with `issue` validated and issued. */
  drafts?: object[]
  issue?: boolean
  operations: number
  /** Expected statuses. */
  expected: number[]
}

export interface ClientAnswer {
  elapsedMs: number
  requests: number
  /** Latency of each operation. */
  latenciesMs: number[]
}

interface Reply {
  status: number
  body: string
}

const HEAD_END = Buffer.from('\r\n\r\n')
/** End of a chunked body. */
const CHUNKS_END = '0\r\n\r\n'
const JSON_HEADERS: Record<string, string> = { 'content-type': 'application/json' }

function headersText(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
}

/** A connection with one request at a time; reopened if the server has closed it. */
class Line {
  private readonly port: number
  private readonly authorization: string
  private socket: Socket | null = null
  private received: Buffer = Buffer.alloc(0)
  private waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void } | null = null

  constructor(port: number, authorization: string) {
    this.port = port
    this.authorization = authorization
  }

  async ask(method: string, path: string, body?: string, headers = JSON_HEADERS): Promise<Reply> {
    this.socket ??= await this.open()
    const content =
      body === undefined ? '' : `${headersText(headers)}content-length: ${Buffer.byteLength(body)}\r\n`
    const head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${this.port}\r\nauthorization: ${this.authorization}\r\n${content}\r\n`
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject }
      this.socket?.write(head + (body ?? ''))
    })
  }

  close(): void {
    this.socket?.destroy()
  }

  private open(): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: this.port, noDelay: true }, () => resolve(socket))
      socket.on('data', (chunk) => this.read(chunk))
      socket.on('error', (error) => {
        reject(error)
        this.waiting?.reject(error)
      })
      socket.on('close', () => {
        if (this.socket !== socket) return
        this.socket = null
        this.waiting?.reject(new Error('The server closed the connection in the middle of an answer.'))
      })
    })
  }

  private read(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk])
    const headEnd = this.received.indexOf(HEAD_END)
    if (headEnd < 0) return
    const head = this.received.toString('latin1', 0, headEnd)
    const start = headEnd + HEAD_END.length
    const body = this.bodyFrom(start, head)
    if (body === null) return
    this.received = Buffer.alloc(0)
    const { waiting } = this
    this.waiting = null
    if (/connection: close/i.test(head)) {
      this.socket?.destroy()
      this.socket = null
    }
    waiting?.resolve({ status: Number(head.slice(9, 12)), body })
  }

  /** Returns the body once it is complete, else null; for a chunked one including the chunk sizes. */
  private bodyFrom(start: number, head: string): string | null {
    if (/transfer-encoding: chunked/i.test(head)) {
      const tail = this.received.toString('latin1', Math.max(start, this.received.length - CHUNKS_END.length))
      return tail === CHUNKS_END ? this.received.toString('utf8', start) : null
    }
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
    if (Number.isNaN(length)) throw new Error('An answer of unknown length.')
    return this.received.length < start + length
      ? null
      : this.received.toString('utf8', start, start + length)
  }
}

interface Envelope {
  data: { id: string; confirmation: { confirmationToken: string } }
}

async function run(job: ClientJob): Promise<ClientAnswer> {
  const latenciesMs: number[] = []
  let requests = 0
  let next = 0
  const ask = async (
    line: Line,
    method: string,
    path: string,
    body?: string,
    headers?: Record<string, string>,
  ): Promise<string> => {
    requests += 1
    const reply = await line.ask(method, path, body, headers)
    if (!job.expected.includes(reply.status))
      throw new Error(`${method} ${path} answered ${reply.status}: ${reply.body.slice(0, 300)}`)
    return reply.body
  }
  const invoice = async (line: Line, draft: object): Promise<void> => {
    const { data } = JSON.parse(
      await ask(line, 'POST', '/api/v1/invoices', JSON.stringify(draft)),
    ) as Envelope
    if (!job.issue) return
    const path = `/api/v1/invoices/${data.id}`
    const { confirmationToken } = (JSON.parse(await ask(line, 'POST', `${path}/validate`, '{}')) as Envelope)
      .data.confirmation
    await ask(line, 'POST', `${path}/issue`, JSON.stringify({ confirmationToken }))
  }
  const visit = (line: Line, path: string): Promise<string> =>
    job.posted ? ask(line, 'POST', path, job.posted.body, job.posted.headers) : ask(line, 'GET', path)
  const worker = async (line: Line): Promise<void> => {
    while (next < job.operations) {
      const index = next
      next += 1
      const start = performance.now()
      if (job.drafts) await invoice(line, job.drafts[index % job.drafts.length] ?? {})
      else await visit(line, job.paths?.[index % job.paths.length] ?? '/')
      latenciesMs.push(performance.now() - start)
    }
  }
  const lines = Array.from({ length: job.connections }, () => new Line(job.port, job.authorization))
  const start = performance.now()
  try {
    await Promise.all(lines.map(worker))
    return { elapsedMs: performance.now() - start, requests, latenciesMs }
  } finally {
    for (const line of lines) line.close()
  }
}

answer(run)
