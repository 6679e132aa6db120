/** User's answer to a proposal, and its consequences: a link to the result, or an undo. */
import { ref } from 'vue'
import { useI18n } from 'vue-i18n'
import { useRouter } from 'vue-router'
import { call } from '../../call.ts'
import { usePulseStore } from '../../stores/pulse.ts'
import { useToasts } from '../../stores/toasts.ts'
import { nextAddressOf, subjectOf } from './messages.ts'
import type { InboxItem, Outcome } from './messages.ts'

export function useDecision({
  bookId,
  after,
}: {
  bookId: string
  /** Updates the inbox; without an item the answer was refused. */
  after: (item: InboxItem | null) => Promise<void>
}) {
  const { t } = useI18n()
  const router = useRouter()
  const pulse = usePulseStore()
  const toasts = useToasts()
  const busy = ref(false)

  /** Announces a change of customer data that is already made, with undo; the page stays open. */
  function notifyChanged(
    item: InboxItem,
    { contactId, before, version }: Extract<Outcome, { step: 'contact' }>,
  ) {
    const name = subjectOf(item)
    toasts.done(t('inbox.done.contact', { name }), {
      id: 'decided',
      actions: [{ label: t('inbox.open.contact'), run: () => void router.push(`/contacts/${contactId}`) }],
      undo: () => call('contacts.update', { ...before, id: contactId, expectedVersion: version }, { bookId }),
    })
  }

  async function follow(item: InboxItem, outcome: Outcome): Promise<void> {
    if (outcome.step === 'contact') {
      notifyChanged(item, outcome)
      return after(item)
    }
    if (outcome.step === 'sync') await call('erp.sync', {}, { bookId })
    if (outcome.step === 'sync' || outcome.step === 'draft')
      toasts.done(t(`inbox.done.${outcome.step}`), { id: 'decided' })
    await router.push(nextAddressOf(outcome))
  }

  async function decide(item: InboxItem, decision: 'accept' | 'reject', note = ''): Promise<void> {
    if (busy.value) return
    busy.value = true
    try {
      const { proposalId: id, seen } = item
      const decided = await call(
        'inbox.decide',
        { id, decision, seen, ...(note ? { note } : {}) },
        { bookId },
      )
      pulse.refreshSoon()
      if (decided.outcome) return void (await follow(decided, decided.outcome))
      toasts.done(t(decided.status === 'not_applicable' ? 'inbox.done.gone' : `inbox.done.${decision}`), {
        id: 'decided',
      })
      await after(decided)
    } catch (thrown) {
      toasts.failed(thrown)
      await after(null)
    } finally {
      busy.value = false
    }
  }

  return { busy, decide }
}
