/** The language of this installation's owner, for sentences that are shown to people unchanged. */
import type { Db } from './query.ts'

export type OwnerLanguage = 'es' | 'en'

/** Returns the language chosen in the window; Spanish before the choice. */
export async function ownerLanguage(db: Db): Promise<OwnerLanguage> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'preferences')
    .executeTakeFirst()
  return row && (JSON.parse(row.value) as { language?: string }).language === 'en' ? 'en' : 'es'
}
