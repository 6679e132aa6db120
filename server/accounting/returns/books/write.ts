/** Writes the books to a file in a worker thread, in portions of rows, so that other requests do not wait. */
import { AppError } from '../../../domain/errors/app-error.ts'
import { endThread, startThread, workerFile } from '../../../platform/processes/threads.ts'
import type { BookRow } from './book-row.ts'
import type { BookFormat, BookJob, BookPortion, BookReply } from './worker.ts'

const HEAP_MB = 2048
/** The authority accepts files up to 4 MB; Sello writes up to ten times as many rows for other uses. */
const MAX_ROWS = 300_000

/** Returns the file of the rows. Throws `books_too_large`. */
export async function writeBook(
  pages: AsyncIterable<readonly BookRow[]>,
  options: { format: BookFormat; exercise: number; writtenAt: Date; seen?: (row: BookRow) => void },
): Promise<Uint8Array> {
  const { format, exercise, writtenAt, seen } = options
  const job: BookJob = { format, exercise, writtenAt: writtenAt.getTime() }
  const worker = startThread('book', workerFile('book', import.meta.url), job, { heapMb: HEAP_MB })
  try {
    const ask = (portion: BookPortion): Promise<BookReply> =>
      new Promise((resolve, reject) => {
        const release = () => {
          worker.off('message', done)
          worker.off('error', failed)
        }
        const done = (reply: BookReply) => {
          release()
          resolve(reply)
        }
        const failed = (error: unknown) => {
          release()
          reject(error instanceof Error ? error : new Error(String(error)))
        }
        worker.on('message', done)
        worker.on('error', failed)
        worker.postMessage(portion)
      })
    let count = 0
    for await (const page of pages) {
      count += page.length
      if (count > MAX_ROWS) throw new AppError('books_too_large', { details: { rows: MAX_ROWS } })
      for (const sheet of ['issued', 'received', 'goods'] as const) {
        const rows = page.filter((row) => row.sheet === sheet)
        if (rows.length === 0) continue
        if (seen) for (const row of rows) seen(row)
        await ask({ sheet, rows: rows.map(({ cells }) => cells) })
      }
    }
    const reply = await ask({ end: true })
    if ('bytes' in reply) return reply.bytes
    throw new Error('failed' in reply ? reply.failed : 'The book was not written.')
  } finally {
    await endThread(worker)
  }
}
