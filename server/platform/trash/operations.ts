/** The operation that restores what was deleted. */
import { defineOperations, operation } from '../../context.ts'
import { restoreDeletedContract } from './contract.ts'
import { restoreDeleted } from './restore.ts'

export const trashOperations = defineOperations([operation(restoreDeletedContract, restoreDeleted)])
