/**
 * Files for the import of Odoo: accounts, contacts and entries, in this order.
 *
 * Source: odoo/odoo, addons/base_import (a heading is the technical name of a field, with a slash for fields of lines) and
 * addons/account/models (account.account, account.move, account.move.line). `id` is the external identifier: the same
 * entry imported twice replaces itself instead of being added. Entries arrive as drafts.
 */
import { neutralizeFormula } from '../../../domain/formats/csv-writer.ts'
import type { Format, HandOnAccount, HandOnEntry, HandOnFault, HandOnWork } from '../model.ts'
import { entryFault } from './faults.ts'
import { plainNif, pointAmount, writable } from './text.ts'

/** Types of accounts by the beginning of their codes; the longest wins. */
const TYPES: readonly (readonly [string, string])[] = [
  ['1', 'liability_non_current'],
  ['10', 'equity'],
  ['11', 'equity'],
  ['12', 'equity'],
  ['13', 'equity'],
  ['2', 'asset_fixed'],
  ['3', 'asset_current'],
  ['40', 'liability_payable'],
  ['407', 'asset_prepayments'],
  ['41', 'liability_payable'],
  ['43', 'asset_receivable'],
  ['438', 'liability_current'],
  ['44', 'asset_receivable'],
  ['46', 'liability_current'],
  ['460', 'asset_current'],
  ['47', 'liability_current'],
  ['470', 'asset_current'],
  ['471', 'asset_current'],
  ['472', 'asset_current'],
  ['473', 'asset_current'],
  ['474', 'asset_current'],
  ['48', 'asset_prepayments'],
  ['485', 'liability_current'],
  ['5', 'liability_current'],
  ['523', 'liability_payable'],
  ['53', 'asset_current'],
  ['54', 'asset_current'],
  ['55', 'asset_current'],
  ['57', 'asset_cash'],
  ['6', 'expense'],
  ['68', 'expense_depreciation'],
  ['7', 'income'],
]
const byPrefix = new Map(TYPES)

/** Returns the type of an account by its code; one that neither list has is current. */
function typeOf(code: string): string {
  for (let length = 3; length > 0; length -= 1) {
    const type = byPrefix.get(code.slice(0, length))
    if (type !== undefined) return type
  }
  return 'asset_current'
}

const reconciles = (type: string): boolean => type === 'asset_receivable' || type === 'liability_payable'

function cell(text: string): string {
  const safe = neutralizeFormula(writable(text, 'utf-8'))
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const row = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`

const contactId = (id: string): string => `sello_${id}`

async function* accountRows({ accounts }: HandOnWork): AsyncGenerator<string> {
  yield row(['code', 'name', 'account_type', 'reconcile'])
  for (const { account, name, code } of accounts) {
    const type = typeOf(code)
    yield row([account, name, type, reconciles(type) ? 'True' : 'False'])
  }
}

async function* partnerRows({ accounts }: HandOnWork): AsyncGenerator<string> {
  yield row(['id', 'name', 'vat', 'country_id', 'street', 'zip', 'city', 'ref'])
  const seen = new Set<string>()
  for (const { party, account } of accounts as readonly HandOnAccount[]) {
    if (party === null || party.id === '' || seen.has(party.id)) continue
    seen.add(party.id)
    const nif = plainNif(party.nif)
    const vat = nif === '' || nif.startsWith(party.country) ? nif : `${party.country}${nif}`
    yield row([
      contactId(party.id),
      party.name,
      vat,
      party.country,
      party.street,
      party.postalCode,
      party.city,
      account,
    ])
  }
}

/** Only the first line of an entry says what is of the whole. */
const entryRows = (entry: HandOnEntry, journal: string): string =>
  entry.lines
    .map((line, index) =>
      row([
        ...(index === 0
          ? [`sello_${entry.id}`, entry.date, journal, entry.label || entry.text]
          : ['', '', '', '']),
        line.account,
        line.party === null || line.party.id === '' ? '' : contactId(line.party.id),
        entry.text,
        pointAmount(Math.max(line.amountCents, 0)),
        pointAmount(Math.max(-line.amountCents, 0)),
      ]),
    )
    .join('')

async function* moveRows({ entries, settings }: HandOnWork): AsyncGenerator<string> {
  yield row([
    'id',
    'date',
    'journal_id',
    'ref',
    'line_ids/account_id',
    'line_ids/partner_id/id',
    'line_ids/name',
    'line_ids/debit',
    'line_ids/credit',
  ])
  for await (const page of entries()) yield page.map((entry) => entryRows(entry, settings.journal)).join('')
}

export const odoo: Format = {
  id: 'odoo',
  name: 'Odoo',
  sureness: 'published',
  source: 'github.com/odoo/odoo (addons/base_import, addons/account)',
  digits: { min: 5, max: 12, usual: 6 },
  encodings: ['utf-8'],
  recordLengths: [],
  companyCode: null,
  journal: { pattern: /^[A-Za-z0-9 _-]{1,20}$/, usual: 'MISC' },
  check(entry) {
    const faults: HandOnFault[] = []
    if (entry.document) faults.push(entryFault('hand_on_vat_by_hand', entry))
    return faults
  },
  posted: ({ lines }) => lines,
  files: (work) => [
    { name: '1-account.account.csv', parts: accountRows(work) },
    { name: '2-res.partner.csv', parts: partnerRows(work) },
    { name: '3-account.move.csv', parts: moveRows(work) },
  ],
}
