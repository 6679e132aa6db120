/** Public interface of the quotes. */
export { convertQuote } from './convert.ts'
export { getQuote, listQuotes, windowQuotes } from './list.ts'
export { quotePaperFacts, unsavedPaperFacts } from './paper.ts'
export type { QuotePaperFacts } from './paper.ts'
export { createQuote, deleteQuote, duplicateQuote, setQuoteState, updateQuote } from './write.ts'
