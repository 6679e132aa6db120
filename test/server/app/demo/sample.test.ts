/** Sample company: created part by part, separate from the business's own, and hidden without a trace in the window. */
import { expect, test } from 'vitest'
import { verifyAudit } from '../../../../server/platform/audit/index.ts'
import { loadBook } from '../../../../server/platform/books/index.ts'
import { inBook } from '../../../../server/context.ts'
import { fillSample, getSample, removeSample } from '../../../../server/app/demo/index.ts'
import { getDashboard } from '../../../../server/app/dashboard/index.ts'
import { getSession } from '../../../../server/app/session/session.ts'
import { createDraft, listInvoices } from '../../../../server/sales/invoices/index.ts'
import { openTestStore } from '../../../support/store.ts'

type World = Awaited<ReturnType<typeof openTestStore>>

async function fillAll(world: World): Promise<(string | null)[]> {
  const steps: (string | null)[] = []
  for (let call = 0; call < 4; call++) steps.push((await fillSample(world.bookless(), {})).next)
  return steps
}

async function sampleCtx(world: World) {
  const { bookId } = await getSample(world.bookless(), {})
  const book = await loadBook(world.bookless().db, bookId ?? '')
  if (!book) throw new Error('There is no sample book.')
  return inBook(world.bookless(), book)
}

test('the sample is created part by part, and each answer names the next part', async () => {
  const world = await openTestStore()
  expect(await getSample(world.bookless(), {})).toEqual({
    bookId: null,
    shown: false,
    made: 0,
    parts: 4,
    next: 'company',
  })
  expect(await fillAll(world)).toEqual(['customers', 'items', 'purchases', null])
  const there = await sampleCtx(world)
  expect(there.book.mode).toBe('test')
  const { totals } = await listInvoices(there, { limit: 1, totals: true })
  expect(totals?.count).toBe(50)
  for (const table of ['contacts', 'items', 'received_invoices', 'payments', 'quotes'] as const) {
    const { count } = await there.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('book_id', '=', there.book.id)
      .executeTakeFirstOrThrow()
    expect(count, table).toBeGreaterThan(3)
  }
}, 60_000)

test.each([
  ['mainland', 'Madrid', '01'],
  ['canary', 'Las Palmas de Gran Canaria', '03'],
  ['ceuta_melilla', 'Ceuta', '02'],
  ['basque', 'Bilbao', '01'],
  ['navarre', 'Madrid', '01'],
] as const)(
  'the sample of %s is in %s and charges its tax',
  async (territory, city, tax) => {
    const world = await openTestStore()
    let next: string | null = ''
    while (next !== null) next = (await fillSample(world.bookless(), { territory })).next
    const there = await sampleCtx(world)
    const company = await there.db
      .selectFrom('companies')
      .select('city')
      .where('id', '=', there.book.companyId)
      .executeTakeFirstOrThrow()
    expect(company.city).toBe(city)
    const taxes = await there.db
      .selectFrom('invoices')
      .select('tax')
      .distinct()
      .where('book_id', '=', there.book.id)
      .execute()
    expect(taxes).toEqual([{ tax }])
  },
  60_000,
)

test('no sample data appear in the books of the business', async () => {
  const world = await openTestStore()
  const own = await world.company()
  await fillAll(world)
  for (const table of ['invoices', 'contacts', 'items', 'payments'] as const) {
    const { count } = await world
      .bookless()
      .db.selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('book_id', 'in', [own.live.id, own.test.id])
      .executeTakeFirstOrThrow()
    expect(count, table).toBe(0)
  }
}, 60_000)

test('the window shows only its test book, and nothing of it once it is hidden', async () => {
  const world = await openTestStore()
  await world.company()
  await fillSample(world.bookless(), {})
  const shown = (await getSession(world.bookless(), {})).companies
  expect(shown.map(({ sample, books }) => [sample, books.map(({ mode }) => mode)])).toEqual([
    [false, ['live', 'test']],
    [true, ['test']],
  ])
  expect((await removeSample(world.bookless(), {})).shown).toBe(false)
  expect((await getSession(world.bookless(), {})).companies).toHaveLength(1)
}, 60_000)

test('a hidden sample is shown again unchanged: an interrupted creation continues, and nothing is created twice', async () => {
  const world = await openTestStore()
  await fillSample(world.bookless(), {})
  await fillSample(world.bookless(), {})
  await removeSample(world.bookless(), {})
  expect((await fillSample(world.bookless(), {})).next).toBe('purchases')
  await fillSample(world.bookless(), {})
  const { bookId } = await getSample(world.bookless(), {})
  const again = await fillSample(world.bookless(), {})
  expect(again).toEqual({ bookId, shown: true, made: 4, parts: 4, next: null })
  const { totals } = await listInvoices(await sampleCtx(world), { limit: 1, totals: true })
  expect(totals?.count).toBe(50)
}, 60_000)

test('removing a sample that does not exist is not an error', async () => {
  const world = await openTestStore()
  expect((await removeSample(world.bookless(), {})).bookId).toBeNull()
})

test('the audit log of the sample is chained like any other', async () => {
  const world = await openTestStore()
  await fillAll(world)
  await removeSample(world.bookless(), {})
  expect((await verifyAudit(await sampleCtx(world), {})).ok).toBe(true)
}, 60_000)

test('its overdue amount equals the one in the window, to the cent, less payments and withholding', async () => {
  const world = await openTestStore()
  await fillAll(world)
  const there = await sampleCtx(world)
  const list = async (paymentStatus: 'overdue' | 'open' | 'unpaid' | 'partial') =>
    (await listInvoices(there, { paymentStatus, limit: 100, totals: true })).totals!
  const { owed, overdue: late } = await getDashboard(there, {})
  const overdue = await list('overdue')
  expect(overdue.due).toBeGreaterThan(0)
  expect(overdue.due).toBe(late.amount)
  expect(overdue.count).toBe(late.invoices)
  // The case is meaningful: what was issued is not what is owed.
  const open = await list('open')
  expect(open.due).toBe(owed.amount)
  expect(open.due).toBeLessThan(open.total)
  const parts = [overdue, await list('unpaid'), await list('partial')]
  expect(Math.round(parts.reduce((sum, { due }) => sum + due * 100, 0))).toBe(Math.round(open.due * 100))
  expect(parts.reduce((sum, { count }) => sum + count, 0)).toBe(open.count)
  // A draft owes nothing.
  await createDraft(there, {
    clientName: 'Borrador S.L.',
    clientNif: 'B87654323',
    lines: [{ description: 'x', quantity: 1, unitPrice: 1000 }],
  })
  expect(await list('unpaid')).toEqual(parts[1])
}, 60_000)
