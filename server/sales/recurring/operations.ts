/** The operations of templates and recurring invoices. */
import { defineOperations, operation } from '../../context.ts'
import {
  listTemplatesContract,
  createTemplateContract,
  getTemplateContract,
  updateTemplateContract,
  deleteTemplateContract,
  useTemplateContract,
  listRecurrencesContract,
  createRecurrenceContract,
  getRecurrenceContract,
  updateRecurrenceContract,
  deleteRecurrenceContract,
  pauseRecurrenceContract,
  resumeRecurrenceContract,
  skipRecurrenceContract,
  runRecurrenceContract,
  previewRecurrenceContract,
} from './contract.ts'
import { listRecurrences, getRecurrence } from './list.ts'
import {
  createRecurrence,
  updateRecurrence,
  deleteRecurrence,
  pauseRecurrence,
  resumeRecurrence,
  skipRecurrence,
  runRecurrence,
  previewRecurrence,
} from './manage.ts'
import {
  listTemplates,
  createTemplate,
  getTemplate,
  updateTemplate,
  deleteTemplate,
  useTemplate,
} from './templates.ts'

export const recurringOperations = defineOperations([
  operation(listTemplatesContract, listTemplates),
  operation(createTemplateContract, createTemplate),
  operation(getTemplateContract, getTemplate),
  operation(updateTemplateContract, updateTemplate),
  operation(deleteTemplateContract, deleteTemplate),
  operation(useTemplateContract, useTemplate),
  operation(listRecurrencesContract, listRecurrences),
  operation(createRecurrenceContract, createRecurrence),
  operation(getRecurrenceContract, getRecurrence),
  operation(updateRecurrenceContract, updateRecurrence),
  operation(deleteRecurrenceContract, deleteRecurrence),
  operation(pauseRecurrenceContract, pauseRecurrence),
  operation(resumeRecurrenceContract, resumeRecurrence),
  operation(skipRecurrenceContract, skipRecurrence),
  operation(runRecurrenceContract, runRecurrence),
  operation(previewRecurrenceContract, previewRecurrence),
])
