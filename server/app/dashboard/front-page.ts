/** Who answers the front page's questions: it asks most of the program, which is loaded with the first look at it. */
import { backupTrouble } from '../backups/index.ts'
import { bankStanding } from '../bank/index.ts'
import { countSignable } from '../documents/index.ts'
import { upcomingReturns, vatToDate } from '../fiscal/index.ts'
import { monthTotals, topParties } from '../figures/index.ts'
import { waitingProposals } from '../inbox/index.ts'
import { countDrafts, listInvoices, oldestOwed, waitingApprovals } from '../invoices/index.ts'
import { monthResults } from '../ledger/index.ts'
import { countReadyReminders, troubledMails } from '../mail/index.ts'
import { openByDay } from '../payments/index.ts'
import { countWithoutFile } from '../received/index.ts'
import { recurringAttention, recurringExpected } from '../recurring/index.ts'
import { registryFigures } from '../registry/index.ts'
import { countSilenced } from '../webhooks/index.ts'
import { createDashboard } from './dashboard.ts'

/** The figures of the front page. */
export const getDashboard = createDashboard({
  openByDay,
  oldestOwed,
  latest: async (ctx, limit) => (await listInvoices(ctx, { limit })).items,
  monthResults,
  topCustomers: async (ctx, year, limit) => {
    const months = await monthTotals(ctx, 'issued', { from: year * 100 + 1, to: year * 100 + 12 })
    return {
      baseCents: months.reduce((sum, { baseCents }) => sum + baseCents, 0),
      items: await topParties(ctx, 'issued', year * 100, limit),
    }
  },
  countDrafts,
  registryFigures,
  vatToDate,
  upcomingReturns,
  bankStanding,
  recurringExpected,
  waitingApprovals,
  waitingProposals,
  recurringAttention,
  receivedWithoutFile: countWithoutFile,
  troubledMails,
  countReadyReminders,
  silencedWebhooks: countSilenced,
  backupTrouble: (ctx) => backupTrouble(ctx.env),
  countSignable,
})
