/** Performs a change in the books of a client, at the client or in the adviser's copy: the same use case for both. */
import { faultsOf } from '../../../domain/contract/define-contract.ts'
import { storageFaults } from '../../../domain/contract/storable.ts'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import { createIdMakerFrom } from '../../../domain/ids.ts'
import { inStandOf } from '../../../context.ts'
import type { AppEnvironment, Ctx, Operation, UserActor } from '../../../context.ts'
import type { ChangeSummary, Problem } from '../contract.ts'
import type { ChangeRow, PairingRow } from '../rows.ts'
import { allowedChange } from './allowed.ts'
import { checkedEntry, ENTRY_OPERATION, entryNamed, namesEntry } from './named-entries.ts'
import { withIdentifiers } from './references.ts'
import { summaryOf } from './summary.ts'

/** The operations of changes, loaded before a transaction begins. */
export type Operations = ReadonlyMap<string, Operation>

/** Loads the operations of changes; those that no adviser may ask for are left out. */
export async function loadOperations(env: AppEnvironment, names: Iterable<string>): Promise<Operations> {
  const { loadOperation } = env
  if (!loadOperation) throw new Error('The operations are not here.')
  const wanted = new Set([...names].filter((name) => allowedChange(name) !== null))
  if ([...wanted].some(namesEntry)) wanted.add(ENTRY_OPERATION)
  return new Map(
    await Promise.all([...wanted].map(async (name) => [name, await loadOperation(name)] as const)),
  )
}

/** Returns the person of an adviser as the history of both installations names them. */
export function adviserActor(
  pairing: PairingRow,
  person: Pick<ChangeRow, 'person_id' | 'person_name'>,
): UserActor {
  return {
    kind: 'user',
    // Apart from all people of the client's own installation.
    id: `${pairing.public_id}/${person.person_id}`,
    name: [person.person_name, pairing.adviser_name].filter(Boolean).join(', '),
  }
}

interface Performed {
  output: unknown
  summary: ChangeSummary
}

/**
 * Performs a change in the transaction of `tx`, whose book is that of the change. Throws the errors of its operation,
 * `bundle_change_refused` for one that advisers may not ask for, and `bundle_change_waits`.
 */
export async function performChange(
  tx: Ctx,
  { pairing, change, operations }: { pairing: PairingRow; change: ChangeRow; operations: Operations },
  created: (change: string) => string | null,
): Promise<Performed> {
  const allowed = allowedChange(change.operation)
  const operation = operations.get(change.operation)
  if (!allowed || !operation)
    throw new AppError('bundle_change_refused', { details: { operation: change.operation } })
  const own = inStandOf(tx, {
    actor: adviserActor(pairing, change),
    newId: createIdMakerFrom(change.public_id),
  })
  const entry = operations.get(ENTRY_OPERATION)
  const asked = await checkedEntry(own, withIdentifiers(JSON.parse(change.input), created), entry)
  const { input } = operation.contract
  const parsed = input.safeParse(asked, { reportInput: true })
  if (!parsed.success) throw validationFailed(faultsOf(parsed.error))
  const unstorable = storageFaults(asked)
  if (unstorable.length > 0) throw validationFailed(unstorable)
  const before = namesEntry(change.operation) ? await entryNamed(own, asked, entry) : null
  const output = await (allowed.run ?? operation.run)(own, parsed.data)
  return { output, summary: summaryOf(parsed.data, output, before) }
}

/** Returns an error as the reason why a change cannot be taken. An error of the program is reported. */
export function problemOf(env: AppEnvironment, error: unknown): Problem {
  if (!(error instanceof AppError)) {
    env.report('bundles', error)
    return { code: 'internal', faults: [] }
  }
  const faults = (error.details?.faults ?? []) as { code: string; field: string }[]
  return { code: error.code, faults: faults.map(({ code, field }) => ({ code, field })) }
}
