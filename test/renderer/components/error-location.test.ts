import { expect, test } from 'vitest'
import { PLACED_CODES, errorLocation } from '../../../renderer/components/error-location.ts'
import en from '../../../renderer/locales/en/index.ts'
import es from '../../../renderer/locales/es/index.ts'
import { ERRORS } from '../../../server/domain/errors/catalog.ts'
import { resolves } from '../../support/browser/window-paths.ts'

test('an error that another page resolves names that page', () => {
  expect(errorLocation('certificate_missing')?.to).toBe('/settings/certificate')
  expect(errorLocation('issuer_address_missing')?.to).toBe('/settings')
})

test('an error resolved where it occurs names none', () => {
  expect(errorLocation('certificate_password')).toBeNull()
  expect(errorLocation('validation_failed')).toBeNull()
})

test('refusals of the registry that require a decision link to its page', () => {
  for (const code of ['chain_broken', 'restored_copy', 'series_in_conflict', 'clock_wrong'] as const) {
    expect(errorLocation(code)?.to).toBe('/registry')
  }
})

test('every link is a page of the window, and its code an existing error', () => {
  expect(PLACED_CODES.length).toBeGreaterThan(20)
  for (const code of PLACED_CODES) {
    expect(resolves(errorLocation(code)?.to ?? ''), code).toBe(true)
    // Detected by this computer before any request, or a reason of `readiness`.
    if (!['clock_differs', 'issuer_address_missing'].includes(code)) expect(code in ERRORS, code).toBe(true)
  }
})

test('the next step is described in two sentences at most, in both languages', () => {
  for (const words of [es, en])
    for (const [code, { title, next }] of Object.entries(words.errors)) {
      expect(title.length, code).toBeGreaterThan(5)
      expect(
        next.split(/[.!?](?=\s|$)/).filter((part) => part.trim() !== '').length,
        code,
      ).toBeLessThanOrEqual(2)
    }
})
