/** Headers of deprecated operations, in the fields of RFC 9745 and RFC 8594. */
import type { ContractFacts } from '../../domain/contract/define-contract.ts'
import { addDays, startOfDay } from '../../domain/dates.ts'
import type { OperationEntry } from '../operations.ts'

/** The page that explains how long operations remain available. */
const VERSIONING_PAGE = '/docs/versioning'
/** Days between the announcement of a removal and the removal itself. */
const NOTICE_DAYS = 180

/**
 * Returns `Deprecation`, `Sunset` and `Link`; null for a current operation. The link to a successor is included if
 * that has a fixed address. Throws if the contract names an unknown successor or a notice that is too short.
 */
export function retirementHeaders(
  { name, deprecated }: ContractFacts,
  operations: readonly OperationEntry[],
): Record<string, string> | null {
  if (!deprecated) return null
  const { since, sunset, replacedBy } = deprecated
  if (sunset < addDays(since, NOTICE_DAYS))
    throw new Error(`${name} goes less than ${NOTICE_DAYS} days after it says so.`)
  const links = [`<${VERSIONING_PAGE}>; rel="deprecation"; type="text/html"`]
  if (replacedBy !== undefined) {
    const successor = operations.find(({ facts }) => facts.name === replacedBy)
    if (!successor) throw new Error(`${name} is replaced by ${replacedBy}, which is not there.`)
    const path = successor.facts.rest?.path
    if (path !== undefined && !path.includes(':')) links.push(`</api/v1${path}>; rel="successor-version"`)
  }
  return {
    deprecation: `@${startOfDay(since).getTime() / 1000}`,
    sunset: startOfDay(sunset).toUTCString(),
    link: links.join(', '),
  }
}
