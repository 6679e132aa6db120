/** List of the console: its page of rows, the totals of all companies, and reading both again while it is shown. */
import { computed, onMounted, onUnmounted, ref, shallowRef } from 'vue'
import { call } from '../../call.ts'
import { useListPage } from '../../components/list/use-list-page.ts'
import { handledElsewhere } from '../../shortcuts.ts'
import { CONSOLE_START, takePrefetched } from '../../prefetch.ts'
import type { InputOf, OutputOf } from '../../../server/api/contracts.ts'
import { consoleFilter, consoleSort, orderOf } from './filter.ts'
import type { ConsoleRow, ConsoleTotals, ListOrder } from './filter.ts'

/** How often rows are read again while some are not current, and otherwise. */
const SOON_MS = 2_000
const LATER_MS = 30_000

/** True if what is wanted is at the beginning of what was requested ahead. */
const isStart = ({ limit, ...others }: InputOf<'console.list'>): boolean =>
  limit !== undefined &&
  limit <= CONSOLE_START.limit &&
  Object.keys(others).length === 3 &&
  others.sort === CONSOLE_START.sort &&
  others.descending === CONSOLE_START.descending &&
  others.offset === CONSOLE_START.offset

export function useConsoleList() {
  const totals = shallowRef<ConsoleTotals | null>(null)
  const staff = ref(false)
  const today = ref('')
  const rows = new Map<string, ConsoleRow>()

  async function fetchPage(
    input: ReturnType<typeof consoleFilter> & { offset: number; limit: number; sort: ListOrder },
  ): Promise<OutputOf<'console.list'>> {
    const { sort, ...filter } = input
    const wanted = { ...filter, ...orderOf(sort) }
    // The first request started while the page was being built; if it failed, a normal request follows.
    const ahead = isStart(wanted) ? await takePrefetched('console.list').catch(() => undefined) : undefined
    const page = ahead
      ? { ...ahead, items: ahead.items.slice(0, wanted.limit) }
      : await call('console.list', wanted)
    totals.value = page.totals
    staff.value = page.staff
    today.value = page.today
    for (const row of page.items) rows.set(row.id, row)
    return page
  }
  const list = useListPage({
    path: '/console',
    pages: ['console'],
    filterOf: consoleFilter,
    sortOf: consoleSort,
    fetch: fetchPage,
    events: ['*'],
    settleMs: SOON_MS,
    opens: 'query',
    keys: [
      { keys: 'm', label: 'console.notes.title', group: 'shortcuts.here', handler: handledElsewhere },
      { keys: 'x', label: 'console.selectKey', group: 'shortcuts.here', handler: handledElsewhere },
      { keys: 'escape', handler: () => (list.opened ? list.goTo('') : undefined) },
    ],
    search: {
      label: 'console.search',
      hint: 'console.searchHint',
      class: 'min-w-0 flex-1 max-sm:basis-full sm:w-60 sm:flex-none',
    },
  })

  let timer: ReturnType<typeof setTimeout> | undefined
  /** Others change their books too, and no event of those reaches this window. */
  function lookLater(): void {
    // Before the first answer it is not known.
    const isOutdated = (totals.value?.cards.outdated ?? 1) > 0
    timer = setTimeout(
      () => {
        const next = document.visibilityState === 'visible' ? list.reload() : Promise.resolve()
        void next.finally(lookLater)
      },
      isOutdated ? SOON_MS : LATER_MS,
    )
  }
  onMounted(lookLater)
  onUnmounted(() => clearTimeout(timer))

  const opened = computed(() => (list.stamp >= 0 && list.opened ? (rows.get(list.opened) ?? null) : null))
  return { list, totals, staff, today, opened }
}
