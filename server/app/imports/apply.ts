/** Runs an import: a dry run without writing, then applied or undone in chunks. */
import { withSavepoint } from '../../db/savepoint.ts'
import { recordAudit } from '../../platform/audit/index.ts'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import { lastIdIn, pageById } from '../../domain/contract/cursor.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import type {
  applyImportContract,
  checkImportContract,
  getImportContract,
  ImportKind,
  listImportsContract,
  Mapping,
  undoImportContract,
} from './contract.ts'
import { fieldList } from './fields.ts'
import type { FileRow } from '../../platform/spreadsheets/cells.ts'
import {
  cellsOfChunk,
  changeRun,
  CHUNK_ROWS,
  dropCells,
  findRun,
  saveRow,
  recordUndo,
  reportedRows,
  rowsToUndo,
  rowThatTouched,
  runView,
  parseOptionsOf,
} from './runs.ts'
import type { ReportedRow, RunRow } from './runs.ts'
import { Seen } from './seen-rows.ts'
import { RowReader } from './importer.ts'
import type { RowVerdict, Importer, ParseOptions } from './importer.ts'
import { assertMapping, completeOptions } from './upload.ts'

const IMPORTERS: Readonly<Record<ImportKind, () => Promise<Importer>>> = {
  contacts: async () => (await import('./import-contacts.ts')).contactImporter,
  items: async () => (await import('./import-items.ts')).itemImporter,
  received: async () => (await import('./import-received.ts')).receivedImporter,
}
/** Returns the importer of a kind. */
export const importerOf = (kind: ImportKind): Promise<Importer> => IMPORTERS[kind]()

const DEFAULT_REPORT = 100
/** Event that refreshes the window, for each kind. */
const EVENTS = { contacts: 'contact.changed', items: 'item.changed', received: 'received.changed' } as const

type Verdict = 'create' | 'update' | 'skip' | 'fail'

/** Decides the action for a row, from its match in the store. */
function verdictOf(
  { faults }: RowVerdict,
  isKnown: boolean,
  importer: Importer,
  options: ParseOptions,
): Verdict {
  if (faults.some(({ severity }) => severity === 'error')) return 'fail'
  if (!isKnown) return 'create'
  return options.onDuplicate === 'update' && importer.update ? 'update' : 'skip'
}

const isHere: Fault = {
  code: 'import_is_here',
  field: '',
  severity: 'warning',
  message: 'It is here already: left as it is.',
}

function repeated(row: number | null): Fault {
  return {
    code: 'import_repeated',
    field: '',
    severity: 'warning',
    message: 'The file names it before: this row is left out.',
    ...(row === null ? {} : { params: { row } }),
  }
}

function stateError(run: RunRow): AppError {
  return new AppError('import_state', { details: { state: run.state } })
}

/** Stores the parsing options of a draft. */
async function settle(
  tx: Ctx,
  run: RunRow,
  input: Pick<ContractInput<typeof checkImportContract>, 'mapping' | 'options'>,
): Promise<RunRow> {
  const view = runView(run)
  const mapping: Mapping = input.mapping ?? view.mapping
  assertMapping(run.kind, mapping, view.columns.length)
  const options = completeOptions(run.kind, mapping, await cellsOfChunk(tx, run.id, 0), {
    ...view.options,
    // Another column may use another notation, so the earlier guess does not apply.
    ...(input.mapping === undefined ? {} : { dateOrder: undefined, decimalSign: undefined }),
    ...input.options,
  })
  return changeRun(tx, run, { mapping: JSON.stringify(mapping), options: JSON.stringify(options) })
}

/** Checks every row without writing. Rows that match each other are found as they will be when the import is applied. */
export const checkImport: UseCase<typeof checkImportContract> = async (
  ctx,
  { id, report = DEFAULT_REPORT, ...input },
) => {
  const run = await ctx.transaction(async (tx) => {
    const before = await findRun(tx, id)
    if (before.state !== 'draft') throw stateError(before)
    return settle(tx, before, input)
  })
  const { mapping } = runView(run)
  const options = parseOptionsOf(run)
  const importer = await IMPORTERS[run.kind]()
  const counts = { create: 0, update: 0, skip: 0, fail: 0 }
  const seen = new Seen()
  const wrong: ReportedRow[] = []
  const doubtful: ReportedRow[] = []
  for (let position = 0; position * CHUNK_ROWS < run.rows; position++) {
    for (const { row, cells } of await cellsOfChunk(ctx, run.id, position)) {
      const checked = await importer.check(ctx, new RowReader(cells, mapping, options), options)
      const { label, identity, known } = checked
      const same = seen.find(identity, known)
      let verdict = verdictOf(checked, same !== null, importer, options)
      let faults = checked.faults
      if (verdict !== 'fail' && same && 'earlier' in same) {
        verdict = 'skip'
        faults = [repeated(same.earlier)]
      } else if (verdict === 'skip') faults = [isHere]
      if (verdict === 'create' || verdict === 'update')
        seen.note(row, identity, same && 'target' in same ? same.target : null)
      counts[verdict] += 1
      if (faults.length === 0) continue
      const outcome = { create: 'created', update: 'updated', skip: 'skipped', fail: 'failed' } as const
      const list = verdict === 'fail' ? wrong : doubtful
      if (list.length < report) list.push({ row, label, outcome: outcome[verdict], faults })
    }
    // Lets other requests run between chunks.
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  return {
    run: runView(run),
    created: counts.create,
    updated: counts.update,
    skipped: counts.skip,
    failed: counts.fail,
    rows: [...wrong, ...doubtful].slice(0, report),
  }
}

interface Taken {
  outcome: 'created' | 'updated' | 'skipped' | 'failed'
  target?: { id: number; version: number; before?: unknown }
  faults: readonly Fault[]
}

/** Runs the work in a savepoint, so that a row rejected at the last moment leaves nothing behind. */
async function guarded(tx: Ctx, work: () => Promise<Taken>): Promise<Taken> {
  try {
    return await withSavepoint(tx.db, work)
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.status >= 500) throw thrown
    const faults = thrown.details?.faults as Fault[] | undefined
    return {
      outcome: 'failed',
      faults: faults ?? [
        {
          code: thrown.code,
          field: thrown.field ?? '',
          severity: 'error',
          message: thrown.text.message,
          fix: thrown.text.next,
        },
      ],
    }
  }
}

