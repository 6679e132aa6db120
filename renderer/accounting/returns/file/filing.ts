/** A return as its filing page shows it: what the user chooses, and what the server says of it. */
import { formatAmount } from '../../../format.ts'
import { hasText, translate } from '../../../i18n.ts'
import { faultText } from '../../../errors.ts'
import type { InputOf, OutputOf } from '../../../../server/api/contracts.ts'

export type Preview = OutputOf<'fiscal.prepareFiling'>
export type Sending = Preview['sendings'][number]
type Kind = NonNullable<Preview['kind']>
export type PreviewFault = Preview['faults'][number]

/** What the user chooses besides the boxes. */
export interface Choices {
  kind: Kind | null
  nature: Preview['nature']
  iban: string
  paymentReference: string
  previousReceipt: string
  reason: 'ordinary' | 'criterion'
}

export const NO_CHOICES: Choices = {
  kind: null,
  nature: 'first',
  iban: '',
  paymentReference: '',
  previousReceipt: '',
  reason: 'ordinary',
}

/** Returns the choices as the server takes them: what is empty is left out. */
export function choicesSent(
  choices: Choices,
): Omit<InputOf<'fiscal.prepareFiling'>, 'model' | 'year' | 'quarter'> {
  const text = (value: string) => (value.trim() === '' ? undefined : value.trim())
  const iban = text(choices.iban)
  const paymentReference = text(choices.paymentReference)?.replace(/\s/g, '').slice(0, 22)
  const previousReceipt = text(choices.previousReceipt)
  return {
    nature: choices.nature,
    ...(choices.kind === null ? {} : { kind: choices.kind }),
    ...(iban === undefined ? {} : { iban }),
    ...(paymentReference === undefined ? {} : { paymentReference }),
    ...(choices.nature !== 'first' && previousReceipt !== undefined ? { previousReceipt } : {}),
    ...(choices.nature === 'rectifying' ? { reason: choices.reason } : {}),
  }
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

export const placeOf = (fault: PreviewFault): string | null => PLACES[fault.code] ?? null

/** Returns a fault with its amounts as the user writes them. */
export function faultLine(fault: PreviewFault): string {
  const params = Object.fromEntries(
    Object.entries(fault.params ?? {}).map(([name, value]) => [
      name,
      name === 'expected' || name === 'value' ? formatAmount(Number(value)) : value,
    ]),
  )
  return faultText({ ...fault, params })
}
