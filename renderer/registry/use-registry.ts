/** State of the registry and its records in the window, refreshed by events; and the two simple actions. */
import { useDebounceFn } from '@vueuse/core'
import { onMounted, ref, shallowRef, watch } from 'vue'
import type { Ref } from 'vue'
import { useI18n } from 'vue-i18n'
import { asCallError, call } from '../call.ts'
import type { CallError } from '../call.ts'
import { onEvent, onReopened } from '../events.ts'
import { formatCount } from '../format.ts'
import { usePulseStore } from '../stores/pulse.ts'
import { useSessionStore } from '../stores/session.ts'
import { useToasts } from '../stores/toasts.ts'
import type { InputOf, OutputOf } from '../../server/api/contracts.ts'

export type RecordRow = OutputOf<'registry.records'>['items'][number]

/** Filters of the list. */
export const SHOWS = ['all', 'waiting', 'attention', 'rejected'] as const
export type Show = (typeof SHOWS)[number]

const PAGE = 50
const MOST = 200
const SETTLE_MS = 250

/** Requests per filter; waiting records are in three states, so that filter takes three requests. */
const QUESTIONS: Record<Show, readonly InputOf<'registry.records'>[]> = {
  all: [{}],
  waiting: [{ status: 'pending' }, { status: 'sending' }, { status: 'unknown' }],
  attention: [{ attention: true }],
  rejected: [{ status: 'rejected' }],
}

async function askRecords(show: Show, limit: number, before?: number): Promise<OutputOf<'registry.records'>> {
  const page = { limit, ...(before === undefined ? {} : { before }) }
  const answers = await Promise.all(
    QUESTIONS[show].map((question) => call('registry.records', { ...question, ...page })),
  )
  const [only] = answers
  if (answers.length === 1 && only) return only
  const all = answers.flatMap((answer) => answer.items).sort((a, b) => b.sequence - a.sequence)
  const items = all.slice(0, limit)
  const more = all.length > limit || answers.some((answer) => answer.next !== null)
  return { items, next: more ? (items.at(-1)?.sequence ?? null) : null }
}

/** Loads and refreshes; `show` selects the records. `onFresh` is called after each refresh by an event. */
export function useRegistry(show: Ref<Show>, onFresh: () => void) {
  const { t } = useI18n()
  const session = useSessionStore()
  const pulse = usePulseStore()
  const toasts = useToasts()

  const state = shallowRef<OutputOf<'registry.status'> | null>(null)
  const records = shallowRef<readonly RecordRow[] | null>(null)
  const next = ref<number | null>(null)
  const error = shallowRef<CallError | null>(null)
  const loadingMore = ref(false)
  const sending = ref(false)
  const proving = ref(false)
  const proof = shallowRef<OutputOf<'registry.verify'> | null>(null)

  let generation = 0
  async function load(): Promise<void> {
    const mine = ++generation
    // As many as are shown now, so that a refresh does not shorten the list.
    const limit = Math.min(MOST, Math.max(PAGE, records.value?.length ?? 0))
    try {
      const [nextState, page] = await Promise.all([
        call('registry.status', {}),
        askRecords(show.value, limit),
      ])
      if (mine !== generation) return
      state.value = nextState
      records.value = page.items
      next.value = page.next
      error.value = null
    } catch (thrown) {
      if (mine === generation && !state.value) error.value = asCallError(thrown)
    }
  }

  async function more(): Promise<void> {
    if (next.value === null) return
    const mine = generation
    loadingMore.value = true
    try {
      const page = await askRecords(show.value, PAGE, next.value)
      if (mine !== generation) return
      records.value = [...(records.value ?? []), ...page.items]
      next.value = page.next
    } catch (thrown) {
      toasts.failed(thrown, () => void more())
    } finally {
      loadingMore.value = false
    }
  }

  const loadSoon = useDebounceFn(async () => {
    await load()
    onFresh()
  }, SETTLE_MS)
  onMounted(load)
  watch(show, () => {
    records.value = null
    void load()
  })
  for (const type of ['registry.*', 'invoice.*', 'certificate.*'])
    onEvent(type, (event) => {
      if (event.bookId === session.activeBook?.id) void loadSoon()
    })
  onReopened(() => void loadSoon())

  async function sendNow(): Promise<void> {
    sending.value = true
    try {
      const { pending } = await call('registry.send', {})
      toasts.done(
        pending > 0
          ? t('registryPage.sending', { count: formatCount(pending) }, pending)
          : t('registryPage.nothingToSend'),
        { id: 'send' },
      )
      await load()
      pulse.refreshSoon()
    } catch (thrown) {
      toasts.failed(thrown, () => void sendNow())
    } finally {
      sending.value = false
    }
  }

  async function verify(quiet = false): Promise<void> {
    proving.value = true
    try {
      proof.value = await call('registry.verify', {})
      await load()
      if (proof.value.ok && !quiet)
        toasts.done(
          t('registryPage.verified', { count: formatCount(proof.value.records) }, proof.value.records),
          { id: 'verified' },
        )
    } catch (thrown) {
      toasts.failed(thrown, () => void verify(quiet))
    } finally {
      proving.value = false
    }
  }

  return { state, records, next, error, loadingMore, sending, proving, proof, load, more, sendNow, verify }
}
