/** Layouts of generated documents. They share no wording with each other: labels, places and forms of figures differ. */
import PDFDocument from 'pdfkit'
import { OWN } from './sample-facts.ts'
import type { SampleFacts } from './sample-facts.ts'

type Pdf = InstanceType<typeof PDFDocument>

/** Forms of amounts. */
const grouped = (cents: number, group: string, comma: string): string => {
  const [whole = '', fraction = ''] = (Math.abs(cents) / 100).toFixed(2).split('.')
  return whole.replace(/\B(?=(\d{3})+$)/g, group) + comma + fraction
}
export const FORMS: Record<string, (cents: number) => string> = {
  spanish: (cents) => `${cents < 0 ? '-' : ''}${grouped(cents, '.', ',')}`,
  euro: (cents) => `${cents < 0 ? '\u2013' : ''}${grouped(cents, '.', ',')} €`,
  plain: (cents) => `${cents < 0 ? '-' : ''}${grouped(cents, '', ',')}`,
  blank: (cents) => `${grouped(cents, ' ', ',')}${cents < 0 ? '-' : ''} €`,
  english: (cents) => `${cents < 0 ? '-' : ''}€${grouped(cents, ',', '.')}`,
  bracket: (cents) => (cents < 0 ? `(${grouped(cents, '.', ',')})` : grouped(cents, '.', ',')),
}

const percent = (bp: number): string => String(bp / 100).replace('.', ',')
const spanishDay = (iso: string, mark = '/'): string => iso.split('-').toReversed().join(mark)
const MONTHS = {
  es: ['enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio', 'julio', 'agosto', 'septiembre', 'octubre'],
  ca: ['gener', 'febrer', 'març', 'abril', 'maig', 'juny', 'juliol', 'agost', 'setembre', 'octubre'],
  gl: ['xaneiro', 'febreiro', 'marzo', 'abril', 'maio', 'xuño', 'xullo', 'agosto', 'setembro', 'outubro'],
}
function longDay(iso: string, language: keyof typeof MONTHS): string {
  const [year = '', month = '', day = ''] = iso.split('-')
  return `${Number(day)} de ${MONTHS[language][Number(month) - 1]} de ${year}`
}

class Sheet {
  readonly pdf: Pdf
  y = 40
  constructor(pdf: Pdf) {
    this.pdf = pdf
  }
  /** Writes a text with its left or right edge at x. */
  put(x: number, text: string, { right = false, size = 9, bold = false, y = this.y } = {}): void {
    this.pdf.font(bold ? 'Helvetica-Bold' : 'Helvetica').fontSize(size)
    const left = right ? x - this.pdf.widthOfString(text) : x
    this.pdf.text(text, left, y, { lineBreak: false })
  }
  row(
    cells: readonly (readonly [x: number, text: string, right?: boolean])[],
    { step = 14, bold = false, size = 9 } = {},
  ): void {
    for (const [x, text, right] of cells) this.put(x, text, { right: right ?? false, bold, size })
    this.y += step
  }
}

type Layout = (sheet: Sheet, facts: SampleFacts, money: (cents: number) => string) => void

function items(
  sheet: Sheet,
  facts: SampleFacts,
  money: (cents: number) => string,
  heads: readonly string[],
): void {
  sheet.y += 10
  sheet.row(
    [
      [45, heads[0] ?? ''],
      [330, heads[1] ?? '', true],
      [430, heads[2] ?? '', true],
      [545, heads[3] ?? '', true],
    ],
    { bold: true },
  )
  for (const { text, quantity, priceCents, cents } of facts.items)
    sheet.row([
      [45, text],
      [330, String(quantity), true],
      [430, money(priceCents), true],
      [545, money(cents), true],
    ])
  sheet.y += 12
}

const paymentLine = ({ iban, payment }: SampleFacts): string =>
  payment === 'transfer'
    ? `Abonar por transferencia en ${(iban ?? '').replace(/(.{4})/g, '$1 ').trim()}`
    : payment === 'direct_debit'
      ? 'Recibo domiciliado en su banco'
      : payment === 'card'
        ? 'Cobrado con tarjeta'
        : ''

