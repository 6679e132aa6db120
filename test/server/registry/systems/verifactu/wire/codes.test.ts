/** The meaning of the authority's codes: one theme and one next step each. */
import { describe, expect, test } from 'vitest'
import { NextAction } from '../../../../../../server/registry/contract.ts'
import { isKnownCode, meaningOf } from '../../../../../../server/registry/systems/verifactu/wire/codes.ts'

describe('the meanings of codes', () => {
  test.each([
    ['1110', 'client_not_in_census', 'correct'],
    ['1130', 'number_not_taken', 'annul'],
    ['1142', 'vat_of_lines', 'rectify'],
    ['2004', 'sent_late', 'none'],
    ['3000', 'already_registered', 'decide'],
    ['4112', 'certificate_not_entitled', 'certificate'],
    ['4141', 'sending_suspended', 'call'],
    ['1241', 'technical_failure', 'wait'],
  ])('include %s as %s: %s', (code, theme, action) => {
    expect(meaningOf(code)).toMatchObject({ code: theme, action, fix: expect.stringMatching(/\.$/) })
  })

  test('leave a way out for an unknown code', () => {
    expect(isKnownCode('9999')).toBe(false)
    expect(meaningOf('9999')).toMatchObject({ code: 'other', action: 'call' })
    expect(NextAction.options).toContain(meaningOf('').action)
  })
})
