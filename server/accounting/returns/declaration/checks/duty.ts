/** What must be known before a return can be filed at all: where the business files, whether, and when. */
import type { BusinessDate } from '../../../../domain/dates.ts'
import type { Fault } from '../../../../domain/errors/app-error.ts'
import { verdictOf } from '../../calendar/filing-duty.ts'
import type { Standing } from '../../calendar/filing-duty.ts'
import { familyOf, isKnownFor, taxOfReturn } from '../../calendar/return-rows.ts'
import type { ReturnPeriod } from '../../calendar/periods.ts'
import type { Computed } from '../../compute.ts'
import type { ModelNumber } from '../../contract.ts'
import { isTypedModel } from '../../models/typed/typed-returns.ts'
import { isForal, territoryOfPostalCode } from '../../../../tax/systems/index.ts'
import { fault } from './fault.ts'

/**
 * Returns what the company's place says: a postal code is not a tax domicile, so it only warns. Returns of income tax are
 * filed with the State from the Canary Islands, Ceuta and Melilla too.
 */
export function territoryFaults(model: ModelNumber, standing: Standing): Fault[] {
  const { postal_code: postalCode } = standing.company
  const tax = taxOfReturn(model)
  if (!isKnownFor(model, standing.company) || (tax !== undefined && tax !== familyOf(standing.company)))
    return [
      fault(
        'other_territory',
        '',
        'Businesses of that territory file with another treasury or another tax.',
        'Prepare this return elsewhere.',
      ),
    ]
  const likely = territoryOfPostalCode(postalCode ?? '')
  if (likely === null || !isForal(likely)) return []
  return [
    {
      ...fault(
        'territory_doubtful',
        '',
        'The postal code is of a territory with a treasury of its own.',
        'File this return only if the tax domicile is in the common territory.',
      ),
      severity: 'warning',
    },
  ]
}

/** Returns that state the wages paid. */
const WITH_WAGES: readonly ModelNumber[] = ['111', '190']

/** Returns what must be known before a return can be filed at all. */
export function knownFaults(
  model: ModelNumber,
  standing: Standing,
  period: ReturnPeriod,
  today: BusinessDate,
): Fault[] {
  const verdict = verdictOf(model, standing, period.year)
  const faults: Fault[] = []
  if (!verdict.computed && !isTypedModel(model))
    faults.push(
      fault(
        'not_computed',
        '',
        `Sello does not compute model ${model} for this business.`,
        'Prepare it elsewhere.',
        { why: verdict.why ?? 'not_computed' },
      ),
    )
  // Professionals make the return due, but its boxes of wages still say that nobody was paid.
  if (
    (verdict.applies === null && !isTypedModel(model)) ||
    (WITH_WAGES.includes(model) && standing.wages === 'unknown')
  )
    faults.push(
      fault(
        'wages_unknown',
        '',
        'It is not known whether wages were paid.',
        'Type boxes 01 to 06 of form 111, or 0 where nobody was paid.',
      ),
    )
  if (verdict.applies === false)
    faults.push({
      ...fault(
        'not_due',
        '',
        'By what Sello knows, this return is not due.',
        'File it only if you know better.',
        {
          why: verdict.why ?? '',
        },
      ),
      severity: 'warning',
    })
  if (today <= period.to)
    faults.push(
      fault(
        'period_open',
        'period',
        'The period has not ended yet.',
        `File it from the day after ${period.to}.`,
        {
          day: period.to,
        },
      ),
    )
  return faults
}

/** Returns what must be said of a return that a person types: where its figures come from, or that there are none. */
export function typedFaults({ resultCents }: Pick<Computed, 'resultCents'>): Fault[] {
  if (resultCents === null)
    return [
      fault(
        'nothing_typed',
        'boxes',
        'Nobody has typed the boxes of this return.',
        'Type them on its page, or 0 where there is nothing to declare.',
      ),
    ]
  return [
    {
      ...fault(
        'typed_return',
        'boxes',
        'A person typed every figure of this return: none is from the books.',
        'Compare them with what you have.',
      ),
      severity: 'warning',
    },
  ]
}
