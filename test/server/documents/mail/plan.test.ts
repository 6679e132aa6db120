/**
 * Planned reminders: each step once, reviewed by a person before the first is sent, never for paid, cancelled or
 * disputed invoices.
 */
import { expect, test } from 'vitest'
import { levelOfStep, runReminderPlan, stepAt } from '../../../../server/documents/mail/plan.ts'
import type { World } from '../../../support/world.ts'
import { accountAt, openMailWorld, openPostOffice, OWN, sendDue } from './post-office.ts'
import type { PostOffice } from './post-office.ts'

const STEPS = [-3, 0, 7, 15]
const DUE = '2026-08-20'
const at = (day: string) => `${day}T10:00:00+02:00`

test.each([
  [-4, null],
  [-3, -3],
  [-1, -3],
  [0, 0],
  [1, null],
  [6, null],
  [7, 7],
  [14, 7],
  [15, 15],
  [200, 15],
])('%i days after the due date the step is %s', (daysLate, step) => {
  expect(stepAt(STEPS, daysLate)).toBe(step)
})

test('letters get firmer with each step after the due date', () => {
  expect(STEPS.map((step) => levelOfStep(step, STEPS))).toEqual([0, 0, 1, 2])
  expect(levelOfStep(60, [1, 7, 15, 30, 60])).toBe(3)
})

async function planned(
  options: { account?: boolean } = {},
): Promise<{ world: World; office: PostOffice; invoice: (dueDate?: string) => Promise<string> }> {
  const world = await openMailWorld()
  const office = await openPostOffice()
  if (options.account !== false) await world.run('mail.saveAccount', accountAt(office.port))
  world.setTime(at('2026-08-01'))
  await world.run('reminders.savePlan', { enabled: true, steps: STEPS })
  return {
    world,
    office,
    invoice: async (dueDate = DUE) =>
      (await world.issue((await world.createDraft({ issueDate: '2026-08-01', dueDate })).id)).id,
  }
}
const ready = async (world: World) => (await world.run('reminders.ready', {})).items
const steps = async (world: World) => (await ready(world)).map(({ step, level }) => [step, level])
const mails = async (world: World) => (await world.run('mail.list', {})).items

test('reminders are off until a person enables them; then each step waits for a person, once', async () => {
  const { world, invoice } = await planned()
  expect((await world.run('reminders.plan', {})).automatic).toBe(false)
  const id = await invoice()
  expect(await steps(world)).toEqual([])
  world.setTime(at('2026-08-17'))
  expect(await ready(world)).toMatchObject([{ invoiceId: id, step: -3, level: 0, to: [OWN], dueDate: DUE }])
  // Another run adds nothing, and the next step replaces one that was not sent.
  expect(await runReminderPlan(world.ctx())).toEqual([])
  expect(await steps(world)).toEqual([[-3, 0]])
  world.setTime(at('2026-08-20'))
  expect(await steps(world)).toEqual([[0, 0]])
  world.setTime(at('2026-08-21'))
  expect(await steps(world)).toEqual([])
  world.setTime(at('2026-08-27'))
  expect(await steps(world)).toEqual([[7, 1]])
  // Nothing was sent automatically.
  expect(await mails(world)).toEqual([])
})

test('a reminder is sent once and recorded, and the next one waits again unless a person makes them automatic', async () => {
  const { world, office, invoice } = await planned()
  const id = await invoice()
  world.setTime(at('2026-08-27'))
  const [first] = await ready(world)
  const both = await Promise.all([
    world.run('reminders.send', { ids: [first?.id ?? ''] }),
    world.run('reminders.send', { ids: [first?.id ?? ''] }),
  ])
  expect(both.flatMap(({ queued }) => queued)).toHaveLength(1)
  expect(await mails(world)).toHaveLength(1)
  world.setTime('2026-08-27T10:01:00+02:00')
  await sendDue(world)
  expect(office.received).toHaveLength(1)
  expect((await world.run('payments.remindersOf', { id })).items.map(({ level }) => level)).toEqual([1])
  expect(await steps(world)).toEqual([])
  expect(await runReminderPlan(world.ctx())).toEqual([])
  expect(await mails(world)).toHaveLength(1)

  world.setTime(at('2026-09-04'))
  await runReminderPlan(world.ctx())
  const [second] = await ready(world)
  expect(second).toMatchObject({ step: 15, level: 2 })
  expect(await mails(world)).toHaveLength(1)
  await world.run('reminders.send', { ids: [second?.id ?? ''], automatic: true })
  expect((await world.run('reminders.plan', {})).automatic).toBe(true)

  // From now on automatically, each once.
  const other = await invoice('2026-09-10')
  world.setTime(at('2026-09-10'))
  await runReminderPlan(world.ctx())
  await runReminderPlan(world.ctx())
  expect(await mails(world)).toHaveLength(3)
  expect((await world.run('mail.ofInvoice', { id: other })).items).toMatchObject([
    { kind: 'reminder', state: 'queued' },
  ])
})

