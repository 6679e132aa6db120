/** Unsaved state when Sello locks: saved first, even if that is slow or fails, and removed with its page. */
import { effectScope } from 'vue'
import { afterEach, expect, test, vi } from 'vitest'

vi.stubGlobal('window', { matchMedia: () => ({ matches: false, addEventListener: () => {} }) })
const { beforeLock, saveBeforeLock } = await import('../../../../renderer/app/app-lock/preserved-state.ts')

afterEach(() => vi.useRealTimers())

test('every page saves its work before the lock, also if one of them fails', async () => {
  const saved: string[] = []
  const scope = effectScope()
  scope.run(() => {
    beforeLock(() => {
      throw new Error('no disk')
    })
    beforeLock(async () => {
      await Promise.resolve()
      saved.push('draft')
    })
  })
  await saveBeforeLock()
  expect(saved).toEqual(['draft'])
  scope.stop()
  await saveBeforeLock()
  expect(saved).toEqual(['draft'])
})

test('a save that never ends does not keep Sello unlocked', async () => {
  vi.useFakeTimers()
  const scope = effectScope()
  scope.run(() => beforeLock(() => new Promise(() => {})))
  const done = vi.fn()
  void saveBeforeLock(3_000).then(done)
  await vi.advanceTimersByTimeAsync(2_999)
  expect(done).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(done).toHaveBeenCalled()
  scope.stop()
})
