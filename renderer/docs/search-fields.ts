/** Fields of the search index, shared by the code that builds it and the code that reads it. */

/** Search result: a section of a page, or an operation. */
export interface SearchEntry {
  id: number
  url: string
  page: string
  title: string
  text: string
}

/**
 * Splits a text at everything but letters and digits, so that `invoice_not_draft` is found by each of its words and
 * as a whole.
 */
export function searchWords(text: string): string[] {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}_.]+/u)
  return words
    .flatMap((word) => [...new Set([word.replace(/^\.+|\.+$/g, ''), ...word.split(/[_.]+/)])])
    .filter(Boolean)
}

export const SEARCH_FIELDS = {
  fields: ['title', 'page', 'text'],
  storeFields: ['url', 'page', 'title', 'text'],
  tokenize: searchWords,
  searchOptions: {
    boost: { title: 4, page: 2 },
    prefix: true,
    fuzzy: (word: string) => (word.length > 4 ? 0.2 : false),
    combineWith: 'AND' as const,
  },
}
