/** Exports of the contacts slice for other slices. */
export {
  checkContact,
  createContact,
  deleteContact,
  exactTerms,
  examineChange,
  foldedColumns,
  insertContact,
  isContactUnused,
  removeContact,
  restoreContact,
  rewriteContact,
  updateContact,
} from './change.ts'
export { contactsOfBook, copyContact } from './copy.ts'
export { getContact, listContacts } from './list.ts'
export {
  contactFacts,
  dir3Of,
  storedDir3,
  enclosuresOf,
  findContact,
  findContactByNif,
  findContactByRow,
  findSameContacts,
  markContactUsed,
  postalCodesByNif,
} from './rows.ts'
export type { ContactFacts, ContactRecord } from './rows.ts'
