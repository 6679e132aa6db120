/** Action items of the registry, each with its texts and its next step. Pure. */
import type { OutputOf } from '../../server/api/contracts.ts'
import { icons } from '../icons.ts'
import type { IconName } from '../icons.ts'
import { themeNamed } from './meaning.ts'
import type { Theme } from './meaning.ts'

export type State = OutputOf<'registry.status'>
export type Registration = NonNullable<State['registrations']>[number]
export type Action = State['attention'][number]['action'] | 'resume'
type Item = State['attention'][number]

/** Action items of the book itself, with their own texts below `registryPage.matter`. */
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
  /** Action item of the book, with its own texts; null for an answer of the authority, which uses those of its theme. */
  own: OwnActionItem | null
  theme: Theme
  params: Readonly<Record<string, string | number>>
  action: Action
  tone: 'error' | 'warning' | 'info'
  icon: IconName
  invoiceId?: string
  number?: string
  recordId?: string
  /** The authority's code and text, shown under the details and copyable; null if it gave none. */
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

/** Returns the colour: red for what is not registered or blocks a registration, amber for what can wait. */
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

/** Codes that have their own page instead. */
const ELSEWHERE = ['chain_broken']

/** Returns all action items in the server's order, the most severe first. */
export function actionItemsOf(state: Pick<State, 'attention'>): ActionItem[] {
  return state.attention.filter((item) => !ELSEWHERE.includes(item.code)).map(actionItemOf)
}

/** Returns the action item of one record of an invoice, or null if there is none or it only waits. */
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

/** Returns an action item for a step that the user starts without a failure. */
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
