/**
 * Creates a recovery code with a new key for the books, and dies as in a power failure at a failpoint. Arguments:
 * folder of the books, a failpoint, how often it is reached before, and the location of the key if it is not beside
 * the books: `key-file` or `keychain`, and the file.
 */
import { subscribe } from 'node:diagnostics_channel'
import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { openSello } from '../../../server/api/application.ts'
import { STEP_CHANNEL } from '../../../server/db/failpoints.ts'
import { NO_BOOK } from '../../../server/context.ts'
import { createRecoveryCode } from '../../../server/app/session/index.ts'
import { fileKeychain } from '../stages/file-keychain.ts'

const [folder = '', step = '', times = '1', place, file = ''] = process.argv.slice(2)
let left = Number(times)
subscribe(STEP_CHANNEL, (reached) => {
  if (reached !== step || --left > 0) return
  flushCompileCache()
  writeSync(1, `${JSON.stringify({ reached })}\n`)
  process.kill(process.pid, 'SIGKILL')
})
const sello = await openSello({
  dataDir: folder,
  keychain: place === 'keychain' ? fileKeychain(file) : null,
  cacheKib: 1024,
  computer: 'this-computer',
  ...(place === 'key-file' ? { keyFile: file } : {}),
})
await createRecoveryCode(sello.ctx(NO_BOOK), { lockCode: undefined, changeKey: true })
await sello.close()
