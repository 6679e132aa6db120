/** Writes many invoices at once into a test book, for demonstrations and benchmarks, without tokens and checks. */
import { AppError } from '../../../domain/errors/app-error.ts'
import { environmentOf, findCompany, issuerFacts } from '../../../company/index.ts'
import type { Ctx } from '../../../context.ts'
import { defaultCodeOf } from '../../../company/series/index.ts'
import { contentHash, totalsOf } from '../content.ts'
import { seriesKindOf } from '../kinds.ts'
import type { DraftContent } from '../content.ts'
import { bookInvoice } from './issue.ts'
import { saveParty } from '../draft/parties.ts'
import { writeNewDraft } from '../rows.ts'

/** Invoice to be written; with an issue date it is issued, without one it stays a draft. */
export interface BulkInvoice {
  content: DraftContent
  contactRowId: number | null
}

/**
 * Writes invoices in the given order (issue dates must not decrease within a series), all in the caller's
 * transaction. Rejects a live book: there a person reviews every issue.
 */
export async function writeInBulk(tx: Ctx, invoices: readonly BulkInvoice[]): Promise<void> {
  if (tx.book.mode !== 'test')
    throw new AppError('invoice_invalid', { details: { why: 'bulk writing is for test books' } })
  const issuer = issuerFacts(await findCompany(tx))
  const environment = environmentOf(tx)
  for (const { content, contactRowId } of invoices) {
    const totals = totalsOf(content)
    const publicId = tx.newId('inv')
    const references = { partyId: await saveParty(tx, content.client), contactRowId, seriesId: null }
    const rowId = await writeNewDraft(tx, publicId, content, totals, references)
    if (content.issueDate === null) continue
    const { issueDate } = content
    // Bulk invoices use the default series of their year.
    const year = Number(issueDate.slice(0, 4))
    const seriesCode = await defaultCodeOf(tx, seriesKindOf(content.kind), year)
    const hash = contentHash(content, totals, { issuer, seriesCode, issueDate, environment })
    await bookInvoice(
      tx,
      { rowId, publicId, version: 1, seriesId: null, contactRowId, hasApprovals: false },
      { content, totals, issuer, issueDate, hash },
      async () => {},
    )
  }
}
