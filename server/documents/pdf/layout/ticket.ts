/**
 * Lays out a simplified invoice on the roll of a ticket printer: 80 mm wide, 72 of them printable, as long as needed.
 * The QR is at the top, centered, before any other code (AEAT, characteristics of the QR, 0.5.0).
 */
import { date, iban, money, quantity, unitPrice } from '../number-format.ts'
import { textWidth } from '../measure.ts'
import { labelsFor, QR_ABOVE, QR_BELOW, taxName, testBand, vatOfLine } from '../labels/index.ts'
import type { Labels } from '../labels/index.ts'
import type { InvoicePaper, PaperLine } from '../paper.ts'
import { oneLine, wrap, wrapAtMost } from '../text.ts'
import { HAIRLINE, INK, Pen, SOFT, style, tagIn } from './marks.ts'
import type { Layout, Page, Row, Tag, TextStyle } from './marks.ts'
import { sumLines } from './sums.ts'
import { discountText } from './table.ts'
import {
  headRows,
  isDraftInvoice,
  lineAmount,
  linePrice,
  partyLines,
  referenceText,
  footerText,
  titleOf,
} from './text-blocks.ts'

const MM = 72 / 25.4
const PAGE_WIDTH = 80 * MM
const LEFT = 4 * MM
const RIGHT = PAGE_WIDTH - LEFT
const WIDTH = RIGHT - LEFT
const CENTRE = PAGE_WIDTH / 2
const EDGE = 5 * MM
/** Rolls have no limit, but a PDF page may not be longer than 14,400 units. */
const LONGEST_PAGE = 14_000
const QR_SIDE = 34 * MM
const LOGO = { width: 130, height: 40 }

const TEXT = style(8.5, 'regular', INK)
const STRONG = style(8.5, 'semibold', INK)
const TEXT_SOFT = style(8.5, 'regular', SOFT)
const NAME = style(10.5, 'bold', INK)
const TITLE = style(12, 'bold', INK)
const FINE = style(7.5, 'regular', SOFT)

/** Inputs of a ticket's rows. */
interface Roll {
  paper: InvoicePaper
  labels: Labels
  parent: Tag
}

const gap = (height: number): Row => ({ height, draw: () => {} })
const RULE: Row = { height: 11, draw: (y, page) => new Pen(page, 'Layout').rule(LEFT, y + 5.5, WIDTH) }

function block(
  text: string,
  words: TextStyle,
  place: { tag: Tag; field?: string; centred?: boolean; most?: number },
): Row[] {
  const lines = wrap(words.weight, text, words.size, WIDTH)
  const shown =
    place.most === undefined ? lines : wrapAtMost(words.weight, text, words.size, WIDTH, place.most)
  return shown.map((line) => ({
    height: words.size * 1.3,
    draw: (y, page) => {
      const pen = new Pen(page, place.tag, place.field)
      if (place.centred) pen.writeCentred(line, CENTRE, y + words.size, words)
      else pen.write(line, LEFT, y + words.size, words)
    },
  }))
}

/** Returns a label and its value on one line, or on two when they are too long. */
function pair(
  [label, labelStyle]: [string, TextStyle],
  [value, valueStyle]: [string, TextStyle],
  tags: { label: Tag; value: Tag; field?: string },
): Row[] {
  const valueWidth = textWidth(valueStyle.weight, value, valueStyle.size)
  const words = wrap(labelStyle.weight, label, labelStyle.size, Math.max(60, WIDTH - valueWidth - 8))
  const height = Math.max(labelStyle.size, valueStyle.size) * 1.35
  return words.map((line, index) => ({
    height,
    draw: (y, page) => {
      const baseline = y + Math.max(labelStyle.size, valueStyle.size)
      new Pen(page, tags.label, tags.field).write(line, LEFT, baseline, labelStyle)
      if (index === 0) new Pen(page, tags.value, tags.field).writeRight(value, RIGHT, baseline, valueStyle)
    },
  }))
}

