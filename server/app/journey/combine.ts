/** Combines what the channels say into the five steps. Pure. */
import type { BusinessDate } from '../../domain/dates.ts'
import { JOURNEY_STEPS } from './contract.ts'
import type { JourneyChannel, JourneyFact, JourneyStep, JourneyStepName } from './contract.ts'
import type { SourceFact } from './source.ts'

/** What the invoice itself has no such step for, and the last day of its payment. */
interface JourneyFrame {
  notApplicable: readonly JourneyStepName[]
  due: BusinessDate | null
}

export type ChannelFact = SourceFact & { channel: JourneyChannel }

/** Steps of which the last word counts: a rejection after an acceptance, a payment that was undone. */
const LAST_WORD: readonly JourneyStepName[] = ['registered', 'accepted', 'paid']

/** Of the other steps one proof is enough, and what is pending says more than what failed before. */
const STRONGEST: readonly JourneyFact['state'][] = ['done', 'waiting', 'failed', 'unknown', 'not_applicable']

/** Without a time last: it says nothing of an order. */
const newestFirst = (a: JourneyFact, b: JourneyFact): number =>
  (b.at ?? b.day ?? '').localeCompare(a.at ?? a.day ?? '')

function deciding(step: JourneyStepName, facts: readonly JourneyFact[]): JourneyFact | undefined {
  if (LAST_WORD.includes(step)) {
    const decided = facts.filter(({ state }) => state === 'done' || state === 'failed')
    return decided[0] ?? facts[0]
  }
  const [best] = STRONGEST.filter((state) => facts.some((fact) => fact.state === state))
  const ofState = facts.filter(({ state }) => state === best)
  // The first proof is when it happened; of anything else the newest is.
  return best === 'done' ? ofState.at(-1) : ofState[0]
}

/** Returns the five steps. Who answers has seen the invoice, and got it; who saw it got it. */
export function combineJourney(
  given: readonly ChannelFact[],
  { notApplicable, due }: JourneyFrame,
): JourneyStep[] {
  const steps = new Map<JourneyStepName, JourneyFact[]>(JOURNEY_STEPS.map((step) => [step, []]))
  for (const { step, ...fact } of given) steps.get(step)?.push(fact)
  return JOURNEY_STEPS.map((step) => {
    const facts = (steps.get(step) ?? []).toSorted(newestFirst)
    const decided = notApplicable.includes(step) ? undefined : deciding(step, facts)
    const delivered = steps.get('delivered')?.some(({ state }) => state === 'done') ?? false
    const nothing: JourneyFact['state'] = notApplicable.includes(step)
      ? 'not_applicable'
      : step === 'seen' && delivered
        ? 'unknown'
        : 'waiting'
    return {
      step,
      state: decided?.state ?? nothing,
      at: decided?.at ?? null,
      day: decided?.day ?? null,
      channel: decided?.channel ?? null,
      evidence: decided?.evidence ?? null,
      note: decided?.note ?? null,
      due: step === 'paid' && nothing !== 'not_applicable' ? due : null,
      facts,
    }
  })
}
