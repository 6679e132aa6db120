/**
 * The mock server's books in Odoo's form: numeric identifiers, `false` for missing values, pairs for links, booked
 * tax lines.
 */
import type { Contact, Doc, ErpBook, Head, Item, Line } from './book.ts'
import { groupsOf, lineNet, rounded, surchargePct, taxOf, totalsOf } from './book.ts'

export type OdooRow = Record<string, unknown>

export interface Company {
  id: number
  name: string
  vat: string | false
}

export const FIRST_ID = { contact: 41, issued: 100_000, received: 600_000, item: 1000 } as const
const EUR = [125, 'EUR']
const USD = [2, 'USD']

interface TaxRow {
  id: number
  name: string
  amount: number
  use: 'sale' | 'purchase'
  group: string
  active: boolean
}

const tax = (
  id: number,
  name: string,
  amount: number,
  use: TaxRow['use'],
  group: string,
  active = true,
): TaxRow => ({
  id,
  name,
  amount,
  use,
  group,
  active,
})

const TAX_ROWS: readonly TaxRow[] = [
  tax(31, '21% S', 21, 'sale', 'IVA 21%'),
  tax(32, '10% S', 10, 'sale', 'IVA 10%'),
  tax(33, '4% S', 4, 'sale', 'IVA 4%'),
  tax(34, '0% EX', 0, 'sale', 'IVA 0%'),
  tax(35, '-15% IRPF', -15, 'sale', 'Retenciones 15%'),
  tax(36, '5.2% RE', 5.2, 'sale', 'Recargo de Equivalencia 5.2%'),
  tax(37, '1.4% RE', 1.4, 'sale', 'Recargo de Equivalencia 1.4%'),
  tax(38, '0.5% RE', 0.5, 'sale', 'Recargo de Equivalencia 0.5%'),
  tax(41, '21% G', 21, 'purchase', 'IVA 21%'),
  tax(42, '10% G', 10, 'purchase', 'IVA 10%'),
  tax(43, '4% G', 4, 'purchase', 'IVA 4%'),
  tax(44, '0% G', 0, 'purchase', 'IVA 0%', false),
  tax(45, '-19% Alq', -19, 'purchase', 'Retenciones 19%'),
  tax(46, '21% ISP', 21, 'purchase', 'IVA 21%'),
]

export const taxRows: readonly OdooRow[] = TAX_ROWS.map(({ id, name, amount, use, group, active }) => ({
  id,
  name,
  amount,
  amount_type: 'percent',
  type_tax_use: use,
  tax_group_id: [id + 100, group],
  children_tax_ids: [],
  company_id: [1, 'Empresa'],
  active,
  write_date: '2026-01-01 08:00:00.000000',
}))

interface LineTaxes {
  vat: number
  surcharge: number | null
  withholding: number | null
}

function taxesOf(line: Line, side: Head['side']): LineTaxes {
  if (line.reverseCharge) return { vat: 46, surcharge: null, withholding: null }
  const base = side === 'issued' ? 31 : 41
  const place = { 21: 0, 10: 1, 4: 2, 0: 3 }[line.vatPct]
  return {
    vat: base + place,
    surcharge: line.surcharge && place < 3 ? 36 + place : null,
    withholding: line.withholdingPct === 0 ? null : base + 4,
  }
}

const orFalse = <T>(value: T | null): T | false => value ?? false

export function partnerRow(contact: Contact): OdooRow {
  const { index, hasAddress, taxId, country } = contact
  return {
    id: FIRST_ID.contact + index,
    name: contact.name,
    vat: taxId === null ? (index % 2 === 0 ? '/' : false) : `${country}${taxId}`,
    street: hasAddress ? `Calle de la Prueba ${index + 1}` : false,
    street2: hasAddress && index % 4 === 0 ? '2.º B' : false,
    zip: hasAddress ? contact.zip : false,
    city: hasAddress ? contact.city : false,
    state_id: hasAddress ? [469, `${contact.city} (ES)`] : false,
    country_code: hasAddress ? country : false,
    email: orFalse(contact.email),
    phone: false,
    is_company: !contact.isPerson,
    customer_rank: contact.isClient ? 3 : 0,
    supplier_rank: contact.isSupplier ? 1 : 0,
    parent_id: false,
    company_id: false,
    active: !contact.archived,
    write_date: contact.changedAt,
  }
}

export function productRow(item: Item): OdooRow {
  return {
    id: FIRST_ID.item + item.index,
    name: item.name,
    default_code: orFalse(item.sku),
    barcode: false,
    type: item.isService ? 'service' : 'consu',
    description_sale: item.index % 2 === 0 ? false : 'De muestra',
    lst_price: item.priceCents / 100,
    list_price: item.priceCents / 100,
    standard_price: (item.costCents ?? 0) / 100,
    currency_id: EUR,
    taxes_id: [{ 21: 31, 10: 32, 4: 33 }[item.vatPct]],
    product_tmpl_id: [FIRST_ID.item + item.index - (item.index % 2), item.name],
    product_template_attribute_value_ids: item.variants > 0 ? [1] : [],
    company_id: false,
    active: !item.archived,
    write_date: item.changedAt,
  }
}

