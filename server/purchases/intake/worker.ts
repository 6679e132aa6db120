/** Process that reads files of unknown origin under limits, isolated from the program. */
import { answerJobs, isOutOfMemory } from '../../platform/processes/parsers.ts'
import { warning } from '../fault.ts'
import { codesInImage } from './codes.ts'
import { emptyProposal, PAGES_TYPE, UnreadableFile } from './read-result.ts'
import type { ReadResult, ReadJob, ReadReply } from './read-result.ts'
import { readPdf, takeQr } from './pdf.ts'
import { codedCentsOf, factsOfQr } from './qr-url.ts'
import { readStructured } from './structured.ts'
import { takeReadings } from './proposal.ts'
import type { Page } from './pages/page.ts'
import { pageOfText } from './pages/text-page.ts'
import { readJoined, readPages } from './reading/read-pages.ts'
import type { ReaderContext } from './reading/read-pages.ts'

interface WhatWasRead {
  found: ReadResult
  unread: number[]
  pages?: Page[]
}

/** The reader of codes opens these itself. */
const CODES_WITHOUT_DECODING: readonly string[] = ['image/png', 'image/jpeg']

/** A picture of one page, or of several: how many is only known when they have been seen. */
async function readImage(
  { bytes, mediaType }: Pick<ReadJob, 'bytes' | 'mediaType'>,
  context: ReaderContext,
  seen: readonly Page[],
): Promise<WhatWasRead> {
  const codes = CODES_WITHOUT_DECODING.includes(mediaType)
    ? await codesInImage(bytes)
    : seen.flatMap((page) => page.codes ?? [])
  const found: ReadResult = { proposal: emptyProposal('none', 'image'), warnings: [] }
  const [facts = null] = codes.flatMap((text) => factsOfQr(text) ?? [])
  takeQr(found, facts)
  const unread = seen.length > 0 ? [] : [0]
  const readings = readPages(seen, { ...context, codedCents: codedCentsOf(facts) })
  takeReadings(found, readings, { pages: seen, unread })
  return { found, unread }
}

/** Reads the pages of several files as one invoice. */
function readTogether(files: readonly Page[][], context: ReaderContext): ReadResult {
  const found: ReadResult = { proposal: emptyProposal('none', 'pages'), warnings: [] }
  const { reading, sources, doubts } = readJoined(files, context)
  const pages = sources.flatMap(({ file, page }, index) => {
    const own = files[file]?.find((each) => each.index === page)
    return own ? [{ ...own, index }] : []
  })
  takeReadings(found, reading === null ? [] : [reading], { pages, unread: [] })
  if (doubts.length > 0)
    found.warnings.push(
      warning(
        'not_one_invoice',
        'content',
        'The joined files may be several invoices.',
        'Check that they belong together.',
        { doubts: doubts.join(', ') },
      ),
    )
  return { ...found, places: sources }
}

async function read({
  bytes,
  mediaType,
  context,
  seen = [],
  joined = [],
  pages,
}: ReadJob): Promise<WhatWasRead> {
  switch (mediaType) {
    case 'application/xml': {
      const found = readStructured(bytes, context.ownTax) ?? {
        proposal: emptyProposal('none', 'XML'),
        warnings: [],
      }
      // No paper beside it contradicts it.
      found.proposal.closes = found.proposal.total !== undefined && found.proposal.taxLines.length > 0
      return { found, unread: [] }
    }
    case 'application/pdf':
      return readPdf(bytes, context, { seen, range: pages ?? null })
    case PAGES_TYPE:
      return { found: readTogether(joined, context), unread: [] }
    case 'image/png':
    case 'image/jpeg':
    case 'image/webp':
    case 'image/heic':
    case 'image/tiff':
      return readImage({ bytes, mediaType }, context, seen)
    case 'text/plain': {
      const found: ReadResult = { proposal: emptyProposal('none', 'text'), warnings: [] }
      const page = pageOfText(Buffer.from(bytes).toString('utf8'))
      takeReadings(found, readPages([page], context), { pages: [page], unread: [] })
      return { found, unread: [], pages: [page] }
    }
    default:
      return { found: { proposal: emptyProposal(), warnings: [] }, unread: [] }
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
  else if (proposal.source === 'ocr')
    warnings.push(
      warning(
        'read_from_picture',
        'content',
        'The data were read from a picture of the document.',
        'Check those that are not marked as proven against it.',
      ),
    )
  return found
}

async function answer(job: ReadJob): Promise<ReadReply> {
  try {
    const { found, unread, pages } = await read(job)
    return { found: withWarnings(found), unread, ...(job.wantsPages && pages ? { pages } : {}) }
  } catch (error) {
    // A bug in a reader is reported to the caller as an unreadable file.
    if (error instanceof UnreadableFile) return { unreadable: error.why }
    return { unreadable: isOutOfMemory(error) ? 'too_large' : 'broken' }
  }
}

answerJobs('read', answer)
