/** Cursors can be read back, and only for their own list and filter. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCursor, readCursor } from '../../../../server/domain/contract/cursor.ts'
import { AppError } from '../../../../server/domain/errors/app-error.ts'

const position = fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { maxLength: 4 })
const filter = fc.dictionary(fc.constantFrom('state', 'from', 'text', 'sort'), fc.string())

function refusal(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return error instanceof AppError
      ? [error.code, (error.details as { faults: { code: string }[] }).faults[0]?.code]
      : error
  }
}

test('a cursor returns its position', () => {
  fc.assert(
    fc.property(position, filter, (place, given) => {
      const cursor = createCursor('invoices', given, place)
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/)
      expect(readCursor(cursor, 'invoices', { ...given })).toEqual(place)
    }),
  )
})

test('another filter, another list, or a text that is not a cursor is rejected', () => {
  const refused = ['validation_failed', 'cursor_invalid']
  const cursor = createCursor('invoices', { state: 'issued' }, ['2026-11-21', 7])
  expect(refusal(() => readCursor(cursor, 'invoices', { state: 'draft' }))).toEqual(refused)
  expect(refusal(() => readCursor(cursor, 'invoices', {}))).toEqual(refused)
  expect(refusal(() => readCursor(cursor, 'audit', { state: 'issued' }))).toEqual(refused)
  const [mark] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string]
  for (const place of [
    [],
    ['2026-11-21'],
    ['2026-11-21', 8],
    ['2026-11-21', 7, 7],
    [7, '2026-11-21'],
    [null, null],
  ]) {
    const altered = Buffer.from(JSON.stringify([mark, ...place])).toString('base64url')
    expect(refusal(() => readCursor(altered, 'invoices', { state: 'issued' }))).toEqual(refused)
  }
  const forged = Buffer.from(JSON.stringify([mark, { $ne: 1 }])).toString('base64url')
  expect(refusal(() => readCursor(forged, 'invoices', { state: 'issued' }))).toEqual(refused)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(refusal(() => readCursor(text, 'invoices', {}))).toEqual(refused)
    }),
  )
})
