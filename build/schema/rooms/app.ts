/** What SQL cannot express of the tables of app/. */
import type { Room } from '../room.ts'

export const app: Room = {
  tables: {
    approvals: {},
    tool_calls: {},
    key_clients: {},
    import_runs: {},
    import_chunks: {},
    import_rows: {},
    second_person_rules: {},
    second_person_requests: {},
  },
}
