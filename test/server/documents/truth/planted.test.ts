/**
 * Planted differences: each makes one writer or derivation wrong in one field, and must stop the issue with that field and
 * the two sources, and lose nothing. The plants wrap the modules of the product, which know nothing of them.
 */
import { describe, expect, test, vi } from 'vitest'
import type { AppError } from '../../../../server/domain/errors/app-error.ts'
import { openBooks, refused } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { PLAIN, WITHHELD } from './plants.ts'
import type { Case } from './plants.ts'
import { BOOK_PLANTS } from './plants-books.ts'
import { FORMAT_PLANTS } from './plants-formats.ts'

const planted = vi.hoisted(() => ({
  at: '',
  plant: null as null | ((make: any, args: any[]) => unknown),
  used: 0,
}))

/** Returns the module with some of its functions wrapped. */
const wrapped = vi.hoisted(() => (module: Record<string, any>, ...names: string[]) => ({
  ...module,
  ...Object.fromEntries(
    names.map((name) => [
      name,
      (...args: any[]) => {
        if (planted.at !== name || planted.plant === null) return module[name](...args)
        planted.used += 1
        return planted.plant(module[name], args)
      },
    ]),
  ),
}))

vi.mock('../../../../server/registry/systems/verifactu/record/xml.ts', async (original) =>
  wrapped(await original(), 'buildRegistration'),
)
vi.mock('../../../../server/registry/systems/verifactu/record/qr.ts', async (original) =>
  wrapped(await original(), 'qrUrl'),
)
vi.mock('../../../../server/tax/totals/parts.ts', async (original) => wrapped(await original(), 'partsOf'))
vi.mock('../../../../server/accounting/returns/books/issued-rows.ts', async (original) =>
  wrapped(await original(), 'issuedRows', 'taxCellsOf'),
)
vi.mock('../../../../server/documents/rendering/paper-of.ts', async (original) =>
  wrapped(await original(), 'invoiceOnPaper'),
)
vi.mock('../../../../server/documents/pdf/layout/sums.ts', async (original) =>
  wrapped(await original(), 'sumLines'),
)
vi.mock('../../../../server/documents/pdf/layout/text-blocks.ts', async (original) =>
  wrapped(await original(), 'headRows', 'partyLines', 'lineAmount'),
)
vi.mock('../../../../server/documents/e-invoice/invoice.ts', async (original) =>
  wrapped(await original(), 'eInvoiceOf'),
)
vi.mock('../../../../server/documents/e-invoice/ubl.ts', async (original) =>
  wrapped(await original(), 'ublXml'),
)
vi.mock('../../../../server/documents/e-invoice/cii.ts', async (original) =>
  wrapped(await original(), 'ciiXml'),
)
vi.mock('../../../../server/documents/e-invoice/facturae.ts', async (original) =>
  wrapped(await original(), 'facturaeXml'),
)
vi.mock('../../../../server/documents/e-invoice/exchange/write.ts', async (original) =>
  wrapped(await original(), 'ubl25Xml'),
)
vi.mock('../../../../server/documents/e-invoice/peppol/write.ts', async (original) =>
  wrapped(await original(), 'peppolXml'),
)

const cases = { ...BOOK_PLANTS, ...FORMAT_PLANTS }

const countsOf = async (world: TestBooks): Promise<number[]> => {
  const { db } = world.test
  const tables = [
    'registry_records',
    'figure_entries',
    'journal_entries',
    'document_queue',
    'events',
  ] as const
  const all = []
  for (const table of tables)
    all.push(
      (
        await db
          .selectFrom(table)
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    )
  return all
}

function expectNamed(error: AppError, { field, source }: Pick<Case, 'field' | 'source'>): void {
  expect(error.code).toBe('invoice_contradicts')
  const details = error.details as { field: string; sources: string[]; values: unknown[] }
  if (typeof field === 'string') expect(details.field).toBe(field)
  else expect(details.field).toMatch(field)
  expect(
    details.sources.some((one) => one.includes(source)),
    details.sources.join(' / '),
  ).toBe(true)
  expect(details.values).toHaveLength(2)
  expect(details.values[0]).not.toEqual(details.values[1])
}

describe('a planted difference stops the issue and loses nothing', () => {
  test.each(Object.entries(cases))('%s', async (_name, one) => {
    const world = await openBooks()
    await world.run('series.create', { code: 'GEST', kind: 'ordinary', purpose: 'third_party' })
    const draft = await world.draft(one.draft ?? PLAIN)
    const confirmationToken = await world.token(draft.id)
    const before = await countsOf(world)
    Object.assign(planted, { at: one.at, plant: one.plant, used: 0 })
    const error = await refused(world.run('invoices.issue', { id: draft.id, confirmationToken })).finally(
      () => Object.assign(planted, { at: '', plant: null }),
    )
    expect(planted.used).toBeGreaterThan(0)
    expectNamed(error, one)
    expect(await countsOf(world)).toEqual(before)
    const still = await world.run('invoices.get', { id: draft.id })
    expect([still.state, still.number]).toEqual(['draft', null])
    // The same token issues it once nothing is wrong any more, and no number is missing.
    const invoice = await world.run('invoices.issue', { id: draft.id, confirmationToken })
    expect([invoice.state, /-0*1$/.test(invoice.number ?? '')]).toEqual(['issued', true])
  })
})

describe('a row that was changed behind the program stops the issue', () => {
  test.each([
    // The base and the total are compared earlier, by what answers the issue.
    ['what is withheld', 'invoices', ['withholding_cents'], /withheld|due|deducted/i],
    ['the quota of a tax', 'invoice_taxes', ['tax_cents'], /tax/i],
    ['the amount of a line', 'invoice_lines', ['net_cents'], /lineSum|lines\[0\]/],
  ] as const)('%s', async (_name, table, columns, field) => {
    const world = await openBooks()
    const draft = await world.draft(WITHHELD)
    const confirmationToken = await world.token(draft.id)
    await world.test.transaction(async (tx) => {
      const { id } = await tx.db
        .selectFrom('invoices')
        .select('id')
        .where('public_id', '=', draft.id)
        .executeTakeFirstOrThrow()
      await tx.db
        .updateTable(table as 'invoice_lines')
        .set((eb) => Object.fromEntries(columns.map((column) => [column, eb(column as 'net_cents', '+', 1)])))
        .where((table === 'invoices' ? 'id' : 'invoice_id') as 'invoice_id', '=', id)
        .execute()
    })
    const error = await refused(world.run('invoices.issue', { id: draft.id, confirmationToken }))
    expectNamed(error, { field, source: 'invoice' })
    const still = await world.test.db
      .selectFrom('invoices')
      .select(['state', 'number'])
      .where('public_id', '=', draft.id)
      .executeTakeFirst()
    expect(still).toEqual({ state: 'draft', number: null })
  })
})
