/** The record at the tax agency. */
import type { JourneySource, SourceFact } from '../source.ts'
import type { JourneyFact } from '../contract.ts'

/** How each status of the record counts, and what to know of it. */
const STATES: Readonly<Record<string, [state: JourneyFact['state'], note: string | null]>> = {
  pending: ['waiting', null],
  sending: ['waiting', null],
  accepted: ['done', null],
  accepted_with_errors: ['done', 'accepted_with_errors'],
  rejected: ['failed', 'rejected_by_agency'],
  unknown: ['unknown', 'answer_lost'],
  cancelled: ['done', 'annulled'],
}

export const registrySource: JourneySource = {
  channel: 'registry',
  async facts(_ctx, { invoice }) {
    const { registry } = invoice
    const known = STATES[registry.status]
    if (!known) return []
    const [state, note] = known
    const fact: SourceFact = {
      step: 'registered',
      state,
      at: registry.answeredAt ?? registry.sentAt ?? null,
      day: null,
      evidence:
        registry.recordId === undefined
          ? null
          : { type: 'record', id: registry.recordId, label: registry.csv ?? registry.recordId },
      note: note ?? (registry.simulated ? 'simulated' : null),
    }
    return [fact]
  },
}
