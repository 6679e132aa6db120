/** Words and tones of the figures of a company. Pure but for the texts. */
import type { IconName } from '../../icons.ts'
import { icons } from '../../icons.ts'
import type { Card, ConsoleRow, ReturnState } from './filter.ts'

type Figures = NonNullable<ConsoleRow['figures']>
type ReturnView = Figures['returns'][number]

export const CARD_ICONS: Readonly<Record<Card, IconName>> = {
  late: icons.clockWrong,
  open: icons.returns,
  closing: icons.lock,
  trouble: icons.registry,
  certificate: icons.certificate,
  inbox: icons.review,
  bank: icons.bank,
  approvals: icons.approval,
  receipts: icons.received,
  outdated: icons.clock,
}

/** CSS classes of the state of a return; the word is always beside it. */
export const STATE_TONES: Readonly<Record<ReturnState, string>> = {
  late: 'text-error font-medium',
  open: 'text-warning',
  upcoming: 'text-muted',
  unknown: 'text-muted',
  filed: 'text-muted',
}

/** Returns the return to show with a company: the first that is late or open, else the next one. */
export function nextReturn({ returns }: Figures): ReturnView | null {
  return returns.find(({ state }) => state === 'late' || state === 'open') ?? returns[0] ?? null
}

/** Returns how many things are wrong with the records of a company. */
export function troubles({ records, waiting, chain, stopped }: Figures['trouble']): number {
  return records + waiting + (chain === 'ok' ? 0 : 1) + (stopped ? 1 : 0)
}

interface Need {
  card: Card
  tone: string
  /** How many wait; null where that is no number. */
  count: number | null
}

/** Returns what a company needs beside its returns, the most serious first. */
export function needsOf({ figures, archived }: ConsoleRow): Need[] {
  if (!figures || archived) return []
  const { trouble, certificate, inbox, bank, approvals, receipts } = figures
  const daysLeft = certificate?.daysLeft ?? -1
  return [
    ...(troubles(trouble) > 0
      ? [{ card: 'trouble' as const, tone: 'text-error', count: troubles(trouble) }]
      : []),
    ...(daysLeft <= 30
      ? [{ card: 'certificate' as const, tone: daysLeft < 0 ? 'text-error' : 'text-warning', count: null }]
      : []),
    ...(approvals > 0 ? [{ card: 'approvals' as const, tone: 'text-default', count: approvals }] : []),
    ...(inbox.waiting > 0 ? [{ card: 'inbox' as const, tone: 'text-default', count: inbox.waiting }] : []),
    ...((bank?.pending ?? 0) > 0
      ? [{ card: 'bank' as const, tone: 'text-default', count: bank?.pending ?? 0 }]
      : []),
    ...(receipts > 0 ? [{ card: 'receipts' as const, tone: 'text-default', count: receipts }] : []),
  ]
}
