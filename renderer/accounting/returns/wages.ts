/** Form state of the recipients of wages. Pure. */
import type { InputOf, OutputOf } from '../../../server/api/contracts.ts'

export type Recipient = OutputOf<'fiscal.wageRecipients'>['recipients'][number]

/** Keys of the perceptions, as in the contract (server/accounting/returns/contract.ts). */
export const WAGE_KEYS = ['A', 'B', 'E', 'F', 'I', 'J', 'K', 'L'] as const

export interface RecipientForm {
  /** Key of the card while it is edited. */
  key: number
  nif: string
  name: string
  perceptionKey: Recipient['key']
  subkey: string
  province: string
  /** Cents; null while empty. */
  paid: number | null
  withheld: number | null
  inKind: number | null
  inKindWithheld: number | null
}

let cards = 0

export function emptyRecipient(): RecipientForm {
  return {
    key: ++cards,
    nif: '',
    name: '',
    perceptionKey: 'A',
    subkey: '',
    province: '',
    paid: null,
    withheld: null,
    inKind: null,
    inKindWithheld: null,
  }
}

const cents = (euros: number): number | null => (euros === 0 ? null : Math.round(euros * 100))

export function formOfRecipients(recipients: readonly Recipient[]): RecipientForm[] {
  return recipients.map((each) => ({
    key: ++cards,
    nif: each.nif,
    name: each.name,
    perceptionKey: each.key,
    subkey: each.subkey ?? '',
    province: each.province ?? '',
    paid: cents(each.paid),
    withheld: cents(each.withheld),
    inKind: cents(each.inKind),
    inKindWithheld: cents(each.inKindWithheld),
  }))
}

/** Returns whether a card is empty: it is no recipient. */
export function isEmpty(row: RecipientForm): boolean {
  const { nif, name, paid, withheld, inKind, inKindWithheld } = row
  return nif === '' && name === '' && [paid, withheld, inKind, inKindWithheld].every((each) => each === null)
}

const euros = (amount: number | null): number => (amount ?? 0) / 100
const codeOf = (text: string): string | null => (text.trim() === '' ? null : text.trim().padStart(2, '0'))

export function recipientsOfForm(
  rows: readonly RecipientForm[],
): InputOf<'fiscal.setWageRecipients'>['recipients'] {
  return rows.map((row) => ({
    nif: row.nif,
    name: row.name,
    key: row.perceptionKey,
    subkey: codeOf(row.subkey),
    province: codeOf(row.province),
    paid: euros(row.paid),
    withheld: euros(row.withheld),
    inKind: euros(row.inKind),
    inKindWithheld: euros(row.inKindWithheld),
  }))
}
