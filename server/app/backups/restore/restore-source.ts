/** Sources of a restore: a portable file or a backup in a backup folder, with the key that opens it. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { AppError } from '../../../domain/errors/app-error.ts'
import {
  isKeyOf,
  availableKey,
  keyCheckOf,
  readKeyFile,
  readKeyring,
} from '../../../db/embedded/keys/keyring.ts'
import type { Keychain, KeyringFile } from '../../../db/embedded/keys/keyring.ts'
import { readRecoveryCode, unwrapMasterKey } from '../../../db/embedded/keys/recovery-code.ts'
import type { WrappedKey } from '../../../db/embedded/keys/recovery-code.ts'
import { SCHEMA_VERSION } from '../../../db/migrations/version.ts'
import { openDatabase } from '../../../db/embedded/open.ts'
import { readRecoveryFile } from '../../../db/embedded/store.ts'
import { backupKeysIn, openReplaced } from '../make/backup-keys.ts'
import { readName } from '../make/names.ts'
import { COPY_CACHE_KIB } from '../proof/prove.ts'
import { defaultFolder } from '../state.ts'

export interface RestoreSource {
  file: string
  /** Offset of the database in the file, in bytes. */
  bodyAt: number
  /** SHA-256 of the database's bytes; null when only its content hash is known. */
  bodySha256: string | null
  /** SHA-256 of the canonical export, or its prefix from the file name. */
  content: string
  createdAt: string
  storeId: string
  keyCheck: string
  /** The key wrapped by the code, for books that do not exist yet; null when the books store it themselves. */
  recovery: WrappedKey | null
  masterKey: Buffer
  /** The current key of the books when the backup has an earlier one; else null. */
  becomes: { masterKey: Buffer; keyCheck: string } | null
  /** True when the recovery code opened it. */
  byCode: boolean
}

interface SourceRequest {
  /** Folder of the books. */
  folder: string
  file: string
  /** The recovery code as typed; null to use the available key. */
  code: string | null
  keyFile?: string | undefined
  keychain: Keychain | null
}

/** Reads the keyring of a folder as far as possible: damaged books may have a damaged one. */
export function keyringOf(folder: string): KeyringFile | null {
  try {
    return existsSync(folder) ? readKeyring(folder) : null
  } catch {
    return null
  }
}

async function ofPortable(request: SourceRequest): Promise<RestoreSource> {
  const { file, code, folder, keyFile, keychain } = request
  const { openHeader, readPortable } = await import('../portable/portable-file.ts')
  const { header, bodyAt } = readPortable(file)
  const { storeId, keyCheck, schema, recovery, createdAt, content, body } = header
  if (schema > SCHEMA_VERSION)
    throw new AppError('store_newer', { details: { storeVersion: schema, knownVersion: SCHEMA_VERSION } })
  const kept = { version: 1, storeId, keyCheck, protection: 'file', createdAt } as const
  let masterKey: Buffer | null
  if (code === null) {
    const here = keyringOf(folder)
    masterKey = here?.storeId === storeId ? await availableKey(here, { folder, keyFile, keychain }) : null
    if (!masterKey) throw new AppError('recovery_code_wrong', { details: { why: 'needed' } })
  } else {
    const read = readRecoveryCode(code)
    masterKey = read ? unwrapMasterKey(recovery, read, storeId) : null
  }
  if (!masterKey || !isKeyOf(kept, masterKey)) throw new AppError('recovery_code_wrong')
  openHeader(header, masterKey)
  return {
    file,
    bodyAt,
    bodySha256: body.sha256,
    content,
    createdAt,
    storeId,
    keyCheck,
    recovery,
    masterKey,
    becomes: null,
    byCode: code !== null,
  }
}

/** A place that may have the key of a backup. */
interface KeyPlace {
  keyring: KeyringFile
  recovery: WrappedKey | null
  /** Folder of a key file. */
  folder: string
}

function keyPlaceIn(folder: string): KeyPlace | null {
  const keyring = keyringOf(folder)
  if (!keyring) return null
  try {
    return { keyring, recovery: readRecoveryFile(folder), folder }
  } catch {
    // A damaged file opens nothing; the key may still be available.
    return { keyring, recovery: null, folder }
  }
}

/**
 * Returns the places that may have the key of a backup, most likely first: the books to be replaced, the books in
 * whose folder it is, and the files next to it.
 */
function keyPlaces(folder: string, file: string): KeyPlace[] {
  const beside = dirname(resolve(file))
  const noted = backupKeysIn(beside)
    .filter(({ replaced, recovery }) => !replaced || recovery !== null)
    .map(({ storeId, keyCheck, recovery }): KeyPlace => {
      const keyring = { version: 1, storeId, keyCheck, protection: 'keychain', createdAt: '' } as const
      return { keyring, recovery, folder }
    })
  return [keyPlaceIn(folder), keyPlaceIn(dirname(beside)), ...noted].filter((place) => place !== null)
}

