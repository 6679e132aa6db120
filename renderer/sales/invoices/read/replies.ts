/** Texts of what customers answered. Pure. */
import { formatDate } from '../../../format.ts'
import { translate as t } from '../../../i18n.ts'
import type { OutputOf } from '../../../../server/api/contracts.ts'

export type Reply = OutputOf<'replies.list'>['items'][number]

/** Returns a reply in one line. */
export function replyText(reply: Reply): string {
  const said = t(`journey.reply.kind.${reply.kind}`)
  const why = reply.reason === null ? '' : `: ${t(`journey.reply.reason.${reply.reason}`)}`
  const pays = reply.payOn === null ? '' : ` · ${t('journey.promised', { day: formatDate(reply.payOn) })}`
  return `${said}${why}${pays}`
}
