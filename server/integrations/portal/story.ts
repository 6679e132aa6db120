/** What the portal knows of one invoice, for the journey of that invoice. */
import type { Ctx } from '../../context.ts'
import { cancellationsOf, statesOf } from './rows.ts'
import type { CancellationRow, SubmissionRow } from './rows.ts'

/** One submission with its states and the cancellations that were asked for, each oldest first. */
export interface PortalStory {
  submission: Pick<
    SubmissionRow,
    'public_id' | 'state' | 'why' | 'detail' | 'registry_number' | 'created_at' | 'sent_at' | 'settled_at'
  >
  states: Awaited<ReturnType<typeof statesOf>>
  cancellations: CancellationRow[]
}

/** Returns the submissions of an issued invoice by its row, oldest first; without their files. */
export async function portalStories(ctx: Ctx, invoiceRow: number): Promise<PortalStory[]> {
  const submissions = await ctx.db
    .selectFrom('portal_submissions')
    .select([
      'id',
      'public_id',
      'state',
      'why',
      'detail',
      'registry_number',
      'created_at',
      'sent_at',
      'settled_at',
    ])
    .where('book_id', '=', ctx.book.id)
    .where('invoice_id', '=', invoiceRow)
    .orderBy('id')
    .execute()
  const stories: PortalStory[] = []
  for (const { id, ...submission } of submissions)
    stories.push({
      submission,
      states: await statesOf(ctx, id),
      cancellations: await cancellationsOf(ctx, id),
    })
  return stories
}
