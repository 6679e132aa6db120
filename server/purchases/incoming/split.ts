/** Splits a file with several invoices, and joins files that are one. */
import { filesOf, linkFile, unlinkFile } from '../../platform/attachments/index.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { error } from '../fault.ts'
import { recordIncoming } from './add.ts'
import { moveArrivals } from './arrivals/rows.ts'
import type { IncomingSummary, joinIncomingContract, splitIncomingContract } from './contract.ts'
import { undecided } from './decide.ts'
import {
  deleteIncoming,
  INCOMING_TARGET,
  insertIncoming,
  NO_READING,
  updateIncoming,
  waiting,
  WRAPPINGS,
} from './rows.ts'
import type { IncomingRow } from './rows.ts'
import { incomingView } from './view.ts'

/** Files that are pages; a mail beside them is what they came in. */
async function pagesOf(ctx: Ctx, row: IncomingRow) {
  const files = await filesOf(ctx, { type: INCOMING_TARGET, id: row.id })
  return { files, pages: files.filter(({ media_type }) => !WRAPPINGS.includes(media_type)) }
}

const summaryOf = async (ctx: Ctx, row: IncomingRow) => {
  const {
    attachments: _files,
    reading: _reading,
    input: _input,
    matches: _matches,
    decidedAt: _at,
    decidedBy: _by,
    ...summary
  } = await incomingView(ctx, row)
  return summary satisfies IncomingSummary
}

/** Splits a document at pages; each part is read by itself. */
export const splitIncoming: UseCase<typeof splitIncomingContract> = (ctx, { starts, ...wanted }) =>
  ctx.transaction(async (tx) => {
    const row = await undecided(tx, wanted)
    const { files, pages } = await pagesOf(tx, row)
    const first = row.first_page ?? 0
    const count = row.pages
    if (pages.length !== 1 || pages[0]?.media_type !== 'application/pdf' || count === null || count < 2)
      throw new AppError('incoming_one_file', { details: { pages: count, files: pages.length } })
    const last = first + count - 1
    const isAscending = starts.every((start, at) => start > (starts[at - 1] ?? first) && start <= last)
    if (!isAscending)
      throw validationFailed([
        error(
          'pages_out_of_order',
          'starts',
          'The pages are not within the document, in ascending order.',
          `Name pages after ${first}, up to ${last}.`,
          { first, last },
        ),
      ])
    const begins = [first, ...starts]
    const parts: IncomingRow[] = []
    for (const [at, begin] of begins.entries()) {
      const range = { first_page: begin, last_page: (starts[at] ?? last + 1) - 1 }
      const part =
        at === 0
          ? row
          : await insertIncoming(tx, {
              name: row.name,
              source: row.source,
              sourceRowId: row.source_id,
              sender: row.sender,
            })
      if (at > 0)
        for (const file of files) await linkFile(tx, file.id, { type: INCOMING_TARGET, id: part.id })
      const length = range.last_page - range.first_page + 1
      parts.push(await updateIncoming(tx, part, { ...waiting(tx), ...NO_READING, ...range, pages: length }))
    }
    tx.wake('incoming')
    for (const part of parts) await recordIncoming(tx, 'incoming.split', part)
    return { items: await Promise.all(parts.map((part) => summaryOf(tx, part))) }
  })

/** Files of one document, and their bytes together: they are in memory at once while it is read. */
const MOST_JOINED = 20
const MOST_JOINED_BYTES = 50 * 1024 * 1024

/** Joins documents into the first; their files follow its own in the order of the request. */
export const joinIncoming: UseCase<typeof joinIncomingContract> = (ctx, { others, ...wanted }) =>
  ctx.transaction(async (tx) => {
    const row = await undecided(tx, wanted)
    const rest: IncomingRow[] = []
    for (const id of new Set(others)) if (id !== row.public_id) rest.push(await undecided(tx, { id }))
    if (rest.length === 0 || [row, ...rest].some(({ first_page }) => first_page !== null))
      throw new AppError('incoming_one_file', { details: { documents: rest.length + 1 } })
    const target = { type: INCOMING_TARGET, id: row.id }
    const all = [...(await pagesOf(tx, row)).files]
    for (const other of rest) all.push(...(await pagesOf(tx, other)).files)
    const bytes = all.reduce((sum, { size }) => sum + size, 0)
    if (all.length > MOST_JOINED || bytes > MOST_JOINED_BYTES)
      throw new AppError('incoming_one_file', { details: { files: all.length, bytes } })
    let position = 0
    for (const other of rest) {
      const { files } = await pagesOf(tx, other)
      for (const file of files) {
        // Linked before it is unlinked, so that it is never without a record.
        await linkFile(tx, file.id, target, ++position)
        await unlinkFile(tx, file.id, { type: INCOMING_TARGET, id: other.id })
      }
      await moveArrivals(tx, other.id, row.id)
      await deleteIncoming(tx, other)
    }
    const after = await updateIncoming(tx, row, { ...waiting(tx), ...NO_READING, pages: null })
    tx.wake('incoming')
    await recordIncoming(tx, 'incoming.joined', after)
    return incomingView(tx, after)
  })
