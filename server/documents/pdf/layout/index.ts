/** Lays out a document: from its facts to pages of marks, on A4 or on the roll of a ticket printer. */
import { isReadableOnWhite } from '../../../domain/contrast.ts'
import { withEstimatedWidths } from '../measure.ts'
import type { InvoicePaper } from '../paper.ts'
import { layOutA4 } from './a4.ts'
import type { Layout } from './marks.ts'
import { layOutTicket } from './ticket.ts'

export { areasOf } from './areas.ts'
export type { PaperArea } from './areas.ts'
export { extentOf } from './marks.ts'
export type { Layout, Mark, Page, Tag, TextMark } from './marks.ts'
export { documentName } from './text-blocks.ts'

const HOUSE_ACCENT = '#0F5C5C'

/** Returns the company's accent if it is readable with white text and on white, else the default. */
export function readableAccent(accent: string | null): string {
  return accent !== null && isReadableOnWhite(accent) ? accent : HOUSE_ACCENT
}

/** Returns the pages of the document and its structure in reading order. */
export function layOut(paper: InvoicePaper): Layout {
  return paper.format === 'ticket' ? layOutTicket(paper) : layOutA4(paper, readableAccent(paper.accent))
}

/** Returns the same without fonts, for its texts: their widths are estimated, so that lines may break elsewhere. */
export function layOutEstimated(paper: InvoicePaper): Layout {
  return withEstimatedWidths(() => layOut(paper))
}
