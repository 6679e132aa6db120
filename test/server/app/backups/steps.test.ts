/** A crash at any step of copying and restoring leaves valid backups, and either the old books or the new ones, whole. */
import { cpSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verifyBackup } from '../../../../server/app/backups/make/drill.ts'
import { listFolder } from '../../../../server/app/backups/make/names.ts'
import { FAILPOINTS } from '../../../../server/db/failpoints.ts'
import type { Step } from '../../../../server/db/failpoints.ts'
import { openStore } from '../../../../server/db/embedded/store.ts'
import { cleanFolder, exportOf, keyOf, restoreWith } from '../../../support/stages/backups.ts'
import { startChild } from '../../../support/children/run.ts'
import { broken } from '../../../support/cuts/books.ts'
import { diedAt } from '../../../support/cuts/steps.ts'
import { makeBooks } from '../../../support/stages/unopenable-books.ts'
import { swept } from '../../../support/sweep.ts'

const now = () => new Date('2026-07-02T08:00:00Z')
/** Files that go aside and come in: the last of two to go stands for the others. */
const MOVES = swept([1, 2, 3, 4], (nth) => nth === 2)
const stepsOf = (area: string): Step[] => FAILPOINTS.filter((step) => step.startsWith(`${area}.`))
/** The steps around the decision and a folder between both books stand for the others. */
const OVER_BOOKS = swept(stepsOf('restore'), (step) => /^restore\.(proved|decided|file_moved)$/.test(step))
const INTO_NOTHING = swept(stepsOf('restore'), (step) => step === 'restore.decided')
const isRun = (step: Step, into: 'books' | 'nothing'): boolean =>
  (into === 'books' ? OVER_BOOKS : INTO_NOTHING).includes(step)
/** Steps after which the restore is also repeated. */
const REPEATED = swept(stepsOf('restore'), (step) => step === 'restore.decided')

test(
  'after a crash at any step of a backup, the books are whole and each backup is valid',
  { timeout: 60_000 },
  async () => {
    const { folder } = await makeBooks()
    const backups = join(folder, 'backups')
    for (const step of stepsOf('backup')) {
      await diedAt(startChild('copies', [folder, 'backup', step]), step)
      for (const { name } of listFolder(backups)) await verifyBackup(backups, name, keyOf(folder))
      expect(await broken(folder, new Map(), { goOn: false }), step).toEqual([])
    }
    expect(listFolder(backups)).toHaveLength(1)
  },
)

test(
  'after a crash at any step of a portable backup, the file is complete or missing',
  { timeout: 60_000 },
  async () => {
    const { folder, code } = await makeBooks()
    for (const step of stepsOf('portable')) {
      const file = `${cleanFolder()}.sellobak`
      await diedAt(startChild('copies', [folder, 'portable', step, '1', file]), step)
      expect(existsSync(file), step).toBe(step === 'portable.named')
      if (existsSync(file)) await restoreWith(cleanFolder(), file, code)
      expect(await broken(folder, new Map(), { goOn: false }), step).toEqual([])
    }
  },
)

test(
  'after a crash at any step of a restore, the next start has the old books or the new ones',
  { timeout: 240_000 },
  async () => {
    const made = await makeBooks()
    const { code } = made
    const file = `${cleanFolder()}.sellobak`
    await startChild('copies', [made.folder, 'portable', '', '1', file]).ended()
    const wanted = exportOf(made.folder)
    const store = await openStore({ folder: made.folder, keychain: null, now, cacheKib: 1024 })
    await store.transaction(null, (db) =>
      db.insertInto('settings').values({ name: 'later', value: '1' }).execute(),
    )
    store.close()
    const old = exportOf(made.folder)
    // Two files are moved aside and two moved in; into an empty folder, four are moved in.
    const outcomes: Record<string, string> = {}
    for (const step of stepsOf('restore'))
      for (const into of (['books', 'nothing'] as const).filter((each) => isRun(step, each)))
        for (const nth of step === 'restore.file_moved' ? MOVES : [1]) {
          const folder = cleanFolder()
          if (into === 'books') cpSync(made.folder, folder, { recursive: true })
          const when = `${step} ${nth} into ${into}`
          const args = [folder, 'restore', step, String(nth), file, code]
          await diedAt(startChild('copies', args), step)
          const again = await openStore({ folder, keychain: null, now, cacheKib: 1024 }).catch(
            (error: { code?: string }) => error.code,
          )
          if (typeof again === 'string' || again === undefined) outcomes[when] = String(again)
          else {
            again.close()
            const found = exportOf(folder)
            outcomes[when] = found === wanted ? 'new' : found === old ? 'old' : 'another'
            expect(await broken(folder, new Map(), { goOn: false }), when).toEqual([])
          }
          expect(readdirSync(folder), when).not.toContain('restore.json')
          if (outcomes[when] === 'new' || outcomes[when] === 'old')
            expect(readdirSync(folder), when).not.toContain('restoring')
          if (into === 'books' && outcomes[when] === 'new') {
            const aside = readdirSync(folder).filter((name) => name.startsWith('replaced-'))
            expect(aside, when).toHaveLength(1)
            expect(exportOf(join(folder, String(aside[0])), undefined, keyOf(folder)) === old, when).toBe(
              true,
            )
          }
          if (!REPEATED.includes(step)) continue
          // Whatever the outcome, the restore can be repeated.
          await restoreWith(folder, file, code)
          expect(exportOf(folder) === wanted, when).toBe(true)
        }
    const expected = (into: 'books' | 'nothing', before: string): Record<string, string> =>
      Object.fromEntries(
        stepsOf('restore')
          .filter((step) => isRun(step, into))
          .flatMap((step) =>
            (step === 'restore.file_moved' ? MOVES : [1]).map((nth) => [
              `${step} ${nth} into ${into}`,
              step === 'restore.unpacked' || step === 'restore.proved' ? before : 'new',
            ]),
          ),
      )
    expect(outcomes).toEqual({ ...expected('books', 'old'), ...expected('nothing', 'store_missing') })
  },
)
