/** Notices, on any page and for any book, that a program requests an approval: it waits for ten minutes only. */
import { watch } from 'vue'
import { useRouter } from 'vue-router'
import { call } from '../../call.ts'
import { onEvent } from '../../events.ts'
import type { WindowEvent } from '../../events.ts'
import { formatEuros } from '../../format.ts'
import { icons } from '../../icons.ts'
import { translate } from '../../i18n.ts'
import { useNotices } from '../../stores/notices.ts'
import { useSessionStore } from '../../stores/session.ts'
import type { ApprovalItem } from './approval.ts'
import { visiblePieces } from './plain.ts'

/**
 * Limit of a name from outside on one line: hidden characters are shown, and it is truncated before it displaces the
 * text.
 */
const LONGEST_NAME = 40
function plainName(text: string): string {
  const shown = visiblePieces(text)
    .map((piece) => piece.text)
    .join('')
  return shown.length > LONGEST_NAME ? `${shown.slice(0, LONGEST_NAME - 1)}…` : shown
}

export function useApprovalNotices(): void {
  const session = useSessionStore()
  const router = useRouter()
  const notices = useNotices()

  const told = new Set<string>()
  const forget = (id: string): void => {
    told.delete(id)
    notices.hide(`approval-${id}`)
  }
  // The inbox shows the full name.
  watch(
    () => router.currentRoute.value.path,
    (path) => {
      if (path.startsWith('/inbox')) for (const id of told) forget(id)
    },
  )

  async function review(item: ApprovalItem, bookId: string): Promise<void> {
    forget(item.approvalId)
    if (bookId !== session.activeBook?.id) await session.switchBook(bookId)
    await router.push(`/inbox/${item.approvalId}`)
  }

  async function notify({ bookId, data }: WindowEvent): Promise<void> {
    const { waiting } = await call('approvals.list', {}, { bookId })
    const item = waiting.find(({ approvalId }) => approvalId === data.approvalId)
    if (!item) return
    const isShown = bookId === session.activeBook?.id && router.currentRoute.value.path.startsWith('/inbox')
    if (isShown) return
    told.add(item.approvalId)
    notices.show(
      {
        title: translate('approval.toast.title', { who: `«${plainName(item.key.name)}»` }),
        description: [
          translate(`approval.short.${item.action}`, { number: item.invoice.number }),
          plainName(item.invoice.clientName),
          formatEuros(item.invoice.total),
        ].join(' · '),
        icon: icons.approval,
        color: 'warning',
        duration: Math.max(0, Date.parse(item.expiresAt) - Date.now()),
        actions: [
          {
            label: translate('approval.toast.action'),
            color: 'neutral',
            variant: 'outline',
            onClick: () => void review(item, bookId),
          },
        ],
      },
      `approval-${item.approvalId}`,
    )
  }
  /** Announces that a request which the user may be about to approve was withdrawn. */
  async function notifyWithdrawn({ bookId, data }: WindowEvent): Promise<void> {
    const { decided } = await call('approvals.list', {}, { bookId })
    const item = decided.find(({ approvalId }) => approvalId === data.approvalId)
    if (!item) return
    notices.show(
      {
        title: translate('approval.withdrawn.title', { who: `«${plainName(item.key.name)}»` }),
        description: [
          translate(`approval.short.${item.action}`, { number: item.invoice.number }),
          plainName(item.invoice.clientName),
          translate('approval.withdrawn.text'),
        ].join(' · '),
        icon: icons.approval,
        color: 'neutral',
      },
      `approval-${item.approvalId}`,
    )
  }
  onEvent('approval.requested', (event) => {
    notify(event).catch(() => undefined)
  })
  onEvent('approval.decided', (event) => {
    const id = String(event.data.approvalId)
    forget(id)
    if (event.data.decision === 'withdrawn') notifyWithdrawn(event).catch(() => undefined)
  })
}
