/** What was spent without a receipt: salaries, taxes, fees and own transfers need none; suppliers do. */
import { describe, expect, test } from 'vitest'
import { readIncoming, supplierLetter } from '../../../support/examples/incoming.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const AT = { at: '2026-07-01T10:00:00+02:00' }
const PATH = '/api/v1/bank/missing-receipts'

type Movement = readonly [day: string, text: string, euros: string]

async function bank(world: World, movements: readonly Movement[], name = 'Corriente'): Promise<string> {
  const account = await world.run('bank.createAccount', {
    name,
    openingBalance: 9000,
    openingDate: '2026-01-01',
  })
  const lines = movements.map(([day, text, euros]) => `${day};${text};${euros};`)
  const content = Buffer.from(['Fecha;Concepto;Importe;Saldo', ...lines].join('\n')).toString('base64')
  await world.run('bank.import', { fileName: `${name}.csv`, content, accountId: account.id })
  return account.id
}

const missing = async (world: World, query = '') => (await world.get(`${PATH}${query}`)).body.data

describe('a movement', () => {
  test.each([
    ['payroll', 'Nomina junio Ana Gil', '-1500,00'],
    ['social security', 'TGSS cotizacion seguros sociales', '-640,20'],
    ['a tax', 'AEAT modelo 303 NRC', '-812,00'],
    ['a fee of the bank', 'Comision mantenimiento cuenta', '-12,00'],
    ['a loan', 'Cuota prestamo 0049', '-300,00'],
    ['cash', 'Reintegro cajero', '-200,00'],
    ['money that came in', 'Transferencia de Obras Ruiz', '500,00'],
  ])('of %s needs no receipt', async (_name, text, euros) => {
    const world = await openWorld(AT)
    await bank(world, [['20/06/2026', text, euros]])
    expect(await missing(world)).toEqual({ items: [], count: 0, total: 0 })
  })

  test('to a supplier needs one, and says which contact it may be', async () => {
    const world = await openWorld(AT)
    const { id } = (
      await world.post('/api/v1/contacts', {
        name: 'Ferretería Luna, S.L.',
        nif: 'B58818501',
        email: 'ventas@luna.example',
        roles: { customer: false, supplier: true },
      })
    ).body.data
    await bank(world, [
      ['20/06/2026', 'Compra tarjeta ferreteria luna Zaragoza', '-43,50'],
      ['21/06/2026', 'Pago 88231', '-10,00'],
    ])
    const { items, count, total } = await missing(world)
    expect([count, total]).toEqual([2, 53.5])
    expect(items).toMatchObject([
      { type: 'movement', date: '2026-06-21', amount: 10, supplier: null, waiting: null },
      {
        type: 'movement',
        date: '2026-06-20',
        amount: 43.5,
        supplier: { name: 'Ferretería Luna, S.L.', contactId: id, email: 'ventas@luna.example' },
      },
    ])
  })

  test('between own accounts, set aside, or matched to a received invoice with a file needs none', async () => {
    const world = await openWorld(AT)
    const first = await bank(world, [
      ['20/06/2026', 'Traspaso a cuenta propia', '-700,00'],
      ['21/06/2026', 'Cosa de otro', '-33,00'],
      ['22/06/2026', 'Pago a Luna', '-121,00'],
    ])
    await bank(world, [['20/06/2026', 'Traspaso de cuenta propia', '700,00']], 'Ahorro')
    const file = (await world.post('/api/v1/attachments', supplierLetter(1))).body.data
    const entry = (
      await world.post('/api/v1/received-invoices', {
        supplierName: 'Ferretería Luna, S.L.',
        supplierNif: 'B58818501',
        supplierNumber: 'A-1',
        issueDate: '2026-06-20',
        taxLines: [{ base: 100, vatRate: 21 }],
        attachments: [file.id],
      })
    ).body.data
    const { items } = await world.run('bank.transactions', { accountId: first })
    const of = (amount: number): string => items.find((each) => each.amount === amount)?.id ?? ''
    await world.run('bank.ignore', { id: of(-33), ignored: true })
    await world.run('bank.match', {
      id: of(-121),
      parts: [{ kind: 'received', receivedId: entry.id, amount: -121 }],
    })
    expect((await missing(world)).items).toEqual([])
  })

  test('booked to an expense without an invoice needs one; booked to a fee it does not', async () => {
    const world = await openWorld(AT)
    const account = await bank(world, [
      ['20/06/2026', 'Varios uno', '-50,00'],
      ['21/06/2026', 'Varios dos', '-60,00'],
    ])
    const { items } = await world.run('bank.transactions', { accountId: account })
    const book = (amount: number, ledgerAccount: string) =>
      world.run('bank.match', {
        id: items.find((each) => each.amount === amount)?.id ?? '',
        parts: [{ kind: 'account', ledgerAccount, amount }],
        learn: false,
      })
    await book(-50, '629')
    await book(-60, '626')
    expect((await missing(world)).items).toMatchObject([{ type: 'movement', amount: 50 }])
  })

  test('of a document that waits names it', async () => {
    const world = await openWorld(AT)
    await bank(world, [['22/06/2026', 'Compra tarjeta', '-121,00']])
    const { id } = (await world.post('/api/v1/incoming-documents', supplierLetter(31))).body.data
    await readIncoming(world)
    expect((await missing(world)).items).toMatchObject([{ waiting: { id, name: 'factura-31.txt' } }])
    await world.post(`/api/v1/incoming-documents/${id}/reject`, {})
    expect((await missing(world)).items).toMatchObject([{ waiting: null }])
  })

  test('outside of the days is left out', async () => {
    const world = await openWorld(AT)
    await bank(world, [['20/03/2026', 'Compra antigua', '-5,00']])
    expect((await missing(world)).count).toBe(1)
    expect((await missing(world, '?from=2026-04-01')).count).toBe(0)
    expect((await missing(world, '?to=2026-03-19')).count).toBe(0)
  })
})

test('a received invoice without a file is missing its receipt, a payroll entered without one is not', async () => {
  const world = await openWorld(AT)
  const bill = {
    supplierName: 'Ferretería Luna, S.L.',
    supplierNif: 'B58818501',
    supplierNumber: 'A-1',
    issueDate: '2026-06-20',
    taxLines: [{ base: 100, vatRate: 21 }],
  }
  const { id } = (await world.post('/api/v1/received-invoices', bill)).body.data
  await world.post('/api/v1/received-invoices', { ...bill, supplierNumber: null, kind: 'receipt' })
  expect(await missing(world)).toMatchObject({
    items: [{ type: 'received', id, amount: 121, text: 'A-1', supplier: { name: 'Ferretería Luna, S.L.' } }],
    count: 1,
    total: 121,
  })
})
