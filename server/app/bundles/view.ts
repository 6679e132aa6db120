/** Pairings and changes as the window sees them. */
import type { Ctx } from '../../context.ts'
import { allowedChange } from './changes/allowed.ts'
import type { BundlesState, ChangeSummary, ChangeView, PairingView, Problem } from './contract.ts'
import { fingerprintOf } from './pairing/keys.ts'
import { changesOf, findCopy, pairingsOf } from './rows.ts'
import type { ChangeRow, PairingRow } from './rows.ts'

const MOST_CHANGES = 500

const instant = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

/** What a summary has before anybody has tried the change. */
const UNKNOWN: ChangeSummary = {
  title: null,
  date: null,
  period: null,
  base: null,
  tax: null,
  amount: null,
  concept: null,
  notes: null,
  file: null,
  lines: [],
}

/** Returns the fingerprint of a pairing; null before both sides are known. */
export function pairingFingerprint(row: PairingRow): string | null {
  const { peer_keys: peer, own_keys: own, public_id: id, side } = row
  if (peer === null) return null
  return side === 'client' ? fingerprintOf(id, own, peer) : fingerprintOf(id, peer, own)
}

function changeView(row: ChangeRow, modes: ReadonlyMap<string, 'live' | 'test'>): ChangeView {
  return {
    id: row.public_id,
    number: row.number,
    kind: allowedChange(row.operation)?.kind ?? 'entry',
    operation: row.operation,
    mode: modes.get(row.book) ?? 'live',
    person: row.person_name,
    madeAt: new Date(row.made_at).toISOString(),
    state: row.state,
    sent: row.sent_in !== null,
    summary: { ...UNKNOWN, ...(JSON.parse(row.summary) as Partial<ChangeSummary>) },
    problem: row.problem === null ? null : (JSON.parse(row.problem) as Problem),
    decidedAt: instant(row.decided_at),
    decidedBy: row.decided_by,
    note: row.note,
  }
}

async function pairingView(ctx: Ctx, row: PairingRow, changes: readonly ChangeRow[]): Promise<PairingView> {
  const sent = await ctx.db
    .selectFrom('bundle_files')
    .select('at')
    .where('pairing_id', '=', row.id)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  const copy = await ctx.db
    .selectFrom('advised_companies')
    .innerJoin('books', 'books.company_id', 'advised_companies.company_id')
    .select(['advised_companies.arrived_at', 'books.public_id as book'])
    .where('advised_companies.pairing', '=', row.public_id)
    .orderBy('books.id')
    .limit(1)
    .executeTakeFirst()
  const waiting = changes.filter(({ state }) => state === 'waiting')
  return {
    id: row.public_id,
    side: row.side,
    state: row.state,
    clientName: row.client_name,
    clientNif: row.client_nif,
    adviserName: row.adviser_name,
    adviserPerson: row.adviser_person,
    fingerprint: pairingFingerprint(row),
    waiting: waiting.length,
    unsent: row.side === 'adviser' ? waiting.filter((change) => change.sent_in === null).length : 0,
    sentAt: instant(sent?.at ?? null),
    arrivedAt: instant(copy?.arrived_at ?? null),
    createdAt: new Date(row.created_at).toISOString(),
    copy: copy?.book ?? null,
  }
}

/** Returns the pairings of the company of `ctx`, with the changes of the newest one. */
export async function stateOf(ctx: Ctx): Promise<BundlesState> {
  const rows = await pairingsOf(ctx)
  const copy = await findCopy(ctx.db, { companyId: ctx.book.companyId })
  // In a copy the other pairings are of companies of the adviser.
  const here = copy ? rows.filter(({ public_id: id }) => id === copy.pairing) : rows
  const pairings: PairingView[] = []
  let changes: ChangeView[] = []
  const modes = new Map(
    (await ctx.db.selectFrom('books').select(['public_id', 'mode']).execute()).map((book) => [
      book.public_id,
      book.mode,
    ]),
  )
  for (const [index, row] of here.entries()) {
    const all = await changesOf(ctx.db, row.id)
    pairings.push(await pairingView(ctx, row, all))
    if (index === 0) changes = all.slice(-MOST_CHANGES).map((change) => changeView(change, modes))
  }
  return { advised: copy !== null, pairings, changes }
}
