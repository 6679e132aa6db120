/** Paints marks, each as content of its element. */
import { faces } from '../fonts.ts'
import type { Weight } from '../fonts.ts'
import { extentOf } from '../layout/marks.ts'
import type { LogoMark, Page, QrMark, TextMark, WatermarkMark } from '../layout/marks.ts'
import type { PaperLogo } from '../paper.ts'
import { qrModules } from '../qr.ts'
import type { TaggedDocument, Tagger } from './structure.ts'

const QR_INK = '#000000'

/** Paints a page that has just been opened. */
export function paintPage(
  doc: TaggedDocument,
  page: Page,
  tagger: Tagger,
  { logo, blanks }: { logo: PaperLogo | null; blanks: ReadonlySet<TextMark> },
): void {
  let colour = ''
  const useColour = (next: string): void => {
    if (next !== colour) doc.fillColor(next)
    colour = next
  }
  for (const mark of page.marks) {
    tagger.enter(mark.tag)
    if (typeof mark.tag !== 'string' && mark.tag.type === 'Figure') {
      const [left, top, right, bottom] = extentOf(mark, page)
      tagger.place(mark.tag, [left, page.height - bottom, right, page.height - top])
    }
    switch (mark.kind) {
      case 'text':
        useColour(mark.colour)
        paintText(doc, mark, blanks.has(mark))
        break
      case 'rule':
        useColour(mark.colour)
        // A filled bar rather than a stroked line, because it needs no graphics state.
        doc.rect(mark.x, mark.y - 0.2, mark.width, 0.4).fill()
        break
      case 'box':
        if (mark.fill !== null) {
          useColour(mark.fill)
          doc.roundedRect(mark.x, mark.y, mark.width, mark.height, mark.radius).fill()
        }
        if (mark.dashes !== null) {
          doc.save().lineWidth(0.8).dash(3, { space: 3 }).strokeColor(mark.dashes)
          doc.roundedRect(mark.x, mark.y, mark.width, mark.height, mark.radius).stroke().restore()
        }
        break
      case 'qr':
        useColour(QR_INK)
        paintQr(doc, mark)
        break
      case 'logo':
        if (logo !== null) paintLogo(doc, mark, logo)
        break
      case 'watermark':
        useColour(mark.colour)
        paintWatermark(doc, mark, page)
        break
    }
  }
  tagger.leave()
}

const TEXT_OPTIONS = { lineBreak: false, baseline: 'alphabetic' } as const

function paintText(doc: TaggedDocument, mark: TextMark, withBlank: boolean): void {
  const text = withBlank ? `${mark.text} ` : mark.text
  doc.font(mark.weight satisfies Weight, mark.size).text(text, mark.x, mark.baseline, TEXT_OPTIONS)
}

function paintQr(doc: TaggedDocument, mark: QrMark): void {
  const { size, runs } = qrModules(mark.text)
  const module = mark.side / size
  for (const run of runs)
    doc.rect(mark.x + run.column * module, mark.y + run.row * module, run.length * module, module)
  doc.fill()
}

function paintLogo(doc: TaggedDocument, { x, y, width, height }: LogoMark, logo: PaperLogo): void {
  doc.image(Buffer.from(logo.bytes), x, y, { width, height })
}

/** Paints the watermark from the lower left, as wide as the page's diagonal allows. */
function paintWatermark(doc: TaggedDocument, mark: WatermarkMark, page: Page): void {
  const { font } = faces().bold
  const run = font.layout(mark.text)
  const length = run.glyphs.reduce((total, glyph) => total + glyph.advanceWidth, 0)
  const scale = 640 / length
  doc.save()
  doc.translate(page.width / 2, page.height / 2 + 30)
  doc.rotate(-52)
  doc.scale(scale, -scale)
  doc.translate(-length / 2, -font.capHeight / 2)
  let x = 0
  for (const glyph of run.glyphs) {
    for (const { command, args } of glyph.path.commands) {
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = args
      if (command === 'moveTo') doc.moveTo(x + a, b)
      else if (command === 'lineTo') doc.lineTo(x + a, b)
      else if (command === 'quadraticCurveTo') doc.quadraticCurveTo(x + a, b, x + c, d)
      else if (command === 'bezierCurveTo') doc.bezierCurveTo(x + a, b, x + c, d, x + e, f)
      else doc.closePath()
    }
    x += glyph.advanceWidth
  }
  doc.fill()
  doc.restore()
}
