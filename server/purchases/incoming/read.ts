/** Reads a document that has come in, and assesses it. */
import { filesOf, readFile as readBytes } from '../../platform/attachments/index.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { emitEvent } from '../../platform/events/index.ts'
import type { Ctx } from '../../context.ts'
import { findReceivedByRow } from '../invoices/index.ts'
import type { PageRange } from '../intake/read-result.ts'
import { READER_VERSION } from '../intake/run.ts'
import type { ReadOptions } from '../intake/run.ts'
import { proposeEntry } from './propose.ts'
import type { ProposedEntry } from './propose.ts'
import { recordIncoming } from './add.ts'
import { isSameCode } from './arrivals/code.ts'
import { writeFacts } from './arrivals/rows.ts'
import { compareSame, joinSame } from './arrivals/same.ts'
import type { IncomingReading } from './contract.ts'
import { findIncomingDuplicate } from './related/duplicates.ts'
import { columnsOf } from './facts.ts'
import { doubtsOf, stateOf } from './assess.ts'
import { INCOMING_TARGET, incomingByRow, readingOf, updateIncoming, WRAPPINGS } from './rows.ts'
import type { IncomingRow } from './rows.ts'
import { factsOfRow } from './view.ts'

/** Longest reading that is stored, in characters. */
const MAX_READING = 256 * 1024

const rangeOf = ({ first_page: first, last_page: last }: IncomingRow): PageRange | null =>
  first === null || last === null ? null : { first, last }

/** Reads the files of a document. Throws `file_unreadable`, `too_busy`, or the reason of the signal. */
export async function readDocument(ctx: Ctx, row: IncomingRow, options: ReadOptions): Promise<ProposedEntry> {
  const linked = await filesOf(ctx, { type: INCOMING_TARGET, id: row.id })
  const own = linked.filter(({ media_type }) => !WRAPPINGS.includes(media_type))
  const files = own.length > 0 ? own : linked
  const contents = []
  for (const file of files) contents.push({ bytes: await readBytes(ctx, file), mediaType: file.media_type })
  return proposeEntry(ctx, contents, { ...options, pages: rangeOf(row) })
}

/** A reading that fits its column: evidence and alternatives only help to look at it. */
function stored({ proposal, warnings, invoices, places }: ProposedEntry): string {
  const reading: IncomingReading = { proposal, warnings, invoices, places }
  const text = JSON.stringify(reading)
  if (text.length <= MAX_READING) return text
  const { layout: _layout, ...rest } = proposal
  return JSON.stringify({ ...reading, proposal: { ...rest, evidence: {}, alternatives: {} } })
}

/** Returns the columns of what was read of a document. */
export function columnsOfReading(
  { id, first_page: first, last_page: last }: IncomingRow,
  files: readonly { id: number }[],
  read: ProposedEntry,
) {
  const picture = read.pictureHash === null ? null : Buffer.from(read.pictureHash, 'hex')
  return {
    ...columnsOf(factsOfRow({ id, picture_hash: picture }, files, read.proposal)),
    reading: stored(read),
    doubts: JSON.stringify(doubtsOf(read.proposal)),
    pages: first === null || last === null ? read.pageCount : last - first + 1,
    engine: READER_VERSION,
    due_at: null,
    lease_until: null,
  }
}

/**
 * Writes what was read of a document, unless it was changed meanwhile: entered, rejected, split, joined or claimed again.
 * Call it in a transaction.
 */
export async function settleRead(ctx: Ctx, taken: IncomingRow, read: ProposedEntry): Promise<void> {
  const row = await incomingByRow(ctx, taken.id)
  if (!row || row.state !== 'reading' || row.version !== taken.version) return
  const files = await filesOf(ctx, { type: INCOMING_TARGET, id: row.id })
  const picture = read.pictureHash === null ? null : Buffer.from(read.pictureHash, 'hex')
  const facts = factsOfRow({ id: row.id, picture_hash: picture }, files, read.proposal)
  const duplicate = await findIncomingDuplicate(ctx, facts)
  const same = await compareSame(ctx, row, read.proposal, duplicate)
  await writeFacts(ctx, row.id, same)
  const warnings = [...read.warnings, ...same.warnings]
  const state = stateOf(read.proposal, warnings, duplicate)
  const after = await updateIncoming(ctx, row, {
    ...columnsOfReading(row, files, { ...read, warnings }),
    state,
    why: state === 'failed' ? 'nothing_found' : null,
    duplicate_of: duplicate === null ? null : JSON.stringify(duplicate),
  })
  await recordIncoming(ctx, 'incoming.read', after)
  if (same.target !== null && same.joins) await joinSame(ctx, after, same.target)
}

