/**
 * A simulation of three companies, a person, assistants, programs, an authority and a webhook receiver in one
 * process, with random faults: everything is derived from one seed, so that the same seed repeats the same run
 * exactly, including identifiers.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { serverOver } from '../../../server/api/application.ts'
import { runMaintenance } from '../../../server/app/background-work.ts'
import type { OpenedSello } from '../../../server/api/application.ts'
import type { InputOf, OperationName, OutputOf } from '../../../server/api/contracts.ts'
import { writeCalls } from '../../../server/app/assistants/index.ts'
import { AppError } from '../../../server/domain/errors/app-error.ts'
import type { ErrorCode } from '../../../server/domain/errors/catalog.ts'
import { businessDateOf } from '../../../server/domain/dates.ts'
import { OwnAddress } from '../../../server/api/http/index.ts'
import { setRegistryStatus } from '../../../server/sales/invoices/index.ts'
import { prepareRecurring } from '../../../server/sales/recurring/index.ts'
import type { Authority } from '../../../server/registry/queue/authority.ts'
import { authorityOf } from '../../../server/registry/queue/jobs.ts'
import { recoverInterrupted, sendDueRecords } from '../../../server/registry/queue/sender.ts'
import { checkBooks } from '../../../server/app/integrity/index.ts'
import type { Check } from '../../../server/app/integrity/index.ts'
import { Connection } from '../../../server/db/embedded/connection.ts'
import { createWebhookSender } from '../../../server/platform/webhooks/jobs.ts'
import type { Worker } from '../../../server/platform/jobs/index.ts'
import { PORT } from '../world.ts'
import type { ErpServer } from '../erp/erp-server.ts'
import { readFrom, startAccounting } from './accounting.ts'
import { ASSISTANT } from './assistant.ts'
import { MockAuthority } from './authority.ts'
import { furnishedCopy, openIn, runAsPerson } from './furnish.ts'
import type { Company, Furnished } from './furnish.ts'
import { Oracles } from './oracles.ts'
import { everythingKept } from './stored-state.ts'
import { forget, issue, NothingToDo, PERSON } from './person.ts'
import type { Deed } from './person.ts'
import { PROGRAM } from './program.ts'
import type { Named } from './program.ts'
import { MOODS, MockReceiver } from './receiver.ts'
import { HOUR, MINUTE, SECOND, Surroundings } from './surroundings.ts'

/** Errors that no fault explains. */
const FAULTS: readonly ErrorCode[] = [
  'internal',
  'chain_broken',
  'restored_copy',
  'validation_failed',
  'unauthorized',
  'scope_missing',
]
const NEVER = new Promise<never>(() => {})
/** Actions that can run simultaneously. The others read a file or use a thread, whose duration depends on the machine. */
const CROWD = [...PERSON, ...ASSISTANT, ...PROGRAM].filter(([, name]) => !['import', 'export'].includes(name))
/** The program start to which an actor belongs: when it has ended, so has the actor. */
const startOf = new AsyncLocalStorage<number>()

/** The actors' knowledge of a company's book. */
interface Known {
  drafts: string[]
  issued: string[]
  payments: string[]
  quotes: string[]
  recurrences: string[]
  spent: { id: string; confirmationToken: string }[]
  assistantDrafts: string[]
  asked: { id: string; confirmationToken: string }[]
  /** Requests of the program, the newest last. */
  sent: Named[]
}

interface RunOptions {
  /** Steps between runs of the whole integrity check; it always runs at the end. */
  checkEvery: number
  /** An accounting system is read as well, over real HTTP and in a thread of its own, which takes its time. */
  accounting?: boolean
}

