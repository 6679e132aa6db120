/** The operations of incoming documents, and of reading a file at once. */
import { defineOperations, operation } from '../../context.ts'
import { readReceivedContract } from '../intake/contract.ts'
import { addIncoming, readReceived } from './add.ts'
import { attachIncoming } from './attach.ts'
import { createReceivedContract } from '../invoices/contract.ts'
import {
  addIncomingContract,
  attachIncomingContract,
  enterIncomingContract,
  enterManyIncomingContract,
  getIncomingContract,
  incomingRuleContract,
  incomingSettingsContract,
  joinIncomingContract,
  listIncomingContract,
  readAgainIncomingContract,
  rejectIncomingContract,
  restoreIncomingContract,
  setIncomingRuleContract,
  setIncomingSettingsContract,
  splitIncomingContract,
} from './contract.ts'
import {
  enterIncoming,
  enterManyIncoming,
  incomingRule,
  readAgainIncoming,
  rejectIncoming,
  restoreIncoming,
  setIncomingRule,
} from './decide.ts'
import { incomingArrivalsContract, receivedArrivalsContract } from './arrivals/contract.ts'
import { incomingArrivals, receivedArrivals } from './arrivals/list.ts'
import { createOfDocument } from './create.ts'
import { getIncoming, listIncoming } from './list.ts'
import { incomingSettings, setIncomingSettings } from './settings.ts'
import { joinIncoming, splitIncoming } from './split.ts'

export const incomingOperations = defineOperations([
  operation(createReceivedContract, createOfDocument),
  operation(readReceivedContract, readReceived),
  operation(listIncomingContract, listIncoming),
  operation(addIncomingContract, addIncoming),
  operation(incomingRuleContract, incomingRule),
  operation(setIncomingRuleContract, setIncomingRule),
  operation(incomingSettingsContract, incomingSettings),
  operation(setIncomingSettingsContract, setIncomingSettings),
  operation(enterManyIncomingContract, enterManyIncoming),
  operation(getIncomingContract, getIncoming),
  operation(enterIncomingContract, enterIncoming),
  operation(attachIncomingContract, attachIncoming),
  operation(rejectIncomingContract, rejectIncoming),
  operation(restoreIncomingContract, restoreIncoming),
  operation(readAgainIncomingContract, readAgainIncoming),
  operation(splitIncomingContract, splitIncoming),
  operation(joinIncomingContract, joinIncoming),
  operation(receivedArrivalsContract, receivedArrivals),
  operation(incomingArrivalsContract, incomingArrivals),
])
