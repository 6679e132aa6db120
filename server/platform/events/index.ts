/** Public interface of the events slice. */
export {
  bookEventsAfter,
  companyEventsAfter,
  emitEvent,
  eventsAfter,
  newestBookEventId,
  newestCompanyEventId,
  newestEventId,
} from './emit.ts'
export type { StoredEvent } from './emit.ts'
export { EVENT_TYPES, PROGRESS_TYPES } from './types.ts'
export type { EventType } from './types.ts'
export type { EventView } from './contract.ts'
export { endStreams, wakeStreams } from './stream.ts'
export { eventIdOf } from './view.ts'
export { EVENTS_OF_OFFICE, verifyEvents } from './verify.ts'
