/** Event types of webhooks, and the texts of their states and errors. Pure. */
import { formatList } from '../../format.ts'
import { hasText, translate } from '../../i18n.ts'
import { icons } from '../../icons.ts'
import type { IconName } from '../../icons.ts'
import type { OutputOf } from '../../../server/api/contracts.ts'

export type Webhook = OutputOf<'webhooks.list'>['items'][number]
export type Delivery = OutputOf<'webhooks.deliveries'>['items'][number]
export type DeliveryState = Delivery['state']

/**
 * Every type that is sent, by family, those that most receivers use first. A test compares the list with the
 * server's.
 */
const EVENT_TYPES: Readonly<Record<string, readonly string[]>> = {
  invoice: ['drafted', 'changed', 'deleted', 'issued', 'cancelled', 'amended'],
  registry: ['accepted', 'accepted_with_errors', 'rejected', 'conflict', 'stopped', 'changed'],
  document: ['ready'],
  payment: ['changed'],
  quote: ['changed'],
  recurrence: ['changed'],
  received: ['changed'],
  incoming: ['changed', 'source_changed'],
  exchange: [
    'changed',
    'admitted',
    'refused',
    'arrived',
    'partner_said',
    'reported',
    'report_refused',
    'due_soon',
  ],
  portal: ['changed', 'state_changed'],
  contact: ['changed'],
  item: ['changed'],
  mail: ['changed'],
  reply: ['taken'],
  bank: ['changed'],
  ledger: ['changed'],
  asset: ['changed'],
  filing: ['changed', 'due_soon'],
  return: ['filed'],
  import: ['changed'],
  moving: ['changed'],
  approval: ['requested', 'decided'],
  proposal: ['created', 'decided'],
  certificate: ['changed', 'expiring', 'expired'],
  company: ['changed'],
  people: ['changed', 'step_asked', 'step_decided'],
  note: ['changed'],
  task: ['changed'],
  backup: ['failed', 'recovered'],
  key: ['changed'],
  erp: ['connected', 'disconnected', 'needs_reconnection', 'changed', 'sync_started', 'sync_finished'],
  webhook: ['changed', 'disabled'],
}
export const FAMILIES = Object.keys(EVENT_TYPES)
export const typesOf = (family: string): string[] =>
  (EVENT_TYPES[family] ?? []).map((name) => `${family}.${name}`)

/** Returns the shortest form of a choice: a whole family as `invoice.*`, all of them as `*`. */
export function compactEventTypes(wanted: ReadonlySet<string>): string[] {
  const asked = FAMILIES.flatMap((family) => {
    const types = typesOf(family)
    return types.every((type) => wanted.has(type))
      ? [`${family}.*`]
      : types.filter((type) => wanted.has(type))
  })
  return asked.length === FAMILIES.length && asked.every((each) => each.endsWith('.*')) ? ['*'] : asked
}

/** Returns every type that a choice includes. */
export function wantedTypes(events: readonly string[]): Set<string> {
  return new Set(
    FAMILIES.flatMap(typesOf).filter((type) =>
      events.some(
        (each) =>
          each === '*' || each === type || (each.endsWith('.*') && type.startsWith(each.slice(0, -1))),
      ),
    ),
  )
}

/** Returns a short label of a choice: families by their names, single types by their own. */
export function eventsLabel(events: readonly string[]): string {
  if (events.includes('*')) return translate('webhooks.all')
  return formatList(
    events.map((each) => {
      const [family = ''] = each.split('.')
      return each.endsWith('.*') || typesOf(family).length === 1
        ? translate(`webhooks.family.${family}`)
        : each
    }),
  )
}

/** Splits the name of a type where a line may break. */
export const partsOf = (type: string): string[] => type.split(/(?<=[._])/)

interface Health {
  word: 'active' | 'failing' | 'waiting' | 'asked' | 'gone' | 'silenced'
  icon: IconName
  tone: string
}

/** Returns the health of a webhook, the most severe condition first. */
export function healthOf(
  webhook: Pick<Webhook, 'state' | 'disabledReason' | 'failingSince' | 'holdUntil'>,
): Health {
  if (webhook.state === 'disabled') {
    if (webhook.disabledReason === 'gone') return { word: 'gone', icon: icons.gone, tone: 'text-error' }
    if (webhook.disabledReason === 'failing')
      return { word: 'silenced', icon: icons.rejected, tone: 'text-error' }
    return { word: 'asked', icon: icons.stopped, tone: 'text-muted' }
  }
  if (webhook.failingSince) return { word: 'failing', icon: icons.warning, tone: 'text-warning' }
  if (webhook.holdUntil) return { word: 'waiting', icon: icons.queued, tone: 'text-muted' }
  return { word: 'active', icon: icons.ok, tone: 'text-success' }
}

export const DELIVERY_MARKS: Readonly<Record<DeliveryState, { icon: IconName; tone: string }>> = {
  due: { icon: icons.queued, tone: 'text-muted' },
  done: { icon: icons.ok, tone: 'text-success' },
  dead: { icon: icons.rejected, tone: 'text-error' },
}

/** Returns the reason of a failed attempt as a sentence; a network error is shown by its own name. */
export function reasonLabel(reason: string): string {
  const status = /^status_(\d+)$/.exec(reason)?.[1]
  if (status) return translate('webhooks.reason.status', { status })
  const address = /^address_(\w+)$/.exec(reason)?.[1]
  if (address) return addressLabel(address)
  if (/^(?:CERT_|ERR_TLS_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_)/.test(reason))
    return translate('webhooks.reason.certificate', { code: reason })
  return hasText(`webhooks.reason.${reason}`)
    ? translate(`webhooks.reason.${reason}`)
    : translate('webhooks.reason.network', { code: reason })
}

/** Returns the reason why an address is refused, as a sentence. */
export function addressLabel(reason: string): string {
  return hasText(`webhooks.address.${reason}`)
    ? translate(`webhooks.address.${reason}`)
    : translate('webhooks.address.other')
}

/** Formats the body of a message for reading; returns it unchanged if it cannot be parsed. */
export function laidOut(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
