/** Damaged and hostile messages, to the platform and to the client: nothing crashes, and nothing is taken for what it is not. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import runtime from '../../../../../build/runtime.json' with { type: 'json' }
import { programOf } from '../../../../support/setup/programs.ts'
import { sweptCount } from '../../../../support/sweep.ts'

const PEAK_MB = 400

test('damaged messages crash neither platform nor client, and cost little memory', async () => {
  const each = sweptCount(4_000, 400)
  const child = programOf(new URL('../../../../support/children/damaged-exchange.ts', import.meta.url))
  // With the options that the program itself runs with.
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...runtime.nodeFlags, child.pathname, String(each)],
    { timeout: 300_000, env: { ...process.env, ...runtime.environment } },
  )
  const figures = JSON.parse(stdout) as Record<string, number>
  console.log(stdout.trim())
  expect(figures).toMatchObject({ toPlatform: each, toClient: each, wrong: 0 })
  expect(figures['taken']).toBeLessThan(each / 2)
  expect(figures['unknown']).toBeGreaterThan(each / 3)
  expect(figures['peakMb']).toBeLessThan(PEAK_MB)
}, 320_000)
