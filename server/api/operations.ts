/**
 * The operations table: every contract with its function. All transports derive from it; there is no second business
 * path. The contracts and functions of a part are loaded at the first call of one of its operations.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import operationFacts from '#operation-facts'
import { factsOf } from '../domain/contract/define-contract.ts'
import type { AnyContract, ContractFacts } from '../domain/contract/define-contract.ts'
import type { Operation } from '../context.ts'
import { SLICES } from './slices.ts'
import type { SliceName } from './slices.ts'

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

const loaded = new Map<string, Operation>()

async function readSlice(slice: SliceName): Promise<void> {
  for (const operation of await SLICES[slice]()) loaded.set(operation.contract.name, operation)
}

const slices = new Map<SliceName, Promise<void>>()

/** Loads the operations of a slice once for all callers; after a failure the next caller tries again. */
function loadSlice(slice: SliceName): Promise<void> {
  let loading = slices.get(slice)
  if (!loading) {
    loading = readSlice(slice)
    loading.catch(() => slices.delete(slice))
    slices.set(slice, loading)
  }
  return loading
}

function entryOf(slice: SliceName, facts: ContractFacts): OperationEntry {
  return {
    facts,
    load: () =>
      loaded.get(facts.name) ??
      loadSlice(slice).then(() => {
        const operation = loaded.get(facts.name)
        if (!operation) throw new Error(`The slice ${slice} does not register ${facts.name}.`)
        return operation
      }),
  }
}

/** The table, in the order of the list of slices. */
export const operationTable: readonly OperationEntry[] = Object.entries(operationFacts).flatMap(
  ([slice, all]) => all.map((facts) => entryOf(slice as SliceName, facts)),
)

const byName: ReadonlyMap<string, OperationEntry> = new Map(
  operationTable.map((entry) => [entry.facts.name, entry]),
)

/** Loads the operations that programs usually call first, while the server is idle. */
export async function warmUp(): Promise<void> {
  await nextTurn()
  await loadSlice('invoice')
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

/** Returns every contract, in the order of the table. */
export async function loadContracts(): Promise<readonly AnyContract[]> {
  return (await loadOperations()).map(({ contract }) => contract)
}
