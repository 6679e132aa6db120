/** The customer an invoice counts under: the one it was issued to, or the one an amendment named to the registry since. */
import type { Ctx } from '../../../context.ts'
import { prepare } from '../../../db/query.ts'
import { saveParty, partyFacts } from '../draft/parties.ts'
import type { PartyFacts } from '../draft/parties.ts'

const find = prepare((db, p: { invoiceId: number }) =>
  db.selectFrom('amended_parties').select('party_id').where('invoice_id', '=', p.invoiceId),
)

const write = prepare((db, p: { invoiceId: number; partyId: number }) =>
  db
    .insertInto('amended_parties')
    .values({ invoice_id: p.invoiceId, party_id: p.partyId })
    .onConflict((conflict) => conflict.column('invoice_id').doUpdateSet({ party_id: p.partyId })),
)

/** The customer that an amendment named; null when none did. */
export async function amendedParty(ctx: Ctx, invoiceId: number): Promise<PartyFacts | null> {
  const row = await find.first(ctx.db, { invoiceId })
  return row ? partyFacts(ctx.db, row.party_id) : null
}

/** Keeps the customer that an amendment named. In the transaction of its record. */
export async function saveAmendedParty(ctx: Ctx, invoiceId: number, client: PartyFacts): Promise<void> {
  await write.run(ctx.db, { invoiceId, partyId: await saveParty(ctx, client) })
}
