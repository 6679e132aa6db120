/** The event types that a webhook can subscribe to, and the form of an event in a message. */
import { validationFailed } from '../../domain/errors/app-error.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { EVENT_TYPES, PROGRESS_TYPES } from '../events/index.ts'
import type { StoredEvent } from '../events/index.ts'

/** Types sent to webhooks, without progress events, which are for live listeners. */
export const WEBHOOK_TYPES: readonly string[] = EVENT_TYPES.filter((type) => !PROGRESS_TYPES.includes(type))

/** Type of the test message of an endpoint; not an event of the books. */
export const TEST_TYPE = 'webhook.test'

const covers = (wanted: string, type: string): boolean =>
  wanted === '*' || wanted === type || (wanted.endsWith('.*') && type.startsWith(wanted.slice(0, -1)))

/** Returns true if an endpoint with the subscription `wanted` receives events of that type. */
export function isSubscribed(wanted: readonly string[], type: string): boolean {
  return WEBHOOK_TYPES.includes(type) && wanted.some((each) => covers(each, type))
}

/**
 * Returns the subscription without duplicates, as stored. Throws `validation_failed` for types that no webhook can
 * receive.
 */
export function checkedTypes(wanted: readonly string[]): string[] {
  const faults: Fault[] = []
  for (const [index, each] of wanted.entries())
    if (!WEBHOOK_TYPES.some((type) => covers(each, type)))
      faults.push({
        code: 'not_allowed',
        field: `events[${index}]`,
        severity: 'error',
        message: 'No event of that type is sent to webhooks.',
        fix: 'Use a type of the events page, a family such as invoice.*, or *.',
      })
  if (faults.length > 0) throw validationFailed(faults)
  return [...new Set(wanted)]
}

/** Returns the message, which is sent byte by byte identical in every attempt. */
export function bodyOf(event: Omit<StoredEvent, 'id' | 'bookId'> & { id: string }): string {
  const { id, type, createdAt, mode, data, actor } = event
  return JSON.stringify({ id, type, createdAt, mode, data, actor })
}
