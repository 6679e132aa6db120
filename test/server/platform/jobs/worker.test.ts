/** The worker loop: what it gives back first, when it looks again, its lanes, and its end. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createWorker, createWorkerLoop, drainLanes } from '../../../../server/platform/jobs/index.ts'
import type { Pass, WorkerOptions } from '../../../../server/platform/jobs/index.ts'

const options = (more: Partial<WorkerOptions>): WorkerOptions => ({
  name: 'test',
  log: () => {},
  now: () => new Date(1_000),
  work: async () => null,
  ...more,
})

/** A drain that ends when it is told to. */
function openDrain() {
  const ends: ((error?: Error) => void)[] = []
  const drain = (): Promise<void> =>
    new Promise((go, fail) => ends.push((error) => (error ? fail(error) : go())))
  return { ends, drain }
}

test('all claimed jobs are given back before the first pass, expired ones before the others', async () => {
  const order: string[] = []
  let isBroken = true
  const worker = createWorker(
    options({
      reclaim: async (all) => {
        order.push(`reclaim ${all ? 'all' : 'expired'}`)
        if (isBroken) throw new Error('locked')
      },
      work: async () => {
        order.push('work')
        return null
      },
    }),
  )
  await expect(worker.poll()).rejects.toThrow('locked')
  isBroken = false
  await worker.poll()
  await worker.poll()
  expect(order).toEqual(['reclaim all', 'reclaim all', 'work', 'reclaim expired', 'work'])
})

test('a pass tells when to look again, at the earliest after the shortest wait', async () => {
  const poll = (dueAt: number | null): Promise<number | undefined> =>
    createWorker(options({ work: async () => dueAt, shortestWaitMs: 50 })).poll()
  expect(await poll(1_300)).toBe(300)
  expect(await poll(900)).toBe(50)
  expect(await poll(null)).toBeUndefined()
})

test('a lane has so many drains at once, all lanes together so many, and one that fails wakes nobody', async () => {
  const { ends, drain } = openDrain()
  const log = vi.fn<(line: string) => void>()
  const onIdle = vi.fn<() => void>()
  let wanted: number[] = []
  const worker = createWorker(
    options({
      log,
      limits: { perLane: 2, total: 3 },
      work: async ({ lanes }: Pass) => {
        for (const lane of wanted) lanes.fill(lane, drain)
        return null
      },
    }),
    onIdle,
  )
  wanted = [1]
  await worker.poll()
  await worker.poll()
  expect(ends).toHaveLength(2)
  wanted = [1, 2]
  await worker.poll()
  expect(ends).toHaveLength(3)
  ends[0]?.()
  await vi.waitFor(() => expect(onIdle).toHaveBeenCalledTimes(1))
  await worker.poll()
  expect(ends).toHaveLength(4)
  ends[1]?.(new Error('broken'))
  await vi.waitFor(() => expect(log).toHaveBeenCalledWith('test: broken'))
  for (const end of ends) end()
  await worker.quiet()
  expect(onIdle).toHaveBeenCalledTimes(3)
})

test('lanes that are waited for fail alone, and the earliest due time counts', async () => {
  const log = vi.fn<(line: string) => void>()
  const drain = async (dueAt: number | null): Promise<number | null> => {
    if (dueAt === 0) throw new Error('refused')
    return dueAt
  }
  expect(await drainLanes([30, 0, null, 20], drain, { name: 'test', log })).toBe(20)
  expect(log.mock.calls).toEqual([['test: refused']])
})

test('a loop works when it is woken and again when a lane has ended, and stops only when all is settled', async () => {
  const { ends, drain } = openDrain()
  let passes = 0
  let signal: AbortSignal | undefined
  const loop = createWorkerLoop({
    ...options({
      work: async (pass) => {
        passes += 1
        signal = pass.signal
        if (passes === 1) pass.lanes.fill(1, drain)
        return null
      },
    }),
    gatherMs: 1,
    pollMs: 0,
  })
  onTestFinished(() => loop.stop())
  expect(passes).toBe(0)
  loop.wake()
  await vi.waitFor(() => expect(passes).toBe(1))
  ends[0]?.()
  await vi.waitFor(() => expect(passes).toBe(2))
  await loop.stop()
  expect(signal?.aborted).toBe(true)
})

test('an end waits for what the last pass started, and wakes nothing', async () => {
  const { ends, drain } = openDrain()
  let passes = 0
  const loop = createWorkerLoop({
    ...options({
      work: async ({ lanes }) => {
        passes += 1
        lanes.fill(1, drain)
        return null
      },
    }),
    gatherMs: 1,
    pollMs: 0,
  })
  loop.wake()
  await vi.waitFor(() => expect(ends).toHaveLength(1))
  let hasStopped = false
  const stopped = loop.stop().then(() => (hasStopped = true))
  await pause(5)
  expect(hasStopped).toBe(false)
  ends[0]?.()
  await stopped
  await pause(5)
  expect(passes).toBe(1)
})
