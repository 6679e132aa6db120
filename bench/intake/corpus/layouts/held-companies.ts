/** Layouts that are kept for judging, never shown to who improves the reader: companies and professionals. */
import { OWN } from '../facts.ts'
import { percent, percent2, quantity } from '../forms.ts'
import { basesOf, paymentLines, spacedIban, taxesOf } from '../scene.ts'
import type { Layout, Scene } from '../scene.ts'

/** White facts on a dark strip at the left, the table at the right. */
function sidebar({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  const white = { colour: '#ffffff' }
  sheet.box(0, 0, 170, 842, { fill: dice.of(['#1f2a44', '#14532d', '#3b0764']) })
  sheet.y = 50
  for (const word of seller.name.match(/.{1,22}(?: |$)/g) ?? [])
    sheet.row([[20, word.trim()]], { ...white, bold: true, size: 12 })
  sheet.y += 10
  sheet.lines(
    20,
    [`${dice.of(['CIF', 'NIF', 'N.I.F.'])} ${seller.nif}`, seller.street, seller.town, seller.phone],
    { ...white, size: 8 },
  )
  sheet.y += 40
  const fact = (label: string, value: string): void => {
    sheet.row([[20, label.toUpperCase()]], { colour: '#c9d1e5', size: 7, step: 11 })
    sheet.row([[20, value]], { ...white, size: 10.5, step: 24 })
  }
  fact(dice.of(['Factura número', 'Nº de factura', 'Factura']), facts.number)
  fact(dice.of(['Fecha de factura', 'Emitida', 'Fecha']), day(facts.issueDate))
  if (facts.dueDate) fact(dice.of(['Fecha de pago', 'Vencimiento', 'Vence']), day(facts.dueDate))
  sheet.y += 20
  paymentLines({ sheet, facts, dice, money, day }).forEach((line) =>
    sheet.row([[20, line]], { ...white, size: 7.2 }),
  )
  sheet.y = 60
  sheet.row([[200, facts.isCredit ? 'Factura rectificativa' : 'Factura']], { size: 26, step: 44 })
  sheet.row([[200, dice.of(['Para', 'Cliente', 'A la atención de'])]], { colour: '#777777' })
  sheet.lines(200, [OWN.name, `${OWN.street}, ${OWN.town}`, `NIF ${OWN.nif}`])
  sheet.y += 26
  sheet.table(
    [
      { x: 200, head: 'Descripción' },
      { x: 400, head: 'Ud.', align: 'right' },
      { x: 470, head: 'Precio', align: 'right' },
      { x: 555, head: 'Total', align: 'right' },
    ],
    facts.items.map(({ text, milli, priceCents, cents }) => [
      text.slice(0, 32),
      quantity(milli),
      money(priceCents),
      money(cents),
    ]),
    { rules: true, step: 19 },
  )
  sheet.y += 14
  const sum = (label: string, value: string, style = {}): void =>
    sheet.row(
      [
        [330, label],
        [555, value, 'right'],
      ],
      { step: 17, ...style },
    )
  for (const { rateBp, baseCents, taxCents } of facts.lines) {
    sum(
      facts.lines.length > 1
        ? `Base al ${percent(rateBp)} %`
        : dice.of(['Base imponible', 'Total neto', 'Subtotal']),
      money(baseCents),
    )
    sum(
      dice.of([`${percent(rateBp)} % IVA`, `IVA ${percent(rateBp)} %`, `+ IVA (${percent(rateBp)} %)`]),
      money(taxCents),
    )
  }
  if (facts.withheldBp > 0)
    sum(
      dice.of([`− ${percent(facts.withheldBp)} % IRPF`, `Retención ${percent(facts.withheldBp)} %`]),
      money(-facts.withheldCents),
    )
  sheet.rule(330, 555, { weight: 1.5 })
  sheet.y += 6
  sum(dice.of(['Total', 'Total factura', 'Total a pagar']), money(facts.payableCents), {
    bold: true,
    size: 14,
  })
}

/** Lines grouped by delivery notes; the taxes as a sentence for each rate. */
function deliveries({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  sheet.box(40, 36, 250, 78, { stroke: '#000000' })
  sheet.y = 44
  sheet.row([[50, seller.name]], { bold: true, size: 11 })
  sheet.lines(50, [`N.I.F.: ${seller.nif}`, seller.street, `${seller.town}  Tel ${seller.phone}`], {
    size: 8,
  })
  sheet.box(305, 36, 250, 78, { stroke: '#000000' })
  sheet.y = 44
  sheet.lines(315, [OWN.name, OWN.street, OWN.town, `N.I.F.: ${OWN.nif}`])
  sheet.y = 126
  sheet.row(
    [
      [40, dice.of([`${facts.isCredit ? 'Abono' : 'Factura'}: ${facts.number}`, `Número: ${facts.number}`])],
      [230, `Fecha: ${day(facts.issueDate)}`],
      [400, `Cliente: ${dice.digits('####')}`],
      [555, 'Pág. 1/1', 'right'],
    ],
    { bold: true, step: 22 },
  )
  sheet.rule(40, 555)
  sheet.y += 6
  sheet.row(
    [
      [40, 'Artículo'],
      [350, 'Cantidad', 'right'],
      [430, 'Precio', 'right'],
      [480, 'Dto', 'right'],
      [555, 'Neto', 'right'],
    ],
    { bold: true },
  )
  const half = Math.ceil(facts.items.length / 2)
  for (const group of [facts.items.slice(0, half), facts.items.slice(half)].filter(
    (each) => each.length > 0,
  )) {
    sheet.row([[50, `Albarán nº ${dice.digits('A-#####')} de fecha ${day(facts.issueDate)}`]], { size: 8.5 })
    for (const { code, text, milli, priceCents, discountBp, cents } of group)
      sheet.row([
        [40, `${code} ${text}`],
        [350, quantity(milli, 2), 'right'],
        [430, money(priceCents), 'right'],
        [480, discountBp > 0 ? percent(discountBp) : '', 'right'],
        [555, money(cents), 'right'],
      ])
    sheet.row(
      [
        [480, 'Suma albarán', 'right'],
        [555, money(group.reduce((sum, { cents }) => sum + cents, 0)), 'right'],
      ],
      { size: 8.5, step: 18 },
    )
  }
  sheet.y = Math.max(sheet.y + 20, 600)
  sheet.rule(40, 555)
  sheet.y += 6
  for (const line of facts.lines) {
    sheet.row([
      [40, `Base imponible ${money(line.baseCents)}`],
      [240, `IVA ${percent2(line.rateBp)} %`],
      [390, money(line.taxCents), 'right'],
    ])
    if (line.surchargeBp > 0)
      sheet.row([
        [240, `Rec. equiv. ${percent2(line.surchargeBp)} %`],
        [390, money(line.surchargeCents), 'right'],
      ])
  }
  sheet.put(555, dice.of(['Total factura', 'TOTAL EUR', 'Importe a pagar']), { align: 'right', bold: true })
  sheet.y += 15
  sheet.put(555, money(facts.payableCents), { align: 'right', bold: true, size: 14 })
  sheet.y += 30
  if (facts.dueDate) sheet.row([[40, `Vto. ${day(facts.dueDate)}   Importe ${money(facts.payableCents)}`]])
  sheet.lines(40, paymentLines({ sheet, facts, dice, money, day }))
}

/** Catalan, with the facts in one sentence row and the sums in a strip. */
function mercat({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  sheet.put(555, facts.isCredit ? 'ABONAMENT' : 'FACTURA', {
    align: 'right',
    size: 20,
    bold: true,
    colour: '#666666',
  })
  sheet.row([[40, seller.name]], { bold: true, size: 13, step: 18 })
  sheet.row([[40, `${seller.street} - ${seller.town}`]], { size: 8 })
  sheet.row([[40, `Tel. ${seller.phone} - NIF: ${seller.nif}`]], { size: 8, step: 26 })
  sheet.lines(320, [OWN.name, OWN.street, OWN.town, `NIF: ${OWN.nif}`])
  sheet.y += 18
  sheet.box(40, sheet.y - 5, 515, 20, { fill: '#dde8dc' })
  sheet.row(
    [
      [48, `${dice.of(['Factura número', 'Número', 'Núm.'])} ${facts.number}`],
      [230, `${dice.of(['de data', 'Data:'])} ${day(facts.issueDate)}`],
      [400, facts.dueDate ? `${dice.of(['Venciment', 'Venc.:'])} ${day(facts.dueDate)}` : ''],
    ],
    { step: 32 },
  )
  sheet.table(
    [
      { x: 45, head: 'Concepte' },
      { x: 340, head: 'Unitats', align: 'right' },
      { x: 400, head: 'Preu unitat', align: 'right' },
      { x: 460, head: 'IVA', align: 'right' },
      { x: 550, head: 'Import', align: 'right' },
    ],
    facts.items.map(({ text, milli, priceCents, rateBp, cents }) => [
      text,
      quantity(milli),
      money(priceCents),
      `${percent(rateBp)}%`,
      money(cents),
    ]),
  )
  sheet.y = Math.max(sheet.y + 30, 560)
  sheet.box(40, sheet.y - 5, 515, 20, { fill: '#dde8dc' })
  sheet.row(
    [
      [90, 'Tipus IVA', 'right'],
      [190, dice.of(['Base imposable', 'Base']), 'right'],
      [290, dice.of(['Import IVA', 'Quota']), 'right'],
      [550, dice.of(['TOTAL FACTURA', 'Total a pagar', 'TOTAL']), 'right'],
    ],
    { bold: true, step: 20 },
  )
  facts.lines.forEach(({ rateBp, baseCents, taxCents }, at) => {
    if (at === 0) sheet.put(550, money(facts.payableCents), { align: 'right', bold: true, size: 12 })
    sheet.row([
      [90, `${percent(rateBp)} %`, 'right'],
      [190, money(baseCents), 'right'],
      [290, money(taxCents), 'right'],
    ])
  })
  sheet.y += 30
  sheet.lines(40, paymentLines({ sheet, facts, dice, money, day }, dice.of(['ca', 'es'])))
}

const WORKER = {
  es: { title: 'FACTURA', number: 'Factura nº', date: 'Fecha', base: 'Importe bruto', tax: 'IVA', kept: 'Retención IRPF', total: 'Importe líquido', to: 'Cliente', id: 'NIF' },
  gl: { title: 'FACTURA', number: 'Factura núm.', date: 'Data', base: 'Base impoñible', tax: 'IVE', kept: 'Retención IRPF', total: 'Total a cobrar', to: 'Cliente', id: 'NIF' },
  eu: { title: 'FAKTURA', number: 'Faktura zk.', date: 'Data', base: 'Zerga-oinarria', tax: 'BEZ', kept: 'PFEZ atxikipena', total: 'Ordaintzeko guztira', to: 'Bezeroa', id: 'IFZ' },
} // prettier-ignore

/** A self-employed person's text document: name as a head line, labels and values with a tabulator. */
const worker =
  (language: keyof typeof WORKER) =>
  ({ sheet, facts, dice, money, day }: Scene): void => {
    const { seller } = facts
    const label = WORKER[language]
    sheet.size = 11
    sheet.y = 70
    sheet.row([[72, seller.name]], { size: 18, step: 24 })
    sheet.row([[72, `${label.id} ${seller.nif}  |  ${seller.street}  |  ${seller.town}`]], {
      size: 9,
      step: 40,
    })
    sheet.row([[72, label.title]], { bold: true, step: 22 })
    sheet.row([
      [72, `${label.number}`],
      [190, facts.number],
    ])
    sheet.row([
      [72, label.date],
      [190, day(facts.issueDate)],
    ])
    sheet.row([
      [72, label.to],
      [190, OWN.name],
    ])
    sheet.row(
      [
        [72, label.id],
        [190, OWN.nif],
      ],
      { step: 34 },
    )
    for (const { text, cents } of facts.items)
      sheet.row(
        [
          [72, text],
          [520, money(cents), 'right'],
        ],
        { step: 20 },
      )
    sheet.y += 14
    const sum = (text: string, value: string, bold = false): void =>
      sheet.row(
        [
          [300, text],
          [520, value, 'right'],
        ],
        { step: 19, bold },
      )
    sum(label.base, money(basesOf(facts)))
    for (const { rateBp } of facts.lines) sum(`${label.tax} ${percent(rateBp)} %`, money(taxesOf(facts)))
    if (facts.withheldBp > 0) sum(`${label.kept} ${percent(facts.withheldBp)} %`, money(-facts.withheldCents))
    if (facts.suppliedCents > 0)
      sum(
        language === 'es' ? 'Suplidos' : language === 'gl' ? 'Suplidos' : 'Ordaindutakoak (suplidos)',
        money(facts.suppliedCents),
      )
    sum(label.total, money(facts.payableCents), true)
    sheet.y += 24
    sheet.lines(72, paymentLines({ sheet, facts, dice, money, day }, language), { size: 10 })
  }

/** A long list with a sum carried on two pages; sums in a frame on the last. */
function statement({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  const perPage = 30
  const pages = Math.ceil(facts.items.length / perPage)
  const carry = dice.of([
    ['Suma y sigue', 'Suma anterior'],
    ['Total a transportar', 'Transporte'],
    ['Sigue en hoja 2', 'Viene de hoja 1'],
  ] as const)
  let sum = 0
  for (let page = 0; page < pages; page++) {
    if (page > 0) sheet.newPage()
    sheet.row([[555, seller.name, 'right']], { size: 13, bold: true, step: 18 })
    sheet.row([[555, `${seller.street}, ${seller.town} · CIF ${seller.nif}`, 'right']], { size: 8 })
    sheet.row([
      [40, 'Cliente:'],
      [90, OWN.name],
      [300, 'Factura:'],
      [350, facts.number],
      [440, 'Fecha:'],
      [480, day(facts.issueDate)],
    ])
    sheet.row(
      [
        [40, 'CIF:'],
        [90, OWN.nif],
        [300, 'Hoja:'],
        [350, `${page + 1} / ${pages}`],
        [440, facts.dueDate ? 'Vto.:' : ''],
        [480, facts.dueDate ? day(facts.dueDate) : ''],
      ],
      { step: 22 },
    )
    sheet.row(
      [
        [40, 'Uds'],
        [80, 'Descripción'],
        [430, 'Precio', 'right'],
        [480, '% IVA', 'right'],
        [555, 'Importe', 'right'],
      ],
      { bold: true },
    )
    if (page > 0)
      sheet.row([
        [80, carry[1]],
        [555, money(sum), 'right'],
      ])
    for (const { text, milli, priceCents, rateBp, cents } of facts.items.slice(
      page * perPage,
      (page + 1) * perPage,
    )) {
      sheet.row([
        [60, quantity(milli), 'right'],
        [80, text],
        [430, money(priceCents), 'right'],
        [480, percent(rateBp), 'right'],
        [555, money(cents), 'right'],
      ])
      sum += cents
    }
    if (page < pages - 1)
      sheet.row(
        [
          [80, carry[0]],
          [555, money(sum), 'right'],
        ],
        { bold: true },
      )
  }
  sheet.y = 660
  sheet.box(300, sheet.y - 8, 260, 30 + facts.lines.length * 28, { stroke: '#000000' })
  for (const { rateBp, baseCents, taxCents } of facts.lines) {
    sheet.row([
      [310, `Base IVA ${percent(rateBp)} %`],
      [550, money(baseCents), 'right'],
    ])
    sheet.row([
      [310, `Cuota IVA ${percent(rateBp)} %`],
      [550, money(taxCents), 'right'],
    ])
  }
  sheet.row(
    [
      [310, dice.of(['TOTAL FACTURA', 'TOTAL A PAGAR'])],
      [550, money(facts.payableCents), 'right'],
    ],
    { bold: true, size: 11, step: 26 },
  )
  sheet.lines(40, paymentLines({ sheet, facts, dice, money, day }))
}

/** Rent in Catalan, with the property tax passed on. */
function lloguer({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  sheet.y = 50
  sheet.row(
    [
      [50, `Factura ${facts.number}`],
      [545, day(facts.issueDate), 'right'],
    ],
    { bold: true, size: 12, step: 26 },
  )
  sheet.row(
    [
      [50, 'Arrendador'],
      [300, 'Arrendatari'],
    ],
    { bold: true },
  )
  sheet.row([
    [50, seller.name],
    [300, OWN.name],
  ])
  sheet.row([
    [50, `NIF ${seller.nif}`],
    [300, `NIF ${OWN.nif}`],
  ])
  sheet.row(
    [
      [50, `${seller.street}, ${seller.town}`],
      [300, `${OWN.street}, ${OWN.town}`],
    ],
    { step: 30 },
  )
  for (const [at, { cents }] of facts.items.entries())
    sheet.row(
      [
        [60, ['Lloguer mensual del local', 'Despeses de comunitat', 'Repercussió IBI'][at] ?? ''],
        [540, money(cents), 'right'],
      ],
      { step: 18 },
    )
  sheet.y += 8
  sheet.row(
    [
      [60, 'Base imposable'],
      [540, money(basesOf(facts)), 'right'],
    ],
    { step: 18 },
  )
  for (const { rateBp, taxCents } of facts.lines)
    sheet.row(
      [
        [60, `IVA ${percent(rateBp)}%`],
        [540, money(taxCents), 'right'],
      ],
      { step: 18 },
    )
  sheet.row(
    [
      [60, `Retenció ${dice.of(['IRPF', 'I.R.P.F.'])} ${percent(facts.withheldBp)}%`],
      [540, money(-facts.withheldCents), 'right'],
    ],
    { step: 18 },
  )
  sheet.row(
    [
      [60, dice.of(['Total a pagar', 'Líquid a percebre', 'TOTAL REBUT'])],
      [540, money(facts.payableCents), 'right'],
    ],
    { bold: true, step: 30 },
  )
  if (facts.dueDate) sheet.row([[60, `A pagar abans del ${day(facts.dueDate)}`]])
  if (facts.iban) sheet.row([[60, `Transferència al compte ${spacedIban(facts.iban)}`]])
}

const person = {
  trade: 'advice',
  rates: [2100],
  person: true,
  withheldBp: 1500,
  items: [1, 3],
  due: 0,
} as const

export const HELD_COMPANY_LAYOUTS: Readonly<Record<string, Layout>> = {
  sidebar: {
    kinds: {
      goods: { rates: [2100] },
      rates: { rates: [2100, 1000] },
      professional: { ...person, due: 0.7 },
      credit: { rates: [2100], isCredit: true },
    },
    families: ['sans', 'medium'],
    forms: ['euro', 'tight'],
    days: ['slash', 'spoken', 'dot'],
    draw: sidebar,
  },
  deliveries: {
    kinds: {
      goods: { rates: [2100], items: [4, 10], hasDiscounts: true },
      rates: { rates: [2100, 1000], items: [4, 10] },
      surcharge: { rates: [2100], hasSurcharge: true, items: [3, 6] },
      credit: { rates: [2100], isCredit: true },
      negative: { rates: [2100, 1000], hasNegative: true, items: [3, 6] },
    },
    families: ['times', 'helvetica'],
    forms: ['spanish', 'bracket', 'plain'],
    days: ['slash', 'short', 'dash'],
    draw: deliveries,
  },
  mercat: {
    kinds: {
      goods: { rates: [2100] },
      rates: { rates: [2100, 400], items: [3, 7] },
      credit: { rates: [2100], isCredit: true },
    },
    families: ['helvetica', 'sans'],
    forms: ['spanish', 'euro'],
    days: ['slash', 'catalan'],
    draw: mercat,
  },
  worker: {
    kinds: {
      professional: person,
      disbursements: { ...person, isSupplied: true },
      beginner: { ...person, withheldBp: 700 },
    },
    families: ['times', 'helvetica', 'sans'],
    forms: ['euro', 'tight', 'plain'],
    days: ['spanish', 'slash', 'single'],
    draw: worker('es'),
  },
  workerGalician: {
    kinds: { professional: person, disbursements: { ...person, isSupplied: true } },
    families: ['times', 'sans'],
    forms: ['euro', 'spanish'],
    days: ['galician', 'slash'],
    draw: worker('gl'),
  },
  workerBasque: {
    kinds: { professional: person },
    families: ['sans', 'helvetica'],
    forms: ['euro', 'spanish'],
    days: ['isoSlash', 'iso', 'basque'],
    draw: worker('eu'),
  },
  statement: {
    kinds: { pages: { rates: [2100, 1000], items: [34, 52] } },
    families: ['helvetica', 'courier'],
    forms: ['spanish', 'plain'],
    days: ['slash', 'short'],
    draw: statement,
  },
  lloguer: {
    kinds: {
      rent: { trade: 'rent', rates: [2100], withheldBp: 1900, items: [1, 3], payments: ['transfer'] },
    },
    families: ['times', 'sans'],
    forms: ['euro', 'spanish'],
    days: ['slash', 'catalan'],
    draw: lloguer,
  },
}
