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

/** What is a word on such a step. What may have happened is one, so that nothing older is shown in its place. */
const WORDS: readonly JourneyFact['state'][] = ['done', 'failed', 'unknown']

/**
 * Of the other steps one proof is enough, and what is pending says more than what failed before. What may have happened is
 * never shown as failed.
 */
const STRONGEST: readonly JourneyFact['state'][] = ['done', 'waiting', 'unknown', 'failed']

/** A day without a time is its end, so that the books have the last word on a day. Without either, nothing says an order: last. */
const orderOf = ({ at, day }: JourneyFact): string => at ?? (day === null ? '' : `${day}T24`)

const newestFirst = (a: JourneyFact, b: JourneyFact): number => {
  const [one, other] = [orderOf(a), orderOf(b)]
  return one < other ? 1 : one > other ? -1 : 0
}

/** Returns the fact from which a step follows. `facts` are the newest first. */
function deciding<Fact extends JourneyFact>(step: JourneyStepName, facts: readonly Fact[]): Fact | undefined {
  if (LAST_WORD.includes(step)) return facts.find(({ state }) => WORDS.includes(state)) ?? facts[0]
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
  return JOURNEY_STEPS.map((step) => {
    // Of one instant, what a source says last is the newest.
    const known = given
      .filter((fact) => fact.step === step)
      .toReversed()
      .toSorted(newestFirst)
    const decisive = known.filter(({ isAside = false, state }) => !isAside && state !== 'not_applicable')
    const decided = notApplicable.includes(step) ? undefined : deciding(step, decisive)
    const isDelivered = given.some(
      (fact) => fact.step === 'delivered' && fact.state === 'done' && fact.isAside !== true,
    )
    const nothing: JourneyFact['state'] = notApplicable.includes(step)
      ? 'not_applicable'
      : step === 'seen' && isDelivered
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
      facts: known.map(({ step: _step, isAside: _isAside, ...fact }) => fact),
    }
  })
}
