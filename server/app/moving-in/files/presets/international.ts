/** Layouts of Odoo, Stripe and Shopify. */
import type { Cell } from '../../../../platform/spreadsheets/cells.ts'
import { readNumber, textOf } from '../../../../platform/spreadsheets/values.ts'
import type { Preset } from './preset.ts'

const ODOO_SOURCE =
  'Odoo, addons/account/models/account_move.py (labels of account.move); Spanish labels as public programs read them from exports'
const ODOO_FIELDS = {
  number: 'Number|Número|name',
  date: 'Invoice/Bill Date|Fecha de factura|Fecha de factura/recibo|invoice_date',
  dueDate: 'Due Date|Fecha de vencimiento|invoice_date_due',
  nif: 'Partner/Tax ID|Contacto/NIF|Tax ID|NIF|partner_id/vat',
  country: 'Partner/Country|Partner/Country/Country Code|Contacto/País|partner_id/country_id',
  base: 'Untaxed Amount Signed|Importe sin impuestos firmado|amount_untaxed_signed',
  tax: 'Tax Signed|Impuesto firmado|amount_tax_signed',
  total: 'Total Signed|Total firmado|amount_total_signed',
  open: 'Amount Due Signed|Importe pendiente firmado|amount_residual_signed',
  state: 'Payment Status|Estado de pago|payment_state',
  kind: 'Type|Tipo|move_type',
  externalRef: 'Reference|Referencia|ref',
}
const ODOO_NEEDS = [
  'Number|Número|name',
  'Invoice/Bill Date|Fecha de factura|invoice_date',
  'Untaxed Amount Signed|Importe sin impuestos firmado|amount_untaxed_signed',
  'Total Signed|Total firmado|amount_total_signed',
]

const rateIn = (text: string): number | null => {
  const found = /(\d{1,2}(?:[.,]\d{1,2})?)\s*%/.exec(text)
  return found ? Number((found[1] ?? '').replace(',', '.')) : null
}

/**
 * Shopify names each tax with its rate (`IVA 21%`), and its total includes it: with a single tax the base is the total
 * without it. The subtotal is before shipping, which is taxed too.
 */
function amendOrder(cells: Cell[], columns: Readonly<Record<string, number>>): void {
  const text = (field: string): string => {
    const at = columns[field]
    return at === undefined ? '' : textOf(cells[at] ?? null)
  }
  const at = columns.rate
  if (at === undefined) return
  const rate = rateIn(text('rate'))
  cells[at] = rate === null ? null : rate
  // Further taxes make the bases unknown: the total and the VAT together then match no rate.
  const [total, taxes] = [readNumber(text('total'), '.'), readNumber(text('tax'), '.')]
  if (total === null || taxes === null || columns.base === undefined) return
  cells[columns.base] = Math.round((total - taxes) * 100) / 100
}

export const INTERNATIONAL: readonly Preset[] = [
  {
    id: 'odoo-invoices',
    program: 'Odoo',
    side: 'issued',
    sure: 'published',
    source: ODOO_SOURCE,
    needs: ODOO_NEEDS,
    fields: {
      ...ODOO_FIELDS,
      name: 'Invoice Partner Display Name|Contacto|Nombre de la empresa mostrado en la factura|Partner|Customer|invoice_partner_display_name',
    },
  },
  {
    id: 'odoo-bills',
    program: 'Odoo',
    side: 'received',
    sure: 'published',
    source: ODOO_SOURCE,
    needs: ODOO_NEEDS,
    fields: {
      ...ODOO_FIELDS,
      reception: 'Number|Número|name',
      // A bill has the supplier's number as its reference.
      number: 'Reference|Referencia|ref',
      externalRef: '',
      name: 'Invoice Partner Display Name|Contacto|Partner|Vendor|invoice_partner_display_name',
    },
    rules: { negativeReceived: true },
  },
  {
    id: 'stripe-invoices',
    program: 'Stripe',
    side: 'issued',
    sure: 'believed',
    source:
      'Stripe exports its invoices as CSV (docs.stripe.com/invoicing/dashboard/manage-invoices); the page does not name the columns',
    needs: ['Number', 'Date (UTC)', 'Amount Due', 'Subtotal', 'Total', 'Currency', 'Status|Paid'],
    fields: {
      externalRef: 'id',
      number: 'Number',
      date: 'Date (UTC)',
      dueDate: 'Due Date (UTC)',
      name: 'Customer Name',
      otherName: 'Customer Email|Customer Description|Customer',
      nif: 'Customer Tax ID|Customer Vat Number|Tax ID',
      country: 'Customer Address Country|Customer Country',
      street: 'Customer Address Line1',
      city: 'Customer Address City',
      postalCode: 'Customer Address Postal Code',
      currency: 'Currency',
      base: 'Subtotal',
      rate: 'Tax Percent',
      tax: 'Tax',
      total: 'Total',
      state: 'Status',
      open: 'Amount Remaining',
    },
  },
  {
    id: 'shopify-orders',
    program: 'Shopify',
    side: 'issued',
    sure: 'reader',
    source:
      'Shopify, “Order CSV column descriptions” (help.shopify.com/manual/migrating-to-shopify/transporter-app/csv-orders), and the header that several public programs read',
    needs: ['Name', 'Financial Status', 'Subtotal', 'Taxes', 'Total', 'Created at', 'Lineitem quantity'],
    fields: {
      number: 'Name',
      date: 'Created at',
      state: 'Financial Status',
      currency: 'Currency',
      name: 'Billing Company',
      otherName: 'Billing Name',
      street: 'Billing Address1|Billing Street',
      city: 'Billing City',
      postalCode: 'Billing Zip',
      province: 'Billing Province Name|Billing Province',
      country: 'Billing Country',
      base: 'Subtotal',
      rate: 'Tax 1 Name',
      tax: 'Taxes',
      total: 'Total',
      externalRef: 'Id',
      open: 'Outstanding Balance',
    },
    rules: { areOrders: true, amend: amendOrder },
  },
]
