/** Public interface of templates and recurring invoices. */
export { getRecurrence, listRecurrences, recurringAttention, recurringExpected } from './list.ts'
export {
  createRecurrence,
  deleteRecurrence,
  pauseRecurrence,
  previewRecurrence,
  resumeRecurrence,
  runRecurrence,
  skipRecurrence,
  updateRecurrence,
} from './manage.ts'
export { prepareRecurring } from './prepare.ts'
export {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  updateTemplate,
  useTemplate,
} from './templates.ts'
