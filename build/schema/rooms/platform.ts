/** What SQL cannot express of the tables of platform/. */
import type { Room } from '../room.ts'

export const platform: Room = {
  tables: {
    api_keys: {
      columns: {
        facts_seal: {
          doc: "The key's permissions, sealed; null only before the first start after an update.",
        },
        person_id: { doc: 'Person of an office whose key it is; null on a desk.' },
      },
    },
    key_usage: {},
    actors: {},
    audit_events: {},
    events: {},
    idempotency_keys: {},
    proposals: {},
    advised_companies: {},
    files: {
      columns: {
        size: { doc: 'Bytes.' },
      },
    },
    file_bytes: {},
    file_links: {
      columns: {
        target_type: { doc: 'Owner of the attachment: `received`, `invoice`…, and the row of that table.' },
      },
    },
    bin: { name: 'TrashTable' },
    webhooks: {},
    webhook_deliveries: {},
    webhook_attempts: {},
    event_cursors: {
      columns: {
        book_id: { required: true },
        event_id: { doc: 'Events of the book up to this one were handed out to its webhooks.' },
      },
    },
  },
}
