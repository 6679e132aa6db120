import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test("the fonts in the tree are the script's output for the published ones", () => {
  const script = fileURLToPath(new URL('../../../../build/subset-fonts.mjs', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(status).toBe(0)
}, 30_000)
