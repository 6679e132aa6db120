/**
 * Loaded with `--import` into a server under attack: writes every request and its answer, one line of JSON each, to
 * the file named in the environment.
 */
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Names the file. */
export const ARRIVALS_FILE = 'SELLO_TEST_ARRIVALS'

export interface Arrival {
  method: string
  url: string
  host: string | null
  origin: string | null
  /** `Sec-Fetch-Site`. */
  site: string | null
  status: number
  setsCookie: boolean
}

const file = process.env[ARRIVALS_FILE]
if (file !== undefined)
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    const { method = '', url = '', headers } = request
    response.once('close', () => {
      const arrival: Arrival = {
        method,
        url,
        host: headers.host ?? null,
        origin: headers.origin ?? null,
        site: (headers['sec-fetch-site'] as string | undefined) ?? null,
        status: response.statusCode,
        setsCookie: response.hasHeader('set-cookie'),
      }
      appendFileSync(file, `${JSON.stringify(arrival)}\n`)
    })
  })
