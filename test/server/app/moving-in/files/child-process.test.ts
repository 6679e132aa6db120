/** Files of earlier programs in the child process that reads them: portions, limits, and files made to break it. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import {
  MAX_HISTORY_BYTES,
  readHistoryInChildProcess,
  recognizeFileInChildProcess,
} from '../../../../../server/app/moving-in/files/read-apart.ts'
import type { HistoryBatch, HistoryContent } from '../../../../../server/app/moving-in/files/types.ts'
import { writeBook } from '../../../../../server/accounting/returns/books/write.ts'
import type { BookRow } from '../../../../../server/accounting/returns/books/book-row.ts'
import { ISSUED_COLUMNS } from '../../../../../server/domain/formats/vat-book-columns.ts'
import { AppError } from '../../../../../server/domain/errors/app-error.ts'
import type { Fault } from '../../../../../server/domain/errors/app-error.ts'
import { endIdleParsers, piecesOf } from '../../../../../server/platform/processes/parsers.ts'
import { histories } from '../../../../support/files/hostile-files.ts'
import { inLongRun, swept } from '../../../../support/sweep.ts'

const longTest = inLongRun(test)
/** Limit of the child, and the inaccuracy of watching it. */
const MOST_MB = 256 + 20

afterEach(endIdleParsers)

/** Watches the resident memory of the children that read; returns its peak in megabytes. */
function watchChildren(): () => number {
  let peakKib = 0
  const look = (): void => {
    for (const task of readdirSync('/proc/self/task'))
      for (const pid of readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean))
        try {
          if (!readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('--parser=history')) continue
          const [, kib] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
          peakKib = Math.max(peakKib, Number(kib ?? 0))
        } catch {
          // It has ended.
        }
  }
  const timer = setInterval(look, 10)
  return () => {
    look()
    clearInterval(timer)
    return peakKib / 1024
  }
}

/** Returns the rows of a book: a document in two rows, of two rates, for each number. */
function* bookPages(documents: number): Generator<BookRow[]> {
  for (let from = 0; from < documents; from += 250)
    yield Array.from({ length: Math.min(250, documents - from) }, (_, offset) => from + offset).flatMap(
      (index) =>
        [
          ['21,00', '100,00', '21,00', '121,00'],
          ['10,00', '50,00', '5,00', '55,00'],
        ].map(([rate, base, tax, total]): BookRow => {
          const values: Record<string, string> = {
            year: '2026',
            period: '1T',
            kind: 'F1',
            issueDate: '15/01/2026',
            series: 'F2026',
            number: String(index + 1).padStart(6, '0'),
            nif: 'B12345674',
            name: `Talleres Beltrán ${index % 997}, S.L.`,
            regimeKey: '01',
            qualification: 'S1',
            total: total ?? '',
            base: base ?? '',
            rate: rate ?? '',
            tax: tax ?? '',
          }
          return {
            sheet: 'issued',
            cells: ISSUED_COLUMNS.map(({ id }) => values[id] ?? ''),
            documentId: '',
            document: '',
          }
        }),
    )
}

async function* pagesOf(documents: number): AsyncGenerator<BookRow[]> {
  yield* bookPages(documents)
}

const bookOf = (documents: number, format: 'xlsx' | 'csv') =>
  writeBook(pagesOf(documents), { format, exercise: 2026, writtenAt: new Date('2026-12-31') })

async function readApart(bytes: Uint8Array, take: (batch: HistoryBatch) => void | Promise<void>) {
  const { tables } = await recognizeFileInChildProcess(piecesOf(bytes), 'libro')
  const table = tables.find(
    ({ content }) => content === 'books_issued' || content === 'issued' || content === 'received',
  )
  if (!table) return null
  return readHistoryInChildProcess(
    piecesOf(bytes),
    {
      fileName: 'libro',
      entry: table.entry,
      sheet: table.sheet,
      content: table.content as HistoryContent,
      preset: table.preset,
      answers: {},
      today: '2026-12-31',
      ownNif: 'B12345674',
    },
    take,
  )
}

test('a document is never divided between portions, and the child waits until each is taken', async () => {
  const bytes = await bookOf(1_500, 'xlsx')
  const sizes: number[] = []
  let isTaking = false
  const summary = await readApart(bytes, async ({ documents, rowsRead, rows }) => {
    expect(isTaking).toBe(false)
    isTaking = true
    sizes.push(documents.length)
    expect(documents.every(({ taxes }) => taxes.length === 2)).toBe(true)
    expect(rowsRead).toBeLessThanOrEqual(rows)
    await new Promise((resolve) => setTimeout(resolve, 50))
    isTaking = false
  })
  expect(summary).toMatchObject({ rows: 3_000, documents: 1_500, failed: 0, errors: 0 })
  expect(sizes.length).toBeGreaterThan(2)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1_500)
})

test('what fails while a portion is taken ends the reading', async () => {
  const bytes = await bookOf(1_500, 'csv')
  await expect(
    readApart(bytes, () => {
      throw new AppError('not_found')
    }),
  ).rejects.toMatchObject({ code: 'not_found' })
})

test('a larger file is refused before any of it is read', async () => {
  const pieces = {
    length: MAX_HISTORY_BYTES + 1,
    get pieces(): Iterable<Uint8Array> {
      throw new Error('It was read.')
    },
  }
  await expect(recognizeFileInChildProcess(pieces, 'a.csv')).rejects.toMatchObject({
    details: { faults: [{ code: 'import_file_too_large' }] },
  })
})

describe('files made to break the reader', () => {
  const files = swept(Object.entries(histories), ([title]) =>
    [
      'one document of two hundred thousand rows',
      'a sheet larger than declared',
      'tables that share their bytes',
    ].includes(title),
  )
  test.each(files)(
    '%s',
    async (_, make) => {
      const peak = watchChildren()
      const bytes = make()
      const outcome = await readApart(bytes, () => {}).then(
        (summary) => (summary === null ? 'no history' : `read ${summary.rows}`),
        (error: unknown) => {
          if (!(error instanceof AppError)) throw error
          return (error.details?.faults as Fault[] | undefined)?.[0]?.code ?? error.code
        },
      )
      expect(outcome).toMatch(/^(no history|read \d+|import_\w+)$/)
      expect(peak()).toBeLessThan(MOST_MB)
    },
    90_000,
  )
})

for (const format of ['xlsx', 'csv'] as const)
  longTest(
    `fifty thousand rows as ${format}`,
    async () => {
      const bytes = await bookOf(25_000, format)
      const peak = watchChildren()
      const from = performance.now()
      let documents = 0
      const summary = await readApart(bytes, (batch) => {
        documents += batch.documents.length
      })
      const seconds = (performance.now() - from) / 1000
      expect([summary?.rows, documents]).toEqual([50_000, 25_000])
      const peakMb = peak()
      expect(peakMb).toBeLessThan(250)
      process.stdout.write(
        `${format}: ${(bytes.length / 1024 / 1024).toFixed(1)} MiB, ${seconds.toFixed(1)} s, child ${peakMb.toFixed(0)} MB\n`,
      )
    },
    180_000,
  )
