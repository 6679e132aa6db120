/** The returns of a quarter: filed or not, and the payment of those with an amount to pay. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { addDays } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { centsFromEuros, eurosFromCents } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import type { Ctx } from '../../context.ts'
import type { ReturnPeriod } from '../../accounting/returns/index.ts'
import type { ModelNumber, ModelSummary } from '../../accounting/returns/contract.ts'
import type { ClosingItem, ClosingReturn, ClosingStep, Reason, StepState } from './contract.ts'
import { bankKnownUntil } from './missing.ts'

/**
 * Accounts that the payment of a return debits, with their subaccounts. The others are informative. Source: PGC de
 * PYMES, accounts 473, 4750 and 4751; 4777 is the VAT of other member states.
 */
const PAID_FROM: Partial<Record<ModelNumber, readonly string[]>> = {
  '303': ['4750'],
  '420': ['4750'],
  '309': ['4750'],
  '369': ['4750', '4777'],
  '111': ['4751'],
  '115': ['4751'],
  '123': ['4751'],
  '130': ['473'],
  '131': ['473'],
}

/** Months after a quarter in which its payment is looked for: the next quarter pays its own returns after them. */
const MONTHS_TO_PAY = 3

interface Payment {
  account: string
  day: BusinessDate
  cents: Cents
}

/** Returns the debits of tax accounts against money from a day to the end of the months after a quarter. */
async function paymentsAfter(ctx: Ctx, { to }: ReturnPeriod, from: BusinessDate): Promise<Payment[]> {
  const next = addDays(to, 1)
  const month = Number(next.slice(5, 7)) + MONTHS_TO_PAY
  const year = Number(next.slice(0, 4)) + (month > 12 ? 1 : 0)
  const end = year * 10_000 + ((month - 1) % 12) * 100 + 101
  const rows = await ctx.db
    .selectFrom('journal_lines')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'journal_lines.account_id')
    .select(['ledger_accounts.code', 'journal_lines.day', 'journal_lines.amount_cents'])
    .where('ledger_accounts.book_id', '=', ctx.book.id)
    .where(sql<SqlBool>`(ledger_accounts.code like '473%' or ledger_accounts.code like '4750%'
      or ledger_accounts.code like '4751%' or ledger_accounts.code like '4777%')`)
    .where('journal_lines.amount_cents', '>', 0)
    .where('journal_lines.day', '>=', Number(from.replaceAll('-', '')))
    .where('journal_lines.day', '<', end)
    .where(
      sql<SqlBool>`exists (select 1 from journal_lines as money join ledger_accounts as held on held.id = money.account_id
        where money.entry_id = journal_lines.entry_id and money.amount_cents < 0 and held.code like '57%')`,
    )
    .orderBy('journal_lines.day')
    .orderBy('journal_lines.entry_id')
    .execute()
  return rows.map(({ code, day, amount_cents: cents }) => {
    const digits = String(day)
    return {
      account: code,
      day: `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`,
      cents,
    }
  })
}

interface Paid {
  state: StepState
  why: Reason | null
  on: BusinessDate | null
}

/** Takes the payment of a return, made after its period, out of those that no other return has taken. */
function takePayment(
  payments: Payment[],
  { model, dueFrom }: Pick<ModelSummary, 'model' | 'dueFrom'>,
  cents: Cents,
): Payment | null {
  const accounts = PAID_FROM[model] ?? []
  const at = payments.findIndex(
    (payment) =>
      payment.cents === cents &&
      payment.day >= dueFrom &&
      accounts.some((account) => payment.account.startsWith(account)),
  )
  return at === -1 ? null : (payments.splice(at, 1)[0] ?? null)
}

async function paidOf(ctx: Ctx, model: ModelSummary, payments: Payment[]): Promise<Paid> {
  const { filing } = model
  if (!PAID_FROM[model.model]) return { state: 'not_needed', why: null, on: null }
  if (!filing) {
    if (model.applies === null) return { state: 'unknown', why: 'not_known_whether', on: null }
    return model.result !== null && model.result <= 0
      ? { state: 'not_needed', why: null, on: null }
      : { state: 'missing', why: 'file_first', on: null }
  }
  if (!model.computed && model.result === null && filing.result === 0)
    return { state: 'unknown', why: 'not_computed', on: null }
  if (filing.outcome !== 'pay' || filing.result <= 0) return { state: 'not_needed', why: null, on: null }
  const payment = takePayment(payments, model, centsFromEuros(filing.result) ?? 0)
  if (payment) return { state: 'done', why: null, on: payment.day }
  const known = await bankKnownUntil(ctx, filing.filedOn > model.dueTo ? filing.filedOn : model.dueTo)
  return known === 'complete'
    ? { state: 'missing', why: 'payment_not_found', on: null }
    : { state: 'unknown', why: known, on: null }
}

