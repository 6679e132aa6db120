/**
 * The operations table: every contract with its function. All transports derive from it; there is no second business
 * path. The contracts and functions of a part are loaded at the first call of one of its operations.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import contractFacts from './contract-facts.json' with { type: 'json' }
import { PARTS } from './contracts.ts'
import type { PartName } from './contracts.ts'
import { factsOf } from '../domain/contract/define-contract.ts'
import type { AnyContract, ContractFacts } from '../domain/contract/define-contract.ts'
import type { Ctx } from '../context.ts'
import { FUNCTIONS } from './functions.ts'

export interface Operation {
  contract: AnyContract
  run(ctx: Ctx, input: unknown): Promise<unknown>
}

/** A row of the table: the facts of an operation that are known before its schemas are loaded, and its loader. */
export interface OperationEntry {
  facts: ContractFacts
  /** Synchronous if it was loaded before. */
  load(): Operation | Promise<Operation>
}

/** Returns a loaded operation as a row of a table. */
export function loadedEntry(operation: Operation): OperationEntry {
  return { facts: factsOf(operation.contract), load: () => operation }
}

const FACTS = contractFacts as Record<PartName, ContractFacts[]>

const loaded = new Map<string, Operation>()

/** Loads the operations of a part. Throws if the generated facts of one differ from its contract. */
async function readPart(part: PartName): Promise<void> {
  const [contracts, functions] = await Promise.all([PARTS[part](), FUNCTIONS[part]()])
  // The input is parsed by this contract: its type is matched to the function here only.
  const runs: Readonly<Record<string, unknown>> = functions
  for (const [index, contract] of (contracts as readonly AnyContract[]).entries()) {
    if (!isDeepStrictEqual(factsOf(contract), FACTS[part][index]))
      throw new Error(`contract-facts.json is older than ${contract.name}: run "npm run generate".`)
    loaded.set(contract.name, { contract, run: runs[contract.name] as Operation['run'] })
  }
}

const parts = new Map<PartName, Promise<void>>()

/** Loads a part once for all callers; after a failure the next call tries again. */
function loadPart(part: PartName): Promise<void> {
  let loading = parts.get(part)
  if (!loading) {
    loading = readPart(part)
    loading.catch(() => parts.delete(part))
    parts.set(part, loading)
  }
  return loading
}

/** The table of operations, in the order of the contracts. */
export const operationTable: readonly OperationEntry[] = Object.entries(FACTS).flatMap(([part, all]) =>
  all.map((facts) => ({
    facts,
    load: () =>
      loaded.get(facts.name) ??
      loadPart(part as PartName).then(() => {
        const operation = loaded.get(facts.name)
        if (!operation) throw new Error(`${facts.name} is no longer among the contracts.`)
        return operation
      }),
  })),
)

const byName: ReadonlyMap<string, OperationEntry> = new Map(
  operationTable.map((entry) => [entry.facts.name, entry]),
)

/** Loads the operations that programs usually call first, while the server is idle. */
export async function warmUp(): Promise<void> {
  await nextTurn()
  await loadPart('invoice')
}

/** Returns the operation of a name. Throws for an unknown name. */
export async function loadOperation(name: string): Promise<Operation> {
  const entry = byName.get(name)
  if (!entry) throw new Error(`No operation is called ${name}.`)
  return entry.load()
}

/** Loads all operations, in the order of the table. */
export async function loadOperations(
  table: readonly OperationEntry[] = operationTable,
): Promise<readonly Operation[]> {
  return Promise.all(table.map(async (entry) => entry.load()))
}
