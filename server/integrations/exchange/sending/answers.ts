/** Keeps what the platform answered. */
import type { Ctx } from '../../../context.ts'
import { answerXml } from '../formats.ts'
import { keepBytes } from '../state/contents.ts'
import type { StoredContent } from '../state/contents.ts'
import type { AnsweredBatch } from '../port.ts'

/** Keeps an answer as its document: its exact bytes where the adapter hands them over, else as it is written again. */
export async function keepAnswer(ctx: Ctx, answer: AnsweredBatch): Promise<StoredContent> {
  return keepBytes(ctx, answer.original ?? Buffer.from(await answerXml(answer, ctx.now()), 'utf8'))
}
