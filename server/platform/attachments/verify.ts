/** Integrity check of attached files: each is unchanged since it was stored. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { combineProofs, proveRows } from '../../domain/proof.ts'
import type { Proof } from '../../domain/proof.ts'
import type { Ctx } from '../../context.ts'
import { contentOrFault } from '../contents/index.ts'

/** Files per page, each of up to 20 MB in memory. */
const PAGE = 4

interface StoredFile {
  id: number
  public_id: string
  size: number
  sha256: Uint8Array
  bytes: Uint8Array | null
}

/** Checks that every file has the hash and the size recorded when it was stored. */
export async function verifyFiles(ctx: Ctx): Promise<Proof> {
  const proofs: Proof[] = []
  let after = 0
  for (;;) {
    const { rows } = await sql<StoredFile>`
      select f.id, f.public_id, f.size, f.sha256, b.bytes from files f left join file_bytes b on b.file_id = f.id
      where f.book_id = ${ctx.book.id} and f.id > ${after} order by f.id limit ${PAGE}`.execute(ctx.db)
    const contents = await Promise.all(
      rows.map(async ({ bytes, sha256 }) => bytes && contentOrFault(ctx, { cell: bytes, sha256 })),
    )
    proofs.push(
      proveRows([...rows.entries()], ([index, { public_id, size, sha256 }]) => {
        const bytes = contents[index] ?? null
        if (bytes === null) return `The bytes of ${public_id} are missing.`
        if (typeof bytes === 'string') return `${public_id}: ${bytes}.`
        return bytes.length === size && createHash('sha256').update(bytes).digest().equals(sha256)
          ? null
          : `${public_id} is not the file that was kept.`
      }),
    )
    after = rows.at(-1)?.id ?? after
    if (rows.length < PAGE) break
  }
  return combineProofs(...proofs)
}
