/** The events slice for the others. */
export { emitEvent, eventsAfter, newestEventId, storedEvent } from './emit.ts'
export type { StoredEvent } from './emit.ts'
export { EVENT_FAMILIES, EVENT_TYPES, PROGRESS_TYPES } from './types.ts'
export type { EventType } from './types.ts'
export type { EventData, EventSpec, EventView } from './contract.ts'
export { listEvents } from './list.ts'
export { endStreams, streamEvents, wakeStreams } from './stream.ts'
export { eventIdOf, eventView, readEventId, readTypes } from './view.ts'
