/** What of the registry asks a person for something, each with its words and the one next step. Pure. */
import type { OutputOf } from '../../server/api/contracts.ts'
import { icons } from '../icons.ts'
import type { IconName } from '../icons.ts'
import { themeNamed } from './meaning.ts'
import type { Theme } from './meaning.ts'

export type State = OutputOf<'registry.status'>
export type Registration = NonNullable<State['registrations']>[number]
export type Action = State['attention'][number]['action'] | 'resume'
type Item = State['attention'][number]

/** Matters of the book itself, which have words of their own below `registryPage.matter`. */
export const OWN_ACTION_ITEMS = [
  'restored_copy',
  'records_unsent',
  'no_stand_in',
  'certificate_missing',
  'certificate_expiring',
  'certificate_expired',
  'clock_wrong',
  'clock_differs',
  'clock_was_ahead',
] as const
type OwnActionItem = (typeof OWN_ACTION_ITEMS)[number]

export interface ActionItem {
  key: string
  /** A matter of the book, which has words of its own; null for what the authority said, which has those of its theme. */
  own: OwnActionItem | null
  theme: Theme
  params: Readonly<Record<string, string | number>>
  action: Action
  tone: 'error' | 'warning' | 'info'
  icon: IconName
  invoiceId?: string
  number?: string
  recordId?: string
  /** The authority's own code and text, to be read under the details and copied; null when it said nothing. */
  says: string | null
}

const ICONS: Record<Action, IconName> = {
  none: icons.info,
  wait: icons.queued,
  resend: icons.offline,
  correct: icons.rejected,
  annul: icons.cancelled,
  rectify: icons.acceptedWithErrors,
  call: icons.support,
  certificate: icons.certificate,
  clock: icons.clockWrong,
  installation: icons.restored,
  decide: icons.decide,
  resume: icons.stopped,
}

function ownActionItem(code: string): OwnActionItem | null {
  return OWN_ACTION_ITEMS.find((each) => each === code) ?? null
}

/** Red is for what is not registered, or keeps anything from being so; what can still be put off is amber. */
function toneOf(code: string, action: Action): ActionItem['tone'] {
  if (action === 'wait' || action === 'none') return 'info'
  const grave = [
    'registry_rejected',
    'registry_conflict',
    'restored_copy',
    'sending_suspended',
    'message_refused',
  ]
  return [...grave, 'certificate_expired', 'clock_wrong', 'clock_was_ahead'].includes(code)
    ? 'error'
    : 'warning'
}

function quoted(code: unknown, said: unknown): string | null {
  return [code, said].filter(Boolean).join(': ') || null
}

function actionItemOf(item: Item): ActionItem {
  const { code, action, params = {}, invoiceId, number, recordId } = item
  const own = ownActionItem(code)
  return {
    key: `${code} ${recordId ?? invoiceId ?? ''}`,
    own,
    theme: code === 'registry_conflict' ? code : themeNamed(params.theme),
    params,
    action,
    tone: toneOf(code, action),
    icon: code === 'sending_suspended' ? icons.stopped : ICONS[action],
    ...(invoiceId ? { invoiceId } : {}),
    ...(number ? { number } : {}),
    ...(recordId ? { recordId } : {}),
    says: quoted(params.authorityCode, params.said),
  }
}

/** What has a page of its own instead. */
const ELSEWHERE = ['chain_broken']

/** Everything that asks for a person, in the server's order: the gravest first. */
export function actionItemsOf(state: Pick<State, 'attention'>): ActionItem[] {
  return state.attention.filter((item) => !ELSEWHERE.includes(item.code)).map(actionItemOf)
}

/** What one record of an invoice asks for, or null when that is nothing, or to wait. */
export function actionItemOfRecord(
  registration: Registration,
  invoice: { id: string; number: string },
): ActionItem | null {
  const { action, authorityCode, message, recordId } = registration
  if (registration.closed || action === 'none' || action === 'wait') return null
  return {
    key: recordId,
    own: null,
    theme: registration.conflict ? 'registry_conflict' : themeNamed(registration.meaning),
    params: {},
    action,
    tone: toneOf(registration.conflict ? 'registry_conflict' : `registry_${registration.status}`, action),
    icon: ICONS[action],
    invoiceId: invoice.id,
    number: invoice.number,
    recordId,
    says: quoted(authorityCode, message),
  }
}

/** A step that a person asks for by themselves, without anything having gone wrong. */
export function plainActionItem(action: Action, invoice?: { id: string; number: string }): ActionItem {
  return {
    key: `${action} ${invoice?.id ?? ''}`,
    own: null,
    theme: 'other',
    params: {},
    action,
    tone: 'info',
    icon: ICONS[action],
    ...(invoice ? { invoiceId: invoice.id, number: invoice.number } : {}),
    says: null,
  }
}
