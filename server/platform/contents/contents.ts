/** Keeps, reads and removes the content of documents, wherever the store has it. */
import { AppError } from '../../domain/errors/app-error.ts'
import type { Ctx } from '../../context.ts'
import type { Content } from '../../db/outside/objects.ts'

/** A transaction holds the lock of its company: nothing else is awaited in it. */
function assertOutside(ctx: Ctx): void {
  if (ctx.inTransaction) throw new Error('Content is kept and read outside transactions.')
}

/**
 * Keeps the content of a row that the next transaction writes, and returns what the row holds. `sha256` is that of
 * `bytes`. Throws `file_storage_unavailable`.
 */
export async function keepContent(ctx: Ctx, bytes: Uint8Array, sha256: Uint8Array): Promise<Uint8Array> {
  assertOutside(ctx)
  return ctx.env.store.objects.keep(ctx.book.companyId, bytes, sha256)
}

/** Returns the content of a row. Throws `stored_file_missing`, `stored_file_damaged` or `file_storage_unavailable`. */
export async function readContent(ctx: Ctx, content: Content): Promise<Uint8Array> {
  assertOutside(ctx)
  return ctx.env.store.objects.read(ctx.book.companyId, content)
}

/** Returns the content of a row, or the sentence that says why there is none; for checks. */
export async function contentOrFault(ctx: Ctx, content: Content): Promise<Uint8Array | string> {
  try {
    return await readContent(ctx, content)
  } catch (error) {
    if (error instanceof AppError && error.code === 'stored_file_missing')
      return 'its object is not in the object storage'
    if (error instanceof AppError && error.code === 'stored_file_damaged')
      return 'its object in the object storage is not the one that was stored'
    throw error
  }
}

/**
 * Removes the content of rows whose deletion is committed; `forGood`: with earlier versions of it. A failure is
 * reported: the sweep removes what remains.
 */
export async function removeContent(
  ctx: Ctx,
  contents: readonly Content[],
  { forGood = false } = {},
): Promise<void> {
  try {
    await ctx.env.store.objects.remove(ctx.book.companyId, contents, forGood)
  } catch (error) {
    ctx.env.report('removal of stored files', error)
  }
}
