/** The events slice for the others. */
export { emitEvent, eventsAfter, newestEventId } from './emit.ts'
export type { EventType, StoredEvent } from './emit.ts'
