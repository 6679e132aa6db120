/**
 * Three hundred power cuts, and a failure of each of the first forty disk calls: the numbers of the test plan.
 * `SELLO_SEED` repeats the cuts.
 */
import { expect } from 'vitest'
import { cutPower } from '../../support/cuts/cut.ts'
import { watchesDisks } from '../../support/cuts/disk.ts'
import { DISK_FAULTS, failDisk } from '../../support/cuts/faults.ts'

const test = watchesDisks()
const seed = Number(process.env.SELLO_SEED ?? Date.now() % 1_000_000)

test('300 power cuts lose nothing that was answered', async () => {
  const figures = await cutPower({ seed, images: 300, invoices: 90 })
  console.log(JSON.stringify({ seed, ...figures }))
  expect(figures, `SELLO_SEED=${seed}`).toMatchObject({ images: 300, broken: 0, unopenable: 0, examples: [] })
})

test('if commits are not synced, many of 60 cuts lose what was answered', async () => {
  const figures = await cutPower({ seed, images: 60, invoices: 60, unsafe: true })
  console.log(JSON.stringify({ seed, ...figures }))
  expect(figures.broken, `SELLO_SEED=${seed}`).toBeGreaterThan(10)
})

test.each(DISK_FAULTS)('each of the first 40 calls fails: %s with %s', async (call, error) => {
  const nths = Array.from({ length: 40 }, (_, index) => index + 1)
  const figures = await failDisk({ call, error, nths, killEvery: 10 })
  console.log(JSON.stringify({ call, error, ...figures }))
  expect(figures).toMatchObject({ rounds: 40, restarts: 4, issued: 41 })
})