async function takeRow(
  tx: Ctx,
  run: RunRow,
  { cells }: FileRow,
  mapping: Mapping,
  options: ParseOptions,
): Promise<Taken & { label: string }> {
  const importer = await IMPORTERS[run.kind]()
  const checked = await importer.check(tx, new RowReader(cells, mapping, options), options)
  const { label, known, faults, input } = checked
  const targetId = known[0]?.rowId ?? null
  const verdict = verdictOf(checked, targetId !== null, importer, options)
  if (verdict === 'fail') return { outcome: 'failed', label, faults }
  if (targetId !== null) {
    const earlier = await rowThatTouched(tx, run.id, targetId)
    if (earlier !== null) return { outcome: 'skipped', label, faults: [repeated(earlier)] }
  }
  if (verdict === 'skip') return { outcome: 'skipped', label, faults: [isHere] }
  const update = importer.update
  const taken = await guarded(tx, async () =>
    verdict === 'update' && update && targetId !== null
      ? { outcome: 'updated', target: await update(tx, targetId, input), faults }
      : { outcome: 'created', target: await importer.create(tx, input), faults },
  )
  return { ...taken, label }
}

/** Imports the next chunk, in one transaction with the progress. */
export const applyImport: UseCase<typeof applyImportContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    let run = await findRun(tx, id)
    if (run.state === 'done') return { run: runView(run) }
    if (run.state === 'draft') {
      run = await settle(tx, run, {})
      await recordAudit(tx, {
        action: 'import.applied',
        target: { type: 'import', id, label: `${run.file_name} (${run.kind}, ${run.rows})` },
      })
    } else if (run.state !== 'running') throw stateError(run)
    const { mapping } = runView(run)
    const options = parseOptionsOf(run)
    const counts = { created: run.created, updated: run.updated, skipped: run.skipped, failed: run.failed }
    const rows = await cellsOfChunk(tx, run.id, run.taken / CHUNK_ROWS)
    for (const row of rows) {
      const taken = await takeRow(tx, run, row, mapping, options)
      counts[taken.outcome] += 1
      await saveRow(tx, run.id, { row: row.row, ...taken })
    }
    const reached = run.taken + rows.length
    const isDone = reached >= run.rows
    if (isDone) await dropCells(tx, run.id)
    await emitEvent(tx, EVENTS[run.kind], { importId: id })
    run = await changeRun(tx, run, {
      ...counts,
      taken: reached,
      state: isDone ? 'done' : 'running',
      ...(isDone ? { finished_at: tx.now().getTime() } : {}),
    })
    return { run: runView(run) }
  })

/** Undoes the next chunk, last rows first. */
export const undoImport: UseCase<typeof undoImportContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    let run = await findRun(tx, id)
    if (run.state === 'undone') return { run: runView(run) }
    if (run.state === 'draft') throw stateError(run)
    if (run.state !== 'undoing') {
      await dropCells(tx, run.id)
      await recordAudit(tx, {
        action: 'import.undone',
        target: { type: 'import', id, label: `${run.file_name} (${run.kind})` },
      })
    }
    const importer = await IMPORTERS[run.kind]()
    const rows = await rowsToUndo(tx, run.id)
    const counts = { restored: run.restored, kept: run.kept }
    for (const { row, outcome, target_id: targetId, target_version: version, before } of rows) {
      if (targetId === null || version === null) continue
      const target = { id: targetId, version }
      const isBack =
        outcome === 'created'
          ? await importer.undo(tx, target)
          : await importer.putBack(tx, target, JSON.parse(before ?? 'null'))
      const undo = isBack ? 'restored' : 'kept'
      counts[undo] += 1
      await recordUndo(tx, run.id, row, undo)
    }
    const isDone = rows.length < CHUNK_ROWS
    await emitEvent(tx, EVENTS[run.kind], { importId: id })
    run = await changeRun(tx, run, {
      ...counts,
      state: isDone ? 'undone' : 'undoing',
      ...(isDone ? { finished_at: tx.now().getTime() } : {}),
    })
    return { run: runView(run) }
  })

/** Returns a run with the rows that have messages. */
export const getImport: UseCase<typeof getImportContract> = async (ctx, { id, report = DEFAULT_REPORT }) => {
  const run = await findRun(ctx, id)
  return { run: runView(run), fields: fieldList(run.kind), rows: await reportedRows(ctx, run.id, report) }
}

/** Lists the latest runs. */
export const listImports: UseCase<typeof listImportsContract> = async (ctx, { limit = 25, cursor }) => {
  let query = ctx.db.selectFrom('import_runs').selectAll().where('book_id', '=', ctx.book.id)
  if (cursor !== undefined) query = query.where('id', '<', lastIdIn(cursor, 'imports', {}))
  const rows = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { shown, nextCursor } = pageById(rows, limit, 'imports', {})
  return { items: shown.map(runView), nextCursor }
}
