/** Icon of the outcome of an action; its text is `outcome.<outcome>`. */
import { icons } from '../../icons.ts'

export const OUTCOME_MARKS = {
  ok: { icon: icons.check, tone: 'text-success' },
  refused: { icon: icons.cancelled, tone: 'text-warning' },
  failed: { icon: icons.rejected, tone: 'text-error' },
} as const
