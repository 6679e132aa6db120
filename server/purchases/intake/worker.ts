/** Process that reads files of unknown origin under limits, isolated from the program. */
import { answerJobs, isOutOfMemory } from '../../platform/processes/parsers.ts'
import { warning } from '../fault.ts'
import { codesInImage } from './codes.ts'
import { emptyProposal, UnreadableFile } from './read-result.ts'
import type { ReadResult, ReadJob, ReadReply } from './read-result.ts'
import { readPdf, takeQr } from './pdf.ts'
import { factsOfQr } from './qr-url.ts'
import { readStructured } from './structured.ts'
import { takeReadings } from './proposal.ts'
import { pageOfText } from './pages/text-page.ts'
import { readPages } from './reading/read-pages.ts'

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

async function read({ bytes, mediaType, context }: ReadJob): Promise<ReadResult> {
  switch (mediaType) {
    case 'application/xml':
      return readStructured(bytes) ?? { proposal: emptyProposal('none', 'XML'), warnings: [] }
    case 'application/pdf':
      return readPdf(bytes, context)
    case 'image/png':
    case 'image/jpeg':
      return readImage(bytes)
    case 'text/plain': {
      const found: ReadResult = { proposal: emptyProposal('none', 'text'), warnings: [] }
      const page = pageOfText(Buffer.from(bytes).toString('utf8'))
      takeReadings(found, readPages([page], context), [])
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
        'The data were read from the text of the document.',
        'Check those that are not marked as proven against it.',
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
