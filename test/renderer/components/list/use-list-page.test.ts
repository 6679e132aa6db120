/** State of a list page: its address, its rows and totals, its selection, and when it reloads. */
import { createPinia } from 'pinia'
import { createRenderer, defineComponent, nextTick } from 'vue'
import { createMemoryHistory, createRouter } from 'vue-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { viewQuery } from '../../../../renderer/components/list/address.ts'
import { useListPage } from '../../../../renderer/components/list/use-list-page.ts'
import type { ListOptions } from '../../../../renderer/components/list/use-list-page.ts'

// The parts of a window that the setup needs: an event target for keys, and a colour scheme.
vi.hoisted(() =>
  Object.assign(globalThis, {
    window: Object.assign(new EventTarget(), { matchMedia: () => ({ addEventListener: () => {} }) }),
  }),
)

interface Row {
  id: string
  name: string
}
interface Filter {
  text?: string
  view?: string
}
interface Answer {
  count: number
  total: number
}
type Options = ListOptions<Row, Filter, Answer, Answer, string>
type Input = Parameters<Options['fetch']>[0]

/** A renderer that draws nothing: components are set up and mounted as in a window. */
const { createApp } = createRenderer<object, object>({
  createElement: () => ({}),
  createText: () => ({}),
  createComment: () => ({}),
  insert: () => {},
  remove: () => {},
  parentNode: () => null,
  nextSibling: () => null,
  patchProp: () => {},
  setText: () => {},
  setElementText: () => {},
})

const mounted: { unmount: () => void }[] = []
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  while (mounted.length > 0) mounted.pop()?.unmount()
  vi.useRealTimers()
})

const rowsOf = (from: number, to: number): Row[] =>
  Array.from({ length: to - from }, (_, index) => ({
    id: `row_${from + index}`,
    name: `Row ${from + index}`,
  }))

