/**
 * Which companies have records that did not reach the authority, from their summaries: the window must show the number
 * of every company, however many there are (Orden HAC/1177/2024 art. 16.4).
 */
import type { UseCase } from '../../context.ts'
import { summaryRows } from '../summaries/index.ts'
import { consoleCompanies } from './access.ts'
import type { unsentContract } from './contract.ts'
import { standingOf } from './state.ts'

export const unsentCompanies: UseCase<typeof unsentContract> = async (ctx) => {
  const companies = await consoleCompanies(ctx, 'registry.read')
  const rows = await summaryRows(ctx.db, [...companies.keys()])
  const at = ctx.now()
  const today = ctx.today()
  const items = rows.flatMap(({ companyId, facts }) => {
    const company = companies.get(companyId)
    if (!company || !facts) return []
    const { trouble, certificate } = standingOf(facts, at, today).figures
    if (trouble.waiting === 0 && !trouble.stopped) return []
    return [
      {
        bookId: company.bookId,
        company: company.name,
        pending: facts.registry.pending,
        since: trouble.since,
        stopped: trouble.stopped,
        certificate:
          certificate === null
            ? ('missing' as const)
            : certificate.daysLeft < 0
              ? ('expired' as const)
              : ('ok' as const),
      },
    ]
  })
  // A company without figures, or with those of before a change, is looked at soon.
  const isCurrent =
    rows.length === companies.size && rows.every(({ facts, staleSince }) => facts && staleSince === null)
  if (!isCurrent && !ctx.env.servers) ctx.env.wake('bulk')
  return { items: items.toSorted((a, b) => a.company.localeCompare(b.company, 'es')) }
}
