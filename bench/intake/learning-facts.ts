/** Changes the words of a document for the measure of learning: another number and other days, or labels that no reader knows. */
import type { Page, Word } from '../../server/purchases/intake/pages/page.ts'
import { datesIn } from '../../server/purchases/intake/reading/dates.ts'
import { plain } from '../../server/purchases/intake/reading/labels.ts'
import { addDays } from '../../server/domain/dates.ts'
import type { TruthFields } from './truth.ts'

const pad = (value: number): string => String(value).padStart(2, '0')

/** Writes a day in the form in which another one is printed; null for forms with the name of a month. */
function likePrinted(printed: string, day: string): string | null {
  const [year = '', month = '', date = ''] = day.split('-')
  const parts = /^(\d{1,4})([-/.])(\d{1,2})([-/.])(\d{1,4})$/.exec(printed)
  if (!parts) return null
  const [, first = '', one = '', , two = '', last = ''] = parts
  if (first.length === 4) return `${year}${one}${month}${two}${date}`
  return `${pad(Number(date))}${one}${month}${two}${last.length === 2 ? year.slice(2) : year}`
}

/**
 * Returns the words of a later document: its number and its days are others, all else is the same. Null if a day is printed
 * in words, which cannot be replaced in place.
 */
export function laterPages(
  pages: readonly Page[],
  fields: TruthFields,
  { number, days }: { number: string; days: number },
): { pages: Page[]; fields: TruthFields } | null {
  const { number: old, issueDate, dueDate } = fields
  if (old === null || issueDate === null) return null
  let numbers = 0
  let isWhole = true
  const dates = [issueDate, dueDate].filter((day) => day !== null)
  const changed = (word: Word): Word => {
    if (word.t.includes(old)) {
      numbers += 1
      return { ...word, t: word.t.replaceAll(old, number) }
    }
    const [found] = datesIn(word.t)
    if (!found || !dates.includes(found.date)) return word
    const printed = word.t.slice(found.from, found.to)
    const next = likePrinted(printed, addDays(found.date, days))
    if (next === null) {
      isWhole = false
      return word
    }
    return { ...word, t: word.t.replace(printed, next) }
  }
  const later = pages.map((page) => ({ ...page, readings: page.readings.map((words) => words.map(changed)) }))
  const isDayInOneWord = later.some(({ readings }) =>
    readings.flat().some(({ t }) => datesIn(t).some(({ date }) => date === addDays(issueDate, days))),
  )
  if (numbers === 0 || !isWhole || !isDayInOneWord) return null
  return {
    pages: later,
    fields: {
      ...fields,
      number,
      issueDate: addDays(issueDate, days),
      dueDate: dueDate === null ? null : addDays(dueDate, days),
    },
  }
}

/** Words of labels for number, day of issue and due date, and others that only a person or the memory understands. */
const NUMBER_WORD = /^(?:n|no|num|numero|number|zk)$/
const ODD_WORDS: readonly (readonly [known: RegExp, odd: string])[] = [
  [NUMBER_WORD, 'Clave'],
  [/^(?:fecha|data|date)$/, 'Jornada'],
  [/^(?:emision|expedicion|expedicio|emitido|issue)$/, 'alta'],
  [/^(?:vencimientos?|vto|vence|venciment|vencemento|due|cargo)$/, 'Giraremos'],
]
const INVOICE_WORD = /^(?:factura|invoice|faktura|recibo|fra)$/

/** Returns the words with labels that the reader does not know; a title that says what the paper is stays. */
export function withOddLabels(pages: readonly Page[]): Page[] {
  const bare = (word: Word | undefined): string => (word ? plain(word.t) : '')
  const isInvoice = (word: Word): boolean => INVOICE_WORD.test(bare(word))
  // "Factura nº", "Nº de factura": part of the label.
  const isOfNumber = (at: number, words: readonly Word[]): boolean =>
    [at - 2, at - 1, at + 1, at + 2].some((index) => NUMBER_WORD.test(bare(words[index])))
  const hasTitle = pages.some(({ readings: [words = []] }) =>
    words.some((word, at) => isInvoice(word) && !isOfNumber(at, words)),
  )
  const renamed = (word: Word, at: number, words: readonly Word[]): Word => {
    if (hasTitle && isInvoice(word) && isOfNumber(at, words)) return { ...word, t: 'papel' }
    const odd = ODD_WORDS.find(([known]) => known.test(bare(word)))?.[1]
    return odd === undefined ? word : { ...word, t: word.t.endsWith(':') ? `${odd}:` : odd }
  }
  return pages.map((page) => ({ ...page, readings: page.readings.map((words) => words.map(renamed)) }))
}
