/** Icons and texts of the journey of an invoice. Pure. */
import { formatDate, formatShortInstant } from '../../../format.ts'
import { hasText, translate as t } from '../../../i18n.ts'
import { icons } from '../../../icons.ts'
import type { IconName } from '../../../icons.ts'
import type { OutputOf } from '../../../../server/api/contracts.ts'

export type Journey = OutputOf<'invoices.journey'>
type Step = Journey['steps'][number]
type Fact = Step['facts'][number]
export type Reply = OutputOf<'replies.list'>['items'][number]

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

/** Returns the state of a step in words; '' for one that was done, whose name says so. */
export function stateText({ step, state }: Pick<Step, 'step' | 'state'>): string {
  if (state === 'done') return ''
  const key = `journey.of.${step}.${state}`
  return t(hasText(key) ? key : `journey.state.${state}`)
}

/** Returns what one fact says of its step, in words. */
export const factState = ({ step }: Pick<Step, 'step'>, { state }: Pick<Fact, 'state'>): string =>
  stateText({ step, state }) || t(`journey.step.${step}`).toLowerCase()

/** Returns channel and time of what decides a step; '' if nothing does. */
export function sourceText(step: Step): string {
  const when = whenOf(step)
  // Where the books are waited for, no fact has come by them.
  if (step.channel === null || (when === '' && step.state === 'waiting')) return ''
  const channel = t(`journey.channel.${step.channel}`)
  return when === '' ? channel : t('journey.source', { channel, when })
}

/** Returns a reply in one line. */
export function replyText(reply: Reply): string {
  const said = t(`journey.reply.kind.${reply.kind}`)
  const why = reply.reason === null ? '' : `: ${t(`journey.reply.reason.${reply.reason}`)}`
  const pays = reply.payOn === null ? '' : ` · ${t('journey.promised', { day: formatDate(reply.payOn) })}`
  return `${said}${why}${pays}`
}
