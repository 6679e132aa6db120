/**
 * A power cut while invoices are issued over HTTP: everything that was answered exists afterwards. `SELLO_SEED`
 * repeats a run.
 */
import { expect } from 'vitest'
import { cutPower } from '../../../support/cuts/cut.ts'
import { watchesDisks } from '../../../support/cuts/disk.ts'
import { inLongRun, sweptCount } from '../../../support/sweep.ts'

const test = watchesDisks()
const seed = Number(process.env.SELLO_SEED ?? Date.now() % 1_000_000)

test('everything that was answered exists after a power cut', { timeout: 120_000 }, async () => {
  const images = sweptCount(36, 6)
  const figures = await cutPower({ seed, images, invoices: 24 })
  expect(figures, `SELLO_SEED=${seed}`).toMatchObject({ images, broken: 0, unopenable: 0, examples: [] })
  expect(figures.answers).toBeGreaterThan(24 * 3)
  expect(figures.promised).toBeGreaterThan(images)
})

inLongRun(test)(
  'without synced commits answers are lost, and the test detects it',
  { timeout: 120_000 },
  async () => {
    const figures = await cutPower({ seed, images: 15, invoices: 16, unsafe: true })
    expect(figures.broken, `SELLO_SEED=${seed}`).toBeGreaterThan(0)
    expect(figures.examples.join('\n')).toMatch(/is lost|There are no books/)
  },
)
