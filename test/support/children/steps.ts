/**
 * A complete server that dies as in a power failure at a failpoint. Arguments: folder, failpoint, a failpoint that
 * must be reached before (or nothing), and how often the failpoint is reached before. Prints its address, and at the
 * end the failpoint at which it died.
 */
import { subscribe } from 'node:diagnostics_channel'
import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { startSello } from '../../../server/api/application.ts'
import { STEP_CHANNEL } from '../../../server/db/failpoints.ts'

const [folder = '', step = '', after = '', times = '1'] = process.argv.slice(2)
let isArmed = after === ''
let left = Number(times)
subscribe(STEP_CHANNEL, (reached) => {
  if (reached === after) isArmed = true
  if (!isArmed || reached !== step || --left > 0) return
  writeSync(1, `${JSON.stringify({ reached })}\n`)
  process.kill(process.pid, 'SIGKILL')
})
const { url, windowToken } = await startSello({
  dataDir: folder,
  create: true,
  keychain: null,
  port: 0,
  uiDir: null,
  cacheKib: 2048,
})
// A killed process writes no cache when it ends.
flushCompileCache()
console.log(JSON.stringify({ url, windowToken }))
