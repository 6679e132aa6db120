/** The events slice for the others. */
export { emitEvent, eventsAfter, newestEventId, storedEvent } from './emit.ts'
export type { StoredEvent } from './emit.ts'
export { EVENT_FAMILIES, EVENT_TYPES, EVENTS } from './contract.ts'
export type { EventData, EventSpec, EventType, EventView } from './contract.ts'
export { listEvents } from './list.ts'
export { endStreams, streamEvents, wakeStreams } from './stream.ts'
export { eventIdOf, eventView, readEventId, readTypes } from './view.ts'