/** Documents that are assessed again after a decision, at most. */
const MOST_OTHERS = 50

/**
 * Assesses again the waiting documents with the number or total of one about which something was decided: they may repeat
 * the entry now, or no longer repeat a document that was rejected. Call it in a transaction.
 */
export async function assessOthers(ctx: Ctx, decided: IncomingRow): Promise<void> {
  const { number_key: number, total_cents: total } = decided
  if (number === null && total === null) return
  const rows = await ctx.db
    .selectFrom('incoming_documents')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('id', '<>', decided.id)
    .where('state', 'in', ['ready', 'doubtful', 'duplicate'])
    .where((eb) =>
      eb.or([
        ...(number === null ? [] : [eb('number_key', '=', number)]),
        ...(total === null ? [] : [eb('total_cents', '=', total)]),
      ]),
    )
    .orderBy('id')
    .limit(MOST_OTHERS)
    .execute()
  await assessAgain(ctx, rows)
}

/**
 * Assesses again the waiting documents under the code of a purchase that was entered without them: they repeat it now, and
 * those that say the same join it. Call it in a transaction.
 */
export async function assessEntered(ctx: Ctx, receivedRow: number): Promise<void> {
  const entry = await findReceivedByRow(ctx, receivedRow)
  if (!entry || entry.supplier_nif === null) return
  const code = { nif: entry.supplier_nif, number: entry.supplier_number, issueDate: entry.issue_date }
  const rows = await ctx.db
    .selectFrom('incoming_documents')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('state', 'in', ['ready', 'doubtful', 'duplicate'])
    .where('supplier_nif', '=', entry.supplier_nif)
    .where('issue_date', '=', entry.issue_date)
    .orderBy('id')
    .limit(MOST_OTHERS)
    .execute()
  await assessAgain(
    ctx,
    rows.filter((row) =>
      isSameCode(code, { nif: row.supplier_nif, number: row.supplier_number, issueDate: row.issue_date }),
    ),
  )
}

async function assessAgain(ctx: Ctx, rows: readonly IncomingRow[]): Promise<void> {
  for (const row of rows) {
    const reading = readingOf(row)
    if (reading === null) continue
    const files = await filesOf(ctx, { type: INCOMING_TARGET, id: row.id })
    const duplicate = await findIncomingDuplicate(ctx, factsOfRow(row, files, reading.proposal))
    const state = stateOf(reading.proposal, reading.warnings, duplicate)
    const text = duplicate === null ? null : JSON.stringify(duplicate)
    if (state === row.state && text === row.duplicate_of) continue
    const after = await updateIncoming(ctx, row, { state, duplicate_of: text })
    await emitEvent(ctx, 'incoming.changed', { documentId: after.public_id, state })
    const same = await compareSame(ctx, after, reading.proposal, duplicate)
    if (same.target !== null && same.joins) await joinSame(ctx, after, same.target)
  }
}

/** Writes that a document could not be read, or that it has to wait. Call it in a transaction. */
export async function settleUnread(
  ctx: Ctx,
  taken: IncomingRow,
  outcome: { why: string } | { dueAt: number; counts: boolean },
): Promise<void> {
  const row = await incomingByRow(ctx, taken.id)
  if (!row || row.state !== 'reading' || row.version !== taken.version) return
  if ('why' in outcome) {
    const after = await updateIncoming(ctx, row, {
      state: 'failed',
      why: outcome.why,
      due_at: null,
      lease_until: null,
    })
    return recordIncoming(ctx, 'incoming.read', after)
  }
  await updateIncoming(ctx, row, {
    state: 'queued',
    due_at: outcome.dueAt,
    lease_until: null,
    // Work that was cut off says nothing about the document.
    ...(outcome.counts ? {} : { attempts: row.attempts - 1 }),
  })
}

/** Returns why a document cannot be read; null if it should be tried again. */
export function whyUnread(error: unknown): string | null {
  if (!(error instanceof AppError) || error.code !== 'file_unreadable') return null
  return typeof error.details?.['why'] === 'string' ? error.details['why'] : 'broken'
}
