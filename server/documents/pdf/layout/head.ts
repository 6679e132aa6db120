/**
 * Lays out the top of the A4 page: QR, title and dates, logo, and the two parties; on further pages a line that names
 * the document.
 */
import { textWidth } from '../measure.ts'
import { QR_ABOVE, QR_BELOW, testBand } from '../labels/index.ts'
import type { Labels } from '../labels/index.ts'
import type { InvoicePaper, PaperParty } from '../paper.ts'
import { oneLine, wrap, wrapAtMost } from '../text.ts'
import { HAIRLINE, INK, Pen, SOFT, style, tagIn, WASH, WHITE } from './marks.ts'
import type { Page, Tag } from './marks.ts'
import { BODY_SOFT, BODY_STRONG, LEFT, RIGHT, WIDTH } from './sheet.ts'
import { documentName, headRows, isDraftInvoice, partyLines, titleOf } from './text-blocks.ts'

const TEST = '#B4400C'
const WATERMARK = '#EFF2F2'

const BAND = { top: 14, height: 18 }
/**
 * 34 mm: the authority requires 30 to 40. Its texts are as large as the body and keep 6 mm away, the recommended
 * quiet zone (2 mm is the minimum).
 */
const QR = { x: LEFT, y: 62, side: 96.4, aboveBaseline: 43.4, belowBaseline: 183 }
const BESIDE_QR = 184
const TITLE_BASELINE = 75
/** Sizes tried for a title, largest first; in the last one it may take two lines. */
const TITLE_SIZES = [26, 22, 19]
const LOGO = { top: 44, width: 150, height: 44 }
const PARTIES_BASELINE = 204
const CLIENT_X = 294

/** Draws the notice on every page of drafts and of documents that the real registry does not hold. */
export function drawBackground(page: Page, paper: InvoicePaper, labels: Labels, parent: Tag | null): void {
  const band = testBand(paper)
  const word = isDraftInvoice(paper) ? labels.draft : band === null ? null : 'PRUEBA'
  if (word !== null) new Pen(page, 'Layout').watermark(word, WATERMARK)
  if (band === null) return
  new Pen(page, 'Layout').box(
    { x: LEFT, y: BAND.top, width: WIDTH, height: BAND.height, radius: 3 },
    { fill: TEST },
  )
  // Screen readers read it once, on the first page.
  const tag = parent === null ? 'Pagination' : tagIn(parent, 'P')
  new Pen(page, tag).writeCentred(band, LEFT + WIDTH / 2, BAND.top + 12.2, style(9, 'bold', WHITE))
}

export function drawNextHeader(page: Page, paper: InvoicePaper): void {
  const pen = new Pen(page, 'Pagination')
  const name = wrapAtMost('semibold', documentName(paper), 9, WIDTH - 150, 1)[0] ?? ''
  pen.writeRight(name, RIGHT, 58, BODY_STRONG)
  const room = WIDTH - textWidth('semibold', name, 9) - 24
  pen.write(wrapAtMost('regular', oneLine(paper.issuer.name), 9, room, 1)[0] ?? '', LEFT, 58, BODY_SOFT)
  pen.rule(LEFT, 66, WIDTH)
}

/** Draws the tax QR with its two texts, or its placeholder. Returns where the content beside it begins. */
function drawQr(page: Page, paper: InvoicePaper, labels: Labels, parent: Tag): number {
  const { registry } = paper
  const centre = QR.x + QR.side / 2
  if (registry !== null && paper.state === 'issued') {
    const { identifier = null, lines = [QR_BELOW] } = registry
    const above = new Pen(page, tagIn(parent, 'P'))
    // An identifier is wider than the QR, and stays on one line: it begins at the margin.
    if (identifier === null) above.writeCentred(QR_ABOVE, centre, QR.aboveBaseline, BODY_STRONG)
    else above.write(identifier, LEFT, QR.aboveBaseline, BODY_STRONG)
    const figure = tagIn(parent, 'Figure', { alt: labels.qrAlt(registry.qrUrl) })
    new Pen(page, figure).qr(registry.qrUrl, QR.x, QR.y, QR.side)
    if (lines.length > 0) {
      const below = new Pen(page, tagIn(parent, 'P'))
      below.writeCentred(lines.join(' · '), centre, QR.belowBaseline, style(10, 'bold', INK))
    }
    return BESIDE_QR
  }
  if (!isDraftInvoice(paper)) return LEFT
  const frame = { ...QR, width: QR.side, height: QR.side, radius: 4 }
  new Pen(page, 'Layout').box(frame, { dashes: HAIRLINE })
  const words = wrap('regular', labels.qrPlaceholder, 8, QR.side - 20)
  const top = QR.y + QR.side / 2 - ((words.length - 1) * 11) / 2 + 2.8
  const pen = new Pen(page, tagIn(parent, 'P'))
  words.forEach((line, index) => pen.writeCentred(line, centre, top + index * 11, style(8, 'regular', SOFT)))
  return BESIDE_QR
}

