/**
 * Changes the key of the books: a copy is encrypted with a new key while writing is blocked, verified, and swapped in
 * with everything that depends on the key. A crash at any moment leaves the books with either the earlier or the new
 * key.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { recordAudit } from '../../platform/audit/index.ts'
import {
  asBackupFault,
  copyBooksTo,
  dropBackupsBefore,
  runExclusively,
  saveReplacedKey,
  writeCodeBesideBackups,
  reencryptCopy,
  retireReplacedKeys,
  runBackup,
} from '../backups/index.ts'
import { listBooks } from '../../platform/books/index.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { failpoint } from '../../db/failpoints.ts'
import { createCtx, inBook, NO_BOOK } from '../../context.ts'
import type { Actor, AppEnvironment, KeyChangeRequest, KeyChanged } from '../../context.ts'
import { rereadLock } from '../app-lock/index.ts'
import { HIGH_WATER_FILE, resealedMarks } from '../../registry/index.ts'
import type { RollbackGuard } from '../../registry/index.ts'
import { resealBooks } from './sealed-values.ts'
import { abortVerification } from '../integrity/index.ts'
import { computerMark } from '../../db/embedded/files/computer.ts'
import { writeFileDurably } from '../../db/embedded/files/atomic-files.ts'
import {
  KEYRING_FILE,
  LOCAL_KEY_FILE,
  makeNextKey,
  readKeyring,
  settleKey,
  STORE_FILE,
} from '../../db/embedded/keys/keyring.ts'
import type { Keychain, KeyringFile } from '../../db/embedded/keys/keyring.ts'
import { wrapMasterKey } from '../../db/embedded/keys/recovery-code.ts'
import { sealerOf } from '../../db/seal.ts'
import { RECOVERY_FILE } from '../../db/embedded/store.ts'
import { embedded } from '../../db/embedded/port.ts'
import type { KeySwap } from '../../db/embedded/port.ts'
import {
  dropRekeyed,
  dropStaging,
  isSwapping,
  rekeyedName,
  STAGING,
  swap,
} from '../../db/embedded/files/swap.ts'

interface KeyChangePorts {
  env: AppEnvironment
  highWater: RollbackGuard
  keyFile: string | undefined
  keychain: Keychain | null
  /** Identity of this computer; null when unknown. */
  computer: string | null
}

interface Staging {
  ports: KeyChangePorts
  request: KeyChangeRequest
  before: KeyringFile
}

const holdersOf = ({ env, keyFile, keychain }: KeyChangePorts) => ({
  folder: embedded(env.store).folder,
  keyFile,
  keychain,
})

const markUnder = (masterKey: Uint8Array, computer: string | null): string | null =>
  computer === null ? null : computerMark(masterKey, computer)

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/**
 * Prepares the re-encrypted books and everything that is swapped in with them, in the staging folder. The earlier key
 * stays valid.
 */