function headOf({ paper, labels, parent }: Roll): Row[] {
  const rows: Row[] = []
  const band = testBand(paper)
  const centred = (text: string, words: TextStyle, field?: string, type: 'P' | 'H1' = 'P'): void => {
    rows.push(...block(text, words, { tag: tagIn(parent, type), centred: true, ...(field ? { field } : {}) }))
  }
  if (band !== null) {
    centred(band, STRONG)
    rows.push(gap(6))
  }
  const { logo } = paper
  if (logo !== null) {
    const scale = Math.min(LOGO.width / logo.width, LOGO.height / logo.height)
    const [width, height] = [logo.width * scale, logo.height * scale]
    const figure = tagIn(parent, 'Figure', { alt: labels.logoAlt(oneLine(paper.issuer.name)) })
    rows.push({
      height: height + 8,
      draw: (y, page) => new Pen(page, figure, 'issuer').logo(CENTRE - width / 2, y, width, height),
    })
  }
  centred(oneLine(paper.issuer.tradeName ?? paper.issuer.name), NAME, 'issuer')
  // The trade name first, then the legal name below it.
  const { name, tradeName } = paper.issuer
  const issuer = tradeName ? { ...paper.issuer, name: tradeName, tradeName: name } : paper.issuer
  for (const line of partyLines(issuer, paper, labels)) centred(oneLine(line), TEXT_SOFT, 'issuer')
  rows.push(RULE)
  centred(titleOf(paper, labels), TITLE, undefined, 'H1')
  if (isDraftInvoice(paper)) centred(labels.draft, STRONG)
  rows.push(gap(3))
  for (const [label, value, field] of headRows(paper, labels)) {
    const tag = tagIn(parent, 'P')
    rows.push(...pair([label, TEXT_SOFT], [value, STRONG], { label: tag, value: tag, field }))
  }
  const { client } = paper
  if (client !== null) {
    rows.push(gap(4))
    centredClient(rows, client, { paper, labels, parent })
  }
  return rows
}

function centredClient(rows: Row[], client: NonNullable<InvoicePaper['client']>, roll: Roll): void {
  const { paper, labels, parent } = roll
  const lines = [oneLine(client.name), ...partyLines(client, paper, labels).map(oneLine)]
  rows.push(...block(labels.client, FINE, { tag: tagIn(parent, 'H2') }))
  lines.forEach((line, index) =>
    rows.push(
      ...block(line, index === 0 ? STRONG : TEXT, { tag: tagIn(parent, 'P'), field: 'client', most: 3 }),
    ),
  )
}

function qrOf({ paper, labels, parent }: Roll): Row[] {
  const { registry } = paper
  const x = CENTRE - QR_SIDE / 2
  if (registry !== null && paper.state === 'issued') {
    const figure: Tag = { type: 'Figure', children: [], alt: labels.qrAlt(registry.qrUrl) }
    const { identifier, lines = [QR_BELOW] } = registry
    const text = identifier ?? QR_ABOVE
    // An identifier stays on one line, as small as it takes.
    const size = Math.min(9, (9 * WIDTH) / textWidth('semibold', text, 9))
    const above = block(text, style(size, 'semibold', INK), {
      tag: tagIn(parent, 'P'),
      centred: true,
    })
    parent.children.push(figure)
    const below = lines.flatMap((line) =>
      block(line, style(10, 'bold', INK), { tag: tagIn(parent, 'P'), centred: true }),
    )
    // Six millimetres of white on every side, as the authority recommends.
    const white = gap(6 * MM)
    const qr: Row = {
      height: QR_SIDE,
      draw: (y, page) => new Pen(page, figure).qr(registry.qrUrl, x, y, QR_SIDE),
    }
    return [RULE, ...above, white, qr, white, ...below]
  }
  if (!isDraftInvoice(paper)) return []
  const words = wrap('regular', labels.qrPlaceholder, 8, QR_SIDE - 16)
  const tag = tagIn(parent, 'P')
  const frame: Row = {
    height: QR_SIDE,
    draw: (y, page) => {
      const place = { x, y, width: QR_SIDE, height: QR_SIDE, radius: 4 }
      new Pen(page, 'Layout').box(place, { dashes: HAIRLINE })
      const top = y + QR_SIDE / 2 - ((words.length - 1) * 11) / 2 + 2.8
      const pen = new Pen(page, tag)
      words.forEach((line, index) =>
        pen.writeCentred(line, CENTRE, top + index * 11, style(8, 'regular', SOFT)),
      )
    },
  }
  return [RULE, frame]
}

/** Returns `IVA 21 %`; for a line without rate, the reason. */
function vatLabel(line: PaperLine, paper: InvoicePaper): string {
  const words = vatOfLine(line, paper.language)
  return /^[%\d]/.test(words) ? `${taxName(paper)} ${words}` : words
}