/** Draws the logo at the right margin, as large as its box allows. Returns where it begins. */
function drawLogo(page: Page, paper: InvoicePaper, labels: Labels, parent: Tag): number {
  const { logo } = paper
  if (logo === null) return RIGHT
  const scale = Math.min(LOGO.width / logo.width, LOGO.height / logo.height)
  const [width, height] = [logo.width * scale, logo.height * scale]
  const figure = tagIn(parent, 'Figure', { alt: labels.logoAlt(oneLine(paper.issuer.name)) })
  new Pen(page, figure, 'issuer').logo(RIGHT - width, LOGO.top + (LOGO.height - height) / 2, width, height)
  return RIGHT - width
}

/** Draws title, logo, QR and facts; returns the baseline of the last fact. */
function drawTitle(page: Page, paper: InvoicePaper, labels: Labels, accent: string, parent: Tag): number {
  // The company and the title are read first, then the QR, which is a long address.
  const heading: Tag = { type: 'H1', children: [] }
  const logoX = drawLogo(page, paper, labels, parent)
  parent.children.push(heading)
  const facts = tagsBeforeQr(parent, headRows(paper, labels).length)
  const x = drawQr(page, paper, labels, parent)

  const title = titleOf(paper, labels)
  const isDraft = isDraftInvoice(paper)
  const tagWidth = isDraft ? textWidth('bold', labels.draft, 9) + 28 : 0
  const room = (logoX === RIGHT ? RIGHT : logoX - 16) - x - tagWidth
  const size = TITLE_SIZES.find((each) => textWidth('bold', title, each) <= room)
  const lines = size === undefined ? wrapAtMost('bold', title, 19, room, 2) : [title]
  const titleStyle = style(size ?? 19, 'bold', accent)
  const pen = new Pen(page, heading)
  lines.forEach((line, index) => pen.write(line, x, TITLE_BASELINE + index * 22, titleStyle))
  if (isDraft) {
    const tagX = x + textWidth('bold', lines[0] ?? '', titleStyle.size) + 12
    new Pen(page, 'Layout').box(
      { x: tagX, y: 58.5, width: tagWidth - 12, height: 17, radius: 3 },
      { fill: WASH },
    )
    pen.write(labels.draft, tagX + 8, 70.2, style(9, 'bold', SOFT))
  }

  const rows = headRows(paper, labels)
  const labelWidth = Math.max(...rows.map(([label]) => textWidth('regular', label, 9)))
  const valueX = x + labelWidth + 14
  let baseline = TITLE_BASELINE + 26 + (lines.length - 1) * 22
  let last = baseline
  rows.forEach(([label, value, field], index) => {
    const row = new Pen(page, facts[index] ?? 'Layout', field)
    row.write(label, x, baseline, BODY_SOFT)
    for (const line of wrapAtMost('semibold', value, 9, RIGHT - valueX, 2)) {
      row.write(line, valueX, baseline, BODY_STRONG)
      last = baseline
      baseline += 15
    }
  })
  return last
}

function tagsBeforeQr(parent: Tag, count: number): Tag[] {
  return Array.from({ length: count }, () => tagIn(parent, 'P'))
}

/** Draws both parties; returns where the longer one ends. */
function drawParties(
  page: Page,
  paper: InvoicePaper,
  labels: Labels,
  { accent, top, parent }: { accent: string; top: number; parent: Tag },
): number {
  const drawParty = (
    heading: string,
    party: PaperParty,
    { x, width, field }: { x: number; width: number; field: string },
  ): number => {
    let baseline = top
    new Pen(page, tagIn(parent, 'H2')).write(heading, x, baseline, style(8, 'semibold', accent))
    baseline += 4
    const name = new Pen(page, tagIn(parent, 'P'), field)
    for (const line of wrapAtMost('semibold', oneLine(party.name), 10.5, width, 6)) {
      baseline += 13
      name.write(line, x, baseline, style(10.5, 'semibold', INK))
    }
    baseline += 2
    for (const text of partyLines(party, paper, labels)) {
      const pen = new Pen(page, tagIn(parent, 'P'), field)
      for (const line of wrapAtMost('regular', oneLine(text), 9, width, 3)) {
        baseline += 12.2
        pen.write(line, x, baseline, BODY_SOFT)
      }
    }
    return baseline
  }
  const issuerBottom = drawParty(labels.issuer, paper.issuer, {
    x: LEFT,
    width: CLIENT_X - LEFT - 22,
    field: 'issuer',
  })
  if (paper.client === null) return issuerBottom
  const clientBottom = drawParty(labels.client, paper.client, {
    x: CLIENT_X,
    width: RIGHT - CLIENT_X,
    field: 'client',
  })
  return Math.max(issuerBottom, clientBottom)
}

/** Draws everything above the table on the first page; returns where it ends. */
export function drawFirstHead(
  page: Page,
  paper: InvoicePaper,
  labels: Labels,
  accent: string,
  parent: Tag,
): number {
  const lastFact = drawTitle(page, paper, labels, accent, parent)
  const top = Math.max(PARTIES_BASELINE, lastFact + 32)
  return drawParties(page, paper, labels, { accent, top, parent })
}