async function stage({ ports, request, before }: Staging): Promise<KeySwap> {
  const { env, computer } = ports
  const { store, now } = env
  const { folder, storeId } = embedded(store)
  const { code, progress } = request
  const staging = join(folder, STAGING)
  const from = embedded(store).copyOfKey()
  try {
    dropStaging(folder)
    mkdirSync(staging, { mode: 0o700 })
    const { masterKey, keyring } = await makeNextKey(before, holdersOf(ports))
    failpoint('rekey.begun')
    progress?.('copying')
    await copyBooksTo(folder, staging, from)
    failpoint('rekey.copied')
    progress?.('encrypting')
    await reencryptCopy(
      staging,
      { from, to: masterKey },
      (copy) => resealBooks(copy, from, masterKey),
      () => failpoint('rekey.sealed'),
    )
    failpoint('rekey.encrypted')
    const files = {
      [KEYRING_FILE]: asJson(keyring),
      [RECOVERY_FILE]: asJson(wrapMasterKey(masterKey, code, storeId, now())),
      [HIGH_WATER_FILE]: resealedMarks(embedded(store), sealerOf(masterKey), {
        before: markUnder(from, computer),
        after: markUnder(masterKey, computer),
      }),
      [LOCAL_KEY_FILE]: keyring.protection === 'file' ? `${masterKey.toString('hex')}\n` : null,
    }
    const staged = [STORE_FILE]
    for (const [name, text] of Object.entries(files))
      if (text !== null) {
        writeFileDurably(join(staging, name), text)
        staged.push(name)
      }
    const { keyCheck: after } = keyring
    saveReplacedKey(folder, { storeId, before: before.keyCheck, after, from, to: masterKey, at: now() })
    failpoint('rekey.staged')
    progress?.('swapping')
    return {
      masterKey,
      swap: () => {
        // Nothing sealed under the earlier key stays next to the books.
        const goes = [STORE_FILE, `${STORE_FILE}-wal`, `${STORE_FILE}-shm`, ...Object.keys(files)]
        const out = goes.filter((name) => existsSync(join(folder, name)))
        swap(folder, { aside: rekeyedName(now()), out, in: staged })
        failpoint('rekey.swapped')
      },
    }
  } finally {
    from.fill(0)
  }
}

async function recordChange(env: AppEnvironment, actor: Actor): Promise<void> {
  const ctx = createCtx({ env, book: NO_BOOK, actor, channel: 'system', requestId: env.newId('req') })
  await ctx.transaction(async (tx) => {
    for (const book of await listBooks(tx.db))
      await recordAudit(inBook(tx, book), { action: 'recovery.key_changed' })
  })
}

async function change(ports: KeyChangePorts, request: KeyChangeRequest): Promise<Date> {
  const { env, highWater, computer } = ports
  const { store } = env
  const before = readKeyring(embedded(store).folder)
  if (!before) throw new AppError('key_change_failed', { details: { why: 'keyring_missing' } })
  await abortVerification(env)
  try {
    await embedded(store).changeKey(() => stage({ ports, request, before }))
  } catch (error) {
    if (isSwapping(embedded(store).folder)) throw error
    // The books are unchanged, so no key is pending.
    dropStaging(embedded(store).folder)
    const present = embedded(store).copyOfKey()
    await settleKey(before, holdersOf(ports), present).catch((fault: unknown) => env.report('key', fault))
    present.fill(0)
    if (error instanceof AppError && error.code !== 'keychain_locked') throw error
    throw new AppError('key_change_failed', { details: { why: asBackupFault(error).why }, cause: error })
  }
  const masterKey = embedded(store).copyOfKey()
  try {
    await rereadLock(env)
    const keyring = readKeyring(embedded(store).folder)
    if (keyring) await settleKey(keyring, holdersOf(ports), masterKey)
    dropRekeyed(embedded(store).folder)
    await highWater.keyChanged(markUnder(masterKey, computer))
  } finally {
    masterKey.fill(0)
  }
  writeCodeBesideBackups(embedded(store).folder)
  retireReplacedKeys(embedded(store).folder)
  failpoint('rekey.finished')
  return env.now()
}

/**
 * Gives the books a new key and a new recovery code, and backs them up with it. The earlier key and code open nothing
 * of the books afterwards. Throws `key_change_failed`; the books are then unchanged.
 */
export async function changeKey(ports: KeyChangePorts, request: KeyChangeRequest): Promise<KeyChanged> {
  const { env } = ports
  const { store } = env
  const at = await runExclusively(store, () => change(ports, request))
  await recordChange(env, request.actor)
  request.progress?.('backing_up')
  const backedUp = await runBackup(env, 'manual')
  // Never deletes the only good copies.
  const deleted =
    request.deleteBackups && backedUp ? dropBackupsBefore(embedded(store).folder, store.storeId, at) : 0
  return { backedUp, deletedBackups: deleted }
}
