/** The list of incoming documents: loaded as it is scrolled, and kept as it is by the events of the server. */
import { useDebounceFn } from '@vueuse/core'
import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue'
import { asCallError, call } from '../../call.ts'
import type { CallError } from '../../call.ts'
import { latestCall } from '../../composables/latest-call.ts'
import { isOfOthers } from '../../components/list/fresh-rows.ts'
import { onEvent, onReopened } from '../../events.ts'
import { useSessionStore } from '../../stores/session.ts'
import { isOpen, patched, progressed, rejoined } from './rows.ts'
import type { IncomingFilter, IncomingList, IncomingRow } from './rows.ts'

const PAGE = 200
const SETTLE_MS = 200
/** The list follows while documents come in without a pause. */
const LONGEST_MS = 1_000
/** Rows far down the list that are asked for one by one; more of them load the list again. */
const SINGLE_ROWS = 10

export function useIncomingList(options: { filter: () => IncomingFilter; text: () => string }) {
  const session = useSessionStore()
  const rows = shallowRef<readonly IncomingRow[]>([])
  const counts = shallowRef<IncomingList['counts'] | null>(null)
  const cursor = shallowRef<string | null>(null)
  const error = shallowRef<CallError | null>(null)
  const isLoaded = ref(false)
  const loadingMore = ref(false)
  const begin = latestCall()

  const changed = new Set<string>()
  /** Documents that others brought in: they wait until they are asked for, and move nothing meanwhile. */
  const candidates = new Set<string>()
  const waiting = shallowRef<ReadonlySet<string>>(new Set())
  /** Returns the rows of an answer without those that wait. */
  function withoutNew(items: readonly IncomingRow[]): IncomingRow[] {
    const known = new Set(rows.value.map(({ id }) => id))
    const isNew = ({ id }: IncomingRow): boolean => candidates.has(id) && !known.has(id)
    waiting.value = new Set(items.filter(isNew).map(({ id }) => id))
    return items.filter((row) => !isNew(row))
  }

  const asked = computed(() => ({
    state: options.filter(),
    ...(options.text().trim() === '' ? {} : { text: options.text().trim() }),
    limit: PAGE,
  }))

  async function load(): Promise<void> {
    const isLatest = begin()
    candidates.clear()
    waiting.value = new Set()
    try {
      const answer = await call('incoming.list', asked.value)
      if (!isLatest()) return
      rows.value = answer.items
      cursor.value = answer.nextCursor
      counts.value = answer.counts
      error.value = null
      isLoaded.value = true
    } catch (thrown) {
      if (isLatest() && !isLoaded.value) error.value = asCallError(thrown)
    }
  }

  /** Loads the rows behind the last one. */
  async function loadMore(): Promise<void> {
    if (cursor.value === null || loadingMore.value) return
    loadingMore.value = true
    const before = rows.value
    const { value: from } = cursor
    try {
      const answer = await call('incoming.list', { ...asked.value, cursor: from })
      // Otherwise another list is shown meanwhile.
      if (cursor.value !== from) return
      const known = new Set(before.map(({ id }) => id))
      rows.value = [...rows.value, ...answer.items.filter(({ id }) => !known.has(id))]
      cursor.value = answer.nextCursor
    } catch {
      // Scrolling further asks again.
    } finally {
      loadingMore.value = false
    }
  }

  /** Shows a document as it is now, before the list is loaded again. */
  function patch(row: IncomingRow): void {
    rows.value = patched(rows.value, row, options.filter())
  }
  const drop = (id: string): void => {
    rows.value = rows.value.filter((row) => row.id !== id)
  }

  async function refreshNow(): Promise<void> {
    const isLatest = begin()
    const ids = [...changed]
    changed.clear()
    try {
      const answer = await call('incoming.list', asked.value)
      if (!isLatest()) return void ids.forEach((id) => changed.add(id))
      counts.value = answer.counts
      const items = withoutNew(answer.items)
      const first = new Set(items.map(({ id }) => id))
      const joined = answer.nextCursor === null ? null : rejoined(rows.value, items)
      const far = ids.filter((id) => !first.has(id) && rows.value.some((row) => row.id === id))
      if (joined === null || far.length > SINGLE_ROWS) {
        rows.value = items
        cursor.value = answer.nextCursor
        return
      }
      // Without a cursor of its own, a list that fitted one page goes on behind it.
      if (rows.value.length <= PAGE) cursor.value = answer.nextCursor
      rows.value = joined
      for (const id of far) {
        const one = await call('incoming.get', { id }).catch(() => null)
        if (!isLatest()) return
        if (one) patch(one)
        else drop(id)
      }
    } catch {
      // The rows stay; the next event asks again.
    }
  }
  const refresh = useDebounceFn(refreshNow, SETTLE_MS, { maxWait: LONGEST_MS })

  watch(asked, () => void load(), { deep: true })
  onEvent('incoming.changed', (event) => {
    if (event.bookId !== session.activeBook?.id) return
    const id = String(event.data.documentId)
    changed.add(id)
    if (isOfOthers(event) && rows.value.length > 0 && !rows.value.some((row) => row.id === id))
      candidates.add(id)
    void refresh()
  })
  onEvent('incoming.progress', (event) => {
    if (event.bookId !== session.activeBook?.id) return
    const { documentId, pagesRead, pages } = event.data
    rows.value = progressed(rows.value, {
      documentId: String(documentId),
      pagesRead: Number(pagesRead),
      pages: pages === null ? null : Number(pages),
    })
  })
  onReopened(() => void refresh())
  onScopeDispose(() => void begin())
  void load()

  return { rows, counts, cursor, error, isLoaded, load, loadMore, patch, refresh, isOpen, waiting }
}
