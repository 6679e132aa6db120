/** The personal inbox: open tasks of the caller, and notes that name the caller, with a mark of what was read. */
import { readPersonal, savePersonal } from '../preferences/index.ts'
import { inBook, NO_BOOK } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import type { markInboxReadContract, ownInboxContract } from './contract.ts'
import { mentionsOf, noteView } from './notes.ts'
import { openTasksOfCaller } from './tasks.ts'
import { readableTypes } from './targets.ts'

const MOST_TASKS = 200
const MOST_MENTIONS = 50

const markOf = (ctx: Ctx): string => `inbox_read_${ctx.book.publicId}`

async function readUntil(ctx: Ctx): Promise<number> {
  const mark = await readPersonal(ctx, markOf(ctx))
  return typeof mark === 'number' ? mark : 0
}

export const ownInbox: UseCase<typeof ownInboxContract> = async (ctx) => {
  const types = readableTypes(ctx)
  const rows =
    types.length === 0
      ? []
      : await ctx.db
          .selectFrom('notes')
          .selectAll('notes')
          .where('book_id', '=', ctx.book.id)
          .where('deleted_at', 'is', null)
          .where('target_type', 'in', types)
          .where(({ exists, selectFrom }) =>
            exists(
              selectFrom('note_mentions')
                .select('note_id')
                .whereRef('note_mentions.note_id', '=', 'notes.id')
                .where('person_id', '=', ctx.actor.id),
            ),
          )
          .orderBy('id', 'desc')
          .limit(MOST_MENTIONS)
          .execute()
  const named = await mentionsOf(
    ctx,
    rows.map(({ id }) => id),
  )
  const until = await readUntil(ctx)
  const mentions = rows.map((row) => ({
    note: noteView(ctx, row, named.get(row.id) ?? []),
    target: { type: row.target_type, id: row.target_id, label: row.target_label },
    isUnread: Math.max(row.created_at, row.edited_at ?? 0) > until,
  }))
  const tasks = await openTasksOfCaller(ctx, MOST_TASKS)
  return {
    tasks,
    mentions,
    waiting: tasks.length + mentions.filter(({ isUnread }) => isUnread).length,
  }
}

export const markInboxRead: UseCase<typeof markInboxReadContract> = async (ctx, input) => {
  // Never beyond now, so that what is written next stays unread; and never back.
  const asked = Math.min(Date.parse(input.until), ctx.now().getTime())
  const until = Math.max(asked, await readUntil(ctx))
  // Settings of a person belong to no company.
  await savePersonal(inBook(ctx, NO_BOOK), markOf(ctx), until)
  return { until: new Date(until).toISOString() }
}
