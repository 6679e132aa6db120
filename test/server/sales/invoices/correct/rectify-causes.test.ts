/** From a cause in plain words to the kind of rectifying invoice, and the terms of the law. */
import { describe, expect, test } from 'vitest'
import { DOCUMENT_LANGUAGES } from '../../../../../server/domain/languages.ts'
import {
  addMonths,
  CAUSES,
  lastDayToRectify,
  RECTIFY_CAUSES,
  rectificationKind,
  termWarnings,
} from '../../../../../server/sales/invoices/correct/rectify-causes.ts'
import type { RectifyCause } from '../../../../../server/sales/invoices/correct/rectify-causes.ts'
import { rectifyMessages } from '../../../../../server/sales/invoices/correct/rectify-messages.ts'

describe('the kind', () => {
  test.each<[RectifyCause, string]>([
    ['returned_goods', 'R1'],
    ['returned_packaging', 'R1'],
    ['discount', 'R1'],
    ['period_discount', 'R1'],
    ['price_change', 'R1'],
    ['cancelled_operation', 'R1'],
    ['provisional_price', 'R1'],
    ['wrong_vat', 'R1'],
    ['wrong_amount', 'R4'],
    ['wrong_client', 'R4'],
    ['wrong_text', 'R4'],
    ['insolvency', 'R2'],
    ['uncollectible', 'R3'],
    ['other', 'R4'],
  ])('of %s is %s for a complete invoice', (cause, kind) => {
    for (const original of ['F1', 'F3', 'R1', 'R4'] as const)
      expect(rectificationKind(cause, original)?.kind).toBe(kind)
  })

  test('of everything of a ticket is R5, except where the debtor has to be known', () => {
    for (const cause of RECTIFY_CAUSES) {
      const needsDebtor = cause === 'insolvency' || cause === 'uncollectible'
      for (const original of ['F2', 'R5'] as const)
        expect(rectificationKind(cause, original)?.kind ?? null).toBe(needsDebtor ? null : 'R5')
    }
  })

  test('names the tax of the document, not always VAT', () => {
    expect(rectifyMessages('es', '03').causes.wrong_vat).toBe('IGIC mal aplicado')
    expect(rectifyMessages('eu', '02').untaxed).toBe('IPSIik gabe')
    expect(rectifyMessages('fr', '01').untaxed).toBe('sans TVA')
  })

  test('names its article, and each cause stands on the paper in every language', () => {
    for (const cause of RECTIFY_CAUSES) {
      expect(CAUSES[cause].article).toMatch(/^art\. (80|89|15)/)
      for (const language of DOCUMENT_LANGUAGES)
        expect(rectifyMessages(language, '01').causes[cause], language).toMatch(/^\p{Lu}.{5,}/u)
    }
    // One language is no other one: each words most causes on its own.
    for (const language of DOCUMENT_LANGUAGES) {
      const own = Object.values(rectifyMessages(language, '01').causes)
      expect(new Set(own).size).toBe(RECTIFY_CAUSES.length)
      for (const other of DOCUMENT_LANGUAGES.filter((each) => each !== language))
        expect(
          Object.values(rectifyMessages(other, '01').causes).filter((text) => own.includes(text)).length,
        ).toBeLessThan(3)
    }
  })
})

describe('the terms', () => {
  const codes = (...[facts]: Parameters<typeof termWarnings>) => termWarnings(facts).map(({ code }) => code)
  const facts = { cause: null, issueDate: '2026-11-21', accrualDate: '2026-10-01', baseCents: 100_000 }

  test('months are counted by the calendar', () => {
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
    expect(addMonths('2024-01-31', 1)).toBe('2024-02-29')
    expect(addMonths('2026-11-21', 12)).toBe('2027-11-21')
    expect(addMonths('2026-12-31', 2)).toBe('2027-02-28')
    expect(lastDayToRectify('2026-11-21')).toBe('2030-11-21')
  })

  test('four years after the operation its VAT stays', () => {
    expect(codes({ ...facts, accrualDate: '2022-11-21' })).toEqual([])
    expect(codes({ ...facts, accrualDate: '2022-11-20' })).toEqual(['rectify_too_late'])
  })

  test('an unpaid invoice waits six months, a year for large companies, and not for ever', () => {
    const uncollectible = { ...facts, cause: 'uncollectible' as const }
    expect(codes({ ...uncollectible, accrualDate: '2026-05-22' })).toContain('uncollectible_too_early')
    expect(codes({ ...uncollectible, accrualDate: '2026-05-21' })).not.toContain('uncollectible_too_early')
    expect(codes({ ...uncollectible, accrualDate: '2025-05-21' })).not.toContain('uncollectible_too_late')
    expect(codes({ ...uncollectible, accrualDate: '2025-05-20' })).toContain('uncollectible_too_late')
    expect(codes({ ...uncollectible, accrualDate: '2026-01-01' })).toEqual([
      'uncollectible_claimed',
      'rectify_tell_authority',
      'rectify_still_owed',
    ])
  })

  test('the least base of a consumer follows the law of the day', () => {
    const small = { ...facts, cause: 'uncollectible' as const, baseCents: 20_000 }
    expect(codes({ ...small, issueDate: '2022-12-31', accrualDate: '2022-01-01' })).toContain(
      'uncollectible_small',
    )
    expect(codes({ ...small, issueDate: '2023-01-01', accrualDate: '2022-01-01' })).not.toContain(
      'uncollectible_small',
    )
  })

  test('insolvency has its own term and has to be told', () => {
    expect(codes({ ...facts, cause: 'insolvency' })).toEqual([
      'insolvency_term',
      'rectify_tell_authority',
      'rectify_still_owed',
    ])
  })
})
