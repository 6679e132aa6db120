/** The operations on the records read from an ERP. */
import { defineOperations, operation } from '../../../context.ts'
import { listErpContacts, compareContacts, compareWith } from './contacts.ts'
import {
  listErpContactsContract,
  listErpDocumentsContract,
  windowErpDocumentsContract,
  getErpDocumentContract,
  listErpItemsContract,
  windowErpItemsContract,
  compareContactsContract,
  compareWithContract,
  linkContactsContract,
  copyDocumentContract,
} from './contract.ts'
import { copyErpDocument } from './copy.ts'
import { listErpDocuments, windowErpDocuments, getErpDocument } from './documents.ts'
import { listErpItems, windowErpItems } from './items.ts'
import { linkContacts } from './link.ts'

export const erpRecordOperations = defineOperations([
  operation(listErpContactsContract, listErpContacts),
  operation(listErpDocumentsContract, listErpDocuments),
  operation(windowErpDocumentsContract, windowErpDocuments),
  operation(getErpDocumentContract, getErpDocument),
  operation(listErpItemsContract, listErpItems),
  operation(windowErpItemsContract, windowErpItems),
  operation(compareContactsContract, compareContacts),
  operation(compareWithContract, compareWith),
  operation(linkContactsContract, linkContacts),
  operation(copyDocumentContract, copyErpDocument),
])