/** Boxes at the foot: each label above its value. */
const boxes: Layout = (sheet, facts, money) => {
  const { seller } = facts
  sheet.put(45, seller.name, { size: 14, bold: true })
  sheet.y += 20
  sheet.row([
    [45, `${seller.street} - ${seller.town} - C.I.F. ${seller.nif}`],
    [545, facts.isCredit ? 'FACTURA RECTIFICATIVA' : 'FACTURA', true],
  ])
  sheet.y += 12
  sheet.row([[300, OWN.name]])
  sheet.row([[300, 'Pol. Malpica, calle F, 12']])
  sheet.row([[300, `CIF ${OWN.nif}`]])
  sheet.row(
    [
      [45, 'Fecha'],
      [120, 'Nº Factura'],
      [220, 'Su pedido'],
      [330, 'Vencimiento'],
    ],
    { bold: true },
  )
  sheet.row([
    [45, spanishDay(facts.issueDate)],
    [120, facts.number],
    [220, '88231'],
    [330, facts.dueDate ? spanishDay(facts.dueDate) : ''],
  ])
  items(sheet, facts, money, ['Concepto', 'Cdad.', 'P.V.P.', 'Importe'])
  sheet.y = 640
  sheet.row(
    [
      [110, 'Base Imp.', true],
      [180, '% IVA', true],
      [260, 'Cuota', true],
      [330, '% R.E.', true],
      [400, 'Cuota R.E.', true],
    ],
    { bold: true },
  )
  for (const line of facts.lines)
    sheet.row([
      [110, money(line.baseCents), true],
      [180, percent(line.rateBp), true],
      [260, money(line.taxCents), true],
      ...(line.surchargeBp === 0
        ? []
        : ([
            [330, percent(line.surchargeBp), true],
            [400, money(line.surchargeCents), true],
          ] as const)),
    ])
  sheet.row([[545, 'TOTAL FACTURA', true]], { bold: true })
  sheet.row([[545, money(facts.payableCents), true]], { bold: true, size: 12, step: 20 })
  sheet.row([[45, paymentLine(facts)]])
}

/** A letter of a professional: sums as a list with leaders. */
const letter: Layout = (sheet, facts, money) => {
  const { seller } = facts
  sheet.row([[45, seller.name]], { bold: true, size: 12, step: 18 })
  sheet.row([[45, `NIF: ${seller.nif}`]])
  sheet.row([[45, seller.street]])
  sheet.row([[45, seller.town]], { step: 30 })
  sheet.row([[45, 'Destinatario:']])
  sheet.row([[45, OWN.name]])
  sheet.row([[45, `NIF: ${OWN.nif}`]], { step: 24 })
  sheet.row([[45, `Minuta núm. factura ${facts.number}, emitida el ${longDay(facts.issueDate, 'es')}`]], {
    step: 20,
  })
  for (const { text, cents } of facts.items)
    sheet.row([
      [60, text],
      [500, money(cents), true],
    ])
  const bases = facts.lines.reduce((sum, { baseCents }) => sum + baseCents, 0)
  const leader = (label: string, cents: number): void =>
    sheet.row([
      [60, `${label} ${'.'.repeat(Math.max(4, 70 - label.length))}`],
      [500, money(cents), true],
    ])
  sheet.y += 8
  leader('Suma honorarios', bases)
  for (const { rateBp, taxCents } of facts.lines) leader(`${percent(rateBp)} % de I.V.A.`, taxCents)
  if (facts.withheldBp > 0)
    leader(
      `A deducir ${percent(facts.withheldBp)} % de retención a cuenta del I.R.P.F.`,
      -facts.withheldCents,
    )
  if (facts.suppliedCents > 0) leader('Suplidos a su cargo', facts.suppliedCents)
  leader('LÍQUIDO A PERCIBIR', facts.payableCents)
  sheet.y += 10
  sheet.row([[45, facts.dueDate ? `Pagadero antes del ${longDay(facts.dueDate, 'es')}` : '']])
  sheet.row([[45, paymentLine(facts)]])
}

