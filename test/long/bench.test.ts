/**
 * Every benchmark that needs no browser runs to its end over small books; its results are meaningless there, and not
 * judged.
 */
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const NAMES = [
  'limit',
  'svc',
  'office.issue',
  'http',
  'mcp',
  'list',
  'fiscal',
  'loop',
  'returns',
  'registry',
  'documents',
  'start',
  'mem',
  'size',
]

test('each scenario is measured', () => {
  const args = [join(ROOT, 'bench/run.ts'), '--size', '200', '--only', NAMES.join(',')]
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })
  // 1: below a limit.
  expect([0, 1], stderr).toContain(status)
  const [measured] = /^\d+ measured/m.exec(stdout) ?? []
  expect(Number.parseInt(measured ?? '', 10), stdout).toBeGreaterThan(25)
})
