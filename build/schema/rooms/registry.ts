/** What SQL cannot express of the tables of registry/. */
import type { Room } from '../room.ts'

export const registry: Room = {
  tables: {
    registry_chains: {
      columns: {
        broken_at: {
          doc: 'Sequence of the first record that fails verification; issuing stops while it is set.',
        },
        held_for: { doc: 'Reason why issuing is suspended until a person decides.' },
      },
    },
    registry_installations: {},
    registry_records: {},
    registry_submissions: {
      columns: {
        status: { union: 'SubmissionStatus' },
      },
    },
    registry_batches: {
      columns: {
        outcome: { union: 'BatchOutcome' },
      },
    },
    registry_attempts: {},
    registry_flows: {},
    registry_findings: {},
    registry_counts: {
      columns: {
        status: { type: 'SubmissionStatus' },
      },
    },
    simulator_records: {},
  },
}
