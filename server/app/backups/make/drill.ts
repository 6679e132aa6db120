/**
 * Weekly restore drill: copies the newest backup elsewhere, opens and verifies it, and compares it with the hash in
 * its name.
 */
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BackupFault } from './fault.ts'
import { checkDiskSpace } from './make.ts'
import { readName, shortHash } from './names.ts'
import { proveCopy } from '../proof/prove.ts'

/** Throws a `BackupFault` when the backup is not valid, or a system error. The copy stays encrypted and is deleted. */
export async function verifyBackup(folder: string, name: string, masterKey: Uint8Array): Promise<void> {
  const aside = mkdtempSync(join(tmpdir(), 'sello-drill-'))
  try {
    checkDiskSpace(aside, statSync(join(folder, name)).size)
    copyFileSync(join(folder, name), join(aside, name))
    const found = await proveCopy({ folder: aside, file: name, masterKey })
    if (shortHash(found) !== readName(name)?.hash)
      throw new BackupFault('differs', 'the backup does not hold what its name says')
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}
