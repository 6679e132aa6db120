/** Thrown values reach the caller as errors of the catalogue. */
import { expect, test } from 'vitest'
import { AppError } from '../../../../server/domain/errors/app-error.ts'
import { asAppError } from '../../../../server/domain/errors/to-app-error.ts'

const ofSystem = (code: string): Error => Object.assign(new Error(code), { code })

test.each([
  [ofSystem('EMFILE'), 'too_busy', 503, 5],
  [ofSystem('ENFILE'), 'too_busy', 503, 5],
  [ofSystem('ENOENT'), 'internal', 500, undefined],
  [new TypeError('x is undefined'), 'internal', 500, undefined],
  ['a text', 'internal', 500, undefined],
  [null, 'internal', 500, undefined],
])('%s becomes %s', (thrown, code, status, waitSeconds) => {
  expect(asAppError(thrown)).toMatchObject({ code, status, cause: thrown })
  expect(asAppError(thrown).waitSeconds).toBe(waitSeconds)
})

test('an AppError stays unchanged', () => {
  const ours = new AppError('not_found')
  expect(asAppError(ours)).toBe(ours)
})
