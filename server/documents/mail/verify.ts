/** Verifies the mails: none is missing, and their attachments are those that were stored. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { combineProofs, proveRows } from '../../domain/proof.ts'
import type { Proof } from '../../domain/proof.ts'
import type { Ctx } from '../../context.ts'
import { jsonText } from '../../db/engine-sql.ts'
import { contentOrFault } from '../../platform/contents/index.ts'

const PAGE = 20

interface StoredAttachment {
  mail_id: number
  position: number
  public_id: string
  name: string
  sha256: Uint8Array
  bytes: Uint8Array
}

/** Verifies that every attachment stored with its mail still has its hash. */
export async function verifyMails(ctx: Ctx): Promise<Proof> {
  const proofs: Proof[] = []
  let [mail, position] = [0, -1]
  for (;;) {
    const { rows } = await sql<StoredAttachment>`
      select a.mail_id, a.position, m.public_id, a.name, a.sha256, a.bytes
      from mail_attachments a join mails m on m.id = a.mail_id
      where m.book_id = ${ctx.book.id} and a.bytes is not null and (a.mail_id, a.position) > (${mail}, ${position})
      order by a.mail_id, a.position limit ${PAGE}`.execute(ctx.db)
    const contents = await Promise.all(
      rows.map(({ bytes, sha256 }) => contentOrFault(ctx, { cell: bytes, sha256 })),
    )
    proofs.push(
      proveRows([...rows.entries()], ([index, { public_id, name, sha256 }]) => {
        const bytes = contents[index]!
        if (typeof bytes === 'string') return `${name} of mail ${public_id}: ${bytes}.`
        return createHash('sha256').update(bytes).digest().equals(sha256)
          ? null
          : `${name} of mail ${public_id} is not the file that was sent.`
      }),
    )
    const last = rows.at(-1)
    if (last) [mail, position] = [last.mail_id, last.position]
    if (rows.length < PAGE) break
  }
  return combineProofs(...proofs, await verifyNoneIsMissing(ctx))
}

/**
 * Mails are never deleted. In a file they are numbered without gaps across all books; an office gives numbers to many
 * companies at once, also to transactions that fail: there each mail that an event of the book names must be there.
 */
async function verifyNoneIsMissing(ctx: Ctx): Promise<Proof> {
  const bookId = ctx.book.id
  const { rows } =
    ctx.env.store.engine === 'pg'
      ? await sql<{ missing: number }>`
          select count(*) as missing from (
            select distinct ${jsonText(sql.ref('data'), 'mailId')} as public_id from events
            where book_id = ${bookId} and type = 'mail.changed') as told
          where told.public_id is not null and not exists (
            select 1 from mails where mails.book_id = ${bookId} and mails.public_id = told.public_id)`.execute(
          ctx.db,
        )
      : await sql<{ missing: number }>`
          select coalesce(max(id), 0) - count(*) as missing from mails`.execute(ctx.db)
  return proveRows(rows, ({ missing }) => (missing === 0 ? null : `${missing} mails are missing.`))
}
