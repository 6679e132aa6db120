/** What the independent trials of the first release asked of the schema; one file for each topic. */
import { amendedParties } from './0013/amended-parties.ts'
import { draftLines } from './0013/draft-lines.ts'
import { erpWaits } from './0013/erp-waits.ts'
import { takenBackIncome } from './0013/figures.ts'
import { foundByCustomer } from './0013/found-by-customer.ts'
import { installationReasons } from './0013/installation-reasons.ts'
import { keyMakers } from './0013/key-makers.ts'
import { keySeals } from './0013/key-seals.ts'
import { programFields } from './0013/program-fields.ts'
import { references } from './0013/references.ts'
import { reminderTables } from './0013/reminders.ts'
import { writtenTaxNumbers } from './0013/written-tax-numbers.ts'

const parts: readonly string[] = [
  draftLines,
  reminderTables,
  keyMakers,
  keySeals,
  foundByCustomer,
  erpWaits,
  references,
  takenBackIncome,
  amendedParties,
  writtenTaxNumbers,
  programFields,
  installationReasons,
]

export const trials = parts.join('\n')
