/** The first layouts: seven, which share no wording with each other. */
import { OWN } from '../facts.ts'
import type { SampleFacts } from '../facts.ts'
import { DAYS, percent } from '../forms.ts'
import type { Money } from '../forms.ts'
import { spacedIban } from '../scene.ts'
import type { Layout } from '../scene.ts'
import type { Sheet } from '../sheet.ts'

const LONG = { es: 'spanish', ca: 'catalan', gl: 'galician' } as const
const spanishDay = (iso: string, mark = '/'): string => DAYS.slash(iso).replaceAll('/', mark)
const longDay = (iso: string, language: keyof typeof LONG): string => DAYS[LONG[language]](iso)

/** Rows of cells that stand at their left or right edge. */
class Rows {
  readonly sheet: Sheet
  constructor(sheet: Sheet) {
    this.sheet = sheet
  }
  get y(): number {
    return this.sheet.y
  }
  set y(y: number) {
    this.sheet.y = y
  }
  put(x: number, text: string, { right = false, size = 9, bold = false } = {}): void {
    this.sheet.put(x, text, { align: right ? 'right' : 'left', size, bold })
  }
  row(
    cells: readonly (readonly [x: number, text: string, right?: boolean])[],
    { step = 14, bold = false, size = 9 } = {},
  ): void {
    for (const [x, text, right] of cells) this.put(x, text, { right: right ?? false, bold, size })
    this.y += step
  }
}

type Draw = (sheet: Rows, facts: SampleFacts, money: Money) => void

function items(
  sheet: Rows,
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
  for (const { text, milli, priceCents, cents } of facts.items)
    sheet.row([
      [45, text],
      [330, String(milli / 1000), true],
      [430, money(priceCents), true],
      [545, money(cents), true],
    ])
  sheet.y += 12
}

const paymentLine = ({ iban, payment }: SampleFacts): string =>
  payment === 'transfer'
    ? `Abonar por transferencia en ${spacedIban(iban ?? '')}`
    : payment === 'direct_debit'
      ? 'Recibo domiciliado en su banco'
      : payment === 'card'
        ? 'Cobrado con tarjeta'
        : ''

/** Boxes at the foot: each label above its value. */
const boxes: Draw = (sheet, facts, money) => {
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
const letter: Draw = (sheet, facts, money) => {
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
const catalan: Draw = (sheet, facts, money) => {
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
const english: Draw = (sheet, facts, money) => {
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
const ticket: Draw = (sheet, facts, money) => {
  const { seller } = facts
  const center = (text: string): void => {
    sheet.sheet.put(135, text, { align: 'center', size: 8 })
    sheet.y += 11
  }
  const line = (left: string, right: string): void => {
    sheet.sheet.put(40, left, { size: 8 })
    sheet.sheet.put(230, right, { size: 8, align: 'right' })
    sheet.y += 11
  }
  center(seller.name.toUpperCase())
  center(`NIF: ${seller.nif}`)
  center(seller.town)
  line(`F. SIMPLIFICADA ${facts.number}`, '')
  line(`${spanishDay(facts.issueDate)} 12:41`, 'TPV 2')
  line(`CLIENTE: ${OWN.nif}`, '')
  for (const { text, milli, rateBp, cents } of facts.items)
    line(
      `${milli / 1000} ${text.slice(0, 20)}`,
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
  (language: 'gl' | 'eu'): Draw =>
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

const FORMS = ['spanish', 'euro', 'plain', 'blank', 'bracket'] as const
const goods = { rates: [2100] }
const rates = { rates: [2100, 1000] }
const credit = { rates: [2100], isCredit: true }
const surcharge = { rates: [2100, 1000, 400], hasSurcharge: true, items: [5, 5] as const }
const professional = { trade: 'advice', rates: [2100], person: true, withheldBp: 1500 } as const

const layout = (draw: Draw, kinds: Layout['kinds'], more: Partial<Layout> = {}): Layout => ({
  kinds,
  families: ['helvetica'],
  forms: FORMS,
  days: ['slash'],
  draw: ({ sheet, facts, money }) => draw(new Rows(sheet), facts, money),
  ...more,
})

export const FIRST_LAYOUTS: Readonly<Record<string, Layout>> = {
  boxes: layout(boxes, { goods, rates, credit, surcharge }),
  letter: layout(letter, {
    professional,
    disbursements: { ...professional, withheldBp: 700, isSupplied: true },
  }),
  catalan: layout(catalan, {
    goods,
    rates,
    credit,
    surcharge,
    professional,
    prepaid: { rates: [2100], isPrepaid: true },
  }),
  english: layout(english, { goods, rates, credit }, { forms: ['english'] }),
  ticket: layout(
    ticket,
    { ticket: { rates: [2100, 1000], isPaid: true, payments: ['card'] } },
    { families: ['courier'], forms: ['plain', 'spanish'] },
  ),
  galician: layout(northern('gl'), { goods, rates }),
  basque: layout(northern('eu'), { goods, rates }),
}
