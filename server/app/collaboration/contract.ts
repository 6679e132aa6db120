/** Contracts of notes, tasks and the personal inbox: only the window has them. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { businessDate, Instant, line, paragraph, PathId } from '../../domain/contract/fields.ts'

export const TARGET_TYPES = ['invoice', 'quote', 'received', 'contact', 'return', 'transaction'] as const
export type TargetType = (typeof TARGET_TYPES)[number]

const Target = z.strictObject({
  type: z.enum(TARGET_TYPES),
  id: line(60).meta({
    description: 'Its identifier; of a return its model, year and period: `303-2026-3T`.',
  }),
})
export type Target = z.infer<typeof Target>

const LabelledTarget = z.strictObject({ type: z.enum(TARGET_TYPES), id: z.string(), label: z.string() })
const Someone = z.strictObject({
  id: z.string().nullable().meta({ description: 'Null for the owner of a desk.' }),
  name: z.string(),
})
const Mentions = z
  .array(line(60))
  .max(20)
  .meta({ description: 'Colleagues whose `@Name` is in the text; others are left out.' })

const NoteView = z
  .strictObject({
    id: z.string(),
    text: z.string(),
    author: Someone,
    mine: z.boolean(),
    mentions: z.array(z.strictObject({ id: z.string(), name: z.string() })),
    at: Instant,
    editedAt: Instant.nullable(),
    version: z.int(),
  })
  .meta({ id: 'RecordNote' })
export type NoteView = z.infer<typeof NoteView>

const TaskView = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    target: LabelledTarget.nullable(),
    dueOn: businessDate().nullable(),
    assignee: Someone.nullable().meta({ description: 'Null: whoever has the time.' }),
    assignedToMe: z.boolean(),
    createdBy: Someone,
    createdAt: Instant,
    doneAt: Instant.nullable(),
    doneBy: Someone.nullable(),
    version: z.int(),
  })
  .meta({ id: 'RecordTask' })
export type TaskView = z.infer<typeof TaskView>

const NoteText = paragraph(4000, 1)
const Title = line(200)
const DueOn = businessDate().nullable()
const Assignee = line(60).nullable().meta({ description: 'Identifier of a colleague.' })
const expectedVersion = z.int().optional()

export const listNotesContract = defineContract({
  name: 'notes.list',
  summary: 'Notes and tasks of one record, with the colleagues who may read it.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({ target: Target }),
  output: z.strictObject({
    notes: z.array(NoteView).meta({ description: 'Oldest first, 200 at most.' }),
    tasks: z.array(TaskView).meta({ description: 'Open ones by date, then those done.' }),
    colleagues: z.array(z.strictObject({ id: z.string(), name: z.string() })),
  }),
  errors: ['not_found', 'validation_failed'],
})

export const addNoteContract = defineContract({
  name: 'notes.add',
  summary: 'Write a note on a record.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ target: Target, text: NoteText, mentions: Mentions.optional() }),
  output: NoteView,
  errors: ['not_found', 'validation_failed', 'notes_full'],
})

export const editNoteContract = defineContract({
  name: 'notes.edit',
  summary: 'Change an own note.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ id: PathId, text: NoteText, mentions: Mentions.optional(), expectedVersion }),
  output: NoteView,
  errors: ['not_found', 'validation_failed', 'version_conflict'],
})

export const removeNoteContract = defineContract({
  name: 'notes.remove',
  summary: 'Remove an own note. Its text is gone.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ removed: z.literal(true) }),
  errors: ['not_found'],
})

export const listTasksContract = defineContract({
  name: 'tasks.list',
  summary: 'Tasks of the book that concern records the caller may read.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({
    which: z.enum(['mine', 'open', 'done']),
    limit: z.int().min(1).max(200).optional(),
  }),
  output: z.strictObject({ items: z.array(TaskView) }),
  errors: ['validation_failed'],
})

export const createTaskContract = defineContract({
  name: 'tasks.create',
  summary: 'Create a task, on a record or of its own.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    title: Title,
    target: Target.optional(),
    dueOn: DueOn.optional(),
    assigneeId: Assignee.optional(),
  }),
  output: TaskView,
  errors: ['not_found', 'validation_failed', 'notes_full'],
})

export const updateTaskContract = defineContract({
  name: 'tasks.update',
  summary: 'Change a task.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    id: PathId,
    title: Title.optional(),
    dueOn: DueOn.optional(),
    assigneeId: Assignee.optional(),
    expectedVersion,
  }),
  output: TaskView,
  errors: ['not_found', 'validation_failed', 'version_conflict'],
})

const one = { access: 'person', effect: 'write', errors: ['not_found'] } as const

export const completeTaskContract = defineContract({
  ...one,
  name: 'tasks.complete',
  summary: 'Mark a task as done. A second call changes nothing.',
  input: z.strictObject({ id: PathId }),
  output: TaskView,
})

export const reopenTaskContract = defineContract({
  ...one,
  name: 'tasks.reopen',
  summary: 'Mark a task as not done.',
  input: z.strictObject({ id: PathId }),
  output: TaskView,
})

export const removeTaskContract = defineContract({
  ...one,
  name: 'tasks.remove',
  summary: 'Remove a task.',
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ removed: z.literal(true) }),
})

export const ownInboxContract = defineContract({
  name: 'inbox.mine',
  summary: 'What waits for the caller: open tasks, and notes that name the caller.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({
    tasks: z.array(TaskView),
    mentions: z.array(z.strictObject({ note: NoteView, target: LabelledTarget, isUnread: z.boolean() })),
    waiting: z.int().meta({ description: 'Open tasks of the caller and unread mentions.' }),
  }),
  errors: [],
})

export const markInboxReadContract = defineContract({
  name: 'inbox.markRead',
  summary: 'Mark the notes written up to an instant as read.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ until: z.iso.datetime({ offset: true }) }),
  output: z.strictObject({ until: Instant }),
  errors: ['validation_failed'],
})
