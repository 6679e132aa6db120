/** One book with every kind of entry that is handed on: sales, purchases, payments, a bank fee, and the end of a year. */
import type { DraftInput, TestBooks } from '../../../support/books.ts'
import { openBooks } from '../../../support/books.ts'
import type { InputOf } from '../../../../server/api/contracts.ts'
import { FRENCH, line, purchase } from '../returns/worked.ts'

type Purchase = InputOf<'received.create'>

const YEAR = { from: '2026-01-01', to: '2026-12-31' }

async function contactOf(world: TestBooks, name: string, nif: string): Promise<string> {
  const { id } = await world.run('contacts.create', { name, nif })
  return id
}

/** Opens the book. Every figure is in the golden files. */
export async function workedBook(options: Parameters<typeof openBooks>[0] = {}): Promise<TestBooks> {
  const world = await openBooks({ at: '2026-12-31T12:00:00+01:00', ...options })
  const clientId = await contactOf(world, 'Muñoz & Łódź, S.L.', 'B87654323')
  const supplierId = await contactOf(world, 'Proveedor, S.A.', 'A58818501')
  const own = { clientId, clientName: 'Muñoz & Łódź, S.L.', clientNif: 'B87654323' } as Partial<DraftInput>
  const first = await world.invoice({
    ...own,
    issueDate: '2026-10-20',
    lines: [line(1000), line(200, { vatRate: 10 }), line(50, { vatRate: 4 })],
  })
  const sales: Partial<DraftInput>[] = [
    { ...own, lines: [line(300, { surcharge: 5.2 })] },
    { ...own, lines: [line(400, { taxTreatment: 'S2' })] },
    { ...FRENCH, lines: [line(700, { taxTreatment: 'E5' })] },
    { ...own, lines: [line(500)], withholdingPct: 15 },
    { ...own, lines: [line(45, { taxTreatment: 'E1' })] },
  ]
  for (const sale of sales) await world.invoice({ issueDate: '2026-10-20', ...sale })
  const ticket = await world.invoice({
    kind: 'F2',
    issueDate: '2026-10-21',
    clientName: 'Venta',
    clientNif: null,
    lines: [line(50)],
  })
  const replacing = await world.run('invoices.substitute', {
    invoices: [{ id: ticket.id }],
    clientName: 'Muñoz & Łódź, S.L.',
    clientNif: 'B87654323',
  })
  await world.issue(replacing.id)
  await world.invoice({
    ...own,
    kind: 'R1',
    issueDate: '2026-11-02',
    rectifies: [{ id: first.id }],
    rectification: { method: 'I', cause: 'returned_goods', reason: 'Devolución' },
    lines: [line(-100)],
  } as Partial<DraftInput>)
  const bought = (changes: Parameters<typeof purchase>[0]) => purchase({ supplierId, ...changes })
  const purchases: Purchase[] = [
    bought({
      supplierNumber: 'A1',
      taxLines: [
        { base: 100, vatRate: 21 },
        { base: 50, vatRate: 10 },
      ],
    }),
    bought({ supplierNumber: 'A2', taxLines: [{ base: 4000, vatRate: 21, investmentGood: true }] }),
    bought({
      supplierNumber: 'A3',
      taxLines: [{ base: 200, vatRate: 21 }],
      withholding: { rate: 15, base: 200, reason: 'professional' },
    }),
    bought({
      supplierNumber: 'A4',
      concept: 'G12',
      taxLines: [{ base: 300, vatRate: 21 }],
      withholding: { rate: 19, base: 300, reason: 'rent' },
    }),
    purchase({
      supplierNumber: 'EU1',
      supplierName: 'Lieferant GmbH',
      supplierNif: 'DE136695976',
      supplier: { country: 'DE', idType: '02' },
      taxLines: [{ base: 1000, vatRate: 21, taxTreatment: 'S2', nature: 'eu_services' }],
    }),
    bought({
      supplierNumber: 'RC1',
      taxLines: [{ base: 500, vatRate: 21, taxTreatment: 'S2', nature: 'reverse_charge' }],
    }),
    bought({ supplierNumber: 'H1', taxLines: [{ base: 60, vatRate: 21, deductiblePct: 50 }] }),
  ]
  for (const each of purchases) await world.run('received.create', each)
  await world.run('payments.payInvoice', {
    id: first.id,
    date: '2026-11-15',
    amount: first.total,
    method: 'transfer',
  })
  await world.run('ledger.writeEntry', {
    date: '2026-11-30',
    text: '=Comisión del banco, “mantenimiento”',
    lines: [
      { account: '626', debit: 12.5 },
      { account: '572', credit: 12.5 },
    ],
  })
  // Bought before the year of the book, so that it has no entry but the regularisation of its VAT.
  await world.run('assets.create', {
    description: 'Máquina',
    kind: '21',
    acquiredOn: '2025-01-02',
    inUseOn: '2025-01-02',
    base: 20_000,
    vat: 4200,
    vatPercent: 21,
    method: 'percent',
    percent: 10,
  })
  await world.run('assets.setProrata', { year: 2025, percent: 90 })
  await world.run('assets.setProrata', { year: 2026, percent: 50 })
  await world.run('assets.bookVatAdjustment', { year: 2026, expectedTotal: -336 })
  return world
}

export { YEAR }
