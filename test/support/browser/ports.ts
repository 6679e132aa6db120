/**
 * Ports that served apps of this worker have left. The next one takes such a port: in a browser process that was at its
 * address before, the program is compiled already, which is half of what opening a page costs.
 */
import { createServer } from 'node:net'

const left: number[] = []

/** Returns whether a server can listen on a port of this computer. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** Returns a port that an earlier app has left, or `0`, for any. */
export async function takePort(): Promise<string> {
  for (let port = left.pop(); port !== undefined; port = left.pop())
    if (await isFree(port)) return String(port)
  return '0'
}

/** Called when the app at an address has ended. */
export function leavePort(url: string): void {
  const port = Number(new URL(url).port)
  if (!left.includes(port)) left.push(port)
}