export class DeterministicWorld {
  readonly around: Surroundings
  /** Invoices whose issue for an assistant a person approved. */
  readonly approved = new Set<string>()
  /** Frequency of each result of each action, for the analysis of a run. */
  readonly tally = new Map<string, number>()
  readonly seed: number
  steps = 0
  private readonly options: RunOptions
  private readonly furnished: Furnished
  private readonly authority: MockAuthority
  private readonly receiver: MockReceiver
  private readonly oracles = new Oracles()
  private readonly logged: string[] = []
  private readonly trace = createHash('sha256')
  private readonly recent: string[] = []
  private readonly knownOf = new Map<number, Known>()
  private readonly weather: [weight: number, name: string, deed: Deed][]
  private accounting: ErpServer | null = null
  private sello: OpenedSello | null = null
  private server: Promise<FastifyInstance> | null = null
  private webhooks: Worker | null = null
  /** What is wrong with the disk, and for how many steps more. */
  private disk: { trouble: 'full' | 'failing'; left: number } | null = null
  /** True after all faults have ended, when nothing can explain an error. */
  private isHealed = false
  /** Number of program starts so far. */
  private runs = 0

  private constructor(seed: number, furnished: Furnished, options: RunOptions) {
    this.seed = seed
    this.furnished = furnished
    this.options = options
    this.around = new Surroundings(seed)
    this.authority = new MockAuthority(this.around)
    this.receiver = new MockReceiver(this.around)
    this.weather = [
      [14, 'send', (_world, company) => this.send(company)],
      [5, 'webhooks', () => this.passOn()],
      [5, 'spoil', async () => this.authority.spoil()],
      [2, 'mood', async () => (this.receiver.mood = this.around.dice.pick(MOODS))],
      [8, 'together', () => this.together()],
      [4, 'crash', (_world, company) => this.crash(company)],
      [1, 'restart', () => this.restart()],
      [1, 'clock', async () => this.jump()],
      [1, 'disk', () => this.fillDisk()],
      [3, 'commit', (_world, company) => this.failCommit(company)],
      [2, 'recurring', (_world, company) => this.prepare(company)],
      [
        1,
        'resume',
        async (_world, company) => String((await this.run(company, 'registry.resume', {})).pending),
      ],
      [3, 'wait', async () => this.wait()],
      [2, 'housekeeping', () => this.keepHouse()],
    ]
  }

  /** Opens a run; the caller closes it. */
  static async open(seed: number, options: RunOptions, furnished?: Furnished): Promise<DeterministicWorld> {
    const world = new DeterministicWorld(seed, furnished ?? (await furnishedCopy()), options)
    if (options.accounting) {
      const server = await startAccounting()
      world.accounting = server
      world.weather.push([1, 'reading', readFrom(server)])
    }
    await world.start()
    return world
  }

  async close(): Promise<void> {
    await this.stop()
    await this.accounting?.close()
    rmSync(this.furnished.folder, { recursive: true, force: true })
  }

  get open(): OpenedSello {
    if (!this.sello) throw new Error('The books are not open.')
    return this.sello
  }

  known({ book }: Company): Known {
    let known = this.knownOf.get(book.id)
    if (!known) {
      known = {
        drafts: [],
        issued: [],
        payments: [],
        quotes: [],
        recurrences: [],
        spent: [],
        assistantDrafts: [],
        asked: [],
        sent: [],
      }
      this.knownOf.set(book.id, known)
    }
    return known
  }

  today(): string {
    return businessDateOf(this.around.now())
  }

  /** Runs an operation as the person in a company's book. */
  run<Name extends OperationName>(
    { book }: Company,
    name: Name,
    input: InputOf<Name>,
  ): Promise<OutputOf<Name>> {
    return this.unlessCutOff(() => runAsPerson(this.open, book, name, input))
  }

  /** Sends a request to the server. */
  inject(request: InjectOptions): Promise<LightMyRequestResponse> {
    return this.unlessCutOff(async () => {
      const { env } = this.open
      this.server ??= this.listen()
      const answer = await (await this.server).inject(request)
      // Otherwise a timer of this machine would do it at an unpredictable time.
      await writeCalls(env)
      return answer
    })
  }

  private async listen(): Promise<FastifyInstance> {
    const address = new OwnAddress(PORT)
    const server = await serverOver(this.open, { address, windowToken: 'window', uiDir: null })
    await server.ready()
    return server
  }

