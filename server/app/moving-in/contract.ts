/** Contracts of moving in from an earlier program. A person moves; programs and assistants do not. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { businessDate, decimal, Instant, line, PathId } from '../../domain/contract/fields.ts'
import { Attachment } from '../../platform/attachments/contract.ts'
import { ModelNumber, Outcome } from '../../accounting/returns/contract.ts'
import { MovingFault, MovingFile, TableChoice } from './file-shapes.ts'

/** Body limit for a file of 20 MiB in base64. */
const FILE_BODY_MIB = 28
const MAX_BASE64 = 27 * 1024 * 1024

const MoveState = z.enum(['draft', 'applying', 'applied', 'done', 'undoing', 'undone']).meta({
  description:
    'draft: nothing is taken in; applying and undoing go on with another call; applied: taken in, the proof is left.',
})

export const MovingSettings = z
  .strictObject({
    makesContacts: z.boolean().meta({ description: 'Make a contact of each party with a tax number.' }),
    leavesOpen: z.boolean().meta({
      description:
        'Documents of which no file says whether they were paid are owed; otherwise they count as paid.',
    }),
  })
  .meta({ id: 'MovingSettings' })
export type MovingSettings = z.infer<typeof MovingSettings>

export const Move = z
  .strictObject({
    id: z.string(),
    state: MoveState,
    firstDay: businessDate('First day lived in these books.'),
    settings: MovingSettings,
    files: z.array(MovingFile),
    documents: z.int(),
    created: z.int(),
    skipped: z.int(),
    removed: z.int(),
    createdAt: Instant,
    finishedAt: Instant.nullable(),
  })
  .meta({ id: 'Move' })
export type Move = z.infer<typeof Move>

const Answer = z.strictObject({ move: Move })

export const startMoveContract = defineContract({
  name: 'moving.start',
  summary: 'Begin to move in from an earlier program.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ firstDay: businessDate('First day lived in these books.') }),
  output: Answer,
  errors: ['validation_failed'],
})

export const getMoveContract = defineContract({
  name: 'moving.get',
  summary: 'A move with its files.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({ id: PathId }),
  output: Answer,
  errors: ['not_found'],
})

export const listMovesContract = defineContract({
  name: 'moving.list',
  summary: 'The moves into this book, newest first.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({ items: z.array(Move) }),
  errors: [],
})

export const applyMoveContract = defineContract({
  name: 'moving.apply',
  summary: 'Take in the next stretch of documents; call again until the state is applied.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ id: PathId }),
  output: Answer,
  errors: ['not_found', 'moving_state', 'moving_file_reading'],
})

export const undoMoveContract = defineContract({
  name: 'moving.undo',
  summary: 'Take back the next stretch of a move; call again until the state is undone.',
  description: 'Nothing is taken back while anything that was made since refers to a document of the move.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ id: PathId }),
  output: Answer,
  errors: ['not_found', 'moving_state', 'moving_in_use', 'period_locked'],
})

export const discardMoveContract = defineContract({
  name: 'moving.discard',
  summary: 'Delete a move of which nothing is in the books.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ deleted: z.literal(true) }),
  errors: ['not_found', 'moving_state'],
})

export const MovingRow = z.strictObject({
  file: z.string(),
  label: z.string(),
  outcome: z.enum(['created', 'skipped', 'failed']).nullable(),
  faults: z.array(MovingFault),
})

export const moveRowsContract = defineContract({
  name: 'moving.rows',
  summary: 'Documents of a move with something to say, wrong ones first.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({
    id: PathId,
    fileId: PathId.optional(),
    limit: z.int().min(1).max(500).optional(),
  }),
  output: z.strictObject({ rows: z.array(MovingRow) }),
  errors: ['not_found'],
})

