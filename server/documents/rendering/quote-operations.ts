/** The operations that render the documents of quotes. */
import { defineOperations, operation } from '../../context.ts'
import { quotePdfContract, previewQuoteContract } from '../../sales/quotes/contract.ts'
import { quotePdf, previewQuote } from './quote.ts'

export const quoteDocumentOperations = defineOperations([
  operation(quotePdfContract, quotePdf),
  operation(previewQuoteContract, previewQuote),
])
