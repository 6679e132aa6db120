/** Process that reads mails of unknown origin under limits, isolated from the program. */
import { answerJobs, isOutOfMemory } from '../../../platform/processes/parsers.ts'
import { readMail } from './mail-parts.ts'
import type { MailItem, MailSummary } from './mail-parts.ts'

export interface MailJob {
  bytes: Uint8Array
}
export type MailReply = { mail: MailSummary } | { unreadable: 'too_large' | 'broken' }

async function answer({ bytes }: MailJob, sendPart: (item: MailItem) => Promise<void>): Promise<MailReply> {
  try {
    const { items, ...mail } = await readMail(bytes)
    for (const item of items) await sendPart(item)
    return { mail }
  } catch (error) {
    return { unreadable: isOutOfMemory(error) ? 'too_large' : 'broken' }
  }
}

answerJobs('mail', answer)
