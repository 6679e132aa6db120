/** Differences between two duplicates of a contact, from which a user chooses when they are merged. Pure. */
import { formatPercent } from '../../format.ts'
import { translate } from '../../i18n.ts'
import { termsText } from './payment-terms.ts'
import { LANGUAGE_NAMES } from '../../../server/domain/languages.ts'
import type { InputOf, OutputOf } from '../../../server/api/contracts.ts'

type Contact = OutputOf<'contacts.get'>
type Field = NonNullable<InputOf<'contacts.merge'>['take']>[number]

export interface Difference {
  field: Field
  kept: string
  other: string
}

const FIELDS: readonly [Field, (contact: Contact) => string | null][] = [
  ['name', (contact) => contact.name],
  ['tradeName', (contact) => contact.tradeName],
  ['nif', (contact) => contact.nif],
  [
    'address',
    ({ address }) =>
      address &&
      `${address.street}, ${address.postalCode} ${address.city}${address.country === 'ES' ? '' : ` (${address.country})`}`,
  ],
  ['email', (contact) => contact.email],
  ['phone', (contact) => contact.phone],
  ['iban', (contact) => contact.iban],
  ['paymentMethod', ({ paymentMethod }) => paymentMethod && translate(`payments.method.${paymentMethod}`)],
  ['paymentDays', ({ paymentDays }) => (paymentDays === null ? null : String(paymentDays))],
  ['paymentTerms', (contact) => (contact.paymentTerms === null ? null : termsText(contact))],
  [
    'withholdingPct',
    ({ withholdingPct }) => (withholdingPct === null ? null : formatPercent(withholdingPct)),
  ],
  [
    'vatDefault',
    ({ vatDefault }) => vatDefault && [vatDefault.taxTreatment, vatDefault.cause].filter(Boolean).join(' '),
  ],
  ['dir3', ({ dir3 }) => dir3 && `${dir3.accountingOffice} · ${dir3.managingBody} · ${dir3.processingUnit}`],
  ['language', ({ language }) => language && LANGUAGE_NAMES[language]],
  ['notes', (contact) => contact.notes],
]

/** Returns the fields that both have and that differ; a value that only one has is kept without asking. */
export function differences(kept: Contact, other: Contact): Difference[] {
  return FIELDS.flatMap(([field, read]) => {
    const [one, two] = [read(kept), read(other)]
    return one && two && one !== two ? [{ field, kept: one, other: two }] : []
  })
}
