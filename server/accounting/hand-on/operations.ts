/** The operations of handing the journal on. */
import { defineOperations, operation } from '../../context.ts'
import { listHandOnAccounts } from './accounts/list.ts'
import { saveHandOnAccounts } from './accounts/save.ts'
import {
  createHandOnRunContract,
  discardHandOnRunContract,
  handOnAccountsContract,
  handOnFileContract,
  handOnPreviewContract,
  handOnRunsContract,
  handOnSettingsContract,
  saveHandOnAccountsContract,
  saveHandOnSettingsContract,
} from './contract.ts'
import { handOnFile } from './file.ts'
import { previewHandOn } from './preview.ts'
import { createRun, discardRun, listRuns } from './runs.ts'
import { getSettings, saveSettings } from './settings.ts'

export const handOnOperations = defineOperations([
  operation(handOnSettingsContract, getSettings),
  operation(saveHandOnSettingsContract, saveSettings),
  operation(handOnAccountsContract, listHandOnAccounts),
  operation(saveHandOnAccountsContract, saveHandOnAccounts),
  operation(handOnPreviewContract, previewHandOn),
  operation(handOnRunsContract, listRuns),
  operation(createHandOnRunContract, createRun),
  operation(handOnFileContract, handOnFile),
  operation(discardHandOnRunContract, discardRun),
])
