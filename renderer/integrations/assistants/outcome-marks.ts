/** How the outcome of what somebody did is marked; its words are `outcome.<outcome>`. */
import { icons } from '../../icons.ts'

export const OUTCOME_MARKS = {
  ok: { icon: icons.check, tone: 'text-success' },
  refused: { icon: icons.cancelled, tone: 'text-warning' },
  failed: { icon: icons.rejected, tone: 'text-error' },
} as const
