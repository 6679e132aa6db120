/** The proofs over the books notice what somebody with the file and its key changed past every protection. */
import { describe, expect, test } from 'vitest'
import { verifyNumbering, verifyTotals } from '../../../../../server/sales/invoices/index.ts'
import { writeInBulk } from '../../../../../server/sales/invoices/issue/bulk.ts'
import { contentOf, findInvoice } from '../../../../../server/sales/invoices/rows.ts'
import { openBooks } from '../../../../support/books.ts'

async function fiveInvoices() {
  const world = await openBooks()
  for (let index = 1; index <= 5; index++)
    await world.invoice({
      withholdingPct: 15,
      lines: [
        { description: 'x', quantity: 1, unitPrice: index * 10 },
        { description: 'y', quantity: 2, unitPrice: 1, vatRate: 10 },
      ],
    })
  await world.draft()
  return world
}

test('untouched books hold', async () => {
  const world = await fiveInvoices()
  expect(await verifyNumbering(world.test)).toEqual({ ok: true, checked: 5, faults: [] })
  expect(await verifyTotals(world.test)).toEqual({ ok: true, checked: 5, faults: [] })
  expect(await verifyNumbering(world.live)).toEqual({ ok: true, checked: 0, faults: [] })
})

describe('numbers', () => {
  test.each([
    ['an invoice taken out', 'delete from invoices where sequence = 3', /5 numbers were given, 4 invoices/],
    [
      'the counter set back',
      'update series set next_number = 3 where next_number = 6',
      /2 numbers were given, 5/,
    ],
    [
      'a number moved to the end',
      'update invoices set sequence = 9 where sequence = 5',
      /from 1 to 9, expected 1 to 5/,
    ],
    [
      'a number moved to another series',
      "update invoices set series_id = (select id from series where code like '%S2026' and book_id = invoices.book_id) where sequence = 5",
      /T-F2026: 5 numbers were given, 4/,
    ],
  ])('%s', async (_name, statement, fault) => {
    const world = await fiveInvoices()
    await world.tamper(statement)
    const proof = await verifyNumbering(world.test)
    expect(proof.ok).toBe(false)
    expect(proof.faults.join(' ')).toMatch(fault)
  })

  test('two of one number in the middle are a gap elsewhere', async () => {
    const world = await fiveInvoices()
    await world.tamper('drop index invoices_by_number', 'update invoices set sequence = 2 where sequence = 3')
    expect((await verifyNumbering(world.test)).ok).toBe(false)
  })
})

describe('totals', () => {
  test.each([
    [
      'the total and its base',
      'update invoices set base_cents = base_cents + 100, total_cents = total_cents + 100 where sequence = 3',
    ],
    [
      'the tax',
      'update invoices set tax_cents = tax_cents - 1, total_cents = total_cents - 1 where sequence = 3',
    ],
    ['the withholding', 'update invoices set withholding_cents = 0 where sequence = 3'],
    ['the surcharge', 'update invoices set surcharge_cents = 5 where sequence = 3'],
    ['the disbursements', 'update invoices set disbursements_cents = 5 where sequence = 3'],
    [
      "a line's price",
      'update invoice_lines set unit_price_micro = unit_price_micro + 1000000 where invoice_id = (select id from invoices where sequence = 3)',
    ],
    [
      'a line taken out',
      'delete from invoice_lines where position = 1 and invoice_id = (select id from invoices where sequence = 3)',
    ],
    [
      "the breakdown's base",
      'update invoice_taxes set base_cents = base_cents + 1 where position = 0 and invoice_id = (select id from invoices where sequence = 3)',
    ],
    [
      "the breakdown's tax",
      'update invoice_taxes set tax_cents = tax_cents + 1 where position = 0 and invoice_id = (select id from invoices where sequence = 3)',
    ],
    [
      'a row of the breakdown taken out',
      'delete from invoice_taxes where position = 1 and invoice_id = (select id from invoices where sequence = 3)',
    ],
    [
      "a line's text",
      "update invoice_lines set description = 'z' where position = 0 and invoice_id = (select id from invoices where sequence = 3)",
    ],
    [
      "a line's shown net",
      'update invoice_lines set net_cents = 0 where position = 0 and invoice_id = (select id from invoices where sequence = 3)',
    ],
    ['the notes', "update invoices set notes = 'z' where sequence = 3"],
    ['the due date', "update invoices set due_date = '2027-01-01' where sequence = 3"],
    [
      'the issue date',
      "update invoices set issue_date = '2026-11-20', list_date = '2026-11-20' where sequence = 3",
    ],
    ['the hash', 'update invoices set content_hash = randomblob(32) where sequence = 3'],
    ['the customer', 'update invoices set party_id = issuer_id where sequence = 3'],
  ])('%s', async (_name, statement) => {
    const world = await fiveInvoices()
    await world.tamper(statement)
    const proof = await verifyTotals(world.test)
    expect(proof).toMatchObject({ ok: false, checked: 5 })
    expect(proof.faults).toHaveLength(1)
    expect(proof.faults[0]).toContain('T-F2026-0003')
  })
})

test('invoices written in bulk hold like issued ones', async () => {
  const world = await openBooks()
  const { id } = await world.draft({ withholdingPct: 15 })
  const row = await findInvoice(world.test, id)
  if (!row) throw new Error('The draft is not there.')
  const content = await contentOf(world.test.db, row)
  const invoices = ['2025-12-31', '2026-01-02', '2026-11-21', null].map((issueDate) => ({
    content: { ...content, issueDate },
    contactRowId: null,
  }))
  await world.test.transaction((tx) => writeInBulk(tx, invoices))
  expect(await verifyNumbering(world.test)).toEqual({ ok: true, checked: 3, faults: [] })
  expect(await verifyTotals(world.test)).toEqual({ ok: true, checked: 3, faults: [] })
  expect(await world.run('registry.verify', {})).toMatchObject({ ok: true, records: 3 })
  await expect(world.live.transaction((tx) => writeInBulk(tx, invoices))).rejects.toMatchObject({
    code: 'invoice_invalid',
  })
})
