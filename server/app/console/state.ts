/** What stored figures mean on a day: dates pass by themselves. Pure. */
import { daysBetween, quarterOf } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { eurosFromCents } from '../../domain/money.ts'
import type { SummaryFacts, SummaryReturn } from '../summaries/index.ts'
import type { Card, Figures, ReturnState, ReturnView } from './contract.ts'

/** Age from which a pending record is trouble. */
const WAITING_MS = 3_600_000
/** Days before its last one in which a certificate is shown as ending. */
const CERTIFICATE_DAYS = 30
/** Most returns that are shown with a company. */
const MOST_RETURNS = 8
/** A return that opens within so many days is shown. */
const SOON_DAYS = 45

/** Returns the state of a return on a day. */
function returnState(
  { dueFrom, dueTo, applies, filedOn }: Pick<SummaryReturn, 'dueFrom' | 'dueTo' | 'applies' | 'filedOn'>,
  today: BusinessDate,
): ReturnState {
  if (filedOn !== null) return 'filed'
  if (today < dueFrom) return 'upcoming'
  if (applies === null) return 'unknown'
  return today > dueTo ? 'late' : 'open'
}

/** Returns the last quarter that has ended on a day, with its last day. */
function endedQuarter(today: BusinessDate): { year: number; quarter: number; to: BusinessDate } {
  const year = Number(today.slice(0, 4))
  const quarter = quarterOf(today) - 1
  if (quarter === 0) return { year: year - 1, quarter: 4, to: `${year - 1}-12-31` }
  return { year, quarter, to: `${year}-${['03-31', '06-30', '09-30'][quarter - 1]}` }
}

/** Returns the last quarter that has ended and is not locked, if the company had begun by then. */
function behindOf({ from, lockedUntil }: SummaryFacts, today: BusinessDate): string | null {
  const { year, quarter, to } = endedQuarter(today)
  if (from === null || from > to || (lockedUntil !== null && lockedUntil >= to)) return null
  return `${quarter}T ${year}`
}

/** Returns the returns with their states, the first to end first. */
function returnViews(facts: SummaryFacts, today: BusinessDate): ReturnView[] {
  return facts.returns.map((one) => ({
    model: one.model,
    year: one.year,
    period: one.code,
    dueFrom: one.dueFrom,
    dueTo: one.dueTo,
    state: returnState(one, today),
  }))
}

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

/** A company's figures on a day, and what filters ask of them. */
export interface Standing {
  figures: Figures
  /** Also those that are filed. */
  returns: readonly ReturnView[]
  cards: ReadonlySet<Card>
}

/** Returns what the figures of a company mean at a time. */
export function standingOf(facts: SummaryFacts, now: Date, today: BusinessDate): Standing {
  const returns = returnViews(facts, today)
  const { registry, certificateUntil, inbox, bank, approvals, receipts, owed } = facts
  const isWaiting = registry.oldestAt !== null && now.getTime() - registry.oldestAt > WAITING_MS
  const figures: Figures = {
    returns: returns
      .filter(
        ({ state, dueFrom }) =>
          state !== 'filed' && (state !== 'upcoming' || daysBetween(today, dueFrom) <= SOON_DAYS),
      )
      .slice(0, MOST_RETURNS),
    closing: {
      lockedUntil: facts.lockedUntil,
      closedYear: facts.closedYear,
      behind: behindOf(facts, today),
    },
    trouble: {
      records: registry.needAction,
      waiting: isWaiting ? registry.pending : 0,
      since: isWaiting ? iso(registry.oldestAt) : null,
      chain: registry.chain,
      stopped: registry.stopped,
    },
    certificate:
      certificateUntil === null
        ? null
        : { until: certificateUntil, daysLeft: daysBetween(today, certificateUntil) },
    inbox: { waiting: inbox.waiting, since: iso(inbox.oldestAt) },
    bank,
    approvals,
    receipts,
    owed: {
      amount: eurosFromCents(owed.cents),
      late: eurosFromCents(owed.lateCents),
      lateInvoices: owed.lateInvoices,
    },
    lastActivityAt: iso(facts.lastActivityAt),
  }
  return { figures, returns, cards: cardsOf(figures) }
}

/** True if something is wrong with the records of a company. */
export function isTroubled({ records, waiting, chain, stopped }: Figures['trouble']): boolean {
  return records > 0 || waiting > 0 || chain !== 'ok' || stopped
}

function cardsOf(figures: Figures): Set<Card> {
  const { returns, closing, trouble, certificate, inbox, bank, approvals, receipts } = figures
  const applies: Partial<Record<Card, boolean>> = {
    late: returns.some(({ state }) => state === 'late'),
    open: returns.some(({ state }) => state === 'open'),
    closing: closing.behind !== null,
    trouble: isTroubled(trouble),
    certificate: certificate === null || certificate.daysLeft <= CERTIFICATE_DAYS,
    inbox: inbox.waiting > 0,
    bank: (bank?.pending ?? 0) > 0,
    approvals: approvals > 0,
    receipts: receipts > 0,
  }
  return new Set((Object.keys(applies) as Card[]).filter((card) => applies[card]))
}
