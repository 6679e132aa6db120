/** Answers of moves. */
import { sql } from 'kysely'
import { madridInstant } from '../../domain/dates.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import type { Ctx, UseCase } from '../../context.ts'
import type {
  getMoveContract,
  listMovesContract,
  Move,
  MovingSettings,
  moveRowsContract,
} from './contract.ts'
import { eurosFromCents } from '../../domain/money.ts'
import type { MovingFile } from './file-shapes.ts'
import type { HistoryFault } from './files/types.ts'
import { filesOfRun, findRun } from './rows.ts'
import type { FileRow, RunRow } from './rows.ts'
import { storedOf } from './stored.ts'

const DEFAULT_ROWS = 100

const placeOf = (fault: Fault & Partial<Pick<HistoryFault, 'entry' | 'sheet' | 'row' | 'column'>>) => ({
  ...fault,
  entry: fault.entry ?? null,
  sheet: fault.sheet ?? null,
  row: fault.row ?? null,
  column: fault.column ?? null,
})

function fileView(file: FileRow): MovingFile {
  const { recognition, answers, summary } = storedOf(file)
  return {
    id: file.public_id,
    name: file.name,
    bytes: file.bytes,
    state: file.state,
    progress: summary.progress,
    format: recognition.format,
    encoding: recognition.encoding,
    delimiter: recognition.delimiter,
    tables: recognition.tables.map(({ preset: _preset, ...table }) => table),
    archived: recognition.archived,
    questions: summary.questions.map(({ baseCents, choices, depends, first, ...question }) => ({
      ...question,
      name: question.name || null,
      answer: answers.answers[question.id] ?? null,
      choices: [...choices],
      depends: [...depends],
      base: eurosFromCents(baseCents),
      first: { sheet: first.sheet, row: first.rows[0] ?? null },
    })),
    sums: summary.sums.map(({ baseCents, taxCents, withheldCents, totalCents, ...sum }) => ({
      ...sum,
      base: eurosFromCents(baseCents),
      tax: eurosFromCents(taxCents),
      withheld: eurosFromCents(withheldCents),
      total: eurosFromCents(totalCents),
    })),
    faults: summary.faults.map(placeOf),
    skippedRows: summary.skippedRows,
    waiting: file.waiting,
    failed: file.failed,
    created: file.created,
    skipped: file.skipped,
  }
}

/** Returns a move as an answer. */
export async function moveView(ctx: Ctx, run: RunRow): Promise<Move> {
  const files = await filesOfRun(ctx, run.id)
  return {
    id: run.public_id,
    state: run.state,
    firstDay: run.first_day,
    settings: JSON.parse(run.settings) as MovingSettings,
    files: files.map(fileView),
    documents: run.documents,
    created: run.created,
    skipped: run.skipped,
    removed: run.removed,
    createdAt: madridInstant(new Date(run.created_at)),
    finishedAt: run.finished_at === null ? null : madridInstant(new Date(run.finished_at)),
  }
}

export const getMove: UseCase<typeof getMoveContract> = async (ctx, { id }) => ({
  move: await moveView(ctx, await findRun(ctx, id)),
})

export const listMoves: UseCase<typeof listMovesContract> = async (ctx) => {
  const rows = await ctx.db
    .selectFrom('moving_runs')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .orderBy('id', 'desc')
    .execute()
  const items: Move[] = []
  for (const row of rows) items.push(await moveView(ctx, row))
  return { items }
}

export const moveRows: UseCase<typeof moveRowsContract> = async (
  ctx,
  { id, fileId, limit = DEFAULT_ROWS },
) => {
  const run = await findRun(ctx, id)
  let query = ctx.db
    .selectFrom('moving_rows')
    .innerJoin('moving_files', 'moving_files.id', 'moving_rows.file_id')
    .select(['moving_files.name', 'moving_rows.label', 'moving_rows.outcome', 'moving_rows.faults'])
    .where('moving_files.run_id', '=', run.id)
    .where('moving_rows.faults', 'is not', null)
  if (fileId !== undefined) query = query.where('moving_files.public_id', '=', fileId)
  const rows = await query
    .orderBy(sql`case outcome when 'failed' then 0 when 'skipped' then 2 else 1 end`)
    .orderBy('moving_rows.file_id')
    .orderBy('moving_rows.position')
    .limit(limit)
    .execute()
  return {
    rows: rows.map((row) => ({
      file: row.name,
      label: row.label,
      outcome: row.outcome,
      faults: (JSON.parse(row.faults ?? '[]') as Fault[]).map(placeOf),
    })),
  }
}
