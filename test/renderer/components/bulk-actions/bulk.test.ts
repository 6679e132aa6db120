/** Bulk actions: one row after another, stopped between two rows, failures reported, no row twice. */
import { beforeEach, expect, test } from 'vitest'
import { CallError } from '../../../../renderer/call.ts'
import {
  bulkJobs,
  bulkPercent,
  bulkRest,
  forgetBulk,
  isBulkRunning,
  startBulk,
  stopBulk,
} from '../../../../renderer/components/bulk-actions/bulk.ts'
import type { BulkJob, BulkTask } from '../../../../renderer/components/bulk-actions/bulk.ts'

const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: String(index + 1), name: `F${index + 1}` }))
const refusal = (code: string) => new CallError({ code, message: code })

/** Runs a task to its end. */
function run(task: Omit<BulkTask, 'kind'>, started: (job: BulkJob) => void = () => {}): Promise<BulkJob> {
  return new Promise((resolve) => {
    started(startBulk({ kind: 'download', ...task }, 'book_1', resolve))
  })
}

beforeEach(() => bulkJobs.splice(0))

test('each row is done once, in order, in the book of its start', async () => {
  const done: string[] = []
  const job = await run({ rows: rows(3), perform: async ({ id }, book) => void done.push(`${book} ${id}`) })
  expect(done).toEqual(['book_1 1', 'book_1 2', 'book_1 3'])
  expect(job).toMatchObject({ state: 'ended', failed: [], left: [] })
  expect(bulkPercent(job)).toBe(100)
  expect(isBulkRunning.value).toBe(false)
})

test('a failure is reported with its reason, and the other rows are done', async () => {
  const job = await run({
    rows: rows(3),
    perform: async ({ id }) => {
      if (id === '2') throw refusal('invoice_not_draft')
    },
  })
  expect(job.done.map(({ id }) => id)).toEqual(['1', '3'])
  expect(job.failed).toMatchObject([{ row: { id: '2' }, error: { code: 'invoice_not_draft' } }])
})

test('stopping finishes the current row and leaves the rest unchanged', async () => {
  const done: string[] = []
  let mine: BulkJob | undefined
  const job = await run(
    {
      rows: rows(5),
      perform: async ({ id }) => {
        done.push(id)
        if (id === '2' && mine) stopBulk(mine)
      },
    },
    (started) => (mine = started),
  )
  expect(done).toEqual(['1', '2'])
  expect(job.left.map(({ id }) => id)).toEqual(['3', '4', '5'])
  expect(bulkPercent(job)).toBe(40)
})

test('an action that stops at a refusal leaves the following rows unchanged', async () => {
  const tried: string[] = []
  const job = await run({
    rows: rows(4),
    stopsAtRefusal: true,
    perform: async ({ id }) => {
      tried.push(id)
      if (id === '2') throw refusal('confirmation_stale')
    },
  })
  expect(tried).toEqual(['1', '2'])
  expect(job.done.map(({ id }) => id)).toEqual(['1'])
  expect(job.left.map(({ id }) => id)).toEqual(['3', '4'])
})

test('a refusal that applies to all rows is requested once', async () => {
  let asked = 0
  const job = await run({
    rows: rows(40),
    perform: async () => {
      asked++
      throw refusal('mail_not_configured')
    },
  })
  expect(asked).toBe(1)
  expect(job.left).toHaveLength(39)
})

test('two actions run in sequence, and a queued one can be cancelled', async () => {
  const done: string[] = []
  const first = run({ rows: rows(2), perform: async ({ id }) => void done.push(`a${id}`) })
  const second = run({ rows: rows(2), perform: async ({ id }) => void done.push(`b${id}`) })
  const third = run({ rows: rows(2), perform: async ({ id }) => void done.push(`c${id}`) }, stopBulk)
  expect(bulkJobs.map(({ state }) => state)).toEqual(['waiting', 'waiting', 'stopping'])
  await Promise.all([first, second, third])
  expect(done).toEqual(['a1', 'a2', 'b1', 'b2'])
  for (const job of [...bulkJobs]) forgetBulk(job)
  expect(bulkJobs).toEqual([])
})

test('the rest is reported as it ended: no row is called done that was not', () => {
  const row = { id: 'a', name: 'A' }
  expect(bulkRest({ done: [], left: [] })).toBe('none')
  expect(bulkRest({ done: [], left: [row] })).toBe('left')
  expect(bulkRest({ done: [row], left: [] })).toBe('done')
  expect(bulkRest({ done: [row], left: [row] })).toBe('doneAndLeft')
})
