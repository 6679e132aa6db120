/** Which pages make one invoice: those of a file with several, and those of an invoice in several files. Pure. */
import type { Page } from '../pages/page.ts'
import type { CutReason } from './field-value.ts'
import { plain } from './labels.ts'
import { solveMoney } from './money/money.ts'
import { readNumber } from './numbers.ts'
import { sumsOf } from './printed.ts'
import { readingsOf } from './readings.ts'
import type { Readings } from './readings.ts'
import type { Row } from './rows.ts'
import { readParties } from './tax-ids.ts'

/** Renumbers rows that are read apart from the others. */
const alone = (rows: readonly Row[]): Row[] => rows.map((row, index) => ({ ...row, index }))

/** Returns the rows of some pages, in the given order. */
function partOf({ each, merged }: Readings, pages: readonly number[]): Readings {
  const part = (rows: readonly Row[]): Row[] =>
    alone(pages.flatMap((index) => rows.filter(({ page }) => page === index)))
  return { each: each.map(part), merged: part(merged) }
}

const PAGE_WORDS = 'pagina|paxina|pag|page|hoja|full|fulla|orria|orrialdea|folla|seite'
const PAGE_OF = new RegExp(
  String.raw`\b(?:${PAGE_WORDS})(?: n| num)? (\d{1,2}) ?(?:de|of|d|/|eta|von) ?(\d{1,2})\b`,
)
const PAGE_BASQUE = /\b(\d{1,2}) ?\/ ?(\d{1,2}) (?:orria|orrialdea)\b/
/** A row that holds nothing but "1/3" or "1 de 3" at the foot or the head of a page. */
const PAGE_ALONE = /^(\d{1,2}) ?(?:\/|de|of) ?(\d{1,2})$/
const CARRIED =
  /\b(?:suma y sigue|suma i segueix|suma e segue|sigue en (?:la )?(?:pagina|hoja)|continua en (?:la )?(?:pagina|hoja)|continua a la pagina|carried forward|continued on|batura eta jarraitu|hurrengo orrian)\b/
const BROUGHT =
  /\b(?:suma anterior|viene de (?:la )?(?:pagina|hoja)|suma y viene|suma pagina anterior|arrossegat|ve de la pagina|ven da paxina|brought forward|continued from|aurreko orritik|arrastre)\b/

interface PageMark {
  at: number
  of: number
}

/** Returns the "page 2 of 3" that a page prints; null when it has none. */
function markOf(rows: readonly Row[]): PageMark | null {
  for (const [index, row] of rows.entries()) {
    const bare = plain(row.text)
    const isEdge = index < 2 || index >= rows.length - 2
    const match =
      PAGE_OF.exec(bare) ??
      PAGE_BASQUE.exec(bare) ??
      (isEdge ? PAGE_ALONE.exec(bare.replace(/^\W+/, '')) : null)
    if (!match) continue
    const mark = { at: Number(match[1]), of: Number(match[2]) }
    if (mark.at >= 1 && mark.at <= mark.of && mark.of <= 50) return mark
  }
  return null
}

interface PageFacts {
  index: number
  number: string | null
  supplierNif: string | null
  hasTotal: boolean
  mark: PageMark | null
  isCarriedOn: boolean
  isBroughtOn: boolean
}

function factsOf(readings: Readings, index: number, ownNif: string): PageFacts {
  const { merged: rows } = readings
  const text = plain(rows.map((row) => row.text).join(' '))
  const nif = readParties(readings, ownNif).supplierNif
  return {
    index,
    number: readNumber(readings).value,
    // Two rivals on a page say nothing of its supplier.
    supplierNif: nif.level === 'guess' ? null : nif.value,
    hasTotal: solveMoney(sumsOf(rows), text).totals.some(({ strength }) => strength >= 1),
    mark: markOf(rows),
    isCarriedOn: CARRIED.test(text),
    isBroughtOn: BROUGHT.test(text),
  }
}

/** Digits and letters that OCR confuses, in one form: two numbers that differ in nothing else are one. */
const numberKey = (number: string): string =>
  number
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/[IL]/g, '1')
    .replace(/[OQ]/g, '0')

const differ = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && numberKey(a) !== numberKey(b)
const isSame = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && numberKey(a) === numberKey(b)

