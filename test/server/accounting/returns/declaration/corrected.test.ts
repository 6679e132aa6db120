/** Returns that follow an earlier one of their period: what was paid and refunded before, and what is left. */
import { describe, expect, test } from 'vitest'
import { faultsOfClosing } from '../../../../../server/accounting/returns/declaration/closing.ts'
import { correctedBoxes } from '../../../../../server/accounting/returns/declaration/corrected.ts'
import type { FilingRow } from '../../../../../server/accounting/returns/rows.ts'

function filed(changes: Partial<FilingRow>): FilingRow {
  return {
    id: 1,
    publicId: 'fil_1',
    filedOn: '2026-04-14',
    outcome: 'pay',
    resultCents: 0,
    reference: null,
    receipt: null,
    nature: 'first',
    source: 'service',
    boxes: {},
    ...changes,
  }
}

/** Boxes of a 303 that comes to an amount before what was settled earlier. */
function vat(cents: number): Record<string, number> {
  return {
    '09': Math.max(0, cents),
    '27': Math.max(0, cents),
    '29': Math.max(0, -cents),
    '45': Math.max(0, -cents),
    '46': cents,
    '64': cents,
    '65': 10_000,
    '66': cents,
    '69': cents,
    '71': cents,
  }
}

async function rectify(cents: number, earlier: FilingRow) {
  const corrected = correctedBoxes('303', vat(cents), {
    choices: { nature: 'rectifying' },
    earlier,
    resultCents: cents,
  })
  // Whatever it says, it closes.
  expect(await faultsOfClosing('303', 2026, corrected.boxes)).toEqual([])
  const { boxes, resultCents, settledCents, fault } = corrected
  expect(boxes['71']).toBe(resultCents)
  return {
    paid: boxes['70'],
    refunded: boxes['109'],
    excess: boxes['111'],
    resultCents,
    settledCents,
    warning: fault?.code ?? null,
    boxes,
  }
}

describe('a first return', () => {
  test('is filed as computed', () => {
    const boxes = vat(100)
    const same = { boxes, resultCents: 100, settledCents: 100 }
    const earlier = filed({ resultCents: 50 })
    expect(correctedBoxes('303', boxes, { choices: { nature: 'first' }, earlier, resultCents: 100 })).toEqual(
      same,
    )
    expect(
      correctedBoxes('303', boxes, { choices: { nature: 'rectifying' }, earlier: null, resultCents: 100 }),
    ).toEqual(same)
  })
})

