/** Types of the table of rules, and helpers to break a plain record. */
import { cancellation, invoice, ISSUER, SYSTEM, taxed } from '../plain-records.ts'
import type {
  BreakdownLine,
  ForeignParty,
  InvoiceKey,
  Recipient,
  RegistryCancellation,
  RegistryInvoice,
  SystemInfo,
} from '../../../../server/registry/systems/verifactu/record/fields.ts'

interface Case {
  name: string
  /** Our code of the broken rule. */
  local: string
  /**
   * The authority's answer: `Incorrecto 1142`, `AceptadoConErrores 2001`, `fault 4102`, or `Correcto` where we are
   * stricter.
   */
  authority: string
  /** Severity of the local fault; an error by default. */
  severity?: 'warning'
  /** Code named by our fault where the authority accepts what we do not. */
  stricter?: string
  /** Other rules of ours that the same record inevitably breaks. */
  also?: string[]
  /** Changes the message where the serializer cannot write the fault. */
  spoil?: (xml: string) => string
  /** The answer repeats a key with an invalid date, which our reader of answers rejects. */
  unread?: true
  today?: string
}

interface RegistrationCase extends Case {
  invoice: RegistryInvoice
  /** Record that is built before it is spoiled, where the serializer refuses the case itself. */
  built?: RegistryInvoice
}

interface CancellationCase extends Case {
  cancellation: RegistryCancellation
}

interface SystemCase extends Case {
  system: SystemInfo
}

export type RuleCase = RegistrationCase | CancellationCase | SystemCase

/** Reason why no record of ours can cause a code; `same as` names the code that is answered instead. */
type Reason = `${'impossible' | 'authority data' | 'header' | 'same as'}: ${string}` | 'technical' | 'query'

/** Every code with its cases, or with the reason why it has none. */
export type Coverage = Record<string, RuleCase[] | Reason>

/** Differences from the plain invoice. */
type Changes = Partial<RegistryInvoice>

export const lines = (...breakdown: BreakdownLine[]): Changes => ({ breakdown })
export const regime = (regimeKey: string | null, line = taxed(10_000)): Changes =>
  lines({ ...line, regimeKey })
export const to = (...recipients: Recipient[]): Changes => ({ recipients })
export const foreigner = (changes: Partial<ForeignParty> = {}): ForeignParty => ({
  name: 'CLIENTE',
  country: 'US',
  idType: '04',
  id: 'X1',
  ...changes,
})
export const FRENCH = foreigner({ country: 'FR', idType: '02', id: 'FR12345678901' })
export const TOWN: Recipient = { name: 'AYUNTAMIENTO', nif: 'P2807900B' }
export const IN_2022 = '2022-12-31'
export const IN_2023 = '2023-05-05'
export const END_OF_2024 = '2024-12-01'

/** Returns a line of a tax without equivalence surcharge and without a list of rates. */
export const other = (
  tax: '02' | '03' | '05',
  regimeKey: string | null,
  changes: Partial<BreakdownLine> = {},
): BreakdownLine => ({ ...taxed(10_000, 1000), tax, regimeKey, ...changes })

export const nameless = (changes: Changes = {}): Changes => ({ kind: 'F2', recipients: [], ...changes })
export const rectifying = (kind: 'R1' | 'R2' | 'R3' | 'R4' | 'R5', changes: Changes = {}): Changes => ({
  kind,
  rectification: { method: 'S', baseCents: 10_000, taxCents: 2_100, surchargeCents: null },
  ...(kind === 'R5' ? { recipients: [] } : {}),
  ...changes,
})
export const original = (changes: Partial<InvoiceKey> = {}): InvoiceKey => ({
  issuerNif: ISSUER.nif,
  number: 'T-F2026-0001',
  issueDate: '2026-10-31',
  ...changes,
})
export const by = (party: Recipient): Changes => ({ madeBy: { by: 'third_party', party } })
/** Returns a cancellation of an invoice that the registry does not hold, so that no other rule applies. */
export const cancelledBy = (who: 'recipient' | 'third_party', party: Recipient): RegistryCancellation =>
  cancellation({ turn: 'unregistered', madeBy: { by: who, party } })

export const rejected = (
  name: string,
  changes: Changes,
  local: string,
  code: string,
  more: Partial<RegistrationCase> = {},
): RegistrationCase => ({
  name,
  invoice: invoice(changes),
  local,
  authority: `${code >= '4000' ? 'fault' : 'Incorrecto'} ${code}`,
  ...more,
})

export const stricter = (name: string, changes: Changes, local: string, code: string): RegistrationCase =>
  rejected(name, changes, local, code, { authority: 'Correcto', stricter: code })

export const rejectedCancellation = (
  name: string,
  made: RegistryCancellation,
  local: string,
  code: string,
  more: Partial<CancellationCase> = {},
): CancellationCase => ({
  name,
  cancellation: made,
  local,
  authority: `${code >= '4000' ? 'fault' : 'Incorrecto'} ${code}`,
  ...more,
})

export const rejectedSystem = (
  name: string,
  changes: Partial<SystemInfo>,
  local: string,
  code: string,
): SystemCase => ({
  name,
  system: { ...SYSTEM, ...changes },
  local,
  authority: `${code >= '4000' ? 'fault' : 'Incorrecto'} ${code}`,
})

export const OUT_OF_LIST = 'impossible: the model has only the values of the list'
export const SERIALIZER = 'impossible: the serializer writes the element, from nothing a person can change'
export const PROGRAM = "impossible: the program's producer has a Spanish tax number"
export const EARLIER = 'impossible: the record before is one of ours, sealed under the same rules'
export const CENSUS = 'authority data: its census of tax numbers'
export const HELD = 'authority data: what it holds of earlier records'
export const ISSUER_IN_HEADER =
  'header: the issuer stands there too and is refused first, with the whole message (4116)'
