/**
 * A complete server that continuously measures its answers to a small request. Argument: folder. Prints its address;
 * for each line on stdin it prints the slowest request since the last line, their number, and how slow the machine is
 * at that moment.
 */
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { startSello } from '../../../server/api/application.ts'

const [folder = ''] = process.argv.slice(2)
const server = await startSello({ dataDir: folder, create: true, keychain: null, port: 0, uiDir: null })

/** Processor time of this thread, which the load of other programs does not extend, and elapsed time. */
interface Waits {
  worked: number[]
  waited: number[]
}
let waits: Waits = { worked: [], waited: [] }

const workedMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
const p99 = (times: number[]): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? 0

/** A fixed piece of the work that a file of 8 MB makes for this thread. */
const body = JSON.stringify({ content: Buffer.alloc(8 << 20, 0x5a).toString('base64') })
function pace(): number {
  const started = workedMs()
  for (let n = 0; n < 4; n += 1) {
    const { content } = JSON.parse(body) as { content: string }
    Buffer.from(content, 'base64')
  }
  return workedMs() - started
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  // A file that is refused at once may be answered before the first request is.
  while (line === 'end' && waits.worked.length === 0) await pause(1)
  const { worked, waited } = waits
  waits = { worked: [], waited: [] }
  console.log(
    JSON.stringify({
      requests: worked.length,
      workedP99: p99(worked),
      waitedP99: p99(waited),
      most: Math.max(0, ...worked),
      pace: line === 'end' ? pace() : 0,
    }),
  )
})
console.log(JSON.stringify({ url: server.url, windowToken: server.windowToken }))
for (;;) {
  const [worked, waited] = [workedMs(), performance.now()]
  // Through the event loop, as for a request over a socket.
  await pause(1)
  await server.inject({ method: 'GET', url: '/healthz' })
  waits.worked.push(workedMs() - worked)
  waits.waited.push(performance.now() - waited)
  await pause(5)
}
