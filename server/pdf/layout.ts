/**
 * Where everything of an invoice goes: from the paper to pages of marks with absolute places, in points from the top left
 * of an A4 sheet. Two passes: first the body flows over as many pages as it needs, then each page gets what it can know
 * only afterwards, its number among them. Nothing is drawn here.
 */
import type { Cents } from '../core/money.ts'
import { date, exchangeRate, iban, instant, money, quantity, rate, unitPrice } from './figures.ts'
import { textWidth } from './fonts.ts'
import type { Weight } from './fonts.ts'
import { labelsFor, QR_ABOVE, QR_BELOW, taxName, testBand, vatOfGroup, vatOfLine } from './labels.ts'
import type { Labels } from './labels.ts'
import type { InvoicePaper, PaperLine, PaperParty, PaperReference } from './paper.ts'
import { drawable, oneLine, wrap, wrapAtMost } from './text.ts'

export interface TextMark {
  kind: 'text'
  text: string
  x: number
  baseline: number
  size: number
  weight: Weight
  colour: string
}
export interface RuleMark {
  kind: 'rule'
  x: number
  y: number
  width: number
  colour: string
}
export interface BoxMark {
  kind: 'box'
  x: number
  y: number
  width: number
  height: number
  radius: number
  fill: string | null
  dashes: string | null
}
export interface QrMark {
  kind: 'qr'
  x: number
  y: number
  side: number
  url: string
}
/** One word across the page, drawn as shapes behind everything, so that it is not picked up with copied text. */
export interface WatermarkMark {
  kind: 'watermark'
  text: string
  colour: string
}
export type Mark = TextMark | RuleMark | BoxMark | QrMark | WatermarkMark

export const PAGE_WIDTH = 595.28
export const PAGE_HEIGHT = 841.89

const LEFT = 48
const RIGHT = 547.28
const WIDTH = RIGHT - LEFT

const INK = '#1B2226'
const SOFT = '#5B666D'
const HAIRLINE = '#D5DBDE'
const WASH = '#F3F6F6'
const WHITE = '#FFFFFF'
const HOUSE_ACCENT = '#0F5C5C'
const TEST = '#B4400C'
const WATERMARK = '#EFF2F2'

const BAND = { top: 14, height: 18 }
/** 34 mm: the authority wants 30 to 40. Its texts keep 2 mm away and are as large as the body. */
const QR = { x: LEFT, y: 56, side: 96.4, aboveBaseline: 48.6, belowBaseline: 165.6 }
const BESIDE_QR = 184
const PARTIES_BASELINE = 204
const CLIENT_X = 294
const TABLE_TOP = 308
const NEXT_PAGE_TOP = 84
const BAR = 20
const CARRY = 20
/** Air between a carried sum and a row cut by it. */
const CUT = 4
const ABOVE_TOTALS = 18
const LINE = 12
const ROW_PADDING = 8
const CELL = 8
const TOTALS_X = RIGHT - 270
const LEFT_BLOCK_WIDTH = TOTALS_X - LEFT - 28
const LARGEST_UNSPLIT_ROW = 300

type Column = 'quantity' | 'price' | 'discount' | 'vat' | 'amount'
const COLUMNS: readonly Column[] = ['quantity', 'price', 'discount', 'vat', 'amount']

/** An indivisible slice of the table: a whole row, or one text line of a row too tall to stay whole. */
interface Strip {
  height: number
  /** Added to the carried sum once this strip is on the paper. */
  netCents: Cents
  /** A heading stays with what it heads. */
  withNext: boolean
  /** A further line of a row begun above. */
  continues: boolean
  draw: (y: number, page: Mark[]) => void
}

/** WCAG contrast of a `#RRGGBB` colour on white. */
function contrastOnWhite(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}

