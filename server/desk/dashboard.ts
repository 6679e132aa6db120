/** The front page: what was invoiced, what is owed, what is due, and what asks for attention. */
import { booksOfCompany, findCompany, readinessOf } from '../company/index.ts'
import type { OutputOf, ParsedInputOf } from '../contracts.ts'
import { addDays, addYears, daysBetween, monthPeriod, quarterOf, quarterPeriod } from '../core/dates.ts'
import type { BusinessDate, Period } from '../core/dates.ts'
import { eurosFromCents } from '../core/money.ts'
import { inBook } from '../ctx.ts'
import type { Ctx, UseCase } from '../ctx.ts'
import { listKeys } from '../keys/index.ts'
import { recurringAttention } from '../recurring/index.ts'
import { seriesOfBook } from '../series/index.ts'
import type { Dashboard } from './contract.ts'
import type { DashboardPorts, Obligation, RegistryFigures } from './ports.ts'

const COLLECTIONS = 6
const MONTHS = 12
const MAX_REJECTED_SHOWN = 5

type Attention = Dashboard['attention'][number]

function monthOf(date: BusinessDate): string {
  return date.slice(0, 7)
}

/** `4T 2026`, as the tax agency names quarters. */
function quarterLabel(date: BusinessDate): string {
  return `${quarterOf(date)}T ${date.slice(0, 4)}`
}

function quarterAround(date: BusinessDate): Period {
  return quarterPeriod(Number(date.slice(0, 4)), quarterOf(date))
}

/** The last twelve months, this one last, as `YYYY-MM`. */
function lastMonths(today: BusinessDate): string[] {
  const year = Number(today.slice(0, 4))
  const month = Number(today.slice(5, 7))
  return Array.from({ length: MONTHS }, (_, index) => {
    const since = year * 12 + month - 1 - (MONTHS - 1 - index)
    return monthOf(monthPeriod(Math.floor(since / 12), (since % 12) + 1).from)
  })
}

function sumBase(months: readonly { month: string; baseCents: number }[], period: Period): number {
  return months
    .filter(({ month }) => month >= monthOf(period.from) && month <= monthOf(period.to))
    .reduce((sum, { baseCents }) => sum + baseCents, 0)
}

/** The `title` of each is a stable name which the page puts into words; `params` are the facts to name. */
async function attentionOf(
  ctx: Ctx,
  facts: { registry: RegistryFigures; proposals: number; obligation: Obligation },
): Promise<Attention[]> {
  const { registry, proposals, obligation } = facts
  const attention: Attention[] = []
  for (const { invoiceId, number } of registry.rejectedInvoices.slice(0, MAX_REJECTED_SHOWN))
    attention.push({ kind: 'rejected', id: invoiceId, title: 'record_rejected', params: { number } })
  if (proposals > 0)
    attention.push({ kind: 'proposal', title: 'proposals_waiting', params: { count: proposals } })
  for (const missing of await readinessOf(ctx, await findCompany(ctx)))
    attention.push({ kind: 'readiness', id: missing.code, title: missing.code, params: {} })
  const today = ctx.today()
  if (obligation.dueFrom <= today && today <= obligation.dueTo) {
    const { form, period, dueTo } = obligation
    attention.push({
      kind: 'deadline',
      id: form,
      title: 'return_due',
      params: { form, period, dueTo, days: daysBetween(today, dueTo) },
    })
  }
  const { waiting, troubled } = await recurringAttention(ctx)
  if (troubled > 0)
    attention.push({ kind: 'recurring', title: 'recurring_troubled', params: { count: troubled } })
  if (waiting > 0)
    attention.push({ kind: 'recurring', title: 'recurring_waiting', params: { count: waiting } })
  if (registry.pending > 0)
    attention.push({ kind: 'queue', title: 'records_waiting', params: { count: registry.pending } })
  if (!ctx.env.store.hasRecoveryCode())
    attention.push({ kind: 'recovery', title: 'recovery_unconfirmed', params: {} })
  return attention
}

/** First steps; those of the company look at both its books, so that switching books undoes none. */
async function checklistOf(
  ctx: Ctx,
  registryFigures: DashboardPorts['registryFigures'],
): Promise<Dashboard['checklist']> {
  const company = await findCompany(ctx)
  let firstTestInvoice = false
  let apiKey = false
  for (const book of await booksOfCompany(ctx.db, company.id)) {
    const there = inBook(ctx, book)
    if (book.mode === 'test') firstTestInvoice = (await registryFigures(there)).chainRecords > 0
    apiKey ||= (await listKeys(there, {})).items.length > 0
  }
  return {
    company: Boolean(company.street && company.postal_code && company.city),
    series: (await seriesOfBook(ctx)).some(({ kind }) => kind !== 'quote'),
    firstTestInvoice,
    recovery: ctx.env.store.hasRecoveryCode(),
    apiKey,
  }
}

/** The use case of the front page over the slices that know the figures. */
export function createDashboard(
  ports: DashboardPorts,
): UseCase<ParsedInputOf<'dashboard.get'>, OutputOf<'dashboard.get'>> {
  return async (ctx) => {
    const today = ctx.today()
    const quarter = quarterAround(today)
    const lastYear = quarterAround(addYears(quarter.from, -1))
    const months = lastMonths(today)
    const firstMonth = [months[0] ?? monthOf(today), monthOf(lastYear.from)].sort()[0] ?? monthOf(today)
    const figures = await ports.monthFigures(ctx, firstMonth, monthOf(quarter.to))
    const owed = await ports.owedFigures(ctx)
    const overdue = await ports.overdueFigures(ctx)
    const registry = await ports.registryFigures(ctx)
    const obligation = ports.nextObligation(today)
    // The return that is next to file: in the first weeks of a quarter that is still the one before.
    const vatQuarter = obligation.dueFrom <= today ? quarterAround(addDays(quarter.from, -1)) : quarter
    return {
      quarter: {
        label: quarterLabel(today),
        base: eurosFromCents(sumBase(figures, quarter)),
        lastYear: eurosFromCents(sumBase(figures, lastYear)),
      },
      owed: { amount: eurosFromCents(owed.amountCents), invoices: owed.invoices },
      overdue: {
        amount: eurosFromCents(overdue.amountCents),
        invoices: overdue.invoices,
        oldestDays: overdue.oldestDays,
      },
      vat: {
        amount: eurosFromCents(await ports.outputVat(ctx, vatQuarter)),
        label: quarterLabel(vatQuarter.from),
        dueTo: obligation.dueTo,
      },
      months: months.map((month) => ({
        month,
        base: eurosFromCents(figures.find((figure) => figure.month === month)?.baseCents ?? 0),
      })),
      attention: await attentionOf(ctx, {
        registry,
        proposals: await ports.waitingProposals(ctx),
        obligation,
      }),
      collections: await ports.oldestOwed(ctx, COLLECTIONS),
      registry: {
        accepted: registry.accepted,
        acceptedWithErrors: registry.acceptedWithErrors,
        rejected: registry.rejected,
        pending: registry.pending,
        chainRecords: registry.chainRecords,
        lastAnswerAt: registry.lastAnswerAt === null ? null : new Date(registry.lastAnswerAt).toISOString(),
      },
      checklist: await checklistOf(ctx, ports.registryFigures),
      drafts: await ports.countDrafts(ctx),
    }
  }
}
