/** The few facts a registry record is made of. The slice declares them itself and never imports invoices. */
import type { BasisPoints, Cents } from '../../domain/money.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { TaxTreatment } from '../../domain/tax/totals.ts'

/**
 * How a customer without a Spanish tax number is identified: 02 EU VAT number, 03 passport, 04 official document of the
 * country of residence, 05 residence certificate, 06 other proof, 07 Spanish number that is not in the census.
 */
export type OtherIdType = '02' | '03' | '04' | '05' | '06' | '07'

export interface SpanishParty {
  name: string
  nif: string
}

export interface ForeignParty {
  name: string
  /** Two capital letters of ISO 3166, `ES` with type 07. With type 02 the number says the country and this is not sent. */
  country: string
  idType: OtherIdType
  id: string
}

export type Recipient = SpanishParty | ForeignParty

/** Which tax a line bears, in the registry's list: 01 IVA, 02 IPSI (Ceuta and Melilla), 03 IGIC (Canary Islands), 05 other. */
export type TaxCode = '01' | '02' | '03' | '05'

export interface BreakdownLine {
  tax: TaxCode
  taxTreatment: TaxTreatment
  /** Null only where the tax has no regimes (05) and, until the end of 2026, may have none (02). */
  regimeKey: string | null
  /** Null with N1, N2 and exempt lines; 0 with reverse charge (S2). Of the tax named, whatever it is. */
  vatRateBp: BasisPoints | null
  baseCents: Cents
  /** The base at cost: groups of entities (regime 06), IPSI and other taxes. Null everywhere else. */
  costBaseCents: Cents | null
  /** The tax without the surcharge. */
  taxCents: Cents
  /** Null when the line bears no equivalence surcharge. */
  surchargeRateBp: BasisPoints | null
  surchargeCents: Cents
}

/** F1 full, F2 simplified, F3 full in place of simplified ones, R1 to R4 rectifying (LIVA art. 80), R5 rectifying a simplified one. */
export type RecordKind = 'F1' | 'F2' | 'F3' | 'R1' | 'R2' | 'R3' | 'R4' | 'R5'

/** What names an invoice at the registry. It can never be changed. */
export interface InvoiceKey {
  issuerNif: string
  number: string
  issueDate: BusinessDate
}

/** How a rectifying invoice states its change: S in place of the original, I by the difference. */
export type Rectification =
  | { method: 'I' }
  | {
      method: 'S'
      /** What the rectified invoices said. */
      baseCents: Cents
      taxCents: Cents
      /** Null when they bore no surcharge. */
      surchargeCents: Cents | null
    }

/**
 * Where a registration stands among earlier ones of the same invoice (Subsanacion and RechazoPrevio): the first one, a
 * correction of a registered one, a correction after a rejected correction, or one of an invoice the registry does not
 * hold, because its first registration was rejected.
 */
export type RegistrationTurn = 'first' | 'correction' | 'correction_after_rejection' | 'unregistered'

/** Who made the invoice in the issuer's name, when it was not the issuer. */
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
  /** Of R1 to R5 only, and always there. */
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
  /** Empty when the record names no customer, which F2 and R5 demand; at most 1000. */
  recipients: Recipient[]
  /** The rectification comes from a coupon (LIVA art. 80.1): R1 and R5 only. */
  coupon: boolean
  breakdown: BreakdownLine[]
  /** Tax and surcharge of all lines. */
  taxTotalCents: Cents
  /** Bases, tax and surcharge: without withholding and without disbursements (suplidos). */
  totalCents: Cents
  /** Number of an agreement with the authority on how invoices are made (NumRegistroAcuerdoFacturacion); null as a rule. */
  agreementNumber: string | null
}

/**
 * Where a cancellation stands (SinRegistroPrevio and RechazoPrevio): the usual one, one after a rejected cancellation, one of
 * an invoice the registry does not hold, and one of those after it was rejected.
 */
export type CancellationTurn = 'first' | 'after_rejection' | 'unregistered' | 'unregistered_after_rejection'

/** Who asks for a cancellation, when it is not the issuer. */
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

/** What the next record of a chain says about this one. */
export interface ChainLink extends InvoiceKey {
  /** 64 upper-case hex characters. */
  hash: string
}

/** The program as every record names it. `severalIssuers` is computed when the record is made, never typed by a person. */
export interface SystemInfo {
  producer: { name: string; nif: string }
  name: string
  /** Two characters, A-Z and 0-9. */
  id: string
  version: string
  installationNumber: string
  /** The program can only work as VERI*FACTU. */
  onlyVerifactu: boolean
  /** The program can hold several issuers. */
  multiIssuer: boolean
  /** This installation holds more than one issuer now. */
  severalIssuers: boolean
}

export function isSpanishParty(party: Recipient): party is SpanishParty {
  return 'nif' in party
}
