/** Passes connections on to a database, until it stands still or leads elsewhere. */
import { connect, createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'

/** Which bytes stop: of the server's statements, of the database's answers, or all. */
export type Direction = 'statements' | 'answers' | 'both'

export class TcpProxy {
  private readonly server: Server
  private readonly pairs = new Set<readonly [Socket, Socket]>()
  private target: number
  private frozen: Direction | null = null

  /** `target` is a port of the loopback address. */
  constructor(target: number) {
    this.target = target
    this.server = createServer((from) => this.pass(from))
  }

  /** Returns the port. */
  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    return (this.server.address() as AddressInfo).port
  }

  private pass(from: Socket): void {
    const to = connect(this.target, '127.0.0.1')
    const pair = [from, to] as const
    this.pairs.add(pair)
    for (const socket of pair) {
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.pairs.delete(pair)
        // A connection that stands still does not tell its other end either.
        if (this.frozen === null) for (const each of pair) each.destroy()
      })
    }
    from.pipe(to, { end: false })
    to.pipe(from, { end: false })
    this.hold(pair)
  }

  private hold([from, to]: readonly [Socket, Socket]): void {
    if (this.frozen === 'statements' || this.frozen === 'both') from.unpipe(to).pause()
    if (this.frozen === 'answers' || this.frozen === 'both') to.unpipe(from).pause()
  }

  /** Passes nothing on in a direction, on connections of now and of later, and closes none. */
  freeze(direction: Direction): void {
    this.frozen = direction
    for (const pair of this.pairs) this.hold(pair)
  }

  /** Passes on what has come meanwhile. */
  thaw(): void {
    this.frozen = null
    for (const [from, to] of this.pairs) {
      if (from.destroyed || to.destroyed) {
        from.destroy()
        to.destroy()
        continue
      }
      // A direction that was not held would be passed on twice.
      from.unpipe(to).pipe(to, { end: false })
      to.unpipe(from).pipe(from, { end: false })
    }
  }

  /** Leads elsewhere: connections of now are closed. */
  leadTo(target: number): void {
    this.target = target
    for (const pair of this.pairs) for (const socket of pair) socket.destroy()
  }

  close(): void {
    this.server.close()
    for (const pair of this.pairs) for (const socket of pair) socket.destroy()
  }
}