  /** Stops actors at a power failure: they get no answer and do nothing more. */
  private async unlessCutOff<T>(work: () => Promise<T>): Promise<T> {
    const isCutOff = (): boolean => (startOf.getStore() ?? this.runs) !== this.runs
    if (isCutOff()) return NEVER
    try {
      const result = await work()
      return isCutOff() ? await NEVER : result
    } catch (error) {
      if (isCutOff()) return NEVER
      throw error
    }
  }

  /** Records that an invoice was acknowledged as issued: from now on it must exist. */
  acknowledge(company: Company, { id, number }: { id: string; number: string | null }): void {
    this.oracles.acknowledged.set(id, number ?? '')
    const { drafts, issued } = this.known(company)
    if (!issued.includes(id)) issued.push(id)
    forget(drafts, id)
  }

  /** Checks that the work is rejected, with that code if one is given. */
  async mustRefuse(code: ErrorCode | null, work: () => Promise<unknown>): Promise<string> {
    try {
      await work()
    } catch (error) {
      // A full disk is detected before the input.
      if (
        error instanceof AppError &&
        (code === null || error.code === code || error.code === 'store_readonly')
      )
        return error.code
      throw error
    }
    throw new Error(`Broken: it was not refused${code === null ? '' : ` with ${code}`}.`)
  }

  /** Runs one step, and checks every invariant after it. */
  async step(): Promise<void> {
    this.steps += 1
    const { dice } = this.around
    this.around.advance(SECOND * (1 + dice.below(45)))
    const company = dice.pick(this.furnished.companies)
    const deeds = [...PERSON, ...ASSISTANT, ...PROGRAM, ...this.weather]
    let roll = dice.below(deeds.reduce((sum, [weight]) => sum + weight, 0))
    const [, name, deed] =
      deeds.find(([weight]) => (roll -= weight) < 0) ?? (deeds[0] as (typeof deeds)[number])
    await this.blame(async () => {
      const outcome = await this.outcomeOf(deed, company)
      this.note(`${this.steps} ${company.nif} ${company.book.mode} ${name}: ${outcome}`)
      this.count(`${name}: ${/^(refused \w+|nothing)/.exec(outcome)?.[1] ?? 'done'}`)
      await this.check(this.steps % this.options.checkEvery === 0)
      if (this.disk && --this.disk.left === 0) await this.mendDisk()
    })
  }

  private async outcomeOf(deed: Deed, company: Company): Promise<string> {
    try {
      return await startOf.run(this.runs, () => deed(this, company))
    } catch (error) {
      if (error instanceof NothingToDo) return 'nothing'
      if (!(error instanceof AppError) || FAULTS.includes(error.code)) throw error
      // A number can be used by another program only if the authority was told to hold one.
      if (error.code === 'series_in_conflict' && !this.authority.holdsForeign(company.nif)) throw error
      return `refused ${error.code}`
    }
  }

  /**
   * Runs up to nine simultaneous actions of people, assistants and programs in all the companies, whose writes share
   * commits. Half of the time an issue is among them.
   */
  private async together(): Promise<string> {
    const { dice } = this.around
    const deeds = Array.from({ length: 2 + dice.below(8) }, () => {
      const deed = dice.chance(0.4) ? issue : dice.pick(CROWD)[2]
      return [deed, dice.pick(this.furnished.companies)] as const
    })
    const told = await Promise.allSettled(deeds.map((each) => this.outcomeOf(...each)))
    return told
      .map((each) => {
        if (each.status === 'rejected') throw each.reason
        return each.value
      })
      .join(', ')
  }