const isOfMonth = ({ period }: Pick<ModelSummary, 'period'>): boolean => /^\d\d$/.test(period)

interface ClosingReturns {
  returns: ClosingReturn[]
  step: ClosingStep
  payment: ClosingStep
}

const FIRST: readonly StepState[] = ['missing', 'unknown', 'done']

/** Returns the state of a step from those of its parts: what is missing wins, then what is unknown. */
function together<Part extends { state: StepState; why: Reason | null }>(
  parts: readonly Part[],
): { state: StepState; why: Reason | null } {
  for (const state of FIRST) {
    const found = parts.find((part) => part.state === state)
    if (found) return { state, why: found.why }
  }
  return { state: 'not_needed', why: 'nothing_to_pay' }
}

const sumOf = (items: readonly ClosingItem[]): number | null => {
  const cents = items.flatMap(({ amount }) => (amount === null ? [] : [centsFromEuros(amount) ?? 0]))
  return cents.length === 0 ? null : eurosFromCents(cents.reduce((sum, each) => sum + each, 0))
}

/** Returns the returns that a company files in a quarter, or may file, with the steps of filing and of paying them. */
export async function closingReturns(
  ctx: Ctx,
  period: ReturnPeriod,
  models: readonly ModelSummary[],
): Promise<ClosingReturns> {
  const applying = models.filter((model) => model.applies !== false || model.filing !== null)
  // Months of the quarter are paid before it ends.
  const from = applying
    .filter((model) => isOfMonth(model))
    .reduce((first, { dueFrom }) => (dueFrom < first ? dueFrom : first), addDays(period.to, 1))
  const payments = await paymentsAfter(ctx, period, from)
  const returns: ClosingReturn[] = []
  const filings: { state: StepState; why: Reason | null; item: ClosingItem }[] = []
  const paid: (Paid & { item: ClosingItem })[] = []
  for (const model of applying) {
    const pays = await paidOf(ctx, model, payments)
    const changed = (model.filing?.differences.length ?? 0) > 0
    // 0 would claim that nothing is payable although it is not known whether the return is due.
    const result = model.filing?.result ?? (model.applies === null ? null : model.result)
    returns.push({
      model: model.model,
      name: model.name,
      period: model.period,
      year: model.year,
      applies: model.applies,
      computed: model.computed,
      why: model.why,
      result,
      outcome: model.outcome,
      dueFrom: model.dueFrom,
      dueTo: model.dueTo,
      directDebitTo: model.directDebitTo,
      status: model.status,
      filedOn: model.filing?.filedOn ?? null,
      changed,
      paid: pays.state,
      paidOn: pays.on,
    })
    const address = `/taxes/${period.year}-${isOfMonth(model) ? model.period : period.code}`
    const isOver = isOfMonth(model) ? ctx.today() >= model.dueFrom : ctx.today() > period.to
    const name = isOfMonth(model) ? `${model.model} ${model.period}` : model.model
    const item: ClosingItem = {
      id: name,
      label: name,
      date: model.dueTo,
      amount: result,
      code: null,
      page:
        // Of a typed return, once it is typed.
        model.computed || model.result !== null
          ? `${address}/${model.model}/file`
          : `${address}/${model.model}`,
    }
    const state = ((): { state: StepState; why: Reason | null } => {
      if (changed) return { state: 'missing', why: 'changed_since' }
      if (model.filing) return { state: 'done', why: null }
      if (model.applies === null) return { state: 'unknown', why: 'not_known_whether' }
      return { state: 'missing', why: isOver ? null : 'period_open' }
    })()
    filings.push({
      ...state,
      item: {
        ...item,
        code: state.why === 'period_open' ? null : state.why,
        ...(changed || model.applies === null ? { page: `${address}/${model.model}` } : {}),
      },
    })
    paid.push({
      ...pays,
      item: {
        ...item,
        code: pays.why,
        page: model.filing ? '/bank' : model.applies === null ? `${address}/${model.model}` : item.page,
      },
    })
  }
  const open = filings.filter(({ state }) => state === 'missing' || state === 'unknown')
  const unpaid = paid.filter(({ state }) => state === 'missing' || state === 'unknown')
  const filed = together(filings)
  const owed = unpaid.map(({ item }) => item)
  return {
    returns,
    step: {
      id: 'returns',
      state: filed.state,
      why: filed.state === 'not_needed' ? null : filed.why,
      count: open.length,
      total: sumOf(open.map(({ item }) => item)),
      items: open.map(({ item }) => item),
    },
    payment: { id: 'payment', ...together(paid), count: owed.length, total: sumOf(owed), items: owed },
  }
}
