/**
 * Finds out what became of invoices whose answer was lost or who were refused, by asking the platform. Nothing here sends an
 * invoice: one that is not there is queued again.
 */
import { createHash } from 'node:crypto'
import type { Ctx } from '../../../context.ts'
import type { ExchangePort, Found } from '../port.ts'
import { readInvoice } from '../../../documents/e-invoice/index.ts'
import { readBytes } from '../state/contents.ts'
import { codeKey, codeOf, documentRow } from '../state/rows.ts'
import type { DocumentRow } from '../state/rows.ts'
import { recordFact } from '../state/write.ts'
import { noteFailure, noteSuccess, outcomeOf } from './outcome.ts'
import { FEWEST_QUERIES, FIRST_QUERY_MS, MOST_IN_BATCH } from './pace.ts'
import { settleAdmitted, settleRefused } from './settle.ts'

/** Returns the invoices of unknown outcome, in order; those that are not due yet hold back what comes after them. */
export function unknownInvoices(ctx: Ctx): Promise<DocumentRow[]> {
  return ctx.db
    .selectFrom('exchange_documents')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('next_at', 'is not', null)
    .where('state', '=', 'sent_unknown')
    .orderBy('id')
    .limit(MOST_IN_BATCH)
    .execute()
}

/** Asks about the invoices of unknown outcome that are due. Returns false if the platform could not be asked. */
export async function resolveInvoices(
  ctx: Ctx,
  port: ExchangePort,
  rows: readonly DocumentRow[],
): Promise<boolean> {
  if (rows.length === 0) return true
  const outcome = await outcomeOf(ctx, async () => {
    const { found } = await port.find({ role: 'issuer', codes: rows.map((row) => codeOf(row)) })
    const there = new Map(
      found.filter(({ withdrawn }) => !withdrawn).map((one) => [codeKey(one.invoice), one]),
    )
    const locators = [...there.values()].map(({ locator }) => locator)
    const files = locators.length === 0 ? [] : await port.download(locators)
    return { there, files: new Map(files.map(({ locator, xml }) => [locator, xml])) }
  })
  if (outcome.kind !== 'answered') {
    await ctx.transaction((tx) => noteFailure(tx, outcome))
    return false
  }
  const { there, files } = outcome.answer
  for (const row of rows) {
    const found = there.get(codeKey(codeOf(row))) ?? null
    const seen = found === null ? null : await compare(ctx, row, found, files.get(found.locator))
    await ctx.transaction((tx) => settle(tx, row, found, seen))
  }
  await ctx.transaction((tx) => noteSuccess(tx))
  return true
}

async function settle(tx: Ctx, before: DocumentRow, found: Found | null, seen: Seen | null): Promise<void> {
  const row = await documentRow(tx, before.id)
  if (row.state !== 'sent_unknown') return
  const now = tx.now().getTime()
  if (found !== null && seen === 'unseen')
    return recordFact(tx, row, { fact: 'answer_lost', code: 'not_given' }, { next_at: now + FIRST_QUERY_MS })
  if (found !== null && seen === 'ours')
    return settleAdmitted(tx, row, { locator: found.locator, csv: null }, null, 'found')
  if (found !== null) {
    const isCopyThere = found.copy && row.is_copy === 0
    const code = row.why ?? (isCopyThere ? 'copy_there' : 'other_invoice_there')
    return settleRefused(tx, row, { code, text: isCopyThere ? 'copy_there' : 'other_invoice_there' }, null)
  }
  // The platform said no, and it is not there.
  if (row.why !== null) return settleRefused(tx, row, { code: row.why, text: '' }, null)
  const queries = row.queries + 1
  if (queries < FEWEST_QUERIES)
    return recordFact(
      tx,
      row,
      { fact: 'answer_lost', code: 'not_shown' },
      { queries, next_at: now + FIRST_QUERY_MS },
    )
  return recordFact(
    tx,
    row,
    { fact: 'nothing_done', code: 'not_there' },
    { state: 'to_send', queries: 0, next_at: now },
  )
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Whether the invoice that is there is the one that was sent; `unseen`: the platform does not give it now. */
type Seen = 'ours' | 'other' | 'unseen'

/**
 * Compares the invoice that is there with the one that was sent: the same bytes, or, where the platform writes a document
 * anew, the same code, kind, recipient and total. The code alone is not enough.
 */
async function compare(
  ctx: Ctx,
  row: DocumentRow,
  found: Found,
  there: Uint8Array | undefined,
): Promise<Seen> {
  if (found.copy !== (row.is_copy === 1)) return 'other'
  if (row.content_id === null || there === undefined) return 'unseen'
  const sent = await readBytes(ctx, row.content_id)
  if (hashOf(sent) === hashOf(there)) return 'ours'
  const [ours, theirs] = await Promise.all([readInvoice(sent), readInvoice(there)])
  const isSame =
    ours !== null &&
    theirs !== null &&
    codeKey(ours) === codeKey(theirs) &&
    ours.recipientTaxId === theirs.recipientTaxId &&
    ours.typeCode === theirs.typeCode &&
    ours.copy === theirs.copy &&
    ours.total === theirs.total
  return isSame ? 'ours' : 'other'
}
