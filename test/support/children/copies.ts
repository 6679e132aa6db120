/**
 * Copies books, or restores a copy, and dies as in a power failure at a failpoint. Arguments: folder of the books,
 * the action (`backup`, `portable` or `restore`), a failpoint, how often it is reached before, the portable file, and
 * the code.
 */
import { subscribe } from 'node:diagnostics_channel'
import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { makeBackup } from '../../../server/app/backups/make/make.ts'
import { makePortable } from '../../../server/app/backups/portable/portable.ts'
import { STEP_CHANNEL } from '../../../server/db/failpoints.ts'
import { restoreBooks } from '../../../server/app/maintenance/restore-books.ts'
import { readKeyring } from '../../../server/db/embedded/keys/keyring.ts'
import { readRecoveryFile } from '../../../server/db/embedded/store.ts'
import { keyOf } from '../key-of.ts'

const [folder = '', work = '', step = '', times = '1', file = '', code = ''] = process.argv.slice(2)
let left = Number(times)
subscribe(STEP_CHANNEL, (reached) => {
  if (reached !== step || --left > 0) return
  flushCompileCache()
  writeSync(1, `${JSON.stringify({ reached })}\n`)
  process.kill(process.pid, 'SIGKILL')
})
const now = new Date()
if (work === 'restore') await restoreBooks({ folder, file, code, keychain: null, now: () => now })
else {
  const masterKey = keyOf(folder)
  const at = now.getTime()
  if (work === 'backup')
    await makeBackup({ folder, to: join(folder, 'backups'), masterKey, reason: 'manual', at })
  else {
    const keyring = readKeyring(folder)
    const recovery = readRecoveryFile(folder)
    if (!keyring || !recovery) throw new Error('The books have no recovery code.')
    const { storeId, keyCheck } = keyring
    await makePortable({ folder, to: file, masterKey, storeId, keyCheck, recovery, app: '1', at })
  }
}
