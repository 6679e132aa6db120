/** Process that reads mails and ZIP files of unknown origin under limits, isolated from the program. */
import { answerJobs, isOutOfMemory } from '../../../platform/processes/parsers.ts'
import { UnreadableZip } from '../../../platform/spreadsheets/unzip.ts'
import { isZip } from '../../../domain/formats/zip-magic.ts'
import { readArchive } from './archive-parts.ts'
import { readMail } from './mail-parts.ts'
import type { MailContent, MailItem, MailSummary } from './mail-parts.ts'

export interface MailJob {
  bytes: Uint8Array
}
export type MailReply = { mail: MailSummary } | { unreadable: 'too_large' | 'broken' }

async function answer({ bytes }: MailJob, sendPart: (item: MailItem) => Promise<void>): Promise<MailReply> {
  try {
    const { items, ...mail } = isZip(bytes) ? await contentOfZip(bytes) : await readMail(bytes)
    for (const item of items) await sendPart(item)
    return { mail }
  } catch (error) {
    const isTooLarge = isOutOfMemory(error) || (error instanceof UnreadableZip && error.why === 'too_large')
    return { unreadable: isTooLarge ? 'too_large' : 'broken' }
  }
}

/** A ZIP file as a mail without words. */
async function contentOfZip(bytes: Uint8Array): Promise<MailContent> {
  return { subject: '', sender: '', codes: [], ...(await readArchive(bytes)) }
}

answerJobs('mail', answer)
