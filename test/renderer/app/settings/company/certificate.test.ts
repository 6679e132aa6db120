import { expect, test } from 'vitest'
import {
  base64Of,
  fileFault,
  lifeLeft,
  MAX_FILE_BYTES,
} from '../../../../../renderer/app/settings/company/certificate.ts'

test('a file is checked by its name and size before it is read', () => {
  expect(fileFault({ name: 'empresa.p12', size: 4000 })).toBeNull()
  expect(fileFault({ name: 'EMPRESA.PFX', size: MAX_FILE_BYTES })).toBeNull()
  expect(fileFault({ name: 'empresa.cer', size: 4000 })).toBe('kind')
  expect(fileFault({ name: 'empresa.p12', size: 0 })).toBe('empty')
  expect(fileFault({ name: 'empresa.p12', size: MAX_FILE_BYTES + 1 })).toBe('large')
})

test('bytes of any length are encoded in base64', () => {
  for (const length of [0, 1, 2, 3, 8191, 8192, 8193, 100_000]) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + length) % 256)
    expect(base64Of(bytes)).toBe(Buffer.from(bytes).toString('base64'))
  }
})

test('the bar shows the remaining share of the validity', () => {
  const dates = { validFrom: '2026-01-01T00:00:00Z', validTo: '2028-01-01T00:00:00Z' }
  expect(lifeLeft(dates, new Date('2025-06-01T00:00:00Z'))).toBe(1)
  expect(lifeLeft(dates, new Date('2027-01-01T00:00:00Z'))).toBeCloseTo(0.5, 2)
  expect(lifeLeft(dates, new Date('2029-01-01T00:00:00Z'))).toBe(0)
  expect(lifeLeft({ validFrom: dates.validTo, validTo: dates.validFrom }, new Date())).toBe(0)
})
