/** Verifies the mails: none is missing, and their attachments are those that were stored. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { combineProofs, proveRows } from '../../domain/proof.ts'
import type { Proof } from '../../domain/proof.ts'
import type { Ctx } from '../../context.ts'
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
  // Mails are never deleted, and are numbered without gaps across all books.
  const { rows } = await sql<{ kept: number; last: number }>`
    select count(*) as kept, coalesce(max(id), 0) as last from mails`.execute(ctx.db)
  const gap = proveRows(rows, ({ kept, last }) =>
    kept === last ? null : `${last - kept} mails are missing.`,
  )
  return combineProofs(...proofs, gap)
}
