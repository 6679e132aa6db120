/** SQL of pairings, of the files that went between the two sides, and of an adviser's changes. */
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Ctx } from '../../context.ts'
import type { Db } from '../../db/query.ts'
import type { BundleChangesTable, BundlePairingsTable } from '../../db/schema.ts'

export type PairingRow = Selectable<BundlePairingsTable>
export type ChangeRow = Selectable<BundleChangesTable>

/** Returns the pairings of a company, and the one that keeps it up to date if it is a copy; the newest first. */
export function pairingsOf(ctx: Ctx): Promise<PairingRow[]> {
  const { companyId } = ctx.book
  return ctx.db
    .selectFrom('bundle_pairings')
    .selectAll()
    .where((where) =>
      where.or([
        where('company_id', '=', companyId),
        where(
          'public_id',
          'in',
          where.selectFrom('advised_companies').select('pairing').where('company_id', '=', companyId),
        ),
      ]),
    )
    .orderBy('id', 'desc')
    .execute()
}

/** Returns a pairing by its public identifier, whichever company of the installation has it. */
export async function findPairing(db: Db, publicId: string): Promise<PairingRow | null> {
  return (
    (await db
      .selectFrom('bundle_pairings')
      .selectAll()
      .where('public_id', '=', publicId)
      .executeTakeFirst()) ?? null
  )
}

export async function insertPairing(db: Db, row: Insertable<BundlePairingsTable>): Promise<void> {
  await db.insertInto('bundle_pairings').values(row).execute()
}

export async function updatePairing(
  db: Db,
  id: number,
  changes: Updateable<BundlePairingsTable>,
): Promise<void> {
  await db.updateTable('bundle_pairings').set(changes).where('id', '=', id).execute()
}

/** A copy of a client's books here. */
interface AdvisedCopy {
  companyId: number
  pairing: string
  rebased: boolean
}

export async function findCopy(
  db: Db,
  of: { companyId: number } | { pairing: string },
): Promise<AdvisedCopy | null> {
  const row = await db
    .selectFrom('advised_companies')
    .selectAll()
    .where((where) =>
      'companyId' in of ? where('company_id', '=', of.companyId) : where('pairing', '=', of.pairing),
    )
    .executeTakeFirst()
  if (!row) return null
  return {
    companyId: row.company_id,
    pairing: row.pairing,
    rebased: row.rebased === 1,
  }
}

export async function markRebased(db: Db, companyId: number): Promise<void> {
  await db.updateTable('advised_companies').set({ rebased: 1 }).where('company_id', '=', companyId).execute()
}

/** Returns the changes of a pairing in their order. */
export function changesOf(db: Db, pairingId: number): Promise<ChangeRow[]> {
  return db
    .selectFrom('bundle_changes')
    .selectAll()
    .where('pairing_id', '=', pairingId)
    .orderBy('number')
    .orderBy('id')
    .execute()
}

export async function insertChange(db: Db, row: Insertable<BundleChangesTable>): Promise<void> {
  await db.insertInto('bundle_changes').values(row).execute()
}

export async function updateChange(
  db: Db,
  id: number,
  changes: Updateable<BundleChangesTable>,
): Promise<void> {
  await db.updateTable('bundle_changes').set(changes).where('id', '=', id).execute()
}

/** Records a file that was written for the other side. */
export async function insertFile(
  db: Db,
  file: {
    pairingId: number
    number: number
    hash: string
    filesUpto: number
    size: number
    at: number
    note: string | null
  },
): Promise<void> {
  await db
    .insertInto('bundle_files')
    .values({
      pairing_id: file.pairingId,
      number: file.number,
      hash: file.hash,
      files_upto: file.filesUpto,
      size: file.size,
      at: file.at,
      note: file.note,
    })
    .execute()
}

/** Returns a file that was written for the other side; null if this installation does not know it. */
export async function findFile(
  db: Db,
  pairingId: number,
  number: number,
): Promise<{ filesUpto: number; at: number } | null> {
  const row = await db
    .selectFrom('bundle_files')
    .select(['files_upto', 'at'])
    .where('pairing_id', '=', pairingId)
    .where('number', '=', number)
    .executeTakeFirst()
  return row ? { filesUpto: row.files_upto, at: row.at } : null
}

/** Returns true if files of the copy that a pairing keeps have no content, as after a restored backup of either side. */
export async function lacksFiles(db: Db, pairing: string): Promise<boolean> {
  const row = await db
    .selectFrom('advised_companies')
    .innerJoin('books', 'books.company_id', 'advised_companies.company_id')
    .innerJoin('files', 'files.book_id', 'books.id')
    .leftJoin('file_bytes', 'file_bytes.file_id', 'files.id')
    .select('files.id')
    .where('advised_companies.pairing', '=', pairing)
    .where('file_bytes.file_id', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
