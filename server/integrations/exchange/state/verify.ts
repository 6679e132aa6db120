/** Proves that what is known of the followed invoices follows from their reports and facts, and that stored bytes are whole. */
import { createHash } from 'node:crypto'
import { contentOrFault } from '../../../platform/contents/index.ts'
import { combineProofs, proveRows } from '../../../domain/proof.ts'
import type { Proof } from '../../../domain/proof.ts'
import type { Ctx } from '../../../context.ts'
import { factsOf, reportsOf } from './rows.ts'
import type { DocumentRow, FactRow } from './rows.ts'
import { saidColumns } from './write.ts'

/** States that a fact leaves an issued invoice in; facts that are not here change none. */
const ISSUED_AFTER: Readonly<Record<string, DocumentRow['state']>> = {
  not_due: 'not_due',
  cancelled_here: 'not_due',
  queued: 'to_send',
  sent: 'sent_unknown',
  admitted: 'admitted',
  refused: 'refused',
  withdrawn: 'withdrawn',
  partner_withdrew: 'withdrawn',
}

/** Returns the state of an issued invoice that follows from its facts. */
function stateAfter(facts: readonly FactRow[]): DocumentRow['state'] | null {
  let state: DocumentRow['state'] | null = null
  for (const { fact, report_id: reportId } of facts) {
    if (fact === 'nothing_done' && reportId === null) state = 'to_send'
    // Annulled in the books while it was at the platform: it stays there.
    else if (fact === 'cancelled_here' && state === 'admitted') continue
    else state = ISSUED_AFTER[fact] ?? state
  }
  return state
}

const DOCUMENTS_AT_ONCE = 200
const CONTENTS_AT_ONCE = 20

async function verifyDocuments(ctx: Ctx): Promise<Proof> {
  const proofs: Proof[] = []
  for (let after = 0; ;) {
    const rows = await ctx.db
      .selectFrom('exchange_documents')
      .selectAll()
      .where('book_id', '=', ctx.book.id)
      .where('id', '>', after)
      .orderBy('id')
      .limit(DOCUMENTS_AT_ONCE)
      .execute()
    const found: { row: DocumentRow; said: ReturnType<typeof saidColumns>; state: string | null }[] = []
    for (const row of rows)
      found.push({
        row,
        said: saidColumns(row, await reportsOf(ctx, row.id)),
        state: row.direction === 'issued' ? stateAfter(await factsOf(ctx, row.id)) : row.state,
      })
    proofs.push(
      proveRows(found, ({ row, said, state }) => {
        if (said.said !== row.said || said.said_day !== row.said_day || said.state !== row.state)
          return `${row.public_id}: what was said of it is not what its reports say.`
        return state === row.state
          ? null
          : `${row.public_id}: it is ${row.state}, and its facts say ${state}.`
      }),
    )
    after = rows.at(-1)?.id ?? after
    if (rows.length < DOCUMENTS_AT_ONCE) return combineProofs(...proofs)
  }
}

async function verifyContents(ctx: Ctx): Promise<Proof> {
  const proofs: Proof[] = []
  for (let after = 0; ;) {
    const rows = await ctx.db
      .selectFrom('exchange_contents')
      .select(['id', 'bytes as cell', 'sha256'])
      .where('book_id', '=', ctx.book.id)
      .where('id', '>', after)
      .orderBy('id')
      .limit(CONTENTS_AT_ONCE)
      .execute()
    const contents = await Promise.all(rows.map((row) => contentOrFault(ctx, row)))
    proofs.push(
      proveRows([...rows.entries()], ([index, { id, sha256 }]) => {
        const bytes = contents[index]!
        if (typeof bytes === 'string') return `Exchanged document ${id}: ${bytes}.`
        return createHash('sha256').update(bytes).digest().equals(sha256)
          ? null
          : `Exchanged document ${id} is not the one that was sent or received.`
      }),
    )
    after = rows.at(-1)?.id ?? after
    if (rows.length < CONTENTS_AT_ONCE) return combineProofs(...proofs)
  }
}

/** Verifies that what is known of the exchanged invoices follows from their facts, and that their bytes are whole. */
export async function verifyExchange(ctx: Ctx): Promise<Proof> {
  return combineProofs(await verifyDocuments(ctx), await verifyContents(ctx))
}
