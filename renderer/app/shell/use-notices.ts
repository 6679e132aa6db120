/**
 * System notifications about what waits or failed while the window was in the background, and the number on the dock.
 * Private ones, the default, contain neither names nor amounts: they show on a locked screen.
 */
import { useDebounceFn } from '@vueuse/core'
import { watch } from 'vue'
import type { NoticeKind } from '../../../preload/contract.ts'
import { call } from '../../call.ts'
import { inDesktop, notify, showBadge } from '../../desktop.ts'
import { onEvent } from '../../events.ts'
import type { WindowEvent } from '../../events.ts'
import { formatEuros, formatList } from '../../format.ts'
import { translate } from '../../i18n.ts'
import { usePulseStore } from '../../stores/pulse.ts'
import { useSessionStore } from '../../stores/session.ts'

const SETTLE_MS = 400
/** Older events are not announced. */
const FRESH_MS = 120_000
/** Length limit of a notification. */
const LONGEST_BODY = 240

export function useNotices(): void {
  if (!inDesktop) return
  const session = useSessionStore()
  const pulse = usePulseStore()
  watch(() => pulse.waiting, showBadge, { immediate: true })

  /** Shows a notification; `details` is called only for users who want details on any screen. */
  async function notifyWhenAway(
    kind: NoticeKind,
    path: string,
    details: () => Promise<string>,
  ): Promise<void> {
    const wanted = session.preferences?.notices
    if (!wanted?.[kind] || document.hasFocus()) return
    const body = wanted.private
      ? translate('desktop.notice.private')
      : await details().catch(() => translate('desktop.notice.private'))
    const mark = session.isSeveral && !wanted.private ? session.activeBook?.companyName : undefined
    const title = translate(`desktop.notice.${kind}`)
    notify({ kind, title: mark ? `${mark}: ${title}` : title, body: body.slice(0, LONGEST_BODY), path })
  }

  const isHere = (event: WindowEvent): boolean => event.bookId === session.activeBook?.id
  const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
  const invoiceLine = async (id: string): Promise<string> => {
    const { number, clientName, total } = await call('invoices.get', { id })
    return [number, clientName, formatEuros(total)].filter(Boolean).join(' · ')
  }

  onEvent('approval.requested', (event) => {
    // For any book: an approval waits for minutes.
    void notifyWhenAway('approvals', '/inbox', async () => {
      const { waiting } = await call('approvals.list', {}, { bookId: event.bookId })
      const item = waiting.find(({ approvalId }) => approvalId === event.data.approvalId)
      return item ? [item.key.name, item.invoice.clientName, formatEuros(item.invoice.total)].join(' · ') : ''
    })
  })
  onEvent('proposal.created', (event) => {
    if (!isHere(event)) return
    void notifyWhenAway(
      'approvals',
      '/inbox',
      async () => (await call('inbox.list', {})).waiting[0]?.title ?? '',
    )
  })
  for (const type of ['registry.rejected', 'registry.conflict', 'registry.stopped'])
    onEvent(type, (event) => {
      if (!isHere(event)) return
      const id = textOf(event.data.invoiceId)
      void notifyWhenAway('registry', id ? `/invoices/${id}` : '/registry', () => invoiceLine(id))
    })
  onEvent('recurrence.changed', (event) => {
    const id = textOf(event.data.invoiceId)
    if (isHere(event) && id) void notifyWhenAway('recurring', `/invoices/${id}`, () => invoiceLine(id))
  })

  const told = new Set<string>()
  const lookAtMails = useDebounceFn(async () => {
    const { items } = await call('mail.list', { open: true })
    const fresh = items.find(
      ({ id, state, settledAt }) =>
        (state === 'failed' || state === 'unknown') &&
        settledAt !== null &&
        Date.now() - Date.parse(settledAt) < FRESH_MS &&
        !told.has(`${id} ${settledAt}`),
    )
    if (!fresh) return
    told.add(`${fresh.id} ${fresh.settledAt}`)
    await notifyWhenAway('mail', '/mails', async () => formatList(fresh.to))
  }, SETTLE_MS)
  onEvent('mail.*', (event) => {
    if (isHere(event)) lookAtMails().catch(() => undefined)
  })
}