/** Columns at the right, in Catalan. */
const catalan: Layout = (sheet, facts, money) => {
  const { seller } = facts
  sheet.row(
    [
      [45, facts.isCredit ? 'FACTURA D’ABONAMENT' : 'FACTURA'],
      [545, seller.name, true],
    ],
    { bold: true, size: 12, step: 18 },
  )
  sheet.row([
    [45, `Número de factura: ${facts.number}`],
    [545, `NIF ${seller.nif}`, true],
  ])
  sheet.row([
    [45, `Data d’emissió: ${longDay(facts.issueDate, 'ca')}`],
    [545, seller.street, true],
  ])
  sheet.row(
    [
      [45, facts.dueDate ? `Data de venciment: ${longDay(facts.dueDate, 'ca')}` : ''],
      [545, seller.town, true],
    ],
    { step: 26 },
  )
  sheet.row([[45, 'Dades del client']], { bold: true })
  sheet.row([[45, OWN.name]])
  sheet.row([[45, `NIF ${OWN.nif}`]])
  items(sheet, facts, money, ['Descripció', 'Unitats', 'Preu', 'Import'])
  for (const { rateBp, baseCents, taxCents, surchargeBp, surchargeCents } of facts.lines) {
    sheet.row([
      [400, `Base imposable al ${percent(rateBp)}%`, true],
      [545, money(baseCents), true],
    ])
    sheet.row([
      [400, `Quota IVA ${percent(rateBp)}%`, true],
      [545, money(taxCents), true],
    ])
    if (surchargeBp > 0)
      sheet.row([
        [400, `Recàrrec d’equivalència ${percent(surchargeBp)}%`, true],
        [545, money(surchargeCents), true],
      ])
  }
  if (facts.withheldBp > 0)
    sheet.row([
      [400, `Retenció IRPF (${percent(facts.withheldBp)}%)`, true],
      [545, money(-facts.withheldCents), true],
    ])
  if (facts.prepaidCents > 0) {
    sheet.row([
      [400, 'Total factura', true],
      [545, money(facts.totalCents), true],
    ])
    sheet.row([
      [400, 'Bestreta rebuda', true],
      [545, money(-facts.prepaidCents), true],
    ])
  }
  sheet.row(
    [
      [400, facts.prepaidCents > 0 || facts.withheldBp > 0 ? 'Total a pagar' : 'Total factura', true],
      [545, money(facts.payableCents), true],
    ],
    { bold: true },
  )
  sheet.row([[45, paymentLine(facts)]])
}

/** English, with the amount due first. */
const english: Layout = (sheet, facts, money) => {
  const { seller } = facts
  sheet.row([[45, facts.isCredit ? 'Credit note' : 'Invoice']], { bold: true, size: 20, step: 30 })
  sheet.row(
    [
      [45, 'From'],
      [300, 'To'],
    ],
    { bold: true },
  )
  sheet.row([
    [45, seller.name],
    [300, OWN.name],
  ])
  sheet.row([
    [45, `VAT ES${seller.nif}`],
    [300, `VAT ES${OWN.nif}`],
  ])
  sheet.row([[45, `${seller.street}, ${seller.town}`]], { step: 24 })
  sheet.row(
    [
      [45, 'Invoice no.'],
      [200, 'Issue date'],
      [340, 'Due date'],
    ],
    { bold: true },
  )
  sheet.row([
    [45, facts.number],
    [200, facts.issueDate],
    [340, facts.dueDate ?? ''],
  ])
  items(sheet, facts, money, ['Item', 'Qty', 'Rate', 'Amount'])
  const bases = facts.lines.reduce((sum, { baseCents }) => sum + baseCents, 0)
  sheet.row([
    [420, 'Net total', true],
    [545, money(bases), true],
  ])
  for (const { rateBp, baseCents, taxCents } of facts.lines)
    sheet.row([
      [420, `VAT ${rateBp / 100}% on ${money(baseCents)}`, true],
      [545, money(taxCents), true],
    ])
  sheet.row(
    [
      [420, 'Amount due', true],
      [545, money(facts.payableCents), true],
    ],
    { bold: true },
  )
  sheet.row([[45, paymentLine(facts)]])
}

