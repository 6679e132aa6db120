/** The few facts a registry record is made of. The slice declares them itself and never imports invoices. */
import type { BasisPoints, Cents } from '../core/money.ts'
import type { BusinessDate } from '../core/dates.ts'
import type { TaxTreatment } from '../core/totals.ts'

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

export interface BreakdownLine {
  taxTreatment: TaxTreatment
  regimeKey: string
  /** Null with N1, N2 and exempt lines; 0 with reverse charge (S2). */
  vatRateBp: BasisPoints | null
  baseCents: Cents
  /** VAT without the surcharge. */
  taxCents: Cents
  /** Null when the line bears no equivalence surcharge. */
  surchargeRateBp: BasisPoints | null
  surchargeCents: Cents
}

export interface RegistryInvoice {
  /** Our own reference of the record; the authority echoes it (RefExterna). */
  recordId: string
  issuer: { nif: string; name: string }
  /** As printed: series and number together. */
  number: string
  issueDate: BusinessDate
  operationDate: BusinessDate | null
  kind: 'F1' | 'F2'
  /** Qualified simplified invoice, RD 1619/2012 art. 7.2 and 7.3. */
  simplifiedArt7273: boolean
  /** Invoice without the recipient's identification, RD 1619/2012 art. 6.1.d. */
  withoutRecipientArt61d: boolean
  description: string
  /** Null when the record names no customer, which F2 demands. */
  recipient: Recipient | null
  breakdown: BreakdownLine[]
  /** VAT and surcharge of all lines. */
  taxTotalCents: Cents
  /** Bases, VAT and surcharge: without withholding and without disbursements (suplidos). */
  totalCents: Cents
}

/** What the next record of a chain says about this one. */
export interface ChainLink {
  issuerNif: string
  number: string
  issueDate: BusinessDate
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
