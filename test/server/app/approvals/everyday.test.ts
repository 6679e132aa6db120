/** Everyday proposals by an assistant, and the result of accepting them. */
import { expect, test } from 'vitest'
import { readIncoming, supplierLetter } from '../../../support/examples/incoming.ts'
import { openDesk } from './open-window.ts'

const codes = (points: readonly { code: string }[]) => points.map(({ code }) => code)

async function accept(world: Awaited<ReturnType<typeof openDesk>>['world'], id: string) {
  const { seen } = await world.run('inbox.open', { id })
  return world.run('inbox.decide', { id, decision: 'accept', seen })
}

test('a payment proposal changes nothing before it is accepted, and then does exactly what was shown', async () => {
  const { world, propose } = await openDesk()
  const invoice = await world.invoice()
  const part = await propose('record_payment', invoice.number ?? '', { amount: 100, method: 'bizum' })
  expect([part.status, codes(part.effects)]).toEqual(['pending_user', ['payment_leaves']])
  expect((await world.run('invoices.get', { id: invoice.id })).amountDue).toBe(invoice.total)
  const done = await accept(world, part.proposalId)
  expect(done.outcome).toEqual({ step: 'payment', invoiceId: invoice.id })
  expect((await world.run('invoices.get', { id: invoice.id })).amountDue).toBe(invoice.total - 100)
  const tooMuch = await propose('record_payment', invoice.id, { amount: invoice.total })
  expect(codes(tooMuch.blockers)).toEqual(['payment_exceeds_due'])
  const rest = await propose('record_payment', invoice.id)
  expect(codes(rest.effects)).toEqual(['payment_settles'])
  await accept(world, rest.proposalId)
  expect(codes((await propose('record_payment', invoice.id)).blockers)).toEqual(['payment_nothing_due'])
})

test('a reminder proposal covers what is overdue, and the owner sends it', async () => {
  const { world, propose } = await openDesk()
  const { id } = await world.invoice()
  expect(codes((await propose('send_reminder', id)).blockers)).toEqual(['reminder_not_late'])
  const late = await world.invoice({ issueDate: '2026-11-21', dueDate: '2026-11-21' })
  world.setTime('2026-12-01T10:00:00+01:00')
  const { proposalId } = await propose('send_reminder', late.id)
  expect((await accept(world, proposalId)).outcome).toEqual({ step: 'reminder', invoiceId: late.id })
})

test('a proposal to discard a draft deletes it when accepted, and the draft can be restored', async () => {
  const { world, propose } = await openDesk()
  const { id } = await world.draft()
  const { proposalId } = await propose('discard_draft', id)
  expect((await accept(world, proposalId)).outcome).toEqual({ step: 'discarded' })
  expect((await world.run('invoices.list', {})).items).toEqual([])
  const issued = await world.invoice()
  expect(codes((await propose('discard_draft', issued.id)).blockers)).toEqual(['discard_issued'])
})

test('a quote proposal creates a draft that is not sent', async () => {
  const { world, propose } = await openDesk()
  const params = {
    clientName: 'Cliente Nuevo S.L.',
    lines: [{ description: 'Horas', quantity: 2, unitPrice: 50 }],
  }
  const { proposalId, effects } = await propose('create_quote', undefined, params)
  expect(codes(effects)).toEqual(['quote_draft'])
  expect((await world.run('quotes.list', {})).items).toEqual([])
  const { outcome } = await accept(world, proposalId)
  expect(outcome).toMatchObject({ step: 'quote' })
  expect((await world.run('quotes.list', {})).items).toMatchObject([{ clientName: 'Cliente Nuevo S.L.' }])
})

test('a received invoice proposal records it once, by the rules of the books', async () => {
  const { world, propose } = await openDesk()
  const params = {
    supplierName: 'Papelería Sol S.L.',
    supplierNif: 'B87654323',
    supplierNumber: 'A-1',
    issueDate: '2026-11-20',
    taxLines: [{ base: 100, vatRate: 21 }],
  }
  const { proposalId, effects } = await propose('record_received_invoice', undefined, params)
  expect(codes(effects)).toEqual(['received_entered'])
  expect((await world.run('received.list', {})).items).toEqual([])
  expect((await accept(world, proposalId)).outcome).toMatchObject({ step: 'received' })
  expect((await world.run('received.list', {})).items).toMatchObject([{ total: 121 }])
  const again = await propose('record_received_invoice', undefined, params)
  expect(codes(again.blockers)).toEqual(['received_duplicate'])
  await expect(propose('record_received_invoice', undefined, { supplierName: 'x' })).rejects.toMatchObject({
    code: 'validation_failed',
  })
})

test('an assistant proposes to enter an incoming document, and a person enters it with its file', async () => {
  const { world, propose } = await openDesk()
  const { id } = await world.run('incoming.add', supplierLetter(31))
  await expect(propose('record_received_invoice', id)).rejects.toMatchObject({ code: 'validation_failed' })
  await readIncoming(world)
  const { proposalId, warnings, effects } = await propose('record_received_invoice', id)
  expect(codes(warnings)).toContain('incoming_unproven')
  expect(codes(effects)).toEqual(['received_entered'])
  const corrected = await propose('record_received_invoice', id, { supplierNumber: 'FL-31' })
  expect(corrected.proposalId).not.toBe(proposalId)
  await accept(world, corrected.proposalId)
  expect((await world.run('received.list', {})).items).toMatchObject([{ supplierNumber: 'FL-31', files: 1 }])
  expect((await world.run('incoming.get', { id })).state).toBe('entered')
  const late = await propose('record_received_invoice', id, { notes: 'Otra vez' })
  expect(codes(late.blockers)).toEqual(['incoming_decided'])
  await expect(propose('record_received_invoice', 'idc_0000000000000000')).rejects.toMatchObject({
    code: 'not_found',
  })
})
