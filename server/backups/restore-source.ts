/** What can be restored: a portable file, or a backup as it lies in a folder of backups; and the key that opens it. */
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { AppError } from '../core/errors.ts'
import { isKeyOf, keyAtHand, readKeyring } from '../store/keyring.ts'
import type { Keychain, KeyringFile } from '../store/keyring.ts'
import { keyFromCode } from '../store/recover.ts'
import { readRecoveryCode, unwrapMasterKey } from '../store/recovery.ts'
import type { WrappedKey } from '../store/recovery.ts'
import { SCHEMA_VERSION } from '../store/migrate.ts'
import { readName } from './names.ts'

export interface RestoreSource {
  file: string
  /** Where the database begins in the file, in bytes. */
  bodyAt: number
  /** SHA-256 of the database's bytes; null where only its content is known. */
  bodySha256: string | null
  /** SHA-256 of the canonical export, or the beginning of it that the name tells. */
  content: string
  createdAt: string
  storeId: string
  keyCheck: string
  /** The key under the code, for books that are not there yet; null where they keep it themselves. */
  recovery: WrappedKey | null
  masterKey: Buffer
  /** Whether the recovery code opened it. */
  byCode: boolean
}

export interface SourceRequest {
  /** Of the books. */
  folder: string
  file: string
  /** The recovery code as it was typed; null: the key at hand. */
  code: string | null
  keyFile?: string | undefined
  keychain: Keychain | null
}

/** The keyring of a folder as far as it can be read: books that are damaged may have a damaged one. */
export function keyringOf(folder: string): KeyringFile | null {
  try {
    return existsSync(folder) ? readKeyring(folder) : null
  } catch {
    return null
  }
}

async function ofPortable(request: SourceRequest): Promise<RestoreSource> {
  const { file, code, folder, keyFile, keychain } = request
  const { openHeader, readPortable } = await import('./portable-file.ts')
  const { header, bodyAt } = readPortable(file)
  const { storeId, keyCheck, schema, recovery, createdAt, content, body } = header
  if (schema > SCHEMA_VERSION)
    throw new AppError('store_newer', { details: { storeVersion: schema, knownVersion: SCHEMA_VERSION } })
  const kept = { version: 1, storeId, keyCheck, protection: 'file', createdAt } as const
  let masterKey: Buffer | null
  if (code === null) {
    const here = keyringOf(folder)
    masterKey = here?.storeId === storeId ? await keyAtHand(here, { folder, keyFile, keychain }) : null
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
    byCode: code !== null,
  }
}

async function ofBackup(request: SourceRequest, name: string): Promise<RestoreSource> {
  const { file, code, folder, keyFile, keychain } = request
  const told = readName(name)
  const keyring = keyringOf(folder)
  if (!told) throw new AppError('backup_unknown')
  // Its key is that of these books; without their keyring nothing says which.
  if (!keyring) throw new AppError('store_missing', { details: { folder } })
  const masterKey =
    code === null ? await keyAtHand(keyring, { folder, keyFile, keychain }) : keyFromCode(folder, code)
  if (!masterKey) throw new AppError('recovery_code_wrong', { details: { why: 'needed' } })
  return {
    file,
    bodyAt: 0,
    bodySha256: null,
    content: told.hash,
    createdAt: told.at.toISOString(),
    storeId: keyring.storeId,
    keyCheck: keyring.keyCheck,
    recovery: null,
    masterKey,
    byCode: code !== null,
  }
}

/**
 * Opens what is to be restored as far as its key. Throws `backup_unknown`, `backup_damaged`, `store_newer`, and
 * `recovery_code_wrong` for a wrong code, or with `why: needed` where no key is at hand and none was given.
 */
export function openSource(request: SourceRequest): Promise<RestoreSource> {
  if (!existsSync(request.file)) throw new AppError('backup_unknown')
  const name = basename(request.file)
  return readName(name) ? ofBackup(request, name) : ofPortable(request)
}
