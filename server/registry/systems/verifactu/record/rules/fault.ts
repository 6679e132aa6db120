/** Types of the rules: the fault that a rule reports, and the two kinds of rules, for a record and for a line. */
import type { Cents } from '../../../../../domain/money.ts'
import type { BusinessDate } from '../../../../../domain/dates.ts'
import type { BreakdownLine, RegistryInvoice } from '../fields.ts'

export interface RuleFault {
  code: string
  /**
   * The authority's code for the same fault. Codes from 4000 on refuse the whole message; 2000 to 2009 are accepted
   * with errors. Where our rule is stricter, the code of the rule that it extends.
   */
  authorityCode: string
  /** Dotted path in RegistryInvoice, RegistryCancellation or SystemInfo. */
  field: string
  severity: 'error' | 'warning'
  message: string
  fix: string
  /** Values for the placeholders of a translation. */
  params?: Record<string, string | number>
}

/** A fault as rules write it: an error unless it states a severity. */
export type RuleFinding = Omit<RuleFault, 'severity'> & { severity?: RuleFault['severity'] }

export type Rule = (invoice: RegistryInvoice, today: BusinessDate) => Iterable<RuleFinding>
/** `path` is the position of the line in the record, such as `breakdown[0]`. */
export type LineRule = (
  line: BreakdownLine,
  path: string,
  invoice: RegistryInvoice,
  today: BusinessDate,
) => Iterable<RuleFinding>

/** The message does not match the schema: refused as a whole. */
export const SCHEMA_FAULT = '4102'
/** A list exceeds the schema's maximum: refused as a whole. */
export const LIST_FAULT = '4113'
/** The message is not readable XML: refused as a whole. */
export const XML_FAULT = '4103'
/** Arithmetic difference that the authority accepts. */
export const TOLERANCE_CENTS: Cents = 1_000
/** Maximum length of each list of a record: recipients, rectified invoices, substituted invoices. */
export const MAX_LIST = 1000

/** Returns the faults with their severities filled in. */
export function withSeverities(found: Iterable<RuleFinding>): RuleFault[] {
  const faults: RuleFault[] = []
  for (const one of found) faults.push({ severity: 'error', ...one })
  return faults
}
