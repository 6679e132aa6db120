/** The steps of a move in a test: documents as if they had been read, all stretches, and the undo. */
import type { OutputOf } from '../../../server/api/contracts.ts'
import type { HistoryDocument } from '../../../server/domain/history.ts'
import { labelOf } from '../../../server/app/moving-in/take.ts'
import { findRun, saveRead } from '../../../server/app/moving-in/rows.ts'
import { historyKey } from '../../../server/tax/history/index.ts'
import type { TestBooks } from '../books.ts'

type Move = OutputOf<'moving.get'>['move']

/** Begins a move and stores documents as a file of it. */
export async function stage(
  world: TestBooks,
  documents: readonly HistoryDocument[],
  firstDay: string,
): Promise<string> {
  const { move } = await world.run('moving.start', { firstDay })
  await world.test.transaction(async (tx) => {
    const run = await findRun(tx, move.id)
    const { id } = await tx.db
      .insertInto('moving_files')
      .values({
        run_id: run.id,
        public_id: tx.newId('mov'),
        position: 0,
        name: 'libro.xlsx',
        sha256: Buffer.alloc(32),
        bytes: 0,
        state: 'read',
        recognition: '{}',
        answers: '{}',
        summary: '{}',
        created_at: tx.now().getTime(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const rows = documents.map((document, position) => ({
      position,
      document,
      key: historyKey(document),
      label: labelOf(document),
      faults: [],
    }))
    for (let from = 0; from < rows.length; from += 200) await saveRead(tx, id, rows.slice(from, from + 200))
  })
  return move.id
}

/** Calls a step of a move until it is done. */
async function toEnd(
  world: TestBooks,
  name: 'moving.apply' | 'moving.undo',
  id: string,
  state: Move['state'],
): Promise<Move> {
  for (let calls = 0; calls < 10_000; calls++) {
    const { move } = await world.run(name, { id })
    if (move.state === state) return move
  }
  throw new Error(`${name} does not come to its end.`)
}

/** Takes a move in. */
export const applyAll = (world: TestBooks, id: string): Promise<Move> =>
  toEnd(world, 'moving.apply', id, 'applied')

/** Takes a move back. */
export const undoAll = (world: TestBooks, id: string): Promise<Move> =>
  toEnd(world, 'moving.undo', id, 'undone')

/** Stores documents as history of a book. */
export async function moveIn(
  world: TestBooks,
  documents: readonly HistoryDocument[],
  firstDay: string,
): Promise<Move> {
  return applyAll(world, await stage(world, documents, firstDay))
}
