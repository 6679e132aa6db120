/**
 * Facts that make up a registry record, whichever registry keeps it. The slice declares them itself and never imports
 * invoices.
 */
import type { BasisPoints, Cents } from '../domain/money.ts'
import type { BusinessDate } from '../domain/dates.ts'
import type { TaxTreatment } from '../domain/tax/totals.ts'

/**
 * Identification of a customer without a Spanish tax number: 02 EU VAT number, 03 passport, 04 official document of
 * the country of residence, 05 residence certificate, 06 other proof, 07 Spanish number that is not in the census.
 */
type OtherIdType = '02' | '03' | '04' | '05' | '06' | '07'

interface SpanishParty {
  name: string
  nif: string
}

export interface ForeignParty {
  name: string
  /**
   * Two capital letters of ISO 3166; `ES` with type 07. Not sent with type 02, where the number itself names the
   * country.
   */
  country: string
  idType: OtherIdType
  id: string
}

export type Recipient = SpanishParty | ForeignParty

/** Tax of a line, by the registry's list: 01 IVA, 02 IPSI (Ceuta and Melilla), 03 IGIC (Canary Islands), 05 other. */
export type TaxCode = '01' | '02' | '03' | '05'

export interface BreakdownLine {
  tax: TaxCode
  taxTreatment: TaxTreatment
  /** Null only where the tax has no regimes (05) or may have none until the end of 2026 (02). */
  regimeKey: string | null
  /** Rate of the named tax, not only of VAT. Null with N1, N2 and exempt lines; 0 with reverse charge (S2). */
  vatRateBp: BasisPoints | null
  baseCents: Cents
  /** The base at cost: groups of entities (regime 06), IPSI and other taxes. Null for all others. */
  costBaseCents: Cents | null
  /** The tax without the equivalence surcharge. */
  taxCents: Cents
  /** Null when the line has no equivalence surcharge. */
  surchargeRateBp: BasisPoints | null
  surchargeCents: Cents
}

/** F1 full, F2 simplified, F3 full in place of simplified ones, R1 to R4 rectifying (LIVA art. 80), R5 rectifying a simplified one. */
export type RecordKind = 'F1' | 'F2' | 'F3' | 'R1' | 'R2' | 'R3' | 'R4' | 'R5'

/** Key of an invoice at the registry. It can never change. */
export interface InvoiceKey {
  issuerNif: string
  number: string
  issueDate: BusinessDate
}

/** Method of a rectifying invoice: S replaces the original, I states the difference. */
export type Rectification =
  | { method: 'I' }
  | {
      method: 'S'
      /** Base of the rectified invoices. */
      baseCents: Cents
      taxCents: Cents
      /** Null when they had no surcharge. */
      surchargeCents: Cents | null
    }

/**
 * Place of a registration among the earlier ones of the same invoice (Subsanacion and RechazoPrevio): the first one,
 * a correction of a registered one, a correction after a rejected correction, or one of an invoice that the registry
 * does not hold, because its first registration was rejected.
 */
export type RegistrationTurn = 'first' | 'correction' | 'correction_after_rejection' | 'unregistered'

/** Party that made the invoice in the issuer's name, when it was not the issuer. */
export type MadeBy = { by: 'recipient' } | { by: 'third_party'; party: Recipient }

export interface RegistryInvoice {
  /** Our own reference of the record; the authority echoes it (RefExterna). */
  recordId: string
  turn: RegistrationTurn
  issuer: { nif: string; name: string }
  /** As printed: series and number together. */
  number: string
  issueDate: BusinessDate
  operationDate: BusinessDate | null
  kind: RecordKind
  /** Required in R1 to R5, null in all others. */
  rectification: Rectification | null
  /** The invoices a rectifying one corrects (R1 to R5); may be empty. */
  rectified: InvoiceKey[]
  /** The simplified invoices that F3 stands for; may be empty. */
  substituted: InvoiceKey[]
  /** Qualified simplified invoice, RD 1619/2012 art. 7.2 and 7.3. */
  simplifiedArt7273: boolean
  /** Invoice without the recipient's identification, RD 1619/2012 art. 6.1.d. */
  withoutRecipientArt61d: boolean
  /** Null when the issuer made it. */
  madeBy: MadeBy | null
  description: string
  /** Empty when the record names no customer, as F2 and R5 require; at most 1000. */
  recipients: Recipient[]
  /** True when the rectification comes from a coupon (LIVA art. 80.1): R1 and R5 only. */
  coupon: boolean
  breakdown: BreakdownLine[]
  /** Tax and surcharge of all lines. */
  taxTotalCents: Cents
  /** Bases, tax and surcharge, before withholding and without disbursements (suplidos). */
  totalCents: Cents
  /** Number of an agreement with the authority on how invoices are made (NumRegistroAcuerdoFacturacion); usually null. */
  agreementNumber: string | null
}

/**
 * Place of a cancellation (SinRegistroPrevio and RechazoPrevio): the usual one, one after a rejected cancellation,
 * one of an invoice that the registry does not hold, and one of the last kind after a rejection.
 */
export type CancellationTurn = 'first' | 'after_rejection' | 'unregistered' | 'unregistered_after_rejection'

/** Party that requests a cancellation, when it is not the issuer. */
export interface CancellationMaker {
  by: 'recipient' | 'third_party'
  party: Recipient
}

/** The facts of a cancellation record (RegistroAnulacion). */
export interface RegistryCancellation {
  recordId: string
  turn: CancellationTurn
  key: InvoiceKey
  madeBy: CancellationMaker | null
}

/** The facts of an invoice from its slice; the chain adds the record's own reference. */
export type NewRegistration = Omit<RegistryInvoice, 'recordId'>
export type NewCancellation = Omit<RegistryCancellation, 'recordId'>

/** Facts of this record that the next record of the chain contains. */
export interface ChainLink extends InvoiceKey {
  /** 64 upper-case hex characters. */
  hash: string
}

/** The program as a record names it. `severalIssuers` is computed when the record is made, never entered. */
export interface Software {
  producer: { name: string; nif: string }
  name: string
  /** Identifier that the producer has given the program; two characters, A-Z and 0-9. */
  id: string
  version: string
  installationNumber: string
  /** This installation holds more than one issuer now. */
  severalIssuers: boolean
}

export function isSpanishParty(party: Recipient): party is SpanishParty {
  return 'nif' in party
}
