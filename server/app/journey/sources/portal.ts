/**
 * The portal of public bodies: submissions, states and cancellations. A state that is not known here is shown as unknown,
 * and a payment that the books do not have as well.
 */
import { portalStories } from '../../../integrations/portal/index.ts'
import type { PortalStory } from '../../../integrations/portal/index.ts'
import type { JourneyFact, JourneyStepName } from '../contract.ts'
import type { JourneySource, SourceFact } from '../source.ts'

/** Codes of what the portal says, all of which the window has words for. */
export const PORTAL_NOTES = [
  'portal_waiting',
  'portal_sending',
  'portal_answer_lost',
  'portal_registered',
  'portal_refused',
  'portal_withdrawn',
  'portal_not_arrived',
  'portal_1200',
  'portal_1300',
  'portal_2400',
  'portal_2500',
  'portal_2600',
  'portal_3100',
  'portal_4200',
  'portal_4300',
  'portal_4400',
  'portal_state_unknown',
  'portal_cancellation_waiting',
  'portal_cancellation_unknown',
  'portal_cancellation_refused',
] as const
type Note = (typeof PORTAL_NOTES)[number]

type Submission = PortalStory['submission']
type State = PortalStory['states'][number]
type Cancellation = PortalStory['cancellations'][number]

interface Known {
  step: JourneyStepName
  state: JourneyFact['state']
  note: Note
  isAside?: boolean
}

const instant = (ms: number): string => new Date(ms).toISOString()

/** How each state of a submission counts. */
const SUBMISSIONS: Readonly<Record<Submission['state'], Known>> = {
  waiting: { step: 'delivered', state: 'waiting', note: 'portal_waiting' },
  sent: { step: 'delivered', state: 'waiting', note: 'portal_sending' },
  unknown: { step: 'delivered', state: 'unknown', note: 'portal_answer_lost' },
  registered: { step: 'delivered', state: 'done', note: 'portal_registered' },
  refused: { step: 'delivered', state: 'failed', note: 'portal_refused' },
  not_arrived: { step: 'delivered', state: 'failed', note: 'portal_not_arrived' },
  // It never left: nothing of the invoice follows from it.
  withdrawn: { step: 'delivered', state: 'not_applicable', note: 'portal_withdrawn', isAside: true },
}

const SEEN = { step: 'seen', state: 'done' } as const

/** What follows from each code of the portal. Who processes an invoice has seen it. */
function knownBy({ code }: Pick<State, 'code'>, isPaid: boolean): Known[] {
  switch (code) {
    case '1200':
      return [{ step: 'delivered', state: 'done', note: 'portal_1200' }]
    case '1300':
      return [
        { ...SEEN, note: 'portal_1300' },
        { step: 'accepted', state: 'waiting', note: 'portal_1300' },
      ]
    case '2400':
      return [
        { ...SEEN, note: 'portal_2400' },
        { step: 'accepted', state: 'done', note: 'portal_2400' },
      ]
    case '2500':
      return [
        { ...SEEN, note: 'portal_2500' },
        { step: 'accepted', state: 'done', note: 'portal_2500' },
        { step: 'paid', state: isPaid ? 'done' : 'unknown', note: 'portal_2500' },
      ]
    case '2600':
      return [
        { ...SEEN, note: 'portal_2600' },
        { step: 'accepted', state: 'failed', note: 'portal_2600' },
      ]
    case '3100':
      return [{ step: 'accepted', state: 'failed', note: 'portal_3100' }]
    // That none was asked for is no event.
    case '4100':
      return []
    case '4200':
      return [{ step: 'accepted', state: 'waiting', note: 'portal_4200', isAside: true }]
    case '4300':
      return [{ step: 'accepted', state: 'failed', note: 'portal_4300' }]
    case '4400':
      return [{ step: 'accepted', state: 'not_applicable', note: 'portal_4400', isAside: true }]
    default:
      return [{ step: 'accepted', state: 'unknown', note: 'portal_state_unknown' }]
  }
}

/** A cancellation until the public body answers it with a state. */
const CANCELLATIONS: Readonly<Record<Cancellation['state'], Known | null>> = {
  waiting: { step: 'accepted', state: 'waiting', note: 'portal_cancellation_waiting', isAside: true },
  sent: { step: 'accepted', state: 'waiting', note: 'portal_cancellation_waiting', isAside: true },
  unknown: { step: 'accepted', state: 'unknown', note: 'portal_cancellation_unknown', isAside: true },
  refused: { step: 'accepted', state: 'not_applicable', note: 'portal_cancellation_refused', isAside: true },
  asked: null,
}

/** Returns what the portal knows of an issued invoice. Pure. */
export function portalFacts(stories: readonly PortalStory[], isPaid: boolean): SourceFact[] {
  // An earlier submission that was given back says nothing of the one that is there now.
  const newest = stories.findLast(({ submission: { state } }) => state === 'registered')
  return stories.flatMap((story) => {
    const { submission, states, cancellations } = story
    const isEarlier = newest !== undefined && story !== newest
    const facts: SourceFact[] = []
    const add = ({ isAside = false, ...known }: Known, at: number, label: string | null): void => {
      facts.push({
        ...known,
        at: instant(at),
        day: null,
        evidence: {
          type: 'submission',
          id: submission.public_id,
          label: label ?? submission.registry_number ?? '',
        },
        isAside: isAside || (isEarlier && (known.step === 'accepted' || known.step === 'paid')),
      })
    }
    add(
      SUBMISSIONS[submission.state],
      submission.settled_at ?? submission.sent_at ?? submission.created_at,
      submission.state === 'refused' ? [submission.why, submission.detail].filter(Boolean).join(' ') : null,
    )
    for (const state of states)
      for (const known of knownBy(state, isPaid))
        add(known, state.seen_at, [state.code, state.description, state.reason].filter(Boolean).join(' '))
    for (const { state, created_at: createdAt, settled_at: settledAt, reason } of cancellations) {
      const known = CANCELLATIONS[state]
      if (known) add(known, settledAt ?? createdAt, reason)
    }
    return facts
  })
}

export const portalSource: JourneySource = {
  channel: 'portal',
  facts: async (ctx, { rowId, invoice }) =>
    portalFacts(await portalStories(ctx, rowId), invoice.payment.status === 'paid'),
}
