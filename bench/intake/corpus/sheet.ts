/** A sheet of paper to write on: text at a place, rows, tables, rules. Points from the top left corner. */
import { fileURLToPath } from 'node:url'
import PDFDocument from 'pdfkit'

type Pdf = InstanceType<typeof PDFDocument>

const shipped = (weight: string): string =>
  fileURLToPath(new URL(`../../../server/documents/pdf/fonts/SelloSans-${weight}.ttf`, import.meta.url))

/** The fonts of each PDF program and those that Sello ships. */
const FAMILIES = {
  helvetica: ['Helvetica', 'Helvetica-Bold'],
  times: ['Times-Roman', 'Times-Bold'],
  courier: ['Courier', 'Courier-Bold'],
  sans: [shipped('Regular'), shipped('Bold')],
  medium: [shipped('Regular'), shipped('SemiBold')],
} as const
export type Family = keyof typeof FAMILIES

export interface TextStyle {
  align?: 'left' | 'right' | 'center'
  size?: number
  bold?: boolean
  colour?: string
  y?: number
  /** Stretches the letters, as ticket printers do. */
  wide?: number
  tall?: number
}

interface Column {
  x: number
  head: string
  align?: TextStyle['align']
}

/** A4 in points. */
export const A4: readonly [number, number] = [595.28, 841.89]

export class Sheet {
  readonly pdf: Pdf
  readonly width: number
  readonly height: number
  y = 40
  size = 9
  family: Family
  private readonly size2: [number, number]

  constructor(family: Family, [width, height]: readonly [number, number] = A4) {
    this.family = family
    this.width = width
    this.height = height
    this.size2 = [width, height]
    this.pdf = new PDFDocument({ size: this.size2, margin: 0 })
  }

  newPage(): void {
    this.pdf.addPage({ size: this.size2, margin: 0 })
    this.y = 40
  }

  private choose(bold: boolean, size: number): void {
    this.pdf.font(FAMILIES[this.family][bold ? 1 : 0]).fontSize(size)
  }

  widthOf(text: string, { size = this.size, bold = false, wide = 1 }: TextStyle = {}): number {
    this.choose(bold, size)
    return this.pdf.widthOfString(text) * wide
  }

  /** Writes a text with its left edge, right edge or middle at x. */
  put(x: number, text: string, style: TextStyle = {}): void {
    const {
      align = 'left',
      size = this.size,
      bold = false,
      colour = '#000000',
      y = this.y,
      wide = 1,
      tall = 1,
    } = style
    if (text === '') return
    const width = this.widthOf(text, style)
    const left = align === 'right' ? x - width : align === 'center' ? x - width / 2 : x
    this.choose(bold, size)
    this.pdf.save()
    this.pdf.translate(left, y)
    if (wide !== 1 || tall !== 1) this.pdf.scale(wide, tall)
    this.pdf.fillColor(colour).text(text, 0, 0, { lineBreak: false })
    this.pdf.restore()
  }

  /** Writes cells in one row and goes to the next. */
  row(
    cells: readonly (readonly [x: number, text: string, align?: TextStyle['align']])[],
    { step = this.size * 1.55, ...style }: TextStyle & { step?: number } = {},
  ): void {
    for (const [x, text, align] of cells) this.put(x, text, { ...style, align: align ?? 'left' })
    this.y += step
  }

  /** Writes each text in a row of its own. */
  lines(x: number, texts: readonly string[], style: TextStyle & { step?: number } = {}): void {
    for (const text of texts) this.row([[x, text, style.align]], style)
  }

  /** Writes a paragraph in a column of that width. */
  paragraph(x: number, text: string, width: number, style: TextStyle = {}): void {
    const { size = this.size, colour = '#000000', bold = false } = style
    this.choose(bold, size)
    this.pdf.fillColor(colour).text(text, x, this.y, { width })
    this.y = this.pdf.y + 2
  }

  rule(from: number, to: number, { y = this.y, weight = 0.6, colour = '#000000' } = {}): void {
    this.pdf.moveTo(from, y).lineTo(to, y).lineWidth(weight).strokeColor(colour).stroke()
  }

  box(
    x: number,
    y: number,
    width: number,
    height: number,
    { fill, stroke, weight = 0.6 }: { fill?: string; stroke?: string; weight?: number } = {},
  ): void {
    this.pdf.rect(x, y, width, height).lineWidth(weight)
    if (fill !== undefined && stroke !== undefined) this.pdf.fillAndStroke(fill, stroke)
    else if (fill !== undefined) this.pdf.fill(fill)
    else this.pdf.strokeColor(stroke ?? '#000000').stroke()
  }

  /** Writes small print turned by 90 degrees along the left edge, as registers of companies stand. */
  margin(text: string, { x = 18, size = 5.5, colour = '#444444' } = {}): void {
    this.choose(false, size)
    this.pdf.save()
    this.pdf.rotate(-90, { origin: [x, this.height / 2] })
    this.pdf
      .fillColor(colour)
      .text(text, x - this.pdf.widthOfString(text) / 2, this.height / 2, { lineBreak: false })
    this.pdf.restore()
  }

  table(
    columns: readonly Column[],
    rows: readonly (readonly string[])[],
    {
      headStyle = { bold: true } as TextStyle,
      step = this.size * 1.6,
      zebra = '',
      rules = false,
      style = {} as TextStyle,
    } = {},
  ): void {
    const left = Math.min(...columns.map(({ x, align }) => (align === 'right' ? x - 60 : x))) - 5
    const right = Math.max(...columns.map(({ x, align }) => (align === 'right' ? x : x + 60))) + 5
    if (columns.some(({ head }) => head !== ''))
      this.row(
        columns.map(({ x, head, align }) => [x, head, align] as const),
        { ...headStyle, step: step + 2 },
      )
    rows.forEach((cells, index) => {
      if (zebra !== '' && index % 2 === 0) this.box(left, this.y - 3, right - left, step, { fill: zebra })
      this.row(
        columns.map(({ x, align }, at) => [x, cells[at] ?? '', align] as const),
        { ...style, step },
      )
      if (rules) this.rule(left, right, { y: this.y - 3, weight: 0.3, colour: '#999999' })
    })
  }

  /** Ends the document and resolves with its bytes. */
  done(): Promise<Buffer> {
    const chunks: Buffer[] = []
    this.pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
    const bytes = new Promise<Buffer>((resolve) => this.pdf.on('end', () => resolve(Buffer.concat(chunks))))
    this.pdf.end()
    return bytes
  }
}
