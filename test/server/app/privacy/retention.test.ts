/** Legal retention of documents: the longest of the laws that apply. */
import { describe, expect, test } from 'vitest'
import {
  endOfYear,
  isExpired,
  retentionOfEntry,
  retentionOfIssued,
  retentionOfMandate,
  retentionOfReceived,
  RETAINED_FOR_CLAIMS,
  later,
} from '../../../../server/app/privacy/retention.ts'

describe('legal retention', () => {
  test('of six years starts at the end of the document’s year, whatever its day', () => {
    expect(retentionOfEntry('2020-01-01').until).toBe('2026-12-31')
    expect(retentionOfEntry('2020-12-31').until).toBe('2026-12-31')
    expect(endOfYear('2020-02-29', 6)).toBe('2026-12-31')
  })

  test('of an invoice is longest by the Commercial Code, and ten years when it was declared in the one-stop shop', () => {
    expect(retentionOfIssued('2026-07-01', false)).toEqual({
      until: '2032-12-31',
      laws: ['commerce', 'tax', 'invoicing', 'registry'],
    })
    expect(retentionOfIssued('2026-07-01', true)).toMatchObject({ until: '2036-12-31' })
    expect(retentionOfIssued('2026-07-01', true).laws).toContain('one_stop_shop')
  })

  test('of capital goods lasts for their regularisation and five years more; of land and buildings for nine and five', () => {
    expect(retentionOfReceived('2026-03-01', null).until).toBe('2032-12-31')
    expect(retentionOfReceived('2026-03-01', 'movable').until).toBe('2035-12-31')
    expect(retentionOfReceived('2026-03-01', 'property').until).toBe('2040-12-31')
  })

  test('of a tax period never exceeds six years: its return is filed by July, and four years later is July again', () => {
    const lastTaxDay = '2031-07-25'
    expect(retentionOfEntry('2026-12-31').until! > lastTaxDay).toBe(true)
  })

  test('of a mandate runs from its last debit, and of a claim while it is open', () => {
    expect(retentionOfMandate('2026-08-01').until).toBe('2032-12-31')
    expect(isExpired(RETAINED_FOR_CLAIMS, '2999-01-01')).toBe(false)
  })

  test('ends the day after, not on the last day', () => {
    const keeping = retentionOfEntry('2020-05-05')
    expect(isExpired(keeping, '2026-12-31')).toBe(false)
    expect(isExpired(keeping, '2027-01-01')).toBe(true)
  })

  test('uses the later of two days, ignoring an unknown one', () => {
    expect(later('2030-12-31', '2032-12-31')).toBe('2032-12-31')
    expect(later(null, '2032-12-31')).toBe('2032-12-31')
    expect(later(null, null)).toBeNull()
  })
})
