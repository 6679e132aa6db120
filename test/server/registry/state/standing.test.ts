/** The record that may follow, by the outcomes of the earlier ones: every row of the authority's table of flags. */
import { describe, expect, test } from 'vitest'
import { standingFrom } from '../../../../server/registry/systems/verifactu/record/standing.ts'
import type { Fate } from '../../../../server/registry/system.ts'

function fate(kind: Fate['kind'], turn: string, status: Fate['status'], more: Partial<Fate> = {}): Fate {
  return { kind, turn, status, authorityCode: null, heldState: null, conflict: false, ...more }
}

const alta = (turn: string, status: Fate['status'], more?: Partial<Fate>) =>
  fate('registration', turn, status, more)
const anulacion = (turn: string, status: Fate['status'], more?: Partial<Fate>) =>
  fate('cancellation', turn, status, more)

const first = alta('first', 'accepted')
const refused = alta('first', 'rejected', { authorityCode: '1110' })

describe('the next record', () => {
  test.each<[string, Fate[], ReturnType<typeof standingFrom>['registered'], string, string]>([
    ['nothing sent yet', [], 'none', 'first', 'unregistered'],
    ['a first one accepted', [first], 'active', 'correction', 'first'],
    ['accepted with errors', [alta('first', 'accepted_with_errors')], 'active', 'correction', 'first'],
    ['a first one rejected', [refused], 'none', 'unregistered', 'unregistered'],
    [
      'rejected twice',
      [refused, alta('unregistered', 'rejected', { authorityCode: '1110' })],
      'none',
      'unregistered',
      'unregistered',
    ],
    ['rejected, then taken', [refused, alta('unregistered', 'accepted')], 'active', 'correction', 'first'],
    [
      'a correction rejected',
      [first, alta('correction', 'rejected')],
      'active',
      'correction_after_rejection',
      'first',
    ],
    [
      'a correction rejected twice, then taken',
      [
        first,
        alta('correction', 'rejected'),
        alta('correction_after_rejection', 'rejected'),
        alta('correction_after_rejection', 'accepted'),
      ],
      'active',
      'correction',
      'first',
    ],
    ['annulled', [first, anulacion('first', 'accepted')], 'cancelled', 'correction', 'first'],
    [
      'an annulment rejected',
      [first, anulacion('first', 'rejected')],
      'active',
      'correction',
      'after_rejection',
    ],
    [
      'an annulment that found nothing',
      [first, anulacion('first', 'rejected', { authorityCode: '3002' })],
      'none',
      'unregistered',
      'unregistered',
    ],
    [
      'an annulment of what was never taken, rejected',
      [refused, anulacion('unregistered', 'rejected')],
      'none',
      'unregistered',
      'unregistered_after_rejection',
    ],
    [
      'an annulment of what was never taken, accepted',
      [refused, anulacion('unregistered', 'accepted')],
      'cancelled',
      'correction',
      'first',
    ],
    [
      'annulled and brought back',
      [first, anulacion('first', 'accepted'), alta('correction', 'accepted')],
      'active',
      'correction',
      'first',
    ],
    [
      'a correction that found nothing',
      [first, alta('correction', 'rejected', { authorityCode: '3002' })],
      'none',
      'unregistered',
      'unregistered',
    ],
    [
      'a number that was annulled elsewhere',
      [alta('first', 'rejected', { authorityCode: '3000', heldState: 'cancelled' })],
      'cancelled',
      'correction',
      'first',
    ],
    [
      "a number that is held with somebody else's content",
      [alta('first', 'rejected', { authorityCode: '3000', heldState: 'active', conflict: true })],
      'active',
      'correction',
      'first',
    ],
  ])('%s', (_name, fates, registered, registrationTurn, cancellationTurn) => {
    expect(standingFrom(fates)).toMatchObject({
      open: false,
      registered,
      registrationTurn,
      cancellationTurn,
    })
  })

  test.each(['pending', 'sending', 'unknown'] as const)(
    'cannot follow while the last one is %s',
    (status) => {
      expect(standingFrom([first, alta('correction', status)])).toMatchObject({
        open: true,
        registered: 'active',
      })
      expect(standingFrom([alta('first', status)])).toMatchObject({ open: true, registered: 'none' })
    },
  )

  test('stays blocked by a conflict until a record of ours is accepted', () => {
    const conflict = alta('first', 'rejected', { authorityCode: '3000', heldState: 'active', conflict: true })
    expect(standingFrom([conflict]).conflict).toBe(true)
    expect(standingFrom([conflict, alta('correction', 'accepted')]).conflict).toBe(false)
  })
})
