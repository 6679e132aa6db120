/** T1: the cost of one issue through the service layer; for context also that of the disk and the cipher. */
import { embedded } from '../../server/db/embedded/port.ts'
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { openSello } from '../../server/api/application.ts'
import { createDraft, validateInvoice } from '../../server/sales/invoices/index.ts'
import { loadOperation } from '../../server/api/operations.ts'
import { runOperation } from '../../server/api/run.ts'
import type { Bench, Group } from '../bench.ts'
import { sizeName } from '../bench.ts'
import { proveBooks, testBook } from '../books.ts'
import type { BookFolder } from '../books.ts'
import { draftBodies, someCustomers } from '../drafts.ts'
import { LimitBooks } from '../limits/books.ts'
import type { LimitActor } from '../limits/books.ts'
import { countRows, decrypt, describeDatabase, openDatabase } from '../limits/database.ts'
import type { Handle } from '../limits/database.ts'
import { context, judge, race, timeEach } from '../method.ts'
import type { Turn } from '../method.ts'

const BAR = { better: 'more', floor: 0.55, goal: 0.75 } as const
const PER_TURN = 150

interface ReadyDraft {
  id: string
  token: string
}

/** Creates drafts with their tokens in one transaction: the token's validity of ten minutes begins here. */
async function prepareDrafts(place: BookFolder, count: number): Promise<ReadyDraft[]> {
  const sello = await openSello({ dataDir: place.folder, keyFile: place.keyFile, keychain: null })
  try {
    const book = await testBook(sello)
    const bodies = draftBodies(count, await someCustomers(sello, book, 1000))
    const ready: ReadyDraft[] = []
    await sello.ctx(book).transaction(async (tx) => {
      for (const body of bodies) {
        const { id } = await createDraft(tx, body)
        const { confirmation } = await validateInvoice(tx, { id })
        if (!confirmation) throw new Error('A draft of the benchmark is not valid.')
        ready.push({ id, token: confirmation.confirmationToken })
      }
    })
    embedded(sello.env.store).checkpoint()
    return ready
  } finally {
    await sello.close()
  }
}

function systemActor(handle: Handle): LimitActor {
  const rowId = handle.prepare("select id from actors where kind = 'system'").pluck().get() as number
  return { rowId, kind: 'system', id: 'system', name: 'Sello', channel: 'system' }
}

/** Issues the same drafts with the same tokens on both sides, each in its copy of the books. */
async function svcIssue(bench: Bench, size: number): Promise<void> {
  const { workplace, rounds } = bench
  // Sending a large book takes longer than the measurement, and an issue does not read the queue.
  const subjectPlace = workplace.copy(await workplace.master(size, size > 10_000 ? 'marked' : 'sent'))
  const drafts = await prepareDrafts(subjectPlace, PER_TURN * (rounds + 1))
  const limitPlace = workplace.copy(subjectPlace)
  const sello = await openSello({
    dataDir: subjectPlace.folder,
    keyFile: subjectPlace.keyFile,
    keychain: null,
  })
  const handle = openDatabase(limitPlace)
  try {
    const book = await testBook(sello)
    const issue = await loadOperation('invoices.issue')
    const limit = new LimitBooks(handle, manifest.version)
    const actor = systemActor(handle)
    bench.note('database', describeDatabase(handle))
    const at = (round: number, index: number): ReadyDraft => drafts[round * PER_TURN + index] as ReadyDraft
    const result = await race(
      {
        run: (round) =>
          timeEach(PER_TURN, (index) => {
            const { id, token } = at(round, index)
            return runOperation(issue, sello.ctx(book), { id, confirmationToken: token })
          }),
      },
      {
        run: (round) =>
          timeEach(PER_TURN, (index) => {
            const { id, token } = at(round, index)
            limit.issue(id, token, actor)
          }),
      },
      rounds,
    )
    bench.report(
      judge(result, { target: 'T1', name: 'svc.issue', size: sizeName(size), unit: 'tx/s', bar: BAR }),
    )
  } finally {
    await sello.close()
    handle.close()
  }
  assertSameRows(subjectPlace, limitPlace)
  for (const place of [subjectPlace, limitPlace]) await proveBooks(place, bench.say)
}

/** Checks that the limit has written as many rows in every table. */
function assertSameRows(subject: BookFolder, limit: BookFolder): void {
  const [left, right] = [subject, limit].map((place) => {
    const handle = openDatabase(place)
    const rows = countRows(handle)
    handle.close()
    return rows
  })
  for (const [table, rows] of Object.entries(left ?? {}))
    if (right?.[table] !== rows)
      throw new Error(
        `The limit left ${right?.[table]} rows in ${table}, the product ${rows}: they did not do the same.`,
      )
}

/** Measures the limit's transactions per second with and without cipher and full durability. */
async function limitIssue(bench: Bench): Promise<void> {
  const { workplace, rounds } = bench
  const prepared = workplace.copy(await workplace.master(bench.size, bench.size > 10_000 ? 'marked' : 'sent'))
  const drafts = await prepareDrafts(prepared, PER_TURN * (rounds + 1))
  for (const cipher of ['sqlcipher', 'none'] as const) {
    for (const synchronous of ['FULL', 'NORMAL'] as const) {
      const place = workplace.copy(prepared)
      if (cipher === 'none') decrypt(place)
      const handle = openDatabase(place, { cipher, synchronous })
      const limit = new LimitBooks(handle, manifest.version)
      const actor = systemActor(handle)
      const turns: Turn[] = []
      for (let round = 0; round <= rounds; round += 1) {
        const turn = await timeEach(PER_TURN, (index) => {
          const { id, token } = drafts[round * PER_TURN + index] as ReadyDraft
          limit.issue(id, token, actor)
        })
        if (round > 0) turns.push(turn)
      }
      handle.close()
      bench.report(
        context(turns, {
          name: 'limit.issue',
          size: sizeName(bench.size),
          unit: 'tx/s',
          note: `${cipher}, synchronous=${synchronous}`,
        }),
      )
    }
  }
}

const BLOCK = Buffer.alloc(16 * 1024, 7)

/** Measures the disk: 16 KB appended and flushed. */
async function limitFsync(bench: Bench): Promise<void> {
  const file = openSync(join(bench.workplace.empty('fsync'), 'blocks'), 'w')
  const turns: Turn[] = []
  for (let round = 0; round <= bench.rounds; round += 1) {
    const turn = await timeEach(200, () => {
      writeSync(file, BLOCK)
      fdatasyncSync(file)
    })
    if (round > 0) turns.push(turn)
  }
  closeSync(file)
  bench.report(context(turns, { name: 'limit.fsync', size: '16KB', unit: 'tx/s' }))
}

export const issueGroup: Group = {
  names: ['limit.fsync', 'limit.issue', 'svc.issue'],
  async run(bench, wanted) {
    if (wanted.has('limit.fsync')) await limitFsync(bench)
    if (wanted.has('limit.issue')) await limitIssue(bench)
    if (!wanted.has('svc.issue')) return
    for (const size of bench.full ? [bench.size, 100_000, 1_000_000] : [bench.size])
      await svcIssue(bench, size)
  },
}
