/**
 * Verifies the chain: recomputes every record's hash from its stored text, follows every link, and finds missing
 * records.
 */
import type { verifyChainContract } from '../contract.ts'
import { whereWritable } from '../../domain/errors/to-app-error.ts'
import type { Ctx, UseCase } from '../../context.ts'
import type { Predecessor, ReadRecord, RegistrySystem } from '../system.ts'
import { systemOf } from '../systems/index.ts'
import { unpackXml } from '../systems/packing.ts'
import { findChain, headOf, hexOf } from './rows.ts'

/** One page is about ten milliseconds of work, so other requests wait no longer than that. */
const PAGE = 100
/** Records proven before other work runs. */
const TURN = 10

interface ChainProof {
  ok: boolean
  records: number
  head: string | null
  broken?: { sequence: number; number: string; why: string }
}

interface StoredRecord {
  sequence: number
  hash: Uint8Array
  xml: Uint8Array
  number: string | null
}

function faultOf(
  system: RegistrySystem,
  row: StoredRecord,
  expected: number,
  previous: Predecessor | null,
): { why: string } | { link: Predecessor | null } {
  if (row.sequence !== expected) return { why: 'a record is missing before it' }
  try {
    const record = system.read(unpackXml(row.xml))
    const fault = system.proveLink(record, previous)
    if (fault) return { why: fault }
    if (record.link.hash !== hexOf(row.hash)) return { why: 'the stored hash is not the one in the record' }
    if (row.number !== null && record.link.number !== row.number)
      return { why: 'the record names another invoice' }
    return { link: linkIn(record) ?? previous }
  } catch {
    return { why: 'the record cannot be read' }
  }
}

/** Returns what the next record follows, if it follows this one; else null. */
function linkIn({ link, isLink, named }: ReadRecord): Predecessor | null {
  return isLink ? { ...link, link: named } : null
}

/** Recomputes the chain from record `from` (1 = all). Reads only. */
export async function proveChain(ctx: Ctx, from = 1): Promise<ChainProof> {
  const system = systemOf(ctx.book)
  let chain = await findChain(ctx)
  let sequence = Math.max(1, from)
  let previous: Predecessor | null = sequence > 1 ? await linkBefore(ctx, sequence) : null
  for (;;) {
    const expected = chain.records
    const page: StoredRecord[] = await ctx.db
      .selectFrom('registry_records')
      .innerJoin('invoices', 'invoices.id', 'registry_records.invoice_id')
      .select([
        'registry_records.sequence',
        'registry_records.hash',
        'registry_records.xml',
        'invoices.number',
      ])
      .where('registry_records.book_id', '=', ctx.book.id)
      .where('registry_records.sequence', '>=', sequence)
      .orderBy('registry_records.sequence')
      .limit(PAGE)
      .execute()
    // Read after its records, so that an installation that began meanwhile is known together with its first record.
    const beginnings = await installationStarts(ctx)
    for (const [index, row] of page.entries()) {
      // Where the seal is a signature, a whole page would take too long at once.
      if (index % TURN === TURN - 1) await new Promise((resolve) => setImmediate(resolve))
      // The chain of each installation begins without a predecessor.
      if (beginnings.has(sequence)) previous = null
      const result = faultOf(system, row, sequence, previous)
      if ('why' in result)
        return {
          ok: false,
          records: chain.records,
          head: headOf(chain)?.hash ?? null,
          broken: { sequence, number: row.number ?? '', why: result.why },
        }
      previous = result.link
      sequence += 1
    }
    if (page.length < PAGE) {
      if (sequence <= expected) break
      // Records issued meanwhile belong to the proof: continue until the head is reached.
      chain = await findChain(ctx)
      if (chain.records < sequence) break
    }
    // Yield between pages: a long chain must not block the server.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const head = headOf(chain)
  const complete = sequence - 1 === chain.records
  // An installation that has just begun has no head yet.
  const end = chain.first_sequence > chain.records ? null : previous
  const whole = complete && (head?.hash ?? null) === (end?.hash ?? null)
  const brokenAt = complete ? Math.max(1, chain.records) : Math.min(sequence, chain.records + 1)
  return {
    ok: whole,
    records: chain.records,
    head: head?.hash ?? null,
    ...(whole
      ? {}
      : {
          broken: {
            sequence: brokenAt,
            number: head?.number ?? '',
            why: 'the chain ends elsewhere than its head says',
          },
        }),
  }
}

/** Returns the sequences at which an installation began, the first one included. */
async function installationStarts(ctx: Ctx): Promise<Set<number>> {
  const rows = await ctx.db
    .selectFrom('registry_installations')
    .select('first_sequence')
    .where('book_id', '=', ctx.book.id)
    .execute()
  return new Set(rows.map((row) => row.first_sequence))
}

/** Returns the last link of the same installation before a record. */
async function linkBefore(ctx: Ctx, sequence: number): Promise<Predecessor | null> {
  const system = systemOf(ctx.book)
  const beginnings = await installationStarts(ctx)
  for (let at = sequence - 1; at >= 1; at -= 1) {
    const row = await ctx.db
      .selectFrom('registry_records')
      .select('xml')
      .where('book_id', '=', ctx.book.id)
      .where('sequence', '=', at)
      .executeTakeFirst()
    const link = row ? linkIn(system.read(unpackXml(row.xml))) : null
    if (!row || link) return link
    if (beginnings.has(at)) return null
  }
  return null
}

/**
 * Stores the result of a proof from record `from` on: a broken chain blocks issuing until a proof of the whole chain
 * succeeds. A proof of the end alone says nothing about an earlier break, so that mark stays.
 */
async function keepProof(ctx: Ctx, proof: ChainProof, from: number, verifiedAt: Date): Promise<void> {
  await whereWritable(
    ctx.transaction((tx) =>
      tx.db
        .updateTable('registry_chains')
        .set((eb) => ({
          verified_at: verifiedAt.getTime(),
          broken_at: proof.broken?.sequence ?? (from > 1 ? eb.ref('broken_at') : null),
        }))
        .where('book_id', '=', tx.book.id)
        .execute(),
    ),
  )
}

/** Recomputes the whole chain, for the registry page. */
export const verifyChain: UseCase<typeof verifyChainContract> = async (ctx) => {
  const proof = await proveChain(ctx)
  const verifiedAt = ctx.now()
  await keepProof(ctx, proof, 1, verifiedAt)
  return { ...proof, verifiedAt: verifiedAt.toISOString() }
}

const START_RECORDS = 1000
/**
 * The result of a proof at start that found nothing new is stored once a day, so that a session that only reads
 * changes nothing.
 */
const KEPT_MS = 24 * 3_600_000

/** Checks the last thousand records at start, so that opening stays fast however long the chain is. */
export async function checkChainAtStart(ctx: Ctx, last = START_RECORDS): Promise<ChainProof> {
  const { records, broken_at, verified_at } = await findChain(ctx)
  const from = Math.max(1, records - last + 1)
  const proof = await proveChain(ctx, from)
  const verifiedAt = ctx.now()
  const known = proof.broken ? broken_at === proof.broken.sequence : from > 1 || broken_at === null
  const age = verifiedAt.getTime() - (verified_at ?? -Infinity)
  if (!known || age < 0 || age >= KEPT_MS) await keepProof(ctx, proof, from, verifiedAt)
  return proof
}
