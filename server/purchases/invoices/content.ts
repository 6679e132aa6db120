/** A received invoice as the use cases hold it: every default decided, every amount in cents of a euro. */
import type { IdType } from '../../catalog/contacts/contract.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { BasisPoints, Cents, Micro } from '../../domain/money.ts'
import type { TaxTreatment } from '../../domain/tax/totals.ts'
import type { OperationNature, ReceivedKind } from './contract.ts'
import type { z } from 'zod'

export interface ReceivedLine {
  description: string | null
  taxTreatment: TaxTreatment
  nature: z.infer<typeof OperationNature>
  /** Operation key of the received book. */
  regimeKey: string
  vatRateBp: BasisPoints | null
  baseCents: Cents
  taxCents: Cents
  selfAssessed: boolean
  surchargeRateBp: BasisPoints | null
  surchargeCents: Cents
  deductibleBp: BasisPoints
  deductibleCents: Cents
  concept: string
  account: string
  investmentGood: boolean
  documentBaseCents: Cents
  documentTaxCents: Cents
  documentSurchargeCents: Cents
}

export interface Supplier {
  name: string
  /** As it is compared: letters and digits alone. */
  nif: string | null
  /** With the punctuation of another country's identifier, where it has some. */
  nifWritten: string | null
  idType: IdType | null
  country: string
  street: string | null
  postalCode: string | null
  city: string | null
  province: string | null
}

export interface ReceivedContent {
  kind: ReceivedKind
  contactId: number | null
  supplier: Supplier
  supplierNumber: string | null
  issueDate: BusinessDate
  receptionDate: BusinessDate
  operationDate: BusinessDate | null
  dueDate: BusinessDate | null
  /** First day of the quarter of the deduction, when it is later than the reception's. */
  deductionDate: BusinessDate | null
  lines: ReceivedLine[]
  withholding: {
    rateBp: BasisPoints
    baseCents: Cents
    amountCents: Cents
    reason: 'professional' | 'rent' | 'other'
  } | null
  concept: string
  currency: string
  fxRateMicro: Micro | null
  paymentMethod: string | null
  cashAccounting: boolean
  property: { situation: number; cadastralReference: string | null } | null
  rectifies: { supplierNumber: string; issueDate: BusinessDate }[]
  notes: string | null
  externalRef: string | null
}

interface ReceivedSums {
  baseCents: Cents
  /** VAT and surcharge that the supplier charged. */
  taxCents: Cents
  surchargeCents: Cents
  selfAssessedCents: Cents
  deductibleCents: Cents
  totalCents: Cents
  /** What is paid for it: of a customs document only its VAT, for the goods are paid to who sold them. */
  payableCents: Cents
  currencyTotalCents: Cents
}

/** The sums of a received invoice. */
export function sumsOf(content: Pick<ReceivedContent, 'kind' | 'lines' | 'withholding'>): ReceivedSums {
  const sums: ReceivedSums = {
    baseCents: 0,
    taxCents: 0,
    surchargeCents: 0,
    selfAssessedCents: 0,
    deductibleCents: 0,
    totalCents: 0,
    payableCents: 0,
    currencyTotalCents: 0,
  }
  for (const line of content.lines) {
    sums.baseCents += line.baseCents
    sums.surchargeCents += line.surchargeCents
    sums.taxCents += line.surchargeCents
    if (line.selfAssessed) sums.selfAssessedCents += line.taxCents
    else sums.taxCents += line.taxCents
    sums.deductibleCents += line.deductibleCents
    sums.currencyTotalCents +=
      line.documentBaseCents + line.documentSurchargeCents + (line.selfAssessed ? 0 : line.documentTaxCents)
  }
  sums.totalCents = sums.baseCents + sums.taxCents
  sums.payableCents =
    (content.kind === 'customs' ? sums.taxCents : sums.totalCents) - (content.withholding?.amountCents ?? 0)
  return sums
}

/** `2026-0001`: the reception number as people write it. */
export function receptionNumber(year: number, sequence: number): string {
  return `${year}-${String(sequence).padStart(4, '0')}`
}
