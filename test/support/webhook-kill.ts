/** Kills a server that delivers webhooks, again and again, and looks whether any event got lost on the way. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { listBooks } from '../../server/company/index.ts'
import { openSello } from '../../server/app.ts'
import type { OpenedSello } from '../../server/app.ts'
import { createWebhookSender } from '../../server/webhooks/jobs.ts'
import { startChild } from './children/run.ts'
import { dice } from './dice.ts'
import { startReceiver, takes } from './receiver.ts'
import type { Behave } from './receiver.ts'
import { runOperation } from '../../server/run.ts'
import { operationByName } from '../../server/operations.ts'
import { NO_BOOK } from '../../server/ctx.ts'
import type { Book } from '../../server/ctx.ts'
import { EXAMPLE_COMPANY } from './store.ts'

/** Long enough that every wait before an attempt is over. */
const LATER_MS = 8 * 86_400_000

/**
 * Rounds of: a program that tells events and delivers them, killed (-9) after 100 to 800 ms. The receiver takes, refuses, hangs,
 * hangs up and leads elsewhere as the dice fall. In the end it takes everything. Answers what was seen.
 */
export async function webhookKillRounds(
  rounds: number,
  seed: number,
): Promise<{ told: number; delivered: number; attempts: number; refused: number }> {
  const die = dice(seed)
  const folder = mkdtempSync(join(tmpdir(), 'sello-webhook-kill-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  let refused = 0
  const moody: Behave = (response) => {
    const mood = die.below(10)
    if (mood < 5) return void response.writeHead(200).end('ok')
    refused += 1
    if (mood === 5) return void response.writeHead(500).end()
    if (mood === 6) return void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()
    if (mood === 7) return void response.socket?.destroy()
    if (mood === 8) return void response.writeHead(404).end('nothing here')
    // It hangs until somebody is killed.
  }
  const receiver = await startReceiver(moody)
  await withBooks(folder, 0, async (sello, book) => {
    const operation = operationByName.get('webhooks.createByPerson')!
    const input = { url: receiver.url, events: ['invoice.issued'], allowLocal: true }
    await runOperation(operation, sello.ctx(book, { kind: 'user', id: 'user', name: 'Persona' }), input)
  })
  let acknowledged = 0
  for (let round = 1; round <= rounds; round++) {
    const child = startChild('deliver', [folder])
    expect(await child.line()).toEqual({ ready: true })
    const said = child.rest()
    await new Promise((resolve) => setTimeout(resolve, 100 + die.below(700)))
    await child.kill()
    for (const { told } of await said) acknowledged += Number(told)
  }
  receiver.behave(takes)
  return withBooks(folder, LATER_MS, async (sello) => {
    const sender = createWebhookSender({ env: sello.env, log: () => {} })
    await sender.look()
    await sender.quiet()
    const { told, handedOut, done, dead, due, doubled } = await counted(sello)
    expect(told).toBeGreaterThanOrEqual(acknowledged)
    expect({ handedOut, due, dead, doubled }, `seed ${seed}`).toEqual({
      handedOut: told,
      due: 0,
      dead: 0,
      doubled: 0,
    })
    expect(done).toBe(told)
    // By what the receiver itself saw: every event came at least once.
    const seen = new Set(receiver.messages.map(({ body }) => (JSON.parse(body) as { id: string }).id))
    expect(seen.size).toBe(told)
    const { n: attempts } = await sello.env.store.reader
      .selectFrom('webhook_attempts')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return { told, delivered: done, attempts, refused }
  })
}

async function counted(sello: OpenedSello) {
  const { reader } = sello.env.store
  const events = await reader.selectFrom('events').select('id').where('type', '=', 'invoice.issued').execute()
  const rows = await reader.selectFrom('webhook_deliveries').select(['event_id', 'state']).execute()
  const of = (state: string): number => rows.filter((row) => row.state === state).length
  return {
    told: events.length,
    handedOut: rows.length,
    done: of('done'),
    dead: of('dead'),
    due: of('due') + of('leased'),
    doubled: rows.length - new Set(rows.map((row) => row.event_id)).size,
  }
}

/** Opens the books as the next program would, with the clock so much later. */
async function withBooks<T>(
  folder: string,
  laterMs: number,
  work: (sello: OpenedSello, book: Book) => Promise<T>,
): Promise<T> {
  const now = () => new Date(Date.now() + laterMs)
  const sello = await openSello({ dataDir: folder, create: true, keychain: null, cacheKib: 1024, now })
  try {
    if ((await listBooks(sello.env.store.reader)).length === 0)
      await runOperation(operationByName.get('company.create')!, sello.ctx(NO_BOOK), EXAMPLE_COMPANY)
    const book = (await listBooks(sello.env.store.reader)).find(({ mode }) => mode === 'test')!
    return await work(sello, book)
  } finally {
    await sello.close()
  }
}
