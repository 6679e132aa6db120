/** Examples of the operations of reminders, manual and planned. */
import type { Furnished } from './index.ts'

/** Returns a waiting reminder of an invoice that is due today. */
async function plannedReminder(made: Furnished): Promise<string> {
  await made.world.run('reminders.savePlan', { enabled: true, steps: [0] })
  const { id } = await made.issued({ dueDate: made.today })
  const { items } = await made.world.run('reminders.ready', {})
  return items.find(({ invoiceId }) => invoiceId === id)?.id ?? ''
}

const late = (made: Furnished) => ({ id: made.late()[0] ?? '' })

export const reminderExamples = {
  'payments.reminders': () => ({}),
  'payments.previewReminder': (made: Furnished) => ({ body: { invoiceIds: made.late() } }),
  'payments.remind': (made: Furnished) => ({ body: { invoiceIds: made.late(), channel: 'letter' } }),
  'payments.remindersOf': (made: Furnished) => ({ params: late(made) }),
  'reminders.plan': () => ({}),
  'reminders.savePlan': () => ({ body: { enabled: true, steps: [-3, 0, 7, 15] } }),
  'reminders.ready': () => ({}),
  'reminders.skip': async (made: Furnished) => ({ params: { id: await plannedReminder(made) } }),
  'reminders.hold': async (made: Furnished) => ({
    params: { id: (await made.issued({ dueDate: made.today })).id },
    body: { held: true },
  }),
  'reminders.held': (made: Furnished) => ({ params: late(made) }),
}
