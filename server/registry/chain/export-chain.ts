/**
 * Exports the chain as a list that can be checked without reading XML: the hashed fields of each record, its link and
 * its answer.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { madridInstant } from '../../domain/dates.ts'
import type { Ctx } from '../../context.ts'
import { prepare } from '../../db/query.ts'
import { installationsOf } from './export.ts'
import type { ExportRange } from './export.ts'
import { systemOf } from '../systems/index.ts'
import { unpackXml } from '../systems/packing.ts'
import { hexOf } from './rows.ts'

/** Reading one page takes about ten milliseconds, so other requests wait no longer than that. */
const PAGE = 100

const rows = prepare((db, p: { bookId: number; from: number; last: number }) =>
  db
    .selectFrom('registry_records')
    .innerJoin('registry_submissions', 'registry_submissions.record_id', 'registry_records.id')
    .select([
      'registry_records.sequence',
      'registry_records.kind',
      'registry_records.hash',
      'registry_records.xml',
      'registry_submissions.status',
      'registry_submissions.csv',
      'registry_submissions.authority_code',
      'registry_submissions.message',
      'registry_submissions.answered_at',
    ])
    .where('registry_records.book_id', '=', p.bookId)
    .where('registry_records.sequence', '>=', p.from)
    .where('registry_records.sequence', '<=', p.last)
    .orderBy('registry_records.sequence')
    .limit(PAGE),
)

/** A record in `chain.json`. The members of `fields` are the hashed texts, character by character. */
export interface ChainEntry {
  sequence: number
  kind: 'registration' | 'cancellation'
  installation: string | null
  fields: Record<string, string>
  /** Null for the first record of an installation. */
  previousHash: string | null
  hash: string
  answer: {
    status: string
    csv: string | null
    code: string | null
    message: string | null
    at: string | null
  }
}

/** Yields the entries in order, one page at a time. */
export async function* chainEntries(ctx: Ctx, range: ExportRange): AsyncGenerator<ChainEntry[]> {
  const system = systemOf(ctx.book)
  const installations = await installationsOf(ctx)
  for (let from = range.first; from <= range.last;) {
    const page = await rows.all(ctx.db, { bookId: ctx.book.id, from, last: range.last })
    const last = page.at(-1)
    if (!last) return
    yield page.map((row) => {
      const { sealed, previous } = system.read(unpackXml(row.xml))
      return {
        sequence: row.sequence,
        kind: row.kind,
        installation:
          installations.findLast((item) => item.first_sequence <= row.sequence)?.installation ?? null,
        fields: sealed,
        previousHash: previous?.hash ?? null,
        hash: hexOf(row.hash),
        answer: {
          status: row.status,
          csv: row.csv,
          code: row.authority_code,
          message: row.message,
          at: row.answered_at === null ? null : madridInstant(new Date(row.answered_at)),
        },
      }
    })
    from = last.sequence + 1
    await nextTurn()
  }
}
