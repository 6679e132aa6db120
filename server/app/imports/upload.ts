/** Reads a file for the user to review. Nothing is imported yet. */
import { createHash } from 'node:crypto'
import { validationFailed } from '../../domain/errors/app-error.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { piecesOfBase64 } from '../../platform/processes/parsers.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import type {
  discardImportContract,
  ImportKind,
  ImportOptions,
  Mapping,
  uploadImportContract,
} from './contract.ts'
import { fieldList, IMPORT_FIELDS } from './fields.ts'
import { foldedTitle, guessDateOrder, guessDecimalSign, guessHeader, guessMapping } from './guess.ts'
import type { FileRow } from '../../platform/spreadsheets/cells.ts'
import { findRun, saveCells, lastRuns, runView, titlesOf } from './runs.ts'
import { textOf } from '../../platform/spreadsheets/values.ts'

const REMEMBERED_RUNS = 5
/** Age at which an abandoned upload is deleted. */
const FORGOTTEN_AFTER_MS = 24 * 60 * 60 * 1000

async function rememberedTitles(ctx: Ctx, kind: ImportKind): Promise<Record<string, string>> {
  const remembered: Record<string, string> = {}
  // Newest last, so that it wins.
  for (const run of (await lastRuns(ctx, kind, REMEMBERED_RUNS)).toReversed()) {
    const { columns, mapping } = runView(run)
    for (const [name, column] of Object.entries(mapping)) {
      const title = foldedTitle(columns[column]?.title ?? '')
      if (title) remembered[title] = name
    }
  }
  return remembered
}

/** Fills in the options that a mapping suggests; the user's choices stay. */
export function completeOptions(
  kind: ImportKind,
  mapping: Mapping,
  rows: readonly FileRow[],
  chosen: ImportOptions,
): Required<ImportOptions> {
  return {
    onDuplicate: chosen.onDuplicate ?? 'skip',
    dateOrder: chosen.dateOrder ?? guessDateOrder(kind, mapping, rows),
    decimalSign: chosen.decimalSign ?? guessDecimalSign(kind, mapping, rows),
  }
}

/** Validates a mapping: known fields, one column each, and all required ones present. */
export function assertMapping(kind: ImportKind, mapping: Mapping, columns: number): void {
  const fields = IMPORT_FIELDS[kind]
  const faults = [
    ...Object.entries(mapping).flatMap(([name, column]) =>
      fields.some((field) => field.name === name) && column < columns
        ? []
        : [
            {
              code: 'unknown_field',
              field: `mapping.${name}`,
              severity: 'error' as const,
              message: 'There is no such field or column.',
            },
          ],
    ),
    ...fields.flatMap((field) =>
      field.required && mapping[field.name] === undefined
        ? [
            {
              code: 'import_field_missing',
              field: `mapping.${field.name}`,
              severity: 'error' as const,
              message: `No column is chosen for ${field.name}.`,
              fix: 'Choose the column it is read from.',
              params: { name: field.name },
            },
          ]
        : [],
    ),
  ]
  if (faults.length > 0) throw validationFailed(faults)
}

/** Reads a file outside any transaction, then stores its cells for the following steps. */
export const uploadImport: UseCase<typeof uploadImportContract> = async (
  ctx,
  { kind, fileName, content, sheet },
) => {
  const { readTableInChildProcess } = await import('./read-file.ts')
  const hash = createHash('sha256')
  const file = await readTableInChildProcess(
    piecesOfBase64(content, (piece) => hash.update(piece)),
    sheet,
  )
  const sha256 = hash.digest()
  const at = guessHeader(kind, file.rows)
  const header = orNotFound(file.rows[at])
  const rows = file.rows.slice(at + 1)
  if (rows.length === 0)
    throw validationFailed([
      {
        code: 'import_file_empty',
        field: 'content',
        severity: 'error',
        message: 'The file needs a row of titles and at least one of data.',
        fix: 'Download the template to see how it is laid out.',
      },
    ])
  const mapping = guessMapping(kind, header.cells.map(textOf), await rememberedTitles(ctx, kind))
  const options = completeOptions(kind, mapping, rows, {})
  return ctx.transaction(async (tx) => {
    const now = tx.now().getTime()
    await tx.db
      .deleteFrom('import_runs')
      .where('book_id', '=', tx.book.id)
      .where('state', '=', 'draft')
      .where('created_at', '<', now - FORGOTTEN_AFTER_MS)
      .execute()
    const publicId = tx.newId('imp')
    await tx.db
      .insertInto('import_runs')
      .values({
        book_id: tx.book.id,
        public_id: publicId,
        kind,
        state: 'draft',
        file_name: fileName,
        sha256,
        format: file.format,
        titles: JSON.stringify(titlesOf(header, rows)),
        mapping: JSON.stringify(mapping),
        options: JSON.stringify(options),
        first_row: header.row + 1,
        rows: rows.length,
        created_at: now,
      })
      .execute()
    const run = await findRun(tx, publicId)
    await saveCells(tx, run.id, rows)
    return {
      run: runView(run),
      sheets: file.sheets,
      encoding: file.encoding,
      delimiter: file.delimiter,
      fields: fieldList(kind),
    }
  })
}

/** Deletes a draft with its cells. */
export const discardImport: UseCase<typeof discardImportContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const run = await findRun(tx, id)
    if (run.state !== 'draft') throw new AppError('import_state', { details: { state: run.state } })
    await tx.db.deleteFrom('import_runs').where('id', '=', run.id).execute()
    await emitEvent(tx, 'import.changed', { importId: id })
    return { deleted: true }
  })
