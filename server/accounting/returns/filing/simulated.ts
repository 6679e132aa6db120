/**
 * The simulated agency of one test book: the same messages as the real services take, answered in this process. What it was
 * given is in the book's store, so that a restart loses nothing.
 */
import type { Ctx } from '../../../context.ts'
import { prepare } from '../../../db/query.ts'
import { createReturnsSimulator } from '../simulator/index.ts'
import type { DeclaredReturn, InformativeSending, ReturnsState } from '../simulator/index.ts'
import type { Signer, Transport } from './service.ts'

interface Key {
  nif: string
  model: string
  year: number
  period: string
}

const declaredOf = prepare((db, p: Key & { bookId: number }) =>
  db
    .selectFrom('simulated_returns')
    .select('facts')
    .where('book_id', '=', p.bookId)
    .where('nif', '=', p.nif)
    .where('model', '=', p.model)
    .where('year', '=', p.year)
    .where('period', '=', p.period)
    .orderBy('id'),
)

const byCsv = prepare((db, p: { bookId: number; csv: string }) =>
  db.selectFrom('simulated_returns').select('facts').where('book_id', '=', p.bookId).where('csv', '=', p.csv),
)

const sendingsOf = prepare((db, p: Key & { bookId: number }) =>
  db
    .selectFrom('simulated_sendings')
    .select('facts')
    .where('book_id', '=', p.bookId)
    .where('nif', '=', p.nif)
    .where('model', '=', p.model)
    .where('year', '=', p.year)
    .where('period', '=', p.period)
    .orderBy('id'),
)

const sendingById = prepare((db, p: { bookId: number; id: string }) =>
  db.selectFrom('simulated_sendings').select('facts').where('book_id', '=', p.bookId).where('id', '=', p.id),
)

const read = <T>(row: { facts: string } | undefined): T | null => (row ? (JSON.parse(row.facts) as T) : null)

/** Implements the memory of the simulator over the tables of one book. */
function storedState(ctx: Ctx): ReturnsState {
  const bookId = ctx.book.id
  return {
    declared: async (key) =>
      (await declaredOf.all(ctx.db, { bookId, ...key })).map(
        ({ facts }) => JSON.parse(facts) as DeclaredReturn,
      ),
    byCsv: async (csv) => read<DeclaredReturn>(await byCsv.first(ctx.db, { bookId, csv })),
    add: (declared) =>
      ctx.transaction(async (tx) => {
        const { nif, model, year, period, csv } = declared
        await tx.db
          .insertInto('simulated_returns')
          .values({ book_id: bookId, nif, model, year, period, csv, facts: JSON.stringify(declared) })
          .execute()
      }),
    sending: async (id) => read<InformativeSending>(await sendingById.first(ctx.db, { bookId, id })),
    putSending: (sending) =>
      ctx.transaction(async (tx) => {
        const { id, nif, model, year, period } = sending
        const facts = JSON.stringify(sending)
        await tx.db
          .insertInto('simulated_sendings')
          .values({ book_id: bookId, id, nif, model, year, period, facts })
          .onConflict((conflict) => conflict.columns(['book_id', 'id']).doUpdateSet({ facts }))
          .execute()
      }),
    lastSending: async (key) => {
      const rows = await sendingsOf.all(ctx.db, { bookId, ...key })
      const found = rows.map(({ facts }) => JSON.parse(facts) as InformativeSending)
      return found.toSorted((one, other) => one.serial - other.serial).at(-1) ?? null
    },
  }
}

/** The simulator reads headers as a server does, by names in lower case. */
function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/**
 * Returns the transport to the simulated agency of a test book. `signer` is whom the certificate names; where that is another
 * than the filer, the statement of the person counts as the power that the agency has registered.
 */
export function simulatedTransport(
  ctx: Ctx,
  { signer, filerNif }: { signer: Signer; filerNif: string },
): Transport {
  const { nif, representation } = signer
  const powers = representation === null ? [] : [{ nif, for: filerNif, as: representation }]
  const simulator = createReturnsSimulator({ state: storedState(ctx), now: () => ctx.now(), powers })
  return async ({ method, path, headers, body, certificate }) => {
    const answer = await simulator.handle({
      method,
      path,
      headers: { host: 'localhost', ...lowerCased(headers) },
      body,
      callers: certificate ? [nif] : null,
    })
    return answer.kind === 'dropped' ? { kind: 'no_answer', detail: 'The connection was closed.' } : answer
  }
}
