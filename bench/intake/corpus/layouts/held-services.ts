/** Layouts that are kept for judging, never shown to who improves the reader: tickets, bills, suppliers abroad. */
import { OWN } from '../facts.ts'
import { percent, percent2, quantity } from '../forms.ts'
import { basesOf, daysAfter, paymentLines } from '../scene.ts'
import type { Layout, Scene } from '../scene.ts'
import { EU, USD } from './abroad.ts'
import { partsOf } from './services.ts'
import { dashes, ends, FUEL, GROCERY, MEAL, middle } from './tickets.ts'

/** A chain of shops: quantity, price and sum in columns; the tax table with a total column. */
function chain({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  sheet.size = 7.6
  sheet.y = 16
  middle(sheet, seller.name.toUpperCase(), { bold: true, size: 11 })
  middle(sheet, `${dice.of(['CIF', 'N.I.F.'])}: ${seller.nif}  TEL: ${seller.phone}`)
  middle(sheet, `${seller.street}, ${seller.town}`, { size: 6.6 })
  sheet.y += 4
  middle(sheet, 'FACTURA SIMPLIFICADA', { bold: true })
  ends(sheet, `Nº ${facts.number}`, `${day(facts.issueDate)} ${dice.digits('1#:2#:#3')}`)
  ends(sheet, `Cajero/a ${dice.int(10, 60)}`, `Tienda ${dice.digits('0###')}`)
  dashes(sheet)
  sheet.row(
    [
      [12, 'Descripción'],
      [150, 'Cant', 'right'],
      [180, 'PVP', 'right'],
      [sheet.width - 12, 'Importe', 'right'],
    ],
    { step: 11 },
  )
  for (const { text, milli, priceCents, cents } of facts.items)
    sheet.row(
      [
        [12, text.slice(0, 24)],
        [150, quantity(milli), 'right'],
        [180, money(priceCents), 'right'],
        [sheet.width - 12, money(cents), 'right'],
      ],
      { step: 10.5 },
    )
  dashes(sheet)
  ends(sheet, `Nº artículos ${facts.items.length}`, '')
  ends(sheet, dice.of(['TOTAL €', 'A PAGAR', 'TOTAL TICKET']), money(facts.totalCents), {
    bold: true,
    size: 11,
    tall: 1.3,
  })
  ends(
    sheet,
    facts.payment === 'card' ? dice.of(['T. CREDITO', 'TARJETA CREDITO/DEBITO']) : 'EFECTIVO',
    money(facts.totalCents),
  )
  sheet.y += 6
  sheet.row(
    [
      [40, '%IVA', 'right'],
      [95, 'BASE', 'right'],
      [145, 'CUOTA', 'right'],
      [sheet.width - 12, 'TOTAL', 'right'],
    ],
    { step: 11 },
  )
  for (const { rateBp, baseCents, taxCents } of facts.lines)
    sheet.row(
      [
        [40, percent2(rateBp), 'right'],
        [95, money(baseCents), 'right'],
        [145, money(taxCents), 'right'],
        [sheet.width - 12, money(baseCents + taxCents), 'right'],
      ],
      { step: 10.5 },
    )
  sheet.row(
    [
      [40, 'SUMA', 'right'],
      [95, money(basesOf(facts)), 'right'],
      [145, money(facts.totalCents - basesOf(facts)), 'right'],
      [sheet.width - 12, money(facts.totalCents), 'right'],
    ],
    { step: 14 },
  )
  ends(sheet, `NIF cliente: ${OWN.nif}`, '')
  middle(sheet, 'Plazo de devolución 30 días', { size: 6.6 })
}

/** A narrow roll of a café; base and tax in one row. */
function cafe({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  sheet.size = 7
  sheet.y = 14
  // Printers of tickets break a name that is wider than the roll.
  for (const part of seller.name.match(/.{1,26}(?: |$)/g) ?? [])
    middle(sheet, part.trim(), { bold: true, size: 9.5 })
  middle(sheet, `NIF: ${seller.nif}`)
  middle(sheet, seller.town)
  sheet.y += 4
  ends(sheet, `FRA. SIMPL. ${facts.number}`, '')
  ends(sheet, day(facts.issueDate), dice.digits('1#:5#'))
  dashes(sheet, '.')
  for (const { text, milli, cents } of facts.items) ends(sheet, `${quantity(milli)} ${text}`, money(cents))
  dashes(sheet, '.')
  ends(sheet, 'TOTAL', money(facts.totalCents), { bold: true, size: 14 })
  sheet.y += 12
  for (const { rateBp, baseCents, taxCents } of facts.lines)
    ends(sheet, `Base ${percent(rateBp)}%: ${money(baseCents)}`, `Cuota: ${money(taxCents)}`)
  ends(sheet, facts.payment === 'card' ? 'Tarjeta' : 'Efectivo', money(facts.totalCents))
  middle(sheet, dice.of(['Gracias por su visita', 'Wifi: cafeteria2026']))
}

/** The invoice of a filling station on a roll, with the customer's data and the sum last. */
function station({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  const [item] = facts.items
  const cents = item?.cents ?? 0
  const price = item?.priceCents ?? 1
  sheet.size = 8
  sheet.y = 16
  middle(sheet, seller.name, { bold: true, size: 10 })
  middle(sheet, seller.street)
  middle(sheet, `${seller.town}`)
  middle(sheet, `C.I.F. ${seller.nif}`)
  sheet.y += 5
  ends(sheet, 'Factura:', facts.number)
  ends(sheet, 'Fecha:', `${day(facts.issueDate)} ${dice.digits('1#:0#')}`)
  ends(sheet, 'Vehículo:', dice.digits('####MNB'))
  ends(sheet, OWN.name, '')
  ends(sheet, `CIF ${OWN.nif}`, '')
  sheet.rule(12, sheet.width - 12)
  sheet.y += 5
  ends(sheet, 'Producto', 'Importe', { bold: true })
  ends(sheet, `${item?.text ?? ''} (surt. ${dice.int(1, 9)})`, money(cents))
  ends(sheet, `  ${((cents * 10) / price).toFixed(3)} l a ${(price / 1000).toFixed(3)} €/l`, '')
  sheet.rule(12, sheet.width - 12)
  sheet.y += 5
  for (const { rateBp, baseCents, taxCents } of facts.lines)
    ends(sheet, `B.I. ${money(baseCents)}`, `IVA(${percent(rateBp)}%) ${money(taxCents)}`)
  ends(sheet, dice.of(['Total a pagar:', 'TOTAL:']), money(facts.totalCents), { bold: true, size: 11 })
  ends(sheet, 'Forma de pago:', 'Tarjeta')
}

/** A water bill in columns: readings, blocks, taxes by concept. */
function water({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  sheet.box(40, 40, 515, 54, { fill: '#dff1fa' })
  sheet.put(52, seller.name, { size: 14, bold: true, y: 50, colour: '#005f8f' })
  sheet.put(52, `${seller.street}, ${seller.town} - NIF ${seller.nif} - Averías ${seller.phone}`, {
    size: 7.5,
    y: 74,
  })
  sheet.y = 112
  sheet.row(
    [
      [50, dice.of(['FACTURA DE AGUA', 'Factura del servicio de agua'])],
      [330, OWN.name],
    ],
    { bold: true, size: 10 },
  )
  sheet.row([
    [50, 'Factura núm.'],
    [170, facts.number],
    [330, OWN.street],
  ])
  sheet.row([
    [50, dice.of(['Fecha factura', 'Fecha de expedición'])],
    [170, day(facts.issueDate)],
    [330, OWN.town],
  ])
  sheet.row([
    [50, 'Periodo'],
    [170, `${day(daysAfter(facts.issueDate, -70))} / ${day(daysAfter(facts.issueDate, -9))}`],
    [330, `NIF ${OWN.nif}`],
  ])
  if (facts.dueDate)
    sheet.row([
      [50, dice.of(['Cargo en cuenta', 'Fecha de cobro', 'Fin de pago voluntario'])],
      [170, day(facts.dueDate)],
    ])
  sheet.y += 14
  sheet.row(
    [
      [50, 'Contador'],
      [150, 'L. anterior'],
      [250, 'L. actual'],
      [350, 'Consumo m³'],
    ],
    { bold: true, size: 8 },
  )
  const before = dice.int(400, 3000)
  const used = dice.int(12, 90)
  sheet.row(
    [
      [50, dice.digits('I21LA######')],
      [150, String(before)],
      [250, String(before + used)],
      [350, String(used)],
    ],
    { step: 26 },
  )
  sheet.row(
    [
      [50, 'Concepto'],
      [330, 'Cantidad x precio', 'right'],
      [400, '% IVA', 'right'],
      [545, 'Importe', 'right'],
    ],
    { bold: true },
  )
  const [line] = facts.lines
  const base = line?.baseCents ?? 0
  const texts = [
    'Cuota de servicio',
    'Consumo bloque 1',
    'Consumo bloque 2',
    'Alcantarillado',
    'Conservación de contador',
  ]
  const parts = partsOf(base, [30, 20, 25, 18, 4])
  texts.forEach((text, at) =>
    sheet.row([
      [50, text],
      [330, at === 0 ? '2 meses' : `${dice.int(5, 30)} m³ x 0,${dice.digits('####')}`, 'right'],
      [400, percent(line?.rateBp ?? 0), 'right'],
      [545, money(parts[at] ?? 0), 'right'],
    ]),
  )
  sheet.y += 16
  sheet.row([
    [400, dice.of(['Suma sin IVA', 'Base imponible']), 'right'],
    [545, money(base), 'right'],
  ])
  for (const { rateBp, taxCents } of facts.lines)
    sheet.row([
      [400, `IVA ${percent(rateBp)} % sobre ${money(base)}`, 'right'],
      [545, money(taxCents), 'right'],
    ])
  sheet.box(300, sheet.y, 255, 24, { fill: '#005f8f' })
  sheet.put(310, dice.of(['TOTAL FACTURA', 'TOTAL A PAGAR']), {
    bold: true,
    colour: '#ffffff',
    y: sheet.y + 8,
  })
  sheet.put(545, money(facts.totalCents), {
    bold: true,
    colour: '#ffffff',
    size: 12,
    align: 'right',
    y: sheet.y + 6,
  })
  sheet.y += 50
  sheet.row([[50, `Domiciliado en ${dice.digits('ES## 3085 **** **** ****')}`]])
}

/** A bill of an internet provider: a large sum at the head, the taxes at the foot. */
function broadband({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  sheet.y = 50
  sheet.put(40, (seller.name.split(/[ ,]/)[0] ?? '').toUpperCase(), {
    size: 20,
    bold: true,
    colour: '#e60000',
  })
  sheet.y = 90
  sheet.lines(40, [OWN.name, OWN.street, OWN.town])
  sheet.y = 60
  sheet.box(330, 52, 225, 80, { stroke: '#e60000', weight: 1.4 })
  sheet.row([[442, dice.of(['Total de tu factura', 'Importe total', 'Total a pagar']), 'center']], {
    step: 20,
  })
  sheet.row([[442, money(facts.totalCents), 'center']], { size: 22, bold: true, step: 30 })
  sheet.row(
    [
      [
        442,
        facts.dueDate ? `Se cargará en tu cuenta el ${day(facts.dueDate)}` : 'Impuestos incluidos',
        'center',
      ],
    ],
    { size: 8 },
  )
  sheet.y = 160
  sheet.row(
    [
      [40, `Factura nº ${facts.number}`],
      [250, `Emitida el ${day(facts.issueDate)}`],
      [400, `NIF ${OWN.nif}`],
    ],
    { bold: true, step: 24 },
  )
  sheet.table(
    [
      { x: 50, head: 'Servicio' },
      { x: 330, head: 'Periodo', align: 'right' },
      { x: 545, head: 'Sin impuestos', align: 'right' },
    ],
    facts.items.map(({ text, cents }) => [
      text,
      `${day(daysAfter(facts.issueDate, -30)).slice(0, 5)} - ${day(facts.issueDate).slice(0, 5)}`,
      money(cents),
    ]),
    { zebra: '#f4f4f4' },
  )
  sheet.y += 20
  sheet.row(
    [
      [160, dice.of(['Base imponible', 'Base']), 'right'],
      [240, 'Tipo', 'right'],
      [330, dice.of(['Cuota', 'IVA']), 'right'],
      [545, 'Total', 'right'],
    ],
    { bold: true },
  )
  for (const { rateBp, baseCents, taxCents } of facts.lines)
    sheet.row([
      [160, money(baseCents), 'right'],
      [240, `IVA ${percent(rateBp)}%`, 'right'],
      [330, money(taxCents), 'right'],
      [545, money(baseCents + taxCents), 'right'],
    ])
  sheet.y += 26
  sheet.row([[40, `Forma de pago: domiciliación bancaria ${dice.digits('ES## **** **** **** ####')}`]])
  sheet.y = 800
  sheet.row([[297, `${seller.name}. CIF ${seller.nif}. ${seller.street}, ${seller.town}`, 'center']], {
    size: 6.5,
  })
}

/** A hostel: charges and payments, a balance of zero. */
function hostel({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  sheet.row([[45, seller.name]], { size: 16, bold: true, step: 22 })
  sheet.lines(45, [seller.street, seller.town, `NIF ${seller.nif}`], { size: 8.5 })
  sheet.y += 12
  sheet.row([
    [45, 'Cliente'],
    [110, OWN.name],
    [360, dice.of(['Factura', 'Factura núm.'])],
    [545, facts.number, 'right'],
  ])
  sheet.row([
    [45, 'NIF'],
    [110, OWN.nif],
    [360, 'Fecha'],
    [545, day(facts.issueDate), 'right'],
  ])
  sheet.row(
    [
      [45, 'Estancia'],
      [110, `${day(daysAfter(facts.issueDate, -2))} - ${day(facts.issueDate)}`],
      [360, 'Hab.'],
      [545, dice.digits('1##'), 'right'],
    ],
    { step: 30 },
  )
  sheet.table(
    [
      { x: 45, head: 'Concepto' },
      { x: 330, head: 'Noches/Ud', align: 'right' },
      { x: 440, head: 'Precio', align: 'right' },
      { x: 545, head: 'Cargo', align: 'right' },
    ],
    facts.items.map(({ text, milli, priceCents, cents }) => [
      text,
      quantity(milli),
      money(priceCents),
      money(cents),
    ]),
  )
  sheet.y += 14
  for (const { rateBp, baseCents, taxCents } of facts.lines) {
    sheet.row([
      [440, 'Base imponible', 'right'],
      [545, money(baseCents), 'right'],
    ])
    sheet.row([
      [440, `IVA ${percent(rateBp)} %`, 'right'],
      [545, money(taxCents), 'right'],
    ])
  }
  sheet.row(
    [
      [440, dice.of(['Total factura', 'TOTAL']), 'right'],
      [545, money(facts.totalCents), 'right'],
    ],
    { bold: true },
  )
  sheet.row([
    [440, 'Pagado con tarjeta', 'right'],
    [545, money(facts.totalCents), 'right'],
  ])
  sheet.row([
    [440, 'Saldo', 'right'],
    [545, money(0), 'right'],
  ])
}

/** Software from the Union: the seller at the foot, reverse charge below the sums. */
function licence({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  sheet.row([[45, seller.name]], { size: 15, bold: true, step: 30 })
  sheet.lines(45, ['Invoice for', OWN.name, OWN.street, `${OWN.town}, ES`, `VAT no. ES${OWN.nif}`])
  sheet.y += 24
  const heads = [
    dice.of(['Invoice No.', 'Number']),
    dice.of(['Date', 'Issued']),
    facts.dueDate ? dice.of(['Due', 'Payable by']) : '',
    'Currency',
  ]
  const values = [facts.number, day(facts.issueDate), facts.dueDate ? day(facts.dueDate) : '', 'EUR']
  sheet.row(
    heads.map((head, at) => [45 + at * 130, head] as const),
    { size: 7.5, colour: '#666666', step: 13 },
  )
  sheet.row(
    values.map((value, at) => [45 + at * 130, value] as const),
    { size: 11, step: 36 },
  )
  for (const { text, milli, priceCents, cents } of facts.items)
    sheet.row(
      [
        [45, `${quantity(milli)} × ${text}`],
        [430, money(priceCents), 'right'],
        [550, money(cents), 'right'],
      ],
      { step: 19 },
    )
  sheet.rule(45, 550)
  sheet.y += 8
  sheet.row(
    [
      [430, 'Net amount', 'right'],
      [550, money(basesOf(facts)), 'right'],
    ],
    { step: 17 },
  )
  sheet.row(
    [
      [430, 'VAT 0% (reverse charge)', 'right'],
      [550, money(0), 'right'],
    ],
    { step: 17 },
  )
  sheet.row(
    [
      [430, dice.of(['Total due', 'Total EUR', 'Grand total']), 'right'],
      [550, money(facts.payableCents), 'right'],
    ],
    { bold: true, size: 12, step: 34 },
  )
  sheet.lines(
    45,
    [
      'VAT reverse charged: the customer accounts for the tax (Art. 44 and 196, Directive 2006/112/EC).',
      ...paymentLines({ sheet, facts, dice, money, day }, 'en'),
    ],
    { size: 8.5 },
  )
  sheet.y = 795
  sheet.row([[45, `${seller.name} | VAT ${seller.nif}`]], { size: 7 })
}

/** An insurance letter with the parts of the premium in a narrow table. */
function mutual({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  sheet.row([[40, seller.name]], { bold: true, size: 12, step: 16 })
  sheet.row([[40, `NIF ${seller.nif} · ${seller.street} · ${seller.town}`]], { size: 8, step: 30 })
  sheet.lines(330, [OWN.name, OWN.nif, OWN.street, OWN.town])
  sheet.y += 16
  sheet.row([[40, dice.of(['Justificante de recibo', 'Recibo de prima de seguro'])]], { size: 14, step: 24 })
  const [net = 0, tax = 0, fund = 0] = partsOf(facts.totalCents, [100, 8, 1.5])
  sheet.table(
    [
      { x: 40, head: 'Recibo' },
      { x: 150, head: 'Póliza' },
      { x: 260, head: 'Emisión' },
      { x: 360, head: facts.dueDate ? 'Vencimiento' : '' },
    ],
    [
      [
        facts.number,
        dice.digits('MR-########'),
        day(facts.issueDate),
        facts.dueDate ? day(facts.dueDate) : '',
      ],
    ],
  )
  sheet.y += 16
  sheet.table(
    [
      { x: 120, head: 'Prima neta', align: 'right' },
      { x: 210, head: 'Consorcio', align: 'right' },
      { x: 300, head: 'I.P.S.', align: 'right' },
      { x: 420, head: dice.of(['Prima total', 'Total recibo', 'Importe total']), align: 'right' },
    ],
    [[money(net), money(fund), money(tax), money(facts.totalCents)]],
  )
  sheet.y += 20
  sheet.lines(40, paymentLines({ sheet, facts, dice, money, day }))
  sheet.row([[40, 'Operación de seguro exenta del IVA (art. 20.1.16º LIVA).']], { size: 8 })
}

/** A receipt in dollars, paid. */
function receipt({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  sheet.row([[297, seller.name, 'center']], { size: 16, bold: true, step: 24 })
  sheet.row(
    [
      [
        297,
        dice.of(['510 Townsend St, San Francisco, CA 94103, USA', '1 Main Street, Cambridge, MA 02142, USA']),
        'center',
      ],
    ],
    { size: 8, step: 34 },
  )
  sheet.row([
    [60, 'Customer'],
    [150, `${OWN.name} (ES${OWN.nif})`],
  ])
  sheet.row([
    [60, dice.of(['Invoice', 'Invoice ID'])],
    [150, facts.number],
  ])
  sheet.row([
    [60, 'Billed on'],
    [150, day(facts.issueDate)],
  ])
  if (facts.dueDate)
    sheet.row([
      [60, 'Due on'],
      [150, day(facts.dueDate)],
    ])
  sheet.y += 24
  for (const { text, milli, cents } of facts.items) {
    sheet.row(
      [
        [60, `${text} x ${quantity(milli)}`],
        [530, money(cents), 'right'],
      ],
      { step: 20 },
    )
    sheet.rule(60, 530, { y: sheet.y - 5, weight: 0.3 })
  }
  sheet.y += 10
  sheet.row([
    [420, 'Subtotal', 'right'],
    [530, money(basesOf(facts)), 'right'],
  ])
  sheet.row([
    [420, 'Sales tax', 'right'],
    [530, money(0), 'right'],
  ])
  sheet.row(
    [
      [420, dice.of(['Total (USD)', 'Total USD', 'Total charged in USD']), 'right'],
      [530, money(facts.payableCents), 'right'],
    ],
    { bold: true, size: 12, step: 30 },
  )
  sheet.lines(60, paymentLines({ sheet, facts, dice, money, day }, 'en'))
}

const debit = { payments: ['direct_debit'] } as const

export const HELD_SERVICE_LAYOUTS: Readonly<Record<string, Layout>> = {
  chain: {
    kinds: { supermarket: { ...GROCERY, rates: [2100, 1000, 400], items: [6, 15] }, supermarket2: GROCERY },
    families: ['helvetica', 'sans'],
    forms: ['plain', 'spanish'],
    days: ['slash', 'dash'],
    roll: 226,
    draw: chain,
  },
  cafe: {
    kinds: { restaurant: { ...MEAL, items: [1, 6] } },
    families: ['courier', 'sans'],
    forms: ['plain', 'tight'],
    days: ['slash', 'short', 'dash'],
    roll: 164,
    isAnonymous: true,
    draw: cafe,
  },
  station: {
    kinds: { fuel: FUEL },
    families: ['helvetica', 'courier'],
    forms: ['euro', 'plain', 'tight'],
    days: ['slash', 'dot'],
    roll: 226,
    draw: station,
  },
  water: {
    kinds: {
      water: {
        trade: 'water',
        rates: [1000],
        items: [2, 4],
        due: 0.8,
        numbers: ['#############', 'A26-#######', '01/2026/######'],
        ...debit,
      },
    },
    families: ['helvetica', 'sans'],
    forms: ['euro', 'spanish'],
    days: ['slash', 'dash'],
    draw: water,
  },
  broadband: {
    kinds: {
      telephone: {
        trade: 'phone',
        rates: [2100],
        items: [2, 6],
        due: 0.7,
        numbers: ['CI0#########', 'IR-2026-#########', '60-D6N0-######'],
        ...debit,
      },
    },
    families: ['sans', 'medium'],
    forms: ['euro', 'tight'],
    days: ['slash', 'dot'],
    draw: broadband,
  },
  hostel: {
    kinds: { hotel: { trade: 'hotel', rates: [1000], isPaid: true, payments: ['card'] } },
    families: ['times', 'helvetica'],
    forms: ['euro', 'spanish'],
    days: ['slash', 'dash'],
    draw: hostel,
  },
  licence: {
    kinds: {
      cloud: { ...EU, trade: 'cloud', items: [1, 3], numbers: ['2026-INV-#####', 'NL26-######', '#######'] },
    },
    families: ['sans', 'helvetica'],
    forms: ['euro', 'english'],
    days: ['iso', 'british', 'dot'],
    draw: licence,
  },
  mutual: {
    kinds: {
      insurance: {
        trade: 'insurance',
        rates: [0],
        untaxed: 'exempt',
        items: [1, 1],
        due: 0.6,
        numbers: ['#########', 'R-26-######'],
        ...debit,
      },
    },
    families: ['helvetica', 'times'],
    forms: ['euro', 'spanish'],
    days: ['slash', 'dot'],
    draw: mutual,
  },
  receipt: {
    kinds: { dollars: { ...USD, payments: ['card'], numbers: ['#####-####', 'IN-26-#####'] } },
    families: ['helvetica', 'medium'],
    forms: ['dollar'],
    days: ['american', 'iso'],
    draw: receipt,
  },
}
