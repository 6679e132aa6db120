/** Writes and makes backups repeatedly, and prints each backup once it is complete. Argument: folder. */
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { makeAndRecordBackup } from '../../../server/app/backups/make/lifecycle.ts'
import { listFolder } from '../../../server/app/backups/make/names.ts'
import { openStore } from '../../../server/db/embedded/store.ts'

const [folder = ''] = process.argv.slice(2)
const now = () => new Date()
const store = await openStore({ folder, keychain: null, now, create: true, cacheKib: 1024 })
const { storeId } = store
flushCompileCache()
console.log(JSON.stringify({ ready: true }))
for (let index = 1; ; index++) {
  const value = JSON.stringify('x'.repeat(1 + ((index * 7_919) % 40_000)))
  await store.transaction(null, (db) =>
    db
      .insertInto('settings')
      .values({ name: `row ${Date.now()} ${index}`, value })
      .execute(),
  )
  const fault = await makeAndRecordBackup(
    { folder, storeId, copyOfKey: () => store.copyOfKey(), now },
    'manual',
  )
  if (fault) throw fault
  process.stdout.write(`${JSON.stringify({ name: listFolder(join(folder, 'backups'))[0]?.name })}\n`)
}
