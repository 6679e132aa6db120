/** Maximum wait of a caller for a document before it is asked to retry. */

const MAX_WAIT_MS = 10_000

/** The document is still being made: HTTP answers 202 with Retry-After. */
export class DocumentPending extends Error {
  constructor() {
    super('The document is being drawn.')
    this.name = 'DocumentPending'
  }
}

/** Rejects with `DocumentPending` when the work exceeds the maximum wait. */
export function withWaitLimit<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DocumentPending()), MAX_WAIT_MS)
  })
  // Drawing continues after the caller has stopped waiting: its result is stored.
  work.catch(() => undefined)
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}
