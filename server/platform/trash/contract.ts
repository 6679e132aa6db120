/** Deleted records that can be restored, as the window requests them. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { PathId } from '../../domain/contract/fields.ts'

export const restoreDeletedContract = defineContract({
  name: 'bin.restore',
  summary: 'Bring back what was deleted within the last day: the same record, with what it was linked to.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ id: PathId.meta({ description: 'Of what was deleted.' }) }),
  output: z.strictObject({ id: z.string(), type: z.string() }),
  errors: ['restore_gone', 'restore_taken'],
})