const MOVE_TYPES: Readonly<Record<Head['kind'], string>> = {
  invoice: 'out_invoice',
  receipt: 'out_invoice',
  credit: 'out_refund',
  purchase: 'in_invoice',
  'purchase-refund': 'in_refund',
}
const STATES = { draft: 'draft', approved: 'posted', cancelled: 'cancel' } as const

/** Returns the fields by which document lists are filtered and sorted. */
export function moveHead(head: Head, companies: readonly Company[]): OdooRow {
  return {
    id: FIRST_ID[head.side] + head.index,
    move_type: MOVE_TYPES[head.kind],
    state: STATES[head.state],
    // Every second draft has no day yet.
    invoice_date: head.state === 'draft' && head.index % 40 === 39 ? false : head.date,
    company_id: companies[head.index % companies.length]?.id ?? 1,
    write_date: head.changedAt,
  }
}

const lineId = (doc: Doc, at: number): number => (FIRST_ID[doc.side] + doc.index) * 20 + at

export function moveRow(book: ErpBook, doc: Doc, companies: readonly Company[]): OdooRow {
  const { net, vat, surcharge, withholding, total, pending } = totalsOf(doc)
  const head = moveHead(doc, companies)
  const isReceived = doc.side === 'received'
  const isRefund = doc.kind === 'credit' || doc.kind === 'purchase-refund'
  // In Odoo's own books liabilities are negative.
  const sign = isReceived === isRefund ? 1 : -1
  const taxes = vat + surcharge - withholding
  const euros = (cents: number): number =>
    (sign * rounded(cents * 10_000, Math.round(doc.rate * 10_000))) / 100
  const contact = book.contact(doc.contact)
  const partner = [FIRST_ID.contact + doc.contact, contact.name]
  const company = companies.find(({ id }) => id === head.company_id)
  const isOpen = doc.state === 'approved'
  const number = isReceived ? `BILL/${doc.date.slice(0, 4)}/${doc.index + 1}` : doc.number
  return {
    ...head,
    company_id: [head.company_id, company?.name ?? ''],
    name: doc.state === 'draft' ? (doc.index % 40 === 39 ? false : '/') : orFalse(number),
    payment_state: !isOpen || pending === total ? 'not_paid' : pending === 0 ? 'paid' : 'partial',
    partner_id: partner,
    commercial_partner_id: partner,
    date: doc.date,
    invoice_date_due: orFalse(doc.dueDate),
    currency_id: doc.currency === 'EUR' ? EUR : USD,
    company_currency_id: EUR,
    amount_untaxed: net / 100,
    amount_tax: taxes / 100,
    amount_total: total / 100,
    amount_residual: isOpen ? pending / 100 : 0,
    amount_untaxed_signed: euros(net),
    amount_tax_signed: euros(taxes),
    amount_total_signed: euros(total),
    ref: isReceived ? orFalse(doc.number) : false,
    reversed_entry_id: false,
    invoice_line_ids: doc.lines.map((_line, at) => lineId(doc, at)),
  }
}

/** Returns the lines of sold or bought items, and the tax lines. */
export function lineRows(doc: Doc): OdooRow[] {
  const isOutgoing = (doc.side === 'issued') === (doc.kind !== 'credit' && doc.kind !== 'purchase-refund')
  const move = [FIRST_ID[doc.side] + doc.index, orFalse(doc.number)]
  const products = doc.lines.map((line, at): OdooRow => {
    const { vat, surcharge, withholding } = taxesOf(line, doc.side)
    return {
      id: lineId(doc, at),
      move_id: move,
      sequence: 10,
      display_type: 'product',
      name: line.name,
      quantity: line.units,
      price_unit: line.priceCents / 100,
      discount: line.discountPct,
      tax_ids: [vat, surcharge, withholding].filter((each) => each !== null),
      price_subtotal: lineNet(line) / 100,
      product_id: false,
      tax_line_id: false,
      amount_currency: (isOutgoing ? -1 : 1) * (lineNet(line) / 100),
    }
  })
  const booked = groupsOf(doc).flatMap(({ base, line }): [number, number][] => {
    const { vat, surcharge, withholding } = taxesOf(line, doc.side)
    const amount = taxOf(base, line.vatPct)
    return [
      [vat, amount],
      ...(line.reverseCharge ? [[vat, -amount] as [number, number]] : []),
      ...(surcharge === null
        ? []
        : [[surcharge, taxOf(base, surchargePct(line.vatPct))] as [number, number]]),
      ...(withholding === null ? [] : [[withholding, -taxOf(base, line.withholdingPct)] as [number, number]]),
    ]
  })
  const taxes = booked.map(([id, cents], at): OdooRow => ({
    id: lineId(doc, doc.lines.length + at),
    move_id: move,
    sequence: 100,
    display_type: 'tax',
    name: TAX_ROWS.find((row) => row.id === id)?.name ?? '',
    quantity: 0,
    price_unit: 0,
    discount: 0,
    tax_ids: [],
    price_subtotal: 0,
    product_id: false,
    tax_line_id: [id, ''],
    amount_currency: ((isOutgoing ? -1 : 1) * cents) / 100,
  }))
  return [...products, ...taxes]
}
