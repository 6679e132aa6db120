/** The contacts slice for the others. */
export { createContact, deleteContact, updateContact } from './change.ts'
export { getContact, listContacts } from './list.ts'
export { contactFacts, findContact, findContactByNif, markContactUsed } from './rows.ts'
export type { ContactFacts, ContactRecord } from './rows.ts'
