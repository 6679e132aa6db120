/** The background loop: one run at a time, no lost wake-up, an orderly end. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLoop } from '../../../../server/domain/concurrency/background-loop.ts'
import type { LoopOptions } from '../../../../server/domain/concurrency/background-loop.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function loopOf(options: Partial<LoopOptions> & Pick<LoopOptions, 'run'>) {
  const lines: string[] = []
  return {
    loop: createLoop({
      name: 'test',
      gatherMs: 100,
      pollMs: 1_000,
      log: (text) => lines.push(text),
      ...options,
    }),
    lines,
  }
}

test('nothing runs before the first wake-up', async () => {
  const run = vi.fn(async () => {})
  loopOf({ run })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(run).not.toHaveBeenCalled()
})

test('a burst of wake-ups causes one run, collected from the first of them', async () => {
  const run = vi.fn(async () => {})
  const { loop } = loopOf({ run })
  loop.wake()
  await vi.advanceTimersByTimeAsync(60)
  loop.wake()
  loop.wake()
  await vi.advanceTimersByTimeAsync(39)
  expect(run).toHaveBeenCalledTimes(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(run).toHaveBeenCalledTimes(1)
})

test('it runs again at its time, and earlier when woken', async () => {
  const run = vi.fn(async () => {})
  const { loop } = loopOf({ run })
  loop.wake()
  await vi.advanceTimersByTimeAsync(100)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(run).toHaveBeenCalledTimes(2)
  loop.wake()
  await vi.advanceTimersByTimeAsync(100)
  expect(run).toHaveBeenCalledTimes(3)
})

test('without a time it waits for the next wake-up', async () => {
  const run = vi.fn(async () => {})
  const { loop } = loopOf({ run, pollMs: 0 })
  loop.wake()
  await vi.advanceTimersByTimeAsync(100_000)
  expect(run).toHaveBeenCalledTimes(1)
})

test('a wake-up during a run is not lost, and runs never overlap', async () => {
  let running = 0
  let most = 0
  const run = vi.fn(async () => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setTimeout(resolve, 500))
    running -= 1
  })
  const { loop } = loopOf({ run, pollMs: 0 })
  loop.wake()
  await vi.advanceTimersByTimeAsync(200)
  loop.wake()
  loop.wake()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(run).toHaveBeenCalledTimes(2)
  expect(most).toBe(1)
})

test('a failed run is logged and the next one runs', async () => {
  const run = vi.fn(async () => {})
  run.mockRejectedValueOnce(new TypeError('no disk'))
  const { loop, lines } = loopOf({ run })
  loop.wake()
  await vi.advanceTimersByTimeAsync(1_100)
  expect(run).toHaveBeenCalledTimes(2)
  expect(lines).toEqual(['test: TypeError: no disk'])
})

test('a run that throws synchronously is logged like one that fails later', async () => {
  const run = vi.fn((): Promise<void> => {
    throw new Error('at once')
  })
  const { loop, lines } = loopOf({ run })
  loop.wake()
  await vi.advanceTimersByTimeAsync(1_100)
  expect(lines).toEqual(['test: Error: at once', 'test: Error: at once'])
})

test('stopping waits for the current run and starts no other', async () => {
  let finished = false
  const run = vi.fn(async () => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    finished = true
  })
  const { loop } = loopOf({ run })
  loop.wake()
  await vi.advanceTimersByTimeAsync(150)
  loop.wake()
  const stopped = loop.stop().then(() => finished)
  await vi.advanceTimersByTimeAsync(500)
  expect(await stopped).toBe(true)
  loop.wake()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(run).toHaveBeenCalledTimes(1)
})

test('stopping while work is collected, or twice, causes no error', async () => {
  const run = vi.fn(async () => {})
  const { loop } = loopOf({ run })
  loop.wake()
  await loop.stop()
  await loop.stop()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(run).not.toHaveBeenCalled()
})
