/**
 * State that the shell always shows: the status of the registry, the unsent records of every live book, the number of
 * inbox entries, and of documents to review.
 */
import { useDebounceFn } from '@vueuse/core'
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { call } from '../call.ts'
import { countOf } from '../purchases/incoming/rows.ts'
import type { LiveQueue } from '../app/shell/unsent.ts'
import { onEvent, onReopened } from '../events.ts'
import { inOffice, may } from './person.ts'
import { useSessionStore } from './session.ts'
import type { OutputOf } from '../../server/api/contracts.ts'

type RegistryState = OutputOf<'registry.status'>

const SETTLE_MS = 150
const RECOUNT_MS = 1_000

export const usePulseStore = defineStore('pulse', () => {
  const session = useSessionStore()
  /** State of the active book. */
  const registry = shallowRef<RegistryState | null>(null)
  /** Queues of every live book, whichever is active: unsent records must not be overlooked. */
  const liveQueues = shallowRef<readonly LiveQueue[]>([])
  const requests = ref(0)
  /** Tasks, mentions and steps that wait for the person. */
  const own = ref(0)
  const waiting = computed(() => requests.value + own.value)
  /** Documents that are neither entered nor rejected. */
  const toReview = ref(0)
  let timer: ReturnType<typeof setTimeout> | undefined

  async function refresh(): Promise<void> {
    if (!session.activeBook) return
    const bookId = session.activeBook.id
    // The shell must work without these figures: on a failure the old ones stay, and the page shows its own error.
    const status = may('registry.read') ? call('registry.status', {}) : null
    const [state, inbox, queues, documents, mine] = await Promise.allSettled([
      status,
      waitingCount(),
      readLiveQueues(bookId, status),
      documentCount(),
      ownCount(),
    ])
    if (session.activeBook?.id !== bookId) return
    if (state.status === 'fulfilled') registry.value = state.value
    if (inbox.status === 'fulfilled') requests.value = inbox.value
    if (mine.status === 'fulfilled') own.value = mine.value
    if (documents.status === 'fulfilled') toReview.value = documents.value
    if (queues.status === 'fulfilled') liveQueues.value = queues.value
  }

  /** Returns the number of inbox entries that wait for an answer. */
  async function waitingCount(): Promise<number> {
    if (!may('approve')) return 0
    const [approvals, proposals] = await Promise.all([call('approvals.list', {}), call('inbox.list', {})])
    return approvals.waiting.length + proposals.waiting.length
  }

  /** Returns what waits for the person: in an office also steps that need a second person. */
  async function ownCount(): Promise<number> {
    const [inbox, steps] = await Promise.all([
      call('inbox.mine', {}),
      inOffice() ? call('people.requests', {}) : null,
    ])
    return inbox.waiting + (steps?.waiting.filter(({ mayDecide }) => mayDecide).length ?? 0)
  }
  const refreshOwn = useDebounceFn(async () => {
    const bookId = session.activeBook?.id
    if (!bookId) return
    const count = await ownCount().catch(() => own.value)
    if (session.activeBook?.id === bookId) own.value = count
  }, SETTLE_MS)

  /** Returns the number of incoming documents that nobody has decided about. */
  async function documentCount(): Promise<number> {
    if (!may('purchases.read')) return 0
    const { counts } = await call('incoming.list', { limit: 1 })
    return countOf(counts, 'open')
  }

  /** That of the open company is read as it is now; those of all others come from their summaries, in one request. */
  async function readLiveQueues(
    activeId: string,
    active: Promise<RegistryState> | null,
  ): Promise<LiveQueue[]> {
    const live = session.books.find(
      ({ mode, companyId }) => mode === 'live' && companyId === session.activeBook?.companyId,
    )
    const [own, unsent] = await Promise.all([
      live && active
        ? live.id === activeId
          ? active
          : call('registry.status', {}, { bookId: live.id })
        : null,
      session.isSeveral ? call('console.unsent', {}) : null,
    ])
    const others = (unsent?.items ?? []).filter(({ bookId }) => bookId !== live?.id)
    return [
      ...(live && own
        ? [
            {
              bookId: live.id,
              company: live.companyName,
              queue: own.queue,
              certificate: own.certificate.status,
            },
          ]
        : []),
      ...others.map(({ bookId, company, pending, since, stopped, certificate }) => ({
        bookId,
        company,
        queue: { pending, stopped, ...(since === null ? {} : { oldestPendingAt: since }) },
        certificate,
      })),
    ]
  }

  /** Groups several events into one refresh. */
  function refreshSoon(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void refresh(), SETTLE_MS)
  }

  /** Clears the state: Sello is locked. */
  function forget(): void {
    clearTimeout(timer)
    registry.value = null
    liveQueues.value = []
    requests.value = 0
    own.value = 0
    toReview.value = 0
  }

  const isLive = (bookId: string) => session.books.some((book) => book.id === bookId && book.mode === 'live')
  for (const type of ['registry.*', 'invoice.*', 'proposal.*', 'approval.*', 'certificate.*', 'company.*'])
    onEvent(type, (event) => {
      if (event.bookId === session.activeBook?.id || isLive(event.bookId)) refreshSoon()
    })
  // Documents come in by the hundred: their number is asked for by itself.
  const recount = useDebounceFn(
    async () => {
      const bookId = session.activeBook?.id
      const count = await documentCount().catch(() => toReview.value)
      if (session.activeBook?.id === bookId) toReview.value = count
    },
    SETTLE_MS,
    { maxWait: RECOUNT_MS },
  )
  onEvent('incoming.changed', (event) => {
    if (event.bookId === session.activeBook?.id) void recount()
  })
  for (const type of ['note.*', 'task.*', 'people.*'])
    onEvent(type, (event) => {
      if (event.bookId === session.activeBook?.id) void refreshOwn()
    })
  onReopened(refreshSoon)

  return { registry, liveQueues, requests, own, waiting, toReview, refresh, refreshSoon, refreshOwn, forget }
})
