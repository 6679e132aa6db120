/** Identifiers sort by time, always differ, and contain no ambiguous characters. */
import { expect, test } from 'vitest'
import { createIdMaker, idPattern } from '../../../server/domain/ids.ts'

test('later ones sort after earlier ones', () => {
  let now = Date.UTC(2026, 10, 21)
  const newId = createIdMaker(() => now)
  const ids = Array.from({ length: 500 }, () => {
    now += 1
    return newId('inv')
  })
  expect(ids.toSorted()).toEqual(ids)
  for (const id of ids) expect(id).toMatch(idPattern('inv'))
})

test('they differ within one millisecond', () => {
  const newId = createIdMaker(() => Date.UTC(2026, 10, 21))
  const ids = new Set(Array.from({ length: 2_000 }, () => newId('key')))
  expect(ids.size).toBe(2_000)
})

test('a clock before the epoch of identifiers gives valid ones', () => {
  expect(createIdMaker(() => 0)('req')).toMatch(/^req_0{9}[0-9a-z]{7}$/)
})

test('the pattern matches only its own kind, as a whole', () => {
  const id = createIdMaker(Date.now)('inv')
  expect(idPattern('inv').test(id)).toBe(true)
  expect(idPattern('con').test(id)).toBe(false)
  for (const wrong of [
    `${id}0`,
    id.slice(0, -1),
    id.toUpperCase(),
    ` ${id}`,
    'inv_iiiiiiiiiiiiiiii',
    'inv_uuuuuuuuuuuuuuuu',
  ])
    expect(idPattern('inv').test(wrong)).toBe(false)
})
