/** Retention of backups: two simulated years of days, with the computer off at times. */
import { describe, expect, test } from 'vitest'
import type { BackupReason } from '../../../../../server/app/backups/contract.ts'
import { backupName, readName } from '../../../../../server/app/backups/make/names.ts'
import { outdated } from '../../../../../server/app/backups/make/retention.ts'
import { addDays, businessDateOf } from '../../../../../server/domain/dates.ts'

const HASH = 'ab'.repeat(32)

interface File {
  name: string
  at: Date
  reason: BackupReason
}

const file = (at: string, reason: BackupReason = 'daily'): File => ({
  name: backupName(new Date(at), reason, HASH),
  at: new Date(at),
  reason,
})

/** Returns what is left after one more backup, newest first. */
function after(files: readonly File[], made: File): File[] {
  const all = [made, ...files]
  const gone = new Set(outdated(all))
  return all.filter(({ name }) => !gone.has(name))
}

const days = (files: readonly File[]): string[] => files.map(({ at }) => businessDateOf(at))

describe('two years of daily backups', () => {
  let kept: File[] = []
  for (let day = '2026-01-01'; day <= '2027-12-31'; day = addDays(day, 1))
    kept = after(kept, file(`${day}T09:00:00Z`))

  test('leave the last seven days, four weeks and twelve months', () => {
    expect(days(kept)).toEqual([
      ...['2027-12-31', '2027-12-30', '2027-12-29', '2027-12-28', '2027-12-27', '2027-12-26', '2027-12-25'],
      // Sundays: the last of each week; that of the 26th is among the days.
      ...['2027-12-19', '2027-12-12'],
      ...['2027-11-30', '2027-10-31', '2027-09-30', '2027-08-31', '2027-07-31', '2027-06-30'],
      ...['2027-05-31', '2027-04-30', '2027-03-31', '2027-02-28', '2027-01-31'],
    ])
  })

  test('are not thinned by a pause: half a year later one day, one week and one month make room for the next', () => {
    const next = after(kept, file('2028-06-30T09:00:00Z'))
    expect(days(next)[0]).toBe('2028-06-30')
    expect(days(kept).filter((day) => !days(next).includes(day))).toEqual([
      '2027-12-25',
      '2027-12-12',
      '2027-01-31',
    ])
  })
})

test('of several backups on one day the last one stays', () => {
  let kept: File[] = []
  for (const hour of ['08', '12', '17']) kept = after(kept, file(`2026-03-02T${hour}:00:00Z`, 'manual'))
  expect(kept.map(({ at }) => at.toISOString())).toEqual(['2026-03-02T17:00:00.000Z'])
})

test('the last backup before a migration stays permanently, an earlier one does not', () => {
  let kept: File[] = [file('2026-01-01T08:00:00Z', 'migration')]
  kept = after(kept, file('2026-01-01T09:00:00Z', 'migration'))
  for (let day = '2026-01-01'; day <= '2027-06-30'; day = addDays(day, 1))
    kept = after(kept, file(`${day}T10:00:00Z`))
  expect(kept.filter(({ reason }) => reason === 'migration').map(({ at }) => at.toISOString())).toEqual([
    '2026-01-01T09:00:00.000Z',
  ])
})

test('the last backup of each reason stays for a week, and no longer', () => {
  let kept: File[] = [file('2026-03-02T08:00:00Z', 'manual')]
  for (const reason of ['daily', 'restore', 'quit'] as const)
    kept = after(kept, file(`2026-03-02T1${kept.length}:00:00Z`, reason))
  expect(kept.map(({ reason }) => reason)).toEqual(['quit', 'restore', 'daily', 'manual'])
  for (let day = '2026-03-03'; day <= '2026-03-20'; day = addDays(day, 1))
    kept = after(kept, file(`${day}T09:00:00Z`))
  expect(new Set(kept.map(({ reason }) => reason))).toEqual(new Set(['daily']))
})

test('the newest backup is never outdated', () => {
  const only = file('2026-01-01T08:00:00Z')
  expect(outdated([only])).toEqual([])
  expect(outdated([])).toEqual([])
})

test('a name contains its instant and its reason, and no other file is taken for a backup', () => {
  const at = new Date('2026-11-22T18:03:00.123Z')
  expect(readName(backupName(at, 'quit', HASH))).toEqual({
    name: 'sello-20261122T180300123Z-quit-abababababababababababababababab.db',
    at,
    reason: 'quit',
    hash: 'ab'.repeat(16),
  })
  for (const name of [
    'sello.db',
    'making.part',
    'sello-20261122T180300123Z-quit-abababababababababababababababab.db.broken',
    'sello-20261322T180300123Z-quit-abababababababababababababababab.db',
    'sello-20261122T180300123Z-other-abababababababababababababababab.db',
  ])
    expect(readName(name)).toBeNull()
})
