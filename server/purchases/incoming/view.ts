/** Answers of incoming documents, in the shapes of the contract. */
import { attachmentView, filesOf } from '../../platform/attachments/index.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { eurosFromCents } from '../../domain/money.ts'
import type { Ctx } from '../../context.ts'
import type { Proposal } from '../intake/contract.ts'
import type { Incoming, IncomingSummary } from './contract.ts'
import { inputOfProposal } from './entry-input.ts'
import { factsOf } from './facts.ts'
import type { IncomingFacts } from './facts.ts'
import { matchesOf } from './related/matches.ts'
import { duplicateOf, entryOf, INCOMING_TARGET, nameOfSource, readingOf, WRAPPINGS } from './rows.ts'
import type { IncomingRow } from './rows.ts'

export interface ListedRow extends Omit<IncomingRow, 'reading'> {
  source_name: string | null
  entry_id: string | null
  files: number
}

/** Returns a row of the list. */
export function incomingSummary(row: ListedRow): IncomingSummary {
  return {
    id: row.public_id,
    state: row.state,
    source: row.source,
    sourceName: row.source_name,
    name: row.name,
    sender: row.sender,
    receivedAt: new Date(row.received_at).toISOString(),
    pages:
      row.first_page === null || row.last_page === null
        ? null
        : { first: row.first_page, last: row.last_page },
    pageCount: row.pages,
    pagesRead: row.pages_read,
    files: Number(row.files),
    why: row.why,
    supplierName: row.supplier_name,
    supplierNif: row.supplier_nif,
    supplierNumber: row.supplier_number,
    issueDate: row.issue_date as BusinessDate | null,
    total: row.total_cents === null ? null : eurosFromCents(row.total_cents),
    currency: row.currency,
    doubts: JSON.parse(row.doubts) as string[],
    duplicateOf: duplicateOf(row),
    receivedId: row.entry_id,
    version: row.version,
  }
}

/** Returns the facts of a document by which others are found. */
export function factsOfRow(
  { id, picture_hash }: Pick<IncomingRow, 'id' | 'picture_hash'>,
  files: readonly { id: number }[],
  proposal: Proposal,
): IncomingFacts {
  const pictureHash = picture_hash === null ? null : Buffer.from(picture_hash).toString('hex')
  return factsOf({ rowId: id, fileIds: files.map((file) => file.id), pictureHash }, proposal)
}

/** Returns one document with what was read of it. */
export async function incomingView(ctx: Ctx, row: IncomingRow): Promise<Incoming> {
  const linked = await filesOf(ctx, { type: INCOMING_TARGET, id: row.id })
  // Pages are counted over the files that are read, which come first.
  const isWrapping = ({ media_type }: (typeof linked)[number]): boolean => WRAPPINGS.includes(media_type)
  const files = [...linked.filter((file) => !isWrapping(file)), ...linked.filter(isWrapping)]
  const entry = await entryOf(ctx.db, row)
  const reading = readingOf(row)
  return {
    ...incomingSummary({
      ...row,
      source_name: row.source_id === null ? null : await nameOfSource(ctx.db, row.source_id),
      entry_id: entry?.public_id ?? null,
      files: files.length,
    }),
    attachments: files.map(attachmentView),
    reading,
    input: reading === null ? null : inputOfProposal(reading.proposal, ctx.today()),
    matches:
      reading === null || row.received_id !== null
        ? []
        : await matchesOf(ctx, factsOfRow(row, files, reading.proposal)),
    decidedAt: row.decided_at === null ? null : new Date(row.decided_at).toISOString(),
    decidedBy: row.decided_by,
  }
}
