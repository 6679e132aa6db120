/** When an idle window warns and locks, how often it reports activity, and the format of a countdown. */
import { expect, test } from 'vitest'
import { idleStep, secondsLeft, REPORT_EVERY_SECONDS } from '../../../../renderer/app/app-lock/idle.ts'
import { waitText } from '../../../../renderer/app/app-lock/use-wait.ts'
import { GRACE_MS } from '../../../../server/app/app-lock/state.ts'

test('half a minute before the limit there is a warning, then it locks', () => {
  expect([0, 269, 269.9].map((seconds) => idleStep(seconds, 5))).toEqual(['work', 'work', 'work'])
  expect([270, 299.9].map((seconds) => idleStep(seconds, 5))).toEqual(['warn', 'warn'])
  expect([300, 90_000].map((seconds) => idleStep(seconds, 5))).toEqual(['lock', 'lock'])
  expect([29, 30, 60].map((seconds) => idleStep(seconds, 1))).toEqual(['work', 'warn', 'lock'])
})

test('the seconds left are whole and never negative', () => {
  expect([270, 270.2, 299.5, 300, 400].map((seconds) => secondsLeft(seconds, 5))).toEqual([30, 30, 1, 0, 0])
})

test('activity is reported at most once a minute, yet often enough that no tab warns while another is active', () => {
  for (const minutes of [1, 5, 15, 30, 60]) {
    const every = REPORT_EVERY_SECONDS(minutes)
    expect(every).toBeLessThanOrEqual(60)
    // The oldest report of an active tab, at the time another one asks before its warning.
    expect(idleStep(every, minutes), String(minutes)).toBe('work')
    // The server waits longer than the interval of any active page.
    expect(every * 1000).toBeLessThan(GRACE_MS)
  }
})

test('a wait is formatted in minutes and seconds', () => {
  expect([0, 5, 59, 60, 65, 900].map(waitText)).toEqual([
    '0 s',
    '5 s',
    '59 s',
    '1 min 00 s',
    '1 min 05 s',
    '15 min 00 s',
  ])
})
