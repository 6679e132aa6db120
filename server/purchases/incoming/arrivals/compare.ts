/** What a document says of its invoice, and what two of them say otherwise. Pure. */
import type { Proposal, ReadSource } from '../../intake/contract.ts'
import { normalizeNif } from '../../../domain/tax/nif.ts'
import { searchText } from '../../../domain/text.ts'
import type { ArrivalDifference, ArrivalForm } from './contract.ts'

/** What a document says, as text: amounts with two decimals and a point. Null where it says nothing. */
export type ArrivalFacts = Record<ArrivalDifference['field'], string | null>

/** Fields that say what the invoice is. */
const MATTERS: readonly ArrivalDifference['field'][] = [
  'kind',
  'total',
  'payable',
  'currency',
  'taxes',
  'customerNif',
  'issueDate',
]

const FIELDS = [
  'kind',
  'issueDate',
  'total',
  'payable',
  'currency',
  'taxes',
  'customerNif',
  'supplierName',
  'dueDate',
  'iban',
] as const satisfies readonly ArrivalDifference['field'][]

const amount = (euros: number | undefined): string | null => (euros === undefined ? null : euros.toFixed(2))

/** Returns bases and taxes by rate, such as `21: 100.00 + 21.00`, so that the order and number of lines do not count. */
function taxesOf({ taxLines }: Proposal): string | null {
  if (taxLines.length === 0) return null
  const sums = new Map<number, { base: number; tax: number }>()
  for (const { vatRate, base, tax = 0, surcharge = 0 } of taxLines) {
    const rate = vatRate ?? 0
    const sum = sums.get(rate) ?? { base: 0, tax: 0 }
    sums.set(rate, {
      base: sum.base + Math.round(base * 100),
      tax: sum.tax + Math.round((tax + surcharge) * 100),
    })
  }
  return [...sums]
    .toSorted(([a], [b]) => b - a)
    .map(([rate, { base, tax }]) => `${rate}: ${(base / 100).toFixed(2)} + ${(tax / 100).toFixed(2)}`)
    .join('; ')
}

/** Returns what a document says. */
export function factsOfProposal(proposal: Proposal): ArrivalFacts {
  return {
    kind: proposal.kind ?? null,
    issueDate: proposal.issueDate ?? null,
    total: amount(proposal.total),
    payable: amount(proposal.payable),
    currency: proposal.currency ?? null,
    taxes: taxesOf(proposal),
    customerNif: proposal.customerNif === undefined ? null : normalizeNif(proposal.customerNif),
    supplierName: proposal.supplierName ?? null,
    dueDate: proposal.dueDate ?? null,
    iban: proposal.iban ?? null,
  }
}

const FORMS: Readonly<Partial<Record<ReadSource, ArrivalForm>>> = {
  facturae: 'facturae',
  ubl: 'ubl',
  cii: 'cii',
  facturx: 'facturx',
}

export const formOf = ({ source }: Proposal): ArrivalForm => FORMS[source] ?? 'document'

/** True for a form whose values nobody had to read off a page. */
export const isStructured = (form: ArrivalForm): boolean => form !== 'document'

function isSame(field: ArrivalDifference['field'], one: string, other: string): boolean {
  return field === 'supplierName' ? searchText(one) === searchText(other) : one === other
}

/** Returns what a later document says otherwise. What only one of them says is no difference. */
export function differencesBetween(before: Partial<ArrivalFacts>, now: ArrivalFacts): ArrivalDifference[] {
  return FIELDS.flatMap((field) => {
    const [was, is] = [before[field] ?? null, now[field]]
    if (was === null || is === null || isSame(field, was, is)) return []
    return [{ field, before: was, now: is, matters: MATTERS.includes(field) }]
  })
}
