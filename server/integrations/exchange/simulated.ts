/**
 * The simulated platform of one test book: the same messages as the real one would take, answered in this process. What it
 * holds is in the book's store, so that a restart loses nothing.
 */
import { findCompany } from '../../company/index.ts'
import { prepare } from '../../db/query.ts'
import { businessDateOf } from '../../domain/dates.ts'
import { normalizeNif } from '../../domain/tax/nif.ts'
import type { Ctx } from '../../context.ts'
import { NothingDone, OutcomeUnknown } from './port.ts'
import type { ExchangePort } from './port.ts'
import { createPlatform, exchangePortOf } from './simulator/index.ts'
import type { HeldInvoice, PlatformFaultControl, PlatformState } from './simulator/index.ts'
import { readBytes } from './state/contents.ts'
import { documentOfCode } from './state/rows.ts'
import type { InvoiceCode } from './types.ts'

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

/**
 * Presents invoices of suppliers in their names, if the platform does not hold them: nobody else sends to the platform of a test
 * book, so that what was taken in by hand would be unknown to it. What it refuses stays unknown.
 */
async function presentForSuppliers(
  ctx: Ctx,
  state: PlatformState,
  invoices: readonly InvoiceCode[],
): Promise<void> {
  const newId = () => ctx.env.newId('exm')
  const platform = createPlatform({ state, now: () => ctx.env.now(), newCsv: csvOf(ctx) })
  for (const code of invoices) {
    if ((await state.find(code)) !== null) continue
    const row = await documentOfCode(ctx, 'received', code)
    if (row === null || row.content_id === null || row.state === 'withdrawn') continue
    const supplier = { nif: row.issuer_nif, name: row.issuer_nif }
    const port = exchangePortOf(platform, {
      company: supplier,
      senderNif: supplier.nif,
      now: () => ctx.env.now(),
      newId,
    })
    try {
      await port.send([{ xml: Buffer.from(await readBytes(ctx, row.content_id)).toString('utf8') }])
    } catch (error) {
      if (!(error instanceof NothingDone || error instanceof OutcomeUnknown)) throw error
    }
  }
}

/** Returns the maker of codes of 16 characters, each code once. */
const csvOf = (ctx: Ctx) => (): string => ctx.env.newId('exm').slice('exm_'.length).toUpperCase()

/** Returns the port of a test book on its own platform. */
export async function simulatedPort(ctx: Ctx, faults?: PlatformFaultControl): Promise<ExchangePort> {
  const { nif: written, legal_name: name } = await findCompany(ctx)
  const nif = normalizeNif(written)
  const state = storedPlatformState(ctx)
  const platform = createPlatform({
    state,
    now: () => ctx.env.now(),
    newCsv: csvOf(ctx),
    ...(faults ? { faults } : {}),
  })
  const port = exchangePortOf(platform, {
    company: { nif, name },
    senderNif: nif,
    now: () => ctx.env.now(),
    newId: () => ctx.env.newId('exm'),
  })
  return {
    ...port,
    report: async (message) => {
      if (message.role === 'recipient') {
        const named = message.reports.map(({ invoice }) => invoice)
        await presentForSuppliers(ctx, state, named)
      }
      return port.report(message)
    },
  }
}
