/** Lays out what is around and below the sums: payment, legal mentions, notes, and the footer of every page. */
import { date, iban, money } from '../number-format.ts'
import type { Labels } from '../labels/index.ts'
import type { InvoicePaper } from '../paper.ts'
import { drawable, oneLine, wrap, wrapAtMost } from '../text.ts'
import { HAIRLINE, INK, Pen, SOFT, style, tagIn } from './marks.ts'
import type { Page, Row, Tag, TextStyle } from './marks.ts'
import {
  BODY_SOFT,
  BODY_STRONG,
  FINE,
  LEFT,
  LEFT_BLOCK_WIDTH,
  PAGE_HEIGHT,
  RIGHT,
  SMALL,
  SMALL_SOFT,
  WIDTH,
} from './sheet.ts'
import { referenceText, footerText } from './text-blocks.ts'

/** 24 mm: an app reads up to 331 bytes in it from a hand's distance. */
const PAYMENT_QR = 68
const FOOTER_LINE = 9.5

/** Breaks text to a width into rows, all of one paragraph. */
function paragraph(
  lines: readonly string[],
  text: TextStyle,
  height: number,
  place: { tag: Tag; field?: string },
): Row[] {
  return lines.map((line) => ({
    height,
    draw: (y, page) => new Pen(page, place.tag, place.field).write(line, LEFT, y + text.size * 1.15, text),
  }))
}

function heading(text: string, accent: string, height: number, parent: Tag): Row {
  const tag = tagIn(parent, 'H2')
  const words = style(8, 'semibold', accent)
  return {
    height,
    withNext: true,
    draw: (y, page) => new Pen(page, tag).write(text, LEFT, y + 9.2, words),
  }
}

/** Returns the block to the left of the sums: how and where to pay. */
export function paymentRows(paper: InvoicePaper, labels: Labels, accent: string, parent: Tag): Row[] {
  const { method, chargedOn, account, reference, qr } = paper.payment
  const field = 'paymentMethod'
  const rows: Row[] = []
  const add = (text: string, words: TextStyle, most: number): void => {
    const lines = wrapAtMost(words.weight, oneLine(text), words.size, LEFT_BLOCK_WIDTH, most)
    rows.push(...paragraph(lines, words, 15, { tag: tagIn(parent, 'P'), field }))
  }
  const { instalments } = paper
  if (method === null && account === null && qr === null && instalments.length === 0) return []
  rows.push(heading(labels.payment, accent, 16, parent))
  rows.push(...instalmentRows(paper, labels, parent))
  if (method !== null && method.trim() !== '') add(method, BODY_SOFT, 6)
  if (chargedOn !== null) add(labels.charged(chargedOn), BODY_SOFT, 2)
  if (account !== null) add(`IBAN ${iban(oneLine(account))}`, BODY_STRONG, 2)
  if (account !== null && reference !== null) add(`${labels.paymentReference}: ${reference}`, BODY_SOFT, 2)
  if (qr !== null) rows.push(paymentQrRow(qr, labels, parent, instalments.length > 0))
  return rows
}

const BODY_INK: TextStyle = { ...BODY_SOFT, colour: INK }
/** Width of the table of instalments: the widest date and an amount of millions. */
const INSTALMENTS_WIDTH = 190

/** Returns the table of due dates and amounts; no rows for one due date. */
function instalmentRows(paper: InvoicePaper, labels: Labels, parent: Tag): Row[] {
  const { instalments, language, currency } = paper
  if (instalments.length === 0) return []
  const table = tagIn(parent, 'Table')
  const cells = (type: 'TH' | 'TD') => {
    const row = tagIn(table, 'TR')
    return type === 'TH'
      ? { day: tagIn(row, 'TH', { scope: 'Column' }), amount: tagIn(row, 'TH', { scope: 'Column' }) }
      : { day: tagIn(row, 'TH', { scope: 'Row' }), amount: tagIn(row, 'TD') }
  }
  const line = (
    height: number,
    tags: { day: Tag; amount: Tag },
    texts: [string, string],
    words: TextStyle,
  ): Row => ({
    height,
    withNext: true,
    draw: (y: number, page: Page) => {
      const baseline = y + words.size * 1.15
      new Pen(page, tags.day, 'dueDate').write(texts[0], LEFT, baseline, words)
      new Pen(page, tags.amount, 'dueDate').writeRight(texts[1], LEFT + INSTALMENTS_WIDTH, baseline, words)
    },
  })
  return [
    line(13, cells('TH'), [labels.dueDates, labels.amount], style(8, 'regular', SOFT)),
    ...instalments.map(({ dueDate, cents }) =>
      line(14, cells('TD'), [date(dueDate, language), money(cents, language, currency)], BODY_INK),
    ),
    { height: 6, draw: () => {} },
  ]
}

