/** A disk whose syncs and writes fail while invoices are issued over HTTP; the long group has more of them. */
import { expect } from 'vitest'
import { watchesDisks } from '../../../support/cuts/disk.ts'
import { DISK_FAULTS, failDisk } from '../../../support/cuts/faults.ts'
import { swept, sweptCount } from '../../../support/sweep.ts'

const test = watchesDisks()

/** A sync that fails stands for the four; full disks have tests of their own. */
const FAULTS = swept(DISK_FAULTS, ([call, error]) => call === 'sync' && error === 'EIO')
const ROUNDS = sweptCount(4, 2)

test.each(FAULTS)(
  'a %s that fails with %s loses and duplicates nothing, and writes resume automatically',
  { timeout: 120_000 },
  async (call, error) => {
    const nths = [1, 4, 13, 34].slice(0, ROUNDS)
    const figures = await failDisk({ call, error, nths, killEvery: ROUNDS })
    expect(figures).toMatchObject({ rounds: ROUNDS, restarts: 1, issued: ROUNDS + 1 })
    expect(figures.failed).toBeGreaterThanOrEqual(ROUNDS)
    expect(figures.refused).toBeGreaterThanOrEqual(ROUNDS / 2)
  },
)
