/** The entry of a quarter's VAT: a preview beside the return as filed, and its booking by a person. */
import { AppError } from '../../domain/errors/app-error.ts'
import { eurosFromCents } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import { findCompany } from '../../company/index.ts'
import type { Ctx, UseCase } from '../../context.ts'
import {
  accountNames,
  bookQuarterVat,
  entryLineViews,
  getEntry,
  quarterVat,
} from '../../accounting/ledger/index.ts'
import type { AccountNames, QuarterVat } from '../../accounting/ledger/index.ts'
import { findFilings, periodsOf, quarterReturn, taxReturnOf } from '../../accounting/returns/index.ts'
import type { ReturnPeriod } from '../../accounting/returns/index.ts'
import type { ModelSummary } from '../../accounting/returns/contract.ts'
import type { ClosingStep, enterVatContract, Reason, StepState, VatEntry } from './contract.ts'

interface SumsCents {
  outputCents: Cents
  inputCents: Cents
  resultCents: Cents
}

interface Compared {
  vat: QuarterVat
  filed: SumsCents
  ledger: SumsCents
  carriedCents: Cents
}

/** Returns the return of a quarter as filed, or those of its months, beside its entry; null until all are filed. */
async function compared(ctx: Ctx, { year, quarter }: ReturnPeriod): Promise<Compared | null> {
  if (quarter === null) return null
  const { model, shown, settled } = taxReturnOf(await findCompany(ctx))
  const filed = await findFilings(ctx, model, { from: year, to: year })
  const periods = (await periodsOf(ctx)).inQuarter(model, { year, quarter })
  const filings = periods.flatMap(({ code }) => filed.get(`${year} ${code}`) ?? [])
  if (filings.length < periods.length) return null
  const sum = (of: (filing: (typeof filings)[number]) => Cents): Cents =>
    filings.reduce((total, filing) => total + of(filing), 0)
  const box = (number: string): Cents => sum(({ boxes }) => boxes[number] ?? 0)
  const carriedCents = sum((filing) => settled(filing).appliedCents)
  // Of several returns one may be paid and another be in favour: neither takes anything off the other.
  const payableCents = filings.length > 1 ? sum((filing) => Math.max(0, settled(filing).resultCents)) : null
  const vat = await quarterVat(ctx, { year, quarter, appliedCents: carriedCents, payableCents })
  const { outputCents, inputCents } = vat
  const dueCents = outputCents - inputCents
  return {
    vat,
    carriedCents,
    filed: {
      outputCents: box(shown.output),
      inputCents: box(shown.input),
      resultCents: sum((filing) => settled(filing).resultCents),
    },
    ledger: {
      outputCents,
      inputCents,
      resultCents:
        filings.length > 1
          ? dueCents - carriedCents
          : dueCents > 0
            ? dueCents - Math.min(dueCents, carriedCents)
            : dueCents,
    },
  }
}

const lessThan = (a: SumsCents, b: SumsCents): SumsCents => ({
  outputCents: a.outputCents - b.outputCents,
  inputCents: a.inputCents - b.inputCents,
  resultCents: a.resultCents - b.resultCents,
})

const differs = ({ filed, ledger }: Compared): boolean =>
  Object.values(lessThan(ledger, filed)).some((cents) => cents !== 0)

const sumsView = ({ outputCents, inputCents, resultCents }: SumsCents) => ({
  output: eurosFromCents(outputCents),
  input: eurosFromCents(inputCents),
  result: eurosFromCents(resultCents),
})

function entryView({ vat, filed, ledger, carriedCents }: Compared, named: AccountNames): VatEntry {
  return {
    date: vat.date,
    lines: entryLineViews(vat.lines, named),
    balanced: vat.lines.reduce((sum, line) => sum + line.amountCents, 0) === 0,
    filed: sumsView(filed),
    ledger: sumsView(ledger),
    difference: sumsView(lessThan(ledger, filed)),
    carried: eurosFromCents(carriedCents),
    entryId: vat.entryIds[0] ?? null,
  }
}

function stateOf(found: Compared): { state: StepState; why: Reason | null } {
  const { vat, filed, ledger } = found
  const isLeft = vat.lines.length > 0
  if (vat.entryIds.length > 0) {
    if (isLeft) return { state: 'missing', why: 'entry_outdated' }
    return differs(found) ? { state: 'unknown', why: 'entry_differs' } : { state: 'done', why: null }
  }
  if (isLeft) {
    if (vat.laterEntryId !== null) return { state: 'unknown', why: 'settled_later' }
    return { state: 'missing', why: differs(found) ? 'differs' : null }
  }
  const isEmpty = [filed, ledger].every(
    ({ outputCents, inputCents }) => outputCents === 0 && inputCents === 0,
  )
  // Without an entry of this kind, only a person knows what emptied the accounts.
  return isEmpty
    ? { state: 'not_needed', why: 'nothing_to_settle' }
    : { state: 'unknown', why: 'cleared_elsewhere' }
}

/** Returns the step of the entry with its preview, which is null until the return is filed. */
export async function vatEntryStep(
  ctx: Ctx,
  period: ReturnPeriod,
  model: Pick<ModelSummary, 'applies' | 'computed'> | undefined,
  language: 'es' | 'en',
): Promise<{ step: ClosingStep; entry: VatEntry | null }> {
  const step = (state: StepState, why: Reason | null): ClosingStep => ({
    id: 'vat_entry',
    state,
    why,
    count: state === 'missing' ? 1 : 0,
    total: null,
    items: [],
  })
  if (model?.computed === false) return { step: step('unknown', 'not_computed'), entry: null }
  const found = await compared(ctx, period)
  if (!found) {
    if (model?.applies !== true) return { step: step('not_needed', 'no_vat_return'), entry: null }
    return { step: step('missing', 'file_first'), entry: null }
  }
  const { state, why } = stateOf(found)
  return { step: step(state, why), entry: entryView(found, await accountNames(ctx, language)) }
}

/**
 * Books the settlement of a quarter's VAT. Throws `return_not_filed` before the return is filed, `vat_entry_differs`
 * with both amounts unless the difference is accepted, `vat_entered` and `period_locked`.
 */
export const enterVat: UseCase<typeof enterVatContract> = (ctx, { year, quarter, acceptDifference }) =>
  ctx.transaction(async (tx) => {
    const found = await compared(tx, quarterReturn(year, quarter))
    if (!found)
      throw new AppError('return_not_filed', { details: { model: taxReturnOf(await findCompany(tx)).model } })
    const isSettled = found.vat.entryIds.length > 0 || found.vat.laterEntryId !== null
    if (!isSettled && differs(found) && acceptDifference !== true)
      throw new AppError('vat_entry_differs', {
        details: { filed: sumsView(found.filed), ledger: sumsView(found.ledger) },
      })
    return getEntry(tx, { id: await bookQuarterVat(tx, found.vat) })
  })
