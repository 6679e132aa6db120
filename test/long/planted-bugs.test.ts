/**
 * Checks that the tests detect what they are for. Each planted bug must make its test file fail, and a file without
 * one must pass.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Copy, PLANTED_BUGS } from '../support/checks/planted-bugs.ts'

let copy: Copy
const table: string[] = []

beforeAll(() => {
  copy = new Copy()
})

afterAll(() => {
  copy.remove()
  console.info(table.join('\n'))
})

test.each(PLANTED_BUGS)('$name: detected by $caughtBy', (bug) => {
  const { failed, told } = copy.tryOut(bug)
  table.push(`${bug.name} -> ${failed > 0 ? 'red' : 'GREEN'}: ${bug.caughtBy}: ${told.split('\n')[0]}`)
  // A copy that does not even load would fail as well: a test must have run and failed.
  expect(failed, told).toBeGreaterThan(0)
})

test.each([...new Set(PLANTED_BUGS.map(({ caughtBy }) => caughtBy))])(
  'without a bug %s passes',
  (caughtBy) => {
    const { file } = PLANTED_BUGS[0] as (typeof PLANTED_BUGS)[number]
    const { failed, passed, told } = copy.tryOut({
      name: 'none',
      file,
      instead: 'export function openDatabase',
      put: 'export function openDatabase',
      caughtBy,
    })
    expect(failed, told).toBe(0)
    expect(passed).toBeGreaterThan(0)
  },
)
