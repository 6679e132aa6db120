/** A return as its filing page shows it: what the user chooses, and what the server says of it. */
import { formatAmount } from '../../../format.ts'
import { hasText, translate } from '../../../i18n.ts'
import { faultText } from '../../../errors.ts'
import type { InputOf, OutputOf } from '../../../../server/api/contracts.ts'

export type Preview = OutputOf<'fiscal.prepareFiling'>
export type Sending = Preview['sendings'][number]
type Kind = NonNullable<Preview['kind']>
export type PreviewFault = Preview['faults'][number]

export const BANK_FIELDS = ['bic', 'name', 'address', 'city', 'country'] as const
type BankField = (typeof BANK_FIELDS)[number]

/** What the user chooses besides the boxes. */
export interface Choices {
  kind: Kind | null
  nature: Preview['nature']
  iban: string
  /** Of a refund outside SEPA. */
  bank: Record<BankField, string>
  paymentReference: string
  previousReceipt: string
  reason: 'ordinary' | 'criterion'
}

export const NO_CHOICES: Choices = {
  kind: null,
  nature: 'first',
  iban: '',
  bank: { bic: '', name: '', address: '', city: '', country: '' },
  paymentReference: '',
  previousReceipt: '',
  reason: 'ordinary',
}

/** Returns the choices as the server takes them: what is empty is left out. */
export function choicesSent(
  choices: Choices,
): Omit<InputOf<'fiscal.prepareFiling'>, 'model' | 'year' | 'quarter' | 'month'> {
  const text = (value: string) => (value.trim() === '' ? undefined : value.trim())
  const iban = text(choices.iban)
  const paymentReference = text(choices.paymentReference)?.replace(/\s/g, '').slice(0, 22)
  const previousReceipt = text(choices.previousReceipt)
  return {
    nature: choices.nature,
    ...(choices.kind === null ? {} : { kind: choices.kind }),
    ...(iban === undefined ? {} : { iban }),
    ...(choices.kind === 'X' ? bankSent(choices.bank) : {}),
    ...(paymentReference === undefined ? {} : { paymentReference }),
    ...(choices.nature !== 'first' && previousReceipt !== undefined ? { previousReceipt } : {}),
    ...(choices.nature === 'rectifying' ? { reason: choices.reason } : {}),
  }
}

/** Returns the bank as the server takes it, each part in a field of its own; what is empty is left out. */
function bankSent(
  bank: Choices['bank'],
): Pick<
  InputOf<'fiscal.prepareFiling'>,
  'bankBic' | 'bankName' | 'bankAddress' | 'bankCity' | 'bankCountry'
> {
  const fields = {
    bankBic: bank.bic.replace(/\s/g, ''),
    bankName: bank.name.trim(),
    bankAddress: bank.address.trim(),
    bankCity: bank.city.trim(),
    bankCountry: bank.country.trim(),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
}

/** Returns who files for whom, in one sentence; empty where the filer signs itself. */
export function filesFor(signer: Preview['signer'], filer: { nif: string; name: string }): string {
  if (!signer?.representation) return ''
  return translate('filing.filesFor', {
    signer: signer.name,
    signerNif: signer.nif,
    filer: filer.name,
    filerNif: filer.nif,
    how: translate(`filing.representation.${signer.representation}`),
  })
}

/** Kinds whose file names an account. */
export const WITH_ACCOUNT: readonly Kind[] = ['U', 'D', 'X']

/** Returns why a sending is not accepted, or how it is known. */
export function reasonText(sending: Sending): string {
  // The agency's own errors say why.
  if (sending.why === null || sending.why === 'refused') return ''
  const key = `filing.why.${sending.why}`
  return hasText(key) ? translate(key, { detail: sending.detail ?? '' }) : (sending.detail ?? sending.why)
}

/** Page where a fault is fixed, by its code. */
const PLACES: Readonly<Record<string, string>> = {
  party_without_province: '/contacts',
  party_without_nif: '/contacts',
  operator_without_number: '/contacts',
}

/** What is typed on the page of the return itself, by the beginning of the fault's code. */
const TYPED: readonly (readonly [start: string, what: 'wages' | 'premises'])[] = [
  ['wage_', 'wages'],
  ['payroll_', 'wages'],
  ['rent_bases_', 'premises'],
  ['premises_', 'premises'],
]

/** Returns the page where a fault is fixed; `page` is that of the return. */
export function placeOf(fault: PreviewFault, page: string): string | null {
  const typed = TYPED.find(([start]) => fault.code.startsWith(start))
  return typed ? `${page}?type=${typed[1]}` : (PLACES[fault.code] ?? null)
}

/** Amounts in euros among what a fault names. */
const AMOUNTS: readonly string[] = ['expected', 'value', 'typed', 'books', 'withheld']

/** Returns a fault with its amounts as the user writes them. */
export function faultLine(fault: PreviewFault): string {
  const params = Object.fromEntries(
    Object.entries(fault.params ?? {}).map(([name, value]) => [
      name,
      AMOUNTS.includes(name)
        ? formatAmount(Number(value))
        : name === 'scheme'
          ? translate(`schemes.names.${value}`)
          : value,
    ]),
  )
  return faultText({ ...fault, params })
}
