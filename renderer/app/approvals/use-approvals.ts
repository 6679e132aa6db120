/** Approvals that programs request: the waiting and decided ones, and the user's answers. */
import { ref, shallowRef } from 'vue'
import { useI18n } from 'vue-i18n'
import { useRouter } from 'vue-router'
import { asCallError, call } from '../../call.ts'
import { usePulseStore } from '../../stores/pulse.ts'
import { useToasts } from '../../stores/toasts.ts'
import type { OutputOf } from '../../../server/api/contracts.ts'
import type { ApprovalItem } from './approval.ts'

export function useApprovals({
  bookId,
  limit,
  after,
}: {
  bookId: string
  limit: number
  /** Updates the inbox; without an item the answer was refused. */
  after: (item: ApprovalItem | null) => Promise<void>
}) {
  const { t } = useI18n()
  const router = useRouter()
  const pulse = usePulseStore()
  const toasts = useToasts()
  const approvals = shallowRef<OutputOf<'approvals.list'> | null>(null)
  const busy = ref(false)
  /** An approval that waits for the user to be authenticated. */
  const unproved = shallowRef<{
    item: ApprovalItem
    digits: boolean
    prove: (code: string) => Promise<void>
  } | null>(null)

  /** True if no code is set that could authenticate the user. */
  const codeMissing = ref(false)

  async function load(): Promise<void> {
    approvals.value = await call('approvals.list', { limit }, { bookId })
  }

  function notify(item: ApprovalItem): void {
    const { id, number } = item.invoice
    if (item.status !== 'approved') return toasts.done(t('approval.done.denied'), { id: 'decided' })
    toasts.done(t(`approval.done.${item.action}`, { number }), {
      id: 'decided',
      actions: [{ label: t('approval.see'), run: () => void router.push(`/invoices/${id}`) }],
    })
  }

  async function decide(
    item: ApprovalItem,
    decision: 'approve' | 'deny',
    contentHash: string,
    note = '',
  ): Promise<void> {
    if (busy.value) return
    const send = async (code?: string): Promise<void> => {
      const input = { id: item.approvalId, decision, contentHash, ...(note ? { note } : {}) }
      const decided = await call('approvals.decide', { ...input, ...(code ? { code } : {}) }, { bookId })
      unproved.value = null
      pulse.refreshSoon()
      notify(decided)
      await after(decided)
    }
    /** Keeps the card from loading what its own answer has closed. */
    const whileBusy = (work: typeof send) => async (code: string) => {
      busy.value = true
      try {
        await work(code)
      } finally {
        busy.value = false
      }
    }
    busy.value = true
    try {
      await send()
    } catch (thrown) {
      const error = asCallError(thrown)
      if (error.code === 'identity_needed' && error.details.kind === null) codeMissing.value = true
      else if (error.code === 'identity_needed')
        unproved.value = { item, digits: error.details.kind === 'pin', prove: whileBusy(send) }
      else {
        toasts.failed(error)
        await after(null)
      }
    } finally {
      busy.value = false
    }
  }

  return { approvals, load, busy, decide, unproved, codeMissing }
}
