/** What only this registry's records contain; the facts that every registry's records consist of are in facts.ts. */
import type { Software } from '../../../facts.ts'

export { isSpanishParty } from '../../../facts.ts'
export type {
  BreakdownLine,
  CancellationMaker,
  CancellationTurn,
  ChainLink,
  ForeignParty,
  InvoiceKey,
  MadeBy,
  Recipient,
  RecordKind,
  Rectification,
  RegistrationTurn,
  RegistryCancellation,
  RegistryInvoice,
  TaxCode,
} from '../../../facts.ts'

/** The program's own block of a record (SistemaInformatico). */
export interface SystemInfo extends Software {
  /** The program can only work as VERI*FACTU. */
  onlyVerifactu: boolean
  /** The program supports several issuers. */
  multiIssuer: boolean
}
