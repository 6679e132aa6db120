/** Contract of the drafts of returns: for the programs of authorities whose files Sello does not write. */
import { z } from 'zod'
import { defineContract } from '../../../domain/contract/define-contract.ts'
import { BytesAnswer } from '../../../domain/contract/fields.ts'

export const returnDraftContract = defineContract({
  name: 'fiscal.returnDraft',
  summary:
    'A draft of a return in the XML of the module of its tax office, to compare and to copy from. It is not a file that can be filed.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/fiscal/models/:model/draft' },
  media: 'application/xml',
  input: z.strictObject({
    model: z.enum(['420']),
    year: z.int().min(2000).max(2100),
    quarter: z.int().min(1).max(4),
    outcome: z.enum(['offset', 'refund']).default('offset').meta({
      description: 'What is asked for with a result in favour; a refund only in the fourth quarter.',
    }),
    nature: z.enum(['first', 'complementary']).default('first').meta({
      description: 'complementary: takes off what the return of this period paid that is marked as filed.',
    }),
    previousReceipt: z
      .string()
      .regex(/^\d{1,20}$/)
      .optional()
      .meta({ description: 'Number of the receipt of the return that a complementary one completes.' }),
  }),
  output: BytesAnswer,
  errors: ['validation_failed'],
})
