import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { InvoicePaper } from '../../../../server/documents/pdf/paper.ts'
import { createDocumentPool } from '../../../../server/documents/rendering/pool.ts'
import type { DocumentPool, DocumentPoolOptions } from '../../../../server/documents/rendering/pool.ts'
import type { DocumentJob } from '../../../../server/documents/rendering/worker.ts'
import { renderInvoice } from '../../../../server/documents/pdf/paint/render.ts'
import { inLongRun, swept } from '../../../support/sweep.ts'
import { samplePaper, samples } from '../pdf/samples.ts'

const longTest = inLongRun(test)

/** Some kinds of paper, several pages, odd characters, a picture, and a language of its own stand for the others. */
const DRAWN = [...['short', 'lines150', 'unicode', 'design', 'ticket', 'quote', 'portuguese']]

const opened: DocumentPool[] = []
const folders: string[] = []

function openPool(options: DocumentPoolOptions = {}): DocumentPool {
  const pool = createDocumentPool(options)
  opened.push(pool)
  return pool
}

/** Returns a thread that answers like the real one, and fails in the way that the invoice's number selects. */
function brittleWorker(): URL {
  const folder = mkdtempSync(join(tmpdir(), 'sello-pool-'))
  folders.push(folder)
  const file = join(folder, 'worker.mjs')
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads'
     const hoard = []
     parentPort.on('message', (said) => {
       if (said === null) return parentPort.close()
       const { id, job: { paper } } = said
       if (paper.number === 'exit') process.exit(3)
       if (paper.number === 'throw') setTimeout(() => { throw new Error('broken') })
       else if (paper.number === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000)
       else if (paper.number === 'be busy') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
       else if (paper.number === 'hoard') for (;;) hoard.push(new Array(100000).fill(paper.number + hoard.length))
       else parentPort.postMessage({ id, made: { bytes: new Uint8Array(1), sha256: paper.number, pages: 1 } })
     })`,
  )
  return pathToFileURL(file)
}

const drawing = (paper: InvoicePaper): DocumentJob => ({ kind: 'draw', paper, xml: null, signing: null })
const numbered = (number: string): DocumentJob => drawing(samplePaper({ number }))

afterEach(async () => {
  await Promise.all(opened.splice(0).map((pool) => pool.close()))
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

describe('the drawing threads', () => {
  longTest('return the same bytes as a direct call', async () => {
    const pool = openPool()
    expect(pool.threads()).toBe(0)
    const paper = samplePaper()
    const pdf = await pool.make(drawing(paper))
    const direct = await renderInvoice(paper)
    expect(Buffer.from(pdf.bytes).equals(direct)).toBe(true)
    expect(pdf.sha256).toBe(createHash('sha256').update(direct).digest('hex'))
    expect(pdf.pages).toBe(1)
  })

  test('return to each of many concurrent jobs its own document', async () => {
    const pool = openPool({ threads: 9 })
    const names = swept(
      Object.keys(samples).filter((name) => name !== 'lines500'),
      (name) => DRAWN.includes(name),
    )
    const papers = names.map((name) => samples[name]!())
    const drawn = await Promise.all(papers.map((paper) => pool.make(drawing(paper))))
    expect(pool.threads()).toBe(2)
    for (const [index, paper] of papers.entries()) {
      const direct = createHash('sha256')
        .update(await renderInvoice(paper))
        .digest('hex')
      expect(drawn[index]?.sha256, names[index]).toBe(direct)
    }
  })

  longTest('return bytes that do not depend on earlier documents', async () => {
    // Characters that share a glyph with a more common one.
    const odd = samplePaper({ number: '\u2010\u00a0\u2126\u03bc', notes: '\u2011 \u2126 \u00b5' })
    const plain = samplePaper({ notes: '- Ω μ' })
    const [one, other] = [openPool(), openPool()]
    const oddFirst = [(await one.make(drawing(odd))).sha256, (await one.make(drawing(plain))).sha256]
    const plainFirst = [(await other.make(drawing(plain))).sha256, (await other.make(drawing(odd))).sha256]
    expect(oddFirst).toEqual(plainFirst.toReversed())
  })

  test('fail only the document that cannot be drawn, and keep the thread', async () => {
    const pool = openPool()
    const bad = pool.make(drawing(samplePaper({ createdAt: 'never' })))
    const good = pool.make(drawing(samplePaper()))
    await expect(bad).rejects.toMatchObject({ name: 'DocumentError', reason: 'failed' })
    await expect(good).resolves.toMatchObject({ pages: 1 })
    const notPlain = { ...samplePaper(), notes: (() => 'x') as unknown as string }
    await expect(pool.make(drawing(notPlain))).rejects.toMatchObject({ reason: 'failed' })
    await expect(pool.make(drawing(samplePaper()))).resolves.toMatchObject({ pages: 1 })
  })

  test.each(swept(['exit', 'throw', 'hoard'], (how) => how === 'exit'))(
    'lose only one document when a thread crashes (%s)',
    async (how) => {
      const pool = openPool({ workerUrl: brittleWorker() })
      const [before, broken, after] = await Promise.allSettled(
        ['a', how, 'b'].map((number) => pool.make(numbered(number))),
      )
      expect(before).toMatchObject({ value: { sha256: 'a' } })
      expect(broken).toMatchObject({ reason: { reason: 'crashed' } })
      expect(after).toMatchObject({ value: { sha256: 'b' } })
    },
  )

  test('abort a document that takes too long, and draw the next one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const pool = openPool({ workerUrl: brittleWorker(), timeoutMs: 1_500 })
    // Its thread has started when the next one hangs it.
    await pool.make(numbered('a'))
    const outcomes = Promise.allSettled([pool.make(numbered('hang')), pool.make(numbered('b'))])
    await delay(50)
    vi.advanceTimersByTime(1_500)
    const [hung, next] = await outcomes
    // The time after which a thread that does not end is stopped.
    vi.advanceTimersByTime(10_000)
    expect(hung).toMatchObject({ reason: { reason: 'timeout' } })
    expect(next).toMatchObject({ value: { sha256: 'b' } })
  })

  test('stop when idle, and start again with the next job', async () => {
    const pool = openPool({ workerUrl: brittleWorker(), idleMs: 30 })
    await pool.make(numbered('a'))
    expect(pool.threads()).toBe(1)
    await expect.poll(() => pool.threads()).toBe(0)
    await expect(pool.make(numbered('b'))).resolves.toMatchObject({ sha256: 'b' })
  })

  test('give an aborted caller the reason, and the others their documents', async () => {
    const pool = openPool({ workerUrl: brittleWorker() })
    const controller = new AbortController()
    const running = pool.make(numbered('a'), { signal: controller.signal })
    const waiting = pool.make(numbered('b'), { signal: controller.signal })
    const other = pool.make(numbered('c'))
    controller.abort(new Error('gone'))
    await expect(running).rejects.toThrow('gone')
    await expect(waiting).rejects.toThrow('gone')
    await expect(other).resolves.toMatchObject({ sha256: 'c' })
    await expect(pool.make(numbered('d'), { signal: controller.signal })).rejects.toThrow('gone')
  })

  test('reject open and later jobs after closing', async () => {
    const pool = openPool({ workerUrl: brittleWorker() })
    // Closing waits for its end.
    const running = pool.make(numbered('be busy'))
    const waiting = pool.make(numbered('b'))
    const outcomes = Promise.allSettled([running, waiting])
    await pool.close()
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { reason: 'closed' } })
    await expect(pool.make(numbered('c'))).rejects.toMatchObject({ reason: 'closed' })
    expect(pool.threads()).toBe(0)
  })
})
