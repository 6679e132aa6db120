/** Translates tool answers to the language of the owner, to whom the assistant reports them. */
import { translateMessages } from '../../domain/errors/spanish.ts'
import type { Ctx } from '../../context.ts'
import { ownerLanguage } from '../../db/owner-language.ts'

/** Returns the answer with its messages in the owner's language. */
export async function forOwner<T>({ db }: Ctx, answer: T): Promise<T> {
  // Many failures are about unreadable books, so the language falls back to English.
  const language = await ownerLanguage(db).catch(() => 'en' as const)
  return language === 'es' ? translateMessages(answer) : answer
}
