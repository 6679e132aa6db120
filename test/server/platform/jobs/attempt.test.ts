/** Claim, attempt, settle: the order of the steps, and what happens when one fails. */
import { expect, test } from 'vitest'
import { isInFlight } from '../../../../server/domain/concurrency/in-flight.ts'
import { drainQueue, runNextJob } from '../../../../server/platform/jobs/index.ts'
import type { JobQueue } from '../../../../server/platform/jobs/index.ts'

/** A queue of numbers that writes down what it is asked for. */
function queueOf(jobs: number[], more: Partial<JobQueue<number, string>> = {}) {
  const steps: string[] = []
  const queue: JobQueue<number, string> = {
    claim: async () => {
      const job = jobs.shift() ?? null
      steps.push(`claim ${job}`)
      return job
    },
    attempt: async (job) => {
      steps.push(`attempt ${job}`)
      return 'sent'
    },
    settle: async (job, outcome) => {
      steps.push(`settle ${job} ${outcome}`)
    },
    ...more,
  }
  return { queue, steps }
}

test('each job is claimed before its attempt and settled before the next is claimed', async () => {
  const { queue, steps } = queueOf([1, 2])
  expect(await drainQueue(queue)).toBe(2)
  expect(steps).toEqual([
    'claim 1',
    'attempt 1',
    'settle 1 sent',
    'claim 2',
    'attempt 2',
    'settle 2 sent',
    'claim null',
  ])
})

test('one job is run at a time when one is asked for', async () => {
  const { queue, steps } = queueOf([1, 2])
  expect(await runNextJob(queue)).toBe(true)
  expect(steps).toEqual(['claim 1', 'attempt 1', 'settle 1 sent'])
  expect(await runNextJob(queueOf([]).queue)).toBe(false)
})

test('a job that settling claimed is attempted without another claim', async () => {
  const settled: number[] = []
  const { queue, steps } = queueOf([1], {
    settle: async (job, _outcome, claimNext) => {
      settled.push(job)
      return claimNext && job < 3 ? job + 1 : null
    },
  })
  expect(await drainQueue(queue)).toBe(3)
  expect(settled).toEqual([1, 2, 3])
  expect(steps.filter((step) => step.startsWith('claim'))).toEqual(['claim 1'])
})

test('a signal cuts off the attempt, which is settled, and nothing more is claimed', async () => {
  const ending = new AbortController()
  const claimNexts: boolean[] = []
  const { queue, steps } = queueOf([1, 2], {
    attempt: async (_job, signal) => {
      ending.abort()
      return signal.aborted ? 'interrupted' : 'sent'
    },
    settle: async (job, outcome, claimNext) => {
      steps.push(`settle ${job} ${outcome}`)
      claimNexts.push(claimNext)
    },
  })
  expect(await drainQueue(queue, { signal: ending.signal })).toBe(1)
  expect(steps).toEqual(['claim 1', 'settle 1 interrupted'])
  expect(claimNexts).toEqual([false])
  expect(await drainQueue(queue, { signal: ending.signal })).toBe(0)
})

test('an attempt that throws is settled with the outcome the queue gives it, or ends the drain', async () => {
  const attempt = async (): Promise<string> => {
    throw new Error('broken')
  }
  const known = queueOf([1, 2], { attempt, outcomeOfError: (job) => `failed ${job}` })
  expect(await drainQueue(known.queue)).toBe(2)
  expect(known.steps).toContain('settle 1 failed 1')
  const unknown = queueOf([1, 2], { attempt })
  await expect(drainQueue(unknown.queue)).rejects.toThrow('broken')
  // Neither settled nor followed by another: its lease brings it back.
  expect(unknown.steps).toEqual(['claim 1'])
})

test('attempt and outcome count as in flight, waiting for the next job does not', async () => {
  const store = {}
  const seen: [string, boolean][] = []
  const { queue } = queueOf([], {
    claim: async () => {
      seen.push(['claim', isInFlight(store)])
      return seen.length === 1 ? 1 : null
    },
    attempt: async () => {
      seen.push(['attempt', isInFlight(store)])
      return 'sent'
    },
    settle: async () => {
      seen.push(['settle', isInFlight(store)])
    },
  })
  await drainQueue(queue, { inFlight: store })
  expect(seen).toEqual([
    ['claim', false],
    ['attempt', true],
    ['settle', true],
    ['claim', false],
  ])
})
