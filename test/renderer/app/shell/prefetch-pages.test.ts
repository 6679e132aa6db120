/** Pages are prefetched in order, one at a time, and a failure does not stop the others. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMemoryHistory, createRouter } from 'vue-router'
import { prefetchPages } from '../../../../renderer/app/shell/prefetch-pages.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('requestIdleCallback', (work: () => void) => setTimeout(work, 1))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('pages are prefetched most used first, each once, only after the window is shown', async () => {
  const asked: string[] = []
  let open = 0
  const page = (name: string) => ({
    path: `/${name}`,
    name,
    component: async () => {
      expect(++open).toBe(1)
      await Promise.resolve()
      open--
      asked.push(name)
      if (name === 'b') throw new Error('offline')
      return { render: () => null }
    },
  })
  const router = createRouter({
    // Without a base the router looks for one in the document if a test before this one had it.
    history: createMemoryHistory('/'),
    routes: [
      page('a'),
      page('b'),
      page('c'),
      { path: '/here', name: 'here', component: { render: () => null } },
    ],
  })
  prefetchPages(router, ['c', 'gone', 'b'])
  await vi.advanceTimersByTimeAsync(1_500)
  expect(asked).toEqual([])
  await vi.advanceTimersByTimeAsync(1_500)
  expect(asked).toEqual(['c', 'b', 'a'])
})
