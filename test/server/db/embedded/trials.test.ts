/** Corrections of migration 13 in books of an earlier build: the income of replaced invoices. */
import { expect, test } from 'vitest'
import { takenBackIncome } from '../../../../server/db/migrations/0013/figures.ts'
import { openBooks } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'

const CUSTOMER = { clientName: 'Cliente Primero, S.L.', clientNif: 'B87654323' }
const line = (unitPrice: number) => ({ description: 'Cosa', quantity: 1, unitPrice, vatRate: 21 })

const TABLES = ['figure_entries', 'month_figures', 'period_totals'] as const

async function figuresOf(world: TestBooks) {
  const { db } = world.test
  const rows = await Promise.all(TABLES.map((table) => db.selectFrom(table).selectAll().execute()))
  return Object.fromEntries(TABLES.map((table, index) => [table, rows[index]]))
}

/** Counts the income of replaced invoices as builds of schema 12 did: with the sign of a sale. */
const AS_BEFORE = [
  `create temp table wrong as select group_id, month, source_id, part, income_cents as right_cents,
     case when part > (select count(*) from invoice_replacements where invoice_id = source_id)
       then 90000 else -income_cents end as wrong_cents
   from figure_entries where source = 1 and part <> 0 and income_cents <> 0`,
  `update figure_entries set income_cents = (select wrong_cents from wrong where wrong.group_id = figure_entries.group_id
     and wrong.month = figure_entries.month and wrong.source_id = figure_entries.source_id and wrong.part = figure_entries.part)
   where source = 1 and part <> 0 and income_cents <> 0`,
  `update month_figures set income_cents = income_cents + coalesce((select sum(wrong_cents - right_cents) from wrong
     where wrong.group_id = month_figures.group_id and wrong.month = month_figures.month), 0)`,
  `update period_totals set income_cents = income_cents + coalesce((select sum(wrong_cents - right_cents) from wrong
     join figure_groups on figure_groups.id = wrong.group_id
     where figure_groups.book_id = period_totals.book_id and wrong.month = period_totals.month), 0) where side = 'issued'`,
  'drop table wrong',
]

test('the income of replaced invoices, of the book and of other programs, is reversed', async () => {
  const world = await openBooks()
  const original = await world.invoice({ lines: [line(1000)] })
  const ticket = await world.invoice({ kind: 'F2', clientName: 'Venta', clientNif: null, lines: [line(50)] })
  const made = await world.run('invoices.substitute', { invoices: [{ id: ticket.id }], ...CUSTOMER })
  await world.issue(made.id)
  const rectifying = await world.run('invoices.rectify', {
    id: original.id,
    cause: 'wrong_amount',
    method: 'S',
    newLines: [line(900)],
  })
  await world.issue(rectifying.id)
  await world.invoice({
    kind: 'R4',
    lines: [line(900)],
    rectifies: [{ number: 'A-1', issueDate: '2025-12-30' }],
    rectification: { method: 'S', cause: 'wrong_amount', base: 800, tax: 168 },
  })
  const right = await figuresOf(world)
  await world.tamper(...AS_BEFORE)
  expect(await figuresOf(world)).not.toEqual(right)
  await world.tamper(takenBackIncome)
  expect(await figuresOf(world)).toEqual(right)
})
