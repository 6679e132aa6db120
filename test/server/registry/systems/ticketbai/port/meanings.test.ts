/** Codes in words, and the records that may follow the outcomes so far. */
import { describe, expect, test } from 'vitest'
import { meaningOf, standingFrom } from '../../../../../../server/registry/systems/ticketbai/port/meanings.ts'
import {
  BOOK_CODES,
  ENTRY_CODES,
  XML_CODES,
} from '../../../../../../server/registry/systems/ticketbai/wire/codes.ts'
import { themes } from '../../../../../../server/registry/systems/verifactu/wire/codes.ts'
import type { Fate } from '../../../../../../server/registry/system.ts'

describe('a code', () => {
  const codes = [XML_CODES, ENTRY_CODES, BOOK_CODES].flatMap(Object.keys)

  test.each(codes)('%s has a theme that the window knows', (code) => {
    const { code: theme, fix } = meaningOf(code)
    expect(theme).not.toBe('other')
    expect(themes).toContain(theme)
    expect(fix).toMatch(/\w/)
  })

  test('that is not known refers to the text of the service', () => {
    for (const code of ['', '999', 'SIM_0000002']) expect(meaningOf(code).code).toBe('other')
  })
})

describe('after the outcomes so far', () => {
  const fate = (changes: Partial<Fate>): Fate => ({
    kind: 'registration',
    turn: 'first',
    status: 'accepted',
    authorityCode: null,
    heldState: null,
    conflict: false,
    ...changes,
  })

  test.each([
    ['nothing', [], { registered: 'none', registrationTurn: 'first', open: false }],
    ['a file that waits', [fate({ status: 'pending' })], { open: true }],
    [
      'a kept file',
      [fate({})],
      { registered: 'active', registrationTurn: 'correction', cancellationTurn: 'first' },
    ],
    [
      'a refused file',
      [fate({ status: 'rejected', authorityCode: '002' })],
      { registered: 'none', registrationTurn: 'unregistered', cancellationTurn: 'unregistered' },
    ],
    ['a cancellation', [fate({}), fate({ kind: 'cancellation' })], { registered: 'cancelled' }],
    [
      'a cancellation of what is not there',
      [fate({}), fate({ kind: 'cancellation', status: 'rejected', authorityCode: '018' })],
      { registered: 'none', registrationTurn: 'unregistered' },
    ],
    [
      'a conflict',
      [fate({ status: 'rejected', authorityCode: '005', heldState: 'active', conflict: true })],
      { registered: 'active', conflict: true },
    ],
  ] as const)('of %s the next record is known', (_name, fates, standing) => {
    expect(standingFrom(fates)).toMatchObject(standing)
  })
})
