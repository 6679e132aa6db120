/** Start, answer and end of parsers for foreign files: real processes, from files written here. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { AppError } from '../../../../server/domain/errors/app-error.ts'
import {
  endIdleParsers,
  idleParsers,
  parse,
  ParserFailure,
} from '../../../../server/platform/processes/parsers.ts'
import type { ParserOptions } from '../../../../server/platform/processes/parsers.ts'
import { swept } from '../../../support/sweep.ts'

const SERVER = new URL('../../../../server/', import.meta.url)

/** Creates a parser that answers a job with the result of `code`. */
function parserOf(code: string): URL {
  const folder = mkdtempSync(join(tmpdir(), 'sello-parsers-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'worker.mjs')
  writeFileSync(
    file,
    `import { answerJobs } from ${JSON.stringify(new URL('platform/processes/parsers.ts', SERVER).href)}
     import { AppError } from ${JSON.stringify(new URL('domain/errors/app-error.ts', SERVER).href)}
     let count = 0
     answerJobs('read', async (job, tell) => { count += 1; ${code} })`,
  )
  return pathToFileURL(file)
}

const ask = (file: URL, job: unknown = null, options: Partial<ParserOptions> = {}): Promise<unknown> =>
  parse('read', job, { from: import.meta.url, file, timeoutMs: 20_000, ...options })

const whyOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (answer) => ['answered', answer],
    (error: unknown) =>
      error instanceof ParserFailure ? error.why : error instanceof AppError ? error.code : error,
  )

afterEach(endIdleParsers)

describe('a parser', () => {
  test('gets no environment, answers in parts, and is reused while idle', async () => {
    const file = parserOf(`
      await tell(['first']); await tell(['second'])
      return { job, count, keys: Object.keys(process.env).filter((key) => /HOME|PATH|TOKEN/.test(key)) }`)
    const parts: unknown[] = []
    const onPart = (part: unknown): void => void parts.push(part)
    const job = { bytes: Uint8Array.of(1, 2, 3) }
    expect(await ask(file, job, { onPart })).toEqual({ job, count: 1, keys: [] })
    expect(parts).toEqual([['first'], ['second']])
    expect(idleParsers()).toBe(1)
    expect(await ask(file, 2)).toMatchObject({ job: 2, count: 2 })
    endIdleParsers()
    expect(await ask(file, 3)).toMatchObject({ count: 1 })
    expect(await ask(file, 3, { single: true })).toMatchObject({ count: 2 })
    expect(idleParsers()).toBe(0)
  })

  test('passes on its rejection, with field and details', async () => {
    const file = parserOf(
      `throw new AppError('file_unreadable', { field: 'content', details: { why: 'x' } })`,
    )
    await expect(ask(file)).rejects.toMatchObject({
      code: 'file_unreadable',
      field: 'content',
      details: { why: 'x' },
    })
  })

  const FILLING: [string, string][] = [
    ['the heap', 'const all = []; for (;;) all.push(new Array(100_000).fill(all.length))'],
    ['buffers', 'const all = []; for (;;) all.push(Buffer.alloc(8_000_000, 1))'],
    [
      'WebAssembly',
      'const memory = new WebAssembly.Memory({ initial: 1 }); for (;;) { memory.grow(160); new Uint8Array(memory.buffer).fill(1) }',
    ],
    ['one buffer', 'return Buffer.alloc(1_500_000_000, 1).length'],
  ]
  // Within the limit of the heap, and outside of it.
  test.each(swept(FILLING, ([what]) => what === 'the heap' || what === 'buffers'))(
    'that fills %s ends alone, and reports it',
    async (_name, code) => {
      expect(await whyOf(ask(parserOf(code)))).toBe('too_large')
    },
  )

  test('that exceeds its time is ended, and one that ends without an answer is broken', async () => {
    expect(await whyOf(ask(parserOf('for (;;);'), null, { timeoutMs: 300 }))).toBe('too_slow')
    expect(await whyOf(ask(parserOf('process.exit(0)')))).toBe('broken')
    expect(await whyOf(ask(parserOf('throw new Error("secret text")')))).toBe('broken')
  })

  test('waits behind two others; if too many wait, the next is asked to retry', async () => {
    const slow = parserOf('await new Promise((resolve) => setTimeout(resolve, 50)); return job')
    const asked = Array.from({ length: 19 }, (_, index) => whyOf(ask(slow, index)))
    const answers = await Promise.all(asked)
    expect(answers.filter((answer) => answer === 'too_busy')).toHaveLength(1)
    expect(answers.filter((answer) => Array.isArray(answer))).toHaveLength(18)
  })

  test('is ended between parts that take too long, and not by a long answer in parts', async () => {
    const steps = parserOf(`
      for (let at = 0; at < 6; at++) {
        await tell(at)
        await new Promise((resolve) => setTimeout(resolve, job))
      }
      return 'done'`)
    expect(await ask(steps, 100, { stepTimeoutMs: 400 })).toBe('done')
    expect(await whyOf(ask(steps, 900, { stepTimeoutMs: 400 }))).toBe('too_slow')
  })

  test('is ended by its caller, at work or in the queue', async () => {
    const slow = parserOf('await new Promise((resolve) => setTimeout(resolve, job)); return job')
    const cancel = new AbortController()
    const reason = new Error('not needed any more')
    const cancelled = [60_000, 60_000, 60_000].map((ms) => whyOf(ask(slow, ms, { signal: cancel.signal })))
    const last = ask(slow, 1)
    setTimeout(() => cancel.abort(reason), 100)
    expect(await Promise.all(cancelled)).toEqual([reason, reason, reason])
    // The queue goes on, and a late request does not start at all.
    expect(await last).toBe(1)
    expect(await whyOf(ask(slow, 1, { signal: cancel.signal }))).toBe(reason)
  })

  test('that is worn is not reused', async () => {
    const file = parserOf('return count')
    const code = readFileSync(file, 'utf8')
    writeFileSync(file, code.replace(/\)\s*$/, ', () => count === 2)'))
    expect([await ask(file), await ask(file), await ask(file)]).toEqual([1, 2, 1])
  })
})
