/** Dashboard: earnings, open amounts, due dates, and action items. Reads stored totals and open items only. */
import { hasRecoveryCode } from '../session/index.ts'
import { findCompany } from '../../company/index.ts'
import { booksOfCompany } from '../../platform/books/index.ts'
import { addDays, daysBetween, monthPeriod, quarterOf } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { eurosFromCents } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import { inBook } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { listKeys } from '../../platform/api-keys/index.ts'
import { seriesOfBook } from '../../company/series/index.ts'
import { attentionOf } from './attention.ts'
import type { Dashboard, dashboardContract } from '../session/contract.ts'
import type { DashboardPorts, OpenDay, RegistryCounts } from './ports.ts'

const COLLECTIONS = 6
const CUSTOMERS = 5
const LATEST = 5
const MONTHS = 12
const WEEKS = 8
const WEEK_DAYS = 7
const CASH_DAYS = 30
const DEADLINE_DAYS = 60

/** Returns the last twelve months, the current one last, as `YYYY-MM`. */
function lastMonths(today: BusinessDate): string[] {
  const year = Number(today.slice(0, 4))
  const month = Number(today.slice(5, 7))
  return Array.from({ length: MONTHS }, (_, index) => {
    const since = year * 12 + month - 1 - (MONTHS - 1 - index)
    return monthPeriod(Math.floor(since / 12), (since % 12) + 1).from.slice(0, 7)
  })
}

const monthNumber = (month: string): number => Number(month.replace('-', ''))

function sumCents<T extends { cents: Cents }>(list: readonly T[], match: (item: T) => boolean): Cents {
  return list.reduce((sum, item) => (match(item) ? sum + item.cents : sum), 0)
}

const between = (day: BusinessDate | null, from: BusinessDate, to: BusinessDate) =>
  day !== null && day >= from && day <= to

interface Money {
  receivable: OpenDay[]
  payable: OpenDay[]
  recurring: { dueDate: BusinessDate; cents: Cents }[]
}

/**
 * Returns the open amounts of both sides: overdue, by week, later, and without due date; together they are all that
 * is open.
 */
function flowOf(today: BusinessDate, { receivable, payable, recurring }: Money): Dashboard['flow'] {
  const last = addDays(today, WEEKS * WEEK_DAYS - 1)
  const both = (match: (item: OpenDay) => boolean) => ({
    in: eurosFromCents(sumCents(receivable, match)),
    out: eurosFromCents(sumCents(payable, match)),
  })
  return {
    late: both(({ dueDate }) => dueDate !== null && dueDate < today),
    undated: both(({ dueDate }) => dueDate === null),
    later: both(({ dueDate }) => dueDate !== null && dueDate > last),
    weeks: Array.from({ length: WEEKS }, (_, week) => {
      const from = addDays(today, week * WEEK_DAYS)
      const to = addDays(from, WEEK_DAYS - 1)
      return {
        from,
        to,
        ...both(({ dueDate }) => between(dueDate, from, to)),
        recurring: eurosFromCents(sumCents(recurring, ({ dueDate }) => between(dueDate, from, to))),
      }
    }),
  }
}

function expectedCents(today: BusinessDate, { receivable, payable, recurring }: Money): Cents {
  const near = ({ dueDate }: { dueDate: BusinessDate | null }) =>
    between(dueDate, today, addDays(today, CASH_DAYS))
  return sumCents(receivable, near) + sumCents(recurring, near) - sumCents(payable, near)
}

function overdueOf(today: BusinessDate, receivable: readonly OpenDay[]): Dashboard['overdue'] {
  const late = receivable.filter(({ dueDate }) => dueDate !== null && dueDate < today)
  const oldest = late.find(({ invoices }) => invoices > 0)?.dueDate ?? null
  return {
    amount: eurosFromCents(sumCents(late, () => true)),
    invoices: late.reduce((sum, { invoices }) => sum + invoices, 0),
    oldestDays: oldest === null ? null : daysBetween(oldest, today),
  }
}

/** Returns the first-run checklist; its company steps consider both books, so that switching books resets none. */
async function checklistOf(
  ctx: Ctx,
  registryFigures: DashboardPorts['registryFigures'],
  here: RegistryCounts,
): Promise<Dashboard['checklist']> {
  const company = await findCompany(ctx)
  let firstTestInvoice = false
  let apiKey = false
  for (const book of await booksOfCompany(ctx.db, company.id)) {
    const there = inBook(ctx, book)
    if (book.mode === 'test')
      firstTestInvoice = (book.id === ctx.book.id ? here : await registryFigures(there)).chainRecords > 0
    apiKey ||= (await listKeys(there, {})).items.length > 0
  }
  return {
    company: Boolean(company.street && company.postal_code && company.city),
    series: (await seriesOfBook(ctx)).some(({ kind }) => kind !== 'quote'),
    firstTestInvoice,
    recovery: hasRecoveryCode(ctx.env.store),
    apiKey,
  }
}