/** A list of 300 rows at an address, with its requests. */
async function listAt(address: string, options: Partial<Options> = {}) {
  const page = defineComponent({ render: () => null })
  const router = createRouter({
    history: createMemoryHistory('/'),
    routes: [
      { path: '/things/:id?', name: 'things', component: page },
      { path: '/elsewhere', name: 'elsewhere', component: page },
    ],
  })
  await router.push(address)
  const asked: Input[] = []
  const setup = () =>
    useListPage<Row, Filter, Answer, Answer, string>({
      path: '/things',
      pages: ['things'],
      filterOf: ({ q, view }) => ({ ...(q ? { text: q } : {}), ...(view ? { view } : {}) }),
      fetch: async (input) => {
        asked.push(input)
        return {
          items: rowsOf(input.offset, Math.min(300, input.offset + input.limit)),
          count: 300,
          total: 9,
        }
      },
      events: ['thing.*'],
      ...options,
    })
  const made: ReturnType<typeof setup>[] = []
  const app = createApp({
    setup() {
      made.push(setup())
      return () => null
    },
  })
  app.use(createPinia()).use(router)
  app.mount({})
  mounted.push(app)
  const [list] = made
  if (!list) throw new Error('The page was not set up.')
  return { list, asked, router }
}
/** Waits for the router and the watchers. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    await vi.advanceTimersByTimeAsync(0)
    await nextTick()
  }
}

test('the address selects the rows, and follows the typed text after a moment', async () => {
  const { list, router } = await listAt('/things?q=ebro&view=open&odd=1&odd=2')
  expect(list.filter).toEqual({ text: 'ebro', view: 'open' })
  expect(list.typed).toBe('ebro')
  list.type(' norte ')
  expect(router.currentRoute.value.query.q).toBe('ebro')
  await vi.advanceTimersByTimeAsync(200)
  await settle()
  expect(router.currentRoute.value.fullPath).toBe('/things?q=norte&view=open')
  expect(list.filter).toEqual({ text: 'norte', view: 'open' })
})

test('a cleared filter leaves the address, and clearing all keeps only the permanent parameters', async () => {
  const { list, router } = await listAt('/things?q=ebro&view=open&connection=c1', { keeps: ['connection'] })
  list.change({ view: '' })
  await settle()
  expect(router.currentRoute.value.fullPath).toBe('/things?q=ebro&connection=c1')
  list.clear()
  await settle()
  expect(router.currentRoute.value.fullPath).toBe('/things?connection=c1')
  expect(list.typed).toBe('')
  expect(list.isWhole).toBe(true)
})

test('a link to another filter changes the search field, and leaving the page changes nothing', async () => {
  const { list, router } = await listAt('/things?q=ebro')
  await router.push('/things?q=norte')
  await settle()
  expect(list.typed).toBe('norte')
  await router.push('/elsewhere')
  await settle()
  expect(list.filter).toEqual({ text: 'norte' })
})

test('rows are requested by page with filter and order, and bring their count', async () => {
  const { list, asked } = await listAt('/things?q=ebro&sort=-name', { sortOf: ({ sort }) => sort ?? 'name' })
  expect(list.count).toBeNull()
  const rows = await list.fetchRows(200, 200)
  expect(asked).toEqual([{ text: 'ebro', sort: '-name', offset: 200, limit: 200 }])
  expect(rows).toHaveLength(100)
  expect(list.count).toBe(300)
  expect(list.answer?.total).toBe(9)
})

test('an answer to an earlier filter is ignored', async () => {
  const answer = Promise.withResolvers<Answer & { items: Row[] }>()
  const { list, router } = await listAt('/things', { fetch: () => answer.promise })
  const late = list.fetchRows(0, 200)
  await router.push('/things?q=ebro')
  await settle()
  answer.resolve({ items: rowsOf(0, 2), count: 2, total: 0 })
  await late
  expect(list.count).toBeNull()
})

test('totals are requested once per filter, not per order, and the last answer wins', async () => {
  const waiting: PromiseWithResolvers<Answer | null>[] = []
  const { list, router } = await listAt('/things', {
    sortOf: ({ sort }) => sort ?? 'name',
    summarize: () => {
      const answer = Promise.withResolvers<Answer | null>()
      waiting.push(answer)
      return answer.promise
    },
  })
  expect(waiting).toHaveLength(1)
  await router.push('/things?sort=-name')
  await settle()
  expect(waiting).toHaveLength(1)
  await router.push('/things?q=ebro')
  await settle()
  expect(waiting).toHaveLength(2)
  waiting[1]?.resolve({ count: 2, total: 20 })
  waiting[0]?.resolve({ count: 1, total: 10 })
  await settle()
  expect(list.answer).toEqual({ count: 2, total: 20 })
})

test('a failure is shown while there are no rows, and removed after a success', async () => {
  let fails = true
  const { list } = await listAt('/things', {
    summarize: async () => {
      if (fails) throw new Error('The connection broke.')
      return { count: 1, total: 0 }
    },
  })
  await settle()
  expect(list.error?.code).toBe('internal')
  fails = false
  await list.reload()
  expect(list.error).toBeNull()
  fails = true
  await list.reload()
  expect(list.error).toBeNull()
  expect(list.count).toBe(1)
})

test('the selected rows are known after they have scrolled away, and another list has none of them', async () => {
  const { list, router } = await listAt('/things')
  await list.fetchRows(0, 200)
  list.select(new Set(['row_3', 'row_7', 'row_250']))
  expect(list.chosen.map(({ id }) => id)).toEqual(['row_3', 'row_7'])
  await router.push('/things?q=ebro')
  await settle()
  list.select(new Set(['row_3']))
  expect(list.chosen).toEqual([])
})

test('the list is exported by its filter and order, the selection by its identifiers, and then cleared', async () => {
  const saved: object[] = []
  const { list } = await listAt('/things?view=open', { save: (which) => saved.push(which) })
  list.saveAll()
  list.select(new Set(['row_1']))
  list.saveChosen()
  expect(saved).toEqual([{ view: 'open' }, { ids: ['row_1'] }])
  expect(list.selected.size).toBe(0)
})

test('the open row beside the list is in the path or in the query', async () => {
  const inPath = await listAt('/things/row_2?view=open', { opens: 'path' })
  expect(inPath.list.opened).toBe('row_2')
  inPath.list.change({ view: null })
  await settle()
  expect(inPath.router.currentRoute.value.fullPath).toBe('/things/row_2')
  inPath.list.goTo('')
  await settle()
  expect(inPath.router.currentRoute.value.fullPath).toBe('/things')

  const inQuery = await listAt('/things?id=row_2', { opens: 'query', isOpenable: (id) => id !== 'row_9' })
  expect(inQuery.list.opened).toBe('row_2')
  inQuery.list.goTo('row_9')
  await settle()
  expect(inQuery.router.currentRoute.value.fullPath).toBe('/things?id=row_9')
  expect(inQuery.list.opened).toBe('')

  const closing = await listAt('/things/row_2', { opens: 'path', changeCloses: true })
  closing.list.change({ view: 'open' })
  await settle()
  expect(closing.router.currentRoute.value.fullPath).toBe('/things?view=open')
})

test('a saved view is counted by its own filter', async () => {
  const { list, asked } = await listAt('/things?q=ebro', {
    views: { list: 'items', builtIn: () => ['all', 'open'].map(viewQuery) },
  })
  expect(list.savedViews?.builtIn).toEqual([{}, { view: 'open' }])
  expect(await list.savedViews?.countOf({ view: 'open' })).toBe(300)
  expect(asked).toEqual([{ view: 'open', offset: 0, limit: 1 }])
})

test('a reload includes the grid and its dependents; several changes are one reload', async () => {
  const refreshed: string[] = []
  const { list } = await listAt('/things', { reloads: async () => refreshed.push('more') })
  list.setGrid({
    refresh: async () => void refreshed.push('grid'),
    focus: async () => {},
    top: async () => {},
    patch: () => () => {},
    leave: () => () => {},
  })
  void list.refresh()
  void list.refresh()
  await vi.advanceTimersByTimeAsync(250)
  expect(refreshed).toEqual(['grid', 'more'])
  expect(list.stamp).toBe(1)
})
