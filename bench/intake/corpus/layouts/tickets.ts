/** Layouts of tickets: supermarket, bar, fuel. */
import { OWN } from '../facts.ts'
import { percent, percent2, quantity } from '../forms.ts'
import type { Layout, Scene } from '../scene.ts'
import type { Sheet, TextStyle } from '../sheet.ts'

const MARGIN = 12

/** Writes to both edges of the roll. */
export function ends(sheet: Sheet, left: string, right: string, style: TextStyle = {}): void {
  sheet.row(
    [
      [MARGIN, left],
      [sheet.width - MARGIN, right, 'right'],
    ],
    { step: sheet.size * 1.35 * (style.tall ?? 1), ...style },
  )
}
export function middle(sheet: Sheet, text: string, style: TextStyle = {}): void {
  sheet.row([[sheet.width / 2, text, 'center']], {
    step: (style.size ?? sheet.size) * 1.35 * (style.tall ?? 1),
    ...style,
  })
}
export const dashes = (sheet: Sheet, mark = '-'): void => {
  const count = Math.floor((sheet.width - 2 * MARGIN) / sheet.widthOf(mark))
  sheet.row([[MARGIN, mark.repeat(count)]], { step: sheet.size * 1.3 })
}

export const GROCERY = {
  trade: 'food',
  rates: [1000, 400],
  isGross: true,
  isPaid: true,
  items: [4, 14],
} as const
export const MEAL = { trade: 'bar', rates: [1000], isGross: true, isPaid: true, items: [2, 8] } as const
export const FUEL = {
  trade: 'fuel',
  rates: [2100],
  isGross: true,
  isPaid: true,
  items: [1, 1],
  payments: ['card'],
} as const

