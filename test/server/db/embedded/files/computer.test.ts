/** The identity of the computer as reported by its system, and none if it reports none. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { computerMark, readComputer } from '../../../../../server/db/embedded/files/computer.ts'

test('a system without an identity gives none', async () => {
  expect(await readComputer('aix')).toBeNull()
  // Programs and files of other systems are missing.
  for (const other of ['darwin', 'win32'] as const)
    if (other !== process.platform) expect(await readComputer(other), other).toBeNull()
})

test.skipIf(!existsSync('/etc/machine-id'))('Linux gives its machine-id, always the same', async () => {
  const told = readFileSync('/etc/machine-id', 'utf8').trim()
  expect(await readComputer('linux')).toBe(/^(|uninitialized)$/.test(told) ? null : told)
})

test('the stored mark differs between books, and does not reveal the identity', () => {
  const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const mark = computerMark(one, 'abcdef')
  expect(mark).toBe(computerMark(one, 'abcdef'))
  expect(new Set([mark, computerMark(two, 'abcdef'), computerMark(one, 'abcdeg')]).size).toBe(3)
  expect(mark).toMatch(/^[\w-]{43}$/)
})
