/** Input and output types of the matching engine. Amounts are signed: positive for money received. */
import type { BankReason, BankSuggestion, PartKind } from '../contract.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Cents } from '../../../domain/money.ts'
import type { MovementDetail } from '../formats/statement.ts'

export interface MovementFacts {
  /** Row id. */
  id: number
  accountId: number
  date: BusinessDate
  amountCents: Cents
  text: string
  counterparty: string | null
  counterpartyIban: string | null
  reference: string | null
  concept: string | null
  details: readonly MovementDetail[]
}

/** An open invoice, receivable or payable. */
export interface OpenDocument {
  kind: 'invoice' | 'received'
  rowId: number
  id: string
  /** The number that the other party quotes: ours on an issued invoice, the supplier's on a received one. */
  number: string
  party: string
  /** An earlier program made it. */
  isHistory: boolean
  nif: string | null
  contactRowId: number | null
  contactId: string | null
  iban: string | null
  /** Effect of settling it on the bank balance; a credit note has the opposite sign. */
  effectCents: Cents
  issueDate: BusinessDate
  dueDate: BusinessDate | null
  /** Of an issued invoice with several due dates, those that are open. */
  instalments: readonly { number: number; dueDate: BusinessDate; effectCents: Cents }[]
}

/** A recorded payment without a bank movement yet. */
export interface OpenPayment {
  rowId: number
  id: string
  effectCents: Cents
  date: BusinessDate
  party: string | null
  reference: string | null
}

/** A file of direct debits or transfers that the bank has not settled yet. */
export interface OpenRemittance {
  rowId: number
  id: string
  effectCents: Cents
  date: BusinessDate
  name: string
  kind: 'debit' | 'transfer'
}

/** The other half of a transfer between own accounts. */
export interface TransferHalf {
  rowId: number
  id: string
  accountId: number
  accountPublicId: string
  accountName: string
  amountCents: Cents
  date: BusinessDate
  /** Row of the movement already matched and booked as a transfer to this account, which waits for this half. */
  waitsFor: number | null
}

interface OwnAccount {
  rowId: number
  id: string
  name: string
  iban: string | null
  ledgerAccount: string
}

export interface RuleFacts {
  rowId: number
  id: string
  origin: 'learned' | 'person'
  automatic: boolean
  direction: 'in' | 'out'
  counterpartyIban: string | null
  /** Folded text that the movement must contain. */
  textKey: string | null
  ledgerAccount: string | null
  contactRowId: number | null
  contactId: string | null
  contactName: string | null
  uses: number
}

/** All open items of a book when a movement is matched. */
export interface OpenItems {
  companyKind: 'natural' | 'legal'
  documents: readonly OpenDocument[]
  payments: readonly OpenPayment[]
  remittances: readonly OpenRemittance[]
  transfers: readonly TransferHalf[]
  accounts: readonly OwnAccount[]
  rules: readonly RuleFacts[]
}

/** A part of a suggestion, with row ids for accepting it and text for showing it. */
export interface SuggestedPart {
  kind: PartKind
  amountCents: Cents
  document?: OpenDocument
  /** Which of its instalments. */
  instalment?: number
  payment?: OpenPayment
  remittance?: OpenRemittance
  transfer?: { account: OwnAccount; half: TransferHalf | null }
  ledgerAccount?: string
  contactRowId?: number | null
  contactId?: string | null
  label: string
  text?: string
}

export type Reason = BankReason
export type SuggestionKind = BankSuggestion['kind']

export interface Suggestion {
  kind: SuggestionKind
  /** 0 to 100: the sum of the reasons' points, clamped. */
  score: number
  parts: SuggestedPart[]
  reasons: Reason[]
  rule: RuleFacts | null
}
