/** Layouts of companies and professionals in Catalan, Galician and Basque. */
import { OWN } from '../facts.ts'
import { percent, percent2, quantity } from '../forms.ts'
import { paymentLines } from '../scene.ts'
import type { Layout, Scene } from '../scene.ts'

const goods = { rates: [2100] }
const rates = { rates: [2100, 1000], items: [3, 9] } as const
const credit = { rates: [2100], isCredit: true, due: 0, items: [1, 3] } as const

/** Catalan: two columns of small labels above their values. */
function catalanGrid({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  sheet.box(40, 40, 36, 36, { fill: '#8a1538' })
  sheet.put(58, seller.name.slice(0, 1), { size: 22, bold: true, colour: '#ffffff', align: 'center', y: 45 })
  sheet.put(86, seller.name, { size: 14, bold: true, y: 44 })
  sheet.put(86, `${seller.street} · ${seller.town} · NIF ${seller.nif}`, { size: 7.5, y: 64 })
  sheet.y = 96
  sheet.row([[40, facts.isCredit ? 'FACTURA RECTIFICATIVA' : 'FACTURA']], { size: 16, step: 26 })
  const pairs: [string, string][] = [
    [dice.of(['Núm. factura', 'Factura núm.']), facts.number],
    [dice.of(['Data factura', 'Data d’expedició', 'Data']), day(facts.issueDate)],
    [dice.of(['Venciment', 'Data venciment']), facts.dueDate ? day(facts.dueDate) : ''],
    ['Client', OWN.name],
    ['NIF client', OWN.nif],
  ]
  pairs.filter(([, value]) => value !== '').forEach(([label, value], at) => {
    const x = 40 + (at % 3) * 175
    const y = sheet.y + Math.floor(at / 3) * 32
    sheet.put(x, label, { size: 7, colour: '#8a1538', y })
    sheet.put(x, value, { size: 10, y: y + 10 })
  }) // prettier-ignore
  sheet.y += 84
  sheet.table(
    [
      { x: 45, head: 'Descripció' },
      { x: 370, head: 'Quantitat', align: 'right' },
      { x: 450, head: 'Preu', align: 'right' },
      { x: 550, head: dice.of(['Import', 'Total']), align: 'right' },
    ],
    facts.items.map(({ text, milli, priceCents, cents }) => [
      text,
      quantity(milli),
      money(priceCents),
      money(cents),
    ]),
    { zebra: '#f7eef1' },
  )
  sheet.y += 20
  sheet.table(
    [
      { x: 200, head: 'Base imposable', align: 'right' },
      { x: 270, head: '% IVA', align: 'right' },
      { x: 360, head: 'Quota IVA', align: 'right' },
    ],
    facts.lines.map(({ baseCents, rateBp, taxCents }) => [
      money(baseCents),
      percent2(rateBp),
      money(taxCents),
    ]),
  )
  if (facts.withheldBp > 0)
    sheet.row([
      [270, `Retenció IRPF ${percent(facts.withheldBp)} %`, 'right'],
      [360, money(-facts.withheldCents), 'right'],
    ])
  sheet.y += 8
  sheet.row(
    [
      [430, dice.of(['TOTAL FACTURA', 'TOTAL A PAGAR', 'Import total']), 'right'],
      [550, money(facts.payableCents), 'right'],
    ],
    { bold: true, size: 12 },
  )
  sheet.y += 20
  sheet.lines(40, paymentLines({ sheet, facts, dice, money, day }, 'ca'))
}

/** Galician: the facts in a column at the right edge. */
function galicianSide({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  sheet.box(400, 0, 196, 842, { fill: '#eef3f8' })
  sheet.y = 60
  sheet.row([[50, seller.name]], { size: 13, bold: true, step: 18 })
  sheet.lines(50, [`NIF ${seller.nif}`, seller.street, seller.town])
  sheet.y += 20
  sheet.row([[50, dice.of(['Facturado a:', 'Cliente:'])]], { colour: '#666666' })
  sheet.lines(50, [OWN.name, `NIF ${OWN.nif}`, OWN.street, OWN.town])
  const side = (label: string, value: string, y: number, bold = false): void => {
    sheet.put(412, label, { y, size: 7.5, colour: '#555555' })
    sheet.put(412, value, { y: y + 11, size: bold ? 13 : 10, bold })
  }
  side(dice.of(['Factura nº', 'Número de factura']), facts.number, 60)
  side(dice.of(['Data de emisión', 'Data da factura']), day(facts.issueDate), 92)
  if (facts.dueDate) side(dice.of(['Vencemento', 'Data de vencemento']), day(facts.dueDate), 124)
  let y = 220
  for (const { rateBp, baseCents, taxCents } of facts.lines) {
    side(`Base impoñible ${percent(rateBp)} %`, money(baseCents), y)
    side(`IVE ${percent(rateBp)} %`, money(taxCents), y + 32)
    y += 64
  }
  if (facts.withheldBp > 0) {
    side(`Retención IRPF ${percent(facts.withheldBp)} %`, money(-facts.withheldCents), y)
    y += 32
  }
  side(dice.of(['Total a pagar', 'TOTAL FACTURA']), money(facts.payableCents), y + 6, true)
  sheet.y = 220
  sheet.table(
    [
      { x: 50, head: 'Concepto' },
      { x: 280, head: 'Cant.', align: 'right' },
      { x: 380, head: 'Importe', align: 'right' },
    ],
    facts.items.map(({ text, milli, cents }) => [text, quantity(milli), money(cents)]),
    { rules: true, step: 20 },
  )
  sheet.y += 30
  sheet.lines(50, paymentLines({ sheet, facts, dice, money, day }, 'gl'))
}

/** Basque and Spanish side by side, as in Gipuzkoa. */
function bilingual({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  sheet.row([[297, seller.name, 'center']], { size: 16, bold: true, step: 20 })
  sheet.row([[297, `${seller.street} - ${seller.town} - Tel. ${seller.phone}`, 'center']], { size: 8 })
  sheet.row([[297, `IFK/CIF: ${seller.nif}`, 'center']], { size: 8, step: 24 })
  sheet.rule(40, 555, { weight: 1.2 })
  sheet.y += 10
  sheet.row([
    [40, 'Bezeroa / Cliente'],
    [330, 'Faktura zk. / Nº factura'],
    [555, facts.number, 'right'],
  ])
  sheet.row([
    [40, OWN.name],
    [330, 'Data / Fecha'],
    [555, day(facts.issueDate), 'right'],
  ])
  sheet.row([
    [40, OWN.street],
    [330, facts.dueDate ? 'Epemuga / Vencimiento' : ''],
    [555, facts.dueDate ? day(facts.dueDate) : '', 'right'],
  ])
  sheet.row([[40, `${OWN.town}   IFK/CIF ${OWN.nif}`]], { step: 26 })
  sheet.table(
    [
      { x: 40, head: 'Azalpena / Concepto' },
      { x: 340, head: 'Kop. / Cant.', align: 'right' },
      { x: 440, head: 'Prezioa / Precio', align: 'right' },
      { x: 555, head: 'Zenbatekoa / Importe', align: 'right' },
    ],
    facts.items.map(({ text, milli, priceCents, cents }) => [
      text,
      quantity(milli),
      money(priceCents),
      money(cents),
    ]),
    { headStyle: { size: 8, bold: true } },
  )
  sheet.y += 20
  for (const { rateBp, baseCents, taxCents } of facts.lines) {
    sheet.row([
      [430, 'Oinarria / Base imponible', 'right'],
      [555, money(baseCents), 'right'],
    ])
    sheet.row([
      [430, `BEZ / IVA % ${percent(rateBp)}`, 'right'],
      [555, money(taxCents), 'right'],
    ])
  }
  if (facts.withheldBp > 0)
    sheet.row([
      [430, `PFEZ / IRPF % ${percent(facts.withheldBp)}`, 'right'],
      [555, money(-facts.withheldCents), 'right'],
    ])
  sheet.rule(330, 555)
  sheet.y += 4
  sheet.row(
    [
      [430, 'GUZTIRA / TOTAL', 'right'],
      [555, money(facts.payableCents), 'right'],
    ],
    { bold: true, size: 12, step: 30 },
  )
  sheet.lines(40, paymentLines({ sheet, facts, dice, money, day }, dice.of(['eu', 'es'])))
}

export const REGIONAL_LAYOUTS: Readonly<Record<string, Layout>> = {
  catalanGrid: {
    kinds: {
      goods,
      rates,
      credit,
      professional: { trade: 'advice', rates: [2100], withheldBp: 1500, person: true },
    },
    families: ['helvetica', 'sans'],
    forms: ['euro', 'spanish', 'code'],
    days: ['slash', 'catalan'],
    draw: catalanGrid,
  },
  galicianSide: {
    kinds: {
      goods,
      work: { trade: 'workshop', rates: [2100], items: [1, 4] },
      professional: { trade: 'advice', rates: [2100], withheldBp: 1500, person: true },
    },
    families: ['sans', 'times'],
    forms: ['euro', 'tight'],
    days: ['slash', 'galician'],
    draw: galicianSide,
  },
  bilingual: {
    kinds: { goods, rates, professional: { trade: 'advice', rates: [2100], withheldBp: 1500, person: true } },
    families: ['helvetica', 'medium'],
    forms: ['spanish', 'euro'],
    days: ['slash', 'isoSlash'],
    draw: bilingual,
  },
}
