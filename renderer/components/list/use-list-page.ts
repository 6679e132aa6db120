/**
 * State of a list page: filter and order in the address, rows by page, count and totals, selection, saved views,
 * search, export and shortcuts. `ListPage` shows it:
 *
 *   const list = useListPage({
 *     path: '/quotes',
 *     pages: ['quotes'],
 *     filterOf: quoteFilter,
 *     fetch: (input) => call('quotes.window', input),
 *     events: ['quote.*'],
 *   })
 *
 * Its members are getters: use `list.count`, not a destructured `count`.
 */
import { useDebounceFn } from '@vueuse/core'
import { computed, onMounted, ref, shallowRef, watch } from 'vue'
import { asCallError } from '../../call.ts'
import type { CallError } from '../../call.ts'
import { onCommand } from '../../commands.ts'
import { onEvent, onReopened } from '../../events.ts'
import { useShortcuts } from '../../shortcuts.ts'
import type { PageShortcut } from '../../shortcuts.ts'
import { useSessionStore } from '../../stores/session.ts'
import type { InputOf } from '../../../server/api/contracts.ts'
import type { ViewQuery } from '../views/own-views.ts'
import type { AddressChanges } from './address.ts'
import type { ListGrid, ListSearch } from './types.ts'
import { useFreshRows } from './fresh-rows.ts'
import { useListAddress } from './use-list-address.ts'
import type { ListAddressOptions } from './use-list-address.ts'
import { latestCall } from '../../composables/latest-call.ts'

const SEARCH_AFTER_MS = 200
const SETTLE_MS = 250

interface Stretch {
  offset: number
  limit: number
}
interface Counted {
  count: number
}
interface PageOf<Row> {
  items: readonly Row[]
}
type Order<Sort> = [Sort] extends [never] ? unknown : { sort: Sort }

export interface ListOptions<
  Row extends { id: string },
  Filter extends object,
  Page extends object,
  Answer extends Counted,
  Sort extends string,
> extends Omit<ListAddressOptions, 'path' | 'pages'> {
  /** Address of the list. */
  path: string
  /** Route names of the page; without them its address holds no filter. */
  pages?: readonly string[]
  /** True if a change of the filter closes the open row beside the list. */
  changeCloses?: boolean
  filterOf: (query: ViewQuery) => Filter
  sortOf?: (query: ViewQuery) => Sort
  fetch: (input: Filter & Stretch & Order<Sort>) => Promise<Page & PageOf<Row>>
  /** Loads count and totals of a filter, if they do not come with the rows; null if they are unknown. */
  summarize?: (filter: Filter) => Promise<Answer | null>
  /** Called with the rows each time some are loaded. */
  onRows?: (rows: readonly Row[]) => void
  /** Events after which the rows may have changed. */
  events: readonly string[]
  /** Reloads other content together with the rows. */
  reloads?: () => Promise<unknown>
  /** Time during which events are collected before the rows are reloaded. */
  settleMs?: number
  search?: ListSearch
  /** Saves the list, or the rows with these identifiers, as a file. */
  save?: (which: (Filter & Order<Sort>) | { ids: string[] }) => void
  /** Saved views of the user. */
  views?: {
    list: InputOf<'views.list'>['list']
    /** Queries of the page's own tabs. */
    builtIn?: () => readonly ViewQuery[]
    /** Name of the tab that shows all rows, if the page has no tabs of its own. */
    allLabel?: string
  }
  /** Position in the address of the identifier of the open row beside the list. */
  opens?: 'path' | 'query'
  /** Returns false for an identifier that cannot be shown beside the list. */
  isOpenable?: (id: string) => boolean
  /** Shortcuts of the page that the sheet lists first. */
  firstKeys?: readonly PageShortcut[]
  /** Other shortcuts, in the order of the sheet. */
  keys?: readonly PageShortcut[]
}

export function useListPage<
  Row extends { id: string },
  Filter extends object,
  Page extends object,
  Answer extends Counted = Page & Counted,
  Sort extends string = never,
