/** Connects the dashboard to the slices that provide its data: most of the program, loaded with its first use. */
import { backupProblem } from '../backups/index.ts'
import { bankStanding } from '../../accounting/bank/index.ts'
import { countSignable } from '../../documents/rendering/index.ts'
import { upcomingReturns, vatToDate } from '../../accounting/returns/index.ts'
import { monthTotals, topParties } from '../../tax/totals/index.ts'
import { waitingProposals } from '../approvals/index.ts'
import { countDrafts, listInvoices, oldestOwed, waitingApprovals } from '../../sales/invoices/index.ts'
import { monthsWithHistory } from '../../accounting/ledger/index.ts'
import { countReadyReminders, failedMails } from '../../documents/mail/index.ts'
import { openByDay } from '../../accounting/payments/index.ts'
import { countWithoutFile } from '../../purchases/invoices/index.ts'
import { recurringAttention, recurringExpected } from '../../sales/recurring/index.ts'
import { registryCounts } from '../../registry/index.ts'
import { countDisabled } from '../../platform/webhooks/index.ts'
import { createDashboard } from './dashboard.ts'

/** Returns the data of the dashboard. */
export const getDashboard = createDashboard({
  openByDay,
  oldestOwed,
  latest: async (ctx, limit) => (await listInvoices(ctx, { limit })).items,
  monthResults: monthsWithHistory,
  topCustomers: async (ctx, year, limit) => {
    const months = await monthTotals(ctx, 'issued', { from: year * 100 + 1, to: year * 100 + 12 })
    return {
      baseCents: months.reduce((sum, { baseCents }) => sum + baseCents, 0),
      items: await topParties(ctx, 'issued', year * 100, limit),
    }
  },
  countDrafts,
  registryFigures: registryCounts,
  vatToDate,
  upcomingReturns,
  bankStanding,
  recurringExpected,
  waitingApprovals,
  waitingProposals,
  recurringAttention,
  receivedWithoutFile: countWithoutFile,
  troubledMails: failedMails,
  countReadyReminders,
  silencedWebhooks: countDisabled,
  backupTrouble: (ctx) => backupProblem(ctx.env),
  countSignable,
})
