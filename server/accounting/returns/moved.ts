/**
 * Returns that were filed before the books came here. They are stored as filings, so that what they carry on follows them,
 * and belong to the move that brought them, which deletes them again when it is undone.
 */
import { findCompany } from '../../company/index.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Ctx } from '../../context.ts'
import { standingOf, verdictOf } from './calendar/filing-duty.ts'
import { obligationOf } from './calendar/obligations.ts'
import type { ReturnPeriod } from './calendar/periods.ts'
import { ModelNumber } from './contract.ts'
import type { Outcome } from './contract.ts'
import { boxesOf } from './files/boxes.ts'
import { layoutFor } from './files/layout.ts'
import { factsOf } from './files/read.ts'
import { outcomeOf, RESULT_BOX } from './import-filing.ts'
import { computedOf } from './models/models.ts'
import type { BoxValue } from './models/boxes.ts'
import { isOwnNumber, isWhole, periodOfFile, readContent } from './read-file.ts'
import { findFilings, insertFiling } from './rows.ts'

interface MovedReturn {
  model: ModelNumber
  period: ReturnPeriod
  /** As they were filed: cents, hundredths of a percent, or a count. */
  boxes: Readonly<Record<string, number>>
  /** Null: as the result says. */
  outcome: Outcome | null
  /** Null: nobody knows; the last day of its term is taken. */
  filedOn: BusinessDate | null
  reference: string | null
  source: 'marked' | 'file'
}

/** Stores a return as the filing of its period; boxes that nobody told are stored as they are computed. Returns its row. */
export async function storeMovedReturn(tx: Ctx, moved: MovedReturn): Promise<number> {
  const { model, period } = moved
  const { values } = await computedOf(tx, model, period)
  const boxes = { ...Object.fromEntries(values.map(({ box, value }) => [box.box, value])), ...moved.boxes }
  const resultCents = boxes[RESULT_BOX[model] ?? ''] ?? 0
  const { dueTo } = obligationOf(model, period, tx.today())
  const publicId = tx.newId('fil')
  await insertFiling.run(tx.db, {
    bookId: tx.book.id,
    publicId,
    model,
    year: period.year,
    period: period.code,
    filedOn: moved.filedOn ?? (dueTo < tx.today() ? dueTo : tx.today()),
    outcome: moved.outcome ?? (resultCents < 0 ? 'offset' : outcomeOf(model, null, resultCents)),
    resultCents,
    reference: moved.reference,
    boxes: JSON.stringify(boxes),
    createdAt: tx.now().getTime(),
    nature: 'first',
    source: moved.source,
    receipt: null,
    withdrawnAt: null,
    replacedBy: null,
  })
  const filing = (await findFilings(tx, model, { from: period.year, to: period.year })).get(
    `${period.year} ${period.code}`,
  )
  if (filing?.publicId !== publicId) throw new Error('The filing was not stored.')
  return filing.id
}

/** Deletes a return that a move brought. The move must still name it. */
export async function dropMovedReturn(tx: Ctx, rowId: number): Promise<void> {
  await tx.db.deleteFrom('filings').where('book_id', '=', tx.book.id).where('id', '=', rowId).execute()
}

interface ReadReturn {
  model: ModelNumber
  year: number
  period: string
  boxes: Record<string, number>
  outcome: Outcome
}

/** Why a file says nothing about the returns of these books. */
type ReturnRefusal = 'return_file_other_filer' | 'return_file_not_listed' | 'return_file_partial'

/** Reads a file made for the tax agency as a return of this company. Throws `validation_failed`, or `no_file_layout`. */
export async function readMovedReturn(
  ctx: Ctx,
  content: string,
): Promise<ReadReturn | { refused: ReturnRefusal }> {
  const { file } = await readContent(content)
  const layout = await layoutFor(file.model, file.year)
  const { kind, nature, taxNumber } = factsOf(file)
  if (!(await isOwnNumber(ctx, taxNumber))) return { refused: 'return_file_other_filer' }
  const model = ModelNumber.safeParse(file.model).data
  const period = model === undefined ? null : await periodOfFile(ctx, model, file)
  if (model === undefined || period === null) return { refused: 'return_file_not_listed' }
  if (!isWhole(model, nature)) return { refused: 'return_file_partial' }
  const boxes: Record<string, number> = {}
  // Of a box on several pages the first counts.
  for (const { box, value } of boxesOf(layout, file.records)) boxes[box] ??= value
  return {
    model,
    year: period.year,
    period: period.code,
    boxes,
    outcome: outcomeOf(model, kind, boxes[RESULT_BOX[model] ?? ''] ?? 0),
  }
}

/** A return as these books compute it, and whether the business files it: null where nobody can know. */
interface ComputedReturn {
  values: readonly BoxValue[]
  applies: boolean | null
}

export async function computedReturn(
  ctx: Ctx,
  model: ModelNumber,
  period: ReturnPeriod,
): Promise<ComputedReturn> {
  const { applies } = verdictOf(model, await standingOf(ctx, period), period.year)
  const { values } = await computedOf(ctx, model, period)
  return { values, applies }
}

/** Returns the tax number of the company as files write it. */
export async function ownNumber(ctx: Ctx): Promise<string> {
  return (await findCompany(ctx)).nif.toUpperCase().replace(/[^0-9A-Z]/g, '')
}
