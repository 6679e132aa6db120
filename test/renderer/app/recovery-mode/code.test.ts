/** The page reads the recovery code as tolerantly as the server, group by group. */
import { expect, test } from 'vitest'
import { GROUPS, readGroup, spreadFrom } from '../../../../renderer/app/recovery-mode/code.ts'
import {
  newRecoveryCode,
  readRecoveryCode,
  recoveryGroups,
} from '../../../../server/db/embedded/keys/recovery-code.ts'

const EMPTY = Array.from({ length: GROUPS }, () => '')

test.each([
  ['', '', 'empty'],
  [' - ', '', 'empty'],
  ['ab1', 'AB1', 'short'],
  ['abcd', 'ABCD', 'good'],
  ['o0il', '0011', 'good'],
  ['ABCU', 'ABCU', 'wrong'],
  ['ñ', 'Ñ', 'wrong'],
])('%j is shown as %j and is %s', (typed, text, state) => {
  expect(readGroup(typed)).toEqual({ text, state })
})

test('pasted text fills the groups that follow; a whole code starts at the first', () => {
  expect(spreadFrom(EMPTY, 2, 'abcd-ef')).toEqual(['', '', 'ABCD', 'EF', '', '', ''])
  expect(spreadFrom(EMPTY, 6, 'abcdef')).toEqual(['', '', '', '', '', '', 'ABCD'])
  const code = newRecoveryCode()
  for (const typed of [code, recoveryGroups(code).join(' – '), code.toLowerCase().replaceAll('0', 'o')]) {
    const groups = spreadFrom(EMPTY, 3, typed)
    expect(groups).toEqual(recoveryGroups(code))
    expect(groups.map((group) => readGroup(group).state)).toEqual(EMPTY.map(() => 'good'))
    expect(readRecoveryCode(groups.join(''))).toBe(code)
  }
})
