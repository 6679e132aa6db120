/** Takes or rejects changes of an adviser at the client, each in a transaction of its own. */
import { recordAudit } from '../../../platform/audit/index.ts'
import { booksOfCompany } from '../../../platform/books/index.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import { inBook, orNotFound } from '../../../context.ts'
import type { Book, Ctx, UseCase } from '../../../context.ts'
import { failpoint } from '../../../db/failpoints.ts'
import { withSavepoint } from '../../../db/savepoint.ts'
import type { ChangeSummary, rejectChangesContract, takeChangesContract } from '../contract.ts'
import { changesOf, pairingsOf, updateChange } from '../rows.ts'
import type { ChangeRow, PairingRow } from '../rows.ts'
import { createdBy } from './allowed.ts'
import { loadOperations, performChange, problemOf } from './perform.ts'
import type { Operations } from './perform.ts'
import { summaryOf } from './summary.ts'

interface Found {
  pairing: PairingRow
  change: ChangeRow
}

/** Returns the changes of the company by their public identifiers, in their order. Throws `not_found`. */
async function findChanges(ctx: Ctx, ids: readonly string[]): Promise<Found[]> {
  const wanted = new Set(ids)
  const found: Found[] = []
  for (const pairing of await pairingsOf(ctx)) {
    if (pairing.side !== 'client') continue
    for (const change of await changesOf(ctx.db, pairing.id))
      if (wanted.delete(change.public_id)) found.push({ pairing, change })
  }
  if (wanted.size > 0) throw new AppError('not_found')
  return found.toSorted((a, b) => a.change.number - b.change.number)
}

/** Returns the function that finds what a taken change created. */
async function createdIn(ctx: Ctx, pairing: PairingRow): Promise<(change: string) => string | null> {
  const changes = await changesOf(ctx.db, pairing.id)
  const created = new Map(
    changes.flatMap(({ public_id: id, state, created_there: there }) =>
      state === 'taken' ? [[id, there] as const] : [],
    ),
  )
  return (change) => created.get(change) ?? null
}

/** Returns the book of a change, which must be of the company. Throws `bundle_change_refused`. */
function bookOf(books: readonly Book[], change: ChangeRow): Book {
  const book = books.find(({ publicId }) => publicId === change.book)
  if (!book) throw new AppError('bundle_change_refused', { details: { book: change.book } })
  return book
}

async function takeOne(
  ctx: Ctx,
  { pairing, change }: Found,
  operations: Operations,
  books: readonly Book[],
): Promise<void> {
  await inBook(ctx, bookOf(books, change)).transaction(async (tx) => {
    const [row] = (await changesOf(tx.db, pairing.id)).filter(({ id }) => id === change.id)
    // Another window has decided in the meantime.
    if (row?.state !== 'waiting') return
    const { output, summary } = await performChange(
      tx,
      { pairing, change: row, operations },
      await createdIn(tx, pairing),
    )
    await updateChange(tx.db, row.id, {
      state: 'taken',
      created_there: createdBy(output),
      summary: JSON.stringify(summary),
      problem: null,
      decided_at: tx.now().getTime(),
      decided_by: ctx.actor.name,
    })
    await recordAudit(tx, {
      action: 'bundles.change_taken',
      target: {
        type: 'change',
        id: row.public_id,
        label: `${row.person_name}: ${summary.title ?? row.operation}`,
      },
    })
    failpoint('bundles.change_taken')
  })
}

/** Takes changes in their order. One that cannot be taken stays waiting, with the reason; the others go on. */
export const takeChanges: UseCase<typeof takeChangesContract> = async (ctx, { ids }) => {
  const found = await findChanges(ctx, ids)
  const operations = await loadOperations(
    ctx.env,
    found.map(({ change }) => change.operation),
  )
  const books = await booksOfCompany(ctx.db, ctx.book.companyId)
  const failed: { id: string; problem: ReturnType<typeof problemOf> }[] = []
  let taken = 0
  for (const each of found) {
    if (each.change.state === 'taken') {
      taken += 1
      continue
    }
    if (each.change.state === 'rejected') continue
    try {
      await takeOne(ctx, each, operations, books)
      taken += 1
    } catch (error) {
      if (error instanceof AppError && error.code === 'store_readonly') throw error
      const problem = problemOf(ctx.env, error)
      failed.push({ id: each.change.public_id, problem })
      await ctx.transaction((tx) => updateChange(tx.db, each.change.id, { problem: JSON.stringify(problem) }))
    }
  }
  if (found.length > failed.length) await tryWaiting(ctx)
  return { taken, failed }
}

/** Rejects changes. The adviser learns it, with the note, from the next file. */
export const rejectChanges: UseCase<typeof rejectChangesContract> = (ctx, { ids, note }) =>
  ctx.transaction(async (tx) => {
    let rejected = 0
    for (const { change } of await findChanges(tx, ids)) {
      if (change.state !== 'waiting') continue
      await updateChange(tx.db, change.id, {
        state: 'rejected',
        decided_at: tx.now().getTime(),
        decided_by: tx.actor.name,
        note: note?.trim() || null,
      })
      await recordAudit(tx, {
        action: 'bundles.change_rejected',
        target: { type: 'change', id: change.public_id, label: change.person_name },
      })
      rejected += 1
    }
    return { rejected }
  })

/** Undoes what a trial has written. */
class TrialEnd extends Error {}

/**
 * Tries all waiting changes in their order without keeping anything, and notes what each does and why it could not be
 * taken.
 */
export async function tryWaiting(ctx: Ctx): Promise<void> {
  const books = await booksOfCompany(ctx.db, ctx.book.companyId)
  for (const pairing of await pairingsOf(ctx)) {
    if (pairing.side !== 'client') continue
    const waiting = (await changesOf(ctx.db, pairing.id)).filter(({ state }) => state === 'waiting')
    if (waiting.length === 0) continue
    const operations = await loadOperations(
      ctx.env,
      waiting.map(({ operation }) => operation),
    )
    const results = await trial(ctx, pairing, waiting, operations, books)
    await ctx.transaction(async (tx) => {
      for (const { id, summary, problem } of results)
        await updateChange(tx.db, id, {
          problem: problem === null ? null : JSON.stringify(problem),
          summary: JSON.stringify(summary),
        })
    })
  }
}

interface Tried {
  id: number
  summary: ChangeSummary
  problem: ReturnType<typeof problemOf> | null
}

async function trial(
  ctx: Ctx,
  pairing: PairingRow,
  waiting: readonly ChangeRow[],
  operations: Operations,
  books: readonly Book[],
): Promise<Tried[]> {
  let results: Tried[] = []
  const work = ctx.transaction(async (tx) => {
    results = []
    const taken = await createdIn(tx, pairing)
    const created = new Map<string, string | null>()
    for (const change of waiting)
      try {
        const { output, summary } = await withSavepoint(tx.db, async () =>
          performChange(
            inBook(tx, orNotFound(bookOf(books, change))),
            { pairing, change, operations },
            (id) => created.get(id) ?? taken(id),
          ),
        )
        created.set(change.public_id, createdBy(output))
        results.push({ id: change.id, summary, problem: null })
      } catch (error) {
        const summary = summaryOf(JSON.parse(change.input), null, null)
        results.push({ id: change.id, summary, problem: problemOf(ctx.env, error) })
      }
    throw new TrialEnd()
  })
  await work.catch((error: unknown) => {
    if (!(error instanceof TrialEnd)) throw error
  })
  return results
}
