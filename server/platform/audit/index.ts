/** Public interface of the audit slice. */
export { recordAudit } from './record.ts'
export {
  eventHash,
  historyHead,
  historyOf,
  listAudit,
  provenEvents,
  provenHead,
  verifyAudit,
} from './list.ts'
