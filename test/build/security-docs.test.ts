/** The security documents: every promise names existing tests; the table of the standard is complete. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { INVARIANTS } from '../../server/app/integrity/invariants.ts'

const ROOT = join(import.meta.dirname, '../..')
const page = readFileSync(join(ROOT, 'docs/security/asvs.md'), 'utf8')

/** Requirements of levels 1 and 2 by section, as numbered in OWASP ASVS 5.0.0. */
const ASKED: Record<string, readonly number[]> = {
  '1.1': [1, 2],
  '1.2': [1, 2, 3, 4, 5, 6, 7, 8, 9],
  '1.3': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  '1.4': [1, 2, 3],
  '1.5': [1, 2],
  '2.1': [1, 2, 3],
  '2.2': [1, 2, 3],
  '2.3': [1, 2, 3, 4],
  '2.4': [1],
  '4.1': [1, 2, 3],
  '4.2': [1],
  '4.3': [1, 2],
  '4.4': [1, 2, 3, 4],
  '5.1': [1],
  '5.2': [1, 2, 3],
  '5.3': [1, 2],
  '5.4': [1, 2, 3],
  '8.1': [1, 2],
  '8.2': [1, 2, 3],
  '8.3': [1],
  '8.4': [1],
  '11.1': [1, 2],
  '11.2': [1, 2, 3],
  '11.3': [1, 2, 3],
  '11.4': [1, 2, 3, 4],
  '11.5': [1],
  '11.6': [1],
  '12.1': [1, 2, 3],
  '12.2': [1, 2],
  '12.3': [1, 2, 3, 4],
  '13.1': [1],
  '13.2': [1, 2, 3, 4, 5],
  '13.3': [1, 2],
  '13.4': [1, 2, 3, 4, 5],
  '14.1': [1, 2],
  '14.2': [1, 2, 3, 4],
  '14.3': [1, 2, 3],
  '15.1': [1, 2, 3],
  '15.2': [1, 2, 3],
  '15.3': [1, 2, 3, 4, 5, 6, 7],
  '16.1': [1],
  '16.2': [1, 2, 3, 4, 5],
  '16.3': [1, 2, 3, 4],
  '16.4': [1, 2, 3],
  '16.5': [1, 2, 3],
}

const rows = page
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, ids = '', , state = '', here = '', proof = '']) => ({ ids, state, here, proof }))

/** Returns `1.4.1, 1.4.3` and `4.4.1 to 4.4.4` as single numbers. */
function numbersOf(ids: string): string[] {
  const [from, to] = ids.split(' to ')
  if (!from || !to) return ids.split(', ')
  const section = from.slice(0, from.lastIndexOf('.'))
  const last = (id: string): number => Number(id.slice(id.lastIndexOf('.') + 1))
  return Array.from({ length: last(to) - last(from) + 1 }, (_, at) => `${section}.${last(from) + at}`)
}

/** Returns the tests that a cell names, which must exist. */
function testsIn(cell: string, where: string): string[] {
  const named = [...cell.matchAll(/`([^`]+)`/g)].map(([, path]) => path!)
  for (const path of named) expect(existsSync(join(ROOT, 'test', path)), `${where}: ${path}`).toBe(true)
  return named
}

describe('the promises', () => {
  const promises = readFileSync(join(ROOT, 'docs/SECURITY.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:\| |---|promise )/.test(line))
    .map((line) => line.slice(2, -2).split(' | '))

  test('name existing tests', () => {
    expect(promises.length).toBeGreaterThan(30)
    for (const cells of promises)
      expect(testsIn(cells.at(-1) ?? '', cells[0] ?? ''), cells[0]).not.toEqual([])
  })

  test('of the books are the invariants of the integrity check', () => {
    const told = promises.filter(([id = '']) => /^I\d+$/.test(id)).map(([id]) => id)
    expect(told).toEqual(Object.keys(INVARIANTS))
  })
})

describe('the standard', () => {
  test('lists every requirement of levels 1 and 2 once', () => {
    const told = rows.flatMap(({ ids }) => numbersOf(ids)).sort()
    const asked = Object.entries(ASKED).flatMap(([section, numbers]) =>
      numbers.map((number) => `${section}.${number}`),
    )
    expect(told).toEqual(asked.sort())
  })

  test('states the status of each, and existing tests for those that hold', () => {
    for (const { ids, state, here, proof } of rows) {
      expect(['holds', 'partly', 'open', 'none'], ids).toContain(state)
      const named = testsIn(proof, ids)
      if (state === 'holds' && ids !== '11.1.2') expect(named, ids).not.toEqual([])
      if (state === 'partly' || state === 'open') expect(here, ids).not.toBe('')
    }
  })
})
