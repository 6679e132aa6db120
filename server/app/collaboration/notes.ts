/** Notes on records. Whoever may read a record may write notes on it; a note is changed by its author alone. */
import type { Selectable } from 'kysely'
import { AppError } from '../../domain/errors/app-error.ts'
import { normalizeText } from '../../domain/text.ts'
import { recordAudit } from '../../platform/audit/index.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import type { NotesTable } from '../../db/schema.ts'
import { assertCaller, colleaguesWho, isCaller, personView } from './colleagues.ts'
import type {
  addNoteContract,
  editNoteContract,
  listNotesContract,
  NoteView,
  removeNoteContract,
} from './contract.ts'
import { capabilityOf, labelOf } from './targets.ts'
import { tasksOf } from './tasks.ts'

type NoteRow = Selectable<NotesTable>
type Mention = { id: string; name: string }

const MOST_SHOWN = 200
/** Of one record, those removed included. */
const MOST_OF_RECORD = 500

export function noteView(ctx: Ctx, row: NoteRow, mentions: readonly Mention[]): NoteView {
  return {
    id: row.public_id,
    text: row.text,
    author: personView({ id: row.author_id, name: row.author_name }),
    mine: isCaller(ctx, row.author_id),
    mentions: [...mentions],
    at: new Date(row.created_at).toISOString(),
    editedAt: row.edited_at === null ? null : new Date(row.edited_at).toISOString(),
    version: row.version,
  }
}

/** Returns whom each of the notes names. */
export async function mentionsOf(ctx: Ctx, noteIds: readonly number[]): Promise<Map<number, Mention[]>> {
  const found = new Map<number, Mention[]>()
  if (noteIds.length === 0) return found
  const rows = await ctx.db
    .selectFrom('note_mentions')
    .select(['note_id', 'person_id', 'name'])
    .where('note_id', 'in', noteIds)
    .orderBy('note_id')
    .orderBy('name')
    .execute()
  for (const { note_id: note, person_id: id, name } of rows)
    found.set(note, [...(found.get(note) ?? []), { id, name }])
  return found
}

export const listNotes: UseCase<typeof listNotesContract> = async (ctx, { target }) => {
  await labelOf(ctx, target)
  const rows = await ctx.db
    .selectFrom('notes')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('target_type', '=', target.type)
    .where('target_id', '=', target.id)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(MOST_SHOWN)
    .execute()
  const mentions = await mentionsOf(
    ctx,
    rows.map(({ id }) => id),
  )
  const colleagues = await colleaguesWho(ctx, capabilityOf(target.type))
  return {
    notes: rows.toReversed().map((row) => noteView(ctx, row, mentions.get(row.id) ?? [])),
    tasks: await tasksOf(ctx, target),
    colleagues: colleagues.map(({ id, name }) => ({ id, name })),
  }
}

/** Writes whom a note names: of the people asked for, those who may read the record and whose name is in the text. */
async function writeMentions(tx: Ctx, row: NoteRow, asked: readonly string[]): Promise<Mention[]> {
  await tx.db.deleteFrom('note_mentions').where('note_id', '=', row.id).execute()
  const colleagues = await colleaguesWho(tx, capabilityOf(row.target_type))
  const named = colleagues.filter(({ id, name }) => asked.includes(id) && row.text.includes(`@${name}`))
  for (const { id, name } of named)
    await tx.db.insertInto('note_mentions').values({ note_id: row.id, person_id: id, name }).execute()
  return named.map(({ id, name }) => ({ id, name }))
}

/** Records a change of a note in the history of its record, and tells open windows. */
async function recordNote(tx: Ctx, row: NoteRow, action: string): Promise<void> {
  await recordAudit(tx, {
    action,
    target: { type: row.target_type, id: row.target_id, label: row.target_label },
  })
  await emitEvent(tx, 'note.changed', { noteId: row.public_id })
}

export const addNote: UseCase<typeof addNoteContract> = (ctx, { target, text, mentions = [] }) =>
  ctx.transaction(async (tx) => {
    const label = await labelOf(tx, target)
    const { count } = await tx.db
      .selectFrom('notes')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('book_id', '=', tx.book.id)
      .where('target_type', '=', target.type)
      .where('target_id', '=', target.id)
      .executeTakeFirstOrThrow()
    if (count >= MOST_OF_RECORD) throw new AppError('notes_full', { details: { limit: MOST_OF_RECORD } })
    const row = await tx.db
      .insertInto('notes')
      .values({
        book_id: tx.book.id,
        public_id: tx.newId('note'),
        target_type: target.type,
        target_id: target.id,
        target_label: label,
        text: normalizeText(text),
        author_id: tx.actor.id,
        author_name: tx.actor.name,
        created_at: tx.now().getTime(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const named = await writeMentions(tx, row, mentions)
    await recordNote(tx, row, 'note.added')
    return noteView(tx, row, named)
  })

/** Returns an own note that is not removed. Throws `not_found`. */
async function ownNote(tx: Ctx, id: string): Promise<NoteRow> {
  const row = orNotFound(
    await tx.db
      .selectFrom('notes')
      .selectAll()
      .where('book_id', '=', tx.book.id)
      .where('public_id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),
  )
  if (!tx.may(capabilityOf(row.target_type))) throw new AppError('not_found')
  assertCaller(tx, row.author_id)
  return row
}

export const editNote: UseCase<typeof editNoteContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const before = await ownNote(tx, input.id)
    if (input.expectedVersion !== undefined && input.expectedVersion !== before.version)
      throw new AppError('version_conflict', { details: { version: before.version } })
    const row = await tx.db
      .updateTable('notes')
      .set({
        text: normalizeText(input.text),
        edited_at: tx.now().getTime(),
        version: before.version + 1,
      })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const named = await writeMentions(tx, row, input.mentions ?? [])
    await recordNote(tx, row, 'note.edited')
    return noteView(tx, row, named)
  })

export const removeNote: UseCase<typeof removeNoteContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const row = await ownNote(tx, id)
    await tx.db.deleteFrom('note_mentions').where('note_id', '=', row.id).execute()
    await tx.db
      .updateTable('notes')
      .set({ text: '', deleted_at: tx.now().getTime(), version: row.version + 1 })
      .where('id', '=', row.id)
      .execute()
    await recordNote(tx, row, 'note.removed')
    return { removed: true }
  })