/** A narrow ticket with codes for the rates, without a recipient's block. */
const ticket: Layout = (sheet, facts, money) => {
  const { seller } = facts
  const center = (text: string): void => {
    sheet.pdf.font('Courier').fontSize(8)
    sheet.pdf.text(text, 40, sheet.y, { width: 190, align: 'center', lineBreak: false })
    sheet.y += 11
  }
  const line = (left: string, right: string): void => {
    sheet.pdf.font('Courier').fontSize(8)
    sheet.pdf.text(left, 40, sheet.y, { lineBreak: false })
    sheet.pdf.text(right, 230 - sheet.pdf.widthOfString(right), sheet.y, { lineBreak: false })
    sheet.y += 11
  }
  center(seller.name.toUpperCase())
  center(`NIF: ${seller.nif}`)
  center(seller.town)
  line(`F. SIMPLIFICADA ${facts.number}`, '')
  line(`${spanishDay(facts.issueDate)} 12:41`, 'TPV 2')
  line(`CLIENTE: ${OWN.nif}`, '')
  for (const { text, quantity, rateBp, cents } of facts.items)
    line(
      `${quantity} ${text.slice(0, 20)}`,
      `${money(cents + percent21(cents, rateBp))} ${rateBp === 2100 ? 'A' : 'B'}`,
    )
  line('TOTAL COMPRA', money(facts.totalCents))
  line(facts.payment === 'card' ? 'TARJETA VISA' : 'TARJETA', money(facts.totalCents))
  line('   TIPO    BASE   IVA', 'TOTAL')
  for (const { rateBp, baseCents, taxCents } of facts.lines)
    line(
      `${rateBp === 2100 ? 'A' : 'B'} ${percent(rateBp)}% ${money(baseCents)}  ${money(taxCents)}`,
      money(baseCents + taxCents),
    )
}
const percent21 = (cents: number, rateBp: number): number => Math.round((cents * rateBp) / 10_000)

/** Galician and Basque: labels in two columns of one row. */
const northern =
  (language: 'gl' | 'eu'): Layout =>
  (sheet, facts, money) => {
    const { seller } = facts
    const of =
      language === 'gl'
        ? {
            title: 'FACTURA',
            number: 'Nº de factura',
            date: 'Data',
            due: 'Vencemento',
            base: 'Base impoñible',
            tax: 'Cota IVE',
            total: 'TOTAL FACTURA',
            to: 'Cliente',
          }
        : {
            title: 'FAKTURA',
            number: 'Faktura zenbakia',
            date: 'Data',
            due: 'Iraungitze-data',
            base: 'Zerga-oinarria',
            tax: 'BEZ kuota',
            total: 'GUZTIRA ORDAINTZEKO',
            to: 'Bezeroa',
          }
    sheet.row(
      [
        [45, seller.name],
        [545, of.title, true],
      ],
      { bold: true, size: 13, step: 20 },
    )
    sheet.row([[45, `${language === 'gl' ? 'NIF' : 'IFZ'} ${seller.nif}`]])
    sheet.row([[45, `${seller.street} · ${seller.town}`]], { step: 22 })
    const day = language === 'gl' ? longDay(facts.issueDate, 'gl') : facts.issueDate.replaceAll('-', '/')
    sheet.row([
      [45, of.number],
      [150, facts.number],
      [320, of.to],
      [400, OWN.name],
    ])
    sheet.row([
      [45, of.date],
      [150, day],
      [320, 'NIF'],
      [400, OWN.nif],
    ])
    if (facts.dueDate)
      sheet.row([
        [45, of.due],
        [150, language === 'gl' ? spanishDay(facts.dueDate, '-') : facts.dueDate.replaceAll('-', '/')],
      ])
    items(
      sheet,
      facts,
      money,
      language === 'gl'
        ? ['Descrición', 'Cantidade', 'Prezo', 'Importe']
        : ['Kontzeptua', 'Kopurua', 'Prezioa', 'Zenbatekoa'],
    )
    for (const { rateBp, baseCents, taxCents } of facts.lines)
      sheet.row([
        [45, of.base],
        [200, money(baseCents), true],
        [260, `${of.tax} ${percent(rateBp)} %`],
        [430, money(taxCents), true],
      ])
    sheet.row(
      [
        [45, of.total],
        [430, money(facts.payableCents), true],
      ],
      { bold: true },
    )
    sheet.row([[45, paymentLine(facts)]])
  }

export const LAYOUTS: Record<string, Layout> = {
  boxes,
  letter,
  catalan,
  english,
  ticket,
  galician: northern('gl'),
  basque: northern('eu'),
}

/** Draws a document; resolves with its bytes. */
export function drawSample(
  layout: Layout,
  facts: SampleFacts,
  money: (cents: number) => string,
): Promise<Buffer> {
  const pdf = new PDFDocument({ size: 'A4', margin: 0 })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const done = new Promise<Buffer>((resolve) => pdf.on('end', () => resolve(Buffer.concat(chunks))))
  layout(new Sheet(pdf), facts, money)
  pdf.end()
  return done
}