export const addFileContract = defineContract({
  name: 'moving.addFile',
  summary: 'Read a file of the earlier program into a move; nothing is taken in yet.',
  description:
    'The file is not stored: send it again with answers to its questions, other columns, or after an interrupted reading. The same file, or another of the same name, replaces the earlier reading. Once the move is taken in, only returns for its proof are added.',
  access: 'person',
  effect: 'write',
  bodyMiB: FILE_BODY_MIB,
  input: z.strictObject({
    id: PathId,
    name: line(200),
    content: z.base64().min(1).max(MAX_BASE64).meta({ description: 'The file in base64; at most 20 MiB.' }),
    answers: z
      .record(z.string().max(300), z.string().max(60))
      .optional()
      .meta({ description: 'Answers by the id of their question; earlier ones stay.' }),
    tables: z.array(TableChoice).max(100).optional(),
  }),
  output: Answer,
  errors: ['validation_failed', 'not_found', 'moving_state'],
})

export const removeFileContract = defineContract({
  name: 'moving.removeFile',
  summary: 'Take a file out of a move of which nothing is in the books.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ id: PathId, fileId: PathId }),
  output: Answer,
  errors: ['not_found', 'moving_state'],
})

export const changeMoveContract = defineContract({
  name: 'moving.change',
  summary: 'Change the first day or the settings of a move of which nothing is in the books.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    id: PathId,
    firstDay: businessDate('First day lived in these books.').optional(),
    settings: MovingSettings.partial().optional(),
  }),
  output: Answer,
  errors: ['validation_failed', 'not_found', 'moving_state'],
})

const RETURN = {
  model: ModelNumber,
  year: z.int().min(2000).max(2100),
  period: z
    .string()
    .regex(/^(?:[1-4]T|0[1-9]|1[0-2]|0A)$/)
    .meta({ description: '1T to 4T, 01 to 12, or 0A for a year.' }),
}

export const ProofReturn = z
  .strictObject({
    ...RETURN,
    from: businessDate(),
    to: businessDate(),
    isComplete: z.boolean().meta({ description: 'Its whole period lies before the first day.' }),
    applies: z
      .boolean()
      .nullable()
      .meta({ description: 'Null where Sello cannot know whether it is filed.' }),
    source: z.enum(['typed', 'file', 'pdf', 'filing']).nullable().meta({
      description: 'Where what was filed comes from; filing: it is stored in these books otherwise.',
    }),
    fileName: z.string().nullable(),
    outcome: Outcome.nullable().meta({
      description: 'What was asked for, if a person or a file said it; null: as the result says.',
    }),
    keyBox: z.string().meta({ description: 'Without this box a return is not compared.' }),
    boxes: z.array(
      z.strictObject({
        box: z.string(),
        label: z.strictObject({ es: z.string(), en: z.string() }).nullable(),
        kind: z.enum(['amount', 'percent', 'count', 'code']),
        computed: z.number().nullable().meta({ description: 'From the books; null: not computed.' }),
        filed: z.number().nullable(),
        sure: z.enum(['certain', 'guess']).nullable().meta({
          description: 'A guess was read from a PDF and is not proven by its sums: it is not compared.',
        }),
        difference: z.number().nullable().meta({ description: 'Filed less computed.' }),
        reason: z.string().nullable(),
      }),
    ),
    withoutProof: z.boolean(),
    status: z.enum(['agrees', 'explained', 'differs', 'incomplete', 'open', 'left_open']).meta({
      description:
        'incomplete: the box of the result is missing; open: nobody said what was filed; left_open: a person left it without proof.',
    }),
  })
  .meta({ id: 'MovingProofReturn' })
export type ProofReturn = z.infer<typeof ProofReturn>

const Proof = z.strictObject({
  id: z.string(),
  state: MoveState,
  returns: z.array(ProofReturn),
  isSettled: z.boolean().meta({ description: 'The move can be finished.' }),
  isProven: z.boolean().meta({ description: 'Every return agrees, or a person said why not.' }),
})

