/** Preparation of a mail as a file that the computer's mail program opens, with recipient, text and attachments. */
import { call, callBytes, CallError } from '../../call.ts'
import { saveFile } from '../../sales/invoices/read/save-pdf.ts'
import type { MailTarget } from './mail.ts'

/**
 * Saves the mail as a file; the server records that it was handed over. Throws `CallError`, also if there is no
 * address.
 */
export async function saveMailFile(about: MailTarget, bookId: string): Promise<void> {
  const { to, subject, body, language, level, attachments } = await call('mail.prepare', about, { bookId })
  if (to.length === 0) throw new CallError({ code: 'mail_no_address', message: 'No address is kept.' })
  const input = {
    ...about,
    language,
    ...(level === null ? {} : { level }),
    to,
    subject,
    body,
    attachments: attachments.filter(({ isExtra }) => !isExtra).map(({ name }) => name),
  }
  saveFile(await callBytes('mail.file', input, { bookId }))
}
