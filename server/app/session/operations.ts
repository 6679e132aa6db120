/** The operations of the window's session and of the recovery code. */
import { defineOperations, operation } from '../../context.ts'
import {
  sessionContract,
  savePreferencesContract,
  revealRecoveryContract,
  confirmRecoveryContract,
  keyChangeContract,
  checkStoreContract,
} from './contract.ts'
import { savePreferences } from './save-preferences.ts'
import { revealRecovery, confirmRecovery, getKeyChange } from './recovery-code.ts'
import { getSession } from './session.ts'
import { checkStore } from './store-check.ts'

export const sessionOperations = defineOperations([
  operation(sessionContract, getSession),
  operation(savePreferencesContract, savePreferences),
  operation(revealRecoveryContract, revealRecovery),
  operation(confirmRecoveryContract, confirmRecovery),
  operation(keyChangeContract, getKeyChange),
  operation(checkStoreContract, checkStore),
])
