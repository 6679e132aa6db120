/** Kills a server that delivers webhooks, repeatedly while its clock advances, and checks that no event was lost. */
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
import { allCompanies } from '../../../server/platform/jobs/index.ts'
import { loadOperation } from '../../../server/api/operations.ts'
import { runOperation } from '../../../server/api/run.ts'
import { fanOut } from '../../../server/platform/webhooks/fan-out.ts'
import { createWebhookSender } from '../../../server/platform/webhooks/jobs.ts'
import { startChild } from '../children/run.ts'
import { dice } from '../seeded-random.ts'
import type { Dice } from '../seeded-random.ts'
import { answers, startReceiver, takes } from '../receiver.ts'
import type { Behave, Message, Receiver } from '../receiver.ts'
import { EXAMPLE_COMPANY } from '../store.ts'

const HOUR_MS = 3_600_000
/** From the first round to the last; longer than the retries of a message. */
const SPAN_MS = 100 * HOUR_MS
/** Time at which the offline receivers return. */
const BACK_AFTER_MS = 30 * HOUR_MS
/** A receiver's two messages time out long after a round has ended. */
const hangs: Behave = () => {}
/** Runs of the sender that may fail at the end: each means that a killed program was still being cleared away. */
const MOST_FAILURES = 20
const leads = answers(302, { location: 'http://127.0.0.1:9/' })

const moody =
  (die: Dice): Behave =>
  (response, message, nth) => {
    const hangsUp: Behave = () => void response.socket?.destroy()
    const failing = [answers(500), leads, answers(404, {}, 'nothing here'), hangsUp]
    // Two hanging ones keep an endpoint busy for the rest of the round.
    const mood = die.chance(0.5) ? takes : die.chance(0.03) ? hangs : die.pick(failing)
    mood(response, message, nth)
  }

interface Endpoint {
  receiver: Receiver
  secret: string
  id: string
  /** The only type of its subscription; the program emits each in turn. */
  type: 'invoice.issued' | 'contact.changed' | 'document.ready'
  /** Its behaviour until it returns; permanent if it never does. */
  away: Behave
  comesBack: boolean
}

interface Counts {
  told: number
  done: number
  dead: number
  due: number
}

interface KillFigures {
  kills: number
  /** Events that the program had emitted when it was killed. */
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
 * Runs rounds of: a program that emits up to `eachRound` events and delivers them, killed (-9) somewhere in between.
 * Over a hundred hours of its clock one receiver accepts or fails at random, three hang, redirect and fail until they
 * return after thirty hours, and one rejects for ever. Every emitted event is delivered, dead or due, for each
 * receiver.
 */
export async function webhookKillRounds(rounds: number, seed: number, eachRound = 75): Promise<KillFigures> {
  const die = dice(seed)
  const folder = mkdtempSync(join(tmpdir(), 'sello-webhook-kill-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  let laterMs = 0
  // A program may be killed with a request on its way, which arrives after the clock moved on.
  let laterMsBefore = 0
  const moveClock = (toMs: number): void => {
    laterMsBefore = laterMs
    laterMs = toMs
  }
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
      verify(message, endpoint.secret, [now(), new Date(Date.now() + laterMsBefore)])
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
    moveClock(Math.round((SPAN_MS * round) / rounds))
    const child = startChild('deliver', [folder, String(laterMs), String(eachRound)])
    expect(await child.line()).toEqual({ ready: true })
    // After that many events, and that much later: while it emits, while it delivers, and while it does both.
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
    const failures: string[] = []
    const sender = createWebhookSender({ env: sello.env, log: (line) => failures.push(line) })
    // Failures of one run wait in the next.
    for (let idle = 0; idle < 2;) {
      const before = failures.length
      const waitMs = await sender.poll()
      await sender.quiet()
      if (waitMs) moveClock(laterMs + waitMs)
      // A run that met the locks of a killed program has seen nothing; the next look finds its messages.
      const hasFailed = failures.length > before
      if (failures.length > MOST_FAILURES) throw new Error(failures.join('\n'))
      if (hasFailed) await new Promise((resolve) => setTimeout(resolve, 200))
      idle = waitMs === undefined && !hasFailed ? idle + 1 : 0
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
      // Nothing is missing or duplicated.
      expect(Number(done) + Number(dead) + Number(due), JSON.stringify(counts)).toBe(ofIt)
      if (comesBack) expect(counts, tell).toEqual({ name, done: ofIt, dead: 0, due: 0 })
      // By the receiver's own record: everything that counts as delivered arrived.
      const seen = new Set(receiver.messages.map(({ body }) => (JSON.parse(body) as { id: string }).id))
      expect(seen.size, `${name}, ${tell}`).toBeGreaterThanOrEqual(Number(done))
    }
    expect(healed.moody?.due, `${tell}: ${failures.join(', ')}`).toBe(0)
    expect(healed.refuses?.done, tell).toBe(0)
    const { n: attempts } = await sello.env.store.reader
      .selectFrom('webhook_attempts')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return { kills: rounds, told, verified, refused, attempts, killed, healed }
  })
}

/**
 * Verifies a message with the public library, by the first of these clocks that is within its five minutes. Throws if
 * its signature is wrong, or its time by all of them.
 */
function verify(message: Message, secret: string, [now, ...others]: readonly Date[]): void {
  vi.useFakeTimers({ toFake: ['Date'], now })
  try {
    new Verifier(secret).verify(message.body, message.headers as Record<string, string>)
  } catch (error) {
    if (others.length === 0) throw error
    verify(message, secret, others)
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

/** Counts for each endpoint the events of its type, and their results. */
async function countAll(
  sello: OpenedSello,
  endpoints: Record<string, Endpoint>,
): Promise<Record<string, Counts>> {
  // Emitted events before the fan-out are due as well.
  for (const company of await allCompanies(sello.env)) await fanOut(sello.env, company)
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
