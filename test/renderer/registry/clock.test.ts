import { expect, test } from 'vitest'
import { driftOf, systemOf } from '../../../renderer/registry/clock.ts'

test('a minute is correct, four minutes are off, more is wrong', () => {
  expect(driftOf(60).state).toBe('right')
  expect(driftOf(-61).state).toBe('off')
  expect(driftOf(240).state).toBe('off')
  expect(driftOf(-241).state).toBe('wrong')
})

test('the drift is given in the most readable unit, with its direction', () => {
  expect(driftOf(0)).toMatchObject({ side: 'same', unit: 'seconds', count: 0 })
  expect(driftOf(8)).toMatchObject({ side: 'ahead', unit: 'seconds', count: 8 })
  expect(driftOf(-320)).toMatchObject({ side: 'behind', unit: 'minutes', count: 5 })
  expect(driftOf(3 * 3600)).toMatchObject({ side: 'ahead', unit: 'hours', count: 3 })
})

test('the path to the clock settings is that of the system', () => {
  expect(systemOf('Win32')).toBe('windows')
  expect(systemOf('MacIntel')).toBe('mac')
  expect(systemOf('Linux x86_64')).toBe('linux')
})
