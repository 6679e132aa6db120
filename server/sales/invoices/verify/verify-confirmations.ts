/** Verifies the stored confirmation tokens: each was spent once, in time, for its own action. */
import { sql } from 'kysely'
import { combineProofs, proveRows } from '../../../domain/proof.ts'
import type { Proof } from '../../../domain/proof.ts'
import type { Ctx } from '../../../context.ts'

interface SpentToken {
  invoice: string
  invoice_book: number
  state: string
  action: string
  superseded: number
  created_at: number
  expires_at: number
  used_at: number
  issues: number
}

/** Tolerance for a clock that was set back between validation and step. */
const GRACE_MS = 60_000

/** A finding names the invoice, because a token is stored as a hash only. */
export async function verifyConfirmations(ctx: Ctx): Promise<Proof> {
  const { rows } = await sql<SpentToken>`
    select i.public_id as invoice, i.book_id as invoice_book, i.state, c.action, c.superseded, c.created_at, c.expires_at,
      c.used_at, (select count(*) from confirmations o
        where o.invoice_id = c.invoice_id and o.action = 'issue' and o.used_at is not null) as issues
    from confirmations c join invoices i on i.id = c.invoice_id
    where c.book_id = ${ctx.book.id} and c.used_at is not null`.execute(ctx.db)
  const spent = proveRows(rows, (row) => {
    const token = `The token that was spent on ${row.invoice}`
    if (row.invoice_book !== ctx.book.id) return `${token} is another book's.`
    if (row.superseded === 1) return `${token} had been replaced by a later one.`
    if (row.used_at >= row.expires_at) return `${token} had run out.`
    if (row.used_at < row.created_at - GRACE_MS) return `${token} was spent before it was made.`
    if (row.action === 'issue' && row.issues > 1)
      return `${row.invoice} was issued with ${row.issues} tokens.`
    return row.state === 'issued' ? null : `${token} issued nothing.`
  })
  return combineProofs(spent, await unspentTokens(ctx))
}

/** Returns the issued invoices with stored tokens of which none was spent on them. */
async function unspentTokens(ctx: Ctx): Promise<Proof> {
  const { rows } = await sql<{ invoice: string }>`
    select i.public_id as invoice from invoices i where i.book_id = ${ctx.book.id} and i.state = 'issued'
      and exists (select 1 from confirmations c where c.invoice_id = i.id and c.action = 'issue'
        and c.content_hash = i.content_hash and c.created_at <= i.issued_at)
      and not exists (select 1 from confirmations c where c.invoice_id = i.id and c.action = 'issue' and c.used_at is not null)
    order by i.id limit 20`.execute(ctx.db)
  return proveRows(rows, ({ invoice }) => `${invoice} was issued, and its token counts as unspent.`)
}
