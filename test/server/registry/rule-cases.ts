/**
 * Every code with which the authority rejects a record or accepts it with errors, each with a record of ours that
 * causes it or the reason why none can. The records are plain ones with exactly one broken rule.
 */
import { TODAY } from './plain-records.ts'
import { BEYOND_COVERAGE } from './rule-cases/beyond.ts'
import { CODES_1100 } from './rule-cases/codes-1100.ts'
import { CODES_1200 } from './rule-cases/codes-1200.ts'
import { CODES_2000 } from './rule-cases/codes-2000.ts'
import type { Coverage, RuleCase } from './rule-cases/making.ts'

export type { RuleCase } from './rule-cases/making.ts'

/** All codes of records. */
export const COVERAGE: Coverage = { ...CODES_1100, ...CODES_1200, ...CODES_2000 }

/** All cases of all codes. */
export const CASES: RuleCase[] = [
  ...Object.values(COVERAGE).flatMap((entry) => (typeof entry === 'string' ? [] : entry)),
  ...BEYOND_COVERAGE,
]

/** Returns the date on which a case is checked. */
export function dayOf({ today = TODAY }: RuleCase): string {
  return today
}
