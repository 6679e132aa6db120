/** Finds the document of a file by the number in its name; case and separators do not matter. Pure. */

export interface NumberedDocument {
  side: 'issued' | 'received'
  rowId: number
  number: string
  name: string
}

/** Shorter numbers are found only where they are the whole name. */
const SHORTEST_PART = 4
const LONGEST_NAME = 80

const bare = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')

/** Returns the documents by their numbers without separators. */
export function byBareNumber(documents: readonly NumberedDocument[]): Map<string, NumberedDocument[]> {
  return Map.groupBy(documents, ({ number }) => bare(number))
}

const isDigit = (text: string | undefined): boolean => text !== undefined && /\d/.test(text)

/** Returns true where a number begins or ends within a longer one: F12 in F123. */
const cutsNumber = (text: string, from: number, to: number): boolean =>
  (isDigit(text[from - 1]) && isDigit(text[from])) || (isDigit(text[to - 1]) && isDigit(text[to]))

/** Returns the documents that a file may be of: those whose number is the longest in its name. */
export function documentsOfName(
  path: string,
  numbers: ReadonlyMap<string, readonly NumberedDocument[]>,
): readonly NumberedDocument[] {
  const file = path.split('/').at(-1) ?? ''
  const text = bare(file.replace(/\.[a-z0-9]{1,5}$/i, '')).slice(0, LONGEST_NAME)
  const whole = numbers.get(text)
  if (whole && text !== '') return whole
  for (let length = text.length - 1; length >= SHORTEST_PART; length--) {
    const found = new Set<NumberedDocument>()
    for (let from = 0; from + length <= text.length; from++) {
      const documents = numbers.get(text.slice(from, from + length))
      if (documents && !cutsNumber(text, from, from + length)) for (const each of documents) found.add(each)
    }
    if (found.size > 0) return [...found]
  }
  return []
}

/** Of several documents with the number, those whose party the path names. */
export function narrowedByParty(
  path: string,
  documents: readonly NumberedDocument[],
): readonly NumberedDocument[] {
  if (documents.length < 2) return documents
  const text = bare(path)
  const named = documents.filter(({ name }) => {
    const word = bare(name).slice(0, 8)
    return word.length >= 4 && text.includes(word)
  })
  return named.length > 0 ? named : documents
}