export const moveProofContract = defineContract({
  name: 'moving.proof',
  summary: 'The returns of the time before the first day as the books compute them, beside what was filed.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({ id: PathId }),
  output: Proof,
  errors: ['not_found'],
})

export const setFiledContract = defineContract({
  name: 'moving.setFiled',
  summary: 'Say with which boxes a return was filed before the books came here; null takes a box back.',
  description: 'It is stored as a filing, so that amounts to offset and instalments paid before follow it.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    id: PathId,
    ...RETURN,
    boxes: z.record(z.string().max(20), decimal(2, { min: -999_999_999, max: 999_999_999 }).nullable()),
    outcome: Outcome.optional(),
    filedOn: businessDate().optional(),
    reference: line(40).optional(),
  }),
  output: Proof,
  errors: ['validation_failed', 'not_found', 'moving_state'],
})

export const explainReturnContract = defineContract({
  name: 'moving.explain',
  summary: 'Say why a box of a return differs from the books; null takes the reason back.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ id: PathId, ...RETURN, box: z.string().max(20), reason: line(300).nullable() }),
  output: Proof,
  errors: ['validation_failed', 'not_found', 'moving_state'],
})

export const finishMoveContract = defineContract({
  name: 'moving.finish',
  summary: 'Declare a move done: its returns agree, a person said why not, or left them without proof.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    id: PathId,
    withoutProof: z.array(z.strictObject(RETURN)).max(200).optional(),
  }),
  output: Answer,
  errors: ['validation_failed', 'not_found', 'moving_state', 'moving_unproven'],
})

export const documentOriginContract = defineContract({
  name: 'moving.origin',
  summary:
    'Where a document of an earlier program comes from: its move, its file, and its original document.',
  access: 'invoices.read',
  effect: 'read',
  input: z.strictObject({ type: z.enum(['invoice', 'received']), id: PathId }),
  output: z.strictObject({
    moveId: z.string(),
    movedOn: businessDate(),
    firstDay: businessDate('First day lived in these books.'),
    file: z
      .strictObject({ name: z.string(), sheet: z.string().nullable(), rows: z.array(z.int()) })
      .nullable()
      .meta({ description: 'Null: it stands in a list of what was open.' }),
    counts: z.boolean().meta({ description: 'False: it is only owed, and counts in no figure.' }),
    reception: z.string().nullable().meta({ description: 'Reception number of the earlier program.' }),
    lastNumber: z.string().nullable().meta({ description: 'Of a summary of tickets, the last one.' }),
    attachments: z.array(Attachment),
  }),
  errors: ['not_found'],
})

const AttachedFile = z.strictObject({
  name: z.string(),
  outcome: z.enum(['attached', 'already', 'unknown', 'ambiguous', 'unreadable']).meta({
    description:
      'unknown: no document has a number that the name holds; ambiguous: several do; unreadable: too large, or no document.',
  }),
  number: z.string().nullable(),
})
export type AttachedFile = z.infer<typeof AttachedFile>

export const attachDocumentsContract = defineContract({
  name: 'moving.attach',
  summary: 'Attach the documents of a ZIP archive, or a PDF, to the history by the numbers in their names.',
  description: 'Case and separators do not matter. It can be sent again: what is attached stays once.',
  access: 'person',
  effect: 'write',
  bodyMiB: FILE_BODY_MIB,
  input: z.strictObject({
    id: PathId,
    name: line(200),
    content: z.base64().min(1).max(MAX_BASE64).meta({ description: 'The file in base64; at most 20 MiB.' }),
  }),
  output: z.strictObject({
    attached: z.int(),
    already: z.int(),
    unknown: z.int(),
    ambiguous: z.int(),
    unreadable: z.int(),
    files: z.array(AttachedFile).meta({ description: 'Those that were not attached; at most 500.' }),
  }),
  errors: ['validation_failed', 'not_found', 'moving_state'],
})
