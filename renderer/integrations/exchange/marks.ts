/** Icons, colours and words of followed invoices and reports. Pure. */
import { translate, hasText } from '../../i18n.ts'
import { icons } from '../../icons.ts'
import type { Mark } from '../../components/status-marks.ts'
import type { OutputOf } from '../../../server/api/contracts.ts'

export type ExchangeDocument = OutputOf<'exchange.get'>
export type ExchangeSummary = OutputOf<'exchange.window'>['items'][number]
export type ExchangeReport = ExchangeDocument['reports'][number]
export type ExchangeState = ExchangeSummary['state']
type ExchangeKind = ExchangeReport['kind']
export type Said = NonNullable<ExchangeSummary['said']>

export const STATES = [
  'not_due',
  'to_send',
  'sent_unknown',
  'admitted',
  'refused',
  'open',
  'rejected',
  'paid',
  'paid_on_the_invoice',
  'withdrawn',
] as const satisfies readonly ExchangeState[]

const STATE_MARKS: Readonly<Record<ExchangeState, Mark>> = {
  not_due: { icon: icons.notIssued, tone: 'text-muted' },
  to_send: { icon: icons.queued, tone: 'text-muted' },
  sent_unknown: { icon: icons.unknown, tone: 'text-warning' },
  admitted: { icon: icons.accepted, tone: 'text-success' },
  refused: { icon: icons.rejected, tone: 'text-error' },
  withdrawn: { icon: icons.cancelled, tone: 'text-muted' },
  open: { icon: icons.inbox, tone: 'text-info' },
  rejected: { icon: icons.rejected, tone: 'text-warning' },
  paid: { icon: icons.payments, tone: 'text-success' },
  paid_on_the_invoice: { icon: icons.payments, tone: 'text-success' },
}
const REPORT_MARKS: Readonly<Record<ExchangeReport['state'], Mark>> = {
  to_send: { icon: icons.queued, tone: 'text-muted' },
  unknown: { icon: icons.unknown, tone: 'text-warning' },
  admitted: { icon: icons.accepted, tone: 'text-success' },
  refused: { icon: icons.rejected, tone: 'text-error' },
  dropped: { icon: icons.cancelled, tone: 'text-muted' },
}

/** An unknown state of a newer server is shown as one, never as nothing. */
export const stateMark = (state: ExchangeState): Mark =>
  STATE_MARKS[state] ?? { icon: icons.unknown, tone: 'text-muted' }
export const reportMark = (state: ExchangeReport['state']): Mark =>
  REPORT_MARKS[state] ?? { icon: icons.unknown, tone: 'text-muted' }

/** Returns the name of an invoice's other party. */
export const partnerOf = ({ partnerName, partnerNif }: Pick<ExchangeSummary, 'partnerName' | 'partnerNif'>) =>
  partnerName || partnerNif || translate('exchange.due.noName')

/** Returns the sentence of a reason; a code of the platform stands as it came. */
export const whyText = (code: string): string =>
  hasText(`exchange.why.${code}`) ? translate(`exchange.why.${code}`) : code

/** Returns why a step is not possible, from the details of its refusal; empty if that is not known. */
export function cannotText(refusal: { code: string; details: Record<string, unknown> } | null): string {
  if (refusal?.code !== 'exchange_not_possible') return ''
  const why = String(refusal.details.why)
  if (hasText(`exchange.cannot.${why}`)) return translate(`exchange.cannot.${why}`)
  return hasText(`exchange.why.${why}`) ? translate(`exchange.why.${why}`) : ''
}

/** Returns the text of a rejection's reason; an unknown one stands as it came. */
export const reasonText = (reason: string): string =>
  hasText(`exchange.reason.${reason}`) ? translate(`exchange.reason.${reason}`) : reason

/** Returns why nothing leaves at the moment, in words. */
export const faultMessage = ({ code }: { code: string }): string =>
  hasText(`exchange.fault.${code}`)
    ? translate(`exchange.fault.${code}`)
    : translate('exchange.fault.other', { code })

/** Returns the code of what is wrong with an invoice, for the list of what went wrong. */
export function problemOf(document: ExchangeSummary): string {
  if (document.why !== null) return document.why
  if (document.direction === 'issued' && document.partnerSaid === 'rejected') return 'partner_rejected'
  return 'report_refused'
}

const CANCELLED: Readonly<Partial<Record<ExchangeKind, true>>> = {
  rejection_cancelled: true,
  payment_cancelled: true,
  settlement_cancelled: true,
  default_cancelled: true,
}

/** Returns what stands said of an invoice once all that waits has left; null for nothing. */
export function standing(reports: readonly Pick<ExchangeReport, 'kind' | 'state'>[]): Said | null {
  const last = reports
    .filter(({ kind, state }) => kind !== 'withdrawn' && state !== 'refused' && state !== 'dropped')
    .at(-1)
  return !last || CANCELLED[last.kind] ? null : (last.kind as Said)
}

/** Returns the sentence of a fact; the kind of its report is in it. */
export function factText(
  { fact, reportId, code }: ExchangeDocument['facts'][number],
  reports: readonly ExchangeReport[],
): string {
  const kind = reports.find(({ id }) => id === reportId)?.kind ?? code ?? ''
  const words = hasText(`exchange.kind.${kind}`) ? translate(`exchange.kind.${kind}`) : kind
  return hasText(`exchange.fact.${fact}`) ? translate(`exchange.fact.${fact}`, { kind: words }) : fact
}

/** Returns what explains a fact, if anything does: its reason in words, or what the platform said. */
export function factDetail({ fact, code, note }: ExchangeDocument['facts'][number]): string {
  const isKind = code !== null && hasText(`exchange.kind.${code}`)
  const why = code === null || isKind ? '' : whyText(code)
  const isWayIn = fact === 'arrived' || fact === 'admitted'
  return [why, isWayIn ? '' : (note ?? '')].filter(Boolean).join(' · ')
}
