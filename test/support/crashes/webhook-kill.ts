/**
 * Kills a server that delivers webhooks, again and again while its clock goes on, and looks whether any event got lost on the
 * way.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook as Verifier } from 'standardwebhooks'
import { expect, onTestFinished, vi } from 'vitest'
import { openSello } from '../../../server/api/application.ts'
import type { OpenedSello } from '../../../server/api/application.ts'
import { listBooks } from '../../../server/platform/books/index.ts'
import type { OutputOf } from '../../../server/api/contracts.ts'
import { NO_BOOK } from '../../../server/context.ts'
import type { Book } from '../../../server/context.ts'
import { PERSON } from '../../../server/api/http/index.ts'
import { loadOperation } from '../../../server/api/operations.ts'
import { runOperation } from '../../../server/api/run.ts'
import { handOut } from '../../../server/platform/webhooks/fan-out.ts'
import { createWebhookSender } from '../../../server/platform/webhooks/jobs.ts'
import { startChild } from '../children/run.ts'
import { dice } from '../seeded-random.ts'
import type { Dice } from '../seeded-random.ts'
import { answers, startReceiver, takes } from '../receiver.ts'
import type { Behave, Message, Receiver } from '../receiver.ts'
import { EXAMPLE_COMPANY } from '../store.ts'

const HOUR_MS = 3_600_000
/** From the first round to the last; longer than a message is tried for. */
const SPAN_MS = 100 * HOUR_MS
/** When the receivers that are away come back. */
const BACK_AFTER_MS = 30 * HOUR_MS
/** Of their own accord a receiver's two messages time out long after a round has ended. */
const hangs: Behave = () => {}
const leads = answers(302, { location: 'http://127.0.0.1:9/' })

const moody =
  (die: Dice): Behave =>
  (response, message, nth) => {
    const hangsUp: Behave = () => void response.socket?.destroy()
    const failing = [answers(500), leads, answers(404, {}, 'nothing here'), hangsUp]
    // Two that hang keep an endpoint busy for the rest of the round.
    const mood = die.chance(0.5) ? takes : die.chance(0.03) ? hangs : die.pick(failing)
    mood(response, message, nth)
  }

interface Endpoint {
  receiver: Receiver
  secret: string
  id: string
  /** The one type it asks for; the program tells of each in turn. */
  type: 'invoice.issued' | 'contact.changed' | 'document.ready'
  /** What it does until it is back; for ever where it never is. */
  away: Behave
  comesBack: boolean
}

export interface Counts {
  told: number
  done: number
  dead: number
  due: number
}

export interface KillFigures {
  kills: number
  /** Events that the program had told of when it was killed. */
  told: number
  /** Messages that arrived, each with its signature and time verified by the public library. */
  verified: number
  /** Attempts in which the receiver failed. */
  refused: number
  attempts: number
  /** By receiver, after the last kill and when nothing was due any more. */
  killed: Record<string, Counts>
  healed: Record<string, Counts>
}

/**
 * Rounds of: a program that tells up to `eachRound` events and delivers them, killed (-9) somewhere in between. Over a hundred
 * hours of its clock one receiver takes or fails as the dice fall, three hang, redirect and fail until they come back after
 * thirty, and one refuses for ever. Every event that was told is delivered, dead or due, for each receiver.
 */
