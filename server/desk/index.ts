/** The desk slice for the operations table, with who answers the front page's questions. */
import { nextObligation, outputVat } from '../fiscal/index.ts'
import { monthNumber, monthTotals } from '../figures/index.ts'
import { waitingProposals } from '../inbox/index.ts'
import { countDrafts, oldestOwed, overdueFigures, owedFigures } from '../invoices/index.ts'
import { registryFigures } from '../registry/index.ts'
import { createDashboard } from './dashboard.ts'

export {
  ANSWERED_WHILE_LOCKED,
  COUNTED_TRIES,
  getLock,
  getLockState,
  isLocked,
  lockNow,
  lockOf,
  noteAlive,
  removeLock,
  setLock,
  setLockOptions,
  unlock,
} from './lock/index.ts'
export { savePreferences } from './preferences.ts'
export { confirmRecovery, revealRecovery } from './recovery.ts'
export { getSession } from './session.ts'

/** The figures of the front page. */
export const getDashboard = createDashboard({
  owedFigures,
  overdueFigures,
  oldestOwed,
  monthFigures: async (ctx, from, to) => {
    const months = await monthTotals(ctx, 'issued', {
      from: monthNumber(`${from}-01`),
      to: monthNumber(`${to}-01`),
    })
    return months.map(({ month, baseCents }) => {
      const digits = String(month)
      return { month: `${digits.slice(0, 4)}-${digits.slice(4)}`, baseCents }
    })
  },
  countDrafts,
  registryFigures,
  outputVat,
  nextObligation,
  waitingProposals,
})
