/** Recall of queued mails; a mail that was sent by then cannot be recalled, and the notice says so. */
import { asCallError, call } from '../../call.ts'
import { formatCount } from '../../format.ts'
import { translate } from '../../i18n.ts'
import { useToasts } from '../../stores/toasts.ts'

export function useCallBack() {
  const toasts = useToasts()

  async function callBack(mailIds: readonly string[], bookId: string): Promise<void> {
    let back = 0
    for (const id of mailIds) {
      try {
        await call('mail.resolve', { id, decision: 'discard' }, { bookId })
        back++
      } catch (thrown) {
        if (asCallError(thrown).code === 'offline') throw thrown
      }
    }
    const gone = mailIds.length - back
    toasts.done(translate('bulk.calledBack', { count: formatCount(back) }, back), {
      id: 'mail',
      ...(gone > 0 ? { description: translate('bulk.gone', { count: formatCount(gone) }, gone) } : {}),
    })
  }

  return { callBack }
}
