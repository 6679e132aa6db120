/** Check whether Sello can send mail itself, or passes it to the mail program. */
import { call } from '../../call.ts'
import type { MailTarget } from './mail.ts'

/**
 * Returns whether a mail about these documents can be sent from here. Returns true if the request fails: sending then
 * reports the error.
 */
export async function canSendMail(kind: MailTarget['kind'], ids: readonly string[]): Promise<boolean> {
  try {
    return (await call('mail.prepare', { kind, ids: [...ids] })).canSend
  } catch {
    return true
  }
}