test('reminders are never about paid, cancelled or disputed invoices, or to an excluded customer', async () => {
  const { world, office, invoice } = await planned()
  const contact = await world.run('contacts.create', { name: 'Sin Avisos, S.L.', nif: 'B58818501' })
  await world.run('contacts.update', { id: contact.id, remindersOff: true })
  const left = await world.issue(
    (
      await world.createDraft({
        clientId: contact.id,
        clientName: 'Sin Avisos, S.L.',
        clientNif: 'B58818501',
        issueDate: '2026-08-01',
        dueDate: DUE,
      })
    ).id,
  )
  const [paid, disputed, open] = [await invoice(), await invoice(), await invoice()]
  world.setTime(at('2026-08-27'))
  const waiting = await ready(world)
  expect(waiting.map(({ invoiceId }) => invoiceId)).toEqual([paid, disputed, open])
  expect(waiting.map(({ invoiceId }) => invoiceId)).not.toContain(left.id)

  await world.run('payments.payInvoice', { id: paid, date: '2026-08-27', amount: 24.2, method: 'transfer' })
  await world.run('reminders.hold', { id: disputed, held: true })
  expect(await world.run('reminders.held', { id: disputed })).toEqual({ held: true })
  const sent = await world.run('reminders.send', { ids: waiting.map(({ id }) => id) })
  expect(sent.queued.map(({ id }) => id)).toEqual([waiting[2]?.id])
  expect(sent.refused.map(({ code }) => code)).toEqual(['not_found', 'not_found'])

  // Paid while its mail waits in the queue: the mail is not sent.
  await world.run('payments.payInvoice', { id: open, date: '2026-08-27', amount: 24.2, method: 'transfer' })
  world.setTime('2026-08-27T10:01:00+02:00')
  await sendDue(world)
  expect(office.received).toEqual([])
  expect((await mails(world)).map(({ state }) => state)).toEqual(['discarded'])

  // The dispute is over: its step is there again, because it was not settled.
  await world.run('reminders.hold', { id: disputed, held: false })
  expect((await ready(world)).map(({ invoiceId, step }) => [invoiceId, step])).toEqual([[disputed, 7]])
  world.setTime(at('2026-09-04'))
  expect((await ready(world)).map(({ invoiceId, step }) => [invoiceId, step])).toEqual([[disputed, 15]])
})

test('a reminder sent by hand today replaces the planned one, and a pause is not made up for', async () => {
  const { world, invoice } = await planned()
  const id = await invoice()
  world.setTime(at('2026-08-27'))
  await world.run('payments.remind', { invoiceIds: [id], channel: 'phone' })
  expect(await steps(world)).toEqual([])
  await world.run('reminders.savePlan', { enabled: false })
  world.setTime(at('2026-09-04'))
  expect(await steps(world)).toEqual([])
  world.setTime(at('2026-09-20'))
  await world.run('reminders.savePlan', { enabled: true })
  expect(await steps(world)).toEqual([])
})

test('a skipped reminder stays skipped, nothing is sent without an account, and an API key cannot make reminders automatic', async () => {
  const { world, invoice } = await planned({ account: false })
  await invoice()
  world.setTime(at('2026-08-27'))
  const { items, canSend } = await world.run('reminders.ready', {})
  expect(canSend).toBe(false)
  await expect(world.run('reminders.send', { ids: [items[0]?.id ?? ''] })).rejects.toMatchObject({
    code: 'mail_not_configured',
  })
  await world.run('reminders.skip', { id: items[0]?.id ?? '' })
  expect(await steps(world)).toEqual([])
  await expect(world.run('reminders.skip', { id: items[0]?.id ?? '' })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(
    world.run('reminders.savePlan', { automatic: true } as unknown as { automatic: false }),
  ).rejects.toMatchObject({ code: 'validation_failed' })
})

test('each instalment is reminded by itself, and none is announced while an earlier one is late', async () => {
  const { world, office } = await planned()
  const draft = await world.createDraft({
    issueDate: '2026-08-01',
    instalments: [{ dueDate: '2026-08-20', percent: 50 }, { dueDate: '2026-08-28' }],
  })
  const { id } = await world.issue(draft.id)
  const each = async () =>
    (await ready(world)).map(({ instalment, step, level, dueDate }) => [instalment, step, level, dueDate])
  world.setTime(at('2026-08-17'))
  expect(await each()).toEqual([[1, -3, 0, '2026-08-20']])
  world.setTime(at('2026-08-26'))
  // The first is late and has no step today; the second would be announced.
  expect(await each()).toEqual([])
  world.setTime(at('2026-09-04'))
  expect(await each()).toEqual([
    [1, 15, 2, '2026-08-20'],
    [2, 7, 1, '2026-08-28'],
  ])
  const [first, second] = await ready(world)
  await world.run('reminders.send', { ids: [first?.id ?? '', second?.id ?? ''] })
  await sendDue(world)
  const letters = office.received.map(({ raw }) => raw)
  expect(letters).toHaveLength(2)
  // Both steps are done, each for its instalment.
  expect(await each()).toEqual([])
  expect(
    (await world.run('payments.remindersOf', { id })).items.map(({ invoices }) => invoices),
  ).toMatchObject([[{ instalments: [2] }], [{ instalments: [1] }]])
  world.setTime(at('2026-09-12'))
  expect(await each()).toEqual([[2, 15, 2, '2026-08-28']])
  // Paid, it is not reminded of.
  await world.run('payments.payInvoice', {
    id,
    instalment: 2,
    date: '2026-09-12',
    method: 'transfer',
    amount: (await world.run('invoices.get', { id })).instalments?.[1]?.amount ?? 0,
  })
  expect(await each()).toEqual([])
})
