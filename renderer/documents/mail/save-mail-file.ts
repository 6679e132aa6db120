/** Preparation of a mail as a file that the computer's mail program opens, with recipient, text and attachments. */
import { call, callBytes, CallError } from '../../call.ts'
import { saveFile } from '../../sales/invoices/read/save-pdf.ts'
import type { MailTarget } from './mail.ts'

/** Returns the mail as it is sent or saved, with the documents that its customer usually gets; throws `CallError`, also if there is no address. */
export async function prepareMail<Target extends MailTarget>(about: Target, bookId: string) {
  const { to, subject, body, language, level } = await call('mail.prepare', about, { bookId })
  if (to.length === 0) throw new CallError({ code: 'mail_no_address', message: 'No address is kept.' })
  return {
    ...about,
    language,
    ...(level === null ? {} : { level }),
    to,
    subject,
    body,
  }
}

/** Saves the mail as a file; the server records that it was handed over. Throws like `prepareMail`. */
export async function saveMailFile(about: MailTarget, bookId: string): Promise<void> {
  saveFile(await callBytes('mail.file', await prepareMail(about, bookId), { bookId }))
}
