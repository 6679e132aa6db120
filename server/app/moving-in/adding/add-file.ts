/**
 * Adds a file to a move: says what it is, reads it in a child process, and stores its documents in portions. The bytes
 * are not stored: with answers to its questions, the same file is sent again.
 */
import { createHash } from 'node:crypto'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { orNotFound } from '../../../context.ts'
import { piecesOfBase64 } from '../../../platform/processes/parsers.ts'
import { stateError } from '../apply.ts'
import type { addFileContract, changeMoveContract, MovingSettings, removeFileContract } from '../contract.ts'
import type { TableChoice } from '../file-shapes.ts'
import { recognizeFileInChildProcess } from '../files/read-apart.ts'
import type { HistoryFault } from '../files/types.ts'
import { takeReturn } from '../proof/read-return.ts'
import { changeRun, filesOfRun, findRun } from '../rows.ts'
import type { RunRow } from '../rows.ts'
import { firstSummary, storedOf } from '../stored.ts'
import type { StoredAnswers, StoredRecognition } from '../stored.ts'
import { moveView } from '../view.ts'
import { readTables } from './read-tables.ts'
import { rememberedTitles } from './remembered.ts'
import { FileStore, recount } from './store.ts'

/** Returns a run that still takes files. Throws `moving_state`. */
async function draftOf(ctx: Ctx, id: string): Promise<RunRow> {
  const run = await findRun(ctx, id)
  if (run.state !== 'draft') throw stateError(run)
  return run
}

/** Later choices replace earlier ones of the same table. */
function mergedTables(before: readonly TableChoice[], after: readonly TableChoice[]): TableChoice[] {
  const isNew = (one: TableChoice) =>
    !after.some(({ entry, sheet }) => entry === one.entry && sheet === one.sheet)
  return [...before.filter(isNew), ...after]
}

interface Begun {
  fileId: number
  answers: StoredAnswers
}

