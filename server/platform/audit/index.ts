/** Public interface of the audit slice. */
export { actorRow } from './actors.ts'
export { recordAudit } from './record.ts'
export type { HistoryRow } from './record.ts'
export {
  eventHash,
  historyHead,
  historyOf,
  listAudit,
  MOST_EVENTS,
  provenEvents,
  provenHead,
  verifyAudit,
} from './list.ts'
