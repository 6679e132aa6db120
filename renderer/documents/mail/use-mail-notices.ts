/** Notices about failed mails, on any page: mail is sent in the background, when its own page may be closed. */
import { useDebounceFn } from '@vueuse/core'
import { useRouter } from 'vue-router'
import { call } from '../../call.ts'
import { onEvent } from '../../events.ts'
import { formatList } from '../../format.ts'
import { icons } from '../../icons.ts'
import { translate } from '../../i18n.ts'
import { useNotices } from '../../stores/notices.ts'
import { useSessionStore } from '../../stores/session.ts'

const SETTLE_MS = 400
/** Older failures are shown only in the list of mails. */
const FRESH_MS = 120_000

export function useMailNotices(): void {
  const session = useSessionStore()
  const router = useRouter()
  const notices = useNotices()
  const told = new Set<string>()

  const look = useDebounceFn(async () => {
    const { items } = await call('mail.list', { open: true })
    const fresh = items.filter(
      ({ id, state, settledAt }) =>
        (state === 'failed' || state === 'unknown') &&
        settledAt !== null &&
        Date.now() - Date.parse(settledAt) < FRESH_MS &&
        !told.has(`${id} ${settledAt}`),
    )
    for (const { id, settledAt } of fresh) told.add(`${id} ${settledAt}`)
    const [first] = fresh
    if (!first) return
    const place = fresh.length === 1 ? first.documents[0] : undefined
    notices.show(
      {
        title:
          fresh.length === 1
            ? translate('mail.notice.one', { to: formatList(first.to) })
            : translate('mail.notice.many', { count: fresh.length }),
        icon: icons.error,
        color: 'error',
        duration: 12_000,
        ...(first.reason ? { description: translate(`mail.reason.${first.reason}`) } : {}),
        actions: [
          {
            label: translate('mail.notice.see'),
            color: 'neutral',
            variant: 'outline',
            onClick: () =>
              void router.push(
                place ? `/${place.type === 'invoice' ? 'invoices' : 'quotes'}/${place.id}` : '/mails',
              ),
          },
        ],
      },
      'mail-trouble',
    )
  }, SETTLE_MS)
  onEvent('mail.*', (event) => {
    if (event.bookId === session.activeBook?.id) look().catch(() => undefined)
  })
}
