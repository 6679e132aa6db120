/** Contracts of presence: who edits what. Only the window of an office has them. */
import { z } from 'zod'
import { defineContract } from '../../../domain/contract/define-contract.ts'
import { Instant, line } from '../../../domain/contract/fields.ts'

/** Records with an editor. */
const EDITED_TYPES = ['invoice', 'quote', 'received', 'contact'] as const
export type EditedType = (typeof EDITED_TYPES)[number]

const Edited = z.strictObject({ type: z.enum(EDITED_TYPES), id: line(60) })

const Editor = z
  .strictObject({
    type: z.enum(EDITED_TYPES),
    id: z.string(),
    personId: z.string(),
    name: z.string(),
    mine: z.boolean().meta({ description: 'The caller, in this session or another one.' }),
    since: Instant,
    askedBy: z
      .string()
      .nullable()
      .meta({ description: 'Name of who takes the record over from this session of the caller.' }),
  })
  .meta({ id: 'RecordEditor' })
export type Editor = z.infer<typeof Editor>

const Editors = z.strictObject({ editors: z.array(Editor) })
const write = { access: 'person', effect: 'write', output: Editors, errors: ['not_found'] } as const

export const listPresenceContract = defineContract({
  name: 'presence.list',
  summary: 'Who edits which record of the book, as far as the caller may read it.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: Editors,
  errors: [],
})

export const editPresenceContract = defineContract({
  ...write,
  name: 'presence.edit',
  summary: 'Say that the caller edits a record: again every 15 seconds, and forgotten after 45.',
  input: z.strictObject({ record: Edited }),
})

export const leavePresenceContract = defineContract({
  ...write,
  name: 'presence.leave',
  summary: 'Say that the caller edits a record no more.',
  input: z.strictObject({ record: Edited }),
})

export const takeOverContract = defineContract({
  ...write,
  name: 'presence.takeOver',
  summary: 'Ask the others who edit a record to save what they have and to stop.',
  input: z.strictObject({ record: Edited }),
})
