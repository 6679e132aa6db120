/** Stores a file that another program made for the tax agency as the return that was filed for its period. */
import { recordAudit } from '../../platform/audit/index.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { ModelNumber } from './contract.ts'
import type { FiscalModel, Outcome } from './contract.ts'
import { boxesOf, boxNumbersOf } from './files/boxes.ts'
import type { fiscalImportFilingContract } from './files/contract.ts'
import type { ReturnFile } from './files/file.ts'
import { layoutFor } from './files/layout.ts'
import { factsOf } from './files/read.ts'
import { computedOf, modelView } from './models/models.ts'
import { isOwnNumber, isWhole, periodOfFile, readContent } from './read-file.ts'
import { findFilings, insertFiling } from './rows.ts'

/** Boxes of the result; returns without one only inform. */
export const RESULT_BOX: Partial<Record<ModelNumber, string>> = {
  '111': '30',
  '115': '05',
  '123': '14',
  '130': '19',
  '131': '15',
  '303': '71',
  '369': '02',
  '420': '45',
}

/** What the agency's letters of the kind of return mean. The 369 has others, of which only its result is used. */
const OUTCOMES: Readonly<Record<string, Outcome>> = {
  I: 'pay',
  U: 'pay',
  G: 'pay',
  N: 'none',
  B: 'offset',
  C: 'offset',
  D: 'refund',
  V: 'refund',
  X: 'refund',
}

export function outcomeOf(model: ModelNumber, kind: string | null, resultCents: number): Outcome {
  const stated = model === '369' ? undefined : OUTCOMES[kind ?? '']
  if (stated) return stated
  return resultCents > 0 ? 'pay' : 'none'
}

const refuse = (code: string, field: string, message: string, fix?: string): never => {
  throw validationFailed([{ code, field, severity: 'error', message, ...(fix ? { fix } : {}) }])
}

/**
 * Stores a file as the filing of its period, with the boxes that it states; of records that of the filer is enough.
 * Boxes that its design does not have are stored as they are computed now, so that they do not count as changed.
 * Throws `already_filed`, `no_file_layout`, and `validation_failed` if the return is not of this company, not whole,
 * or of a period that returns are not listed by.
 */
export async function importFiling(
  ctx: Ctx,
  file: ReturnFile,
  filedOn: BusinessDate,
  reference: string | null,
): Promise<{ number: ModelNumber; model: FiscalModel }> {
  const layout = await layoutFor(file.model, file.year)
  return ctx.transaction(async (tx) => {
    const { kind, nature, taxNumber } = factsOf(file)
    if (!(await isOwnNumber(tx, taxNumber)))
      refuse('return_file_other_filer', 'content', 'The return is not of this company.')
    const model = ModelNumber.safeParse(file.model).data
    const period = model === undefined ? null : await periodOfFile(tx, model, file)
    if (model === undefined || period === null)
      return refuse(
        'return_file_not_listed',
        'content',
        'Sello does not list such a return, or not by such periods.',
      )
    if (!isWhole(model, nature))
      refuse(
        'return_file_partial',
        'content',
        'A complementary declaration only adds records to an earlier one.',
        'Store the earlier declaration.',
      )
    const filings = await findFilings(tx, model, { from: period.year, to: period.year })
    if (filings.has(`${period.year} ${period.code}`)) throw new AppError('already_filed')
    if (filedOn > tx.today() || filedOn <= period.from)
      refuse(
        'date_out_of_range',
        'filedOn',
        'A return is filed after its period began, and not in the future.',
      )
    const stated = boxNumbersOf(layout)
    const { values } = await computedOf(tx, model, period)
    const boxes = Object.fromEntries([
      ...values.filter(({ box }) => !stated.has(box.box)).map(({ box, value }) => [box.box, value]),
      // Of a box on several pages the first counts.
      ...boxesOf(layout, file.records)
        .toReversed()
        .map(({ box, value }) => [box, value]),
    ]) as Record<string, number>
    const resultCents = boxes[RESULT_BOX[model] ?? ''] ?? 0
    const publicId = tx.newId('fil')
    await insertFiling.run(tx.db, {
      bookId: tx.book.id,
      publicId,
      model,
      year: period.year,
      period: period.code,
      filedOn,
      outcome: outcomeOf(model, kind, resultCents),
      resultCents,
      reference,
      boxes: JSON.stringify(boxes),
      createdAt: tx.now().getTime(),
      nature: nature ?? 'first',
      source: 'file',
      receipt: null,
      withdrawnAt: null,
      replacedBy: null,
    })
    await recordAudit(tx, {
      action: 'filing.marked',
      target: { type: 'filing', id: publicId, label: `${model} ${period.code} ${period.year}` },
    })
    await emitEvent(tx, 'filing.changed', { model, year: period.year, period: period.code })
    return { number: model, model: await modelView(tx, model, period) }
  })
}

/** Reads a file and stores it as the return filed for its period. */
export const importFilingFile: UseCase<typeof fiscalImportFilingContract> = async (
  ctx,
  { content, filedOn, reference },
) => {
  const { file } = await readContent(content)
  const stored = await importFiling(ctx, file, filedOn ?? ctx.today(), reference?.trim() ?? null)
  return { ...stored, year: file.year, period: file.period }
}
