/** Layouts of suppliers in other states: reverse charge in the Union, dollars from America. */
import { OWN } from '../facts.ts'
import { percent, quantity } from '../forms.ts'
import { basesOf, paymentLines } from '../scene.ts'
import type { Layout, Scene } from '../scene.ts'

/** An online shop in the Union: German habits in English. */
function shop({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  sheet.put(45, (seller.name.split(' ')[0] ?? '').toLowerCase(), { size: 22, bold: true, colour: '#b8860b' })
  sheet.put(550, dice.of(['INVOICE', 'Invoice / Factura', 'TAX INVOICE']), { size: 14, align: 'right' })
  sheet.y = 84
  sheet.row(
    [
      [
        45,
        `${seller.name} · ${dice.of(['Industriestraße 12, 70565 Stuttgart', '12 rue de la Gare, L-2346 Luxembourg'])}`,
      ],
    ],
    { size: 7, step: 20 },
  )
  const top = sheet.y
  sheet.row([[45, dice.of(['Billed to', 'Bill to', 'Invoice address'])]], { bold: true })
  sheet.lines(45, [OWN.name, OWN.street, OWN.town, 'Spain', `VAT ID: ES${OWN.nif}`])
  sheet.y = top
  const fact = (label: string, value: string): void =>
    sheet.row([
      [330, label],
      [550, value, 'right'],
    ])
  fact(dice.of(['Invoice number', 'Invoice no.', 'Invoice #']), facts.number)
  fact(dice.of(['Invoice date', 'Date of issue']), day(facts.issueDate))
  fact('Order number', dice.digits('3##-#######'))
  fact('Customer number', dice.digits('10######'))
  if (facts.dueDate) fact(dice.of(['Due date', 'Payment due']), day(facts.dueDate))
  sheet.y = top + 110
  sheet.table(
    [
      { x: 45, head: 'Item' },
      { x: 330, head: 'Qty', align: 'right' },
      { x: 400, head: dice.of(['Unit price (excl. VAT)', 'Net price']), align: 'right' },
      { x: 460, head: 'VAT', align: 'right' },
      { x: 550, head: 'Amount', align: 'right' },
    ],
    facts.items.map(({ text, milli, priceCents, rateBp, cents }) => [
      text,
      quantity(milli),
      money(priceCents),
      `${percent(rateBp)}%`,
      money(cents),
    ]),
    { zebra: '#f6f3ea', headStyle: { size: 7.5, bold: true } },
  )
  sheet.y += 18
  sheet.row([
    [430, dice.of(['Total net', 'Subtotal (excl. VAT)']), 'right'],
    [550, money(basesOf(facts)), 'right'],
  ])
  for (const { rateBp, taxCents } of facts.lines)
    sheet.row([
      [430, `VAT ${percent(rateBp)} %`, 'right'],
      [550, money(taxCents), 'right'],
    ])
  sheet.row(
    [
      [430, dice.of(['Invoice total', 'Total', 'Total amount']), 'right'],
      [550, money(facts.payableCents), 'right'],
    ],
    { bold: true, size: 11, step: 28 },
  )
  sheet.lines(45, paymentLines({ sheet, facts, dice, money, day }, 'en'))
  sheet.paragraph(45, dice.of([
    'Reverse charge: VAT to be accounted for by the recipient (Article 196 Council Directive 2006/112/EC).',
    'Intra-Community supply, exempt from VAT (Article 138 Directive 2006/112/EC). Inversión del sujeto pasivo.',
    'Entrega intracomunitaria exenta. El destinatario es sujeto pasivo del IVA - Reverse charge.',
  ]), 500, { size: 8.5 }) // prettier-ignore
  sheet.y = 790
  sheet.row([[45, `${seller.name} · VAT ID ${seller.nif} · HRB ${dice.digits('2####')}`]], { size: 7 })
}

/** A subscription in dollars: the sum in large letters first. */
function subscription({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  sheet.y = 50
  sheet.put(545, seller.name, { size: 12, bold: true, align: 'right', colour: '#5b3df5' })
  sheet.row([[50, dice.of(['Invoice', 'Receipt', 'INVOICE'])]], { size: 20, bold: true, step: 36 })
  const fact = (label: string, value: string): void =>
    sheet.row(
      [
        [50, label],
        [160, value],
      ],
      { step: 15 },
    )
  fact(dice.of(['Invoice number', 'Invoice #', 'Invoice no.']), facts.number)
  fact(dice.of(['Date of issue', 'Invoice date', 'Date']), day(facts.issueDate))
  if (facts.dueDate) fact(dice.of(['Date due', 'Due date']), day(facts.dueDate))
  sheet.y += 16
  const top = sheet.y
  sheet.lines(50, [
    seller.name,
    dice.of(['2261 Market Street #4', '99 Wall St, Suite 1200']),
    dice.of(['San Francisco, CA 94114', 'New York, NY 10005']),
    'United States',
    `EIN ${dice.digits('8#-#######')}`,
  ])
  sheet.y = top
  sheet.row([[300, dice.of(['Bill to', 'Billed to'])]], { bold: true })
  sheet.lines(300, [OWN.name, OWN.street, `${OWN.town}, Spain`, `ES VAT ES${OWN.nif}`])
  sheet.y = top + 100
  if (dice.chance(0.6))
    sheet.row(
      [
        [
          50,
          `${money(facts.payableCents)} USD ${facts.dueDate ? `due ${day(facts.dueDate)}` : `paid on ${day(facts.issueDate)}`}`,
        ],
      ],
      { size: 16, bold: true, step: 34 },
    )
  sheet.table(
    [
      { x: 50, head: 'Description' },
      { x: 340, head: 'Qty', align: 'right' },
      { x: 440, head: 'Unit price', align: 'right' },
      { x: 545, head: 'Amount', align: 'right' },
    ],
    facts.items.map(({ text, milli, priceCents, cents }) => [
      text,
      quantity(milli),
      money(priceCents),
      money(cents),
    ]),
    { rules: true, step: 22, headStyle: { size: 8, colour: '#666666' } },
  )
  sheet.y += 14
  sheet.row(
    [
      [340, 'Subtotal'],
      [545, money(basesOf(facts)), 'right'],
    ],
    { step: 17 },
  )
  if (dice.chance(0.5))
    sheet.row(
      [
        [340, 'Tax (0%)'],
        [545, money(0), 'right'],
      ],
      { step: 17 },
    )
  sheet.row(
    [
      [340, 'Total'],
      [545, money(facts.totalCents), 'right'],
    ],
    { step: 17 },
  )
  sheet.row(
    [
      [340, dice.of(['Amount due', 'Amount due (USD)', 'Balance due'])],
      [545, `${money(facts.payableCents)}${dice.chance(0.5) ? ' USD' : ''}`, 'right'],
    ],
    { bold: true, step: 30 },
  )
  sheet.lines(50, paymentLines({ sheet, facts, dice, money, day }, 'en'))
}

export const EU = { rates: [0], untaxed: 'reverse', payments: ['card', 'transfer'] } as const
export const USD = {
  trade: 'saas',
  rates: [0],
  untaxed: 'outside',
  currency: 'USD',
  payments: ['card', null],
  items: [1, 3],
  due: 0.5,
} as const

export const ABROAD_LAYOUTS: Readonly<Record<string, Layout>> = {
  shop: {
    kinds: {
      marketplace: { ...EU, trade: 'online', numbers: ['INV-EU-#########', 'RE-2026-#####', '90########'] },
      cloud: { ...EU, trade: 'cloud', items: [1, 3], numbers: ['INV-2026-0####', 'EU26#######'] },
    },
    families: ['helvetica', 'sans'],
    forms: ['euro', 'english', 'spanish'],
    days: ['dot', 'britishShort', 'iso', 'british'],
    draw: shop,
  },
  subscription: {
    kinds: { dollars: { ...USD, numbers: ['INV-#####', '########-0001', 'F3A9####-00##', '####-####'] } },
    families: ['sans', 'helvetica', 'medium'],
    forms: ['dollar', 'dollars'],
    days: ['american', 'britishShort', 'iso'],
    draw: subscription,
  },
}
