/** Stores what is read of a file, in portions: each is one transaction, and tells the window. */
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Ctx } from '../../../context.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { saveRead } from '../rows.ts'
import type { ReadRow } from '../rows.ts'
import type { StoredRecognition, StoredSum, StoredSummary } from '../stored.ts'
import { sumsInOrder } from './sums.ts'

/** Rows stored per transaction, few enough that other requests do not wait. */
const AT_ONCE = 200
const MAX_FAULTS = 200
const MAX_SKIPPED = 200

export class FileStore {
  readonly sums = new Map<string, StoredSum>()
  readonly summary: StoredSummary
  private readonly ctx: Ctx
  private readonly fileId: number
  private readonly moveId: string
  private position = 0

  constructor(ctx: Ctx, file: { id: number; moveId: string }, summary: StoredSummary) {
    this.ctx = ctx
    this.fileId = file.id
    this.moveId = file.moveId
    this.summary = summary
  }

  /** Keeps faults of the whole file, the first of them. */
  addFaults(faults: StoredSummary['faults']): void {
    this.summary.faults.push(...faults.slice(0, Math.max(0, MAX_FAULTS - this.summary.faults.length)))
  }

  addSkipped(rows: StoredSummary['skippedRows']): void {
    const { skippedRows } = this.summary
    skippedRows.push(...rows.slice(0, Math.max(0, MAX_SKIPPED - skippedRows.length)))
  }

  /** Stores rows. Throws `moving_state` if the file was removed or added again meanwhile. */
  async store(rows: readonly Omit<ReadRow, 'position'>[]): Promise<void> {
    for (let from = 0; from === 0 || from < rows.length; from += AT_ONCE) {
      const part = rows.slice(from, from + AT_ONCE).map((row) => ({ ...row, position: this.position++ }))
      await this.change({}, (tx) => (part.length > 0 ? saveRead(tx, this.fileId, part) : Promise.resolve()))
    }
  }

  /** Ends the reading. */
  async finish(
    state: 'read' | 'refused',
    recognition: StoredRecognition,
    counts: { failed: number },
  ): Promise<void> {
    await this.change(
      { state, recognition: JSON.stringify(recognition), failed: counts.failed },
      async (tx) => {
        // Of a file that cannot be read whole, nothing is taken in.
        if (state === 'refused') {
          await tx.db.deleteFrom('moving_rows').where('file_id', '=', this.fileId).execute()
          await tx.db.updateTable('moving_files').set({ waiting: 0 }).where('id', '=', this.fileId).execute()
        }
        await countDocuments(tx, this.fileId)
      },
    )
  }

  private async change(
    values: { state?: 'read' | 'refused'; recognition?: string; failed?: number },
    work: (tx: Ctx) => Promise<void>,
  ): Promise<void> {
    const summary = JSON.stringify({ ...this.summary, sums: sumsInOrder(this.sums) })
    await this.ctx.transaction(async (tx) => {
      const { numUpdatedRows } = await tx.db
        .updateTable('moving_files')
        .set({ summary, ...values })
        .where('id', '=', this.fileId)
        .where('state', '=', 'reading')
        .executeTakeFirst()
      if (Number(numUpdatedRows) === 0) throw new AppError('moving_state', { details: { state: 'replaced' } })
      await work(tx)
      await emitEvent(tx, 'moving.changed', { moveId: this.moveId })
    })
  }
}

/** Counts the rows that the files of a run wait to be taken in. */
async function countDocuments(tx: Ctx, fileId: number): Promise<void> {
  const { run_id: runId } = await tx.db
    .selectFrom('moving_files')
    .select('run_id')
    .where('id', '=', fileId)
    .executeTakeFirstOrThrow()
  await recount(tx, runId)
}

/** Counts what the files of a run bring. */
export async function recount(tx: Ctx, runId: number): Promise<void> {
  const { documents } = await tx.db
    .selectFrom('moving_files')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('waiting'), eb.lit(0)).as('documents'))
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow()
  await tx.db
    .updateTable('moving_runs')
    .set({ documents: Number(documents) })
    .where('id', '=', runId)
    .execute()
}
