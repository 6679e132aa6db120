/** Rows of what is remembered of suppliers. */
import { sql } from 'kysely'
import { jsonText } from '../../db/engine-sql.ts'
import { prepare } from '../../db/query.ts'
import type { Ctx } from '../../context.ts'
import { searchText } from '../../domain/text.ts'
import type { Proposal } from '../intake/contract.ts'
import { emptyMemory } from './shape.ts'
import type { SupplierMemory } from './shape.ts'

export interface MemoryRow {
  nif: string
  memory: SupplierMemory
  documents: number
  updatedAt: number
}

const byNif = prepare((db, p: { bookId: number; nif: string }) =>
  db
    .selectFrom('supplier_memory')
    .select(['nif', 'memory', 'documents', 'updated_at'])
    .where('book_id', '=', p.bookId)
    .where('nif', '=', p.nif),
)

const parsed = (text: string): SupplierMemory => ({
  ...emptyMemory(),
  ...(JSON.parse(text) as Partial<SupplierMemory>),
})

/** Returns what is remembered of a supplier; null if nothing is. */
export async function findMemory(ctx: Ctx, nif: string): Promise<MemoryRow | null> {
  const row = await byNif.first(ctx.db, { bookId: ctx.book.id, nif })
  return row
    ? { nif: row.nif, memory: parsed(row.memory), documents: row.documents, updatedAt: row.updated_at }
    : null
}

/** Stores what is remembered of a supplier; `added` says how many documents more or fewer taught it. */
export async function writeMemory(
  tx: Ctx,
  nif: string,
  memory: SupplierMemory,
  added: -1 | 0 | 1,
): Promise<void> {
  const at = tx.now().getTime()
  const text = JSON.stringify(memory)
  await tx.db
    .insertInto('supplier_memory')
    .values({ book_id: tx.book.id, nif, memory: text, documents: 1, updated_at: at })
    .onConflict((conflict) =>
      conflict.columns(['book_id', 'nif']).doUpdateSet((eb) => ({
        memory: text,
        documents: eb('supplier_memory.documents', '+', added),
        updated_at: at,
      })),
    )
    .execute()
}

/** Deletes what is remembered of a supplier. Returns false if nothing was. */
export async function deleteMemory(tx: Ctx, nif: string): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('supplier_memory')
    .where('book_id', '=', tx.book.id)
    .where('nif', '=', nif)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** The reading of the document that an entry was made of, by a file that both have: no index leads from the entry to it. */
const readingByEntry = prepare((db, p: { bookId: number; entryRowId: number }) =>
  db
    .selectFrom('file_links as ofEntry')
    .innerJoin('file_links as ofDocument', (join) =>
      join.onRef('ofDocument.file_id', '=', 'ofEntry.file_id').on('ofDocument.target_type', '=', 'incoming'),
    )
    .innerJoin('incoming_documents', 'incoming_documents.id', 'ofDocument.target_id')
    .select('incoming_documents.reading')
    .where('ofEntry.target_type', '=', 'received')
    .where('ofEntry.target_id', '=', p.entryRowId)
    .where('incoming_documents.book_id', '=', p.bookId)
    .where('incoming_documents.received_id', '=', p.entryRowId)
    .where('incoming_documents.reading', 'is not', null)
    .orderBy('incoming_documents.decided_at')
    .orderBy('incoming_documents.id'),
)

/** Returns what was shown of the document that an entry was made of; null if it was typed, or its paper taken off. */
export async function shownOfEntry(ctx: Ctx, entryRowId: number): Promise<Proposal | null> {
  const row = await readingByEntry.first(ctx.db, { bookId: ctx.book.id, entryRowId })
  return row?.reading == null ? null : (JSON.parse(row.reading) as { proposal: Proposal }).proposal
}

/** Suppliers that the model of words learns from, newest first. */
const MOST_TEACHERS = 400

/** Returns what is remembered of the suppliers that were entered last. */
export async function newestMemories(ctx: Ctx): Promise<SupplierMemory[]> {
  const rows = await ctx.db
    .selectFrom('supplier_memory')
    .select('memory')
    .where('book_id', '=', ctx.book.id)
    .orderBy('updated_at', 'desc')
    .orderBy('nif')
    .limit(MOST_TEACHERS)
    .execute()
  return rows.map(({ memory }) => parsed(memory))
}

/** Escapes `%` and `_`, so that they match literally. */
const pattern = (text: string): string => text.replace(/[\\%_]/g, (sign) => `\\${sign}`)

/** Returns another tax number under which a supplier's name is known: of a contact, an entry or a memory; null if none. */
export async function otherNifOfName(ctx: Ctx, name: string, nif: string): Promise<string | null> {
  const folded = searchText(name)
  const { rows } = await sql<{ nif: string; same: number }>`
    select nif, 1 as same from contacts where book_id = ${ctx.book.id} and name_key = ${folded} and nif is not null
      and merged_into is null
    union all select supplier_nif, 1 from received_invoices where book_id = ${ctx.book.id} and state = 'entered'
      and supplier_nif is not null and search like ${`${pattern(folded)}%`} escape '\\'
      and lower(supplier_name) = ${name.toLowerCase()}
    union all select nif, 1 from supplier_memory where book_id = ${ctx.book.id}
      and ${jsonText(sql.ref('memory'), 'usual', 'supplierName', 'value')} = ${name}
    limit 50`.execute(ctx.db)
  // The same name with this number is nothing new.
  return rows.some((row) => row.nif === nif) ? null : (rows[0]?.nif ?? null)
}
