/**
 * The simulated platform of one test book: the same messages as the real one would take, answered in this process. What it
 * holds is in the book's store, so that a restart loses nothing.
 */
import { findCompany } from '../../company/index.ts'
import { prepare } from '../../db/query.ts'
import { businessDateOf } from '../../domain/dates.ts'
import { normalizeNif } from '../../domain/tax/nif.ts'
import type { Ctx } from '../../context.ts'
import type { ExchangePort } from './port.ts'
import { createPlatform, exchangePortOf } from './simulator/index.ts'
import type { HeldInvoice, PlatformFaultControl, PlatformState } from './simulator/index.ts'

interface Row {
  facts: string
}

const byCode = prepare((db, p: { bookId: number; issuerNif: string; number: string; issueDate: string }) =>
  db
    .selectFrom('simulated_exchange')
    .select('facts')
    .where('book_id', '=', p.bookId)
    .where('issuer_nif', '=', p.issuerNif)
    .where('number', '=', p.number)
    .where('issue_date', '=', p.issueDate)
    .where('withdrawn', '=', 0),
)

const byLocator = prepare((db, p: { bookId: number; locator: string }) =>
  db
    .selectFrom('simulated_exchange')
    .select('facts')
    .where('book_id', '=', p.bookId)
    .where('locator', '=', p.locator),
)

const last = prepare((db, p: { bookId: number }) =>
  db
    .selectFrom('simulated_exchange')
    .select((eb) => eb.fn.max<number | null>('sequence').as('sequence'))
    .where('book_id', '=', p.bookId),
)

const heldOf = (row: Row | undefined): HeldInvoice | null =>
  row === undefined ? null : (JSON.parse(row.facts) as HeldInvoice)

/** Returns what the platform of a book holds, over the rows of the book. */
function storedPlatformState(ctx: Ctx): PlatformState {
  const bookId = ctx.book.id
  return {
    find: async ({ issuerTaxId: issuerNif, number, issueDate }) =>
      heldOf(await byCode.first(ctx.db, { bookId, issuerNif, number, issueDate })),
    byLocator: async (locator) => heldOf(await byLocator.first(ctx.db, { bookId, locator })),
    async presented({ role, nif, from, to, after, limit }) {
      const rows = await ctx.db
        .selectFrom('simulated_exchange')
        .select('facts')
        .where('book_id', '=', bookId)
        .where(role === 'issuer' ? 'issuer_nif' : 'recipient_nif', '=', nif)
        .where('withdrawn', '=', 0)
        .where('presented_on', '>=', from)
        .where('presented_on', '<=', to)
        .where('sequence', '>', after)
        .orderBy('sequence')
        .limit(limit)
        .execute()
      return rows.map((row) => JSON.parse(row.facts) as HeldInvoice)
    },
    lastSequence: async () => (await last.first(ctx.db, { bookId }))?.sequence ?? 0,
    write: (invoices) =>
      ctx.transaction(async (tx) => {
        for (const held of invoices) {
          const change = {
            withdrawn: held.withdrawnAt === null ? 0 : 1,
            facts: JSON.stringify(held),
          } as const
          await tx.db
            .insertInto('simulated_exchange')
            .values({
              book_id: bookId,
              sequence: held.sequence,
              issuer_nif: held.invoice.issuerTaxId,
              number: held.invoice.number,
              issue_date: held.invoice.issueDate,
              recipient_nif: held.recipientTaxId,
              locator: held.locator,
              presented_on: businessDateOf(new Date(held.presentedAt)),
              ...change,
            })
            .onConflict((conflict) => conflict.columns(['book_id', 'sequence']).doUpdateSet(change))
            .execute()
        }
      }),
  }
}

/** Returns the port of a test book on its own platform. */
export async function simulatedPort(ctx: Ctx, faults?: PlatformFaultControl): Promise<ExchangePort> {
  const { nif: written, legal_name: name } = await findCompany(ctx)
  const nif = normalizeNif(written)
  const platform = createPlatform({
    state: storedPlatformState(ctx),
    now: () => ctx.env.now(),
    // 16 characters, each code once.
    newCsv: () => ctx.env.newId('exm').slice('exm_'.length).toUpperCase(),
    ...(faults ? { faults } : {}),
  })
  return exchangePortOf(platform, {
    company: { nif, name },
    senderNif: nif,
    now: () => ctx.env.now(),
    newId: () => ctx.env.newId('exm'),
  })
}
