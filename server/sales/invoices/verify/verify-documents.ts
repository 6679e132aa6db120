/** Verifies the documents of issued invoices: each is unchanged since it was stored. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { combineProofs, proveRows } from '../../../domain/proof.ts'
import type { Proof } from '../../../domain/proof.ts'
import type { Ctx } from '../../../context.ts'
import { contentOrFault } from '../../../platform/contents/index.ts'

/** Documents in memory at a time. */
const PAGE = 20

interface StoredPaper {
  id: number
  number: string
  format: string
  sha256: Uint8Array
  /** The content before the signature, or why there is none. */
  bytes: Uint8Array | string
  appended: Uint8Array | null
  signed_sha256: Uint8Array | null
}

const isOf = (sha256: Uint8Array, ...parts: Uint8Array[]): boolean => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest().equals(sha256)
}

function paperFault({ number, format, sha256, bytes, appended, signed_sha256 }: StoredPaper): string | null {
  if (typeof bytes === 'string') return `${number}: its ${format} document cannot be read, ${bytes}.`
  if (!isOf(sha256, bytes)) return `${number}: its ${format} document is not the one that was kept.`
  if (appended !== null && signed_sha256 !== null && !isOf(signed_sha256, bytes, appended))
    return `${number}: the signature of its ${format} document is not the one that was kept.`
  return null
}

/** Verifies that every stored document and signature has its stored hash. A missing one is rendered on request. */
export async function verifyDocuments(ctx: Ctx): Promise<Proof> {
  const proofs: Proof[] = []
  let after = 0
  for (;;) {
    const { rows } = await sql<StoredPaper & { bytes: Uint8Array }>`
      select d.id, i.number, d.format, d.sha256, d.bytes, s.appended, s.sha256 as signed_sha256
      from documents d join invoices i on i.id = d.invoice_id left join document_signatures s on s.document_id = d.id
      where i.book_id = ${ctx.book.id} and d.id > ${after} order by d.id limit ${PAGE}`.execute(ctx.db)
    const papers = await Promise.all(
      rows.map(async (row) => ({
        ...row,
        bytes: await contentOrFault(ctx, { cell: row.bytes, sha256: row.sha256 }),
      })),
    )
    proofs.push(proveRows(papers, paperFault))
    after = rows.at(-1)?.id ?? after
    if (rows.length < PAGE) break
  }
  return combineProofs(...proofs)
}
