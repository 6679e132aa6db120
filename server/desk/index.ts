/** The desk slice for the operations table, with who answers the front page's questions. */
import { nextObligation, outputVat } from '../fiscal/index.ts'
import { waitingProposals } from '../inbox/index.ts'
import { countDrafts, monthFigures, oldestOwed, overdueFigures, owedFigures } from '../invoices/index.ts'
import { registryFigures } from '../registry/index.ts'
import { createDashboard } from './dashboard.ts'

export { savePreferences } from './preferences.ts'
export { confirmRecovery, revealRecovery } from './recovery.ts'
export { getSession } from './session.ts'

/** The figures of the front page. */
export const getDashboard = createDashboard({
  owedFigures,
  overdueFigures,
  oldestOwed,
  monthFigures,
  countDrafts,
  registryFigures,
  outputVat,
  nextObligation,
  waitingProposals,
})