/** Returns the description, and below it quantity, unit and price, with the amount at the right. */
function lineRows({ paper, labels, parent }: Roll, line: PaperLine, index: number): Row[] {
  const { language, currency } = paper
  const field = `lines.${index}`
  const row = tagIn(parent, 'TR')
  const what = tagIn(row, 'TD')
  const amount = tagIn(row, 'TD')
  const unit = line.unit === null ? '' : ` ${oneLine(line.unit)}`
  const how = [
    `${quantity(line.quantityMicro, language)}${unit} × ${unitPrice(linePrice(line, paper), language, currency)}`,
    line.discountBp === 0 && line.discountCents === 0
      ? ''
      : `${labels.discount} ${discountText(line, paper)}`,
    line.isDisbursement ? labels.disbursements : vatLabel(line, paper),
  ]
  const words = how.filter((word) => word !== '' && word !== '—').join(' · ')
  return [
    ...block(line.description, TEXT, { tag: what, field }),
    ...pair([words, TEXT_SOFT], [money(lineAmount(line, paper), language, currency), TEXT], {
      label: what,
      value: amount,
      field,
    }),
    gap(3),
  ]
}

function sumRows({ paper, labels, parent }: Roll): Row[] {
  const table = tagIn(parent, 'Table')
  const rows: Row[] = []
  for (const line of sumLines(paper, labels)) {
    if (line.kind === 'rule') {
      rows.push(gap(3))
      continue
    }
    const row = tagIn(table, 'TR')
    const tags = { label: tagIn(row, 'TH', { scope: 'Row' }), value: tagIn(row, 'TD') }
    if (line.kind === 'box') {
      rows.push(gap(4))
      rows.push(
        ...pair([line.label, style(11, 'semibold', INK)], [line.amount, style(15, 'bold', INK)], tags),
      )
    } else if (line.kind === 'tax') {
      const label = `${line.label} · ${labels.base} ${line.base}`
      rows.push(...pair([label, TEXT_SOFT], [line.amount, line.strong ? STRONG : TEXT], tags))
    } else {
      const words = line.strong ? STRONG : TEXT_SOFT
      rows.push(...pair([line.label, words], [line.amount, line.strong ? STRONG : TEXT], tags))
    }
  }
  return rows
}

function footOf({ paper, labels, parent }: Roll): Row[] {
  const rows: Row[] = []
  const { method, account } = paper.payment
  const { instalments, language, currency } = paper
  const paragraph = (text: string, words: TextStyle, field?: string): void => {
    rows.push(...block(text, words, { tag: tagIn(parent, 'P'), ...(field ? { field } : {}) }))
  }
  if (instalments.length > 0) paragraph(labels.dueDates, TEXT_SOFT, 'dueDate')
  for (const { dueDate, cents } of instalments)
    paragraph(`${date(dueDate, language)} · ${money(cents, language, currency)}`, TEXT, 'dueDate')
  if (method !== null) paragraph(oneLine(method), TEXT, 'paymentMethod')
  if (account !== null) paragraph(`IBAN ${iban(oneLine(account))}`, TEXT, 'paymentMethod')
  for (const mention of [...referenceText(paper, labels), ...paper.legalMentions]) {
    if (mention.trim() === '') continue
    rows.push(gap(3))
    paragraph(mention, TEXT)
  }
  if (paper.notes !== null && paper.notes.trim() !== '') {
    rows.push(gap(5))
    paragraph(paper.notes, TEXT_SOFT, 'notes')
  }
  rows.push(RULE)
  const fine = [paper.footer, paper.issuer.registryInscription, footerText(paper, labels)]
  for (const text of fine)
    if (text) rows.push(...block(text, FINE, { tag: tagIn(parent, 'P'), centred: true }))
  return rows
}

/** Returns one page as long as needed, or several when it would exceed the maximum of a PDF page. */
export function layOutTicket(paper: InvoicePaper): Layout {
  const labels = labelsFor(paper.language)
  const structure: Tag = { type: 'Document', children: [] }
  const roll: Roll = { paper, labels, parent: structure }
  const head = headOf(roll)
  const qr = qrOf(roll)
  const table = tagIn(structure, 'Table')
  const lines = paper.lines.flatMap((line, index) => lineRows({ ...roll, parent: table }, line, index))
  const rows = [...head, ...qr, RULE, ...lines, RULE, ...sumRows(roll), gap(8), ...footOf(roll)]
  const pages: Page[] = []
  let page: Page = { width: PAGE_WIDTH, height: 0, marks: [] }
  let y = EDGE
  const close = (): void => {
    page.height = y + EDGE
    pages.push(page)
  }
  for (const row of rows) {
    if (y + row.height > LONGEST_PAGE) {
      close()
      page = { width: PAGE_WIDTH, height: 0, marks: [] }
      y = EDGE
    }
    row.draw(y, page)
    y += row.height
  }
  close()
  return { pages, structure }
}
