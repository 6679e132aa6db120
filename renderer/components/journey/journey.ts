/** Icons and texts of the journey of an invoice, issued or received. Pure. */
import { formatDate, formatShortInstant } from '../../format.ts'
import { hasText, translate as t } from '../../i18n.ts'
import { icons } from '../../icons.ts'
import type { IconName } from '../../icons.ts'
import type { OutputOf } from '../../../server/api/contracts.ts'

export type Journey = OutputOf<'invoices.journey'>
type Step = Journey['steps'][number]
type Fact = Step['facts'][number]

const MARKS: Readonly<Record<Step['state'], { icon: IconName; tone: string }>> = {
  done: { icon: icons.ok, tone: 'text-success' },
  waiting: { icon: icons.queued, tone: 'text-muted' },
  failed: { icon: icons.warning, tone: 'text-error' },
  unknown: { icon: icons.unknown, tone: 'text-muted' },
  not_applicable: { icon: icons.none, tone: 'text-dimmed' },
}

export const markOf = ({ state }: Step): { icon: IconName; tone: string } => MARKS[state]

/** Returns when something happened; '' if nothing says it. */
export function whenOf({ at, day }: Pick<Fact, 'at' | 'day'>): string {
  if (at !== null) return formatShortInstant(at)
  return day === null ? '' : formatDate(day)
}

/** Returns what to know of a fact; '' for nothing. */
export function noteOf({ note }: Pick<Fact, 'note'>): string {
  if (note === null) return ''
  const [, promised] = /^promised_(\d{4}-\d\d-\d\d)$/.exec(note) ?? []
  if (promised !== undefined) return t('journey.promised', { day: formatDate(promised) })
  const key = `journey.note.${note}`
  return hasText(key) ? t(key) : ''
}

/** Returns the words that a fact has of its own, such as «withdrawn»; null if its state says it. */
function ownLabel({ note }: Pick<Fact, 'note'>): string | null {
  const key = `journey.said.${note}`
  return note !== null && hasText(key) ? t(key) : null
}

/** Returns the state of a fact in words; `name` is that of its step, which says what was done. */
export const factText = (fact: Fact, name: string): string =>
  ownLabel(fact) ?? (fact.state === 'done' ? name.toLowerCase() : t(`journey.state.${fact.state}`))

/** Returns the state of a step in words; '' for one that was done, whose name says so. */
export function stateText(step: Step): string {
  if (step.state === 'done') return ''
  const key = `journey.of.${step.step}.${step.state}`
  // Of what was not done, the reason says more.
  const own = ownLabel(step)
  if (own !== null && step.state === 'unknown') return t('journey.unknown', { what: own })
  return own ?? t(hasText(key) ? key : `journey.state.${step.state}`)
}

/** Returns what proves a fact, such as its number; a code of the platform in words. '' for nothing. */
export function evidenceText({ channel, evidence }: Pick<Fact, 'channel' | 'evidence'>): string {
  const label = evidence?.label ?? ''
  if (channel !== 'exchange') return label
  const key = [`exchange.reason.${label}`, `exchange.why.${label}`].find((each) => hasText(each))
  return key === undefined ? label : t(key)
}

/** Returns the name of a channel; payments of a received invoice go the other way. */
export const channelText = (channel: Fact['channel'], isReceived: boolean): string =>
  t(isReceived && channel === 'payment' ? 'journey.payments' : `journey.channel.${channel}`)

/** Returns channel and time of what decides a step; '' if nothing does. */
export function sourceText(step: Step, isReceived: boolean): string {
  const when = whenOf(step)
  // Where the books are waited for, no fact has come by them.
  if (step.channel === null || (when === '' && step.state === 'waiting')) return ''
  const channel = channelText(step.channel, isReceived)
  return when === '' ? channel : t('journey.source', { channel, when })
}