>(options: ListOptions<Row, Filter, Page, Answer, Sort>) {
  const { path, events, settleMs = SETTLE_MS, opens, views } = options
  const session = useSessionStore()
  const address = useListAddress({
    ...options,
    pages: options.pages ?? [],
    path: options.changeCloses ? path : undefined,
  })

  const grid = shallowRef<ListGrid<Row> | null>(null)
  const searchBox = shallowRef<HTMLInputElement | null>(null)

  // ---- Filter and order. ----

  const filter = computed(() => options.filterOf(address.query.value))
  const filterKey = computed(() => JSON.stringify(filter.value))
  const order = computed<Sort | undefined>(() => options.sortOf?.(address.query.value))
  const source = computed(() => [filterKey.value, order.value].filter(Boolean).join(' '))
  const ordered = (): Filter & Order<Sort> =>
    ({ ...filter.value, ...(order.value ? { sort: order.value } : {}) }) as Filter & Order<Sort>

  const typed = ref(address.word('q'))
  const search = useDebounceFn(() => address.change({ q: typed.value.trim() || null }), SEARCH_AFTER_MS)
  watch(
    () => address.word('q'),
    (text) => {
      if (typeof document === 'undefined' || document.activeElement !== searchBox.value) typed.value = text
    },
  )
  /** Changes parameters of the address, including those of the search field. */
  function change(changes: AddressChanges): void {
    if ('q' in changes) typed.value = changes.q ?? ''
    address.change(changes)
  }
  const clearSearch = (): void => change({ q: null })
  function clear(): void {
    typed.value = ''
    address.clear()
  }

  // ---- Rows by page; count and totals with them or once per filter. ----

  /** Rows of this list loaded so far, so that actions apply to selected ones that have scrolled away. */
  const seen = new Map<string, Row>()
  const fresh = useFreshRows<Row>((id) => seen.has(id))
  watch(source, () => {
    seen.clear()
    fresh.forget()
  })
  const answer = shallowRef<Answer | null>(null)
  const error = shallowRef<CallError | null>(null)

  async function fetchRows(offset: number, limit: number): Promise<readonly Row[]> {
    const mine = source.value
    const rows = await fresh.load({ offset, limit }, async (stretch) => {
      const page = await options.fetch({ ...ordered(), ...stretch })
      if (mine === source.value && !options.summarize) answer.value = page as unknown as Answer
      return page.items
    })
    if (mine !== source.value) return rows
    for (const row of rows) seen.set(row.id, row)
    options.onRows?.(rows)
    return rows
  }

  const begin = latestCall()
  async function summarize(): Promise<void> {
    if (!options.summarize) return
    const isLatest = begin()
    try {
      const found = await options.summarize(filter.value)
      if (!isLatest() || !found) return
      answer.value = found
      error.value = null
    } catch (thrown) {
      if (isLatest() && !answer.value) error.value = asCallError(thrown)
    }
  }
  onMounted(summarize)
  watch(filterKey, () => void summarize())

  async function countOf(query: ViewQuery): Promise<number | null> {
    const wanted = options.filterOf(query)
    if (options.summarize) return (await options.summarize(wanted))?.count ?? null
    const page = await options.fetch({ ...wanted, offset: 0, limit: 1 } as Filter & Stretch & Order<Sort>)
    return (page as unknown as Answer).count
  }

  const stamp = ref(0)
  async function reload(): Promise<void> {
    stamp.value++
    await Promise.all([summarize(), grid.value?.refresh(), options.reloads?.()])
  }
  const refresh = useDebounceFn(reload, settleMs)
  for (const type of events)
    onEvent(type, (event) => {
      if (event.bookId !== session.activeBook?.id) return
      fresh.note(event, answer.value?.count === 0)
      void refresh()
    })
  watch(fresh.moves, () => void grid.value?.refresh())
  onReopened(() => void refresh())

  /** Shows the rows that wait, from the top of the list. */
  async function showFresh(): Promise<void> {
    fresh.forget()
    await reload()
    await grid.value?.top()
  }

  // ---- Selection, saved views, the open row beside the list. ----

  const selected = ref<ReadonlySet<string>>(new Set())
  const chosen = computed(() => [...selected.value].flatMap((id) => seen.get(id) ?? []))
  const own = ref(false)

  const opened = computed(() => {
    const id = opens === 'path' ? address.id.value : opens === 'query' ? address.word('id') : ''
    return options.isOpenable?.(id) === false ? '' : id
  })
  function goTo(id: string): void {
    if (opens === 'path') address.go({ path: id ? `${path}/${id}` : path, query: address.query.value })
    else address.change({ id })
  }

  // ---- Export and keys. ----

  const saveAll = (): void => options.save?.(ordered())
  function saveChosen(): void {
    options.save?.({ ids: [...selected.value] })
    selected.value = new Set()
  }
  if (options.save) onCommand('export', saveAll)
  const searchLabel = options.search?.label
  useShortcuts([
    ...(options.firstKeys ?? []),
    ...(options.save
      ? [{ keys: 'o', label: 'downloads.csv', group: 'shortcuts.here', handler: saveAll }]
      : []),
    ...(searchLabel
      ? [
          {
            keys: '/',
            // Listed while there is a search field.
            get label() {
              return searchBox.value ? searchLabel : ''
            },
            group: 'shortcuts.here',
            handler: () => searchBox.value?.select(),
          },
        ]
      : []),
    ...(options.keys ?? []),
    ...(opens === 'path' ? [{ keys: 'escape', handler: () => (opened.value ? goTo('') : undefined) }] : []),
  ])

  return {
    path,
    search: options.search,
    get query() {
      return address.query.value
    },
    get filter() {
      return filter.value
    },
    get sort() {
      return order.value ?? ''
    },
    /** Filter and order, as an operation takes them. */
    get ordered() {
      return ordered()
    },
    get source() {
      return source.value
    },
    /** True if no filter is active. */
    get isWhole() {
      return Object.keys(filter.value).length === 0
    },
    /** Count and totals; null until known. */
    get answer() {
      return answer.value
    },
    /** Rows of the list without those that wait. */
    get count() {
      const count = answer.value?.count ?? null
      return count === null ? null : Math.max(0, count - fresh.waiting.size)
    },
    /** Number of rows that others added and that wait to be shown. */
    get fresh() {
      return fresh.waiting.size
    },
    showFresh,
    get error() {
      return error.value
    },
    get typed() {
      return typed.value
    },
    get selected() {
      return selected.value
    },
    /** The selected rows that were loaded. */
    get chosen() {
      return chosen.value
    },
    /** True if one of the user's own views is shown. */
    get own() {
      return own.value
    },
    /** Identifier of the open row beside the list. */
    get opened() {
      return opened.value
    },
    get grid() {
      return grid.value
    },
    /** Increases each time the rows may have changed. */
    get stamp() {
      return stamp.value
    },
    /** Properties of `SavedViews`; null if the list has none. */
    get savedViews() {
      return views
        ? {
            list: views.list,
            path,
            query: address.query.value,
            ...(views.builtIn ? { builtIn: views.builtIn() } : {}),
            ...(views.allLabel ? { allLabel: views.allLabel } : {}),
            countOf,
            stamp: stamp.value,
          }
        : null
    },
    word: address.word,
    changed: address.changed,
    change,
    /** Shows the typed text in the search field, and searches for it after a moment. */
    type(text: string) {
      typed.value = text
      void search()
    },
    clearSearch,
    clear,
    select: (ids: ReadonlySet<string>) => void (selected.value = ids),
    setOwn: (is: boolean) => void (own.value = is),
    clearSelection: () => void (selected.value = new Set()),
    goTo,
    fetchRows,
    /** Reloads rows and totals at once. */
    reload,
    /** Reloads them once no more changes come for a moment. */
    refresh,
    saveAll,
    saveChosen,
    setGrid: (now: ListGrid<Row> | null) => void (grid.value = now),
    setSearchBox: (now: HTMLInputElement | null) => void (searchBox.value = now),
  }
}

/** State of a list page, for the components that show it. */
export type ListState<Row extends { id: string }> = Omit<
  ReturnType<typeof useListPage<Row, object, object, Counted, string>>,
  'filter' | 'answer' | 'ordered'
>
