/** How long a caller waits for a document before it is told to come back. */

const PATIENCE_MS = 10_000

/** The document is still being made: HTTP answers 202 with Retry-After. */
export class DocumentPending extends Error {
  constructor() {
    super('The document is being drawn.')
    this.name = 'DocumentPending'
  }
}

/** `DocumentPending` when it takes longer than a caller waits. */
export function withinPatience<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DocumentPending()), PATIENCE_MS)
  })
  // Whoever stops waiting leaves the drawing under way: it is kept when it ends.
  work.catch(() => undefined)
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}