const PER_MILLE = 1000

async function customersOf(ctx: Ctx, ports: DashboardPorts, year: number): Promise<Dashboard['customers']> {
  const { baseCents, items } = await ports.topCustomers(ctx, year, CUSTOMERS)
  return {
    year,
    base: eurosFromCents(baseCents),
    items: items.map((item) => ({
      name: item.name,
      nif: item.nif,
      base: eurosFromCents(item.baseCents),
      sharePercent: baseCents > 0 ? Math.round((item.baseCents / baseCents) * PER_MILLE) / 10 : null,
    })),
  }
}

/** Creates the dashboard use case over the slices that provide its data. */
export function createDashboard(ports: DashboardPorts): UseCase<typeof dashboardContract> {
  return async (ctx) => {
    const today = ctx.today()
    const year = Number(today.slice(0, 4))
    const quarter = quarterOf(today)
    const months = lastMonths(today)
    const results = await ports.monthResults(ctx, (year - 1) * 100 + 1, year * 100 + 12)
    const shown = new Set(months.map(monthNumber))
    const turnover = (ofYear: number) =>
      results
        .filter(({ month }) => month > ofYear * 100 + quarter * 3 - 3 && month <= ofYear * 100 + quarter * 3)
        .reduce((sum, { turnoverCents }) => sum + turnoverCents, 0)
    const money: Money = {
      receivable: await ports.openByDay(ctx, 'receivable'),
      payable: await ports.openByDay(ctx, 'payable'),
      recurring: await ports.recurringExpected(ctx, addDays(today, WEEKS * WEEK_DAYS - 1)),
    }
    const registry = await ports.registryFigures(ctx)
    const vat = await ports.vatToDate(ctx)
    const returns = await ports.upcomingReturns(ctx, DEADLINE_DAYS)
    const bank = await ports.bankStanding(ctx)
    return {
      quarter: {
        label: `${quarter}T ${year}`,
        year,
        quarter,
        base: eurosFromCents(turnover(year)),
        lastYear: eurosFromCents(turnover(year - 1)),
      },
      owed: {
        amount: eurosFromCents(sumCents(money.receivable, () => true)),
        invoices: money.receivable.reduce((sum, { invoices }) => sum + invoices, 0),
      },
      overdue: overdueOf(today, money.receivable),
      vat: {
        label: vat.label,
        year: vat.year,
        quarter: vat.quarter,
        dueTo: vat.dueTo,
        figures: vat.figures && {
          output: eurosFromCents(vat.figures.outputCents),
          input: eurosFromCents(vat.figures.inputCents),
          amount: eurosFromCents(vat.figures.resultCents),
        },
      },
      cash: {
        accounts: bank.accounts,
        balance: eurosFromCents(bank.cents),
        last: bank.last,
        expected: eurosFromCents(expectedCents(today, money)),
      },
      months: months.map((month) => {
        const result = results.find((each) => each.month === monthNumber(month))
        return {
          month,
          income: eurosFromCents(result?.incomeCents ?? 0),
          expenses: eurosFromCents(result?.expensesCents ?? 0),
        }
      }),
      historyDocuments: results.reduce(
        (sum, { month, documents }) => sum + (shown.has(month) ? documents : 0),
        0,
      ),
      flow: flowOf(today, money),
      attention: await attentionOf(ctx, ports, { registry, returns, bankPending: bank.pending }),
      deadlines: returns.map(({ resultCents, ...rest }) => ({
        ...rest,
        result: resultCents === null ? null : eurosFromCents(resultCents),
      })),
      collections: await ports.oldestOwed(ctx, COLLECTIONS),
      customers: await customersOf(ctx, ports, year),
      latest: await ports.latest(ctx, LATEST),
      registry: {
        accepted: registry.accepted,
        acceptedWithErrors: registry.acceptedWithErrors,
        rejected: registry.rejected,
        pending: registry.pending,
        chainRecords: registry.chainRecords,
        lastAnswerAt: registry.lastAnswerAt === null ? null : new Date(registry.lastAnswerAt).toISOString(),
      },
      checklist: await checklistOf(ctx, ports.registryFigures, registry),
      drafts: await ports.countDrafts(ctx),
    }
  }
}
