/** Saved views, stored as one settings row for each list of a book. */
import type { ContractOutput } from '../../domain/contract/define-contract.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Ctx, UseCase } from '../../context.ts'
import type { listViewsContract, saveViewsContract, ViewList } from './views-contract.ts'

type StoredViews = ContractOutput<typeof listViewsContract>

const settingOf = (ctx: Ctx, list: ViewList): string => `views/${ctx.book.publicId}/${list}`

/** Returns the stored views without invalid ones, so that an old view never breaks a page. */
async function readViews(ctx: Ctx, list: ViewList): Promise<StoredViews> {
  const row = await ctx.db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', settingOf(ctx, list))
    .executeTakeFirst()
  if (!row) return { version: 0, items: [] }
  const { SavedView } = await import('./views-contract.ts')
  const { version, items } = JSON.parse(row.value) as { version: number; items: readonly unknown[] }
  return {
    version,
    items: items.flatMap((item) => {
      const read = SavedView.safeParse(item)
      return read.success ? [read.data] : []
    }),
  }
}

export const listViews: UseCase<typeof listViewsContract> = (ctx, { list }) => readViews(ctx, list)

/** Stores the given views in their order; one without an identifier is new. */
export const saveViews: UseCase<typeof saveViewsContract> = (ctx, { list, expectedVersion, items }) =>
  ctx.transaction(async (tx) => {
    const { version } = await readViews(tx, list)
    if (version !== expectedVersion) throw new AppError('version_conflict', { details: { version } })
    const kept: StoredViews = {
      version: version + 1,
      items: items.map((item) => ({ ...item, id: item.id ?? tx.newId('view') })),
    }
    const value = JSON.stringify(kept)
    await tx.db
      .insertInto('settings')
      .values({ name: settingOf(tx, list), value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute()
    return kept
  })
