/** Result of reading a file, and the messages between the reading process and its caller. */
import type { Fault } from '../../domain/errors/app-error.ts'
import type { Proposal, ReadSource } from './contract.ts'
import type { Page } from './pages/page.ts'
import type { Level, Reading } from './reading/field-value.ts'
import type { ReaderContext } from './reading/read-pages.ts'

/** Proposal before it is matched with the contacts of the book. */
export type ReadProposal = Omit<Proposal, 'supplierId' | 'concept' | 'account'>

export interface ReadResult {
  proposal: ReadProposal
  warnings: Fault[]
  /** What the words of the pages say, one for each invoice; also beside a structured one. */
  readings?: Reading[]
  /** Difference hash of the first page that is a picture, 16 hexadecimal digits. */
  pictureHash?: string
  /** Pages of a PDF, also of those that are not read. */
  pageCount?: number
  /** For a document of several files: the file, and the page of it, of each page; both from 0. */
  places?: { file: number; page: number }[]
}

/** First and last page, from 0. */
export interface PageRange {
  first: number
  last: number
}

/** Media type of a job without a file: its pages have been read before. */
export const PAGES_TYPE = 'pages'

/** Reason why a file cannot be read at all. */
export type Unreadable =
  | 'broken'
  | 'encrypted'
  | 'doctype'
  | 'too_deep'
  | 'too_large'
  | 'too_slow'
  | 'unknown_encoding'

export class UnreadableFile extends Error {
  readonly why: Unreadable
  constructor(why: Unreadable) {
    super(why)
    this.name = 'UnreadableFile'
    this.why = why
  }
}

export interface ReadJob {
  bytes: Uint8Array
  mediaType: string
  context: ReaderContext
  /** Pages that the OCR has seen since; without them, pages that are pictures stay unread. */
  seen?: Page[] | undefined
  /** The pages of each file of a document, which have been read before; the job then has no bytes. */
  joined?: Page[][]
  /** Only these pages of a PDF. */
  pages?: PageRange | null
  /** The answer has the pages of a PDF or a text with their words. */
  wantsPages?: boolean
}

/** `unread`: the pages, from 0, that only the OCR can read. */
export type ReadReply = { found: ReadResult; unread: number[]; pages?: Page[] } | { unreadable: Unreadable }

/** Description of a proposed line for disbursements: paid in the customer's name, they are no purchase. */
export const DISBURSEMENTS = 'Suplidos'

/** Returns a proposal without any value. */
export function emptyProposal(source: ReadSource = 'none', format: string | null = null): ReadProposal {
  return {
    source,
    format,
    taxLines: [],
    confidence: {},
    levels: {},
    evidence: {},
    alternatives: {},
    closes: false,
  }
}

type Confidence = ReadProposal['confidence'][string]
type Field = keyof ReadProposal

/** Levels of values that were not read from words: structured data and tax codes prove them. */
const LEVELS: Record<Confidence, Level> = { high: 'proven', medium: 'proven', low: 'guess' }

/** Sets values of a proposal, each with its confidence; values that were not read are left out. */
export function setFields(
  proposal: ReadProposal,
  confidence: Confidence,
  values: { [Name in Field]?: ReadProposal[Name] | null | undefined },
): void {
  for (const [field, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === '') continue
    Object.assign(proposal, { [field]: value })
    proposal.confidence[field] = confidence
    proposal.levels[field] = LEVELS[confidence]
  }
}
