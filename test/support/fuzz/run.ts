/**
 * Sends every request that the published document describes to a server over a real port, repeatedly, and checks
 * every answer against the same document.
 */
import { SCOPES } from '../../../server/domain/contract/scopes.ts'
import { checkBooks } from '../../../server/app/integrity/index.ts'
import { dice } from '../seeded-random.ts'
import type { Dice } from '../seeded-random.ts'
import { Furnished } from '../examples/index.ts'
import type { World } from '../world.ts'
import { Description } from './described.ts'
import type { DescribedOperation } from './described.ts'
import { Requests } from './requests.ts'
import type { Kind } from './requests.ts'
import { Seen } from './seen.ts'
import { FOREIGN_NAME } from './spoil.ts'
import { asCurl, shown, Wire } from './wire.ts'
import type { HttpAnswer, Sent } from './wire.ts'

interface Count {
  asked: number
  accepted: number
}

interface FuzzTally {
  requests: number
  /** Every described operation, by its identifier. */
  byOperation: Map<string, Count>
  byKind: Map<Kind, Count>
  byStatus: Map<number, number>
  /** Examples that could not be created, and the reasons: with many, little was tested. */
  unmade: readonly string[]
  /** Faults, each with a request that shows it; one of each kind. */
  complaints: string[]
}

interface FuzzOptions {
  /** The seed: the same one generates the same requests. */
  seed: number
  /** Number of requests per operation. */
  rounds: number
  onRound?: (round: number) => void
}

const MOST_COMPLAINTS = 30
/** Invoices in the accounting system: each is copied at most once, in one of about four rounds. */
const LEAST_ELSEWHERE = 12

interface Caller {
  authorization: string | undefined
  mayAsk: boolean
}

/** The callers: mostly a key of the test book with every scope. */
class Callers {
  private readonly random: Dice
  private readonly test: string
  private readonly live: string
  private readonly narrow: readonly { key: string; scope: string }[]

  private constructor(random: Dice, test: string, live: string, narrow: Callers['narrow']) {
    this.random = random
    this.test = test
    this.live = live
    this.narrow = narrow
  }

  static async of(world: World, random: Dice): Promise<Callers> {
    const narrow: { key: string; scope: string }[] = []
    for (const scope of SCOPES) narrow.push({ scope, key: (await world.makeKey({ scopes: [scope] })).key })
    // The world's own keys: a confirmation belongs to its key.
    return new Callers(random, await world.key(), await world.key('live'), narrow)
  }

  next({ scope, family }: DescribedOperation): Caller {
    const { chance, pick } = this.random
    const bearer = (key: string): string => `Bearer ${key}`
    if (scope === null || chance(0.88)) return { authorization: bearer(this.test), mayAsk: true }
    // A live book would call services outside this computer.
    if (chance(0.4) && family !== 'outward') return { authorization: bearer(this.live), mayAsk: true }
    if (chance(0.8)) {
      const { key, scope: own } = pick(this.narrow)
      return { authorization: bearer(key), mayAsk: own === scope }
    }
    const { test } = this
    const authorization = pick([
      undefined,
      '',
      'Basic eDp5',
      bearer(`${test}x`),
      test,
      bearer('x'.repeat(4_000)),
    ])
    return { authorization, mayAsk: false }
  }
}

