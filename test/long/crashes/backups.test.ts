/** A hundred kills (SIGKILL) during a backup. `SELLO_SEED` repeats a run. */
import { expect, test } from 'vitest'
import { killBackups } from '../../support/crashes/backup-kill.ts'

test('100 kills during a backup leave the books and their backups intact', async () => {
  const seed = Number(process.env.SELLO_SEED ?? Date.now() % 1_000_000) + 1
  console.log(`SELLO_SEED=${seed - 1}`)
  expect(await killBackups(100, seed)).toBeGreaterThan(50)
})
