/** A backup killed by kill -9 leaves the old backups or a valid new file, and valid books. */
import { expect, test } from 'vitest'
import { killBackups } from '../../../support/crashes/backup-kill.ts'
import { sweptCount } from '../../../support/sweep.ts'

test('kills during backups leave valid backups and books', async () => {
  expect(await killBackups(sweptCount(6, 2), 20_261_122)).toBeGreaterThan(0)
})
