/** What SQL cannot express of the tables of documents/. */
import type { Room } from '../room.ts'

export const documents: Room = {
  tables: {
    mail_accounts: {},
    mail_templates: {},
    mails: {
      columns: {
        emptied_at: { doc: 'Migration 0002: time at which its text and addresses were erased.' },
      },
    },
    mail_documents: {},
    reminder_plans: {
      doc: 'Schedules of automatic payment reminders.',
      columns: {
        steps: { doc: 'JSON list: days after the due date.' },
      },
    },
    reminder_holds: { doc: 'Invoices in dispute, excluded from reminders.' },
    reminder_instalments: {},
    planned_reminders: {},
    mail_attachments: {},
  },
}
