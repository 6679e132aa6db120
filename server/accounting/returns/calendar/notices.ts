/**
 * Gives notice of the days that come near: 7 days and 1 day before the last day of a return that the company must file
 * and has not marked as filed, and 2 days before the last day of its direct debit.
 */
import { daysBetween } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Ctx } from '../../../context.ts'
import { historyOf, recordAudit } from '../../../platform/audit/index.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { computeModel } from '../compute.ts'
import { standingOf, verdictOf } from './filing-duty.ts'
import { isFiled, openTerms } from './open-terms.ts'
import type { OpenTerm } from './open-terms.ts'

/** Days left, the last step first. */
const TERM_STEPS = [1, 7]
const DEBIT_STEPS = [2]

interface Notice {
  term: OpenTerm
  of: 'term' | 'direct_debit'
  /** The day that comes near. */
  day: BusinessDate
  daysLeft: number
  /** This step and the later ones: a later step was reported already if the clock was set back. */
  steps: readonly number[]
}

/** Returns the notice of a day, or null while it is far away or over. Missed steps are skipped. */
function noticeOf(
  term: OpenTerm,
  of: Notice['of'],
  day: BusinessDate | null,
  today: BusinessDate,
): Notice | null {
  if (day === null || day < today) return null
  const daysLeft = daysBetween(today, day)
  const steps = of === 'term' ? TERM_STEPS : DEBIT_STEPS
  const reached = steps.find((step) => step >= daysLeft)
  if (reached === undefined) return null
  return { term, of, day, daysLeft, steps: steps.filter((step) => step <= reached) }
}

/** Returns the identifier under which the history has a step: it is also what makes each notice the only one. */
function stepId({ term, of }: Pick<Notice, 'term' | 'of'>, step: number): string {
  return `${of}.${term.model}.${term.year}.${term.returns.code}.${step}`
}

async function isReported(ctx: Ctx, notice: Notice): Promise<boolean> {
  for (const step of notice.steps) if ((await historyOf(ctx, stepId(notice, step))).length > 0) return true
  return false
}

/** Returns true when the company must file the return and has not; for a direct debit, also pay or perhaps pay. */
async function concerns(ctx: Ctx, { term, of }: Notice): Promise<boolean> {
  if (await isFiled(ctx, term)) return false
  const standing = await standingOf(ctx, term.returns)
  const { applies, computed } = verdictOf(term.model, standing, term.year)
  if (applies !== true) return false
  if (of === 'term' || !computed) return true
  const { resultCents } = await computeModel(ctx, term.model, term.returns, standing.profile)
  return resultCents === null || resultCents > 0
}

/** Returns the notices to give now in the book of the context. */
async function dueNotices(ctx: Ctx): Promise<Notice[]> {
  const today = ctx.today()
  const due: Notice[] = []
  for (const term of await openTerms(ctx))
    for (const notice of [
      noticeOf(term, 'direct_debit', term.directDebitTo, today),
      noticeOf(term, 'term', term.dueTo, today),
    ])
      if (notice && !(await isReported(ctx, notice)) && (await concerns(ctx, notice))) due.push(notice)
  return due
}

/** Gives the notices of the day to the book of the context, each once: in the history and as an event. */
export async function announceDeadlines(ctx: Ctx): Promise<void> {
  if ((await dueNotices(ctx)).length === 0) return
  await ctx.transaction(async (tx) => {
    for (const notice of await dueNotices(tx)) {
      const { term, of, day, daysLeft, steps } = notice
      const { model, year, returns } = term
      await recordAudit(tx, {
        action: of === 'term' ? 'filing.due_soon' : 'filing.debit_soon',
        target: {
          type: 'filing',
          id: stepId(notice, steps.at(-1) ?? 0),
          label: `${model} ${returns.code} ${year}: ${day}`,
        },
      })
      await emitEvent(tx, 'filing.due_soon', { model, year, period: returns.code, of, day, daysLeft })
    }
  })
}
