/** Places of a value on the papers of a document. Pure. */
import type { PdfMark } from '../../components/pdf/pdf.ts'
import type { Incoming } from './notices.ts'

/** A place, and the file it is in, from 0. */
interface PaperMark extends PdfMark {
  file: number
}

/** Fields of the reading that stand for one field of the form. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = { taxLines: ['taxLines', 'total', 'payable'] }

/** Returns where the value of a field stands, each place once. */
export function marksOf(reading: Incoming['reading'], field: string | null): PaperMark[] {
  if (reading === null || field === null) return []
  const { places, proposal } = reading
  const found = new Map<string, PaperMark>()
  for (const name of TOGETHER[field] ?? [field])
    for (const { page, box } of proposal.evidence[name] ?? []) {
      const place = places === null ? { file: 0, page } : places[page]
      if (!place) continue
      const mark = { ...place, ...box }
      found.set(JSON.stringify(mark), mark)
    }
  return [...found.values()]
}

/** Types that are the wrapping of a document and no part of it. */
const WRAPPINGS: readonly string[] = ['message/rfc822']

/** Returns the files of a document in the order of its pages, without the mail they came in. */
export function papersOf(attachments: Incoming['attachments']): Incoming['attachments'] {
  const own = attachments.filter(({ mediaType }) => !WRAPPINGS.includes(mediaType))
  return own.length > 0 ? own : attachments
}
