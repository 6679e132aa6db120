/** What a tool answers, in the language of the person whom the assistant tells it. */
import { inSpanish } from '../../domain/errors/spanish.ts'
import type { Ctx } from '../../context.ts'
import { ownerLanguage } from '../../db/owner-language.ts'

/** The answer with its messages as the owner reads them. */
export async function forOwner<T>({ env }: Ctx, answer: T): Promise<T> {
  // Books that cannot be read are what many a failure tells of.
  const language = await ownerLanguage(env.store.reader).catch(() => 'en' as const)
  return language === 'es' ? inSpanish(answer) : answer
}
