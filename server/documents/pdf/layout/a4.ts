/**
 * Lays out an invoice on A4 in two passes: first the body flows over as many pages as it needs, then each page gets
 * what is known only afterwards, such as its number.
 */
import type { Cents } from '../../../domain/money.ts'
import { labelsFor } from '../labels/index.ts'
import type { InvoicePaper } from '../paper.ts'
import { closingRows, footerOf, paymentRows } from './closing.ts'
import { drawBackground, drawFirstHead, drawNextHeader } from './head.ts'
import { heightOf, heightToKeep, Pen, tagIn } from './marks.ts'
import type { Layout, Page, Row, Tag } from './marks.ts'
import { LEFT, LEFT_BLOCK_WIDTH, NEXT_PAGE_TOP, PAGE_HEIGHT, PAGE_WIDTH, WIDTH } from './sheet.ts'
import { BAR, CARRY, drawBar, drawCarry, LARGEST_UNSPLIT_ROW, measureColumns, tableStrips } from './table.ts'
import type { Strip } from './table.ts'
import { totalsRows } from './totals.ts'

const TABLE_TOP = 308
/** Space between a carried sum and a row split by it. */
const CUT = 4
const ABOVE_TOTALS = 18

/** Space above and below the text of a table row, and the reduced space where that saves a page. */
const ROW_AIR = 8
const TIGHTER_ROW_AIR = [6, 4.75, 3.5]
/** A document with more lines takes several pages anyway. */
const MOST_TIGHT_LINES = 60

/** Returns the pages of the document, never none. Rows move closer together where that saves a page. */
export function layOutA4(paper: InvoicePaper, accent: string): Layout {
  const usual = layOutRows(paper, accent, ROW_AIR)
  if (usual.pages.length === 1 || paper.lines.length > MOST_TIGHT_LINES) return usual
  for (const rowAir of TIGHTER_ROW_AIR) {
    const tight = layOutRows(paper, accent, rowAir)
    if (tight.pages.length < usual.pages.length) return tight
  }
  return usual
}

function layOutRows(paper: InvoicePaper, accent: string, rowAir: number): Layout {
  const labels = labelsFor(paper.language)
  const structure: Tag = { type: 'Document', children: [] }
  const pages: Page[] = []
  const addPage = (): Page => {
    const page: Page = { width: PAGE_WIDTH, height: PAGE_HEIGHT, marks: [] }
    drawBackground(page, paper, labels, pages.length === 0 ? structure : null)
    pages.push(page)
    if (pages.length > 1) drawNextHeader(page, paper)
    return page
  }

  let page = addPage()
  const headBottom = drawFirstHead(page, paper, labels, accent, structure)
  let y = Math.max(TABLE_TOP, headBottom + 24)

  const table = tagIn(structure, 'Table')
  const columns = measureColumns(paper, labels)
  const bar = { labels, accent }
  y = drawBar(page, y, columns, { ...bar, table })

  const sumsTag: Tag = { type: 'Document', children: [] }
  const paymentTag: Tag = { type: 'Document', children: [] }
  const totals = paper.hidesPrices ? [] : totalsRows(paper, labels, accent, sumsTag)
  const payment = paper.hidesPrices ? [] : paymentRows(paper, labels, accent, paymentTag)
  const footerTag: Tag = { type: 'Document', children: [] }
  const footer = footerOf(paper, labels, footerTag)
  const bottom = footer.top - 14
  const tailHeight = ABOVE_TOTALS + Math.max(heightOf(totals), heightOf(payment))
  const freshSpace = bottom - NEXT_PAGE_TOP - BAR - CARRY - CUT
  // A tail taller than a page (dozens of rates) cannot stay together: its beginning stays with the last row.
  const keptTail = tailHeight <= freshSpace - LARGEST_UNSPLIT_ROW ? tailHeight : Math.min(tailHeight, 100)
  const splitAbove =
    paper.lines.length === 1
      ? Math.min(LARGEST_UNSPLIT_ROW, Math.max(60, bottom - y - keptTail))
      : LARGEST_UNSPLIT_ROW
  const strips = tableStrips({ paper, labels, columns, splitAbove, rowAir, tag: table })
  let sum: Cents = 0
  let stripsOnPage = 0
  const carry = (label: string): number => (paper.hidesPrices ? y : drawCarry(page, y, label, sum, paper))
  strips.forEach((strip, index) => {
    if (stripsOnPage > 0 && y + spaceFor(strips, index, keptTail) > bottom) {
      if (strip.continues) {
        y += CUT
        new Pen(page, 'Layout').rule(LEFT, y, WIDTH)
      }
      carry(labels.carriedOut)
      page = addPage()
      y = drawBar(page, NEXT_PAGE_TOP, columns, { ...bar, table: null })
      y = carry(labels.carriedIn) + (strip.continues ? CUT : 0)
      stripsOnPage = 0
    }
    strip.draw(y, page)
    y += strip.height
    sum += strip.amountCents
    stripsOnPage += 1
  })

  y += ABOVE_TOTALS
  const newPlainPage = (): void => {
    page = addPage()
    y = NEXT_PAGE_TOP
  }
  const blockHeight = tailHeight - ABOVE_TOTALS
  if (y + blockHeight > bottom && blockHeight <= bottom - NEXT_PAGE_TOP) newPlainPage()
  const [paymentPage, paymentTop] = [page, y]
  const flow = (rows: readonly Row[]): void =>
    rows.forEach((row, index) => {
      if (y + heightToKeep(rows, index) > bottom) newPlainPage()
      row.draw(y, page)
      y += row.height
    })
  flow(totals)
  let paymentY = paymentTop
  for (const row of payment) {
    row.draw(paymentY, paymentPage)
    paymentY += row.height
  }
  const totalsBottom = y
  if (page === paymentPage) y = Math.max(y, paymentY)
  y += 22

  const closingTag: Tag = { type: 'Document', children: [] }
  let closing = closingRows(paper, labels, { accent, width: WIDTH, parent: closingTag })
  if (page === paymentPage && y + heightOf(closing) > bottom) {
    // Prefers the white space beside the totals to one more page.
    const besideTag: Tag = { type: 'Document', children: [] }
    const beside = closingRows(paper, labels, { accent, width: LEFT_BLOCK_WIDTH, parent: besideTag })
    if (paymentY + 14 + heightOf(beside) <= totalsBottom) {
      closing = beside
      closingTag.children = besideTag.children
      y = paymentY + 14
    }
  }
  flow(closing)
  pages.forEach((each, index) => footer.draw(each, index + 1, pages.length))
  for (const part of [sumsTag, paymentTag, closingTag, footerTag]) structure.children.push(...part.children)
  return { pages, structure }
}

function spaceFor(strips: readonly Strip[], index: number, keptTail: number): number {
  let space = 0
  for (let at = index; at < strips.length; at++) {
    const strip = strips[at]
    if (!strip) break
    space += strip.height
    if (!strip.withNext) return space + (at === strips.length - 1 ? keptTail : CARRY + CUT)
  }
  return space + keptTail
}
