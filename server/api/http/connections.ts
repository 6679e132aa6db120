/**
 * Limits idle connections, so that slow clients cannot lock out others. A connection is idle while its request is
 * incomplete, and while it is kept alive for the next one. Beyond the limits the connection that has been idle
 * longest is closed: first among those of the same peer, then of all. A connection whose request is being answered is
 * never closed here.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'

export interface ConnectionBounds {
  /** Connections of all peers together. */
  total: number
  /** Idle connections of one address. */
  waitingPerPeer: number
}

export const CONNECTION_BOUNDS: ConnectionBounds = { total: 256, waitingPerPeer: 128 }

/** Returns true if a request has a body after its headers. */
function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

function oldest(sockets: ReadonlySet<Socket>): Socket | undefined {
  const [first] = sockets
  return first
}

/** Starts to limit a server's connections. */
export function boundConnections(server: Server, bounds: ConnectionBounds = CONNECTION_BOUNDS): void {
  const open = new Set<Socket>()
  // In the order in which they became idle.
  const waiting = new Set<Socket>()
  const waitingByPeer = new Map<string, Set<Socket>>()
  const peers = new WeakMap<Socket, string>()

  const startWaiting = (socket: Socket): void => {
    if (!open.has(socket) || waiting.has(socket)) return
    const peer = peers.get(socket) ?? ''
    waiting.add(socket)
    const same = waitingByPeer.get(peer) ?? new Set()
    waitingByPeer.set(peer, same.add(socket))
  }
  const stopWaiting = (socket: Socket): void => {
    if (!waiting.delete(socket)) return
    const peer = peers.get(socket) ?? ''
    const same = waitingByPeer.get(peer)
    same?.delete(socket)
    if (same?.size === 0) waitingByPeer.delete(peer)
  }
  const forget = (socket: Socket): void => {
    stopWaiting(socket)
    open.delete(socket)
  }
  const drop = (socket: Socket | undefined): void => {
    if (!socket) return
    forget(socket)
    socket.destroy()
  }

  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    const peer = socket.remoteAddress ?? ''
    peers.set(socket, peer)
    open.add(socket)
    socket.once('close', () => forget(socket))
    startWaiting(socket)
    const same = waitingByPeer.get(peer)
    if (same && same.size > bounds.waitingPerPeer) drop(oldest(same))
    if (open.size > bounds.total) drop(oldest(waiting))
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    if (hasBody(request)) request.once('end', () => stopWaiting(socket))
    else stopWaiting(socket)
    response.once('close', () => startWaiting(socket))
  })
}
