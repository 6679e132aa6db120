/** The operations of contacts. */
import { defineOperations, operation } from '../../context.ts'
import { createContact, updateContact, deleteContact } from './change.ts'
import { contactChecks } from './checks.ts'
import {
  listContactsContract,
  exportContactsContract,
  listDuplicatesContract,
  getContactContract,
  createContactContract,
  updateContactContract,
  deleteContactContract,
  contactChecksContract,
  mergeContactsContract,
  undoMergeContract,
  keepApartContract,
} from './contract.ts'
import { listDuplicates, keepApart } from './duplicates.ts'
import { exportContacts } from './export.ts'
import { listContacts, getContact } from './list.ts'
import { mergeContacts, undoMerge } from './merge.ts'

export const contactOperations = defineOperations([
  operation(listContactsContract, listContacts),
  operation(exportContactsContract, exportContacts),
  operation(listDuplicatesContract, listDuplicates),
  operation(getContactContract, getContact),
  operation(createContactContract, createContact),
  operation(updateContactContract, updateContact),
  operation(deleteContactContract, deleteContact),
  operation(contactChecksContract, contactChecks),
  operation(mergeContactsContract, mergeContacts),
  operation(undoMergeContract, undoMerge),
  operation(keepApartContract, keepApart),
])
