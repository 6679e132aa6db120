/** Tasks: what somebody has to do, on a record or of its own. Whoever may read the record may change its tasks. */
import type { Selectable } from 'kysely'
import { AppError } from '../../domain/errors/app-error.ts'
import { recordAudit } from '../../platform/audit/index.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { TasksTable } from '../../db/schema.ts'
import { colleagueOf, isCaller, isOwnerWithoutSignIn, personView } from './colleagues.ts'
import type {
  completeTaskContract,
  createTaskContract,
  listTasksContract,
  removeTaskContract,
  reopenTaskContract,
  Target,
  TaskView,
  updateTaskContract,
} from './contract.ts'
import { capabilityOf, labelOf, readableTypes } from './targets.ts'

type TaskRow = Selectable<TasksTable>

const MOST_SHOWN = 200
const LISTED = 100
/** Open tasks of a book. */
const MOST_OPEN = 2_000

const instant = (at: number): string => new Date(at).toISOString()

function taskView(ctx: Ctx, row: TaskRow): TaskView {
  const { target_type: type, target_id: id, target_label: label } = row
  return {
    id: row.public_id,
    title: row.title,
    target: type !== null && id !== null && label !== null ? { type, id, label } : null,
    dueOn: row.due_on as BusinessDate | null,
    assignee:
      row.assignee_id === null || row.assignee_name === null
        ? null
        : personView({ id: row.assignee_id, name: row.assignee_name }),
    assignedToMe: isCaller(ctx, row.assignee_id),
    createdBy: personView({ id: row.created_by, name: row.created_by_name }),
    createdAt: instant(row.created_at),
    doneAt: row.done_at === null ? null : instant(row.done_at),
    doneBy:
      row.done_by === null || row.done_by_name === null
        ? null
        : personView({ id: row.done_by, name: row.done_by_name }),
    version: row.version,
  }
}

/** Selects the tasks that the caller may see, those with the earliest date first. */
function visible(ctx: Ctx) {
  return ctx.db
    .selectFrom('tasks')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where((where) =>
      where.or([
        where('target_type', 'is', null),
        where('target_type', 'in', [...readableTypes(ctx), 'none' as never]),
      ]),
    )
}

/** Returns the tasks of a record: open ones by date, then those done. */
export async function tasksOf(ctx: Ctx, target: Target): Promise<TaskView[]> {
  const rows = await visible(ctx)
    .where('target_type', '=', target.type)
    .where('target_id', '=', target.id)
    .orderBy('id')
    .limit(MOST_SHOWN)
    .execute()
  return rows.toSorted(byUrgency).map((row) => taskView(ctx, row))
}

/** Open ones first, by their date; without one after those with one. */
function byUrgency(one: TaskRow, other: TaskRow): number {
  const key = (row: TaskRow): string => `${row.done_at === null ? 0 : 1} ${row.due_on ?? '9'}`
  return key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : one.id - other.id
}

/** Returns the open tasks of the caller: on a desk also those assigned to nobody. */
export async function openTasksOfCaller(ctx: Ctx, limit: number): Promise<TaskView[]> {
  const rows = await visible(ctx)
    .where('done_at', 'is', null)
    .where((where) =>
      where.or([
        where('assignee_id', '=', ctx.actor.id),
        ...(isOwnerWithoutSignIn(ctx) ? [where('assignee_id', 'is', null)] : []),
      ]),
    )
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.toSorted(byUrgency).map((row) => taskView(ctx, row))
}

export const listTasks: UseCase<typeof listTasksContract> = async (ctx, { which, limit = LISTED }) => {
  if (which === 'mine') return { items: await openTasksOfCaller(ctx, limit) }
  const rows =
    which === 'open'
      ? await visible(ctx).where('done_at', 'is', null).orderBy('id').limit(limit).execute()
      : await visible(ctx)
          .where('done_at', 'is not', null)
          .orderBy('done_at', 'desc')
          .orderBy('id', 'desc')
          .limit(limit)
          .execute()
  const items = which === 'open' ? rows.toSorted(byUrgency) : rows
  return { items: items.map((row) => taskView(ctx, row)) }
}

