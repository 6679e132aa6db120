/** What the palette makes of what is typed, and where it has been: the records opened last, kept only while the window is open. */
import { shallowReactive } from 'vue'
import { icons } from '../../../icons.ts'
import type { IconName } from '../../../icons.ts'
import { parseMoney } from '../../../composables/parse/money.ts'

/** What the server is asked: an amount as it is typed in Spain (`1.234,56 €`) as the plain number it stands for. */
export function requestedText(text: string, decimalSign: ',' | '.'): string {
  const wanted = text.trim()
  if (!/^[-\u2212]?\d[\d.,\s]*(?:€|euros?)?$/i.test(wanted) || !/[.,€\s]/.test(wanted)) return wanted
  const reading = parseMoney(wanted, { decimals: 2, decimalSign })
  return reading.ok && reading.value !== null ? String(reading.value / 100) : wanted
}

/** What a page or an action may be called; the kit's search leaves accents out of account. */
export const SEARCH = { fuseOptions: { ignoreDiacritics: true, ignoreLocation: true, threshold: 0.3 } }

interface Visited {
  path: string
  title: string
  /** Whom it is about: drafts have no number to tell them apart. */
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

/** A record's page and its editor are one record. */
const recordOf = (path: string): string => path.replace(/\/edit$/, '')

/** Notes that a record's page was left; pages that are no record are not noted. */
export function noteVisit(bookId: string, page: Omit<Visited, 'icon'> & { name: string }): void {
  const icon = RECORDS[page.name]
  if (!icon || !page.title) return
  const { path, title, about } = page
  const isSame = (each: Visited): boolean => recordOf(each.path) === recordOf(path)
  const earlier = visitsOf(bookId)
  const named = about || earlier.find(isSame)?.about || ''
  const others = earlier.filter((each) => !isSame(each))
  visits.set(bookId, [{ path, title, about: named, icon }, ...others].slice(0, MOST_VISITED))
}

/** Records opened in a book since the window was opened, the last one first; never those of another book. */
export function visitsOf(bookId: string): readonly Visited[] {
  return visits.get(bookId) ?? []
}
