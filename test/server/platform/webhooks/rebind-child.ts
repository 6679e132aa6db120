/**
 * Calls a name that is public at the check and this computer at the next lookup. The tests' network guard blocks the
 * public address and records it. Prints the number of lookups, and whether anything here was reached.
 */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { checkedUrl, exchange, HttpClientFault } from '../../../../server/platform/http-client/exchange.ts'

let hits = 0
const victim = createServer((socket) => {
  hits += 1
  socket.destroy()
})
victim.listen(0, '::')
await once(victim, 'listening')
const { port } = victim.address() as AddressInfo
const faults: string[] = []
let asked = 0
for (let times = 0; times < 2; times++)
  try {
    await exchange(
      {
        base: checkedUrl(`https://rebind.example.com:${port}/`, 'public'),
        reach: 'public',
        resolve: async () => [++asked === 1 ? '93.184.216.34' : '127.0.0.1'],
      },
      {
        method: 'POST',
        path: '/',
        headers: {},
        body: '{}',
        limits: { totalMs: 2_000, headersMs: 2_000, bytes: 1_000 },
        signal: undefined,
        heard: { status: null, headers: {}, bytes: 0 },
      },
    )
  } catch (error) {
    faults.push(error instanceof HttpClientFault ? `${error.kind} ${error.reason}` : String(error))
  }
victim.close()
console.log(JSON.stringify({ hits, asked, faults }))
