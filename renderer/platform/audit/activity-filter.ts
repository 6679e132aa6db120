/** Filter of the history from its address. Pure. */
import type { InputOf } from '../../../server/api/contracts.ts'
import { isBusinessDate } from '../../../server/domain/dates.ts'

export const OUTCOMES = ['ok', 'refused', 'failed'] as const
export const FILTER_KEYS = ['from', 'to', 'actor', 'action', 'outcome'] as const
export type FilterKey = (typeof FILTER_KEYS)[number]
export type ActivityFilter = Pick<InputOf<'audit.window'>, FilterKey>

const text = (value: unknown, longest: number): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= longest ? value : undefined
const day = (value: unknown): string | undefined =>
  typeof value === 'string' && isBusinessDate(value) ? value : undefined

/** Returns the filter; invalid values are ignored, and two dates in the wrong order are swapped. */
export function activityFilterOf(query: Readonly<Record<string, unknown>>): ActivityFilter {
  const [from, to] = [day(query.from), day(query.to)]
  const turned = from !== undefined && to !== undefined && from > to
  const filter = {
    from: turned ? to : from,
    to: turned ? from : to,
    actor: text(query.actor, 80),
    action: text(query.action, 60),
    outcome: OUTCOMES.find((each) => each === query.outcome),
  }
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
}
