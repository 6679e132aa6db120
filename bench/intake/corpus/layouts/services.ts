/** Layouts of services: electricity, telephone, hotel, insurance, rent, professionals. */
import { OWN } from '../facts.ts'
import { percent, percent2, quantity } from '../forms.ts'
import { basesOf, daysAfter, paymentLines } from '../scene.ts'
import type { Layout, Scene } from '../scene.ts'

/** Splits an amount into parts that sum up to it. */
export function partsOf(cents: number, shares: readonly number[]): number[] {
  const whole = shares.reduce((sum, share) => sum + share, 0)
  const parts = shares.map((share) => Math.round((cents * share) / whole))
  const rest = cents - parts.reduce((sum, part) => sum + part, 0)
  parts[0] = (parts[0] ?? 0) + rest
  return parts
}

/** An electricity bill: the sum first, the lines below with their prices, a second page of small print. */
function electricity({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  const accent = dice.of(['#00854a', '#e2571e', '#0a5ea8'])
  const from = daysAfter(facts.issueDate, -34)
  const to = daysAfter(facts.issueDate, -4)
  sheet.margin(
    `${seller.name}. ${seller.street}, ${seller.town}. Inscrita en el R.M., T. ${dice.digits('1#.###')}, F. 12, H. M-${dice.digits('3#####')}. CIF ${seller.nif}`,
  )
  sheet.put(45, seller.name.split(',')[0] ?? '', { size: 17, bold: true, colour: accent })
  sheet.y = 78
  sheet.box(40, 72, 280, 120, { stroke: accent })
  sheet.row([[50, 'DATOS DE LA FACTURA']], { bold: true, colour: accent, step: 18 })
  sheet.row(
    [
      [50, dice.of(['Importe factura:', 'IMPORTE FACTURA:'])],
      [310, money(facts.totalCents), 'right'],
    ],
    { bold: true, size: 12, step: 20 },
  )
  sheet.row([
    [50, dice.of(['Nº factura:', 'Número de factura:'])],
    [310, facts.number, 'right'],
  ])
  sheet.row([
    [50, dice.of(['Fecha emisión:', 'Fecha de emisión de la factura:'])],
    [310, day(facts.issueDate), 'right'],
  ])
  sheet.row([
    [50, 'Periodo de facturación:'],
    [310, `${day(from)} - ${day(to)}`, 'right'],
  ])
  if (facts.dueDate)
    sheet.row([
      [50, dice.of(['Fecha de cargo:', 'Fecha prevista de cargo:'])],
      [310, day(facts.dueDate), 'right'],
    ])
  sheet.y = 92
  sheet.lines(350, [OWN.name, OWN.street, OWN.town])
  sheet.y = 210
  sheet.row([[45, 'RESUMEN DE LA FACTURA']], { bold: true, colour: accent, step: 18 })
  const base = basesOf(facts)
  const texts = [
    `Energía punta ${dice.int(90, 400)} kWh x 0,${dice.digits('1#####')} €/kWh`,
    `Energía llano ${dice.int(90, 400)} kWh x 0,${dice.digits('1#####')} €/kWh`,
    `Energía valle ${dice.int(90, 400)} kWh x 0,0${dice.digits('9####')} €/kWh`,
    `Potencia punta 15,00 kW x 30 días x 0,${dice.digits('08####')} €/kW día`,
    `Potencia valle 15,00 kW x 30 días x 0,${dice.digits('01####')} €/kW día`,
    'Excedentes de reactiva',
    'Financiación bono social 30 días x 0,012742 €/día',
    'Impuesto sobre la electricidad 5,11269632 %',
    'Alquiler de equipos de medida',
  ]
  const parts = partsOf(base, [30, 22, 18, 12, 4, 2, 0.4, 5, 1.2])
  texts.forEach((text, at) =>
    sheet.row(
      [
        [55, text],
        [420, money(parts[at] ?? 0), 'right'],
      ],
      { size: 8.5 },
    ),
  )
  sheet.rule(45, 420)
  sheet.y += 4
  for (const { rateBp, baseCents, taxCents } of facts.lines) {
    sheet.row([
      [55, dice.of(['Importe total', 'Base imponible', 'Total sin impuestos'])],
      [420, money(baseCents), 'right'],
    ])
    sheet.row([
      [
        55,
        dice.of([
          `IVA ${percent(rateBp)} % s/ ${money(baseCents)}`,
          `IVA normal (${percent(rateBp)}%)`,
          `Impuesto de aplicación: IVA ${percent(rateBp)}%`,
        ]),
      ],
      [420, money(taxCents), 'right'],
    ])
  }
  sheet.row(
    [
      [55, dice.of(['TOTAL IMPORTE FACTURA', 'TOTAL A PAGAR', 'Total importe a pagar'])],
      [420, money(facts.totalCents), 'right'],
    ],
    { bold: true, size: 11, step: 26 },
  )
  sheet.row([[45, 'DATOS DEL CONTRATO']], { bold: true, colour: accent })
  sheet.lines(55, [
    `Titular: ${OWN.name}   NIF: ${OWN.nif}`,
    `CUPS: ES00${dice.digits('##############')}JK   Peaje: 2.0TD   Nº contrato: ${dice.digits('2########')}`,
    `Domiciliación: ${dice.digits('ES## 2100 **** **** **** ##')}**`,
  ], { size: 8 }) // prettier-ignore
  sheet.y += 12
  sheet.box(45, sheet.y, 220, 70, { stroke: '#bbbbbb' })
  for (let bar = 0; bar < 12; bar++) {
    const height = dice.int(10, 55)
    sheet.box(55 + bar * 17, sheet.y + 66 - height, 11, height, { fill: accent })
  }
  sheet.y += 80
  sheet.row(
    [
      [
        45,
        `Su consumo medio diario en el periodo facturado ha sido de ${dice.int(2, 9)},${dice.digits('##')} €`,
      ],
    ],
    { size: 7.5 },
  )
  sheet.newPage()
  sheet.row([[45, `INFORMACIÓN PARA EL CONSUMIDOR - Factura ${facts.number}`]], { bold: true })
  for (let paragraph = 0; paragraph < 6; paragraph++)
    sheet.paragraph(
      45,
      `Puede presentar sus reclamaciones en el teléfono gratuito 900 ${dice.digits('### ###')} o por escrito. El mercado de origen de la electricidad se publica en la web de la Comisión Nacional. El precio de los peajes de acceso publicado es de ${dice.int(10, 60)},${dice.digits('##')} € en este periodo, con destino a los costes del sistema.`,
      500,
      { size: 8 },
    )
}

/** A telephone bill: lines by number, the sum in a box. */
function telephone({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  const accent = dice.of(['#7d1fa3', '#0078c8', '#c2185b'])
  sheet.box(0, 0, 595, 56, { fill: accent })
  sheet.put(45, (seller.name.split(/[ ,]/)[0] ?? '').toLowerCase(), {
    size: 24,
    bold: true,
    colour: '#ffffff',
    y: 16,
  })
  sheet.y = 76
  sheet.row(
    [
      [45, OWN.name],
      [350, 'Tu factura'],
    ],
    { bold: true, size: 11, step: 18 },
  )
  sheet.row([
    [45, OWN.street],
    [350, dice.of(['Nº de factura', 'Factura nº', 'Núm. de factura'])],
    [550, facts.number, 'right'],
  ])
  sheet.row([
    [45, OWN.town],
    [350, dice.of(['Fecha de factura', 'Fecha de emisión'])],
    [550, day(facts.issueDate), 'right'],
  ])
  sheet.row([
    [45, `CIF ${OWN.nif}`],
    [350, 'Periodo'],
    [550, `${day(daysAfter(facts.issueDate, -30))} a ${day(daysAfter(facts.issueDate, -1))}`, 'right'],
  ])
  sheet.row([
    [350, 'Nº de cliente'],
    [550, dice.digits('7########'), 'right'],
  ])
  if (facts.dueDate)
    sheet.row([
      [350, dice.of(['Fecha de cargo en cuenta', 'Se cargará el'])],
      [550, day(facts.dueDate), 'right'],
    ])
  sheet.y += 20
  sheet.row([[45, 'Detalle de consumos y cuotas']], { bold: true, colour: accent, step: 18 })
  for (const { text, milli, cents } of facts.items) {
    sheet.row([
      [55, `${text} ${dice.digits('6## ### ###')}`],
      [400, milli === 1000 ? '' : `${quantity(milli)} ud.`, 'right'],
      [550, money(cents), 'right'],
    ])
    sheet.rule(55, 550, { y: sheet.y - 2, weight: 0.2, colour: '#cccccc' })
  }
  sheet.y += 24
  sheet.box(330, sheet.y - 6, 225, 74, { fill: '#f5f0f8' })
  for (const { rateBp, baseCents, taxCents } of facts.lines) {
    sheet.row(
      [
        [340, dice.of(['Total (base imponible)', 'Base imponible', 'Importe sin IVA'])],
        [550, money(baseCents), 'right'],
      ],
      { step: 17 },
    )
    sheet.row(
      [
        [340, dice.of([`IVA (${percent(rateBp)}%)`, `Impuestos (IVA ${percent(rateBp)}%)`])],
        [550, money(taxCents), 'right'],
      ],
      { step: 17 },
    )
  }
  sheet.row(
    [
      [340, dice.of(['Total a pagar', 'TOTAL FACTURA', 'Total a pagar (IVA incl.)'])],
      [550, money(facts.totalCents), 'right'],
    ],
    { bold: true, size: 12, step: 40 },
  )
  sheet.row([[45, `Pago: domiciliación bancaria en la cuenta ${dice.digits('ES## 0182 **** **** ****')}`]])
  sheet.y = 780
  sheet.row([[45, `${seller.name} - NIF ${seller.nif} - ${seller.street}, ${seller.town}`]], {
    size: 7,
    colour: '#555555',
  })
}

/** A folio of a hotel: days, charges, tourist tax. */
function folio({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  sheet.put(297, seller.name, { size: 18, align: 'center', colour: '#5b4a2f' })
  sheet.y += 24
  sheet.row(
    [[297, `${seller.street} · ${seller.town} · Tel. ${seller.phone} · NIF ${seller.nif}`, 'center']],
    { size: 8, step: 30 },
  )
  const arrival = daysAfter(facts.issueDate, -dice.int(1, 4))
  sheet.row([
    [50, dice.of(['FACTURA Nº', 'Factura / Invoice', 'Nº Factura'])],
    [170, facts.number],
    [340, 'Llegada / Arrival'],
    [460, day(arrival)],
  ])
  sheet.row([
    [50, dice.of(['FECHA', 'Fecha / Date'])],
    [170, day(facts.issueDate)],
    [340, 'Salida / Departure'],
    [460, day(facts.issueDate)],
  ])
  sheet.row([
    [50, 'Cliente / Guest'],
    [170, OWN.name],
    [340, 'Habitación / Room'],
    [460, dice.digits('2##')],
  ])
  sheet.row(
    [
      [50, 'NIF / VAT'],
      [170, OWN.nif],
      [340, 'Reserva'],
      [460, dice.digits('8#######')],
    ],
    { step: 28 },
  )
  sheet.table(
    [
      { x: 50, head: 'Fecha' },
      { x: 130, head: 'Concepto / Description' },
      { x: 400, head: 'Cant.', align: 'right' },
      { x: 540, head: 'Importe / Amount', align: 'right' },
    ],
    facts.items.map(({ text, milli, cents }) => [day(arrival), text, quantity(milli), money(cents)]),
    { rules: true },
  )
  if (facts.suppliedCents > 0)
    sheet.row([
      [50, day(arrival)],
      [130, 'Impuesto sobre estancias turísticas (suplido)'],
      [540, money(facts.suppliedCents), 'right'],
    ])
  sheet.y += 24
  sheet.table(
    [
      { x: 330, head: dice.of(['Base imponible', 'Base']), align: 'right' },
      { x: 390, head: '% IVA', align: 'right' },
      { x: 460, head: dice.of(['Cuota', 'Cuota IVA']), align: 'right' },
      { x: 540, head: 'Total', align: 'right' },
    ],
    facts.lines.map(({ baseCents, rateBp, taxCents }) => [
      money(baseCents),
      percent2(rateBp),
      money(taxCents),
      money(baseCents + taxCents),
    ]),
  )
  sheet.y += 8
  if (facts.suppliedCents > 0) {
    sheet.row([
      [460, 'Total factura', 'right'],
      [540, money(facts.totalCents), 'right'],
    ])
    sheet.row([
      [460, 'Suplidos', 'right'],
      [540, money(facts.suppliedCents), 'right'],
    ])
  }
  sheet.row(
    [
      [460, dice.of(['TOTAL A PAGAR', 'TOTAL EUR', 'IMPORTE TOTAL']), 'right'],
      [540, money(facts.payableCents), 'right'],
    ],
    { bold: true, size: 12, step: 26 },
  )
  sheet.lines(50, paymentLines({ sheet, facts, dice, money, day }))
}

/** The receipt of an insurance: exempt, with its parts. */
function policy({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  sheet.box(40, 36, 515, 46, { fill: '#12355b' })
  sheet.put(52, seller.name.split(',')[0] ?? '', { size: 16, bold: true, colour: '#ffffff', y: 50 })
  sheet.y = 100
  sheet.row([[45, dice.of(['RECIBO DE SEGURO', 'FACTURA - RECIBO DE PRIMA', 'AVISO DE PAGO DE PRIMA'])]], {
    bold: true,
    size: 12,
    step: 24,
  })
  sheet.row([
    [45, 'Tomador'],
    [150, OWN.name],
    [350, 'Póliza nº'],
    [550, dice.digits('0#-#######'), 'right'],
  ])
  sheet.row([
    [45, 'NIF'],
    [150, OWN.nif],
    [350, dice.of(['Recibo nº', 'Nº de recibo'])],
    [550, facts.number, 'right'],
  ])
  sheet.row([
    [45, 'Domicilio'],
    [150, `${OWN.street}, ${OWN.town}`],
    [350, dice.of(['Fecha de emisión', 'Emitido el'])],
    [550, day(facts.issueDate), 'right'],
  ])
  sheet.row(
    [
      [45, 'Ramo'],
      [150, dice.of(['Multirriesgo industrial', 'Responsabilidad civil', 'Vehículos'])],
      [350, 'Duración del seguro'],
      [550, `${day(facts.issueDate)} - ${day(daysAfter(facts.issueDate, 365))}`, 'right'],
    ],
    { size: 8 },
  )
  if (facts.dueDate)
    sheet.row([
      [350, dice.of(['Fecha de cargo', 'Se cargará el'])],
      [550, day(facts.dueDate), 'right'],
    ])
  sheet.y += 26
  const [net = 0, tax = 0, consortium = 0] = partsOf(facts.totalCents, [100, 8, 0.9])
  const rows: [string, number][] = [
    ['Prima neta', net],
    ['Impuesto s/ primas de seguro (8 %)', tax],
    ['Recargo Consorcio de Compensación de Seguros', consortium],
  ]
  for (const [label, cents] of rows)
    sheet.row(
      [
        [60, label],
        [400, money(cents), 'right'],
      ],
      { step: 17 },
    )
  sheet.rule(60, 400)
  sheet.y += 5
  sheet.row(
    [
      [60, dice.of(['PRIMA TOTAL', 'TOTAL RECIBO', 'Importe total a pagar'])],
      [400, money(facts.totalCents), 'right'],
    ],
    { bold: true, size: 11, step: 34 },
  )
  sheet.lines(45, paymentLines({ sheet, facts, dice, money, day }))
  sheet.paragraph(
    45,
    'Operación exenta de IVA conforme al artículo 20.Uno.16º de la Ley 37/1992. El impuesto sobre las primas de seguros se ingresa en el Tesoro Público.',
    500,
    { size: 8 },
  )
  sheet.y = 790
  sheet.row([[45, `${seller.name} · ${seller.street}, ${seller.town} · NIF ${seller.nif}`]], { size: 7 })
}

/** Rent with costs: three lines, 19 % withheld. */
function lease({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  sheet.y = 60
  sheet.row([[60, seller.name]], { bold: true, size: 12 })
  sheet.lines(60, [`${dice.of(['C.I.F.', 'NIF:'])} ${seller.nif}`, seller.street, seller.town])
  sheet.y += 12
  sheet.lines(340, [OWN.name, `N.I.F. ${OWN.nif}`, OWN.street, OWN.town])
  sheet.y += 22
  sheet.row(
    [
      [
        60,
        dice.of([
          `FACTURA Nº ${facts.number}`,
          `Factura número: ${facts.number}`,
          `Recibo-factura nº ${facts.number}`,
        ]),
      ],
      [340, dice.of([`Fecha: ${day(facts.issueDate)}`, `En Zaragoza, a ${day(facts.issueDate)}`])],
    ],
    { bold: true, step: 26 },
  )
  sheet.paragraph(
    60,
    `Arrendamiento del local sito en ${OWN.street}, según contrato de fecha 01/03/2021, correspondiente al mes en curso. Referencia catastral ${dice.digits('#######')}XM7117S0001.`,
    470,
  )
  sheet.y += 12
  for (const { text, cents } of facts.items)
    sheet.row(
      [
        [80, text],
        [480, money(cents), 'right'],
      ],
      { step: 18 },
    )
  sheet.rule(80, 480)
  sheet.y += 6
  sheet.row(
    [
      [80, dice.of(['Base imponible', 'Suma', 'Total base'])],
      [480, money(basesOf(facts)), 'right'],
    ],
    { step: 18 },
  )
  for (const { rateBp, taxCents } of facts.lines)
    sheet.row(
      [
        [80, `${dice.of(['I.V.A.', 'Más IVA'])} ${percent(rateBp)} %`],
        [480, money(taxCents), 'right'],
      ],
      { step: 18 },
    )
  if (facts.withheldBp > 0)
    sheet.row(
      [
        [
          80,
          `${dice.of(['Retención I.R.P.F.', 'Menos retención', 'Ret. capital inmobiliario'])} ${percent(facts.withheldBp)} %`,
        ],
        [480, money(-facts.withheldCents), 'right'],
      ],
      { step: 18 },
    )
  sheet.row(
    [
      [80, dice.of(['TOTAL RECIBO', 'LÍQUIDO A PAGAR', 'Total a ingresar'])],
      [480, money(facts.payableCents), 'right'],
    ],
    { bold: true, size: 11, step: 32 },
  )
  if (facts.dueDate)
    sheet.row([[60, `${dice.of(['A pagar antes del', 'Fecha límite de pago:'])} ${day(facts.dueDate)}`]])
  sheet.lines(60, paymentLines({ sheet, facts, dice, money, day }))
}

/** A lawyer's fee note: fees, disbursements, advance received. */
function feeNote({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  sheet.y = 56
  sheet.row([[297, seller.name.toUpperCase(), 'center']], { size: 14, step: 20 })
  sheet.row(
    [[297, dice.of(['ABOGADOS', 'PROCURADOR DE LOS TRIBUNALES', 'ASESORES TRIBUTARIOS']), 'center']],
    { size: 8, step: 16 },
  )
  sheet.row([[297, `${seller.street} · ${seller.town} · N.I.F. ${seller.nif}`, 'center']], {
    size: 8,
    step: 28,
  })
  sheet.row(
    [
      [
        60,
        dice.of([
          `FACTURA NÚM. ${facts.number}`,
          `Minuta nº ${facts.number}`,
          `Nota de honorarios - factura ${facts.number}`,
        ]),
      ],
      [530, day(facts.issueDate), 'right'],
    ],
    { bold: true, step: 24 },
  )
  sheet.lines(60, [
    `Cliente: ${OWN.name}`,
    `N.I.F.: ${OWN.nif}`,
    `Asunto: reclamación de cantidad, autos ${dice.digits('1##/2026')}`,
  ])
  sheet.y += 20
  sheet.row([[60, 'HONORARIOS']], { bold: true })
  for (const { text, cents } of facts.items)
    sheet.row(
      [
        [80, text],
        [530, money(cents), 'right'],
      ],
      { step: 17 },
    )
  sheet.y += 6
  sheet.row(
    [
      [80, dice.of(['Total honorarios (base imponible)', 'Base imponible'])],
      [530, money(basesOf(facts)), 'right'],
    ],
    { step: 17 },
  )
  for (const { rateBp, taxCents } of facts.lines)
    sheet.row(
      [
        [80, `IVA al ${percent(rateBp)} %`],
        [530, money(taxCents), 'right'],
      ],
      { step: 17 },
    )
  if (facts.withheldBp > 0)
    sheet.row(
      [
        [
          80,
          dice.of([
            `Retención a cuenta IRPF ${percent(facts.withheldBp)} %`,
            `IRPF ${percent(facts.withheldBp)} %`,
          ]),
        ],
        [530, money(-facts.withheldCents), 'right'],
      ],
      { step: 17 },
    )
  if (facts.suppliedCents > 0) {
    sheet.y += 6
    sheet.row([[60, dice.of(['SUPLIDOS', 'GASTOS SUPLIDOS (no sujetos a IVA)'])]], { bold: true })
    sheet.row(
      [
        [80, dice.of(['Tasas y aranceles del Registro', 'Notaría, copia de escritura'])],
        [530, money(facts.suppliedCents), 'right'],
      ],
      { step: 17 },
    )
    sheet.row(
      [
        [80, 'Total suplidos'],
        [530, money(facts.suppliedCents), 'right'],
      ],
      { step: 17 },
    )
  }
  if (facts.prepaidCents > 0)
    sheet.row(
      [
        [80, dice.of(['Provisión de fondos recibida', 'A deducir: provisión de fondos'])],
        [530, money(-facts.prepaidCents), 'right'],
      ],
      { step: 17 },
    )
  sheet.rule(80, 530)
  sheet.y += 6
  sheet.row(
    [
      [80, dice.of(['TOTAL A PAGAR', 'LÍQUIDO A PERCIBIR', 'SALDO A NUESTRO FAVOR'])],
      [530, money(facts.payableCents), 'right'],
    ],
    { bold: true, size: 11, step: 34 },
  )
  sheet.lines(60, paymentLines({ sheet, facts, dice, money, day }))
  if (facts.dueDate) sheet.row([[60, `Vencimiento: ${day(facts.dueDate)}`]])
}

const debit = { payments: ['direct_debit'] } as const
const fees = { trade: 'advice', rates: [2100], person: true, withheldBp: 1500, items: [1, 3] } as const
const BILL_NUMBERS = ['FE261370########', 'P1M601N#######', '28-I6-#########', '010260########', '2026##########'] // prettier-ignore

export const SERVICE_LAYOUTS: Readonly<Record<string, Layout>> = {
  electricity: {
    kinds: {
      electricity: { trade: 'power', rates: [2100], items: [3, 3], due: 1, numbers: BILL_NUMBERS, ...debit },
    },
    families: ['sans', 'helvetica'],
    forms: ['euro', 'tight'],
    days: ['slash', 'dot', 'spanish'],
    draw: electricity,
  },
  telephone: {
    kinds: {
      telephone: { trade: 'phone', rates: [2100], items: [2, 7], due: 0.8, numbers: BILL_NUMBERS, ...debit },
    },
    families: ['medium', 'helvetica'],
    forms: ['euro', 'spanish', 'tight'],
    days: ['slash', 'dash'],
    draw: telephone,
  },
  folio: {
    kinds: {
      hotel: { trade: 'hotel', rates: [1000], isPaid: true, payments: ['card'] },
      hotelTax: { trade: 'hotel', rates: [1000], isPaid: true, payments: ['card'], isSupplied: true },
    },
    families: ['times', 'sans'],
    forms: ['spanish', 'euro'],
    days: ['slash', 'dash', 'short'],
    draw: folio,
  },
  policy: {
    kinds: {
      insurance: {
        trade: 'insurance',
        rates: [0],
        untaxed: 'exempt',
        items: [1, 1],
        due: 0.6,
        numbers: ['00#######', '##/#######-#'],
        ...debit,
      },
    },
    families: ['helvetica', 'sans'],
    forms: ['euro', 'spanish'],
    days: ['slash', 'dash'],
    draw: policy,
  },
  lease: {
    kinds: {
      rent: {
        trade: 'rent',
        rates: [2100],
        withheldBp: 1900,
        items: [1, 3],
        payments: ['transfer', 'direct_debit'],
      },
      rentPlain: { trade: 'rent', rates: [2100], items: [1, 2] },
    },
    families: ['times', 'helvetica', 'courier'],
    forms: ['euro', 'spanish', 'tight'],
    days: ['slash', 'spanish', 'dot'],
    draw: lease,
  },
  feeNote: {
    kinds: {
      fees,
      disbursements: { ...fees, isSupplied: true },
      prepaid: { ...fees, isPrepaid: true },
      beginner: { ...fees, withheldBp: 700, isSupplied: true },
    },
    families: ['times', 'sans'],
    forms: ['euro', 'spanish'],
    days: ['spanish', 'slash', 'abbreviated'],
    draw: feeNote,
  },
}
