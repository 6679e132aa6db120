/** Each number of the dashboard equals the one on its linked page, on books of any content. */
import { describe, expect, test } from 'vitest'
import type { OutputOf } from '../../../../server/api/contracts.ts'
import { fillBook, fillEveryday, FIRST_DAY } from '../../../../server/app/demo/index.ts'
import { openBooks } from '../../../support/books.ts'
import { dice } from '../../../support/seeded-random.ts'
import type { TestBooks } from '../../../support/books.ts'

type Page = OutputOf<'dashboard.get'>

const cents = (euros: number) => Math.round(euros * 100)
const sum = (list: readonly number[]) => list.reduce((total, each) => total + cents(each), 0)

/** Returns the profit and loss account of a range: its first line, and its result. */
async function account(world: TestBooks, asked: { year: number; quarter?: number; month?: number }) {
  const { lines, result } = await world.run('ledger.profitAndLoss', asked)
  const turnover = lines.find(({ key }) => key === '1')
  return { turnover: turnover?.amount ?? 0, before: turnover?.previous ?? 0, result }
}

async function expectEachEqualsItsPage(world: TestBooks): Promise<Page> {
  const page = await world.run('dashboard.get', {})
  const quarter = await account(world, { year: page.quarter.year, quarter: page.quarter.quarter })
  expect(page.quarter).toMatchObject({ base: quarter.turnover, lastYear: quarter.before })
  for (const { month, income, expenses } of page.months) {
    const { result } = await account(world, {
      year: Number(month.slice(0, 4)),
      month: Number(month.slice(5)),
    })
    expect(cents(income) - cents(expenses), month).toBe(cents(result))
  }

  const receivable = await world.run('payments.aging', { side: 'receivable' })
  const payable = await world.run('payments.aging', { side: 'payable' })
  const late = ({ totals }: typeof receivable) =>
    sum([totals.upTo30, totals.upTo60, totals.upTo90, totals.over90])
  expect(page.owed.amount).toBe(receivable.totals.total)
  expect(cents(page.overdue.amount)).toBe(late(receivable))
  const { flow } = page
  expect(cents(flow.late.in)).toBe(late(receivable))
  expect(cents(flow.late.out)).toBe(late(payable))
  for (const [side, total] of [
    ['in', receivable.totals.total],
    ['out', payable.totals.total],
  ] as const)
    expect(
      sum([flow.late[side], flow.undated[side], flow.later[side], ...flow.weeks.map((week) => week[side])]),
      side,
    ).toBe(cents(total))

  const model = await world.run('fiscal.model', {
    model: '303',
    year: page.vat.year,
    quarter: page.vat.quarter,
  })
  const box = (name: string) => model.boxes.find((each) => each.box === name)?.amount
  expect(page.vat.figures).toEqual({ output: box('27'), input: box('45'), amount: box('46') })
  for (const { model: form, year, quarter: number, result } of page.deadlines)
    if (result !== null) {
      const shown = await world.run('fiscal.model', { model: form as '303', year, quarter: number })
      expect(result, form).toBe(shown.result)
    }

  const { items: accounts } = await world.run('bank.accounts', {})
  const used = accounts.filter(({ active }) => active)
  expect(page.cash.accounts).toBe(used.length)
  expect(cents(page.cash.balance)).toBe(sum(used.map(({ balance }) => balance)))
  const movements = page.attention.find(({ kind }) => kind === 'bank')
  expect(movements?.params.count ?? 0).toBe(used.reduce((total, { pending }) => total + pending, 0))
  const { views } = await world.run('received.window', { limit: 0, summary: true })
  expect(page.attention.find(({ kind }) => kind === 'received')?.params.count ?? 0).toBe(
    views?.withoutFile ?? 0,
  )
  return page
}

/** Creates random sales, purchases, payments and bank data; rejected ones are not part of the books. */
async function throwBooks(world: TestBooks, seed: number): Promise<void> {
  const { below, chance, pick } = dice(seed)
  const day = () => `2026-${String(1 + below(11)).padStart(2, '0')}-${String(1 + below(20)).padStart(2, '0')}`
  const amount = () => (1 + below(500_000)) / 100
  const issued: { id: string; total: number }[] = []
  for (let step = 0; step < 40; step++) {
    const dueDate = chance(0.7) ? { dueDate: pick(['2026-11-21', '2026-12-05', '2027-03-31']) } : {}
    const lines = Array.from({ length: 1 + below(3) }, (_, index) => ({
      description: `Trabajo ${index}`,
      quantity: pick([1, 2, 0.5, 3.333]),
      unitPrice: amount(),
      vatRate: pick([21, 10, 4]),
    }))
    const what = below(6)
    if (what < 3) issued.push(await world.invoice({ lines, ...dueDate }))
    else if (what === 3) await world.draft({ lines })
    else if (what === 4) {
      const date = day()
      await world.run('received.create', {
        supplierName: `Proveedor ${step}`,
        supplierNif: 'B87654323',
        supplierNumber: `P-${step}`,
        issueDate: date,
        dueDate: pick([date, '2026-12-24', '2027-02-01']),
        taxLines: [{ base: amount(), vatRate: pick([21, 10]) }],
      })
    } else if (issued.length > 0) {
      const { id, total } = pick(issued)
      const paid = chance(0.5) ? total : Math.round(total * 30) / 100
      await world
        .run('payments.create', {
          direction: 'in',
          date: '2026-11-21',
          amount: paid,
          method: 'transfer',
          allocations: [{ invoiceId: id, amount: paid }],
        })
        .catch(() => undefined)
    }
  }
  if (chance(0.7))
    await world.run('bank.createAccount', {
      name: 'Cuenta',
      openingBalance: amount(),
      openingDate: '2026-01-01',
    })
}

describe('each number of the dashboard equals the one on its linked page', () => {
  test.each([1, 7, 42, 2026])('in random books (%i)', async (seed) => {
    const world = await openBooks({ at: '2026-11-21T10:00:00+01:00' })
    await throwBooks(world, seed)
    const page = await expectEachEqualsItsPage(world)
    expect(page.owed.invoices).toBeGreaterThan(0)
    expect(page.months.some(({ expenses }) => expenses > 0)).toBe(true)
  })

  test('in an empty book', async () => {
    const page = await expectEachEqualsItsPage(await openBooks({ at: '2026-11-21T10:00:00+01:00' }))
    expect(page.owed.invoices).toBe(0)
  })

  test('in a year of business, with purchases, payments, credits and a bank', async () => {
    const world = await openBooks({ at: '2026-11-21T10:00:00+01:00' })
    await fillBook(world.test, { invoices: 150 })
    await fillEveryday(world.test, FIRST_DAY)
    const first = await expectEachEqualsItsPage(world)
    expect(first.owed.amount).not.toBe(0)
    expect(first.months.some(({ expenses }) => expenses > 0)).toBe(true)

    const credited = await world.invoice()
    await world.run('payments.create', {
      direction: 'in',
      date: '2026-11-21',
      amount: 10,
      method: 'transfer',
      allocations: [{ invoiceId: credited.id, amount: 10 }],
    })
    await world.run('bank.createAccount', {
      name: 'Cuenta',
      openingBalance: 1234.56,
      openingDate: '2026-01-01',
    })
    const second = await expectEachEqualsItsPage(world)
    expect(cents(second.owed.amount)).toBe(cents(first.owed.amount) + cents(credited.total) - 1000)
    expect(cents(second.cash.balance)).toBe(cents(first.cash.balance) + 123_456)
  })
})
