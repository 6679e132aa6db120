/** A webhook receiver on this computer: it records messages and behaves as configured. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Message {
  /** `webhook-id`. */
  id: string
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** Answers one message; the first is number 1. */
export type Behave = (response: ServerResponse, message: Message, nth: number) => void

export interface Receiver {
  url: string
  messages: Message[]
  /** Returns the largest number of simultaneous requests so far. */
  atOnce: () => number
  behave(how: Behave): void
}

export const takes: Behave = (response) => void response.writeHead(204).end()
export const answers =
  (status: number, headers: Record<string, string> = {}, text = ''): Behave =>
  (response) =>
    void response.writeHead(status, headers).end(text)

/** Starts a receiver that accepts everything; closed when the test ends. */
export async function startReceiver(how: Behave = takes): Promise<Receiver> {
  let behave = how
  let open = 0
  let most = 0
  const messages: Message[] = []
  const server = createServer((request, response) => {
    open += 1
    most = Math.max(most, open)
    response.once('close', () => (open -= 1))
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => (body += part))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const message = { id: String(headers['webhook-id']), method, path, headers, body }
      messages.push(message)
      behave(response, message, messages.length)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook?from=sello`,
    messages,
    atOnce: () => most,
    behave: (next) => {
      behave = next
    },
  }
}