/** The taxes below the total, with letters for the rates. */
function grocer({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  sheet.size = 8
  sheet.y = 14
  middle(sheet, seller.name, { bold: true, size: 9 })
  middle(sheet, `${seller.street}`)
  middle(sheet, `${seller.town}`)
  middle(sheet, `${dice.of(['C.I.F.', 'NIF', 'CIF:'])} ${seller.nif}`)
  sheet.y += 6
  ends(sheet, dice.of(['FRA. SIMPLIFICADA:', 'F.SIMPL.', 'FACTURA SIMPLIFICADA']), facts.number)
  ends(
    sheet,
    `${day(facts.issueDate)} ${dice.digits('1#:4#')}`,
    `CAJA ${dice.int(1, 9)} OP ${dice.digits('00##')}`,
  )
  dashes(sheet)
  const letters: Record<number, string> = { 2100: 'C', 1000: 'B', 400: 'A' }
  for (const { text, milli, priceCents, cents, rateBp } of facts.items) {
    ends(sheet, text, `${money(cents)} ${letters[rateBp]}`)
    if (milli !== 1_000) ends(sheet, `   ${quantity(milli)} x ${money(priceCents)}`, '')
  }
  dashes(sheet)
  sheet.y += 2
  ends(sheet, dice.of(['TOTAL', 'TOTAL A PAGAR', 'TOTAL COMPRA']), money(facts.totalCents), {
    bold: true,
    tall: 1.7,
  })
  sheet.y += 2
  if (facts.payment === 'card')
    ends(sheet, dice.of(['TARJETA', 'TARJETA BANCARIA', 'PAGO TARJETA']), money(facts.totalCents))
  else {
    const given = Math.ceil(facts.totalCents / 1000) * 1000
    ends(sheet, dice.of(['EFECTIVO', 'ENTREGADO']), money(given))
    ends(sheet, 'CAMBIO', money(given - facts.totalCents))
  }
  sheet.y += 5
  ends(sheet, dice.of(['IVA      BASE', 'TIPO     B.IMP.']), dice.of(['CUOTA', 'IVA']))
  for (const { rateBp, baseCents, taxCents } of facts.lines)
    ends(
      sheet,
      `${letters[rateBp]} ${percent(rateBp).padStart(2)}%  ${money(baseCents).padStart(8)}`,
      money(taxCents),
    )
  sheet.y += 6
  ends(sheet, `CLIENTE: ${OWN.name.slice(0, 24)}`, '')
  ends(sheet, `NIF: ${OWN.nif}`, '')
  sheet.y += 4
  middle(sheet, 'GRACIAS POR SU VISITA')
  middle(sheet, 'DEVOLUCIONES 15 DIAS CON TICKET', { size: 7 })
}

/** A table of a bar: proportional letters, tax included, one rate. */
function tavern({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  sheet.size = 8.5
  sheet.y = 16
  middle(sheet, seller.name, { bold: true, size: 13 })
  middle(sheet, `${seller.street} - ${seller.town}`, { size: 7.5 })
  middle(sheet, `NIF ${seller.nif}  Tel. ${seller.phone}`, { size: 7.5 })
  sheet.y += 8
  ends(
    sheet,
    `Mesa: ${dice.int(1, 24)}  Comensales: ${dice.int(1, 6)}`,
    `Camarero: ${dice.of(['Toni', 'Marta', '02'])}`,
  )
  ends(sheet, `${dice.of(['Factura simplificada', 'Ticket', 'Nº Fra. Simpl.'])} ${facts.number}`, '')
  ends(sheet, `Fecha ${day(facts.issueDate)}`, dice.digits('1#:3#'))
  if (facts.hasCustomer) ends(sheet, `${OWN.name}`, OWN.nif, { size: 7.5 })
  sheet.y += 3
  sheet.rule(MARGIN, sheet.width - MARGIN)
  sheet.y += 4
  for (const { text, milli, priceCents, cents } of facts.items) {
    sheet.put(MARGIN, quantity(milli))
    sheet.put(MARGIN + 20, text)
    sheet.put(sheet.width - 62, money(priceCents), { align: 'right' })
    ends(sheet, '', money(cents))
  }
  sheet.rule(MARGIN, sheet.width - MARGIN)
  sheet.y += 5
  for (const { rateBp, baseCents, taxCents } of facts.lines) {
    ends(sheet, dice.of(['Base imponible', 'Base Imp.', 'Subtotal']), money(baseCents))
    ends(sheet, `IVA ${percent(rateBp)}%`, money(taxCents))
  }
  sheet.y += 3
  ends(sheet, dice.of(['TOTAL (IVA incluido)', 'TOTAL', 'Total Euros']), money(facts.totalCents), {
    bold: true,
    size: 13,
    tall: 1,
  })
  sheet.y += 4
  middle(
    sheet,
    facts.payment === 'card'
      ? dice.of(['Pagado con TARJETA', 'Cobrado: VISA contactless'])
      : dice.of(['Pagado en EFECTIVO', 'Forma de pago: Efectivo']),
  )
  middle(sheet, dice.of(['IVA INCLUIDO - GRACIAS', '¡Hasta pronto!']))
}

/** A pump: litres with decimals, price with three. */
function pump({ sheet, facts, dice, money, day }: Scene): void {
  const { seller } = facts
  const [item] = facts.items
  const litres = ((item?.cents ?? 0) / (item?.priceCents ?? 1)) * 10
  sheet.size = 8
  sheet.y = 14
  middle(sheet, seller.name.toUpperCase(), { bold: true })
  middle(sheet, `${seller.street.toUpperCase()}`)
  middle(sheet, `${seller.town.toUpperCase()}  TEL ${seller.phone}`, { size: 7 })
  middle(sheet, `NIF:${seller.nif}`)
  sheet.y += 6
  ends(sheet, dice.of(['FACTURA', 'FACTURA SIMPLIF.', 'Nº FACTURA']), facts.number)
  ends(sheet, `FECHA ${day(facts.issueDate)}`, `HORA ${dice.digits('0#:1#')}`)
  ends(sheet, `CLIENTE ${OWN.nif}`, '')
  ends(sheet, OWN.name.toUpperCase(), '')
  ends(sheet, `MATRICULA ${dice.digits('####')}LKD`, `KM ${dice.digits('1#####')}`)
  dashes(sheet, '=')
  ends(sheet, `SURTIDOR ${dice.int(1, 8)}`, item?.text ?? '')
  ends(
    sheet,
    `${litres.toFixed(2).replace('.', ',')} L x ${((item?.priceCents ?? 0) / 1000).toFixed(3).replace('.', ',')} EUR/L`,
    money(item?.cents ?? 0),
  )
  dashes(sheet, '=')
  ends(sheet, dice.of(['TOTAL EUR', 'TOTAL', 'IMPORTE TOTAL']), money(facts.totalCents), {
    bold: true,
    tall: 1.8,
  })
  for (const { rateBp, baseCents, taxCents } of facts.lines) {
    ends(sheet, dice.of(['BASE IMPONIBLE', 'BASE IMP.']), money(baseCents))
    ends(sheet, `IVA ${percent2(rateBp)} %`, money(taxCents))
  }
  sheet.y += 6
  ends(sheet, `TARJETA ${dice.of(['VISA', 'MASTERCARD'])}`, dice.digits('**** **** **** ####'))
  ends(sheet, 'AUTORIZACION', dice.digits('0#####'))
  middle(sheet, 'COPIA PARA EL CLIENTE')
}

export const TICKET_LAYOUTS: Readonly<Record<string, Layout>> = {
  grocer: {
    kinds: { supermarket: GROCERY, supermarket3: { ...GROCERY, rates: [2100, 1000, 400], items: [6, 16] } },
    families: ['courier'],
    forms: ['plain', 'spanish'],
    days: ['slash', 'short', 'dash'],
    roll: 226,
    draw: grocer,
  },
  tavern: {
    kinds: { restaurant: MEAL, lunch: { ...MEAL, items: [1, 4] } },
    families: ['sans', 'helvetica'],
    forms: ['plain', 'tight', 'euro'],
    days: ['slash', 'dash', 'short'],
    roll: 226,
    draw: tavern,
  },
  pump: {
    kinds: { fuel: FUEL },
    families: ['courier'],
    forms: ['plain', 'code'],
    days: ['slash', 'dash'],
    roll: 212,
    draw: pump,
  },
}
