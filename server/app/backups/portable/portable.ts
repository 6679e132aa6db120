/**
 * Makes a portable backup: a verified copy like every backup, with a header that lets the recovery code alone open
 * it.
 */
import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { failpoint } from '../../../db/failpoints.ts'
import { marksIn } from '../../../registry/index.ts'
import type { Marks } from '../../../registry/index.ts'
import { renameDurably } from '../../../db/embedded/files/atomic-files.ts'
import { SCHEMA_VERSION } from '../../../db/migrations/version.ts'
import { openDatabase } from '../../../db/embedded/open.ts'
import type { WrappedKey } from '../../../db/embedded/keys/recovery-code.ts'
import { createKysely } from '../../../db/embedded/dialect.ts'
import { BackupFault } from '../make/fault.ts'
import { checkDiskSpace, copyBooks, dropPart, prepareFolder } from '../make/make.ts'
import { PART_FILE } from '../make/names.ts'
import { appendFrom, hashOfFile } from '../make/pieces.ts'
import { headerBytes, PORTABLE_FORMAT, readPortable, sealHeader } from './portable-file.ts'
import { COPY_CACHE_KIB } from '../proof/prove.ts'
import { defaultFolder } from '../state.ts'

export interface PortableRequest {
  /** Folder of the books. */
  folder: string
  /** Destination file; its folder exists. */
  to: string
  masterKey: Uint8Array
  storeId: string
  keyCheck: string
  /** The key wrapped by the recovery code, as the books store it. */
  recovery: WrappedKey
  /** Version of this Sello. */
  app: string
  /** Milliseconds since 1970. */
  at: number
}

async function marksOf(folder: string, masterKey: Uint8Array): Promise<Marks> {
  const connection = openDatabase({
    folder,
    file: PART_FILE,
    masterKey,
    role: 'reader',
    cacheKib: COPY_CACHE_KIB,
  })
  try {
    return await marksIn(createKysely(connection))
  } finally {
    connection.close()
  }
}

/** Writes header and database to one file, synced to disk before it returns. */
function write(file: string, header: Uint8Array, body: string): void {
  const descriptor = openSync(file, 'wx', 0o600)
  try {
    writeSync(descriptor, header)
    appendFrom(body, descriptor)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Makes the file under a temporary name, reads it back and renames it. Throws a `BackupFault` or a system error. */
export async function makePortable(request: PortableRequest): Promise<void> {
  const { folder, to, masterKey, storeId, keyCheck, recovery, app, at } = request
  const aside = defaultFolder(folder)
  prepareFolder(aside)
  const copy = join(aside, PART_FILE)
  const part = `${to}.part`
  try {
    const content = await copyBooks({ folder, to: aside, masterKey }, copy)
    const { size: bytes } = statSync(copy)
    checkDiskSpace(dirname(to), bytes)
    const header = sealHeader(
      {
        format: PORTABLE_FORMAT,
        storeId,
        createdAt: new Date(at).toISOString(),
        schema: SCHEMA_VERSION,
        app,
        keyCheck,
        recovery,
        content,
        body: { bytes, sha256: hashOfFile(copy) },
      },
      await marksOf(aside, masterKey),
      masterKey,
    )
    rmSync(part, { force: true })
    write(part, headerBytes(header), copy)
    const written = readPortable(part)
    if (hashOfFile(part, written.bodyAt) !== header.body.sha256)
      throw new BackupFault('differs', 'the file does not hold what was written')
    failpoint('portable.proved')
    renameDurably(part, to)
    failpoint('portable.named')
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  } finally {
    dropPart(copy)
  }
}
