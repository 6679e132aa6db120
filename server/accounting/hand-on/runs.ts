/** Hands entries on: what was handed on is remembered, and the file is written from the journal when it is fetched. */
import type { Ctx, UseCase } from '../../context.ts'
import { orNotFound } from '../../context.ts'
import { lastIdIn, pageById } from '../../domain/contract/cursor.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import { eurosFromCents } from '../../domain/money.ts'
import { recordAudit } from '../../platform/audit/index.ts'
import { dayNumber } from '../ledger/index.ts'
import { addNumbers, findNumbers } from './accounts/rows.ts'
import type {
  createHandOnRunContract,
  discardHandOnRunContract,
  handOnRunsContract,
  HandOnRun,
} from './contract.ts'
import type { z } from 'zod'
import { FORMATS } from './formats/index.ts'
import { daysOf, planOf } from './plan.ts'
import type { PlannedEntry } from './plan.ts'
import { settingsOf } from './settings-rows.ts'

const AT_ONCE = 200
const DEFAULT_LIMIT = 20
const LIST = 'handOn.runs'

type RunView = z.infer<typeof HandOnRun>

/** Returns the row of a run of this book. Throws `not_found`. */
export async function findRun(ctx: Ctx, id: string) {
  return orNotFound(
    await ctx.db
      .selectFrom('hand_on_runs')
      .selectAll()
      .where('public_id', '=', id)
      .where('book_id', '=', ctx.book.id)
      .executeTakeFirst(),
  )
}
type RunRow = Awaited<ReturnType<typeof findRun>>

const viewOf = (row: RunRow, changed: number): RunView => ({
  id: row.public_id,
  format: row.format,
  from: row.from_day,
  to: row.to_day,
  entries: row.entries,
  lines: row.lines,
  total: eurosFromCents(row.debit_cents),
  firstNumber: row.first_number,
  lastNumber: row.last_number,
  createdAt: new Date(row.created_at).toISOString(),
  changed,
})

export const listRuns: UseCase<typeof handOnRunsContract> = async (
  ctx,
  { limit = DEFAULT_LIMIT, cursor },
) => {
  let query = ctx.db.selectFrom('hand_on_runs').selectAll().where('book_id', '=', ctx.book.id)
  if (cursor !== undefined) query = query.where('id', '<', lastIdIn(cursor, LIST, {}))
  const found = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { shown: rows, nextCursor } = pageById(found, limit, LIST, {})
  if (rows.length === 0) return { items: [], nextCursor }
  const gone = await ctx.db
    .selectFrom('hand_on_entries')
    .select(({ fn }) => ['run_id', fn.countAll<number>().as('count')])
    .where(
      'run_id',
      'in',
      rows.map(({ id }) => id),
    )
    .where('entry_id', 'is', null)
    .groupBy('run_id')
    .execute()
  const counts = new Map(gone.map(({ run_id, count }) => [run_id, Number(count)]))
  return { items: rows.map((row) => viewOf(row, counts.get(row.id) ?? 0)), nextCursor }
}

async function addEntries(ctx: Ctx, runId: number, entries: readonly PlannedEntry[]): Promise<void> {
  for (let at = 0; at < entries.length; at += AT_ONCE)
    await ctx.db
      .insertInto('hand_on_entries')
      .values(
        entries.slice(at, at + AT_ONCE).map((entry) => ({
          run_id: runId,
          number: entry.number,
          entry_id: entry.row,
          day: entry.day,
          label: entry.label,
          debit_cents: entry.debitCents,
          digest: entry.digest,
          told_at: null,
        })),
      )
      .execute()
}

/**
 * Hands entries on. Throws `validation_failed` with what no file can hold, `hand_on_nothing` without new entries, and
 * `hand_on_changed` when the books or the numbers changed while they were read.
 */
export const createRun: UseCase<typeof createHandOnRunContract> = async (ctx, input) => {
  const settings = await settingsOf(ctx)
  const days = daysOf(input)
  const plan = await planOf(ctx, settings, {
    ...days,
    all: input.all ?? false,
    firstNumber: input.firstNumber,
  })
  const errors = plan.faults.filter(({ severity }) => severity === 'error')
  if (errors.length > 0)
    throw validationFailed(
      errors.slice(0, 100).map(({ entry, ...fault }) => ({ ...fault, field: entry?.label ?? fault.field })),
    )
  const [first] = plan.entries
  const last = plan.entries.at(-1)
  if (!first || !last) throw new AppError('hand_on_nothing')
  return ctx.transaction(async (tx) => {
    // Numbers that somebody else has given meanwhile could be the same.
    const stored = await findNumbers(tx)
    if (stored.length !== plan.stored.length || stored.at(-1)?.id !== plan.stored.at(-1)?.id)
      throw new AppError('hand_on_changed')
    await addNumbers(tx, plan.added)
    const now = tx.now().getTime()
    const row = await tx.db
      .insertInto('hand_on_runs')
      .values({
        book_id: tx.book.id,
        public_id: tx.newId('hon'),
        format: settings.format,
        settings: JSON.stringify(settings),
        from_day: days.from,
        to_day: days.to,
        entries: plan.entries.length,
        lines: plan.lines,
        debit_cents: plan.debitCents,
        first_number: first.number,
        last_number: last.number,
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await addEntries(tx, row.id, plan.entries)
    // The person has seen what is gone since; the next file does not tell it again.
    await tx.db
      .updateTable('hand_on_entries')
      .set({ told_at: now })
      .where('entry_id', 'is', null)
      .where('told_at', 'is', null)
      .where('day', '>=', dayNumber(days.from))
      .where('day', '<=', dayNumber(days.to))
      .where('run_id', 'in', tx.db.selectFrom('hand_on_runs').select('id').where('book_id', '=', tx.book.id))
      .execute()
    await recordAudit(tx, {
      action: 'hand_on.created',
      target: {
        type: 'company',
        id: tx.book.publicId,
        label: `${FORMATS[settings.format].name}, ${days.from} – ${days.to}: ${plan.entries.length}`,
      },
    })
    return viewOf(row, 0)
  })
}

/** Forgets that entries were handed on; the accounts of contacts keep their numbers. */
export const discardRun: UseCase<typeof discardHandOnRunContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const row = await findRun(tx, id)
    await tx.db.deleteFrom('hand_on_entries').where('run_id', '=', row.id).execute()
    await tx.db.deleteFrom('hand_on_runs').where('id', '=', row.id).execute()
    await recordAudit(tx, {
      action: 'hand_on.discarded',
      target: {
        type: 'company',
        id: tx.book.publicId,
        label: `${FORMATS[row.format].name}, ${row.from_day} – ${row.to_day}: ${row.entries}`,
      },
    })
    return { discarded: true }
  })
