/** A void received invoice brought back: the books are what they were, by every way of asking, or it is refused. */
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { verifyTaxTotals } from '../../../../server/tax/totals/index.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const PATH = '/api/v1/received-invoices'
const BILL = {
  supplierName: 'Papelería Sol, S.L.',
  supplierNif: 'B58818501',
  supplierNumber: 'V-77',
  issueDate: '2026-06-20',
  receptionDate: '2026-06-22',
  taxLines: [
    { base: 100, vatRate: 21 },
    { base: 33.33, vatRate: 10 },
  ],
}

async function enter(world: World, changes: object = {}) {
  const answer = await world.post(PATH, { ...BILL, ...changes })
  expect(answer.status, answer.raw.body).toBe(201)
  return answer.body.data
}

/** What the books say, asked as people and programs ask. */
async function books(world: World) {
  const year = { year: 2026 }
  const window = await world.run('received.window', { limit: 50, summary: true })
  const zip = await world.run('fiscal.vatBooks', { year: 2026, format: 'csv' })
  const files = unzipSync((zip as { bytes: Uint8Array }).bytes)
  return {
    vat: Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]),
    model: await world.run('fiscal.model', { model: '303', year: 2026, quarter: 2 }),
    balances: await world.run('ledger.trialBalance', year),
    profit: await world.run('ledger.profitAndLoss', year),
    totals: window.totals,
    views: window.views,
    rows: window.items.map(({ version: _version, ...row }) => row),
    open: await world.run('payments.open', { side: 'payable' }),
  }
}

describe('bringing back', () => {
  test.each([
    ['a plain one', {}],
    ['one with income tax withheld', { withholding: { rate: 15, reason: 'professional' } }],
    ['one under cash accounting', { cashAccounting: true }],
    [
      'one from another member state',
      {
        supplierNif: 'FR40303265045',
        supplier: { idType: '02', country: 'FR' },
        taxLines: [{ base: 500, vatRate: 21, nature: 'eu_goods' }],
      },
    ],
  ])('%s: VAT books, ledger, return and lists are equal to before', async (_name, changes) => {
    const world = await openWorld()
    await enter(world, { supplierNumber: 'V-1' })
    const bill = await enter(world, changes)
    const before = await books(world)
    await world.delete(`${PATH}/${bill.id}`)
    const without = await books(world)
    expect(without.vat).not.toEqual(before.vat)
    expect(without.balances).not.toEqual(before.balances)
    const answer = await world.post(`${PATH}/${bill.id}/restore`, {})
    expect(answer.status, answer.raw.body).toBe(200)
    expect(answer.body.data).toMatchObject({
      id: bill.id,
      receptionNumber: bill.receptionNumber,
      state: 'entered',
      voidedAt: null,
      version: bill.version + 2,
    })
    expect(await books(world)).toEqual(before)
    expect(await verifyTaxTotals(world.ctx())).toEqual([])
    const { items } = await world.run('audit.list', { limit: 2 })
    expect(items.map(({ action }) => action)).toEqual(['received.restored', 'received.voided'])
  })

  test('it can be paid, changed and voided again, and keeps its file', async () => {
    const world = await openWorld()
    const { id: attachmentId } = await world.run('attachments.upload', {
      name: 'v-77.txt',
      content: Buffer.from('Factura V-77').toString('base64'),
    })
    const bill = await enter(world, { attachments: [attachmentId] })
    await world.delete(`${PATH}/${bill.id}`)
    const back = (await world.post(`${PATH}/${bill.id}/restore`, {})).body.data
    expect(back.attachments.map(({ id }: { id: string }) => id)).toEqual([attachmentId])
    const payment = await world.run('payments.payReceived', {
      id: bill.id,
      date: '2026-06-30',
      method: 'transfer',
      amount: 10,
    })
    await world.run('payments.delete', { id: payment.id })
    expect((await world.patch(`${PATH}/${bill.id}`, { notes: 'otra vez' })).status).toBe(200)
    expect((await world.delete(`${PATH}/${bill.id}`)).body.data.state).toBe('void')
  })
})

describe('it is refused', () => {
  test('for one that is not void, that changed meanwhile, or whose days are closed by now', async () => {
    const world = await openWorld()
    const bill = await enter(world)
    const refused = async (body: object = {}) =>
      (await world.post(`${PATH}/${bill.id}/restore`, body)).body.error.code
    expect(await refused()).toBe('received_not_void')
    await world.delete(`${PATH}/${bill.id}`)
    expect(await refused({ expectedVersion: bill.version })).toBe('version_conflict')
    await world.run('ledger.lock', { until: '2026-06-30' })
    const before = await books(world)
    expect(await refused()).toBe('period_locked')
    expect(await books(world)).toEqual(before)
  })

  test('when it was entered anew meanwhile, unless it is said to be another', async () => {
    const world = await openWorld()
    const bill = await enter(world)
    await world.delete(`${PATH}/${bill.id}`)
    const anew = await enter(world)
    const answer = await world.post(`${PATH}/${bill.id}/restore`, {})
    expect(answer.body.error).toMatchObject({
      code: 'received_duplicate',
      details: { existing: { id: anew.id } },
    })
    expect((await world.post(`${PATH}/${bill.id}/restore`, { allowDuplicate: true })).status).toBe(200)
  })
})

test('the store lets nothing else of a void one change', async () => {
  const world = await openWorld()
  const bill = await enter(world)
  await world.delete(`${PATH}/${bill.id}`)
  const change = world.env.store.transaction(world.books.test.companyId, (db) =>
    db
      .updateTable('received_invoices')
      .set({ state: 'entered', voided_at: null, version: 99, total_cents: 1 })
      .where('public_id', '=', bill.id)
      .execute(),
  )
  await expect(change).rejects.toThrow('frozen: received_invoices')
})
