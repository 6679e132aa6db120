/** Start and end of threads: real threads, from files written here. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { execFileSync } from 'node:child_process'
import type { Worker } from 'node:worker_threads'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  compileCache,
  endThread,
  ranOutOfMemory,
  startThread,
  workerFile,
} from '../../../../server/platform/processes/threads.ts'
import { sweptCount } from '../../../support/sweep.ts'

const THREADS = new URL('../../../../server/platform/processes/threads.ts', import.meta.url).href
const LIMITS = { heapMb: 64 }

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sello-threads-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function threadOf(code: string): URL {
  const file = join(newFolder(), 'worker.mjs')
  writeFileSync(file, `import { onThreadMessage, ownThread } from ${JSON.stringify(THREADS)}\n${code}`)
  return pathToFileURL(file)
}

function said(worker: Worker): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

const ended = (worker: Worker): Promise<number> => new Promise((resolve) => worker.once('exit', resolve))

/** Doubles its input; sends a farewell if it may end by itself, which termination prevents. */
const DOUBLING = `
  const { port, given } = ownThread('book')
  const keep = setInterval(() => {}, 1000)
  onThreadMessage(port, (number) => port.postMessage(number * given), () => {
    clearInterval(keep)
    process.on('exit', () => (process.exitCode = 7))
  })`

describe('a thread', () => {
  test('gets its start data, and of the environment the compile cache only', async () => {
    const file = threadOf(
      `const own = ownThread('book')
       own.port.postMessage([own.given, ownThread('erp'), Object.keys(process.env), process.execArgv])`,
    )
    const worker = startThread('book', file, { year: 2026 }, LIMITS)
    // Listened for first: a thread that is over hands out its last message and ends in one step.
    const over = ended(worker)
    expect(await said(worker)).toEqual([{ year: 2026 }, null, Object.keys(compileCache()), []])
    expect(await over).toBe(0)
  })

  test('that answers messages ends by itself when asked to', async () => {
    const worker = startThread('book', threadOf(DOUBLING), 2, LIMITS)
    for (const [asked, answer] of [
      [21, 42],
      [0, 0],
    ]) {
      worker.postMessage(asked)
      expect(await said(worker)).toBe(answer)
    }
    const code = ended(worker)
    await endThread(worker)
    expect(await code).toBe(7)
    // Already ended: returns at once.
    await endThread(worker)
  })

  test('that answers once may finish, and is not aborted', async () => {
    const file = threadOf(
      `ownThread('document').port.postMessage('read')
       await new Promise((resolve) => setTimeout(resolve, 100))
       process.exitCode = 5`,
    )
    const worker = startThread('document', file, null, LIMITS)
    expect(await said(worker)).toBe('read')
    const code = ended(worker)
    await endThread(worker)
    expect(await code).toBe(5)
  })

  test('with a slow last step is waited for, as on a busy computer', async () => {
    const file = threadOf(
      `ownThread('document').port.postMessage(1)
       const until = Date.now() + ${sweptCount(2_500, 500)}
       while (Date.now() < until);
       process.exitCode = 6`,
    )
    const worker = startThread('document', file, null, LIMITS)
    await said(worker)
    const code = ended(worker)
    await endThread(worker)
    expect(await code).toBe(6)
  })

  test('that does not end is terminated', async () => {
    const worker = startThread(
      'document',
      threadOf(`ownThread('document').port.postMessage(1); for (;;) {}`),
      null,
      LIMITS,
    )
    await said(worker)
    const code = ended(worker)
    await endThread(worker, 200)
    expect(await code).toBe(1)
  })

  test('that is ending keeps the program alive, so that later cleanup runs', () => {
    const program = `
      import { endThread, startThread } from ${JSON.stringify(THREADS)}
      const worker = startThread('book', new URL(${JSON.stringify(threadOf(DOUBLING).href)}), 2, ${JSON.stringify(LIMITS)})
      worker.postMessage(1)
      await new Promise((resolve) => worker.once('message', resolve))
      worker.unref()
      await endThread(worker)
      console.log('closed')`
    const args = ['--input-type=module', '--eval', program]
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('closed\n')
  })

  test('that exceeds its memory ends alone, and reports it', async () => {
    const file = threadOf('const all = []; for (;;) all.push(new Array(100000).fill(all.length))')
    const error = await said(startThread('document', file, null, { heapMb: 32, youngMb: 4 })).catch(
      (caught) => caught,
    )
    expect(ranOutOfMemory(error)).toBe(true)
    expect(ranOutOfMemory(new Error('another'))).toBe(false)
  })
})

test('has its file worker.ts next to the source, and a file with its name next to the bundle or its folder', () => {
  expect(workerFile('read', 'file:///a/b/run.ts').href).toBe('file:///a/b/worker.ts')
  const folder = newFolder()
  mkdirSync(join(folder, 'parts'))
  const at = (name: string): string => pathToFileURL(join(folder, name)).href
  expect(workerFile('read', at('parts/run.js')).href).toBe(at('read-worker.js'))
  writeFileSync(join(folder, 'read-worker.js'), '')
  expect(workerFile('read', at('run.js')).href).toBe(at('read-worker.js'))
  expect(workerFile('read', at('parts/run.js')).href).toBe(at('read-worker.js'))
})
