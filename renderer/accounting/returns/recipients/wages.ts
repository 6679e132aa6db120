/** Form state of the recipients of wages. Pure. */
import type { InputOf, OutputOf } from '../../../../server/api/contracts.ts'
import { normalizeNif } from '../../../../server/domain/tax/nif.ts'
import { WAGE_SUBKEYS } from '../../../../server/domain/tax/wage-keys.ts'
import { factsOfForm, formOfFacts, lastingFacts } from './wage-facts.ts'
import type { FactsForm } from './wage-facts.ts'

export type Recipient = OutputOf<'fiscal.wageRecipients'>['recipients'][number]

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
  facts: FactsForm
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
    facts: formOfFacts(),
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
    facts: formOfFacts(each.facts),
  }))
}

const codeOf = (text: string): string | null => (text.trim() === '' ? null : text.trim().padStart(2, '0'))

/** Returns the typed facts of a card, as its key takes them; undefined if there are none. */
export const factsTyped = (row: RecipientForm) =>
  factsOfForm(row.facts, row.perceptionKey, codeOf(row.subkey))

/** Returns whether a card is empty: it is no recipient. */
export function isEmpty(row: RecipientForm): boolean {
  const { nif, name, paid, withheld, inKind, inKindWithheld } = row
  return (
    nif === '' &&
    name === '' &&
    [paid, withheld, inKind, inKindWithheld].every((each) => each === null) &&
    factsTyped(row) === undefined
  )
}

/** Returns the subkeys that a card can choose; one that the form does not have stays, so that it can be seen. */
export function subkeysOf({ perceptionKey, subkey }: RecipientForm): readonly string[] {
  const known = WAGE_SUBKEYS[perceptionKey]
  return subkey === '' || known.includes(subkey) ? known : [subkey, ...known]
}

const euros = (amount: number | null): number => (amount ?? 0) / 100

export function recipientsOfForm(
  rows: readonly RecipientForm[],
): InputOf<'fiscal.setWageRecipients'>['recipients'] {
  return rows.map((row) => {
    const facts = factsTyped(row)
    return {
      nif: row.nif,
      name: row.name,
      key: row.perceptionKey,
      subkey: codeOf(row.subkey),
      province: codeOf(row.province),
      paid: euros(row.paid),
      withheld: euros(row.withheld),
      inKind: euros(row.inKind),
      inKindWithheld: euros(row.inKindWithheld),
      ...(facts === undefined ? {} : { facts }),
    }
  })
}

/**
 * Fills in the facts of an earlier year where the cards have none, by tax number, key and subkey; without a card, adds the
 * people of that year without amounts. Returns the cards, and of how many people facts were copied.
 */
export function withEarlier(
  rows: readonly RecipientForm[],
  earlier: readonly Recipient[],
): { rows: RecipientForm[]; copied: number } {
  const typed = rows.filter((row) => !isEmpty(row))
  const cardsFor =
    typed.length > 0
      ? typed
      : formOfRecipients(
          earlier.map(({ facts: _facts, ...each }) => ({
            ...each,
            paid: 0,
            withheld: 0,
            inKind: 0,
            inKindWithheld: 0,
          })),
        )
  let copied = 0
  const filled = cardsFor.map((row) => {
    const before = earlier.find(
      ({ nif, key, subkey, facts }) =>
        facts !== undefined &&
        nif === normalizeNif(row.nif) &&
        key === row.perceptionKey &&
        (subkey ?? '') === row.subkey,
    )
    if (before?.facts === undefined || factsTyped(row) !== undefined) return row
    copied += 1
    return { ...row, facts: formOfFacts(lastingFacts(before.facts)) }
  })
  return { rows: filled.length === 0 ? [...rows] : filled, copied }
}
