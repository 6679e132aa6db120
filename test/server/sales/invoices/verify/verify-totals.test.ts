/** The proof over the figures notices what they say and the invoices do not. */
import { expect, test } from 'vitest'
import { verifyNumbering, verifyTotals } from '../../../../../server/sales/invoices/index.ts'
import { openBooks } from '../../../../support/books.ts'
import { amend, cancel } from '../steps.ts'

/** Four invoices, of which the second is annulled and the third has come back. */
async function withAnnulled() {
  const world = await openBooks()
  for (let index = 1; index <= 4; index++)
    await world.invoice({
      withholdingPct: 15,
      lines: [
        { description: 'x', quantity: 1, unitPrice: index * 10 },
        { description: 'y', quantity: 2, unitPrice: 1, vatRate: 10 },
      ],
    })
  await world.send()
  await cancel(world, 'T-F2026-0002')
  await cancel(world, 'T-F2026-0003')
  await world.send()
  await amend(world, 'T-F2026-0003')
  await world.draft()
  return world
}

test('annulled invoices and those that came back hold', async () => {
  const world = await withAnnulled()
  expect(await verifyNumbering(world.test)).toEqual({ ok: true, checked: 4, faults: [] })
  expect(await verifyTotals(world.test)).toEqual({ ok: true, checked: 4, faults: [] })
})

test.each([
  [
    'an invoice counted twice',
    'update month_figures set documents = documents + 1',
    /^202611: its tax with S1 is not/,
  ],
  ['a base of a month', 'update period_totals set base_cents = base_cents - 1', /^202611: what was issued/],
  ['a month taken out', 'delete from period_totals', /^202611: what was issued/],
  [
    'a month made up',
    'insert into period_totals select book_id, side, 202612, 1, 1, 0, 1, 0, 0, 0, 0, 0 from period_totals',
    /^202612: what was issued/,
  ],
  ['the tax of a rate', 'update month_figures set tax_cents = tax_cents + 1', /^202611: its tax with S1/],
  [
    'an entry of an invoice',
    'update figure_entries set base_cents = base_cents + 100 where source_id = 1',
    /^T-F2026-0001: its figures/,
  ],
  ['an invoice left out', 'delete from figure_entries where source_id = 4', /^T-F2026-0004: its figures/],
  [
    'tax under another treatment',
    "update figure_groups set tax_treatment = 'S2' where vat_rate_bp = 1000",
    /^T-F2026-0001: its figures/,
  ],
  [
    'an annulled invoice owed',
    'update invoices set is_owed = 1 where sequence = 2',
    /^T-F2026-0002: what is owed/,
  ],
  [
    'an owed invoice not owed',
    'update invoices set is_owed = 0 where sequence = 3',
    /^T-F2026-0003: what is owed/,
  ],
  [
    'an invoice hidden without an annulment',
    'update invoices set cancelled_at = 1, is_owed = 0 where sequence = 1',
    /^T-F2026-0001: its last record/,
  ],
  [
    'an annulled invoice brought back without a record',
    'update invoices set cancelled_at = null, is_owed = 1 where sequence = 2',
    /^T-F2026-0002: its last record/,
  ],
  [
    'an issued invoice without any record',
    'delete from registry_records where invoice_id = (select id from invoices where sequence = 4)',
    /^T-F2026-0004: its last record/,
  ],
])('%s', async (_name, statement, fault) => {
  const world = await withAnnulled()
  await world.tamper(statement)
  const proof = await verifyTotals(world.test)
  expect(proof).toMatchObject({ ok: false, checked: 4 })
  expect(proof.faults[0]).toMatch(fault)
})