/** Returns the row with the QR that a banking app fills a transfer from (EPC069-12), with its text beside it. */
function paymentQrRow(
  qr: NonNullable<InvoicePaper['payment']['qr']>,
  labels: Labels,
  parent: Tag,
  isFirst: boolean,
): Row {
  const figure = tagIn(parent, 'Figure', { alt: labels.sepaQrAlt })
  const words = tagIn(parent, 'P')
  const said = qr.kind === 'code' ? labels.payBySepaQr : labels.sepaQrPlaceholder
  const text = isFirst ? `${said}. ${labels.firstInstalment}` : said
  const x = LEFT + PAYMENT_QR + 12
  const lines = wrapAtMost('regular', text, 8, LEFT_BLOCK_WIDTH - PAYMENT_QR - 12, 5)
  return {
    height: PAYMENT_QR + 10,
    draw: (y, page) => {
      if (qr.kind === 'code') new Pen(page, figure).qr(qr.text, LEFT, y + 6, PAYMENT_QR)
      else {
        const frame = { x: LEFT, y: y + 6, width: PAYMENT_QR, height: PAYMENT_QR, radius: 4 }
        new Pen(page, 'Layout').box(frame, { dashes: HAIRLINE })
      }
      const top = y + 6 + PAYMENT_QR / 2 - ((lines.length - 1) * 10.5) / 2 + 2.8
      const pen = new Pen(page, words)
      lines.forEach((line, index) => pen.write(line, x, top + index * 10.5, style(8, 'regular', SOFT)))
    },
  }
}

/** Returns the legal mentions, then the issuer's own notes; each line may go to the next page. */
export function closingRows(
  paper: InvoicePaper,
  labels: Labels,
  { accent, width, parent }: { accent: string; width: number; parent: Tag },
): Row[] {
  const rows: Row[] = []
  for (const mention of [...referenceText(paper, labels), ...paper.legalMentions]) {
    if (mention.trim() === '') continue
    const place = { tag: tagIn(parent, 'P') }
    rows.push(...paragraph(wrap('regular', mention, 8.5, width), SMALL, 11.5, place))
    rows.push({ height: 3, draw: () => {} })
  }
  const notes = paper.notes === null ? '' : drawable(paper.notes).trim()
  if (notes === '') return rows
  if (rows.length > 0) rows.push({ height: 8, draw: () => {} })
  rows.push(heading(labels.notes, accent, 14, parent))
  const place = { tag: tagIn(parent, 'P'), field: 'notes' }
  rows.push(...paragraph(wrap('regular', notes, 8.5, width), SMALL_SOFT, 11.5, place))
  return rows
}

interface Footer {
  /** Position of the footer's hairline: the body ends above it. */
  top: number
  draw: (page: Page, number: number, pages: number) => void
}

/** Returns the footer: the company's text for each page, and its registration details. Screen readers read it once. */
export function footerOf(paper: InvoicePaper, labels: Labels, parent: Tag): Footer {
  const width = WIDTH - 84
  const lines: string[] = []
  if (paper.footer) lines.push(...wrap('regular', paper.footer, FINE.size, width).slice(0, 4))
  const inscription = paper.issuer.registryInscription
  if (inscription) lines.push(...wrapAtMost('regular', oneLine(inscription), FINE.size, width, 3))
  const standing = footerText(paper, labels)
  if (standing !== null) lines.push(standing)
  const top = PAGE_HEIGHT - 30 - Math.max(1, lines.length) * FOOTER_LINE
  const tag = lines.length === 0 ? null : tagIn(parent, 'P')
  return {
    top,
    draw: (page, number, pages) => {
      const repeated = new Pen(page, 'Pagination')
      repeated.rule(LEFT, top, WIDTH)
      const pen = number === 1 && tag !== null ? new Pen(page, tag) : repeated
      lines.forEach((line, at) => pen.write(line, LEFT, top + 12 + at * FOOTER_LINE, FINE))
      repeated.writeRight(labels.page(number, pages), RIGHT, top + 12, FINE)
    },
  }
}
