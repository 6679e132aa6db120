/**
 * The facts of each operation, by slice, for `#operation-facts`. From source they are read from the contracts, so every slice
 * is loaded. The build and the tests put the values in the place of this module (build/bundling/operation-facts.ts).
 */
import { factsOf } from '../domain/contract/define-contract.ts'
import type { ContractFacts } from '../domain/contract/define-contract.ts'
import { SLICES } from './slices.ts'

const facts = await Promise.all(
  Object.entries(SLICES).map(async ([slice, load]) => {
    const operations = await load()
    return [slice, operations.map(({ contract }) => factsOf(contract))] as const
  }),
)

export default Object.fromEntries(facts) as Readonly<Record<string, readonly ContractFacts[]>>
