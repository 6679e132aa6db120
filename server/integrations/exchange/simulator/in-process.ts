/** The port over a simulated platform in this process: the same messages as over a connection, and no socket. */
import { createExchangeClient } from '../client/index.ts'
import type { ExchangeClientOptions, Transport } from '../client/index.ts'
import type { ExchangePort } from '../port.ts'
import type { Platform } from './platform.ts'

/** Returns the port of one company; several of them may share a platform. `senderNif` is the holder of the certificate. */
export function exchangePortOf(
  platform: Platform,
  options: Omit<ExchangeClientOptions, 'transport'>,
): ExchangePort {
  const transport: Transport = async ({ path, headers, body }) => {
    if (!platform.admits())
      return { kind: 'not_sent', reason: 'unreachable', detail: 'The connection was closed.' }
    const reply = await platform.handle({
      method: 'POST',
      path,
      contentType: headers['content-type'] ?? '',
      body,
      callers: [options.senderNif],
    })
    return reply.kind === 'dropped' ? { kind: 'no_answer', detail: 'The connection was closed.' } : reply
  }
  return createExchangeClient({ ...options, transport })
}
