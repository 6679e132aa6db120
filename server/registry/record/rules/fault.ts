/** What a rule says and how rules are written: the fault, and the two shapes of rules, of a record and of a line. */
import type { Cents } from '../../../domain/money.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { BreakdownLine, RegistryInvoice } from '../fields.ts'

export interface RuleFault {
  code: string
  /**
   * What the authority would answer to the same fault. Codes from 4000 on refuse the whole message; 2000 to 2009 are
   * accepted with errors. Where a rule of ours is stricter, the code of the rule it sharpens.
   */
  authorityCode: string
  /** Dotted path in RegistryInvoice, RegistryCancellation or SystemInfo. */
  field: string
  severity: 'error' | 'warning'
  message: string
  fix: string
  /** What fills the blanks of a translation. */
  params?: Record<string, string | number>
}

/** A fault as rules write it: an error unless it says otherwise. */
export type RuleFinding = Omit<RuleFault, 'severity'> & { severity?: RuleFault['severity'] }

export type Rule = (invoice: RegistryInvoice, today: BusinessDate) => Iterable<RuleFinding>
/** `path` is the line's place in the record, such as `breakdown[0]`. */
export type LineRule = (
  line: BreakdownLine,
  path: string,
  invoice: RegistryInvoice,
  today: BusinessDate,
) => Iterable<RuleFinding>

/** The message does not fit the schema: refused as a whole. */
export const SCHEMA_FAULT = '4102'
/** A list is longer than the schema admits: refused as a whole. */
export const LIST_FAULT = '4113'
/** The message is no XML that can be read: refused as a whole. */
export const XML_FAULT = '4103'
/** Arithmetic differences the authority lets pass. */
export const TOLERANCE_CENTS: Cents = 1_000
/** Recipients, rectified and substituted invoices: each list of a record holds at most so many. */
export const MAX_LIST = 1000

/** The faults with their severities. */
export function completed(found: Iterable<RuleFinding>): RuleFault[] {
  const faults: RuleFault[] = []
  for (const one of found) faults.push({ severity: 'error', ...one })
  return faults
}
