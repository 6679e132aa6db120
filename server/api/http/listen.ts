/** Opens a port on this computer's loopback address. */
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../domain/errors/app-error.ts'

export const HOST = '127.0.0.1'
/** Number of following ports that are tried if the requested one is in use. */
const PORTS_TRIED = 50

function isTaken(error: unknown): boolean {
  const code = (error as { code?: string }).code
  return code === 'EADDRINUSE' || code === 'EACCES'
}

/**
 * Listens on `wanted`, on the next free port if it is in use, or on any port for 0; returns the port. With `stays` a
 * port in use is an error: throws `port_taken`.
 */
export async function listen(app: FastifyInstance, wanted: number, stays = false): Promise<number> {
  for (let tried = 0; ; tried += 1) {
    try {
      await app.listen({ host: HOST, port: wanted === 0 ? 0 : wanted + tried })
      const address = app.server.address()
      if (address === null || typeof address === 'string') throw new Error('The server has no port.')
      return address.port
    } catch (error) {
      if (stays && wanted !== 0 && isTaken(error))
        throw new AppError('port_taken', { details: { port: wanted } })
      if (wanted === 0 || !isTaken(error) || tried + 1 >= PORTS_TRIED || wanted + tried >= 65_535) throw error
    }
  }
}
