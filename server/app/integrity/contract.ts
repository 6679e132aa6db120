/** Contracts of the self-check for the window: start, progress, and last result. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { Instant } from '../../domain/contract/fields.ts'

const ProvenCheck = z.strictObject({
  invariant: z.string().meta({ description: 'The promise it is about, such as I3.' }),
  name: z.string(),
  book: z.string().optional().meta({ description: 'Absent for what belongs to the whole store.' }),
  ok: z.boolean(),
  detail: z.string().meta({ description: 'What holds, or where it breaks.' }),
})

export const Verification = z
  .strictObject({
    underWay: z
      .strictObject({ done: z.int(), total: z.int() })
      .nullable()
      .meta({ description: 'Checks done of those there are; null when none is running.' }),
    failed: z.boolean().meta({ description: 'The last one begun could not be brought to its end.' }),
    last: z
      .strictObject({
        at: Instant,
        version: z.string().meta({ description: 'Of the Sello that looked.' }),
        ok: z.boolean(),
        checks: z.array(ProvenCheck),
      })
      .nullable()
      .meta({ description: 'The last that came to its end; null before the first.' }),
    unseen: z
      .array(z.strictObject({ invariant: z.string(), why: z.string(), test: z.string() }))
      .meta({ description: 'What no look at the books can tell, and the test that does.' }),
  })
  .meta({ id: 'Verification' })
export type Verification = z.infer<typeof Verification>

export const verifyBooksContract = defineContract({
  name: 'books.verify',
  summary: 'Begin the proof of all books, in the background. While one runs, no other is begun.',
  access: 'person',
  effect: 'write',
  bookless: true,
  input: z.strictObject({}),
  output: Verification,
  errors: [],
})

export const verificationContract = defineContract({
  name: 'books.verification',
  summary: 'How far the proof of the books is, and what the last one found.',
  access: 'person',
  effect: 'read',
  bookless: true,
  input: z.strictObject({}),
  output: Verification,
  errors: [],
})
