/**
 * Encrypts a copy of the books with another key: same content, verified with the new key, unreadable with the earlier
 * one.
 */
import { openDatabase, rekeyCopy } from '../../../db/embedded/open.ts'
import { syncFile } from '../../../db/embedded/files/atomic-files.ts'
import { join } from 'node:path'
import { canonicalHash } from '../proof/canonical-export.ts'
import { BackupFault } from './fault.ts'
import { COPY_CACHE_KIB, proveCopy } from '../proof/prove.ts'

function hashOf(folder: string, file: string, masterKey: Uint8Array): string {
  const connection = openDatabase({ folder, file, masterKey, role: 'reader', cacheKib: COPY_CACHE_KIB })
  try {
    return canonicalHash(connection)
  } finally {
    connection.close()
  }
}

function opens(folder: string, file: string, masterKey: Uint8Array): boolean {
  try {
    openDatabase({ folder, file, masterKey, role: 'reader', cacheKib: COPY_CACHE_KIB }).close()
    return true
  } catch {
    return false
  }
}

/** Encrypts the copy again and verifies it. Throws a `BackupFault` or a system error; the copy is then unusable. */
export async function rekeyAndProve(
  folder: string,
  file: string,
  from: Uint8Array,
  to: Uint8Array,
): Promise<void> {
  const before = hashOf(folder, file, from)
  rekeyCopy(folder, file, from, to)
  syncFile(join(folder, file))
  if ((await proveCopy({ folder, file, masterKey: to })) !== before)
    throw new BackupFault('differs', 'the re-encrypted copy is not equal to the books')
  if (opens(folder, file, from)) throw new BackupFault('differs', 'the earlier key still opens the copy')
}
