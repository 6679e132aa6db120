/**
 * The header fields of an invoice, each declared once. Columns, content, answers, input, copies, hash and the editor's form
 * follow from this table. Pure: the page imports it.
 *
 * Fields with rules of their own are not here: instalments (their amounts follow from the totals), client (a row of `parties`), lines and taxes (tables of their own), kind,
 * series and issue date (settled at issue), amounts, discount, currency, withholding and price mode (they decide the totals),
 * rectification and references (tables and rules of `correct/`), and the property of a rent (two columns that depend on each
 * other).
 */
import type { Selectable } from 'kysely'
import type { InvoicesTable } from '../../db/schema.ts'
import { documentFields, leftOutOf } from '../../domain/document-fields.ts'
import type { ColumnsOf, FieldTable, NamesOf } from '../../domain/document-fields.ts'
import type { DraftInput, Invoice } from './contract.ts'

/** Documents that are made from an invoice: its copy, the one that rectifies it, and the content that quotes and recurring invoices keep. */
type InvoiceCopy = 'duplicate' | 'rectification' | 'quote' | 'recurring'

export const HEADER = {
  operationDate: {
    type: 'date',
    column: 'operation_date',
    copiedTo: [],
    panel: 'more',
  },
  dueDate: {
    type: 'date',
    column: 'due_date',
    copiedTo: [],
    panel: 'dates',
  },
  simplifiedArt7273: {
    type: 'flag',
    column: 'simplified_art7273',
    copiedTo: ['duplicate', 'recurring'],
    panel: 'kind',
  },
  language: {
    type: 'choice',
    column: 'language',
    usual: 'es',
    copiedTo: ['duplicate', 'rectification', 'quote', 'recurring'],
    panel: 'more',
  },
  paymentMethod: {
    type: 'choice',
    column: 'payment_method',
    copiedTo: ['duplicate', 'rectification', 'quote', 'recurring'],
    panel: 'more',
  },
  externalRef: {
    type: 'text',
    column: 'external_ref',
    max: 60,
    answer: 'nullable',
    description: { answer: 'How another program calls it.' },
    copiedTo: ['quote', 'recurring'],
    panel: 'more',
  },
  customerReferences: {
    type: 'group',
    columns: { order: 'customer_order', contract: 'customer_contract', file: 'customer_file' },
    copiedTo: ['duplicate', 'rectification', 'quote', 'recurring'],
    panel: 'more',
  },
  issuedBy: {
    type: 'group',
    columns: {
      kind: 'issued_by',
      name: 'issued_by_name',
      nif: 'issued_by_nif',
      idType: 'issued_by_id_type',
      country: 'issued_by_country',
      street: 'issued_by_street',
      postalCode: 'issued_by_postal_code',
      city: 'issued_by_city',
      province: 'issued_by_province',
    },
    answer: 'optional',
    hash: 'given',
    // Whoever rectifies an invoice is not known from it.
    copiedTo: ['duplicate', 'recurring'],
    panel: 'more',
  },
  notes: {
    type: 'paragraph',
    column: 'notes',
    max: 2000,
    answer: 'nullable',
    copiedTo: ['duplicate', 'quote', 'recurring'],
    panel: 'more',
  },
} as const satisfies FieldTable<keyof InvoicesTable, InvoiceCopy>

export type HeaderName = keyof typeof HEADER
/** Names of the fields that are typed in as text. */
export type HeaderTextName = NamesOf<typeof HEADER, 'text' | 'paragraph'>
export const HEADER_TEXT_FIELDS = Object.entries(HEADER).flatMap(([name, { type }]) =>
  type === 'text' || type === 'paragraph' ? [name as HeaderTextName] : [],
)

/** Values as the content has them: those of the answer, null where the answer leaves one out. */
export type HeaderValues = {
  [Name in HeaderName]: undefined extends Invoice[Name]
    ? Exclude<Invoice[Name], undefined> | null
    : Invoice[Name]
}
type HeaderInput = Pick<DraftInput, HeaderName>
type HeaderColumn = ColumnsOf<typeof HEADER>

export const header = documentFields<
  HeaderValues,
  HeaderInput,
  Pick<Selectable<InvoicesTable>, HeaderColumn>,
  Pick<Invoice, HeaderName>
>(HEADER)

const ONLY_OF_INVOICES = {
  issueDate: true,
  instalments: true,
  rectifies: true,
  rectification: true,
  substitutes: true,
} as const

/** Members of a draft that a quote leaves out. */
export const NOT_IN_QUOTES = {
  ...ONLY_OF_INVOICES,
  kind: true,
  series: true,
  ...leftOutOf(HEADER, 'quote'),
} as const

/** Members of a draft that recurring invoices and templates leave out. */
export const NOT_IN_RECURRING = { ...ONLY_OF_INVOICES, ...leftOutOf(HEADER, 'recurring') } as const

/** Texts of an input, each changed by `change`, which gets its greatest length; those that are not given stay out. */
export function mapTextFields(
  input: Partial<Record<HeaderTextName, string | null | undefined>>,
  change: (text: string, max: number) => string,
): Partial<Record<HeaderTextName, string>> {
  const texts: Partial<Record<HeaderTextName, string>> = {}
  for (const name of HEADER_TEXT_FIELDS) {
    const text = input[name]
    if (text) texts[name] = change(text, HEADER[name].max)
  }
  return texts
}

/** Empty values of the fields that a copy does not take over. */
export function clearedFor(copy: InvoiceCopy): Partial<HeaderValues> & { instalments: null } {
  const { empty } = header
  const cleared = Object.keys(leftOutOf(HEADER, copy)).map((name) => [name, empty[name as HeaderName]])
  return { ...(Object.fromEntries(cleared) as Partial<HeaderValues>), instalments: null }
}
