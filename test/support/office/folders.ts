/** Folders of books for transfers, and what a transfer is asked about them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openSello } from '../../../server/api/application.ts'
import type { OpenedSello, OpenOptions } from '../../../server/api/application.ts'
import { FileBulkReader } from '../../../server/db/embedded/bulk.ts'
import { openDatabase } from '../../../server/db/embedded/open.ts'
import { companyDigest } from '../../../server/app/office/transfer/digest.ts'
import type { CompanyDigest } from '../../../server/app/office/transfer/digest.ts'
import { shapeOfBuild } from '../../../server/app/office/transfer/shape.ts'
import { DatabaseBulk } from '../../../server/db/postgres/bulk.ts'
import { sealerOf } from '../../../server/db/seal.ts'
import { keyOf } from '../key-of.ts'
import { giveBackDatabase, takeDatabase, testKey } from '../postgres/databases.ts'
import type { TestDatabase } from '../postgres/databases.ts'

export const NOW = new Date('2026-11-24T09:00:00Z')
export const now = (): Date => NOW

/** Returns a folder that is removed at the end of the test. */
export function folderForTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sello-move-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function openFolder(folder: string, options: Partial<OpenOptions> = {}): Promise<OpenedSello> {
  return openSello({ dataDir: folder, keychain: null, now, cacheKib: 2048, ...options })
}

/** Returns the canonical digest of the company of a folder; the one with this identifier, if it has several. */
export async function digestOfFolder(folder: string, publicId?: string): Promise<CompanyDigest> {
  const masterKey = keyOf(folder)
  const connection = openDatabase({ folder, masterKey, role: 'reader', cacheKib: 2048 })
  try {
    const reader = new FileBulkReader(connection)
    const rows = await reader.select<{ id: number; public_id: string }>('select id, public_id from companies order by id')
    const row = publicId === undefined ? rows[0] : rows.find((each) => each.public_id === publicId)
    return await companyDigest({
      shape: shapeOfBuild(),
      reader,
      sealer: sealerOf(masterKey),
      companyId: row?.id ?? 0,
    })
  } finally {
    connection.close()
  }
}

/** Returns the canonical digest of a company of an office. */
export async function digestOfOffice(url: string, publicId: string): Promise<CompanyDigest> {
  const reader = await DatabaseBulk.open(url)
  try {
    await reader.begin('read')
    const [row] = await reader.select<{ id: number }>('select id from companies where public_id = $1', [publicId])
    return await companyDigest({
      shape: shapeOfBuild(),
      reader,
      sealer: sealerOf(testKey()),
      companyId: row?.id ?? 0,
    })
  } finally {
    await reader.close()
  }
}

/** Returns an empty database for the time of a test. */
export async function databaseForTest(): Promise<TestDatabase> {
  const database = await takeDatabase()
  onTestFinished(() => giveBackDatabase(database))
  return database
}
