/** Columns that a person chose in earlier files of this book, by their titles. */
import type { Ctx } from '../../../context.ts'
import { foldedTitle } from '../files/titles.ts'
import { storedOf } from '../stored.ts'

const FILES = 20

/** Returns the field that a person last chose for each folded title. */
export async function rememberedTitles(ctx: Ctx): Promise<Record<string, string>> {
  const files = await ctx.db
    .selectFrom('moving_files')
    .innerJoin('moving_runs', 'moving_runs.id', 'moving_files.run_id')
    .select(['moving_files.recognition', 'moving_files.answers', 'moving_files.summary'])
    .where('moving_runs.book_id', '=', ctx.book.id)
    .where('moving_files.state', '=', 'read')
    .orderBy('moving_files.id', 'desc')
    .limit(FILES)
    .execute()
  const remembered: Record<string, string> = {}
  // Newest last, so that it wins.
  for (const file of files.toReversed()) {
    const { recognition, answers } = storedOf(file)
    for (const { entry, sheet, mapping } of answers.tables) {
      if (mapping === undefined) continue
      const table = recognition.tables.find((each) => each.entry === entry && each.sheet === sheet)
      for (const [name, column] of Object.entries(mapping)) {
        const title = foldedTitle(table?.columns[column]?.title ?? '')
        if (title) remembered[title] = name
      }
    }
  }
  return remembered
}
