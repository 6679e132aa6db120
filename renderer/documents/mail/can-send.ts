/** Asks whether Sello can send mail by itself, or hands it to the mail program. */
import { call } from '../../call.ts'
import type { MailTarget } from './mail.ts'

/** Returns whether a mail about these documents can be sent from here. What cannot be asked is told by sending itself. */
export async function canSendMail(kind: MailTarget['kind'], ids: readonly string[]): Promise<boolean> {
  try {
    return (await call('mail.prepare', { kind, ids: [...ids] })).canSend
  } catch {
    return true
  }
}
