/** The transport of a client over a simulated service in this process: the same messages as over a connection, and no socket. */
import type { Transport } from '../client/transport.ts'
import type { SimulatedService } from './service.ts'

/** Returns the transport. `callers` are the tax numbers of the holder of the certificate. */
export function transportTo(service: SimulatedService, callers: readonly string[]): Transport {
  return async ({ url, headers, body }) => {
    if (!service.admits())
      return { kind: 'not_sent', reason: 'unreachable', detail: 'The connection was closed.' }
    const { pathname } = new URL(url)
    const reply = await service.handle({ method: 'POST', path: pathname, headers, body, callers })
    return reply.kind === 'dropped' ? { kind: 'no_answer', detail: 'The connection was closed.' } : reply
  }
}
