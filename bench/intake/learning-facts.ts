/** Later documents of one supplier for the measure of learning: the same layout with another number, other days and sums. */
import type { Page, Word } from '../../server/purchases/intake/pages/page.ts'
import { datesIn } from '../../server/purchases/intake/reading/dates.ts'
import { addDays } from '../../server/domain/dates.ts'
import type { Dice } from './sample-facts.ts'
import type { TruthFields } from './truth.ts'

/** Returns a number of the same form: the same letters and signs, other digits in the last run. */
export function nextNumber(number: string, dice: Dice): string {
  const last = number.match(/\d+/g)?.at(-1) ?? ''
  if (last === '') return number
  const at = number.lastIndexOf(last)
  const digits = last.length > 5 ? last.slice(0, -4) : ''
  const rest = last.slice(digits.length)
  const low = 10 ** (rest.length - 1)
  const next = String(dice.int(low, low * 10 - 1)).padStart(rest.length, '0')
  return `${number.slice(0, at)}${digits}${next}${number.slice(at + last.length)}`
}

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
