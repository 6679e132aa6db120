/** Public interface of the quotes. */
export { getQuote } from './list.ts'
export { quotePaperFacts, unsavedPaperFacts } from './paper.ts'
export type { QuotePaperFacts } from './paper.ts'
export { createQuote, setQuoteState } from './write.ts'