/** Prepares the books of a world that has just been opened, and sends the requests. */
export async function fuzz(world: World, { seed, rounds, onRound }: FuzzOptions): Promise<FuzzTally> {
  const random = dice(seed)
  const description = new Description()
  const seen = new Seen(random)
  const made = await new Furnished(world).open(Math.max(LEAST_ELSEWHERE, rounds / 2))
  const callers = await Callers.of(world, random)
  for (const book of ['test', 'live'] as const)
    for (const { id } of (await world.run('keys.list', {}, { book })).items) seen.unnamed.add(id)
  seen.unnamed.add(await made.contact())
  const requests = new Requests(description, made, random, seen)
  const tally = new Tally(description, requests)
  const wire = new Wire(await world.listen())
  const ask = async (operation: DescribedOperation): Promise<void> => {
    const { kind, sent } = await requests.next(operation)
    const { authorization, mayAsk } = callers.next(operation)
    if (authorization !== undefined) sent.headers.authorization = authorization
    const answer = await wire.send(sent).catch((error: Error) => error)
    if (answer instanceof Error) return tally.complain(operation, `breaks off: ${answer.message}`, sent)
    const accepted = answer.status < 400
    tally.count(operation, kind, answer.status)
    const complaint =
      (sent.headers.host === FOREIGN_NAME
        ? complaintToStranger(answer)
        : description.complaintAbout(operation, answer)) ??
      (accepted && !mayAsk ? `answers ${answer.status} to a key that may not` : null) ??
      // Its running state is returned whatever else is in the request.
      (accepted && operation.scope !== null ? tookWhat(requests.objection(operation, sent)) : null)
    if (complaint !== null) tally.complain(operation, complaint, sent, answer)
    if (accepted && String(answer.headers['content-type']).startsWith('application/json'))
      seen.learn((JSON.parse(answer.body.toString('utf8')) as { data: unknown }).data)
  }
  try {
    for (let round = 0; round < rounds; round += 1) {
      const left = [...description.operations]
      while (left.length > 0)
        for (const operation of left.splice(random.below(left.length), 1)) await ask(operation)
      onRound?.(round)
    }
  } finally {
    wire.close()
  }
  return tally
}

/** Returns all faults after the requests: of an answer, the books or the server. */
export async function unsound(world: World, { complaints }: FuzzTally): Promise<string[]> {
  const bugs = world.logged.filter((line) => line.includes('"bug"'))
  // Records, totals, entries and balances still agree.
  const { checks } = await checkBooks(world.env, (book) => world.ctx({ book }))
  const broken = checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`)
  const { status } = await world.inject({ method: 'GET', url: '/healthz' })
  return [...complaints, ...bugs, ...broken, ...(status === 200 ? [] : [`The server answers ${status}.`])]
}

/** Under a foreign host name nothing is revealed; no client of ours uses one. */
const complaintToStranger = ({ status, body }: HttpAnswer): string | null =>
  status === 403 && body.length === 0 ? null : `answers ${status} to a name that is not its own`

const tookWhat = (objection: string | null): string | null =>
  objection === null ? null : `accepts what is not described: ${objection}`

class Tally implements FuzzTally {
  requests = 0
  readonly byOperation: FuzzTally['byOperation']
  readonly byKind: FuzzTally['byKind'] = new Map()
  readonly byStatus: FuzzTally['byStatus'] = new Map()
  readonly complaints: string[] = []
  readonly unmade: readonly string[]
  private readonly sorts = new Set<string>()

  constructor({ operations }: Description, { unmade }: Requests) {
    this.unmade = unmade
    this.byOperation = new Map(operations.map(({ id }) => [id, { asked: 0, accepted: 0 }]))
  }

  count({ id }: DescribedOperation, kind: Kind, status: number): void {
    this.requests += 1
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1)
    const ofKind = this.byKind.get(kind) ?? { asked: 0, accepted: 0 }
    this.byKind.set(kind, ofKind)
    for (const count of [ofKind, this.byOperation.get(id) as Count]) {
      count.asked += 1
      if (status < 400) count.accepted += 1
    }
  }

  complain({ id }: DescribedOperation, complaint: string, sent: Sent, answer?: HttpAnswer): void {
    const sort = `${id} ${complaint.slice(0, 100)}`
    if (this.sorts.has(sort) || this.complaints.length >= MOST_COMPLAINTS) return
    this.sorts.add(sort)
    this.complaints.push(`${id} ${complaint}\n${asCurl(sent)}\n-> ${answer ? shown(answer) : 'nothing'}`)
  }
}