/** The company's accent if white text on it and it on white can be read (4.5:1), else the house's. */
export function readableAccent(accent: string | null): string {
  if (accent === null || !/^#[0-9a-f]{6}$/i.test(accent)) return HOUSE_ACCENT
  return contrastOnWhite(accent) >= 4.5 ? accent : HOUSE_ACCENT
}

function write(
  page: Mark[],
  text: string,
  x: number,
  baseline: number,
  size: number,
  weight: Weight,
  colour: string,
): void {
  if (text !== '') page.push({ kind: 'text', text, x, baseline, size, weight, colour })
}

function writeRight(
  page: Mark[],
  text: string,
  right: number,
  baseline: number,
  size: number,
  weight: Weight,
  colour: string,
): void {
  write(page, text, right - textWidth(weight, text, size), baseline, size, weight, colour)
}

function writeCentred(
  page: Mark[],
  text: string,
  centre: number,
  baseline: number,
  size: number,
  weight: Weight,
  colour: string,
): void {
  write(page, text, centre - textWidth(weight, text, size) / 2, baseline, size, weight, colour)
}

function rule(page: Mark[], x: number, y: number, width: number, colour = HAIRLINE): void {
  page.push({ kind: 'rule', x, y, width, colour })
}

function box(
  page: Mark[],
  place: Pick<BoxMark, 'x' | 'y' | 'width' | 'height' | 'radius'>,
  fill: string,
): void {
  page.push({ kind: 'box', ...place, fill, dashes: null })
}

/** The pages of the invoice, each a list of marks in drawing order. Never empty. */
export function layOut(paper: InvoicePaper): Mark[][] {
  const labels = labelsFor(paper.language)
  const accent = readableAccent(paper.accent)
  const footer = footerLines(paper, labels)
  const footerTop = PAGE_HEIGHT - 30 - footer.length * 9.5
  const bottom = footerTop - 14
  const pages: Mark[][] = []

  const addPage = (): Mark[] => {
    const page: Mark[] = []
    drawBackground(page, paper, labels)
    pages.push(page)
    if (pages.length > 1) drawNextHeader(page, paper)
    return page
  }

  let page = addPage()
  drawFirstHeader(page, paper, labels, accent)
  const partiesBottom = drawParties(page, paper, labels, accent)
  let y = Math.max(TABLE_TOP, partiesBottom + 24)

  const columns = measureColumns(paper, labels)
  const totals = totalsRows(paper, labels, accent)
  const payment = paymentLines(paper, labels, accent)
  const tailHeight = ABOVE_TOTALS + Math.max(heightOf(totals), heightOf(payment))
  const freshSpace = bottom - NEXT_PAGE_TOP - BAR - CARRY - CUT
  // A tail taller than a page (dozens of rates) cannot be kept whole: its beginning stays with the last row.
  const keptTail = tailHeight <= freshSpace - LARGEST_UNSPLIT_ROW ? tailHeight : Math.min(tailHeight, 100)

  y = drawBar(page, y, columns, labels, accent)
  const splitAbove =
    paper.lines.length === 1
      ? Math.min(LARGEST_UNSPLIT_ROW, Math.max(60, bottom - y - keptTail))
      : LARGEST_UNSPLIT_ROW
  const strips = tableStrips(paper, labels, columns, splitAbove)
  let sum: Cents = 0
  let stripsOnPage = 0
  strips.forEach((strip, index) => {
    if (stripsOnPage > 0 && y + spaceFor(strips, index, keptTail) > bottom) {
      if (strip.continues) {
        y += CUT
        rule(page, LEFT, y, WIDTH)
      }
      drawCarry(page, y, labels.carriedOut, sum, paper)
      page = addPage()
      y = drawBar(page, NEXT_PAGE_TOP, columns, labels, accent)
      y = drawCarry(page, y, labels.carriedIn, sum, paper) + (strip.continues ? CUT : 0)
      stripsOnPage = 0
    }
    strip.draw(y, page)
    y += strip.height
    sum += strip.netCents
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
  for (const row of totals) {
    if (y + row.height > bottom) newPlainPage()
    row.draw(y, page)
    y += row.height
  }
  let paymentY = paymentTop
  for (const row of payment) {
    row.draw(paymentY, paymentPage)
    paymentY += row.height
  }
  const totalsBottom = y
  if (page === paymentPage) y = Math.max(y, paymentY)
  y += 22

  let closing = closingLines(paper, labels, accent, WIDTH)
  if (page === paymentPage && y + heightOf(closing) > bottom) {
    // Rather in the white beside the totals than alone on one more page.
    const beside = closingLines(paper, labels, accent, LEFT_BLOCK_WIDTH)
    if (paymentY + 14 + heightOf(beside) <= totalsBottom) {
      closing = beside
      y = paymentY + 14
    }
  }
  for (const row of closing) {
    if (y + row.height > bottom) newPlainPage()
    row.draw(y, page)
    y += row.height
  }

  pages.forEach((marks, index) => {
    rule(marks, LEFT, footerTop, WIDTH)
    footer.forEach((line, at) => write(marks, line, LEFT, footerTop + 12 + at * 9.5, 7.5, 'regular', SOFT))
    writeRight(marks, labels.page(index + 1, pages.length), RIGHT, footerTop + 12, 7.5, 'regular', SOFT)
  })
  return pages
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

function titleOf(paper: InvoicePaper, labels: Labels): string {
  if (paper.document === 'quote') return labels.quote
  if (paper.document === 'proforma') return labels.proforma
  if (paper.document === 'delivery_note') return labels.deliveryNote
  if (paper.kind === 'R5') return labels.rectifyingSimplified
  if (paper.kind.startsWith('R')) return labels.rectifyingInvoice
  return paper.kind === 'F2' ? labels.simplifiedInvoice : labels.invoice
}

/** What it rectifies or stands for, and why (RD 1619/2012 art. 15.4). */
function referenceWords(paper: InvoicePaper, labels: Labels): string[] {
  const named = (role: PaperReference['role']): string =>
    paper.references
      .filter((reference) => reference.role === role)
      .map(({ number, issueDate }) => `${number} (${date(issueDate, paper.language)})`)
      .join(', ')
  const words: string[] = []
  const { rectification } = paper
  if (rectification) {
    const how = rectification.method === 'S' ? labels.bySubstitution : labels.byDifferences
    const what = named('rectifies')
    words.push(what === '' ? `${labels.rectifies} ${how}` : `${labels.rectifies} ${how}: ${what}`)
    if (rectification.reason) words.push(`${labels.reason}: ${rectification.reason}`)
  }
  const substituted = named('substitutes')
  if (substituted !== '') words.push(`${labels.substitutes}: ${substituted}`)
  return words
}

/** The name the document goes by: title and number. */
export function documentName(paper: InvoicePaper): string {
  const labels = labelsFor(paper.language)
  return oneLine(`${titleOf(paper, labels)} ${paper.number ?? labels.draft}`)
}

function drawBackground(page: Mark[], paper: InvoicePaper, labels: Labels): void {
  const band = testBand(paper)
  const word =
    paper.state === 'draft' && paper.document === 'invoice' ? labels.draft : band === null ? null : 'PRUEBA'
  if (word !== null) page.push({ kind: 'watermark', text: word, colour: WATERMARK })
  if (band === null) return
  box(page, { x: LEFT, y: BAND.top, width: WIDTH, height: BAND.height, radius: 3 }, TEST)
  writeCentred(page, band, LEFT + WIDTH / 2, BAND.top + 12.2, 9, 'bold', WHITE)
}

function drawNextHeader(page: Mark[], paper: InvoicePaper): void {
  const name = documentName(paper)
  const shown = wrapAtMost('semibold', name, 9, WIDTH - 150, 1)[0] ?? ''
  writeRight(page, shown, RIGHT, 58, 9, 'semibold', INK)
  const room = WIDTH - textWidth('semibold', shown, 9) - 24
  write(
    page,
    wrapAtMost('regular', oneLine(paper.issuer.name), 9, room, 1)[0] ?? '',
    LEFT,
    58,
    9,
    'regular',
    SOFT,
  )
  rule(page, LEFT, 66, WIDTH)
}

function drawFirstHeader(page: Mark[], paper: InvoicePaper, labels: Labels, accent: string): void {
  const { registry } = paper
  const centre = QR.x + QR.side / 2
  let x = LEFT
  if (registry !== null && paper.state === 'issued') {
    x = BESIDE_QR
    writeCentred(page, QR_ABOVE, centre, QR.aboveBaseline, 9, 'semibold', INK)
    page.push({ kind: 'qr', x: QR.x, y: QR.y, side: QR.side, url: registry.qrUrl })
    writeCentred(page, QR_BELOW, centre, QR.belowBaseline, 10, 'bold', INK)
  } else if (paper.state === 'draft' && paper.document === 'invoice') {
    x = BESIDE_QR
    page.push({
      kind: 'box',
      ...QR,
      width: QR.side,
      height: QR.side,
      radius: 4,
      fill: null,
      dashes: HAIRLINE,
    })
    const words = wrap('regular', labels.qrPlaceholder, 8, QR.side - 20)
    const top = QR.y + QR.side / 2 - ((words.length - 1) * 11) / 2 + 2.8
    words.forEach((line, index) => writeCentred(page, line, centre, top + index * 11, 8, 'regular', SOFT))
  }

  const title = titleOf(paper, labels)
  write(page, title, x, 75, 26, 'bold', accent)
  if (paper.state === 'draft' && paper.document === 'invoice') {
    const tagX = x + textWidth('bold', title, 26) + 12
    const tagWidth = textWidth('bold', labels.draft, 9) + 16
    page.push({
      kind: 'box',
      x: tagX,
      y: 58.5,
      width: tagWidth,
      height: 17,
      radius: 3,
      fill: WASH,
      dashes: null,
    })
    write(page, labels.draft, tagX + 8, 70.2, 9, 'bold', SOFT)
  }
  const rows: [string, string][] = [
    [labels.number, paper.number ?? labels.draftNumber],
    [labels.issueDate, date(paper.issueDate, paper.language)],
  ]
  if (paper.operationDate !== null && paper.operationDate !== paper.issueDate) {
    rows.push([labels.operationDate, date(paper.operationDate, paper.language)])
  }
  if (paper.dueDate !== null) rows.push([labels.dueDate, date(paper.dueDate, paper.language)])
  if (paper.validUntil !== null) rows.push([labels.validUntil, date(paper.validUntil, paper.language)])
  const labelWidth = Math.max(...rows.map(([label]) => textWidth('regular', label, 9)))
  const valueX = x + labelWidth + 14
  let baseline = 101
  for (const [label, value] of rows) {
    write(page, label, x, baseline, 9, 'regular', SOFT)
    for (const line of wrapAtMost('semibold', value, 9, RIGHT - valueX, 2)) {
      write(page, line, valueX, baseline, 9, 'semibold', INK)
      baseline += 15
    }
  }
}

function countryName(code: string, language: InvoicePaper['language']): string {
  return COUNTRY_NAMES[language].of(code.toUpperCase()) ?? code
}

// `fallback: none` would hide an unknown code; `code` prints it as it is.
const COUNTRY_NAMES = {
  es: new Intl.DisplayNames('es-ES', { type: 'region', fallback: 'code' }),
  en: new Intl.DisplayNames('en-GB', { type: 'region', fallback: 'code' }),
}

/** The lines under a party's name. The country is named once one of the two parties is abroad. */
function partyLines(party: PaperParty, paper: InvoicePaper, labels: Labels): string[] {
  const abroad = [paper.issuer, paper.client].some((each) => each?.country && each.country !== 'ES')
  const province = party.province && party.province !== party.city ? `(${party.province})` : ''
  const country =
    abroad && party.country && /^[a-z]{2}$/i.test(party.country)
      ? countryName(party.country, paper.language)
      : ''
  return [
    party.tradeName && party.tradeName !== party.name ? party.tradeName : '',
    party.nif === null ? '' : `${labels.taxId} ${party.nif}`,
    party.street ?? '',
    [party.postalCode, party.city, province].filter(Boolean).join(' '),
    country,
    [party.email, party.phone].filter(Boolean).join(' · '),
  ].filter((line) => line !== '')
}

/** Draws both parties; answers where the longer one ends. */
function drawParties(page: Mark[], paper: InvoicePaper, labels: Labels, accent: string): number {
  const drawParty = (heading: string, party: PaperParty, x: number, width: number): number => {
    let baseline = PARTIES_BASELINE
    write(page, heading, x, baseline, 8, 'semibold', accent)
    baseline += 4
    for (const line of wrapAtMost('semibold', oneLine(party.name), 10.5, width, 6)) {
      baseline += 13
      write(page, line, x, baseline, 10.5, 'semibold', INK)
    }
    baseline += 2
    for (const text of partyLines(party, paper, labels)) {
      for (const line of wrapAtMost('regular', oneLine(text), 9, width, 3)) {
        baseline += 12.2
        write(page, line, x, baseline, 9, 'regular', SOFT)
      }
    }
    return baseline
  }
  const issuerBottom = drawParty(labels.issuer, paper.issuer, LEFT, CLIENT_X - LEFT - 22)
  if (paper.client === null) return issuerBottom
  return Math.max(issuerBottom, drawParty(labels.client, paper.client, CLIENT_X, RIGHT - CLIENT_X))
}

interface TableColumns {
  size: number
  /** Right edge of each column shown, none for one left out. */
  right: Partial<Record<Column, number>>
  headings: Record<Column, string>
  descriptionX: number
  descriptionWidth: number
}

/** A unit that would make the quantity unreadable wide goes under the description instead. */
function shortUnit(line: PaperLine): string {
  const unit = line.unit === null ? '' : oneLine(line.unit)
  return unit !== '' && textWidth('regular', unit, 9) <= 34 ? `\u00a0${unit.replaceAll(' ', '\u00a0')}` : ''
}

function cellText(line: PaperLine, column: Column, paper: InvoicePaper): string {
  const { language } = paper
  switch (column) {
    case 'quantity':
      return quantity(line.quantityMicro, language) + shortUnit(line)
    case 'price':
      return unitPrice(line.unitPriceMicro, language, paper.currency)
    case 'discount':
      return discountText(line, paper)
    case 'vat':
      return line.isDisbursement ? '—' : vatOfLine(line, language)
    case 'amount':
      return money(line.netCents, language, paper.currency)
  }
}

/** A percentage, an amount, or one after the other. */
function discountText(line: PaperLine, paper: InvoicePaper): string {
  return [
    line.discountBp === 0 ? '' : rate(line.discountBp, paper.language),
    line.discountCents === 0 ? '' : money(-line.discountCents, paper.language, paper.currency),
  ]
    .filter(Boolean)
    .join(' ')
}

/** Columns as wide as their widest figure; the description takes the rest. No discounts, no column for them. */
function measureColumns(paper: InvoicePaper, labels: Labels): TableColumns {
  const gross = paper.priceMode === 'gross'
  const headings: Record<Column, string> = {
    quantity: labels.quantity,
    price: gross ? labels.priceWithVat : labels.price,
    discount: labels.discount,
    vat: taxName(paper),
    // Under the margin scheme the amounts stay as the customer pays them: its tax must not be told.
    amount: gross && !paper.lines.some((line) => line.isMargin) ? labels.amountWithoutVat : labels.amount,
  }
  const shown = COLUMNS.filter(
    (column) =>
      column !== 'discount' || paper.lines.some((line) => line.discountBp !== 0 || line.discountCents !== 0),
  )
  const build = (size: number): TableColumns => {
    const right: Partial<Record<Column, number>> = {}
    let edge = RIGHT - CELL
    for (const column of shown.toReversed()) {
      right[column] = edge
      let widest = textWidth('semibold', headings[column], 8.5)
      for (const line of paper.lines)
        widest = Math.max(widest, textWidth('regular', cellText(line, column, paper), size))
      edge -= Math.max(widest, column === 'discount' || column === 'vat' ? 24 : 44) + 16
    }
    const descriptionX = LEFT + CELL
    return { size, right, headings, descriptionX, descriptionWidth: edge - descriptionX }
  }
  const wide = build(9)
  if (wide.descriptionWidth >= 150) return wide
  const narrow = build(7.5)
  return { ...narrow, descriptionWidth: Math.max(40, narrow.descriptionWidth) }
}

function drawBar(page: Mark[], y: number, columns: TableColumns, labels: Labels, accent: string): number {
  box(page, { x: LEFT, y, width: WIDTH, height: BAR, radius: 3 }, accent)
  write(page, labels.description, columns.descriptionX, y + 13.1, 8.5, 'semibold', WHITE)
  for (const column of COLUMNS) {
    const right = columns.right[column]
    if (right !== undefined)
      writeRight(page, columns.headings[column], right, y + 13.1, 8.5, 'semibold', WHITE)
  }
  return y + BAR + 2
}

function drawCarry(page: Mark[], y: number, label: string, sum: Cents, paper: InvoicePaper): number {
  write(page, label, LEFT + CELL, y + 12.6, 8.5, 'semibold', SOFT)
  writeRight(page, money(sum, paper.language, paper.currency), RIGHT - CELL, y + 12.6, 8.5, 'semibold', SOFT)
  rule(page, LEFT, y + CARRY - 1, WIDTH)
  return y + CARRY
}

function tableStrips(
  paper: InvoicePaper,
  labels: Labels,
  columns: TableColumns,
  splitAbove: number,
): Strip[] {
  const supplies = paper.lines.filter((line) => !line.isDisbursement)
  const disbursements = paper.lines.filter((line) => line.isDisbursement)
  const strips = supplies.flatMap((line) => rowStrips(line, paper, labels, columns, splitAbove))
  if (disbursements.length === 0) return strips
  const heading: Strip = {
    height: 24,
    netCents: 0,
    withNext: true,
    continues: false,
    draw: (y, page) => {
      write(page, labels.disbursementsHeading, columns.descriptionX, y + 15.6, 8.5, 'semibold', SOFT)
      rule(page, LEFT, y + 24, WIDTH)
    },
  }
  return [
    ...strips,
    heading,
    ...disbursements.flatMap((line) => rowStrips(line, paper, labels, columns, splitAbove)),
  ]
}

function rowStrips(
  line: PaperLine,
  paper: InvoicePaper,
  labels: Labels,
  columns: TableColumns,
  splitAbove: number,
): Strip[] {
  const { size, descriptionX, descriptionWidth } = columns
  const words = wrap('regular', line.description, size, descriptionWidth)
  const unit = line.unit === null ? '' : oneLine(line.unit)
  if (unit !== '' && shortUnit(line) === '') {
    words.push(...wrapAtMost('regular', `${labels.unit}: ${unit}`, size, descriptionWidth, 3))
  }
  const cells = (y: number, page: Mark[]): void => {
    for (const column of COLUMNS) {
      const right = columns.right[column]
      if (right !== undefined) writeRight(page, cellText(line, column, paper), right, y, size, 'regular', INK)
    }
  }
  const height = words.length * LINE + ROW_PADDING
  if (height <= splitAbove) {
    const draw = (y: number, page: Mark[]): void => {
      words.forEach((text, index) =>
        write(page, text, descriptionX, y + 13.1 + index * LINE, size, 'regular', INK),
      )
      cells(y + 13.1, page)
      rule(page, LEFT, y + height, WIDTH)
    }
    return [{ height, netCents: line.netCents, withNext: false, continues: false, draw }]
  }
  return words.map((text, index) => {
    const first = index === 0
    const last = index === words.length - 1
    const above = first ? ROW_PADDING / 2 : 0
    const stripHeight = LINE + above + (last ? ROW_PADDING / 2 : 0)
    return {
      height: stripHeight,
      netCents: first ? line.netCents : 0,
      withNext: first,
      continues: !first,
      draw: (y, page) => {
        write(page, text, descriptionX, y + above + 9.1, size, 'regular', INK)
        if (first) cells(y + above + 9.1, page)
        if (last) rule(page, LEFT, y + stripHeight, WIDTH)
      },
    }
  })
}

interface Row {
  height: number
  draw: (y: number, page: Mark[]) => void
}

function heightOf(rows: readonly Row[]): number {
  return rows.reduce((total, row) => total + row.height, 0)
}

/** The block on the right: taxes per rate, what they add up to, what is withheld, and the figure to pay in its box. */
function totalsRows(paper: InvoicePaper, labels: Labels, accent: string): Row[] {
  const { language, withholding } = paper
  interface Entry {
    label: string
    base: string
    amount: string
  }
  const entries: Entry[] = []
  let baseCents = 0
  let vatCents = 0
  for (const tax of paper.taxes) {
    // Under a margin scheme the tax is inside the price and is not shown.
    const priceCents = tax.baseCents + tax.taxCents + tax.surchargeCents + tax.outsideCents
    const base = money(tax.isMargin ? priceCents : tax.baseCents, language, paper.currency)
    const abroadCents = tax.taxTreatment === 'N2' ? tax.outsideCents : 0
    const bearsVat = (tax.taxTreatment === 'S1' && !tax.isMargin) || abroadCents !== 0
    entries.push({
      label: vatOfGroup(tax, paper),
      base,
      amount: bearsVat ? money(tax.taxCents + abroadCents, language, paper.currency) : '—',
    })
    baseCents += tax.isMargin ? priceCents : tax.baseCents
    vatCents += tax.isMargin ? 0 : tax.taxCents + tax.surchargeCents + abroadCents
    if (tax.surchargeRateBp !== null && tax.surchargeRateBp !== 0) {
      entries.push({
        label: `${labels.surcharge} ${rate(tax.surchargeRateBp, language)}`,
        base,
        amount: money(tax.surchargeCents, language, paper.currency),
      })
    }
  }
  const sumEntry: Entry | null =
    entries.length > 1
      ? {
          label: labels.sum,
          base: money(baseCents, language, paper.currency),
          amount: money(vatCents, language, paper.currency),
        }
      : null

  const right = RIGHT - CELL
  const all = sumEntry ? [...entries, sumEntry] : entries
  const amountWidth = Math.max(56, ...all.map((entry) => textWidth('semibold', entry.amount, 9)))
  const baseWidth = Math.max(56, ...all.map((entry) => textWidth('semibold', entry.base, 9)))
  const baseRight = right - amountWidth - 20
  const labelX = TOTALS_X + CELL
  const labelWidth = Math.max(50, baseRight - baseWidth - 12 - labelX)

  const entryRow = (entry: Entry, weight: Weight): Row => {
    const words = wrap(weight, entry.label, 9, labelWidth)
    return {
      height: 3 + words.length * LINE,
      draw: (y, page) => {
        words.forEach((text, index) =>
          write(page, text, labelX, y + 10.35 + index * LINE, 9, weight, weight === 'regular' ? SOFT : INK),
        )
        writeRight(page, entry.base, baseRight, y + 10.35, 9, weight, INK)
        writeRight(page, entry.amount, right, y + 10.35, 9, weight, INK)
      },
    }
  }
  const ruleRow: Row = { height: 7, draw: (y, page) => rule(page, TOTALS_X, y + 3.5, RIGHT - TOTALS_X) }
  const amountRow = (label: string, amount: string, weight: Weight): Row => {
    const words = wrap(weight, label, 9, right - textWidth(weight, amount, 9) - 12 - labelX)
    return {
      height: 3 + words.length * LINE,
      draw: (y, page) => {
        words.forEach((text, index) =>
          write(page, text, labelX, y + 10.35 + index * LINE, 9, weight, weight === 'regular' ? SOFT : INK),
        )
        writeRight(page, amount, right, y + 10.35, 9, weight, INK)
      },
    }
  }
  const boxRow = (label: string, amount: string): Row => ({
    height: 42,
    draw: (y, page) => {
      box(page, { x: TOTALS_X, y: y + 6, width: RIGHT - TOTALS_X, height: 34, radius: 4 }, WASH)
      write(page, label, labelX + 2, y + 27, 11, 'semibold', INK)
      writeRight(page, amount, right - 2, y + 28.6, 16, 'bold', accent)
    },
  })

  const rows: Row[] = []
  if (entries.length > 0) {
    rows.push({
      height: 16,
      draw: (y, page) => {
        writeRight(page, labels.base, baseRight, y + 9.2, 8, 'regular', SOFT)
        writeRight(page, labels.taxAmount, right, y + 9.2, 8, 'regular', SOFT)
      },
    })
    rows.push(...entries.map((entry) => entryRow(entry, 'regular')))
    if (sumEntry) rows.push(ruleRow, entryRow(sumEntry, 'semibold'))
  }
  const { disbursementsCents } = paper
  if (paper.documentDiscountCents !== 0) {
    const discount = money(-paper.documentDiscountCents, language, paper.currency)
    rows.unshift(amountRow(labels.documentDiscount, discount, 'regular'))
  }
  if (withholding === null && disbursementsCents === 0 && paper.replacedCents === 0) {
    rows.push(...euroRows(paper, labels, amountRow))
    rows.push(boxRow(labels.total, money(paper.totalCents, language, paper.currency)))
    return rows
  }
  // What was supplied and its tax is what the registry and the QR hold; money advanced for the client comes on top of it.
  const invoicedCents = paper.totalCents - disbursementsCents
  rows.push(ruleRow, amountRow(labels.total, money(invoicedCents, language, paper.currency), 'semibold'))
  if (disbursementsCents !== 0) {
    rows.push(amountRow(labels.disbursements, money(disbursementsCents, language, paper.currency), 'regular'))
  }
  if (withholding !== null) {
    const base = money(withholding.baseCents, language, paper.currency)
    const label = labels.withholding(rate(withholding.rateBp, language), base)
    rows.push(amountRow(label, money(-withholding.amountCents, language, paper.currency), 'regular'))
  }
  if (paper.replacedCents !== 0) {
    const before = money(-paper.replacedCents, language, paper.currency)
    const label = paper.kind === 'R2' || paper.kind === 'R3' ? labels.stillOwed : labels.alreadyInvoiced
    rows.push(amountRow(label, before, 'regular'))
  }
  rows.push(...euroRows(paper, labels, amountRow))
  rows.push(boxRow(labels.amountDue, money(paper.amountDueCents, language, paper.currency)))
  return rows
}

/** Tax and total in euros of a document in another currency. */
function euroRows(
  paper: InvoicePaper,
  labels: Labels,
  row: (label: string, amount: string, weight: Weight) => Row,
): Row[] {
  const { inEuros, currency, language } = paper
  if (inEuros === null) return []
  const day = inEuros.fxDate === null ? '' : date(inEuros.fxDate, language)
  return [
    row(labels.inEuros(exchangeRate(inEuros.fxMicro, language), currency, day), '', 'regular'),
    row(labels.taxInEuros(taxName(paper)), money(inEuros.taxCents, language), 'regular'),
    row(labels.totalInEuros, money(inEuros.totalCents, language), 'regular'),
  ]
}

function textRow(text: string, size: number, weight: Weight, colour: string, height: number): Row {
  return { height, draw: (y, page) => write(page, text, LEFT, y + size * 1.15, size, weight, colour) }
}

/** The block on the left of the totals: how and where to pay. */
function paymentLines(paper: InvoicePaper, labels: Labels, accent: string): Row[] {
  const width = LEFT_BLOCK_WIDTH
  const method = paper.paymentMethod === null ? '' : oneLine(paper.paymentMethod)
  const account = paper.issuer.iban ? `IBAN ${iban(oneLine(paper.issuer.iban))}` : ''
  if (method === '' && account === '') return []
  const rows: Row[] = [textRow(labels.payment, 8, 'semibold', accent, 16)]
  if (method !== '') {
    for (const line of wrapAtMost('regular', method, 9, width, 6))
      rows.push(textRow(line, 9, 'regular', SOFT, 15))
  }
  if (account !== '') {
    for (const line of wrapAtMost('regular', account, 9, width, 2))
      rows.push(textRow(line, 9, 'semibold', INK, 15))
  }
  return rows
}

/** What the law wants said, then what the issuer wants said; each line may go to the next page. */
function closingLines(paper: InvoicePaper, labels: Labels, accent: string, width: number): Row[] {
  const rows: Row[] = []
  for (const mention of [...referenceWords(paper, labels), ...paper.legalMentions]) {
    if (mention.trim() === '') continue
    for (const line of wrap('regular', mention, 8.5, width))
      rows.push(textRow(line, 8.5, 'regular', INK, 11.5))
    rows.push({ height: 3, draw: () => {} })
  }
  const notes = paper.notes === null ? '' : drawable(paper.notes).trim()
  if (notes === '') return rows
  if (rows.length > 0) rows.push({ height: 8, draw: () => {} })
  rows.push(textRow(labels.notes, 8, 'semibold', accent, 14))
  for (const line of wrap('regular', notes, 8.5, width)) rows.push(textRow(line, 8.5, 'regular', SOFT, 11.5))
  return rows
}

function footerLines(paper: InvoicePaper, labels: Labels): string[] {
  const width = WIDTH - 84
  const lines: string[] = []
  const inscription = paper.issuer.registryInscription
  if (inscription) lines.push(...wrapAtMost('regular', oneLine(inscription), 7.5, width, 3))
  if (paper.registry !== null && paper.state === 'issued') {
    const { recordId, generatedAt, hash } = paper.registry
    const record = [
      `${labels.registryRecord} ${recordId}`,
      instant(generatedAt, paper.language),
      `${labels.hash} ${hash.slice(0, 16)}…`,
    ].join(' · ')
    lines.push(...wrapAtMost('regular', oneLine(record), 7.5, width, 2))
  }
  if (paper.document !== 'invoice') lines.push(labels.notAnInvoice)
  else if (paper.state === 'draft') lines.push(labels.draftFooter)
  return lines.length > 0 ? lines : ['']
}