  private async check(whole: boolean): Promise<void> {
    const { reader } = this.open.env.store
    await this.oracles.afterStep(reader, this.around.time)
    const bugs = this.logged.filter((line) => /"(?:bug|background)"/.test(line))
    this.logged.length = 0
    if (bugs.length > 0) throw new Error(`Logged: ${bugs.join('\n')}`)
    if (!whole) return
    await this.oracles.others(reader, this.authority, this.receiver)
    const { checks } = await checkBooks(this.open.env, (book) => this.open.ctx(book))
    // A write that the disk rejected remains the last one until the next write.
    const wasRefused = ({ name, detail }: Check): boolean =>
      !this.isHealed && name === 'writable' && /SQLITE_(FULL|IOERR)/.test(detail)
    const broken = checks.filter((each) => !each.ok && !wasRefused(each))
    if (broken.length > 0) throw new Error(`The self-check: ${JSON.stringify(broken)}`)
  }

  /** Adds the seed and the previous steps to a failure. */
  private async blame(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (cause) {
      const told = cause instanceof Error ? cause.message : String(cause)
      const details = cause instanceof AppError ? ` ${cause.code} ${JSON.stringify(cause.details)}` : ''
      throw new Error(
        `Start value ${this.seed}, step ${this.steps}: ${told}${details}\nBefore it:\n${this.recent.join('\n')}`,
        { cause },
      )
    }
  }

  private note(line: string): void {
    this.trace.update(`${line}\n`)
    this.recent.push(line)
    if (this.recent.length > 25) this.recent.shift()
  }

  private count(what: string): void {
    this.tally.set(what, (this.tally.get(what) ?? 0) + 1)
  }

  private async start(): Promise<void> {
    // Work that continues after a power failure has no effect and no listeners.
    const run = ++this.runs
    const isGone = (): boolean => this.runs !== run
    const log = (line: string): void => {
      // A full or failing disk is logged as well, and is not a bug.
      if (!isGone() && !(this.disk && line.includes('store_readonly'))) this.logged.push(line)
    }
    const sello = await openIn(this.furnished.folder, this.around, log)
    this.sello = sello
    sello.env.window.pages = 1
    sello.env.erpMockEndpoint = this.accounting && { url: this.accounting.base, paceMs: 0 }
    this.disk = null
    this.webhooks = createWebhookSender({
      env: sello.env,
      log: (line) => log(`"background" ${line}`),
      random: this.around.random,
      exchange: (aim, attempt) => (isGone() ? NEVER : this.receiver.exchange(aim, attempt)),
    })
    for (const { book } of this.furnished.companies) await recoverInterrupted(sello.ctx(book))
  }

  private async stop(): Promise<void> {
    const { sello, server, webhooks } = this
    Object.assign(this, { sello: null, server: null, webhooks: null })
    await (await server)?.close()
    await webhooks?.stop()
    await sello?.close()
  }

  private async restart(): Promise<string> {
    await this.stop()
    await this.start()
    return 'again'
  }

  /** Simulates a power failure: hanging work hangs for ever, and its transactions are not awaited. */
  private async pullPlug(): Promise<void> {
    const { sello, server } = this
    Object.assign(this, { sello: null, server: null, webhooks: null })
    this.runs += 1
    sello?.env.store.close()
    await (await server)?.close()
    await this.start()
  }

  /** Starts actions for a power failure to interrupt: several at once, or one, preferably an issue. */
  private someDeeds(company: Company): Promise<string> {
    const { dice } = this.around
    if (dice.chance(0.4)) return this.together()
    return this.outcomeOf(dice.chance(0.6) ? issue : dice.pick([...PERSON, ...PROGRAM])[2], company)
  }

