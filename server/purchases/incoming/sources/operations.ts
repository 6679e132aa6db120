/** The operations of the places that documents come from. */
import { defineOperations, operation } from '../../../context.ts'
import { checkSource } from './check.ts'
import {
  addSourceContract,
  changeSourceContract,
  checkSourceContract,
  closePhoneContract,
  listSourcesContract,
  openPhoneContract,
  phoneContract,
  removeSourceContract,
  signInSourceContract,
} from './contract.ts'
import { signInSource } from './mailbox/sign-in.ts'
import { addSource, changeSource, listSources, removeSource } from './manage.ts'
import { closePhone, openPhone, phone } from './phone/session.ts'

export const incomingSourceOperations = defineOperations([
  operation(listSourcesContract, listSources),
  operation(addSourceContract, addSource),
  operation(changeSourceContract, changeSource),
  operation(removeSourceContract, removeSource),
  operation(checkSourceContract, checkSource),
  operation(signInSourceContract, signInSource),
  operation(phoneContract, phone),
  operation(openPhoneContract, openPhone),
  operation(closePhoneContract, closePhone),
])
