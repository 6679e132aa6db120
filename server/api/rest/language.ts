/** Answers the REST interface in Spanish on request: messages of errors and faults, and explanations. */
import type { FastifyInstance } from 'fastify'
import { translateMessages, prefersSpanish } from '../../domain/errors/spanish.ts'

/** Matches answers that contain messages: others are not parsed again. */
const HOLDS_MESSAGES = /^\{"ok":false|"severity":"|"why":"|"caveats":\[/

/** Adds the language to all routes below a path; before compression. */
export function installLanguage(app: FastifyInstance, prefix: string): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || !request.url.startsWith(prefix)) return payload
    if (!prefersSpanish(request.headers['accept-language'])) return payload
    if (!String(reply.getHeader('content-type')).startsWith('application/json')) return payload
    if (!HOLDS_MESSAGES.test(payload)) return payload
    const told = JSON.stringify(await translateMessages(JSON.parse(payload) as unknown))
    reply.header('content-language', 'es').removeHeader('content-length')
    return told
  })
}
