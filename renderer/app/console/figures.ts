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

/** Returns what a company needs beside its returns, the most serious first. */
export function needsOf({ figures }: ConsoleRow): { card: Card; tone: string }[] {
  if (!figures) return []
  const { trouble, certificate, inbox, bank, approvals, receipts } = figures
  const daysLeft = certificate?.daysLeft ?? -1
  return [
    ...(troubles(trouble) > 0 ? [{ card: 'trouble' as const, tone: 'text-error' }] : []),
    ...(daysLeft <= 30
      ? [{ card: 'certificate' as const, tone: daysLeft < 0 ? 'text-error' : 'text-warning' }]
      : []),
    ...(approvals > 0 ? [{ card: 'approvals' as const, tone: 'text-default' }] : []),
    ...(inbox.waiting > 0 ? [{ card: 'inbox' as const, tone: 'text-default' }] : []),
    ...((bank?.pending ?? 0) > 0 ? [{ card: 'bank' as const, tone: 'text-default' }] : []),
    ...(receipts > 0 ? [{ card: 'receipts' as const, tone: 'text-default' }] : []),
  ]
}

/** One or two letters that stand for a company. */
export function markOf(name: string): string {
  return name
    .split(/\s+/)
    .filter((word) => /^[\p{L}\d]/u.test(word))
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
}