/** Returns true when a key opens a backup. */
function opensBackup(file: string, masterKey: Uint8Array): boolean {
  const place = { folder: dirname(resolve(file)), file: basename(file) }
  try {
    openDatabase({ ...place, masterKey, role: 'reader', cacheKib: COPY_CACHE_KIB }).close()
    return true
  } catch {
    return false
  }
}

/** Returns the current key of the books, by the code or from this computer's storage; null when unavailable. */
async function keyAt(
  { keyring, recovery, folder }: KeyPlace,
  request: SourceRequest,
): Promise<Buffer | null> {
  const { code, keyFile, keychain } = request
  if (code === null) return availableKey(keyring, { folder, keyFile, keychain })
  const read = readRecoveryCode(code)
  const masterKey = read && recovery ? unwrapMasterKey(recovery, read, keyring.storeId) : null
  return masterKey && isKeyOf(keyring, masterKey) ? masterKey : null
}

type FoundKey = Pick<RestoreSource, 'storeId' | 'keyCheck' | 'recovery' | 'masterKey' | 'becomes'>

/** Returns what a place's key opens: the backup itself, or an earlier key that opens it. Null when neither. */
function keyFound({ file }: SourceRequest, place: KeyPlace, masterKey: Buffer): FoundKey | null {
  const { storeId, keyCheck } = place.keyring
  const { recovery } = place
  if (opensBackup(file, masterKey)) return { storeId, keyCheck, recovery, masterKey, becomes: null }
  const earlier = [dirname(resolve(file)), defaultFolder(place.folder)].flatMap(backupKeysIn)
  for (const key of earlier) {
    const opened = key.storeId === storeId ? openReplaced(key, masterKey) : null
    if (opened && opensBackup(file, opened))
      return {
        storeId,
        recovery,
        keyCheck: key.keyCheck,
        masterKey: opened,
        becomes: { masterKey, keyCheck },
      }
    opened?.fill(0)
  }
  return null
}

/** Returns the key in a named file, for a backup without any key file next to it. */
function keyInFile({ file, code, keyFile }: SourceRequest): FoundKey | null {
  const masterKey = code === null && keyFile ? readKeyFile(keyFile) : null
  if (!masterKey || !opensBackup(file, masterKey)) return null
  const storeId = randomUUID()
  return { storeId, keyCheck: keyCheckOf(masterKey, storeId), recovery: null, masterKey, becomes: null }
}

async function keyOfBackup(request: SourceRequest): Promise<FoundKey> {
  const places = keyPlaces(request.folder, request.file)
  let unopened: FoundKey | null = null
  for (const place of places) {
    const masterKey = await keyAt(place, request)
    if (!masterKey) continue
    const found = keyFound(request, place, masterKey)
    if (found) return found
    const { storeId, keyCheck } = place.keyring
    unopened ??= { storeId, keyCheck, recovery: place.recovery, masterKey, becomes: null }
  }
  const inFile = keyInFile(request)
  if (inFile) return inFile
  // The key is there but opens nothing: the verification of the file reports the reason.
  if (unopened) return unopened
  if (places.length === 0) throw new AppError('backup_key_unknown')
  if (request.code === null) throw new AppError('recovery_code_wrong', { details: { why: 'needed' } })
  if (places.every(({ recovery }) => recovery === null))
    throw new AppError('recovery_code_wrong', { details: { why: 'no_code_was_kept' } })
  throw new AppError('recovery_code_wrong')
}

async function ofBackup(request: SourceRequest, name: string): Promise<RestoreSource> {
  const told = readName(name)
  if (!told) throw new AppError('backup_unknown')
  return {
    file: request.file,
    bodyAt: 0,
    bodySha256: null,
    content: told.hash,
    createdAt: told.at.toISOString(),
    byCode: request.code !== null,
    ...(await keyOfBackup(request)),
  }
}

/**
 * Opens the source of a restore up to its key. Throws `backup_unknown`, `backup_damaged`, `store_newer`,
 * `backup_key_unknown` when no place has the key of an ordinary backup, and `recovery_code_wrong` for a wrong code,
 * or with `why: needed` when no key is available and no code was given.
 */
export function openSource(request: SourceRequest): Promise<RestoreSource> {
  if (!existsSync(request.file)) throw new AppError('backup_unknown')
  const name = basename(request.file)
  return readName(name) ? ofBackup(request, name) : ofPortable(request)
}
