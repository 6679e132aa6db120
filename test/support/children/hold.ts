/**
 * Opens the store of a folder, prints the result, and holds it open until its input ends. Arguments: folder,
 * `keychain` or `none`.
 */
import { AppError } from '../../../server/domain/errors/app-error.ts'
import { readKeyring } from '../../../server/db/embedded/keys/keyring.ts'
import type { Keychain } from '../../../server/db/embedded/keys/keyring.ts'
import { openStore } from '../../../server/db/embedded/store.ts'

const [folder = '', keychainName] = process.argv.slice(2)
const keychain: Keychain | null = keychainName === 'keychain' ? await import('keytar/keytar.js') : null

try {
  const store = await openStore({ folder, keychain, now: () => new Date(), create: true, cacheKib: 1024 })
  const items = store.protection === 'keychain' ? ((await keychain?.findCredentials('sello')) ?? []) : []
  console.log(
    JSON.stringify({
      open: true,
      protection: store.protection,
      storeId: store.storeId,
      accounts: items.map((item) => item.account),
    }),
  )
  process.stdin.resume()
  process.stdin.on('end', () => {
    store.close()
    process.exit(0)
  })
} catch (error) {
  const code = error instanceof AppError ? error.code : String(error)
  console.log(JSON.stringify({ open: false, code, keyring: readKeyring(folder)?.protection ?? null }))
}
