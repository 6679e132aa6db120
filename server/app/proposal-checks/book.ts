/** Checks of proposals about the book itself: accounting system, certificate and returns, each by its own slice. */
import { certificateState } from '../../company/certificates/index.ts'
import { quarterPeriod, yearPeriod } from '../../domain/dates.ts'
import type { Ctx } from '../../context.ts'
import { examineReading } from '../../integrations/erp/index.ts'
import { fiscalModel } from '../../accounting/returns/index.ts'
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

const YEARLY: ReadonlySet<string> = new Set(['390', '347', '190', '180'])

/** Returns the requested return: as given, else of the named period, else of the last completed quarter. */
function returnOf(today: string, { params, period }: ActionRequestOf<'prepare_return'>) {
  const form = params.form ?? '303'
  const named = period?.to ?? null
  const monthOf = (date: string) => Number(date.slice(5, 7))
  const yearOf = (date: string) => Number(date.slice(0, 4))
  if (YEARLY.has(form))
    return { form, year: params.year ?? (named ? yearOf(named) : yearOf(today) - 1), quarter: null }
  if (params.quarter !== undefined || named === null) {
    const last = Math.ceil(monthOf(today) / 3) - 1
    const quarter = params.quarter ?? (last === 0 ? 4 : last)
    const year =
      params.year ?? (params.quarter === undefined && last === 0 ? yearOf(today) - 1 : yearOf(today))
    return { form, year, quarter }
  }
  return { form, year: params.year ?? yearOf(named), quarter: Math.ceil(monthOf(named) / 3) }
}

/** Returns true when the caller may read amounts; a person always may. */
const mayReadAmounts = ({ actor }: Ctx) => actor.kind !== 'key' || actor.scopes.includes('fiscal.read')

export async function checkReturn(ctx: Ctx, asked: ActionRequestOf<'prepare_return'>): Promise<Assessment> {
  if (asked.params.month !== undefined)
    return {
      ...emptyAssessment(asked, 'Prepare a tax return'),
      blockers: [point('return_monthly', 'Sello prepares returns of quarters and years; give a quarter.')],
    }
  const taxReturn = returnOf(ctx.today(), asked)
  const { form, year, quarter } = taxReturn
  const { to } = quarter === null ? yearPeriod(year) : quarterPeriod(year, quarter)
  const period = quarter === null ? String(year) : `${quarter}T ${year}`
  const outline = {
    ...emptyAssessment(
      { ...asked, period: null, params: { form, year, ...(quarter === null ? {} : { quarter }) } },
      `Prepare form ${form} of ${period}`,
    ),
    taxReturn,
  }
  if (ctx.today() <= to)
    return { ...outline, blockers: [point('return_period_open', `The period ends on ${to}.`, { date: to })] }
  const model = await fiscalModel(ctx, { model: form, year, ...(quarter === null ? {} : { quarter }) })
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
