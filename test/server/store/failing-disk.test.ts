/** A disk whose syncs and writes fail while invoices are issued over HTTP; the long group has more of them. */
import { expect } from 'vitest'
import { watchesDisks } from '../../support/cuts/disk.ts'
import { DISK_FAULTS, failDisk } from '../../support/cuts/faults.ts'

const test = watchesDisks()

test.each(DISK_FAULTS)(
  'a %s that fails with %s loses and doubles nothing, and the books come back by themselves',
  { timeout: 120_000 },
  async (call, error) => {
    const nths = [1, 2, 5, 12, 21, 36]
    const figures = await failDisk({ call, error, nths, killEvery: 6 })
    expect(figures).toMatchObject({ rounds: 6, restarts: 1, issued: 7 })
    expect(figures.failed).toBeGreaterThan(6)
    expect(figures.refused).toBeGreaterThan(3)
  },
)
