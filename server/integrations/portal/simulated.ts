/**
 * The simulated portal of one test book: the same messages as the real service takes, answered in this process. What it holds
 * is in the book's store, so that a restart loses nothing. It is loaded when it is first used.
 */
import type { Ctx } from '../../context.ts'
import type { HeldInvoice, HeldInvoices, PortalSimulator } from './simulator/index.ts'
import type { Transport } from './service.ts'

/** Implements the memory of the simulator over the table of one book. */
function storedInvoices(ctx: Ctx): HeldInvoices {
  const bookId = ctx.book.id
  return {
    all: async () => {
      const rows = await ctx.db
        .selectFrom('simulated_portal_invoices')
        .select('facts')
        .where('book_id', '=', bookId)
        .orderBy('registry_number')
        .execute()
      return rows.map(({ facts }) => JSON.parse(facts) as HeldInvoice)
    },
    get: async (registryNumber) => {
      const row = await ctx.db
        .selectFrom('simulated_portal_invoices')
        .select('facts')
        .where('book_id', '=', bookId)
        .where('registry_number', '=', registryNumber)
        .executeTakeFirst()
      return row ? (JSON.parse(row.facts) as HeldInvoice) : null
    },
    put: (invoice) =>
      ctx.transaction(async (tx) => {
        const facts = JSON.stringify(invoice)
        await tx.db
          .insertInto('simulated_portal_invoices')
          .values({ book_id: bookId, registry_number: invoice.registryNumber, facts })
          .onConflict((conflict) => conflict.columns(['book_id', 'registry_number']).doUpdateSet({ facts }))
          .execute()
      }),
  }
}

const YEAR_MS = 365 * 86_400_000

/** Creates the simulated portal of a test book, with a certificate of its own. */
export async function simulatedPortal(ctx: Ctx): Promise<PortalSimulator> {
  const [{ createPortalSimulator }, { portalIdentity }] = await Promise.all([
    import('./simulator/index.ts'),
    import('./simulator/identity.ts'),
  ])
  const now = ctx.now().getTime()
  const identity = await portalIdentity({ from: new Date(now - YEAR_MS), to: new Date(now + YEAR_MS) })
  return createPortalSimulator({ state: storedInvoices(ctx), now: () => ctx.now(), identity })
}

/** Returns the transport to the simulated portal of a test book. */
export function simulatedTransport(ctx: Ctx): Transport {
  let portal: Promise<PortalSimulator> | null = null
  return async ({ path, headers, body }) => {
    portal ??= simulatedPortal(ctx)
    const answer = await (await portal).handle({ method: 'POST', path, headers, body })
    return answer.kind === 'dropped' ? { kind: 'no_answer', detail: 'The connection was closed.' } : answer
  }
}
