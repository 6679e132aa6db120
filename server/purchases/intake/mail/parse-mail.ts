/** Reads a mail or a ZIP file in a process of its own, with limits of time and memory. */
import { parse, ParserFailure, piecesOf } from '../../../platform/processes/parsers.ts'
import type { MailContent, MailItem } from './mail-parts.ts'
import type { MailJob, MailReply } from './worker.ts'

const TIMEOUT_MS = 30_000

/** Returns the content of a mail, or of a ZIP file, which has only items; null if it cannot be read. Throws `too_busy`, or the reason of the signal. */
export async function parseMail(bytes: Uint8Array, signal?: AbortSignal): Promise<MailContent | null> {
  const items: MailItem[] = []
  try {
    const reply = await parse<Omit<MailJob, 'bytes'>, MailReply>(
      'mail',
      {},
      {
        from: import.meta.url,
        timeoutMs: TIMEOUT_MS,
        signal,
        bytes: piecesOf(bytes),
        onPart: (item: MailItem) => void items.push(item),
      },
    )
    return 'mail' in reply ? { ...reply.mail, items } : null
  } catch (error) {
    if (error instanceof ParserFailure) return null
    throw error
  }
}
