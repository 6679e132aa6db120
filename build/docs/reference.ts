/** The interactive reference: its configuration, and the anchors of operations. */
import type { AnyContract } from '../../server/domain/contract/define-contract.ts'
import { tagOf } from '../../server/api/openapi/openapi.ts'
import { slug } from './html.ts'

/** Returns the address of an operation in the interactive reference. */
export function referenceLink(contract: AnyContract): string {
  const { rest } = contract
  if (!rest) return '/docs/reference'
  const path = `/api/v1${rest.path.replace(/:(\w+)/g, '{$1}')}`
  return `/docs/reference#tag/${slug(tagOf(contract))}/${rest.method}${path}`
}
