/** Process that reads files of unknown origin under limits, isolated from the program. */
import { answerJobs, isOutOfMemory } from '../../platform/processes/parsers.ts'
import { warning } from '../fault.ts'
import { codesInImage } from './codes.ts'
import { emptyProposal, UnreadableFile } from './read-result.ts'
import type { ReadResult, ReadJob, ReadReply } from './read-result.ts'
import { readPdf, takeQr } from './pdf.ts'
import { factsOfQr } from './qr-url.ts'
import { readStructured } from './structured.ts'
import { readText } from './text.ts'

async function readImage(bytes: Uint8Array): Promise<ReadResult> {
  const found: ReadResult = { proposal: emptyProposal('none', 'image'), warnings: [] }
  for (const text of await codesInImage(bytes)) {
    const facts = factsOfQr(text)
    if (!facts) continue
    takeQr(found, facts)
    break
  }
  return found
}

async function read({ bytes, mediaType, ownNif }: ReadJob): Promise<ReadResult> {
  switch (mediaType) {
    case 'application/xml':
      return readStructured(bytes) ?? { proposal: emptyProposal('none', 'XML'), warnings: [] }
    case 'application/pdf':
      return readPdf(bytes, ownNif)
    case 'image/png':
    case 'image/jpeg':
      return readImage(bytes)
    case 'text/plain': {
      const found: ReadResult = { proposal: emptyProposal('none', 'text'), warnings: [] }
      readText(found.proposal, Buffer.from(bytes).toString('utf8'), ownNif)
      return found
    }
    default:
      return { proposal: emptyProposal(), warnings: [] }
  }
}

/** Returns the warnings about a reading as a whole. */
function withWarnings(found: ReadResult): ReadResult {
  const { proposal, warnings } = found
  if (proposal.source === 'none')
    warnings.push(
      warning(
        'nothing_found',
        'content',
        'Nothing could be read in the file.',
        'Type its data; the file is attached all the same.',
      ),
    )
  else if (proposal.source === 'text')
    warnings.push(
      warning(
        'read_from_text',
        'content',
        'The data were guessed from the text of the document.',
        'Check each of them against it.',
      ),
    )
  return found
}

async function answer(job: ReadJob): Promise<ReadReply> {
  try {
    return { found: withWarnings(await read(job)) }
  } catch (error) {
    // A bug in a reader is reported to the caller as an unreadable file.
    if (error instanceof UnreadableFile) return { unreadable: error.why }
    return { unreadable: isOutOfMemory(error) ? 'too_large' : 'broken' }
  }
}

answerJobs('read', answer)
