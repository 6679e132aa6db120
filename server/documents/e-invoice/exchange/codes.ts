/**
 * Fixed values and code lists of the exchange profile. Source: Orden HAC/1028/2026, annexes I and II, as read by one independent
 * reader; the words of the lists were not seen. What rests on inference is among the assumptions (`assumptions.ts`).
 */
import type { DraftContent } from '../../../sales/invoices/index.ts'

/** BT-24. Readers tell the edition of the standard by its beginning: the namespaces are the same. */
export const CUSTOMIZATION = 'urn:cen.eu:en16931:2026#conformant#urn:aeat.es:spfe:1.0.0:extended'
/** BT-23. */
export const PROFILE = 'urn:aeat:names:specification:ubl:schema:profile:B2B'

/** L1, BT-3: invoice, corrected invoice, tax invoice; issued by the customer 389, and its correction 471. */
export const INVOICE_TYPES = ['380', '384', '388', '389', '471'] as const
export const CORRECTED_TYPES: readonly string[] = ['384', '471']

/** L2.A, BT-ES-27: kinds of rectification by law. */
export const RECTIFICATION_KINDS: readonly string[] = ['R1', 'R2', 'R3', 'R4']
/** L2.B, BT-ES-28: by differences, by substitution. */
export const RECTIFICATION_METHODS: readonly string[] = ['I', 'S']

/** BT-ES-24: national taxes, in the registry's codes. */
export const NATIONAL_TAXES = { '01': 'IVA', '02': 'IPSI', '03': 'IGIC' } as const satisfies Record<
  DraftContent['tax'],
  string
>
export type NationalTax = (typeof NATIONAL_TAXES)[keyof typeof NATIONAL_TAXES]

/** L3A, L3B and L3C: regime keys by national tax. */
export const REGIME_KEYS: Readonly<Record<NationalTax, readonly string[]>> = {
  IVA: ['01', '02', '03', '04', '05', '06', '07', '08', '09', '11', '14', '15'],
  IGIC: ['01', '02', '03', '04', '05', '06', '07', '08', '09', '11', '14', '15', '17', '18', '19'],
  IPSI: ['01', '08', '11', '19', '20'],
}
const GENERAL_REGIME = '01'

/** L4: tax categories. K (intra-Community supply) is absent: those customers are outside Spain. */
export const TAX_CATEGORIES: readonly string[] = ['S', 'Z', 'E', 'AE', 'O', 'G', 'L', 'M', 'N', 'D', 'F']

/** L5, BT-ES-21: keys of withholding. */
export const WITHHOLDING_KEYS: readonly string[] = [
  '01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11',
] // prettier-ignore

/** L8: marks of properties and of collection lines. */
export const REGIME_PROPERTY = 'REGI'
export const WITHHELD_MARK = 'RETE'

/** L10: additional document references with a meaning of their own. */
export const QR_REFERENCE = 'QR'
export const RECTIFICATION_KIND_REFERENCE = 'RECT:TIPO'
export const RECTIFICATION_METHOD_REFERENCE = 'RECT:MODALIDAD'

/** Scheme of a tax number without country prefix (BT-32, BT-47), and of the withholding. */
export const LOCAL_SCHEME = 'LOC'
export const LOCAL_NUMBER = 'FC'
export const WITHHOLDING_SCHEME = 'WTH'

/** Largest invoice that the platform takes, in bytes. */
export const MOST_BYTES = 5_120 * 1024

/** Returns the key of a regime as the profile names it: those that it does not name are general. */
export function regimeOf(tax: NationalTax, key: string): string {
  return REGIME_KEYS[tax].includes(key) ? key : GENERAL_REGIME
}
