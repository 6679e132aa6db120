/** Takes what a file of a filed return says into the proof of a move. */
import {
  computedReturn,
  isModel,
  ownNumber,
  periodOfFile,
  readMovedReturn,
} from '../../../accounting/returns/index.ts'
import type { ModelNumber } from '../../../accounting/returns/contract.ts'
import { textOfPdf } from '../../../purchases/intake/run.ts'
import type { Ctx } from '../../../context.ts'
import type { HistoryFault } from '../files/types.ts'
import { findRun } from '../rows.ts'
import { provenBoxes, readReturnPages } from './read-pdf.ts'
import { changeReturn } from './say.ts'
import type { StoredReturn } from './stored.ts'

const MESSAGES = {
  return_file_other_filer: 'The return is not of this company.',
  return_file_not_listed: 'Sello does not list such a return, or not by such periods.',
  return_file_partial: 'A complementary declaration only adds records to an earlier one.',
  return_pdf_unknown: 'The text of the PDF does not say which return of which period it is.',
  return_after_first_day: 'That return belongs to the time in these books.',
} as const

const fault = (code: keyof typeof MESSAGES): HistoryFault => ({
  code,
  field: 'content',
  severity: 'error',
  message: MESSAGES[code],
  fix: 'Type what was filed.',
  entry: null,
  sheet: null,
  row: null,
  column: null,
})

type Found = Pick<StoredReturn, 'model' | 'year' | 'period' | 'boxes' | 'guesses' | 'outcome' | 'source'>

async function readPdf(ctx: Ctx, content: string): Promise<Found | HistoryFault> {
  const pages = await textOfPdf(Buffer.from(content, 'base64'), ctx.today())
  const { model, year, period: code, text, boxes: read } = readReturnPages(pages)
  if (model === null || year === null || code === null || !isModel(model)) return fault('return_pdf_unknown')
  if (!text.includes(await ownNumber(ctx))) return fault('return_file_other_filer')
  const number = model as ModelNumber
  const period = await periodOfFile(ctx, number, { year, period: code })
  if (period === null) return fault('return_file_not_listed')
  const { values } = await computedReturn(ctx, number, period)
  const { certain, guesses } = provenBoxes(read, values)
  return { model: number, year, period: code, boxes: certain, guesses, outcome: null, source: 'pdf' }
}

async function readText(ctx: Ctx, content: string): Promise<Found | HistoryFault> {
  const read = await readMovedReturn(ctx, content)
  return 'refused' in read ? fault(read.refused) : { ...read, guesses: {}, source: 'file' }
}

/**
 * Reads the file and keeps what it says; a box that a person has typed stays as typed. Returns what keeps it from being
 * used, or null. Throws like the readers of the files.
 */
export async function takeReturn(
  ctx: Ctx,
  moveId: string,
  file: { name: string; content: string; kind: 'return_file' | 'pdf' },
): Promise<HistoryFault | null> {
  const found = await (file.kind === 'pdf' ? readPdf : readText)(ctx, file.content)
  if (!('model' in found)) return found
  return ctx.transaction(async (tx) => {
    const run = await findRun(tx, moveId)
    const period = await periodOfFile(tx, found.model, found)
    if (period === null || period.from >= run.first_day) return fault('return_after_first_day')
    await changeReturn(tx, run, found, (before) => {
      const isTyped = before.source === 'typed' && Object.keys(before.boxes).length > 0
      const boxes = isTyped ? { ...found.boxes, ...before.boxes } : found.boxes
      return {
        ...before,
        boxes,
        guesses: Object.fromEntries(
          Object.entries(found.guesses).filter(([box]) => boxes[box] === undefined),
        ),
        source: isTyped ? 'typed' : found.source,
        fileName: file.name,
        outcome: before.outcome ?? found.outcome,
      }
    })
    return null
  })
}
