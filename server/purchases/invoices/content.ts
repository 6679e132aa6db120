/** Content of a received invoice in the use cases: every default decided, every amount in cents of a euro. */
import type { IdType } from '../../catalog/contacts/contract.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { BasisPoints, Cents, Micro } from '../../domain/money.ts'
import type { TaxTreatment } from '../../domain/tax/totals.ts'
import type { OperationNature } from './contract.ts'
import type { ReceivedHeader } from './fields.ts'
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
  /** Normalized for comparison: letters and digits only. */
  nif: string | null
  /** With the punctuation of a foreign identifier, when it has some. */
  nifWritten: string | null
  idType: IdType | null
  country: string
  street: string | null
  postalCode: string | null
  city: string | null
  province: string | null
}

export interface ReceivedContent extends ReceivedHeader {
  contactId: number | null
  supplier: Supplier
  /** First day of the quarter of the deduction, when it is later than the reception's. */
  deductionDate: BusinessDate | null
  lines: ReceivedLine[]
  withholding: {
    rateBp: BasisPoints
    baseCents: Cents
    amountCents: Cents
    reason: 'professional' | 'rent' | 'other'
  } | null
  fxRateMicro: Micro | null
  property: { situation: number; cadastralReference: string | null } | null
  rectifies: { supplierNumber: string; issueDate: BusinessDate }[]
}

interface ReceivedSums {
  baseCents: Cents
  /** VAT and surcharge that the supplier charged. */
  taxCents: Cents
  surchargeCents: Cents
  selfAssessedCents: Cents
  deductibleCents: Cents
  totalCents: Cents
  /** Amount to pay: of a customs document only its VAT, because the goods are paid to their seller. */
  payableCents: Cents
  currencyTotalCents: Cents
}

/** Adds up a received invoice. */
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

/** Formats the reception number: `2026-0001`; '' for a document of an earlier program, which has none here. */
export function receptionNumber(year: number, sequence: number | null): string {
  return sequence === null ? '' : `${year}-${String(sequence).padStart(4, '0')}`
}
