/** Fields of the lists of balances, with the titles that programs give them. */
import { textOf } from '../../../platform/spreadsheets/values.ts'
import type { Cell } from '../../../platform/spreadsheets/cells.ts'
import { foldedTitle } from '../files/titles.ts'

export type BalanceContent = 'receivable' | 'payable' | 'bank_balances' | 'trial_balance'

interface ListField {
  name: string
  required?: true
  reads?: 'number' | 'day'
  titles: readonly string[]
}

const field = (
  name: string,
  titles: string,
  more: Pick<ListField, 'required' | 'reads'> = {},
): ListField => ({
  name,
  ...more,
  titles: titles.split('|').map(foldedTitle),
})
const NUMBER = { reads: 'number' } as const
const DAY = { reads: 'day' } as const
const REQUIRED = { required: true } as const

const open = (party: string, due: string): ListField[] => [
  field(
    'number',
    'número de factura|nº factura|núm. factura|num factura|factura|número|documento|nº documento|number|invoice number|referencia',
    REQUIRED,
  ),
  field('name', party, REQUIRED),
  field('nif', 'nif|cif|nif/cif|cif/nif|nif cliente|nif proveedor|tax id|vat number|dni'),
  field('country', 'país|código país|cod. país|country|country code'),
  field('issueDate', 'fecha de factura|fecha factura|fecha emisión|fecha|invoice date|date', DAY),
  field('dueDate', 'vencimiento|fecha vencimiento|fecha de vencimiento|due date|vto', DAY),
  field('total', 'total|importe total|total factura|importe|importe factura|amount', NUMBER),
  field('open', due, { ...REQUIRED, ...NUMBER }),
]

const FIELDS: Record<BalanceContent, readonly ListField[]> = {
  receivable: open(
    'cliente|nombre cliente|deudor|customer|razón social|nombre',
    'pendiente|importe pendiente|saldo pendiente|pendiente de cobro|amount due|open amount|saldo',
  ),
  payable: open(
    'proveedor|acreedor|nombre proveedor|supplier|vendor|razón social|nombre',
    'pendiente|importe pendiente|saldo pendiente|pendiente de pago|amount due|open amount|saldo',
  ),
  bank_balances: [
    field('name', 'banco|entidad|nombre|cuenta bancaria|cuenta|bank|name', REQUIRED),
    field('iban', 'iban|cuenta bancaria|número de cuenta|nº cuenta|ccc'),
    field('balance', 'saldo|saldo actual|saldo final|balance|importe', { ...REQUIRED, ...NUMBER }),
  ],
  trial_balance: [
    field(
      'account',
      'cuenta|subcuenta|código cuenta|cuenta contable|código|subcta|nº cuenta|num cuenta|account|account code',
      REQUIRED,
    ),
    field('name', 'descripción|nombre|título|denominación|concepto|name|description'),
    field('balance', 'saldo|saldo final|balance|saldo actual', NUMBER),
    field('debitBalance', 'saldo deudor|deudor|saldo debe|debit balance', NUMBER),
    field('creditBalance', 'saldo acreedor|acreedor|saldo haber|credit balance', NUMBER),
    field('debit', 'debe|sumas debe|suma debe|total debe|debit', NUMBER),
    field('credit', 'haber|sumas haber|suma haber|total haber|credit', NUMBER),
  ],
}

export const isBalanceContent = (content: string): content is BalanceContent => content in FIELDS

export const balanceFields = (content: BalanceContent): readonly ListField[] => FIELDS[content]

/** Returns the column of each field: an earlier choice for its title, then equal titles, the surest first. */
export function mapBalances(
  content: BalanceContent,
  titles: readonly Cell[],
  remembered: Readonly<Record<string, string>>,
): Record<string, number> {
  const folded = titles.map((title) => foldedTitle(textOf(title)))
  const mapping: Record<string, number> = {}
  const taken = new Set<number>()
  const place = (name: string, index: number): void => {
    if (index < 0 || taken.has(index) || mapping[name] !== undefined) return
    mapping[name] = index
    taken.add(index)
  }
  for (const [index, title] of folded.entries()) {
    const name = remembered[title]
    if (name !== undefined && FIELDS[content].some((each) => each.name === name)) place(name, index)
  }
  const longest = Math.max(...FIELDS[content].map((each) => each.titles.length))
  for (let rank = 0; rank < longest; rank++)
    for (const { name, titles: names } of FIELDS[content])
      place(
        name,
        folded.findIndex((each, index) => each !== '' && each === names[rank] && !taken.has(index)),
      )
  return mapping
}
