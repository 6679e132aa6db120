import { expect, test } from 'vitest'
import { placeOfError } from '../../../renderer/components/error-place.ts'
import { ERRORS } from '../../../server/core/errors.ts'

test('what another page mends names that page', () => {
  expect(placeOfError('certificate_missing')?.to).toBe('/settings/certificate')
  expect(placeOfError('restored_copy')?.to).toBe('/registry')
  expect(placeOfError('issuer_address_missing')?.to).toBe('/settings')
})

test('what is mended where it is asked for names none', () => {
  expect(placeOfError('certificate_password')).toBeNull()
  expect(placeOfError('validation_failed')).toBeNull()
})

test('refusals of the registry that a person has to decide about lead to its page', () => {
  for (const code of ['chain_broken', 'restored_copy', 'series_in_conflict', 'clock_wrong'] as const) {
    expect(ERRORS[code]).toBeDefined()
    expect(placeOfError(code)?.to).toBe('/registry')
  }
})
