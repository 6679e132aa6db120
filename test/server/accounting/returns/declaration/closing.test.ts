/** Boxes that do not close: each sum that the designs state, and each rule besides, is found where it is wrong. */
import { describe, expect, test } from 'vitest'
import { faultsOfClosing } from '../../../../../server/accounting/returns/declaration/closing.ts'
import { PAGE_MODELS, sumsOf } from './samples.ts'

/** Boxes that close, all different from zero where they can be. */
const CLOSED: Record<string, Record<string, number>> = {
  '303': {
    '07': 4_235_075,
    '09': 889_366,
    '06': 15_000,
    '29': 443_108,
    '31': 25_200,
    '27': 904_366,
    '45': 468_308,
    '46': 436_058,
    '64': 436_058,
    '65': 10_000,
    '66': 436_058,
    '110': 60_000,
    '78': 50_000,
    '87': 10_000,
    '69': 386_058,
    '70': 86_058,
    '71': 300_000,
  },
  '130': {
    '01': 3_550_000,
    '02': 915_033,
    '03': 2_634_967,
    '04': 526_993,
    '05': 210_000,
    '06': 130_500,
    '07': 186_493,
    '12': 186_493,
    '14': 186_493,
    '15': 6_493,
    '17': 180_000,
    '18': 80_000,
    '19': 100_000,
  },
  '111': { '03': 207_900, '09': 34_500, '28': 242_400, '29': 42_400, '30': 200_000 },
  '115': { '01': 1, '02': 30_000, '03': 5_700, '04': 700, '05': 5_000 },
  '123': {
    '01': 3,
    '04': 500_000,
    '07': 95_000,
    '02': 1,
    '05': 10_000,
    '08': 1_900,
    '03': 4,
    '06': 510_000,
    '09': 96_900,
    '11': 100,
    '12': 97_000,
    '13': 7_000,
    '14': 90_000,
  },
  '390': {},
}

const codesOf = async (...args: Parameters<typeof faultsOfClosing>) =>
  (await faultsOfClosing(...args)).map(({ code, field }) => `${field}: ${code}`)

describe.each(PAGE_MODELS)('model %s', (model, year) => {
  const boxes = CLOSED[model]!

  test('closes as it is, and empty', async () => {
    expect(await codesOf(model, year, boxes)).toEqual([])
    expect(await codesOf(model, year, {})).toEqual([])
  })

  test('a wrong sum is found, whichever it is', async () => {
    const sums = await sumsOf(model, year)
    // The design of the yearly summary states none.
    expect(sums.size > 0).toBe(model !== '390')
    for (const [total, terms] of sums) {
      const wrong = `boxes.${total}: boxes_do_not_close`
      for (const by of [1, -1, 100]) {
        expect(await codesOf(model, year, { ...boxes, [total]: (boxes[total] ?? 0) + by }), total).toContain(
          wrong,
        )
        for (const { box } of terms)
          expect(
            await codesOf(model, year, { ...boxes, [box]: (boxes[box] ?? 0) + by }),
            `${total}: ${box}`,
          ).toContain(wrong)
      }
    }
  })

  test('a total that is left out is found as well', async () => {
    for (const [total] of await sumsOf(model, year)) {
      const { [total]: value = 0, ...others } = boxes
      if (value !== 0)
        expect(await codesOf(model, year, others), total).toContain(`boxes.${total}: boxes_do_not_close`)
    }
  })
})

describe('rules that are no sums', () => {
  test('the part of the State is its share of the result', async () => {
    const boxes = CLOSED['303']!
    expect(await codesOf('303', 2026, { ...boxes, '66': 436_057 })).toContain('boxes.66: boxes_do_not_close')
    expect(await codesOf('303', 2026, { ...boxes, '65': 9_999 })).toEqual(['boxes.66: boxes_do_not_close'])
    const { '65': _share, ...without } = boxes
    expect(await codesOf('303', 2026, without)).toContain('boxes.66: boxes_do_not_close')
  })

  test('the instalments of the 130 are never below zero', async () => {
    const negative = { '02': 50_000, '03': -50_000, '06': 10_000, '07': -10_000 }
    expect(await codesOf('130', 2026, negative)).toEqual([])
    expect(
      await codesOf('130', 2026, { ...negative, '12': -10_000, '14': -10_000, '17': -10_000, '19': -10_000 }),
    ).toEqual(['boxes.12: boxes_do_not_close'])
  })

  test('the instalment is a fifth of a net yield above zero', async () => {
    expect(
      await codesOf('130', 2026, {
        '01': 101,
        '03': 101,
        '04': 20,
        '07': 20,
        '12': 20,
        '14': 20,
        '17': 20,
        '19': 20,
      }),
    ).toEqual([])
    const { '04': _instalment, ...boxes } = CLOSED['130']!
    const other = { ...boxes, '04': 526_994, '06': 130_501 }
    expect(await codesOf('130', 2026, other)).toEqual(['boxes.04: boxes_do_not_close'])
  })

  test('a fault says the box, its rule, and both amounts in euros', async () => {
    expect(await faultsOfClosing('111', 2026, { '03': 100, '28': 101, '30': 101 })).toEqual([
      {
        code: 'boxes_do_not_close',
        field: 'boxes.28',
        severity: 'error',
        message: expect.stringContaining('Box 28'),
        fix: expect.stringContaining('Check'),
        params: {
          box: '28',
          rule: '03 + 06 + 09 + 12 + 15 + 18 + 21 + 24 + 27',
          value: 1.01,
          expected: 1,
        },
      },
    ])
  })
})
