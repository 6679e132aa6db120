/** Kills a program that issues invoices, repeatedly, and checks each time that the books keep their guarantees. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { verifyAudit } from '../../../server/platform/audit/index.ts'
import { listBooks, loadBook } from '../../../server/platform/books/index.ts'
import { createCtx } from '../../../server/context.ts'
import type { AppEnvironment } from '../../../server/context.ts'
import {
  getInvoice,
  setRegistryStatus,
  verifyNumbering,
  verifyTotals,
} from '../../../server/sales/invoices/index.ts'
import { sendBook } from '../../../server/registry/index.ts'
import { proveChain } from '../../../server/registry/index.ts'
import { recoverInterrupted } from '../../../server/registry/queue/sender.ts'
import { openStore } from '../../../server/db/embedded/store.ts'
import { startChild } from '../children/run.ts'

interface Answered {
  id: string
  number: string
  hash: string
}

/** Slightly more than the wait that applies before the authority has stated one. */
const PACE_MS = 61_000

/** Maximum number of answers before a round's kill, so that a slow machine issues as many as a fast one. */
const ANSWERS_AT_MOST = 8

/**
 * Runs rounds of: start, issue, kill -9 some milliseconds after one of the first answers, open, verify. Returns how
 * many issues were acknowledged.
 */
export async function killRounds(rounds: number, seed: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'sello-kill-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const answered: Answered[] = []
  let random = seed
  for (let round = 1; round <= rounds; round++) {
    random = (random * 48_271) % 2_147_483_647
    const child = startChild('issue', [folder])
    expect(await child.line()).toEqual({ ready: true })
    for (let more = random % ANSWERS_AT_MOST; more > 0; more--)
      answered.push((await child.line()) as unknown as Answered)
    const rest = child.rest()
    await new Promise((resolve) => setTimeout(resolve, random % 61))
    await child.kill()
    answered.push(...((await rest) as unknown as Answered[]))
    await lookAfter(folder, answered, `round ${round} of seed ${seed}`)
  }
  return answered.length
}

async function lookAfter(folder: string, answered: readonly Answered[], when: string): Promise<void> {
  let laterMs = 0
  const now = () => new Date(Date.now() + laterMs)
  const store = await openStore({ folder, keychain: null, now, cacheKib: 1024 })
  try {
    const env = {
      store,
      now,
      newId: (prefix: string) => `${prefix}_0000000000000000`,
      wake: () => {},
      sandbox: false,
      version: '0.1.0',
    } as unknown as AppEnvironment
    const known = (await listBooks(store.reader)).find((book) => book.mode === 'test')
    const book = await loadBook(store.reader, known?.publicId ?? '')
    if (!book) throw new Error('There is no test book.')
    const ctx = createCtx({
      env,
      book,
      actor: { kind: 'user', id: 'user', name: 'Persona' },
      channel: 'ui',
      requestId: 'req_x',
    })
    const issued = await store.reader
      .selectFrom('invoices')
      .select(['public_id', 'number', 'sequence'])
      .where('state', '=', 'issued')
      .orderBy('sequence')
      .execute()
    // No gaps or duplicates; at most one issue more than acknowledged, which was committed before its answer was
    // sent.
    expect(
      issued.map((row) => row.sequence),
      when,
    ).toEqual(issued.map((_, index) => index + 1))
    const byId = new Map(issued.map((row) => [row.public_id, row.number]))
    expect(
      answered.filter(({ id, number }) => byId.get(id) !== number),
      when,
    ).toEqual([])
    for (const { id, hash } of answered.slice(-3))
      expect((await getInvoice(ctx, { id })).contentHash, when).toBe(hash)
    expect(await verifyNumbering(ctx), when).toMatchObject({ ok: true, checked: issued.length })
    expect(await verifyTotals(ctx), when).toMatchObject({ ok: true, checked: issued.length })
    expect(await proveChain(ctx), when).toMatchObject({ ok: true, records: issued.length })
    expect(await verifyAudit(ctx, {}), when).toMatchObject({ ok: true })
    const queued = await store.reader
      .selectFrom('document_queue')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    expect(queued.n, when).toBe(issued.length)
    // Records in flight are queried, and in the end the authority holds each record once.
    await recoverInterrupted(ctx)
    await sendBook(env, book, setRegistryStatus)
    // Killed within the first message: until the authority has stated a wait, the next message waits a minute.
    laterMs = PACE_MS
    await sendBook(env, book, setRegistryStatus)
    const statuses = await store.reader
      .selectFrom('registry_submissions')
      .select('status')
      .distinct()
      .execute()
    expect(statuses, when).toEqual(issued.length === 0 ? [] : [{ status: 'accepted' }])
    const held = await store.reader
      .selectFrom('simulator_records')
      .select('number')
      .orderBy('arrival')
      .execute()
    expect(
      held.map((row) => row.number),
      when,
    ).toEqual(issued.map((row) => row.number))
  } finally {
    store.close()
  }
}
