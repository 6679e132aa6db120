/** Two who do something with the same invoice at the same moment: one does it, and the other is told why not. */
import { expect, test } from 'vitest'
import type { Ctx } from '../../../../../server/context.ts'
import { CLIENT_ADDRESS, openBooks } from '../../../../support/books.ts'
import type { TestBooks } from '../../../../support/books.ts'
import { expectSound, together } from '../../../../support/concurrently.ts'

type Start = () => Promise<unknown>[]

const client = { client: { address: CLIENT_ADDRESS } }
const issueWith = (world: TestBooks, id: string, confirmationToken: string, ctx?: Ctx) =>
  world.run('invoices.issue', { id, confirmationToken }, ctx)

const recordsOf = async (world: TestBooks) =>
  (await world.ctx(world.books.test).db.selectFrom('registry_records').select('id').execute()).length

/** A draft with its token, as the person has them. */
async function ready(world: TestBooks): Promise<{ id: string; token: string }> {
  const { id } = await world.draft(client)
  return { id, token: await world.token(id) }
}

/** An issued and registered invoice with the token of a further step. */
async function stepOf(world: TestBooks, step: 'cancel' | 'amend') {
  const { id } = await world.invoice(client)
  await world.send()
  const changes = { description: 'Trabajos de mayo' }
  const asked = step === 'amend' ? { action: step, changes } : { action: step }
  const { confirmation } = await world.run('invoices.validate', { id, ...asked })
  return { id, confirmationToken: confirmation?.confirmationToken ?? '' }
}

/** What is done at once, and each outcome that is right; one, where the order of the calls decides. */
const CASES: Record<string, [(world: TestBooks) => Promise<Start>, ...string[][]]> = {
  'a draft changed twice in one version': [
    async (world) => {
      const { id, version: expectedVersion } = await world.draft()
      return () => ['uno', 'dos'].map((notes) => world.run('invoices.update', { id, expectedVersion, notes }))
    },
    ['done', 'version_conflict'],
  ],
  'a draft deleted twice': [
    async (world) => {
      const { id } = await world.draft()
      return () => [world.run('invoices.delete', { id }), world.run('invoices.delete', { id })]
    },
    ['done', 'not_found'],
  ],
  'a draft changed and issued': [
    async (world) => {
      const { id, token } = await ready(world)
      return () => [world.run('invoices.update', { id, notes: 'x' }), issueWith(world, id, token)]
    },
    ['done', 'confirmation_stale'],
  ],
  'a draft issued and changed': [
    async (world) => {
      const { id, token } = await ready(world)
      return () => [issueWith(world, id, token), world.run('invoices.update', { id, notes: 'x' })]
    },
    ['done', 'invoice_not_draft'],
  ],
  'a draft deleted and issued': [
    async (world) => {
      const { id, token } = await ready(world)
      return () => [world.run('invoices.delete', { id }), issueWith(world, id, token)]
    },
    ['done', 'not_found'],
  ],
  'a draft issued and deleted': [
    async (world) => {
      const { id, token } = await ready(world)
      return () => [issueWith(world, id, token), world.run('invoices.delete', { id })]
    },
    ['done', 'invoice_not_draft'],
  ],
  'a draft validated anew and issued with the token before': [
    async (world) => {
      const { id, token } = await ready(world)
      return () => [world.run('invoices.validate', { id }), issueWith(world, id, token)]
    },
    ['done', 'confirmation_invalid'],
    ['invoice_not_draft', 'done'],
  ],
  'a draft issued by two who each have their token': [
    async (world) => {
      const { id, token } = await ready(world)
      const ctx = world.ctx(world.books.test, await world.key())
      const other = await world.token(id, ctx)
      return () => [issueWith(world, id, token), issueWith(world, id, other, ctx)]
    },
    ['done', 'invoice_not_draft'],
  ],
  'a key that may issue once a day, with two drafts': [
    async (world) => {
      const ctx = world.ctx(world.books.test, await world.key({ limits: { perDay: 1 } }))
      const drafts: { id: string; token: string }[] = []
      for (let count = 0; count < 2; count += 1) {
        const { id } = await world.draft(client, ctx)
        drafts.push({ id, token: await world.token(id, ctx) })
      }
      return () => drafts.map(({ id, token }) => issueWith(world, id, token, ctx))
    },
    ['done', 'daily_cap_reached'],
  ],
  'an invoice annulled and paid': [
    async (world) => {
      const step = await stepOf(world, 'cancel')
      const money = { date: '2026-11-21', amount: 605, method: 'cash' } as const
      return () => [
        world.run('invoices.cancel', step),
        world.run('payments.payInvoice', { id: step.id, ...money }),
      ]
    },
    ['done', 'invoice_cancelled'],
  ],
  'an invoice paid and annulled': [
    async (world) => {
      const step = await stepOf(world, 'cancel')
      const money = { date: '2026-11-21', amount: 605, method: 'cash' } as const
      return () => [
        world.run('payments.payInvoice', { id: step.id, ...money }),
        world.run('invoices.cancel', step),
      ]
    },
    ['done', 'invoice_invalid'],
  ],
}

test.each(Object.entries(CASES))('%s', async (_title, [prepare, ...outcomes]) => {
  const world = await openBooks()
  const start = await prepare(world)
  expect(outcomes).toContainEqual(await together(...start()))
  await expectSound(world)
})

test('the same token twice issues once, and the second hears of the first', async () => {
  const world = await openBooks()
  const { id, token } = await ready(world)
  const [first, second] = await Promise.all([issueWith(world, id, token), issueWith(world, id, token)])
  expect([first.number, first.replayed, second.number, second.replayed]).toEqual([
    'T-F2026-0001',
    undefined,
    'T-F2026-0001',
    true,
  ])
  expect(await recordsOf(world)).toBe(1)
  await expectSound(world)
})

test.each(['cancel', 'amend'] as const)('the same token twice takes the step once: %s', async (step) => {
  const world = await openBooks()
  const asked = await stepOf(world, step)
  const [first, second] = await Promise.all([
    world.run(`invoices.${step}`, asked),
    world.run(`invoices.${step}`, asked),
  ])
  expect([first.replayed, second.replayed]).toEqual([undefined, true])
  expect(await recordsOf(world)).toBe(2)
  await expectSound(world)
})

test('many issued at once get consecutive numbers and one chain', async () => {
  const world = await openBooks()
  const drafts: { id: string; token: string }[] = []
  for (let count = 0; count < 20; count += 1) drafts.push(await ready(world))
  const issued = await Promise.all(drafts.map(({ id, token }) => issueWith(world, id, token)))
  expect(issued.map(({ number }) => number)).toEqual(
    drafts.map((_, index) => `T-F2026-${String(index + 1).padStart(4, '0')}`),
  )
  await expectSound(world)
})
