/** Next day of a rule: its days without those already processed. */
import { addDays } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Ctx } from '../../context.ts'
import type { RecurrenceRule } from './contract.ts'
import { dayFrom } from './rule.ts'
import { dayOutcome } from './rows.ts'

/** Returns the first unprocessed day on or after `from`; null when the rule has none left. */
export async function openDayFrom(
  ctx: Ctx,
  recurrenceId: number,
  rule: RecurrenceRule,
  from: BusinessDate,
): Promise<BusinessDate | null> {
  let day = await dayFrom(rule, from)
  while (day !== null && (await dayOutcome(ctx, recurrenceId, day)) !== undefined)
    day = await dayFrom(rule, addDays(day, 1))
  return day
}
