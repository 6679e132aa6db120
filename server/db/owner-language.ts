/** The language that the owner of this installation reads, for sentences that are shown to people as they are. */
import type { Db } from './query.ts'

export type OwnerLanguage = 'es' | 'en'

/** As chosen in the window; Spanish before anything was. */
export async function ownerLanguage(db: Db): Promise<OwnerLanguage> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'preferences')
    .executeTakeFirst()
  return row && (JSON.parse(row.value) as { language?: string }).language === 'en' ? 'en' : 'es'
}