  /** Simulates a power failure in the middle of an action, or between actions if that action had nothing to do. */
  private async crash(company: Company): Promise<string> {
    const { dice } = this.around
    let reached: () => void = () => {}
    const stopped = new Promise<void>((resolve) => (reached = resolve))
    const hang = (): Promise<never> => {
      reached()
      return NEVER
    }
    const { store } = this.open.env
    const transaction = store.transaction.bind(store)
    /** Number of transactions to let through first. */
    const hangIn = (where: 'before_commit' | 'after_commit', spared: number): void => {
      let left = spared
      store.transaction = async (companyId, work) => {
        if (left-- > 0) return transaction(companyId, work)
        if (where === 'before_commit')
          return transaction(companyId, async (db) => {
            await work(db)
            return hang()
          })
        await transaction(companyId, work)
        return hang()
      }
    }
    const place = dice.pick([
      'sending',
      'hearing',
      'settling',
      'before_commit',
      'after_commit',
      'delivering',
    ] as const)
    let work: Promise<unknown>
    if (place === 'before_commit' || place === 'after_commit') {
      hangIn(place, dice.below(4))
      work = this.someDeeds(company)
    } else if (place === 'delivering') {
      hangIn(dice.pick(['before_commit', 'after_commit']), dice.below(3))
      work = this.passOn()
    } else {
      const port = await this.authorityOf(company)
      work = this.send(company, {
        ...port,
        submit: async (envelope) => {
          if (place === 'sending') return hang()
          const answer = await port.submit(envelope)
          if (place === 'settling') hangIn(dice.pick(['before_commit', 'after_commit']), 0)
          return place === 'hearing' ? hang() : answer
        },
      })
    }
    const atRest = work.then(
      () => 'at rest',
      (error: unknown) => {
        if (error instanceof AppError && !FAULTS.includes(error.code)) return error.code
        throw error
      },
    )
    const told = await Promise.race([stopped.then(() => 'cut off'), atRest])
    await this.pullPlug()
    return `${place} ${told}`
  }

  /** Runs one send cycle of a company's queue. */
  private async send(company: Company, port?: Authority): Promise<string> {
    const { dice } = this.around
    const authority = port ?? (await this.authorityOf(company))
    // Half of the time a person does not wait for the pause.
    if (dice.chance(0.5)) await this.run(company, 'registry.send', {})
    const { settled, nextAt } = await this.turn(company, authority)
    return `${settled} settled, next ${nextAt === null ? 'never' : nextAt - this.around.time}`
  }

  /** A test book uses the product's own authority, in its rows. */
  private async authorityOf({ book }: Company): Promise<Authority> {
    return book.mode === 'test' ? authorityOf(this.open.ctx(book)) : this.authority.port
  }

  private turn({ book, name, nif }: Company, authority: Authority) {
    const options = {
      authority,
      issuer: { name, nif },
      onStatus: setRegistryStatus,
      random: this.around.random,
    }
    return sendDueRecords(this.open.ctx(book), options)
  }

  /** Runs the fan-out and deliveries until nothing is due now. */
  private async passOn(): Promise<string> {
    const { webhooks } = this
    if (!webhooks) throw new Error('The books are not open.')
    const next = await webhooks.poll()
    await webhooks.quiet()
    return `next ${next}`
  }

  private jump(): string {
    const { dice } = this.around
    // A clock far ahead prevents issuing for as long afterwards, which has its own test.
    const ms = dice.chance(0.5) ? MINUTE * (1 + dice.below(8)) : -HOUR * (1 + dice.below(30))
    this.around.setClockOff(ms, 1 + dice.below(12))
    return String(ms)
  }

  /** Fills the disk up to the current size, for a number of steps. */
  private async fillDisk(): Promise<string> {
    if (this.disk) throw new NothingToDo()
    this.disk = { trouble: 'full', left: 1 + this.around.dice.below(12) }
    await this.limitPages(true)
    return String(this.disk.left)
  }

  private async limitPages(full: boolean): Promise<void> {
    // SQLite accepts a limit below the current size as the current size.
    await this.open.env.store.transaction(null, (db) =>
      sql`pragma max_page_count = ${sql.raw(full ? '1' : '1073741823')}`.execute(db),
    )
  }

  /**
   * Makes a commit fail: half of the time its data are on the disk all the same. Since this is unknown, nothing more
   * is written until the file is verified, after a number of steps.
   */
  private async failCommit(company: Company): Promise<string> {
    if (this.disk) throw new NothingToDo()
    const { dice } = this.around
    const isThere = dice.chance(0.5)
    const { writer } = this
    let spared = dice.below(4)
    writer.run = (text, values) => {
      if (text !== 'commit' || spared-- > 0) return Connection.prototype.run.call(writer, text, values)
      this.disk = { trouble: 'failing', left: 1 + dice.below(8) }
      this.letCommit()
      if (isThere) Connection.prototype.run.call(writer, text, values)
      throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' })
    }
    const outcome = await this.someDeeds(company)
    this.letCommit()
    return `${isThere ? 'there' : 'lost'} ${outcome}`
  }

