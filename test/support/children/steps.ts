/**
 * A whole server that dies as by a power failure at a step. Arguments: folder, step, and a step that has to be reached before
 * (or nothing), and how often the step is taken until then. Says where it is, and at the end which step it died at.
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
// What is killed writes no cache when it ends.
flushCompileCache()
console.log(JSON.stringify({ url, windowToken }))