async function recordTask(tx: Ctx, row: TaskRow, action: string): Promise<TaskView> {
  await recordAudit(tx, { action, target: { type: 'task', id: row.public_id, label: row.title } })
  await emitEvent(tx, 'task.changed', { taskId: row.public_id })
  return taskView(tx, row)
}

const capabilityFor = (type: TaskRow['target_type']) => (type === null ? null : capabilityOf(type))

export const createTask: UseCase<typeof createTaskContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const { target, assigneeId = null } = input
    const label = target ? await labelOf(tx, target) : null
    const { count } = await tx.db
      .selectFrom('tasks')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('book_id', '=', tx.book.id)
      .where('done_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (count >= MOST_OPEN) throw new AppError('notes_full', { details: { limit: MOST_OPEN } })
    const assignee =
      assigneeId === null ? null : await colleagueOf(tx, assigneeId, capabilityFor(target?.type ?? null))
    const row = await tx.db
      .insertInto('tasks')
      .values({
        book_id: tx.book.id,
        public_id: tx.newId('tsk'),
        target_type: target?.type ?? null,
        target_id: target?.id ?? null,
        target_label: label,
        title: input.title.trim(),
        due_on: input.dueOn ?? null,
        assignee_id: assignee?.id ?? null,
        assignee_name: assignee?.name ?? null,
        created_by: tx.actor.id,
        created_by_name: tx.actor.name,
        created_at: tx.now().getTime(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return recordTask(tx, row, 'task.created')
  })

/** Returns a task that the caller may see. Throws `not_found`. */
async function findTask(tx: Ctx, id: string): Promise<TaskRow> {
  return orNotFound(await visible(tx).where('public_id', '=', id).executeTakeFirst())
}

type Changes = Partial<Omit<TaskRow, 'id' | 'book_id' | 'public_id' | 'version'>>

async function rewrite(tx: Ctx, before: TaskRow, changes: Changes): Promise<TaskRow> {
  return tx.db
    .updateTable('tasks')
    .set({ ...changes, version: before.version + 1 })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const updateTask: UseCase<typeof updateTaskContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const { id, title, dueOn, assigneeId, expectedVersion } = input
    const before = await findTask(tx, id)
    if (expectedVersion !== undefined && expectedVersion !== before.version)
      throw new AppError('version_conflict', { details: { version: before.version } })
    const assignee =
      assigneeId === undefined || assigneeId === null
        ? null
        : await colleagueOf(tx, assigneeId, capabilityFor(before.target_type))
    const row = await rewrite(tx, before, {
      ...(title === undefined ? {} : { title: title.trim() }),
      ...(dueOn === undefined ? {} : { due_on: dueOn }),
      ...(assigneeId === undefined
        ? {}
        : { assignee_id: assignee?.id ?? null, assignee_name: assignee?.name ?? null }),
    })
    return recordTask(tx, row, 'task.updated')
  })

export const completeTask: UseCase<typeof completeTaskContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const before = await findTask(tx, id)
    // Two people can complete it at the same time: the first one did.
    if (before.done_at !== null) return taskView(tx, before)
    const { id: by, name } = tx.actor
    const row = await rewrite(tx, before, { done_at: tx.now().getTime(), done_by: by, done_by_name: name })
    return recordTask(tx, row, 'task.completed')
  })

export const reopenTask: UseCase<typeof reopenTaskContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const before = await findTask(tx, id)
    if (before.done_at === null) return taskView(tx, before)
    const row = await rewrite(tx, before, { done_at: null, done_by: null, done_by_name: null })
    return recordTask(tx, row, 'task.reopened')
  })

export const removeTask: UseCase<typeof removeTaskContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const row = await findTask(tx, id)
    await tx.db.deleteFrom('tasks').where('id', '=', row.id).execute()
    await recordTask(tx, row, 'task.removed')
    return { removed: true }
  })
