/** Complete invoices in place of tickets: the customer's data, the exact sums, and no sale counted twice. */
import { beforeEach, describe, expect, test } from 'vitest'
import { openBooks, refused } from '../../../../support/books.ts'
import type { DraftInput, Invoice, TestBooks } from '../../../../support/books.ts'
import { cancel } from '../steps.ts'

let world: TestBooks

beforeEach(async () => {
  world = await openBooks()
})

const CUSTOMER = { clientName: 'Cliente Primero, S.L.', clientNif: 'B87654323' }

const ticket = (changes: Partial<DraftInput> = {}): Promise<Invoice> =>
  world.invoice({
    kind: 'F2',
    clientName: 'Venta',
    clientNif: null,
    priceMode: 'gross',
    lines: [{ description: 'Menú', quantity: 3, unitPrice: 12.95, vatRate: 10 }],
    ...changes,
  })
const substitute = (tickets: readonly Invoice[], changes: object = {}) =>
  world.run('invoices.substitute', {
    invoices: tickets.map(({ id }) => ({ id })),
    ...CUSTOMER,
    ...changes,
  })
const output = async () => {
  const { output: vat } = await world.run('fiscal.summary', { year: 2026, quarter: 4 })
  return vat.total
}

describe('in place of tickets', () => {
  test('their lines, the customer and the same total, due nothing more than they were', async () => {
    const tickets = [
      await ticket(),
      await ticket({ lines: [{ description: 'Café', quantity: 1, unitPrice: 1.4, vatRate: 10 }] }),
    ]
    const before = await output()
    const draft = await substitute(tickets)
    expect(draft).toMatchObject({
      kind: 'F3',
      total: 40.25,
      clientNif: CUSTOMER.clientNif,
      substitutes: tickets.map(({ number }) => expect.objectContaining({ number })),
    })
    expect(draft.lines.map(({ description }) => description)).toEqual([
      `Ticket ${tickets[0]?.number}: Menú`,
      `Ticket ${tickets[1]?.number}: Café`,
    ])
    const issued = await world.issue(draft.id)
    expect(issued.number).toMatch(/^T-F2026-/)
    expect(await output()).toEqual(before)
    await world.send()
    const { registrations } = await world.run('registry.status', { invoiceId: issued.id })
    expect(registrations?.[0]).toMatchObject({ status: 'accepted' })
    for (const { number } of tickets)
      expect(registrations?.[0]?.xml).toContain(`<sf:NumSerieFactura>${number}</sf:NumSerieFactura>`)
    expect(registrations?.[0]?.xml).toContain('<sf:FacturasSustituidas>')
    const first = await world.run('invoices.get', { id: tickets[0]?.id ?? '' })
    expect(first.substitutedBy).toEqual([expect.objectContaining({ id: issued.id, kind: 'F3' })])
  })

  test('with net prices of several tickets the total stays what was paid', async () => {
    const net: Partial<DraftInput> = {
      priceMode: 'net',
      lines: [{ description: 'Clavo', quantity: 1, unitPrice: 0.12, vatRate: 21 }],
    }
    const tickets = []
    for (let count = 0; count < 7; count += 1) tickets.push(await ticket(net))
    const sum = tickets.reduce((cents, { total }) => cents + Math.round(total * 100), 0)
    const draft = await substitute(tickets)
    expect(Math.round(draft.total * 100)).toBe(sum)
    await world.issue(draft.id)
  })

  test('a ticket that was credited in part counts with what is left of it', async () => {
    const one = await ticket()
    const credit = await world.run('invoices.rectify', {
      id: one.id,
      cause: 'returned_goods',
      lines: [{ index: 0, quantity: 1 }],
    })
    await world.issue(credit.id)
    const draft = await substitute([one])
    expect(draft.total).toBe(25.9)
    const issued = await world.issue(draft.id)
    expect(issued.amountDue).toBe(0)
  })

  test('not twice, not of annulled ones, not of complete invoices, not with other sums', async () => {
    const one = await ticket()
    const first = await substitute([one])
    const second = await substitute([one])
    await world.issue(first.id)
    const { issues } = await world.run('invoices.validate', { id: second.id })
    expect(issues.map(({ code }) => code)).toContain('substituted_already')
    expect((await refused(substitute([one]))).field).toBe('invoices[0]')
    expect((await refused(world.run('invoices.rectify', { id: one.id, cause: 'other' }))).code).toBe(
      'invoice_replaced',
    )
    const gone = await ticket()
    await world.send()
    await cancel(world, gone.id)
    expect((await refused(substitute([gone]))).code).toBe('validation_failed')
    const complete = await world.invoice()
    expect((await refused(substitute([complete]))).field).toBe('invoices[0]')
    const other = await substitute([await ticket()])
    await world.run('invoices.update', {
      id: other.id,
      lines: [{ description: 'Más', quantity: 1, unitPrice: 99, vatRate: 10 }],
    })
    const checked = await world.run('invoices.validate', { id: other.id })
    expect(checked.issues.map(({ code }) => code)).toContain('substitute_sum')
  })

  test('tickets of another program are named, and their lines given', async () => {
    const elsewhere = [{ series: 'TPV-', number: '991', issueDate: '2026-10-02' }]
    expect(
      (await refused(world.run('invoices.substitute', { invoices: elsewhere, ...CUSTOMER }))).field,
    ).toBe('lines')
    const draft = await world.run('invoices.substitute', {
      invoices: elsewhere,
      ...CUSTOMER,
      lines: [{ description: 'Cena', quantity: 1, unitPrice: 60.5, vatRate: 10 }],
    })
    expect(draft).toMatchObject({ kind: 'F3', total: 60.5, substitutes: [{ number: 'TPV-991' }] })
    // Its sale was declared there and counts here again, which is said.
    expect((await world.run('invoices.validate', { id: draft.id })).issues).toContainEqual(
      expect.objectContaining({
        code: 'substituted_elsewhere',
        field: 'substitutes[0]',
        severity: 'warning',
        params: { number: 'TPV-991' },
      }),
    )
    const issued = await world.issue(draft.id)
    await world.send()
    const { registrations } = await world.run('registry.status', { invoiceId: issued.id })
    expect(registrations?.[0]).toMatchObject({ status: 'accepted' })
    // And each return that counts it says so, until it is annulled.
    const told = async (model: '303' | '111', quarter: number) =>
      (await world.run('fiscal.model', { model, year: 2026, quarter })).warnings.find(
        ({ code }) => code === 'replaced_elsewhere',
      )
    expect([await told('303', 4), await told('303', 3), await told('111', 4)]).toEqual([
      expect.objectContaining({ count: 1, severity: 'warning' }),
      undefined,
      undefined,
    ])
    await cancel(world, issued.id)
    expect(await told('303', 4)).toBeUndefined()
  })

  test('annulling it brings the tickets back', async () => {
    const one = await ticket()
    const before = await output()
    const issued = await world.issue((await substitute([one])).id)
    await world.send()
    await cancel(world, issued.id)
    expect(await output()).toEqual(before)
    expect((await substitute([one])).kind).toBe('F3')
  })
})
