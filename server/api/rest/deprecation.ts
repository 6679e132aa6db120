/** What the answers of an operation that is being retired say of it, in the fields of RFC 9745 and RFC 8594. */
import type { ContractFacts } from '../../domain/contract/define-contract.ts'
import { addDays, startOfDay } from '../../domain/dates.ts'
import type { OperationEntry } from '../operations.ts'

/** Where it is explained how long things are kept. */
export const VERSIONING_PAGE = '/docs/versioning'
/** How long an operation stays after it was said that it will go, in days. */
export const NOTICE_DAYS = 180

/**
 * `Deprecation`, `Sunset` and `Link`; null for an operation that stays. The link to a successor is told when that has a
 * fixed address. Throws when the contract names a successor that is not there, or gives too short a notice.
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
