/** Queries of the palette, and its history: the records opened last, kept only while the window is open. */
import { shallowReactive } from 'vue'
import { icons } from '../../../icons.ts'
import type { IconName } from '../../../icons.ts'
import { parseMoney } from '../../../composables/parse/money.ts'

/** Returns the query for the server: an amount in Spanish notation (`1.234,56 €`) becomes a plain number. */
export function requestedText(text: string, decimalSign: ',' | '.'): string {
  const wanted = text.trim()
  if (!/^[-\u2212]?\d[\d.,\s]*(?:€|euros?)?$/i.test(wanted) || !/[.,€\s]/.test(wanted)) return wanted
  const reading = parseMoney(wanted, { decimals: 2, decimalSign })
  return reading.ok && reading.value !== null ? String(reading.value / 100) : wanted
}

/** Search options for pages and actions; the UI library's search ignores accents. */
export const SEARCH = { fuseOptions: { ignoreDiacritics: true, ignoreLocation: true, threshold: 0.3 } }

interface Visited {
  path: string
  title: string
  /** Customer: drafts have no number to tell them apart. */
  about: string
  icon: IconName
}

const MOST_VISITED = 6
const RECORDS: Readonly<Record<string, IconName>> = {
  invoice: icons.invoices,
  'invoice-edit': icons.invoices,
  quote: icons.quotes,
  'quote-edit': icons.quotes,
  'received-one': icons.received,
  'recurring-edit': icons.recurring,
  statement: icons.contacts,
}
const visits = shallowReactive(new Map<string, readonly Visited[]>())

/** The page of a record and its editor count as one record. */
const recordOf = (path: string): string => path.replace(/\/edit$/, '')

/** Records that a record's page was left; other pages are ignored. */
export function recordVisit(bookId: string, page: Omit<Visited, 'icon'> & { name: string }): void {
  const icon = RECORDS[page.name]
  if (!icon || !page.title) return
  const { path, title, about } = page
  const isSame = (each: Visited): boolean => recordOf(each.path) === recordOf(path)
  const earlier = visitsOf(bookId)
  const named = about || earlier.find(isSame)?.about || ''
  const others = earlier.filter((each) => !isSame(each))
  visits.set(bookId, [{ path, title, about: named, icon }, ...others].slice(0, MOST_VISITED))
}

/** Returns the records opened in a book since the window was opened, the last one first; never those of another book. */
export function visitsOf(bookId: string): readonly Visited[] {
  return visits.get(bookId) ?? []
}
