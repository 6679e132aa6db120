/**
 * Facts of each operation that the server needs before it loads the schemas: server/api/contract-facts.json, one
 * operation per line.
 */
import type { AnyContract } from '../../server/domain/contract/define-contract.ts'
import { factsOf } from '../../server/domain/contract/define-contract.ts'
import { PARTS } from '../../server/api/contracts.ts'

export async function generate(): Promise<Record<string, string>> {
  const parts = await Promise.all(
    Object.entries(PARTS).map(async ([part, load]) => {
      const contracts: readonly AnyContract[] = await load()
      const lines = contracts.map((contract) => `    ${JSON.stringify(factsOf(contract))}`)
      return `  ${JSON.stringify(part)}: [\n${lines.join(',\n')}\n  ]`
    }),
  )
  return { 'server/api/contract-facts.json': `{\n${parts.join(',\n')}\n}\n` }
}
