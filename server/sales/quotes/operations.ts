/** The operations of quotes. Their documents are registered by documents/rendering. */
import { defineOperations, operation } from '../../context.ts'
import {
  listQuotesContract,
  windowQuotesContract,
  createQuoteContract,
  getQuoteContract,
  updateQuoteContract,
  deleteQuoteContract,
  setQuoteStateContract,
  duplicateQuoteContract,
  convertQuoteContract,
} from './contract.ts'
import { convertQuote } from './convert.ts'
import { listQuotes, windowQuotes, getQuote } from './list.ts'
import { createQuote, updateQuote, deleteQuote, setQuoteState, duplicateQuote } from './write.ts'

export const quoteOperations = defineOperations([
  operation(listQuotesContract, listQuotes),
  operation(windowQuotesContract, windowQuotes),
  operation(createQuoteContract, createQuote),
  operation(getQuoteContract, getQuote),
  operation(updateQuoteContract, updateQuote),
  operation(deleteQuoteContract, deleteQuote),
  operation(setQuoteStateContract, setQuoteState),
  operation(duplicateQuoteContract, duplicateQuote),
  operation(convertQuoteContract, convertQuote),
])
