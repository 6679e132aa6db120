/**
 * Reads documents that others wrote, in a child process with limits of memory and time: what a supplier's program presented
 * is no safer than a file from anywhere else.
 */
import { parse, ParserFailure, piecesOf } from '../../../platform/processes/parsers.ts'
import type { ParserFault } from '../../../platform/processes/parsers.ts'
import type { NamedInvoice } from '../exchange/invoice-code.ts'
import type { PlatformFile, ReadingJob } from './read.ts'

const TIMEOUT_MS = 20_000

type Read = { file: PlatformFile | null; why: ParserFault | null }

async function readApart(bytes: Uint8Array, invoiceOnly: boolean): Promise<Read> {
  try {
    const file = await parse<Omit<ReadingJob, 'bytes'>, PlatformFile | null>(
      'exchange',
      { invoiceOnly },
      { from: import.meta.url, timeoutMs: TIMEOUT_MS, bytes: piecesOf(bytes) },
    )
    return { file, why: null }
  } catch (error) {
    if (!(error instanceof ParserFailure)) throw error
    return { file: null, why: error.why }
  }
}

/**
 * Returns what the document of an invoice says; null if it cannot be read, or not within the limits. Throws `too_busy` if too
 * many files wait to be read.
 */
export async function readInvoice(bytes: Uint8Array): Promise<NamedInvoice | null> {
  const { file } = await readApart(bytes, true)
  return file?.kind === 'invoice' ? file.invoice : null
}

/**
 * Returns which of the documents of the platform a file is; else null, with the limit that it exceeds if it does. Throws
 * `too_busy` if too many files wait to be read.
 */
export function readPlatformFile(bytes: Uint8Array): Promise<Read> {
  return readApart(bytes, false)
}
