/** Concurrent payments, removals and remittances: each amount due is settled once. */
import { expect, test } from 'vitest'
import { creditorIdOf } from '../../../../server/accounting/payments/debits/sepa-identifiers.ts'
import { openBooks } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { expectSound, together } from '../../../support/concurrently.ts'

const IBAN = 'ES9121000418450200051332'
const MONEY = { date: '2026-11-21', method: 'transfer' } as const
const whole = (world: TestBooks, id: string) =>
  world.run('payments.payInvoice', { id, amount: 605, ...MONEY })

async function debit(world: TestBooks) {
  const contact = await world.run('contacts.create', { name: 'Cliente Primero, S.L.', nif: 'B87654323' })
  await world.run('debits.saveCreditor', { creditorId: creditorIdOf('B12345674'), iban: IBAN })
  const mandate = await world.run('mandates.create', {
    contactId: contact.id,
    signedOn: '2026-01-02',
    iban: 'ES7921000813610123456789',
  })
  const { id } = await world.invoice({ clientId: contact.id })
  return { mandateId: mandate.id, invoiceId: id, items: [{ id }] }
}

/** Creates a remittance that waits for the bank, on a day after its execution. */
async function file(world: TestBooks) {
  const { items, invoiceId } = await debit(world)
  const { id } = await world.run('remittances.create', { kind: 'debit', items })
  world.setTime('2026-11-25T10:00:00+01:00')
  return { id, invoiceId }
}

const CASES: Record<string, [(world: TestBooks) => Promise<() => Promise<unknown>[]>, string[]]> = {
  'an invoice paid twice': [
    async (world) => {
      const { id } = await world.invoice()
      return () => [whole(world, id), whole(world, id)]
    },
    ['done', 'payment_exceeds_due'],
  ],
  'an invoice paid and collected': [
    async (world) => {
      const { id } = await world.invoice()
      return () => [whole(world, id), world.run('payments.collect', { invoiceIds: [id], ...MONEY })]
    },
    ['done', 'invoice_settled'],
  ],
  'an invoice written off twice': [
    async (world) => {
      const { id } = await world.invoice()
      const giveUp = () => world.run('payments.writeOff', { id, date: MONEY.date })
      return () => [giveUp(), giveUp()]
    },
    ['done', 'invoice_uncollectible'],
  ],
  'a payment removed twice': [
    async (world) => {
      const { id } = await world.invoice()
      const payment = await whole(world, id)
      return () => [
        world.run('payments.delete', { id: payment.id }),
        world.run('payments.unpayInvoice', { id, paymentId: payment.id }),
      ]
    },
    ['done', 'not_found'],
  ],
  'an advance spent twice': [
    async (world) => {
      const contact = await world.run('contacts.create', { name: 'Ana Ruiz', nif: '12345678Z' })
      const advance = await world.run('payments.create', {
        direction: 'in',
        amount: 605,
        ...MONEY,
        contactId: contact.id,
        allocations: [],
        rest: 'advance',
      })
      const [one, other] = [await world.invoice(), await world.invoice()]
      const spend = (invoiceId: string) =>
        world.run('payments.create', {
          direction: 'in',
          amount: 0,
          date: MONEY.date,
          allocations: [
            { invoiceId, amount: 605 },
            { advanceId: advance.id, amount: 605 },
          ],
        })
      return () => [spend(one.id), spend(other.id)]
    },
    ['done', 'payment_exceeds_due'],
  ],
  'an invoice added to two remittances': [
    async (world) => {
      const { items } = await debit(world)
      const make = () => world.run('remittances.create', { kind: 'debit', items })
      return () => [make(), make()]
    },
    ['done', 'validation_failed'],
  ],
  'a remittance executed twice': [
    async (world) => {
      const { id } = await file(world)
      return () => [world.run('remittances.settle', { id }), world.run('remittances.settle', { id })]
    },
    ['done', 'remittance_not_prepared'],
  ],
  'a remittance executed and discarded': [
    async (world) => {
      const { id } = await file(world)
      return () => [world.run('remittances.settle', { id }), world.run('remittances.discard', { id })]
    },
    ['done', 'remittance_not_prepared'],
  ],
  'a remittance executed for an invoice paid otherwise': [
    async (world) => {
      const { id, invoiceId } = await file(world)
      return () => [whole(world, invoiceId), world.run('remittances.settle', { id })]
    },
    ['done', 'payment_exceeds_due'],
  ],
  'a debit returned twice': [
    async (world) => {
      const { id } = await file(world)
      await world.run('remittances.settle', { id })
      const giveBack = () => world.run('remittances.return', { id, index: 0, date: '2026-11-25' })
      return () => [giveBack(), giveBack()]
    },
    ['done', 'debit_already_returned'],
  ],
  'a mandate used and removed': [
    async (world) => {
      const { items, mandateId } = await debit(world)
      return () => [
        world.run('remittances.create', { kind: 'debit', items }),
        world.run('mandates.delete', { id: mandateId }),
      ]
    },
    ['done', 'mandate_in_use'],
  ],
}

test.each(Object.entries(CASES))('%s', async (_title, [prepare, codes]) => {
  const world = await openBooks()
  const start = await prepare(world)
  expect(await together(...start())).toEqual(codes)
  await expectSound(world)
})