/** Makes the row of a file in place of an earlier reading of the same bytes, or of a file of the same name. */
async function begin(
  ctx: Ctx,
  moveId: string,
  file: { name: string; sha256: Buffer; bytes: number; given: Partial<StoredAnswers> },
): Promise<Begun> {
  return ctx.transaction(async (tx) => {
    const run = await draftOf(tx, moveId)
    const files = await filesOfRun(tx, run.id)
    const same = files.filter(({ name, sha256 }) => name === file.name || file.sha256.equals(sha256))
    const answers: StoredAnswers = { answers: {}, tables: [] }
    for (const row of same) {
      const before = storedOf(row).answers
      Object.assign(answers.answers, before.answers)
      // Another file may have other columns.
      if (file.sha256.equals(row.sha256)) answers.tables = mergedTables(answers.tables, before.tables)
    }
    Object.assign(answers.answers, file.given.answers)
    answers.tables = mergedTables(answers.tables, file.given.tables ?? [])
    const position = same[0]?.position ?? (files.at(-1)?.position ?? -1) + 1
    for (const { id } of same) await tx.db.deleteFrom('moving_files').where('id', '=', id).execute()
    const { id } = await tx.db
      .insertInto('moving_files')
      .values({
        run_id: run.id,
        // Kept, so that a page that shows the file goes on showing it.
        public_id: same[0]?.public_id ?? tx.newId('mov'),
        position,
        name: file.name,
        sha256: file.sha256,
        bytes: file.bytes,
        state: 'reading',
        recognition: '{}',
        answers: JSON.stringify(answers),
        summary: JSON.stringify(firstSummary()),
        created_at: tx.now().getTime(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recount(tx, run.id)
    await changeRun(tx, run, {})
    return { fileId: id, answers }
  })
}

const RETURNS_ONLY: HistoryFault = {
  code: 'moving_returns_only',
  field: 'content',
  severity: 'error',
  message: 'Once a move is taken in, only returns are added to it.',
  fix: 'Begin another move with this file, or take this one back first.',
  entry: null,
  sheet: null,
  row: null,
  column: null,
}

/** What the readers of files throw. */
const UNREADABLE: readonly string[] = ['validation_failed', 'file_unreadable', 'no_file_layout']

/** Returns the faults of a file that cannot be read. Throws any other error. */
function faultsOf(error: unknown): HistoryFault[] {
  if (!(error instanceof AppError) || !UNREADABLE.includes(error.code)) throw error
  if (error.code !== 'validation_failed')
    return [
      {
        code: error.code,
        field: 'content',
        severity: 'error',
        message: error.text.message,
        fix: error.text.next,
        entry: null,
        sheet: null,
        row: null,
        column: null,
      },
    ]
  return ((error.details?.faults ?? []) as Fault[]).map((fault) => ({
    ...fault,
    entry: null,
    sheet: null,
    row: null,
    column: null,
  }))
}

/** Takes the file of a return into the proof of a move that is taken in. Throws `validation_failed` for any other file. */
async function addReturn(ctx: Ctx, id: string, { name, content }: { name: string; content: string }) {
  let refused: HistoryFault[]
  try {
    const file = piecesOfBase64(content, () => {})
    const { tables } = await recognizeFileInChildProcess(file, name)
    const kind = tables.map((table) => table.content).find((each) => each === 'return_file' || each === 'pdf')
    const found = kind === undefined ? RETURNS_ONLY : await takeReturn(ctx, id, { name, content, kind })
    refused = found ? [found] : []
  } catch (error) {
    refused = faultsOf(error)
  }
  if (refused.length > 0) throw validationFailed(refused)
}

export const addFile: UseCase<typeof addFileContract> = async (
  ctx,
  { id, name, content, answers: given, tables },
) => {
  const before = await findRun(ctx, id)
  if (before.state === 'applied') {
    await addReturn(ctx, id, { name, content })
    return { move: await moveView(ctx, await findRun(ctx, id)) }
  }
  if (before.state !== 'draft') throw stateError(before)
  const hash = createHash('sha256')
  const { length, pieces } = piecesOfBase64(content, (piece) => hash.update(piece))
  for (const _ of pieces);
  const { fileId, answers } = await begin(ctx, id, {
    name,
    sha256: hash.digest(),
    bytes: length,
    given: { ...(given ? { answers: given } : {}), ...(tables ? { tables } : {}) },
  })
  const store = new FileStore(ctx, { id: fileId, moveId: id }, firstSummary())
  const recognition: StoredRecognition = {
    format: null,
    encoding: null,
    delimiter: null,
    tables: [],
    archived: 0,
  }
  const file = () => piecesOfBase64(content, () => {})
  try {
    const remembered = await rememberedTitles(ctx)
    const recognized = await recognizeFileInChildProcess(file(), name, remembered)
    const { format, encoding, delimiter, documents, faults } = recognized
    Object.assign(recognition, { format, encoding, delimiter, archived: documents.count })
    store.addFaults(faults)
    recognition.tables = await readTables(
      { ctx, store, file, fileName: name, answers: answers.answers, remembered },
      recognized.tables,
      answers.tables,
    )
    for (const table of recognition.tables) {
      if (table.isLeftOut || (table.content !== 'return_file' && table.content !== 'pdf')) continue
      const refused = await takeReturn(ctx, id, { name, content, kind: table.content })
      if (refused) store.addFaults([refused])
      table.isRead = refused === null
    }
  } catch (error) {
    store.addFaults(faultsOf(error))
    await store.finish('refused', recognition, { failed: 0 })
    return { move: await moveView(ctx, await findRun(ctx, id)) }
  }
  const failed = recognition.tables.reduce((sum, table) => sum + table.failed, 0)
  await store.finish('read', recognition, { failed })
  return { move: await moveView(ctx, await findRun(ctx, id)) }
}

export const removeFile: UseCase<typeof removeFileContract> = (ctx, { id, fileId }) =>
  ctx.transaction(async (tx) => {
    const run = await draftOf(tx, id)
    const file = orNotFound((await filesOfRun(tx, run.id)).find(({ public_id: each }) => each === fileId))
    await tx.db.deleteFrom('moving_files').where('id', '=', file.id).execute()
    await recount(tx, run.id)
    return { move: await moveView(tx, await changeRun(tx, run, {})) }
  })

export const changeMove: UseCase<typeof changeMoveContract> = (ctx, { id, firstDay, settings }) =>
  ctx.transaction(async (tx) => {
    const run = await draftOf(tx, id)
    const before = JSON.parse(run.settings) as MovingSettings
    return {
      move: await moveView(
        tx,
        await changeRun(tx, run, {
          ...(firstDay === undefined ? {} : { first_day: firstDay }),
          settings: JSON.stringify({ ...before, ...settings }),
        }),
      ),
    }
  })
