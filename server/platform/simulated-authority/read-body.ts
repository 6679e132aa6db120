/** Reads the body of a request of a simulated authority, up to a limit. */
import type { IncomingMessage } from 'node:http'

/** Returns the body; `too_large` if it has more bytes than `most`. */
export async function readBody(request: IncomingMessage, most: number): Promise<Buffer | 'too_large'> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    // Reads to the end even beyond the limit: a client that is still writing would not read the answer.
    if (length <= most) chunks.push(chunk)
  }
  return length > most ? 'too_large' : Buffer.concat(chunks)
}
