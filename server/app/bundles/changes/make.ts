/** Makes the changes of an adviser in the copy of a client's books, and makes them again on books that arrived since. */
import { AppError } from '../../../domain/errors/app-error.ts'
import { createIdMakerFrom } from '../../../domain/ids.ts'
import { loadBook } from '../../../platform/books/index.ts'
import { inBook, inStandOf, orNotFound } from '../../../context.ts'
import type { Ctx, Operation } from '../../../context.ts'
import { failpoint } from '../../../db/failpoints.ts'
import { withSavepoint } from '../../../db/savepoint.ts'
import {
  changesOf,
  findCopy,
  findPairing,
  insertChange,
  markRebased,
  updateChange,
  updatePairing,
} from '../rows.ts'
import type { ChangeRow, PairingRow } from '../rows.ts'
import { allowedChange, createdBy, isLocal } from './allowed.ts'
import { ENTRY_OPERATION, entryNamed, namesEntry, withEntry } from './named-entries.ts'
import { adviserActor, loadOperations, performChange, problemOf } from './perform.ts'
import type { Operations } from './perform.ts'
import { withReferences } from './references.ts'
import { summaryOf } from './summary.ts'

/** Returns what waiting changes created here, by its identifier. */
function createdHere(changes: readonly ChangeRow[]): Map<string, string> {
  return new Map(
    changes.flatMap(({ state, created, public_id: id }) =>
      state === 'waiting' && created !== null ? [[created, id] as const] : [],
    ),
  )
}

const onlyLooks = (operation: string, input: unknown): boolean =>
  operation === 'ledger.settleVat' && (input as { write?: boolean }).write !== true

/**
 * Runs an operation in the copy of a client's books. What an adviser may change is made and noted for the client in
 * one transaction. Throws `company_advised` for everything else that writes.
 */
export async function runInCopy(operation: Operation, ctx: Ctx, input: unknown): Promise<unknown> {
  const { name, effect } = operation.contract
  if (effect === 'read' || isLocal(name) || onlyLooks(name, input)) return operation.run(ctx, input)
  const allowed = allowedChange(name)
  if (!allowed) throw new AppError('company_advised', { details: { operation: name } })
  const operations = await operationsOfCopy(ctx)
  const entry = namesEntry(name) ? await ctx.env.loadOperation?.(ENTRY_OPERATION) : undefined
  return ctx.transaction(async (tx) => {
    const pairing = await pairingOfCopy(tx)
    if (pairing.state === 'ended') throw new AppError('pairing_ended')
    await makeAgain(tx, pairing, operations)
    const created = createdHere(await changesOf(tx.db, pairing.id))
    const publicId = tx.newId('chg')
    const person = {
      person_id: ctx.actor.id,
      person_name: ctx.actor.name === 'user' ? (pairing.adviser_person ?? '') : ctx.actor.name,
    }
    const own = inStandOf(tx, { actor: adviserActor(pairing, person), newId: createIdMakerFrom(publicId) })
    const before = namesEntry(name) ? await entryNamed(own, input, entry) : null
    const output = await (allowed.run ?? operation.run)(own, input)
    // An entry of a change that waits is named by that change.
    const isOfChange = created.has(String((input as { id?: unknown }).id))
    const number = pairing.changes + 1
    await insertChange(tx.db, {
      pairing_id: pairing.id,
      public_id: publicId,
      number,
      book: ctx.book.publicId,
      operation: name,
      input: JSON.stringify(withReferences(isOfChange ? input : withEntry(input, before), created)),
      created: createdBy(output),
      ...person,
      made_at: tx.now().getTime(),
      summary: JSON.stringify(summaryOf(input, output, before)),
    })
    await updatePairing(tx.db, pairing.id, { changes: number })
    return output
  })
}

async function pairingOfCopy(ctx: Ctx): Promise<PairingRow> {
  const copy = orNotFound(await findCopy(ctx.db, { companyId: ctx.book.companyId }))
  return orNotFound(await findPairing(ctx.db, copy.pairing))
}

/** Loads the operations of the changes that wait. */
async function operationsOfCopy(ctx: Ctx): Promise<Operations> {
  const changes = await changesOf(ctx.db, (await pairingOfCopy(ctx)).id)
  const waiting = changes.filter(({ state }) => state === 'waiting')
  return loadOperations(
    ctx.env,
    waiting.map(({ operation }) => operation),
  )
}

/**
 * Makes the waiting changes again if the books were replaced since, in the same transaction. One that cannot be made
 * keeps the reason; the client decides.
 */
async function makeAgain(tx: Ctx, pairing: PairingRow, operations: Operations): Promise<void> {
  const copy = await findCopy(tx.db, { pairing: pairing.public_id })
  if (!copy || copy.rebased) return
  const changes = await changesOf(tx.db, pairing.id)
  const created = new Map<string, string | null>(
    changes.flatMap(({ public_id: id, state, created_there: there }) =>
      state === 'taken' ? [[id, there] as const] : [],
    ),
  )
  for (const change of changes) {
    if (change.state !== 'waiting') continue
    try {
      const { output, summary } = await withSavepoint(tx.db, async () => {
        const book = orNotFound(await loadBook(tx.db, change.book))
        return performChange(
          inBook(tx, book),
          { pairing, change, operations },
          (id) => created.get(id) ?? null,
        )
      })
      const made = createdBy(output)
      created.set(change.public_id, made)
      await updateChange(tx.db, change.id, { created: made, problem: null, summary: JSON.stringify(summary) })
    } catch (error) {
      await updateChange(tx.db, change.id, {
        created: null,
        problem: JSON.stringify(problemOf(tx.env, error)),
      })
    }
    failpoint('bundles.change_made_again')
  }
  await markRebased(tx.db, copy.companyId)
}

/** Makes the waiting changes again on books that arrived; also after a start in the middle of it. */
export async function makeWaitingAgain(ctx: Ctx): Promise<void> {
  const operations = await operationsOfCopy(ctx)
  await ctx.transaction(async (tx) => makeAgain(tx, await pairingOfCopy(tx), operations))
}
