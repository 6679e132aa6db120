/** How scans and photos of a book are read. */
import { recordAudit } from '../../platform/audit/index.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import type { Ctx, UseCase } from '../../context.ts'
import type { OcrLanguage } from '../intake/ocr/languages.ts'
import { error } from '../fault.ts'
import type { IncomingSettings, incomingSettingsContract, setIncomingSettingsContract } from './contract.ts'

const DEFAULT: IncomingSettings = { languages: ['spa'], version: 0 }

async function found(ctx: Ctx): Promise<IncomingSettings> {
  const row = await ctx.db
    .selectFrom('incoming_settings')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .executeTakeFirst()
  return row ? { languages: JSON.parse(row.languages) as OcrLanguage[], version: row.version } : DEFAULT
}

/** Returns the languages in which scans and photos are read, the most frequent first. */
export async function readingLanguages(ctx: Ctx): Promise<readonly OcrLanguage[]> {
  return (await found(ctx)).languages
}

/** Returns the settings. */
export const incomingSettings: UseCase<typeof incomingSettingsContract> = (ctx) => found(ctx)

/** Sets the languages. */
export const setIncomingSettings: UseCase<typeof setIncomingSettingsContract> = (
  ctx,
  { languages, expectedVersion },
) =>
  ctx.transaction(async (tx) => {
    if (new Set(languages).size < languages.length)
      throw validationFailed([
        error('repeated', 'languages', 'A language is named twice.', 'Name each language once.'),
      ])
    const before = await found(tx)
    if (expectedVersion !== undefined && expectedVersion !== before.version)
      throw new AppError('version_conflict', { details: { version: before.version } })
    const version = before.version + 1
    await tx.db.deleteFrom('incoming_settings').where('book_id', '=', tx.book.id).execute()
    await tx.db
      .insertInto('incoming_settings')
      .values({ book_id: tx.book.id, languages: JSON.stringify(languages), version })
      .execute()
    await recordAudit(tx, {
      action: 'incoming.settings_changed',
      target: { type: 'incoming_settings', id: tx.book.publicId, label: languages.join(' ') },
    })
    return found(tx)
  })
