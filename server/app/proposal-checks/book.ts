/** Checks of proposals about the book itself: accounting system, certificate and returns, each by its own slice. */
import { findCompany } from '../../company/index.ts'
import { certificateState } from '../../company/certificates/index.ts'
import type { Ctx } from '../../context.ts'
import { examineReading } from '../../integrations/erp/index.ts'
import { fiscalModel, periodsOf, taxReturnOf } from '../../accounting/returns/index.ts'
import type { Periods } from '../../accounting/returns/index.ts'
import type { ModelNumber } from '../../accounting/returns/contract.ts'
import type { ActionRequestOf, Assessment } from '../approvals/index.ts'
import { emptyAssessment, point, runCheck } from './points.ts'

export async function checkSync(ctx: Ctx, asked: ActionRequestOf<'sync_erp'>): Promise<Assessment> {
  const outline = emptyAssessment(asked, 'Read the accounting system')
  const outcome = await runCheck(() => examineReading(ctx))
  if ('blockers' in outcome) return { ...outline, ...outcome }
  const calls = outcome.answer
  if (calls === null)
    return { ...outline, blockers: [point('erp_running', 'A reading is under way already.')] }
  return {
    ...outline,
    effects: [
      point('erp_reads', `Contacts, invoices and the catalogue are read, in about ${calls} calls.`, {
        calls,
      }),
      point('erp_writes_nothing', 'Nothing is written there.'),
    ],
  }
}

export async function checkCertificateChange(
  ctx: Ctx,
  asked: ActionRequestOf<'renew_certificate'>,
): Promise<Assessment> {
  const outline = emptyAssessment(asked, 'Renew the certificate')
  const { status, expiresOn, daysLeft } = await certificateState(ctx)
  const facts = { status, expiresOn: expiresOn ?? null }
  if (status === 'ok')
    return {
      ...outline,
      facts,
      blockers: [
        point('certificate_lasts', `It lasts until ${expiresOn}, ${daysLeft} days more.`, {
          date: expiresOn ?? '',
          days: daysLeft ?? 0,
        }),
      ],
    }
  return {
    ...outline,
    facts,
    effects: [point('certificate_import', 'The owner imports a new certificate.')],
    warnings: [
      status === 'missing'
        ? point('certificate_none', 'There is none.')
        : point(`certificate_${status}`, `The one there is ends on ${expiresOn}.`, { date: expiresOn ?? '' }),
    ],
  }
}

const YEARLY: ReadonlySet<string> = new Set(['390', '347', '190', '180', '425', '415'])

/**
 * Returns the requested return: as given, else of the named period, else of the last completed quarter. `usual` is that of a
 * request without a form.
 */
function returnOf(
  today: string,
  { params, period }: ActionRequestOf<'prepare_return'>,
  periods: Periods,
  usual: ModelNumber,
): { form: ModelNumber; year: number; quarter: number | null; month: number | null } {
  const form = params.form ?? usual
  const named = period?.to ?? null
  const monthOf = (date: string) => Number(date.slice(5, 7))
  const yearOf = (date: string) => Number(date.slice(0, 4))
  if (YEARLY.has(form))
    return {
      form,
      year: params.year ?? (named ? yearOf(named) : yearOf(today) - 1),
      quarter: null,
      month: null,
    }
  if (params.month !== undefined)
    return { form, year: params.year ?? yearOf(today), quarter: null, month: params.month }
  if (params.quarter !== undefined)
    return { form, year: params.year ?? yearOf(today), quarter: params.quarter, month: null }
  const asked =
    named === null
      ? periods.before(form, periods.at(form, yearOf(today) * 100 + monthOf(today)))
      : periods.at(form, yearOf(named) * 100 + monthOf(named))
  const isMonth = /^\d\d$/.test(asked.code)
  return {
    form,
    year: params.year ?? asked.year,
    quarter: isMonth ? null : asked.quarter,
    month: isMonth ? Number(asked.code) : null,
  }
}

/** Returns true when the caller may read amounts; a person always may. */
const mayReadAmounts = ({ actor }: Ctx) => actor.kind !== 'key' || actor.scopes.includes('fiscal.read')

export async function checkReturn(ctx: Ctx, asked: ActionRequestOf<'prepare_return'>): Promise<Assessment> {
  const periods = await periodsOf(ctx)
  const usual = taxReturnOf(await findCompany(ctx)).model
  const { form, year, quarter, month } = returnOf(ctx.today(), asked, periods, usual)
  const taxReturn = { form, year, quarter, ...(month === null ? {} : { month }) }
  const lastMonth = month ?? (quarter ?? 4) * 3
  const { code, to } = periods.at(form, year * 100 + lastMonth)
  const filesByMonths = /^\d\d$/.test(code)
  if ((month !== null && !filesByMonths) || (quarter !== null && filesByMonths))
    return {
      ...emptyAssessment(asked, 'Prepare a tax return'),
      blockers: [
        filesByMonths
          ? point('return_by_months', `Form ${form} of ${year} is filed by months; give a month.`)
          : point('return_by_quarters', `Form ${form} of ${year} is filed by quarters; give a quarter.`),
      ],
    }
  const period = code === '0A' ? String(year) : `${code} ${year}`
  const place = { ...(quarter === null ? {} : { quarter }), ...(month === null ? {} : { month }) }
  const outline = {
    ...emptyAssessment(
      { ...asked, period: null, params: { form, year, ...place } },
      `Prepare form ${form} of ${period}`,
    ),
    taxReturn,
  }
  if (ctx.today() <= to)
    return { ...outline, blockers: [point('return_period_open', `The period ends on ${to}.`, { date: to })] }
  const model = await fiscalModel(ctx, { model: form, year, ...place })
  const facts = { result: model.result, filedOn: model.filing?.filedOn ?? null }
  if (model.applies === false)
    return {
      ...outline,
      facts,
      blockers: [point(`return_why_${model.why}`, `The business does not file it (${model.why}).`)],
    }
  if (!model.computed)
    return {
      ...outline,
      facts,
      blockers: [point('return_not_computed', 'Sello does not compute its figures.')],
    }
  if (model.filing)
    return {
      ...outline,
      facts,
      blockers: [
        point('return_filed', `It is marked as filed on ${model.filing.filedOn}.`, {
          date: model.filing.filedOn,
        }),
      ],
    }
  const { result, dueTo } = model
  return {
    ...outline,
    facts,
    effects: [
      ...(result === null || !mayReadAmounts(ctx)
        ? []
        : [point('return_result', `As the books stand it comes to ${result} euros.`, { amount: result })]),
      point('return_due', `It is due by ${dueTo}.`, { date: dueTo }),
      point('return_prepared', 'The figures are put together; nothing is filed.'),
    ],
    warnings: mayReadAmounts(ctx)
      ? model.warnings.map(({ code, message, count }) =>
          point(`tax_${code}`, message, count === undefined ? undefined : { count }),
        )
      : [],
  }
}
