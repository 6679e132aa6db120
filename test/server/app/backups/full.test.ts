/**
 * A disk that fills up during a copy, after the check of free space: the books keep working, and no partial file is
 * left.
 */
import { readdirSync } from 'node:fs'
import type * as Files from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { asBackupFault } from '../../../../server/app/backups/make/fault.ts'
import { makeBackup } from '../../../../server/app/backups/make/make.ts'
import { SCHEMA_VERSION } from '../../../../server/db/migrations/version.ts'
import { exportOf, keyOf } from '../../../support/stages/backups.ts'
import { canMount, smallDisk } from '../../../support/stages/unopenable-books.ts'
import { storedBooks, openUpgraded } from '../../../support/stages/upgrade.ts'

// Another process takes the space between the check and the copy.
vi.mock('node:fs', async (original) => ({
  ...(await original<typeof Files>()),
  statfsSync: () => ({ bavail: 1_000_000, bsize: 4096 }),
}))

test.skipIf(!canMount())(
  'a copy that runs out of disk space leaves the books and the disk as they were',
  async () => {
    const disk = smallDisk(1024)
    const folder = storedBooks(SCHEMA_VERSION)
    const store = await openUpgraded(folder, false)
    const source = exportOf(folder)
    const masterKey = keyOf(folder)
    const request = { folder, masterKey, reason: 'manual' as const, at: Date.now() }
    const to = join(disk.folder, 'backups')
    const error: unknown = await makeBackup({ ...request, to }).catch((thrown: unknown) => thrown)
    expect((error as { code?: string }).code).toMatch(/^SQLITE_(FULL|IOERR)/)
    expect(asBackupFault(error).why).toBe('no_space')
    expect(readdirSync(to)).toEqual([])
    expect(exportOf(folder) === source).toBe(true)
    expect(await store.tryWriting()).toBeNull()
    await makeBackup({ ...request, to: join(folder, 'backups') })
    expect(readdirSync(join(folder, 'backups'))).toHaveLength(1)
    store.close()
  },
)
