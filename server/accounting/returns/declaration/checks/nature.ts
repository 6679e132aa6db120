/** What a return is beside an earlier one of its period, and the boxes that belong to it. */
import type { Fault } from '../../../../domain/errors/app-error.ts'
import type { FilingRow } from '../../rows.ts'
import type { FilingChoices } from '../choices.ts'
import type { Boxes } from '../closing.ts'
import type { DeclaredModel } from '../declared-models.ts'
import { laterNatures } from '../kinds.ts'
import { fault } from './fault.ts'

/** Length of the number on a receipt, which begins with the model. */
const RECEIPT = /^\d{13}$/

/** Models whose later returns take off what an earlier one settled. */
const COMPLETE_EARLIER: readonly DeclaredModel[] = ['303', '130', '131', '111', '115', '123']

/** Boxes about earlier returns of the period, by model. */
const BOXES_OF_LATER: Partial<Record<DeclaredModel, readonly string[]>> = {
  '303': ['70', '109'],
  '130': ['18'],
  '111': ['29'],
  '115': ['04'],
  '123': ['13'],
  '131': ['14'],
}

/** Returns the boxes about an earlier return in one that follows none, and the one that only a criterion explains. */
export function laterBoxFaults(
  model: DeclaredModel,
  boxes: Boxes,
  { nature, reason }: FilingChoices,
): Fault[] {
  const closed = [
    ...(nature === 'first' ? (BOXES_OF_LATER[model] ?? []) : []),
    ...(model === '303' && (nature !== 'rectifying' || reason !== 'criterion') ? ['108'] : []),
  ]
  return closed
    .filter((box) => (boxes[box] ?? 0) !== 0)
    .map((box) =>
      fault(
        'box_of_later_return',
        `boxes.${box}`,
        box === '108'
          ? 'Box 108 belongs to a rectification for disagreement with a criterion.'
          : `Box ${box} belongs to a return that follows an earlier one of its period.`,
        'Empty the box, or choose that kind of return.',
        { box },
      ),
    )
}

/** Returns what is wrong with a return that follows an earlier one of the period, or comes without it. */
export function natureFaults(
  model: DeclaredModel,
  choices: FilingChoices,
  earlier: FilingRow | null,
): Fault[] {
  const later = laterNatures(model)
  if (choices.nature === 'first')
    return earlier
      ? [
          fault(
            'filed_before',
            'nature',
            'A return of this period is filed already.',
            later.length > 0
              ? `File it as ${later.join(' or ')}.`
              : 'What changes is declared as a correction in a later return.',
            { natures: later.join(', ') },
          ),
        ]
      : []
  const faults: Fault[] = []
  // Their result is what the earlier one leaves.
  if (earlier === null && COMPLETE_EARLIER.includes(model))
    faults.push(
      fault(
        'earlier_unknown',
        'nature',
        'The earlier return of this period is not known here, and the result depends on it.',
        'Read its file first, or mark it as filed with its boxes.',
      ),
    )
  if (!later.includes(choices.nature))
    faults.push(
      fault(
        'nature_not_allowed',
        'nature',
        `Model ${model} knows no such return.`,
        `Choose ${later.join(' or ')}.`,
      ),
    )
  if (!RECEIPT.test(choices.previousReceipt ?? ''))
    faults.push(
      fault(
        'previous_receipt_missing',
        'previousReceipt',
        'The form asks for the 13 digits of the receipt of the earlier return.',
        'Copy the number (Justificante) from that receipt.',
      ),
    )
  else if (!choices.previousReceipt?.startsWith(model))
    faults.push(
      fault(
        'previous_receipt_of_other',
        'previousReceipt',
        `A receipt of model ${model} begins with ${model}.`,
        'Copy it from the receipt of this model.',
      ),
    )
  return faults
}
