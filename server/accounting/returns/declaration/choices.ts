/** What a person chooses of a return besides its boxes. */
import type { ReturnKind, ReturnNature } from './kinds.ts'

/** A bank outside SEPA, of which the form of a VAT return asks more than the account. */
export interface ForeignBank {
  bic: string
  name: string
  address: string
  city: string
  /** Two letters of ISO 3166. */
  country: string
}

export interface FilingChoices {
  /** Default: the usual one for the result. */
  kind?: ReturnKind | undefined
  nature: ReturnNature
  /** The account of a direct debit or of a refund: an IBAN, or outside SEPA any number. */
  iban?: string | undefined
  /** The bank of a refund outside SEPA. */
  bank?: ForeignBank | undefined
  /** The reference of a payment: 22 characters that the bank gives, bound to the return and its amount. */
  paymentReference?: string | undefined
  /** Number of the receipt of the return that this one completes, rectifies or replaces. */
  previousReceipt?: string | undefined
  /** Why a VAT return is rectified. */
  reason?: 'ordinary' | 'criterion' | undefined
}

/** Who files, as the forms name it. */
export interface Filer {
  nif: string
  kind: 'natural' | 'legal'
  name: string
  /** Of a person; the whole name of a company. Null if nobody has said how the name is parted. */
  surnames: string | null
  firstName: string
  contactName: string
  contactPhone: string | null
  cashAccounting: boolean
}
