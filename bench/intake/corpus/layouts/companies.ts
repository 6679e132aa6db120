/** Layouts of companies that sell goods and work, in Spanish. */
import { OWN } from '../facts.ts'
import { percent, percent2, quantity } from '../forms.ts'
import { basesOf, paymentLines } from '../scene.ts'
import type { Layout, Scene } from '../scene.ts'

const goods = { rates: [2100] }
const rates = { rates: [2100, 1000], items: [3, 9] } as const
const credit = { rates: [2100], isCredit: true, due: 0, items: [1, 3] } as const

/** A business program of the nineties: frames everywhere, all sums in one framed row at the foot. */
function framed({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  const ink = dice.of(['#000000', '#1a3a6b', '#7a1f1f'])
  sheet.put(40, seller.name, { size: 15, bold: true, colour: ink })
  sheet.y += 20
  sheet.lines(
    40,
    [
      seller.street,
      seller.town,
      `Tlf. ${seller.phone}`,
      `${dice.of(['C.I.F.', 'CIF:', 'N.I.F.:'])} ${seller.nif}`,
    ],
    { size: 8 },
  )
  sheet.box(300, 95, 255, 72, { stroke: ink })
  sheet.y = 103
  sheet.lines(312, [OWN.name, OWN.street, OWN.town], { size: 9.5 })
  sheet.row([[312, `${dice.of(['CIF', 'N.I.F.'])} ${OWN.nif}`]])
  sheet.y = 182
  const title = facts.isCredit ? dice.of(['FACTURA RECTIFICATIVA', 'FACTURA DE ABONO']) : 'FACTURA'
  sheet.put(40, title, { bold: true, size: 13 })
  sheet.y = 205
  const heads = [
    dice.of(['Nº FACTURA', 'FACTURA', 'NÚMERO']),
    'FECHA',
    dice.of(['CLIENTE', 'CÓD. CLIENTE']),
    dice.of(['VENCIMIENTO', 'F. VTO.']),
  ]
  const values = [
    facts.number,
    day(facts.issueDate),
    dice.digits('43000###'),
    facts.dueDate ? day(facts.dueDate) : '',
  ]
  heads.forEach((head, at) => {
    sheet.box(40 + at * 128.75, 203, 128.75, 32, { stroke: ink })
    sheet.put(45 + at * 128.75, head, { size: 7, y: 206 })
    sheet.put(45 + at * 128.75, values[at] ?? '', { y: 219, size: 9.5 })
  })
  sheet.box(40, 245, 515, 16, { fill: '#e4e4e4', stroke: ink })
  sheet.box(40, 261, 515, 390, { stroke: ink })
  sheet.y = 249
  sheet.table(
    [
      { x: 46, head: dice.of(['ARTÍCULO', 'REF.', 'CÓDIGO']) },
      { x: 105, head: dice.of(['DESCRIPCIÓN', 'CONCEPTO']) },
      { x: 350, head: dice.of(['CANTIDAD', 'UDS.']), align: 'right' },
      { x: 415, head: 'PRECIO', align: 'right' },
      { x: 465, head: '% DTO.', align: 'right' },
      { x: 550, head: 'IMPORTE', align: 'right' },
    ],
    [
      ['', `${dice.of(['Albarán', 'S/Pedido'])} ${dice.digits('26/0####')} de ${day(facts.issueDate)}`],
      ...facts.items.map(({ code, text, milli, priceCents, discountBp, cents }) => [
        code, text, quantity(milli, 2), money(priceCents), discountBp === 0 ? '' : percent2(discountBp), money(cents),
      ]),
    ],
    { headStyle: { size: 7.5, bold: true } },
  ) // prettier-ignore
  sheet.box(40, 660, 515, 14, { fill: '#e4e4e4', stroke: ink })
  sheet.box(40, 674, 515, 52, { stroke: ink })
  const hasSurcharge = facts.lines.some(({ surchargeBp }) => surchargeBp > 0)
  const columns: [number, string][] = [
    [110, 'BRUTO'],
    [195, dice.of(['BASE IMPONIBLE', 'B. IMPONIBLE'])],
    [240, '% IVA'],
    [310, dice.of(['CUOTA IVA', 'IMPORTE IVA'])],
  ]
  if (hasSurcharge) columns.push([355, '% R.E.'], [420, dice.of(['IMPORTE R.E.', 'CUOTA R.E.'])])
  columns.push([548, dice.of(['TOTAL FACTURA', 'TOTAL A PAGAR', 'IMPORTE TOTAL'])])
  sheet.y = 663
  sheet.row(
    columns.map(([x, head]) => [x, head, 'right'] as const),
    { size: 7, bold: true, step: 17 },
  )
  facts.lines.forEach((line, at) => {
    const cells: [number, string, 'right'][] = [
      [110, money(line.baseCents), 'right'],
      [195, money(line.baseCents), 'right'],
      [240, percent2(line.rateBp), 'right'],
      [310, money(line.taxCents), 'right'],
    ]
    if (line.surchargeBp > 0)
      cells.push([355, percent2(line.surchargeBp), 'right'], [420, money(line.surchargeCents), 'right'])
    if (at === 0) sheet.put(548, money(facts.payableCents), { bold: true, size: 12, align: 'right' })
    sheet.row(cells, { step: 13 })
  })
  sheet.y = 736
  sheet.lines(40, paymentLines({ sheet, facts, dice, money, day }))
  sheet.margin(
    `${seller.name} inscrita en el Registro Mercantil, Tomo ${dice.digits('1.###')}, Folio ${dice.digits('1##')}, Hoja ${dice.digits('L-4###')}. ${seller.nif}`,
  )
}

/** A printer with needles: one fixed font, lines of dashes, dot leaders. */
function needles({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  const dashes = '-'.repeat(88)
  sheet.size = 9.5
  sheet.y = 50
  sheet.row([[40, seller.name.toUpperCase()]], { bold: true })
  sheet.row([[40, `${seller.street}   ${seller.town}`]])
  sheet.row([[40, `N.I.F. ${seller.nif}   TEL. ${seller.phone}`]], { step: 26 })
  sheet.row([
    [40, facts.isCredit ? 'ABONO NUM.' : 'FACTURA NUM.'],
    [130, facts.number],
    [330, OWN.name.toUpperCase()],
  ])
  sheet.row([
    [40, 'FECHA'],
    [130, day(facts.issueDate)],
    [330, OWN.street.toUpperCase()],
  ])
  sheet.row([
    [40, 'HOJA'],
    [130, '1'],
    [330, OWN.town.toUpperCase()],
  ])
  sheet.row([[330, `N.I.F. ${OWN.nif}`]], { step: 22 })
  sheet.row([[40, dashes]], { size: 9.5, step: 12 })
  sheet.row(
    [
      [40, 'CANT.'],
      [95, 'DESCRIPCION'],
      [420, 'PRECIO', 'right'],
      [465, 'DTO', 'right'],
      [545, 'IMPORTE', 'right'],
    ],
    { step: 12 },
  )
  sheet.row([[40, dashes]])
  for (const { text, milli, priceCents, discountBp, cents } of facts.items)
    sheet.row([
      [75, quantity(milli, 1), 'right'],
      [95, text.toUpperCase()],
      [420, money(priceCents), 'right'],
      [465, discountBp === 0 ? '' : percent(discountBp), 'right'],
      [545, money(cents), 'right'],
    ])
  sheet.y = Math.max(sheet.y + 30, 520)
  sheet.row([[40, dashes]])
  const leader = (label: string, value: string, bold = false): void =>
    sheet.row(
      [
        [250, `${label} ${'.'.repeat(Math.max(3, 30 - label.length))}`],
        [545, value, 'right'],
      ],
      { bold },
    )
  for (const { rateBp, baseCents, taxCents } of facts.lines) {
    leader(`BASE IMPONIBLE ${percent(rateBp)} %`, money(baseCents))
    leader(`I.V.A. ${percent(rateBp)} %`, money(taxCents))
  }
  leader(
    facts.isCredit ? 'TOTAL ABONO' : dice.of(['TOTAL FACTURA', 'TOTAL EUROS', 'TOTAL A PAGAR']),
    money(facts.payableCents),
    true,
  )
  sheet.row([[40, dashes]])
  if (facts.dueDate) sheet.row([[40, `VENCIMIENTO ${day(facts.dueDate)}  ${money(facts.payableCents)}`]])
  sheet.lines(
    40,
    paymentLines({ sheet, facts, dice, money, day }).map((line) => line.toUpperCase()),
  )
}

/** A sheet of a spreadsheet: thin grid, yellow heads, sums below the last column. */
function spreadsheet({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  sheet.size = 10
  sheet.row(
    [
      [50, 'FACTURA'],
      [545, `${dice.of(['Factura n.º', 'Nº de factura:', 'Factura núm.:'])} ${facts.number}`, 'right'],
    ],
    { bold: true, size: 12, step: 18 },
  )
  sheet.row([
    [
      545,
      `${dice.of(['Fecha:', 'Fecha de expedición:', 'Fecha emisión:'])} ${day(facts.issueDate)}`,
      'right',
    ],
  ])
  if (facts.dueDate)
    sheet.row([
      [
        545,
        `${dice.of(['Vencimiento:', 'Fecha de vencimiento:', 'Vence el'])} ${day(facts.dueDate)}`,
        'right',
      ],
    ])
  sheet.y += 14
  sheet.row(
    [
      [50, dice.of(['EMISOR', 'DATOS DEL PROVEEDOR', 'Expedidor'])],
      [320, dice.of(['CLIENTE', 'DATOS DEL CLIENTE', 'Destinatario'])],
    ],
    { bold: true },
  )
  sheet.row([
    [50, seller.name],
    [320, OWN.name],
  ])
  sheet.row([
    [50, `${dice.of(['NIF', 'CIF', 'N.I.F.:'])} ${seller.nif}`],
    [320, `CIF ${OWN.nif}`],
  ])
  sheet.row([
    [50, seller.street],
    [320, OWN.street],
  ])
  sheet.row(
    [
      [50, seller.town],
      [320, OWN.town],
    ],
    { step: 30 },
  )
  sheet.box(45, sheet.y - 4, 505, 17, { fill: dice.of(['#ffe699', '#c6e0b4', '#bdd7ee']), stroke: '#808080' })
  sheet.table(
    [
      { x: 50, head: 'Concepto' },
      { x: 360, head: dice.of(['Cantidad', 'Uds', 'Horas']), align: 'right' },
      { x: 450, head: dice.of(['Precio', 'P. unitario', 'Tarifa']), align: 'right' },
      { x: 545, head: dice.of(['Total', 'Importe', 'Subtotal']), align: 'right' },
    ],
    facts.items.map(({ text, milli, priceCents, cents }) => [
      text,
      quantity(milli),
      money(priceCents),
      money(cents),
    ]),
    { rules: true },
  )
  sheet.y += 12
  const sum = (label: string, value: string, bold = false): void => {
    sheet.box(340, sheet.y - 4, 210, 17, { stroke: '#a0a0a0', weight: 0.4 })
    sheet.row(
      [
        [346, label],
        [545, value, 'right'],
      ],
      { step: 17, bold },
    )
  }
  sum(dice.of(['Base imponible', 'Suma', 'Importe neto', 'Total sin IVA']), money(basesOf(facts)))
  for (const { rateBp, taxCents } of facts.lines)
    sum(
      dice.of([`IVA (${percent(rateBp)}%)`, `${percent(rateBp)}% IVA`, `I.V.A. ${percent(rateBp)} %`]),
      money(taxCents),
    )
  if (facts.withheldBp > 0)
    sum(
      dice.of([
        `IRPF (-${percent(facts.withheldBp)}%)`,
        `Retención IRPF ${percent(facts.withheldBp)}%`,
        `- ${percent(facts.withheldBp)}% IRPF`,
      ]),
      money(-facts.withheldCents),
    )
  sum(dice.of(['TOTAL', 'TOTAL FACTURA', 'Total a pagar', 'TOTAL A COBRAR']), money(facts.payableCents), true)
  sheet.y += 24
  sheet.lines(50, paymentLines({ sheet, facts, dice, money, day }))
  sheet.y += 20
  sheet.paragraph(
    50,
    'Sus datos forman parte de un fichero para la gestión administrativa. Puede ejercer sus derechos por escrito en la dirección indicada.',
    480,
    { size: 7, colour: '#555555' },
  )
}

/** An online invoicing program: a pale panel, much air, the total in a coloured band. */
function airy({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  const accent = dice.of(['#2f6fed', '#0f8b6d', '#d9480f', '#333333'])
  sheet.box(0, 0, 595, 8, { fill: accent })
  sheet.y = 44
  sheet.put(48, dice.of(['Factura', 'FACTURA']), { size: 24, colour: accent })
  sheet.put(548, seller.name, { size: 11, bold: true, align: 'right' })
  sheet.y += 15
  sheet.lines(548, [`NIF: ${seller.nif}`, seller.street, seller.town], {
    align: 'right',
    size: 8.5,
    colour: '#444444',
  })
  sheet.y += 18
  const top = sheet.y
  sheet.row([[48, dice.of(['Facturado a', 'Cliente', 'Para'])]], { colour: '#777777', size: 8 })
  sheet.row([[48, OWN.name]], { bold: true })
  sheet.lines(48, [OWN.nif, OWN.street, OWN.town])
  sheet.y = top
  sheet.row([
    [340, dice.of(['Número', 'Núm.', 'Nº'])],
    [548, facts.number, 'right'],
  ])
  sheet.row([
    [340, dice.of(['Fecha', 'Fecha de emisión'])],
    [548, day(facts.issueDate), 'right'],
  ])
  if (facts.dueDate)
    sheet.row([
      [340, dice.of(['Vencimiento', 'Fecha vto.', 'Pagar antes de'])],
      [548, day(facts.dueDate), 'right'],
    ])
  sheet.y = top + 95
  sheet.table(
    [
      { x: 48, head: 'CONCEPTO' },
      { x: 330, head: 'PRECIO', align: 'right' },
      { x: 390, head: 'UNIDADES', align: 'right' },
      { x: 470, head: 'SUBTOTAL', align: 'right' },
      { x: 548, head: 'IVA', align: 'right' },
    ],
    facts.items.map(({ text, milli, priceCents, cents, rateBp }) => [
      text, money(priceCents), quantity(milli), money(cents), `${percent(rateBp)}%`,
    ]),
    { step: 22, headStyle: { size: 7, colour: '#777777' }, rules: true },
  ) // prettier-ignore
  sheet.y += 16
  const sum = (label: string, value: string): void =>
    sheet.row(
      [
        [360, label],
        [548, value, 'right'],
      ],
      { step: 17 },
    )
  sum(dice.of(['BASE IMPONIBLE', 'Base imponible', 'Subtotal']), money(basesOf(facts)))
  for (const { rateBp, baseCents, taxCents } of facts.lines)
    sum(
      facts.lines.length > 1 ? `IVA ${percent(rateBp)}% (s/ ${money(baseCents)})` : `IVA ${percent(rateBp)}%`,
      money(taxCents),
    )
  if (facts.withheldBp > 0)
    sum(
      `${dice.of(['Ret. IRPF', 'IRPF', 'Retención'])} ${percent(facts.withheldBp)}%`,
      money(-facts.withheldCents),
    )
  sheet.box(350, sheet.y - 2, 203, 26, { fill: accent })
  sheet.put(360, 'TOTAL', { bold: true, colour: '#ffffff', size: 12, y: sheet.y + 5 })
  sheet.put(548, money(facts.payableCents), {
    bold: true,
    colour: '#ffffff',
    size: 12,
    align: 'right',
    y: sheet.y + 5,
  })
  sheet.y += 48
  sheet.row([[48, dice.of(['Condiciones de pago', 'Pago'])]], { bold: true, size: 8 })
  sheet.lines(48, paymentLines({ sheet, facts, dice, money, day }), { size: 8.5 })
}

/** Many lines over two or three pages, with the sum carried over. */
function carried({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  const perPage = 22
  const pages = Math.ceil(facts.items.length / perPage)
  let sum = 0
  for (let page = 0; page < pages; page++) {
    if (page > 0) sheet.newPage()
    sheet.row(
      [
        [40, seller.name],
        [555, `Factura: ${facts.number}`, 'right'],
      ],
      { bold: true, size: 12, step: 17 },
    )
    sheet.row(
      [
        [40, `${seller.street} - ${seller.town} - NIF ${seller.nif}`],
        [555, `Fecha: ${day(facts.issueDate)}`, 'right'],
      ],
      { size: 8 },
    )
    sheet.row([[555, `Página ${page + 1} de ${pages}`, 'right']], { size: 8, step: 20 })
    if (page === 0) {
      sheet.lines(320, ['Sres.', OWN.name, OWN.street, OWN.town, `NIF: ${OWN.nif}`])
      sheet.y += 12
    }
    sheet.rule(40, 555)
    sheet.y += 5
    if (page > 0)
      sheet.row([
        [300, dice.of(['Suma anterior', 'Viene de la hoja anterior'])],
        [555, money(sum), 'right'],
      ])
    const shown = facts.items.slice(page * perPage, (page + 1) * perPage)
    sheet.table(
      [
        { x: 40, head: 'Código' },
        { x: 90, head: 'Artículo' },
        { x: 350, head: 'Cant.', align: 'right' },
        { x: 420, head: 'Precio', align: 'right' },
        { x: 470, head: 'IVA', align: 'right' },
        { x: 555, head: 'Importe', align: 'right' },
      ],
      shown.map(({ code, text, milli, priceCents, rateBp, cents }) => [
        code, text, quantity(milli), money(priceCents), percent(rateBp), money(cents),
      ]),
      { zebra: '#f2f2f2' },
    ) // prettier-ignore
    sum += shown.reduce((all, { cents }) => all + cents, 0)
    if (page < pages - 1) {
      sheet.y = 760
      sheet.row(
        [
          [380, dice.of(['Suma y sigue', 'Suma y sigue...'])],
          [555, money(sum), 'right'],
        ],
        { bold: true },
      )
    }
  }
  sheet.y = Math.max(sheet.y + 20, 600)
  sheet.rule(40, 555)
  sheet.y += 6
  sheet.row(
    [
      [130, 'Base', 'right'],
      [200, 'Tipo IVA', 'right'],
      [300, 'Cuota', 'right'],
      [555, 'TOTAL FACTURA', 'right'],
    ],
    { bold: true },
  )
  facts.lines.forEach(({ baseCents, rateBp, taxCents }, at) => {
    if (at === 0) sheet.put(555, money(facts.payableCents), { bold: true, size: 13, align: 'right' })
    sheet.row([
      [130, money(baseCents), 'right'],
      [200, `${percent(rateBp)} %`, 'right'],
      [300, money(taxCents), 'right'],
    ])
  })
  sheet.y += 14
  if (facts.dueDate)
    sheet.row([[40, `Vencimientos: ${day(facts.dueDate)} ........ ${money(facts.payableCents)}`]])
  sheet.lines(40, paymentLines({ sheet, facts, dice, money, day }))
}

export const COMPANY_LAYOUTS: Readonly<Record<string, Layout>> = {
  framed: {
    kinds: {
      goods: { ...goods, items: [2, 9], hasDiscounts: true },
      rates,
      surcharge: { rates: [2100, 1000], hasSurcharge: true, items: [3, 6] },
      negative: { rates: [2100], hasNegative: true },
      credit,
    },
    families: ['helvetica', 'times'],
    forms: ['spanish', 'plain', 'euro'],
    days: ['slash', 'dash', 'short'],
    draw: framed,
  },
  needles: {
    kinds: {
      goods: { ...goods, hasDiscounts: true },
      rates,
      negative: { rates: [2100], hasNegative: true },
      credit,
    },
    families: ['courier'],
    forms: ['spanish', 'plain'],
    days: ['short', 'slash'],
    draw: needles,
  },
  spreadsheet: {
    kinds: {
      work: { trade: 'workshop', rates: [2100] },
      professional: { trade: 'advice', rates: [2100], person: true, withheldBp: 1500, items: [1, 3] },
      beginner: { trade: 'advice', rates: [2100], person: true, withheldBp: 700, items: [1, 2] },
    },
    families: ['sans', 'helvetica', 'times'],
    forms: ['euro', 'tight', 'spanish'],
    days: ['slash', 'spanish', 'dot', 'single'],
    draw: spreadsheet,
  },
  airy: {
    kinds: {
      goods,
      rates,
      professional: { trade: 'advice', rates: [2100], person: true, withheldBp: 1500, items: [1, 4] },
    },
    families: ['medium', 'sans'],
    forms: ['tight', 'euro'],
    days: ['slash', 'spoken', 'dash'],
    draw: airy,
  },
  carried: {
    kinds: {
      pages: { rates: [2100, 1000], items: [26, 50] },
      pages1: { rates: [2100], items: [24, 40], hasNegative: true },
    },
    families: ['helvetica', 'sans'],
    forms: ['spanish', 'plain'],
    days: ['slash', 'dot'],
    draw: carried,
  },
}
