/** Which events a webhook can ask for, and how an event looks in a message. */
import { validationFailed } from '../../domain/errors/catalog.ts'
import type { Fault } from '../../domain/errors/catalog.ts'
import { EVENT_TYPES, PROGRESS_TYPES } from '../events/index.ts'
import type { StoredEvent } from '../events/index.ts'

/** Types that are sent to webhooks; steps of work under way are for whoever watches. */
export const WEBHOOK_TYPES: readonly string[] = EVENT_TYPES.filter((type) => !PROGRESS_TYPES.includes(type))

/** Of the message that tries an endpoint; no event of the books. */
export const TEST_TYPE = 'webhook.test'

const covers = (wanted: string, type: string): boolean =>
  wanted === '*' || wanted === type || (wanted.endsWith('.*') && type.startsWith(wanted.slice(0, -1)))

/** Whether an endpoint that asked for `wanted` gets events of that type. */
export function isWanted(wanted: readonly string[], type: string): boolean {
  return WEBHOOK_TYPES.includes(type) && wanted.some((each) => covers(each, type))
}

/** What was asked for, each once, as it is kept. Throws `validation_failed` for types that no webhook can get. */
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

/** The message as it is sent, byte by byte, in every attempt. */
export function bodyOf(event: Omit<StoredEvent, 'id' | 'bookId'> & { id: string }): string {
  const { id, type, createdAt, mode, data } = event
  return JSON.stringify({ id, type, createdAt, mode, data })
}
