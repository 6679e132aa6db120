/** Which computer this is: what its system tells, and nothing where it tells nothing. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { computerMark, readComputer } from '../../../../server/db/files/computer.ts'

test('a system without a name for itself says nothing', async () => {
  expect(await readComputer('aix')).toBeNull()
  // Programs and files of other systems are not there.
  for (const other of ['darwin', 'win32'] as const)
    if (other !== process.platform) expect(await readComputer(other), other).toBeNull()
})

test.skipIf(!existsSync('/etc/machine-id'))('Linux tells its machine-id, every time the same', async () => {
  const told = readFileSync('/etc/machine-id', 'utf8').trim()
  expect(await readComputer('linux')).toBe(/^(|uninitialized)$/.test(told) ? null : told)
})

test('what is kept of it is another thing for other books, and does not tell it', () => {
  const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const mark = computerMark(one, 'abcdef')
  expect(mark).toBe(computerMark(one, 'abcdef'))
  expect(new Set([mark, computerMark(two, 'abcdef'), computerMark(one, 'abcdeg')]).size).toBe(3)
  expect(mark).toMatch(/^[\w-]{43}$/)
})
