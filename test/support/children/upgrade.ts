/**
 * Opens the books of a folder, which upgrades them to this build's schema and, with `planted`, to a later one.
 * Arguments: folder, `planted` or nothing, a failpoint at which to die as in a power failure (or nothing), and how
 * often it is reached before.
 */
import { subscribe } from 'node:diagnostics_channel'
import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { STEP_CHANNEL } from '../../../server/db/failpoints.ts'
import { openUpgraded } from '../stages/upgrade.ts'

const [folder = '', planted = '', step = '', times = '1'] = process.argv.slice(2)
let left = Number(times)
subscribe(STEP_CHANNEL, (reached) => {
  if (reached !== step || --left > 0) return
  writeSync(1, `${JSON.stringify({ reached })}\n`)
  process.kill(process.pid, 'SIGKILL')
})
flushCompileCache()
console.log(JSON.stringify({ ready: true }))
const store = await openUpgraded(folder, planted === 'planted')
console.log(JSON.stringify({ opened: true }))
store.close()
