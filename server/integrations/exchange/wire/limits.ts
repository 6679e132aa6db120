/** Limits of the platform's messages, and of what is read of them. Source of the platform's own: technical slides of 10 September 2026. */

/** Limits that the platform names. All are said to be configurable on its side. */
export const PLATFORM_LIMITS = {
  invoicesOfBatch: 100,
  invoiceBytes: 5_120 * 1024,
  statusesOfMessage: 100,
  codesOfQuery: 1_000,
  foundOfPage: 1_000,
  locatorsOfDownload: 100,
} as const

/** Ours: a hundred invoices of the largest size would be half a gigabyte. */
export const MESSAGE_BYTES = 32 * 1024 * 1024

/** Ours: invoices asked for in one message, so that an answer stays below `DOWNLOAD_BYTES`. */
export const DOWNLOADS_PER_MESSAGE = 8
export const DOWNLOAD_BYTES = DOWNLOADS_PER_MESSAGE * PLATFORM_LIMITS.invoiceBytes + 1024 * 1024

/** The largest answer to any other message: a page of a query has a thousand invoices with some statuses each. */
export const ANSWER_BYTES = 24 * 1024 * 1024

/** Of the header of a message, which is small. */
export const ENVELOPE_XML_LIMITS = {
  bytes: 1024 * 1024,
  depth: 16,
  nodes: 4_000,
  elementChars: 4_096,
  totalChars: 262_144,
}

/** Of an answer. */
export const MESSAGE_XML_LIMITS = {
  bytes: ANSWER_BYTES,
  depth: 24,
  nodes: 600_000,
  elementChars: 20_000,
  totalChars: 8 * 1024 * 1024,
}

/** Of a message about statuses, and of what a query or a download asks for. */
export const REQUEST_XML_LIMITS = { ...MESSAGE_XML_LIMITS, bytes: 2 * 1024 * 1024, nodes: 60_000 }

/** Divides invoices into batches that the platform accepts, in their order. An invoice that is too large is a batch of its own. */
export function inBatches<T extends { xml: string }>(items: readonly T[]): T[][] {
  const batches: T[][] = []
  let bytes = 0
  for (const item of items) {
    const size = Buffer.byteLength(item.xml, 'utf8')
    const current = batches.at(-1)
    const fits =
      current &&
      current.length < PLATFORM_LIMITS.invoicesOfBatch &&
      bytes + size <= MESSAGE_BYTES - BATCH_HEADERS
    if (fits) {
      current.push(item)
      bytes += size
    } else {
      batches.push([item])
      bytes = size
    }
  }
  return batches
}

/** Room for the header and the delimiters of a full batch. */
const BATCH_HEADERS = 256 * 1024
