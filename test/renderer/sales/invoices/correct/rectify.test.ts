/** Rectification wizard: its request, and when it is incomplete. */
import { describe, expect, test } from 'vitest'
import {
  CAUSE_GROUPS,
  customerInput,
  EMPTY_RECTIFY,
  rectifyInput,
  usualPart,
} from '../../../../../renderer/sales/invoices/correct/rectify.ts'
import type { RectifyForm } from '../../../../../renderer/sales/invoices/correct/rectify.ts'
import { EMPTY_CLIENT } from '../../../../../renderer/sales/invoices/editor/draft.ts'
import { RECTIFY_CAUSES } from '../../../../../server/sales/invoices/correct/rectify-causes.ts'

const form = (changes: Partial<RectifyForm>): RectifyForm => ({
  ...EMPTY_RECTIFY,
  cause: 'discount',
  ...changes,
})

test('every cause but the discount of a period, which names no invoice, can be chosen once', () => {
  const shown = CAUSE_GROUPS.flatMap(({ causes }) => [...causes])
  expect([...shown].sort()).toEqual(RECTIFY_CAUSES.filter((cause) => cause !== 'period_discount').sort())
})

test('a discount asks for its percentage first, and never proposes the whole invoice', () => {
  expect(usualPart('discount')).toBe('percent')
  expect(usualPart('price_change')).toBe('amount')
  expect(usualPart('returned_packaging')).toBe('lines')
  for (const cause of ['returned_goods', 'cancelled_operation', 'uncollectible', 'insolvency'] as const)
    expect(usualPart(cause)).toBe('whole')
  // Until the percentage is typed there is no request.
  expect(rectifyInput('inv', form({ part: usualPart('discount') }))).toBeNull()
})

describe('the input', () => {
  test('is null without a cause, an amount, a percentage or a line', () => {
    expect(rectifyInput('inv', EMPTY_RECTIFY)).toBeNull()
    for (const part of ['lines', 'percent', 'amount'] as const)
      expect(rectifyInput('inv', form({ part }))).toBeNull()
    expect(rectifyInput('inv', form({ part: 'lines', quantities: { 0: null } }))).toBeNull()
    expect(rectifyInput('inv', form({ part: 'lines', quantities: { 0: 0 } }))).toBeNull()
  })

  test('contains only the chosen part, whatever else was typed before', () => {
    const typed = { percent: 12_500_000, amountCents: 1_999, quantities: { 2: 1_500_000 }, reason: ' Roto ' }
    const base = { id: 'inv', cause: 'discount', method: 'I', reason: 'Roto' }
    expect(rectifyInput('inv', form({ ...typed, part: 'whole' }))).toEqual(base)
    expect(rectifyInput('inv', form({ ...typed, part: 'percent' }))).toEqual({ ...base, percent: 12.5 })
    expect(rectifyInput('inv', form({ ...typed, part: 'amount' }))).toEqual({ ...base, amount: 19.99 })
    expect(rectifyInput('inv', form({ ...typed, part: 'lines' }))).toEqual({
      ...base,
      lines: [{ index: 2, quantity: 1.5 }],
    })
  })

  test('of a substitution contains no part', () => {
    const asked = rectifyInput(
      'inv',
      form({ cause: 'wrong_client', method: 'S', part: 'amount', amountCents: 5 }),
    )
    expect(asked).toEqual({ id: 'inv', cause: 'wrong_client', method: 'S' })
  })
})

test('an address of a customer is complete or absent', () => {
  const client = { ...EMPTY_CLIENT, name: ' Ana ', street: 'Calle Mayor, 1', city: 'Madrid' }
  expect(customerInput(client)).toMatchObject({
    clientName: 'Ana',
    clientNif: null,
    client: { address: null },
  })
  expect(customerInput({ ...client, postalCode: '28001' }).client?.address).toMatchObject({ city: 'Madrid' })
})