  private get writer(): Connection {
    return (this.open.env.store as unknown as { writing: { connection: Connection } }).writing.connection
  }

  private letCommit(): void {
    Reflect.deleteProperty(this.writer, 'run')
  }

  private async mendDisk(): Promise<void> {
    const { disk } = this
    this.disk = null
    if (disk?.trouble === 'full') await this.limitPages(false)
    if (disk?.trouble !== 'failing') return
    const fault = await this.open.env.store.tryWriting()
    if (fault) throw new Error(`The books are not written again: ${fault.reason}`)
  }

  private async prepare({ book }: Company): Promise<string> {
    const { prepared, failed } = await prepareRecurring(this.open.ctx(book))
    if (failed.length > 0) throw new Error(`Not prepared: ${failed.join('; ')}`)
    return String(prepared)
  }

  /** Runs the maintenance, which deletes only expired data. */
  private async keepHouse(): Promise<string> {
    const { reader } = this.open.env.store
    const failures: string[] = []
    await this.oracles.whileForgetting(reader, this.around.time, () =>
      runMaintenance(this.open, (line) => failures.push(line)),
    )
    if (failures.length > 0) throw new Error(`Housekeeping: ${failures.join('; ')}`)
    return 'tidy'
  }

  private wait(): string {
    const { dice } = this.around
    const ms = dice.chance(0.8) ? MINUTE * (1 + dice.below(120)) : 24 * HOUR * (1 + dice.below(9))
    this.around.time += ms
    return String(ms)
  }

  /** Ends all faults; then every queue must become empty, and the books must match the authority's records. */
  async heal(): Promise<void> {
    await this.blame(async () => {
      this.authority.clear()
      this.around.setClockRight()
      this.receiver.mood = 'takes'
      await this.mendDisk()
      await this.restart()
      for (const company of this.furnished.companies) {
        await this.run(company, 'registry.resume', {})
        await this.drain(
          `${company.nif} sends`,
          async () => (await this.turn(company, await this.authorityOf(company))).nextAt,
        )
      }
      await this.drain('webhooks', async () => {
        await this.passOn()
        // What is due later of an endpoint that was busy, only the next look tells.
        const next = await this.webhooks?.poll()
        await this.webhooks?.quiet()
        return next === undefined ? null : this.around.time + next
      })
      this.isHealed = true
      await this.check(true)
      await this.oracles.afterHealing(this.open.env.store.reader, this.authority)
    })
  }

  /** Continues until nothing is due; `work` returns the time of the next due item, in milliseconds since 1970. */
  private async drain(what: string, work: () => Promise<number | null>): Promise<void> {
    for (let turn = 0; turn < 1_000; turn++) {
      const nextAt = await work()
      if (nextAt === null) return
      this.around.time = Math.max(this.around.time + 1, nextAt)
    }
    throw new Error(`Broken: ${what} without end.`)
  }

  /** Returns a hash of all events and all stored data: two runs with one seed have the same. */
  async fingerprint(): Promise<string> {
    const kept = await everythingKept(this.open.env.store.reader)
    return this.trace.copy().update(JSON.stringify(kept)).digest('hex')
  }
}

/** Runs a seed to its end: steps, then healing. Returns the run, which the caller closes. */
export async function play(
  seed: number,
  steps: number,
  options: RunOptions,
  furnished?: Furnished,
): Promise<DeterministicWorld> {
  const world = await DeterministicWorld.open(seed, options, furnished)
  try {
    for (let step = 0; step < steps; step++) await world.step()
    await world.heal()
    return world
  } catch (error) {
    await world.close()
    throw error
  }
}
