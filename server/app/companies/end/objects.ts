/**
 * What a deleted company has outside the database. The transaction that deletes its rows notes it, so that a process
 * which ends before the last object is removed leaves the rest to the background work of an office. On a desk everything
 * is in the rows.
 */
import { AppError } from '../../../domain/errors/app-error.ts'
import { failpoint } from '../../../db/failpoints.ts'
import type { AppEnvironment, Ctx } from '../../../context.ts'

/** Setting of the installation for each company whose objects are being removed, with its row id. */
const OUTSIDE = 'ended-objects/'

/**
 * A writer that stored an object before the company was deleted adds it within seconds; the storage is looked at again
 * until none can come any more.
 */
const GRACE_MS = 24 * 3_600_000

interface Outside {
  companyId: number
  /** Public identifiers, by which its marks are found. */
  books: string[]
  /** Milliseconds since 1970. */
  endedAt: number
}

/** Returns the setting that notes what remains outside the database. Only the transaction that deletes may write it. */
export function outsideNoteOf(tx: Ctx, { companyId, books }: Pick<Outside, 'companyId' | 'books'>) {
  const outside: Outside = { companyId, books, endedAt: tx.now().getTime() }
  return { name: `${OUTSIDE}${companyId}`, value: JSON.stringify(outside) }
}

/** Removes what is outside the database now. May be repeated after an end at any moment. Throws `file_storage_unavailable`. */
async function removeObjects({ store }: AppEnvironment, { companyId, books }: Outside): Promise<void> {
  const { objects, marks } = store
  for (let after: string | null | undefined; after !== null;) {
    const page = await objects.list(companyId, after ?? null)
    await objects.removeListed(companyId, page.objects)
    ;({ after } = page)
  }
  for (const book of books) {
    const left = (await marks?.list(companyId, book)) ?? []
    await marks?.remove(
      companyId,
      book,
      left.map(({ name }) => name),
    )
  }
  failpoint('end.objects_removed')
}

async function isThere({ store }: AppEnvironment, companyId: number): Promise<boolean> {
  const row = await store.reader
    .selectFrom('companies')
    .select('id')
    .where('id', '=', companyId)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Removes what deleted companies have outside the database, and forgets a company a day after its deletion. A storage
 * that does not answer is reported; the next call tries again.
 */
export async function removeOutside(env: AppEnvironment): Promise<void> {
  const { store } = env
  const noted = await store.reader
    .selectFrom('settings')
    .select(['name', 'value'])
    .where('name', 'like', `${OUTSIDE}%`)
    .execute()
  for (const { name, value } of noted) {
    const outside = JSON.parse(value) as Outside
    // A move into an empty office may give an id again only where no company was deleted; nothing is removed otherwise.
    if (await isThere(env, outside.companyId)) {
      env.report('companies', new Error(`The company ${outside.companyId} is there again.`))
      continue
    }
    try {
      await removeObjects(env, outside)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      env.report('companies', error)
      continue
    }
    if (env.now().getTime() - outside.endedAt < GRACE_MS) continue
    await store.transaction(null, (db) => db.deleteFrom('settings').where('name', '=', name).execute())
  }
}
