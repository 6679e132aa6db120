/** Books with data in every place that the self-check reads, and the faults it reports. */
import { environmentOf } from '../../../../server/company/index.ts'
import type { Ctx } from '../../../../server/context.ts'
import { contentHash, seriesCodeOf, totalsOf } from '../../../../server/sales/invoices/content.ts'
import { partyFacts } from '../../../../server/sales/invoices/draft/parties.ts'
import { contentOf, findInvoice, findLines } from '../../../../server/sales/invoices/rows.ts'
import { checkBooks } from '../../../../server/app/integrity/index.ts'
import { fanOut } from '../../../../server/platform/webhooks/fan-out.ts'
import { openBooks, companyOf } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'

/** Creates four invoices issued and answered, one of them with two VAT rates, one cancelled, one pending, and a draft. */
export async function livelyBooks(): Promise<TestBooks> {
  const world = await openBooks()
  await world.run('webhooks.createByPerson', { url: 'https://example.com/hook', events: ['invoice.*'] })
  // Events of the moment at which a webhook was changed may be older than the change.
  world.setTime('2026-11-21T10:00:01+01:00')
  for (const unitPrice of [10, 20, 30, 40]) {
    await world.invoice({
      lines: [
        { description: 'Uno', quantity: 1, unitPrice },
        { description: 'Dos', quantity: 2, unitPrice: 5, vatRate: 10 },
      ],
    })
  }
  await world.send()
  await world.invoice()
  await world.draft({ clientName: 'Otro' })
  await fanOut(world.env, companyOf(world))
  return world
}

/** Returns the faults that the self-check finds: `I4 chain: Record 2 (T-F2026-0002): …`. */
export async function faultsOf({ env, ctx }: TestBooks): Promise<string[]> {
  const { checks } = await checkBooks(env, (book) => ctx(book))
  return checks
    .filter(({ ok }) => !ok)
    .map(({ invariant, name, detail }) => `${invariant} ${name}: ${detail}`)
}

/**
 * Returns the hash over an issued invoice as it is in the store now: what a forger would store in place of the true
 * one.
 */
export async function hashOf(ctx: Ctx, publicId: string): Promise<Buffer> {
  const row = await findInvoice(ctx, publicId)
  if (!row?.issuer_id || !row.issue_date) throw new Error('Not issued.')
  const content = await contentOf(ctx.db, row, { lines: await findLines(ctx.db, row.id) })
  return contentHash(content, totalsOf(content), {
    issuer: await partyFacts(ctx.db, row.issuer_id),
    seriesCode: seriesCodeOf(content, ctx.book.mode, row.issue_date),
    issueDate: row.issue_date,
    environment: environmentOf(ctx),
  })
}