export async function webhookKillRounds(rounds: number, seed: number, eachRound = 75): Promise<KillFigures> {
  const die = dice(seed)
  const folder = mkdtempSync(join(tmpdir(), 'sello-webhook-kill-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  let laterMs = 0
  const now = (): Date => new Date(Date.now() + laterMs)
  let verified = 0
  let refused = 0
  const endpoints: Record<string, Endpoint> = {}
  const open = async (
    name: string,
    type: Endpoint['type'],
    away: Behave,
    comesBack = true,
  ): Promise<void> => {
    const receiver = await startReceiver((response, message, nth) => {
      const endpoint = endpoints[name]
      if (!endpoint) throw new Error(`${name} is not there yet.`)
      verify(message, endpoint.secret, now())
      verified += 1
      response.once('close', () => (refused += response.statusCode === 204 ? 0 : 1))
      const isBack = endpoint.comesBack && laterMs >= BACK_AFTER_MS
      ;(isBack ? takes : endpoint.away)(response, message, nth)
    })
    const { id, secret } = await withBooks(
      folder,
      now,
      async (sello, book) =>
        (await runOperation(await loadOperation('webhooks.createByPerson'), sello.ctx(book, PERSON), {
          url: receiver.url,
          events: [type],
          allowLocal: true,
        })) as OutputOf<'webhooks.createByPerson'>,
    )
    endpoints[name] = { receiver, secret, id, type, away, comesBack }
  }
  await open('moody', 'invoice.issued', moody(die), false)
  await open('hangs', 'contact.changed', hangs)
  await open('redirects', 'contact.changed', leads)
  await open('fails', 'contact.changed', answers(500))
  await open('refuses', 'document.ready', answers(404), false)

  let acknowledged = 0
  for (let round = 1; round <= rounds; round++) {
    laterMs = Math.round((SPAN_MS * round) / rounds)
    const child = startChild('deliver', [folder, String(laterMs), String(eachRound)])
    expect(await child.line()).toEqual({ ready: true })
    // So many told, and so long after: while it tells, while it delivers, and while it does both.
    for (let more = die.below(4); more > 0; more--) acknowledged += Number((await child.line()).told)
    const said = child.rest()
    await new Promise((resolve) => setTimeout(resolve, die.below(700)))
    await child.kill()
    for (const { told } of await said) acknowledged += Number(told)
  }

  const tell = `seed ${seed}`
  const killed = await withBooks(folder, now, (sello) => countAll(sello, endpoints))
  for (const [name, { done, dead, due, told }] of Object.entries(killed))
    expect(done + dead + due, `${name}, ${tell}`).toBeGreaterThanOrEqual(told)
  if (endpoints.moody) endpoints.moody.away = takes
  return withBooks(folder, now, async (sello) => {
    const sender = createWebhookSender({ env: sello.env, log: () => {} })
    // What failed in one look waits in the next.
    for (let idle = 0; idle < 2;) {
      const waitMs = await sender.look()
      await sender.quiet()
      laterMs += waitMs ?? 0
      idle = waitMs === undefined ? idle + 1 : 0
    }
    const healed = await countAll(sello, endpoints)
    const told = await eventsTold(
      sello,
      Object.values(endpoints).map(({ type }) => type),
    )
    expect(told, tell).toBeGreaterThanOrEqual(acknowledged)
    for (const [name, { receiver, comesBack }] of Object.entries(endpoints)) {
      const { told: ofIt = 0, done, dead, due } = healed[name] ?? {}
      const counts = { name, done, dead, due }
      // Nothing is missing and nothing is doubled.
      expect(Number(done) + Number(dead) + Number(due), JSON.stringify(counts)).toBe(ofIt)
      if (comesBack) expect(counts, tell).toEqual({ name, done: ofIt, dead: 0, due: 0 })
      // By what the receiver itself saw: whatever counts as delivered came.
      const seen = new Set(receiver.messages.map(({ body }) => (JSON.parse(body) as { id: string }).id))
      expect(seen.size, `${name}, ${tell}`).toBeGreaterThanOrEqual(Number(done))
    }
    expect(healed.moody?.due, tell).toBe(0)
    expect(healed.refuses?.done, tell).toBe(0)
    const { n: attempts } = await sello.env.store.reader
      .selectFrom('webhook_attempts')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return { kills: rounds, told, verified, refused, attempts, killed, healed }
  })
}

/** Holds a message against the public library, by the clock of its receiver. Throws where its signature or time is wrong. */
function verify(message: Message, secret: string, now: Date): void {
  vi.useFakeTimers({ toFake: ['Date'], now })
  try {
    new Verifier(secret).verify(message.body, message.headers as Record<string, string>)
  } finally {
    vi.useRealTimers()
  }
}

async function eventsTold(sello: OpenedSello, types: readonly string[]): Promise<number> {
  const { n } = await sello.env.store.reader
    .selectFrom('events')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('type', 'in', [...new Set(types)])
    .executeTakeFirstOrThrow()
  return n
}

/** For each endpoint the events told of its type, and what became of them. */
async function countAll(
  sello: OpenedSello,
  endpoints: Record<string, Endpoint>,
): Promise<Record<string, Counts>> {
  // What was told and not handed out yet is due as well.
  await handOut(sello.env)
  const all: Record<string, Counts> = {}
  for (const [name, { id, type }] of Object.entries(endpoints)) {
    const rows = await sello.env.store.reader
      .selectFrom('webhook_deliveries')
      .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
      .select(['webhook_deliveries.event_id', 'webhook_deliveries.state'])
      .where('webhooks.public_id', '=', id)
      .execute()
    expect(new Set(rows.map((row) => row.event_id)).size, name).toBe(rows.length)
    const of = (...states: string[]): number => rows.filter(({ state }) => states.includes(state)).length
    const told = await eventsTold(sello, [type])
    all[name] = { told, done: of('done'), dead: of('dead'), due: of('due', 'leased') }
  }
  return all
}

/** Opens the books as the next program would. */
async function withBooks<T>(
  folder: string,
  now: () => Date,
  work: (sello: OpenedSello, book: Book) => Promise<T>,
): Promise<T> {
  const sello = await openSello({ dataDir: folder, create: true, keychain: null, cacheKib: 1024, now })
  try {
    if ((await listBooks(sello.env.store.reader)).length === 0)
      await runOperation(await loadOperation('company.create'), sello.ctx(NO_BOOK), EXAMPLE_COMPANY)
    const book = (await listBooks(sello.env.store.reader)).find(({ mode }) => mode === 'test')!
    return await work(sello, book)
  } finally {
    await sello.close()
  }
}
