/**
 * Finds the same invoice, or the same paper, in the books and among the other incoming documents. Of two documents that wait,
 * the later one is the duplicate. A code of the registry names supplier, number, day and total, so that it is found by these.
 */
import { filesOf } from '../../../platform/attachments/index.ts'
import { addDays } from '../../../domain/dates.ts'
import type { Ctx } from '../../../context.ts'
import type { IncomingDocumentsTable } from '../../../db/schema.ts'
import type { Selectable } from 'kysely'
import {
  entriesOfSupplier,
  entriesWithFile,
  findReceivedByRow,
  receptionNumber,
} from '../../invoices/index.ts'
import type { SimilarEntry } from '../../invoices/index.ts'
import { isSameNumber, isSamePicture, isSameTotal, NEAR_DAYS } from './compare.ts'
import type { Compared } from './compare.ts'
import type { DuplicateOf } from '../contract.ts'
import type { IncomingFacts } from '../facts.ts'
import { INCOMING_TARGET, incomingByRow, incomingOfFile, OPEN_STATES } from '../rows.ts'

type Row = Selectable<IncomingDocumentsTable>
type Because = DuplicateOf['because']

const comparedFacts = (facts: IncomingFacts): Compared => ({ ...facts, name: facts.supplierName })

const comparedEntry = (entry: SimilarEntry): Compared => ({
  nif: entry.supplierNif,
  name: entry.supplierName,
  number: entry.supplierNumber,
  issueDate: entry.issueDate,
  totalCents: entry.currency === 'EUR' ? entry.totalCents : entry.currencyTotalCents,
  currency: entry.currency,
})

const comparedRow = (row: Row): Compared => ({
  nif: row.supplier_nif,
  name: row.supplier_name,
  number: row.supplier_number,
  issueDate: row.issue_date,
  totalCents: row.total_cents,
  currency: row.currency ?? 'EUR',
})

const ofEntry = ({ id, receptionNumber: label }: SimilarEntry, because: Because): DuplicateOf => ({
  type: 'received',
  id,
  label,
  because,
})

const ofRow = (row: Row, because: Because): DuplicateOf => ({
  type: 'incoming',
  id: row.public_id,
  label: row.name,
  because,
})

const isOpen = ({ state }: Row): boolean => (OPEN_STATES as readonly string[]).includes(state)

/** True if two documents are different pages of one file. */
const areParts = (one: Row, other: Row): boolean =>
  one.first_page !== null && other.first_page !== null && one.first_page !== other.first_page

/** What a document came in: several of one mail share it. */
const WRAPPING = 'message/rfc822'

async function ownFiles(ctx: Ctx, { rowId, fileIds }: IncomingFacts): Promise<number[]> {
  const linked = await filesOf(ctx, { type: INCOMING_TARGET, id: rowId })
  const wrappings = linked.filter(({ media_type }) => media_type === WRAPPING).map(({ id }) => id)
  const own = fileIds.filter((id) => !wrappings.includes(id))
  return own.length > 0 ? own : [...fileIds]
}

/** Returns the document or entry that has one of the files already. */
async function sameFile(ctx: Ctx, facts: IncomingFacts): Promise<DuplicateOf | null> {
  const { rowId } = facts
  const fileIds = await ownFiles(ctx, facts)
  const own = await incomingByRow(ctx, rowId)
  const others = (await Promise.all(fileIds.map((id) => incomingOfFile(ctx, id)))).flat()
  const parts = others.filter((other) => own !== null && other.id !== rowId && areParts(own, other))
  const entryRowsOfParts = new Set(parts.map(({ received_id }) => received_id))
  const entry = (await entriesWithFile(ctx, fileIds)).find(({ rowId: row }) => !entryRowsOfParts.has(row))
  if (entry) return ofEntry(entry, 'file')
  const earlier = others.find((other) => other.id < rowId && isOpen(other) && !parts.includes(other))
  return earlier ? ofRow(earlier, 'file') : null
}

/** Returns the entries of the supplier that may be the same invoice. */
async function entriesNear(ctx: Ctx, { nif, issueDate }: IncomingFacts): Promise<SimilarEntry[]> {
  if (nif === null) return []
  const today = issueDate ?? ctx.today()
  const year = today.slice(0, 4)
  // Without a day it may be of the year before.
  const first = issueDate === null ? `${Number(year) - 1}-01-01` : `${year}-01-01`
  return entriesOfSupplier(ctx, {
    nif,
    from: [first, addDays(today, -NEAR_DAYS)].toSorted()[0] ?? first,
    to: [`${year}-12-31`, addDays(today, NEAR_DAYS)].toSorted()[1] ?? today,
  })
}

/** Returns the earlier documents that wait and the entered ones with a picture, with this number or total. */
function rowsNear(ctx: Ctx, { rowId, nif, supplierName, totalCents }: IncomingFacts): Promise<Row[]> {
  return ctx.db
    .selectFrom('incoming_documents')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('id', '<', rowId)
    .where('state', 'in', [...OPEN_STATES, 'entered'])
    .where((eb) =>
      eb.or([
        ...(nif === null ? [] : [eb('supplier_nif', '=', nif)]),
        ...(supplierName === null ? [] : [eb('supplier_name', '=', supplierName)]),
        ...(totalCents === null ? [] : [eb('total_cents', '=', totalCents)]),
        eb('id', '=', -1),
      ]),
    )
    .orderBy('id')
    .execute()
}

/** Returns the document that a row is, or the entry that was made of it; null if the entry is void. */
async function duplicateOfRow(ctx: Ctx, row: Row, because: Because): Promise<DuplicateOf | null> {
  if (row.received_id === null) return ofRow(row, because)
  const entry = await findReceivedByRow(ctx, row.received_id)
  if (!entry || entry.state !== 'entered') return null
  return {
    type: 'received',
    id: entry.public_id,
    label: receptionNumber(entry.year, entry.sequence),
    because,
  }
}

/** Returns what a document repeats, the most certain first; null if nothing. */
export async function findIncomingDuplicate(ctx: Ctx, facts: IncomingFacts): Promise<DuplicateOf | null> {
  const file = await sameFile(ctx, facts)
  if (file) return file
  const own = comparedFacts(facts)
  const entries = await entriesNear(ctx, facts)
  const rows = await rowsNear(ctx, facts)
  const open = rows.filter(isOpen)
  const byNumber = entries.find((entry) => isSameNumber(own, comparedEntry(entry)))
  if (byNumber) return ofEntry(byNumber, 'number')
  const waiting = open.find((row) => isSameNumber(own, comparedRow(row)))
  if (waiting) return ofRow(waiting, 'number')
  if (facts.totalCents !== null)
    for (const row of rows) {
      const picture = row.picture_hash === null ? null : Buffer.from(row.picture_hash).toString('hex')
      if (row.total_cents !== facts.totalCents || !isSamePicture(facts.pictureHash, picture)) continue
      const found = await duplicateOfRow(ctx, row, 'picture')
      if (found) return found
    }
  const byTotal = entries.find((entry) => isSameTotal(own, comparedEntry(entry)))
  if (byTotal) return ofEntry(byTotal, 'total')
  const near = open.find((row) => isSameTotal(own, comparedRow(row)))
  return near ? ofRow(near, 'total') : null
}
