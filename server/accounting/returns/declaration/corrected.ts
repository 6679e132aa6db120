/**
 * What a return that follows an earlier one of its period takes from it. Source: the designs of records (boxes 70, 109 and
 * 111 of the 303; 18, 14, 29, 04 and 13 of the others); Orden HAC/819/2024; LGT art. 122 for complementary returns.
 */
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { Cents } from '../../../domain/money.ts'
import type { ModelNumber } from '../contract.ts'
import type { FilingRow } from '../rows.ts'
import type { FilingChoices } from './choices.ts'

interface Corrected {
  boxes: Record<string, number>
  resultCents: Cents
  /** The part of the result that decides how it is settled: without what was paid in excess (box 111 of the 303). */
  settledCents: Cents
  fault?: Fault
}

/** Boxes of "to deduct: result of the earlier return", with the one that the result is in, and what is summed before it. */
const COMPLETED: Partial<
  Record<
    ModelNumber,
    { before: readonly (readonly [box: string, sign: 1 | -1])[]; paid: string; result: string }
  >
> = {
  '130': { before: [['17', 1]], paid: '18', result: '19' },
  '111': { before: [['28', 1]], paid: '29', result: '30' },
  '115': { before: [['03', 1]], paid: '04', result: '05' },
  '123': { before: [['12', 1]], paid: '13', result: '14' },
  '131': { before: [['13', 1]], paid: '14', result: '15' },
  '420': {
    before: [
      ['41', 1],
      ['42', 1],
      ['43', -1],
    ],
    paid: '44',
    result: '45',
  },
}

function rectified(boxes: Record<string, number>, earlier: FilingRow): Corrected {
  const before = (box: string): Cents => earlier.boxes[box] ?? 0
  // Of all earlier returns of the period: the last one states in 70 and 109 what came before it.
  const paid = before('70') + (earlier.outcome === 'pay' ? Math.max(0, earlier.resultCents) : 0)
  const refunded =
    before('109') + (earlier.outcome === 'refund' ? Math.max(0, -earlier.resultCents) : before('111'))
  const result = (boxes['69'] ?? 0) - paid + refunded
  // The part of a result in favour that is money paid in excess; the rest is offset or refunded as VAT.
  const excess = Math.min(Math.max(0, -result), Math.max(0, paid - refunded))
  return {
    boxes: { ...boxes, '70': paid, '109': refunded, '71': result, '111': excess },
    resultCents: result,
    settledCents: result + excess,
    ...(refunded > 0
      ? {
          fault: {
            code: 'refund_assumed',
            field: 'boxes.109',
            severity: 'warning',
            message: 'Box 109 says that the refund asked for before was granted.',
            fix: 'File it only if it was; otherwise wait, or use the agency’s form.',
            params: { amount: refunded / 100 },
          },
        }
      : {}),
  }
}

/** Returns the boxes as they are filed: those computed, or what a later return makes of them. */
export function correctedBoxes(
  model: ModelNumber,
  boxes: Record<string, number>,
  {
    choices,
    earlier,
    resultCents,
  }: { choices: FilingChoices; earlier: FilingRow | null; resultCents: Cents },
): Corrected {
  if (choices.nature === 'first' || earlier === null) return { boxes, resultCents, settledCents: resultCents }
  if (model === '303') return rectified(boxes, earlier)
  const places = COMPLETED[model]
  if (!places) return { boxes, resultCents, settledCents: resultCents }
  const paid = Math.max(0, earlier.resultCents) + (earlier.boxes[places.paid] ?? 0)
  const before = places.before.reduce((sum, [box, sign]) => sum + sign * (boxes[box] ?? 0), 0)
  const result = before - paid
  return {
    boxes: { ...boxes, [places.paid]: paid, [places.result]: result },
    resultCents: result,
    settledCents: result,
    ...(result > 0
      ? {}
      : {
          fault: {
            code: 'complementary_lowers',
            field: 'nature',
            severity: 'error',
            message: 'A complementary return only raises what is paid.',
            fix: 'Ask the agency to rectify the earlier return (LGT art. 120.3).',
            params: { paid: paid / 100, now: before / 100 },
          },
        }),
  }
}