describe('a rectifying 303', () => {
  test.each([
    // More is due than was paid.
    [
      150_000,
      { outcome: 'pay', resultCents: 100_000 },
      { paid: 100_000, refunded: 0, excess: 0, settledCents: 50_000 },
    ],
    // The same again.
    [
      100_000,
      { outcome: 'pay', resultCents: 100_000 },
      { paid: 100_000, refunded: 0, excess: 0, settledCents: 0 },
    ],
    // Less is due: all that comes back was paid in excess.
    [
      79_000,
      { outcome: 'pay', resultCents: 100_000 },
      { paid: 100_000, refunded: 0, excess: 21_000, settledCents: 0 },
    ],
    // Less than nothing: what was paid comes back, the rest is offset or refunded as VAT.
    [
      -40_000,
      { outcome: 'pay', resultCents: 100_000 },
      { paid: 100_000, refunded: 0, excess: 100_000, settledCents: -40_000 },
    ],
    // Nothing was paid of what was to be offset.
    [
      -30_000,
      { outcome: 'offset', resultCents: -50_000 },
      { paid: 0, refunded: 0, excess: 0, settledCents: -30_000 },
    ],
    [
      30_000,
      { outcome: 'offset', resultCents: -50_000 },
      { paid: 0, refunded: 0, excess: 0, settledCents: 30_000 },
    ],
    // What was refunded is paid back.
    [
      -30_000,
      { outcome: 'refund', resultCents: -50_000 },
      { paid: 0, refunded: 50_000, excess: 0, settledCents: 20_000 },
    ],
    [
      -70_000,
      { outcome: 'refund', resultCents: -50_000 },
      { paid: 0, refunded: 50_000, excess: 0, settledCents: -20_000 },
    ],
    [10_000, { outcome: 'none', resultCents: 0 }, { paid: 0, refunded: 0, excess: 0, settledCents: 10_000 }],
  ] as const)('of %i after %o', async (cents, earlier, expected) => {
    const { resultCents, ...found } = await rectify(cents, filed(earlier))
    expect(found).toMatchObject(expected)
    expect(resultCents).toBe(cents - expected.paid + expected.refunded)
    expect(found.warning).toBe(expected.refunded > 0 ? 'refund_assumed' : null)
  })

  test('after another one counts all that was paid, and refunded, before', async () => {
    const first = filed({ outcome: 'pay', resultCents: 100_000, boxes: vat(100_000) })
    const second = await rectify(150_000, first)
    expect(second).toMatchObject({ paid: 100_000, resultCents: 50_000 })
    const third = await rectify(
      120_000,
      filed({ outcome: 'pay', resultCents: second.resultCents, boxes: second.boxes }),
    )
    expect(third).toMatchObject({ paid: 150_000, refunded: 0, excess: 30_000, settledCents: 0 })
    // The excess of the third counts as given back.
    const fourth = await rectify(
      120_000,
      filed({ outcome: 'none', resultCents: third.resultCents, boxes: third.boxes }),
    )
    expect(fourth).toMatchObject({
      paid: 150_000,
      refunded: 30_000,
      resultCents: 0,
      warning: 'refund_assumed',
    })
    const fifth = await rectify(
      -10_000,
      filed({ outcome: 'none', resultCents: fourth.resultCents, boxes: fourth.boxes }),
    )
    // Only what is still paid comes back as an excess.
    expect(fifth).toMatchObject({ resultCents: -130_000, excess: 120_000, settledCents: -10_000 })
  })

  test('settles the last figure, however many came before', async () => {
    const figures = [80_000, 95_000, 60_000, -20_000, -55_000, 10_000]
    let earlier = filed({ outcome: 'pay', resultCents: 80_000, boxes: vat(80_000) })
    let cash = 80_000
    for (const figure of figures.slice(1)) {
      const next = await rectify(figure, earlier)
      // What VAT is left over is refunded here too, so that all of it is cash.
      const outcome = next.settledCents > 0 ? 'pay' : next.settledCents < 0 ? 'refund' : 'none'
      cash += next.resultCents
      expect(cash).toBe(figure)
      earlier = filed({ outcome, resultCents: next.resultCents, boxes: next.boxes })
    }
  })
})

describe('a complementary return', () => {
  const places = [
    ['130', '17', '18', '19'],
    ['111', '28', '29', '30'],
    ['115', '03', '04', '05'],
  ] as const

  test.each(places)('of model %s pays what is more than before', (model, before, paid, result) => {
    const boxes = { [before]: 50_000, [paid]: 0, [result]: 50_000 }
    const choices = { nature: 'complementary' } as const
    const first = filed({ resultCents: 30_000, boxes: { [before]: 30_000, [result]: 30_000 } })
    expect(correctedBoxes(model, boxes, { choices, earlier: first, resultCents: 50_000 })).toEqual({
      boxes: { [before]: 50_000, [paid]: 30_000, [result]: 20_000 },
      resultCents: 20_000,
      settledCents: 20_000,
    })
    // After another one: all that was paid before.
    const second = filed({
      resultCents: 15_000,
      boxes: { [before]: 45_000, [paid]: 30_000, [result]: 15_000 },
    })
    expect(correctedBoxes(model, boxes, { choices, earlier: second, resultCents: 50_000 })).toMatchObject({
      boxes: { [paid]: 45_000, [result]: 5_000 },
      resultCents: 5_000,
    })
    // Nothing was paid of a negative one.
    const negative = filed({ outcome: 'none', resultCents: -10_000 })
    expect(correctedBoxes(model, boxes, { choices, earlier: negative, resultCents: 50_000 })).toMatchObject({
      boxes: { [paid]: 0, [result]: 50_000 },
    })
  })

  test.each(places)(
    'of model %s that does not raise what is paid is refused',
    (model, before, paid, result) => {
      const first = filed({ resultCents: 30_000, boxes: { [before]: 30_000, [result]: 30_000 } })
      for (const now of [30_000, 29_999]) {
        const { fault } = correctedBoxes(
          model,
          { [before]: now, [paid]: 0, [result]: now },
          { choices: { nature: 'complementary' }, earlier: first, resultCents: now },
        )
        expect(fault).toMatchObject({
          code: 'complementary_lowers',
          field: 'nature',
          severity: 'error',
          fix: expect.stringContaining('120.3'),
          params: { paid: 300, now: now / 100 },
        })
      }
    },
  )
})