interface OpenGroup {
  pages: number[]
  number: string | null
  supplierNif: string | null
  hasTotal: boolean
  last: PageFacts
  cut: CutReason | null
}

/** Returns why a page begins another invoice than the pages before it; null when it goes on with theirs. */
function cutBefore(page: PageFacts, group: OpenGroup): CutReason | null {
  const { mark } = page
  if (page.isBroughtOn || group.last.isCarriedOn) return null
  if (mark && mark.at > 1 && !(differ(page.number, group.number) && page.hasTotal)) return null
  const isOther = differ(page.number, group.number)
  if (isSame(page.number, group.number) && !differ(page.supplierNif, group.supplierNif)) return null
  // A page of terms or a delivery note has no total of its own.
  if (!page.hasTotal && !(mark?.at === 1 && group.hasTotal)) return null
  if (mark?.at === 1 && (group.hasTotal || isOther)) return 'first_page'
  if (!group.hasTotal) return null
  if (isOther) return 'number'
  return differ(page.supplierNif, group.supplierNif) ? 'supplier' : null
}

interface InvoicePages extends Readings {
  /** Why it begins where it does; null for the first of a file. */
  cut: CutReason | null
}

/** Groups the pages of a file by invoice, in their order; pages without words belong to none. */
export function groupsOf(readings: Readings, pages: readonly Page[], ownNif: string): InvoicePages[] {
  const written = pages
    .map(({ index }) => index)
    .filter((index) => readings.merged.some(({ page }) => page === index))
  if (written.length === 0) return []
  if (written.length === 1) return [{ ...partOf(readings, written), cut: null }]
  const groups: OpenGroup[] = []
  for (const index of written) {
    const page = factsOf(partOf(readings, [index]), index, ownNif)
    const group = groups.at(-1)
    const cut = group ? cutBefore(page, group) : null
    if (group && cut === null) {
      group.pages.push(index)
      group.number ??= page.number
      group.supplierNif ??= page.supplierNif
      group.hasTotal ||= page.hasTotal
      group.last = page
    } else groups.push({ ...page, pages: [index], last: page, cut })
  }
  return groups.map(({ pages: of, cut }) => ({ ...partOf(readings, of), cut }))
}

/** What speaks against the pages of several files being one invoice. */
export type JoinDoubt = 'number_differs' | 'supplier_differs' | 'page_missing' | 'page_twice'

interface JoinedPages {
  /** The pages in the order of the invoice, numbered from 0. */
  pages: Page[]
  /** For each page its file and its page there, from 0. */
  sources: { file: number; page: number }[]
  /** Why they may not be one invoice; empty when nothing speaks against it. */
  doubts: JoinDoubt[]
}

/**
 * Orders the pages of several files, such as photos of the sheets of one invoice: by "page 2 of 3" when each prints one, else as
 * they are given.
 */
export function joinPages(files: readonly (readonly Page[])[], ownNif: string): JoinedPages {
  const given = files.flatMap((pages, file) => pages.map((page) => ({ file, page })))
  const facts = given.map(({ page }, index) => factsOf(readingsOf([{ ...page, index }]), index, ownNif))
  const marks = facts.map(({ mark }) => mark)
  const isMarked = marks.every((mark) => mark !== null && mark.of === marks[0]?.of)
  const ordered = isMarked ? facts.toSorted((a, b) => (a.mark?.at ?? 0) - (b.mark?.at ?? 0)) : facts
  const doubts = new Set<JoinDoubt>()
  const numbers = facts.flatMap(({ number }) => number ?? [])
  if (numbers.some((number) => differ(number, numbers[0] ?? null))) doubts.add('number_differs')
  const nifs = facts.flatMap(({ supplierNif }) => supplierNif ?? [])
  if (new Set(nifs).size > 1) doubts.add('supplier_differs')
  const places = marks.flatMap((mark) => (mark ? [mark.at] : []))
  if (new Set(places).size < places.length) doubts.add('page_twice')
  if (isMarked && new Set(places).size < (marks[0]?.of ?? 0)) doubts.add('page_missing')
  return {
    pages: ordered.flatMap(({ index }, at) => {
      const page = given[index]?.page
      return page ? [{ ...page, index: at }] : []
    }),
    sources: ordered.flatMap(({ index }) => {
      const from = given[index]
      return from ? [{ file: from.file, page: from.page.index }] : []
    }),
    doubts: [...doubts],
  }
}
