/** A disk whose syncs and writes fail while invoices are issued over HTTP; the long group has more of them. */
import { expect } from 'vitest'
import { watchesDisks } from '../../support/cuts/disk.ts'
import { DISK_FAULTS, failDisk } from '../../support/cuts/faults.ts'
import { swept } from '../../support/sweep.ts'

const test = watchesDisks()

/** One fault of each call and of each error stands for the four. */
const FAULTS = swept(DISK_FAULTS, (_, index) => index === 0 || index === DISK_FAULTS.length - 1)

test.each(FAULTS)(
  'a %s that fails with %s loses and duplicates nothing, and writes resume automatically',
  { timeout: 120_000 },
  async (call, error) => {
    const nths = [1, 4, 13, 34]
    const figures = await failDisk({ call, error, nths, killEvery: 4 })
    expect(figures).toMatchObject({ rounds: 4, restarts: 1, issued: 5 })
    expect(figures.failed).toBeGreaterThanOrEqual(4)
    expect(figures.refused).toBeGreaterThanOrEqual(2)
  },
)
