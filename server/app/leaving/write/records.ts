/** The billing records of a book as they were sealed, with their index and the answers of the tax agency. */
import type { Ctx } from '../../../context.ts'
import type { ZipEntry } from '../../../domain/formats/zip-stream.ts'
import { exportedFiles, exportRange } from '../../../registry/index.ts'

export async function* recordEntries(ctx: Ctx, folder: string): AsyncGenerator<ZipEntry, void, undefined> {
  const range = await exportRange(ctx)
  if (!range) return
  for await (const { path, parts } of exportedFiles(ctx, range))
    yield { name: `${folder}/records/${path}`, parts }
}
