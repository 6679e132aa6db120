/** Offers a reply page of an invoice: the same page as long as the invoice says the same. */
import { recordAudit } from '../../platform/audit/index.ts'
import type { Ctx } from '../../context.ts'
import type { DocumentLanguage } from '../../domain/languages.ts'
import type { InvoiceRow } from '../invoices/index.ts'
import { pageKey } from '../../domain/replies/code.ts'
import { digestOfFacts } from './facts.ts'
import type { PageFacts } from './facts.ts'
import { currentPage, factsOf, insertPage, rewritePage, supersedePages } from './rows.ts'
import type { PageRow } from './rows.ts'
import { secretFor } from './secret.ts'

/** A page as it is written: what it shows, and the key with which it makes codes. */
export interface OfferedPage {
  id: string
  language: DocumentLanguage
  facts: PageFacts
  /** 32 bytes: of this page only. */
  key: Buffer
  offeredAt: number
}

async function pageFor(
  tx: Ctx,
  row: InvoiceRow,
  wish: { language: DocumentLanguage; facts: PageFacts },
): Promise<PageRow> {
  const { language, facts } = wish
  const digest = digestOfFacts(facts)
  await supersedePages(tx, row.id, digest)
  const known = await currentPage(tx, row.id, language)
  if (known)
    return JSON.stringify(factsOf(known)) === JSON.stringify(facts) ? known : rewritePage(tx, known.id, facts)
  const page = await insertPage(tx, {
    book_id: tx.book.id,
    public_id: tx.newId('rpp'),
    invoice_id: row.id,
    language,
    facts: JSON.stringify(facts),
    facts_digest: digest,
    offered_by: tx.actor.name,
    offered_at: tx.now().getTime(),
  })
  await recordAudit(tx, {
    action: 'reply.page_offered',
    target: { type: 'invoice', id: row.public_id, label: row.number ?? '' },
  })
  return page
}

/** Returns the page of an issued invoice in a language, made now if there is none that says the same. */
export function offerPage(
  ctx: Ctx,
  row: InvoiceRow,
  wish: { language: DocumentLanguage; facts: PageFacts },
): Promise<OfferedPage> {
  return ctx.transaction(async (tx) => {
    const secret = await secretFor(tx)
    const page = await pageFor(tx, row, wish)
    return {
      id: page.public_id,
      language: page.language,
      facts: factsOf(page),
      key: pageKey(secret, page.public_id),
      offeredAt: page.offered_at,
    }
  })
}
