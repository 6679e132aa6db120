/**
 * A whole server over the books of a folder that reads an accounting system at an address of this computer. Arguments:
 * folder, that address, milliseconds between two calls. Says where it is; a line on its input is answered with how long
 * the program kept others waiting since the last one.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { startSello } from '../../../server/app.ts'

const [folder = '', erpUrl = '', paceMs = '0'] = process.argv.slice(2)
const delay = monitorEventLoopDelay({ resolution: 5 })
const { url, windowToken } = await startSello({
  dataDir: folder,
  create: true,
  keychain: null,
  erpStandIn: { url: erpUrl, paceMs: Number(paceMs) },
  port: 0,
  uiDir: null,
})
console.log(JSON.stringify({ url, windowToken }))
delay.enable()
for await (const _ of createInterface({ input: process.stdin })) {
  const [longestMs, usualMs] = [delay.max / 1e6, delay.percentile(99) / 1e6]
  console.log(JSON.stringify({ longestMs, usualMs }))
  delay.reset()
}
