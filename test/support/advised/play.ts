/**
 * Random interleavings of a client's and its adviser's work, with files that get lost, arrive twice, late, torn or
 * changed, with crashes, and with backups that are restored on either side. Everything follows from one seed.
 */
import { cpSync, rmSync } from 'node:fs'
import { expect } from 'vitest'
import type { ErrorCode } from '../../../server/domain/errors/catalog.ts'
import { AppError } from '../../../server/domain/errors/app-error.ts'
import { embedded } from '../../../server/db/embedded/port.ts'
import { dice } from '../seeded-random.ts'
import type { Dice } from '../seeded-random.ts'
import type { World } from '../world.ts'
import { entry, failedChecks, Pair, purchase } from './pair.ts'

const STEPS = 16
/** Exchanges within which everything must be decided once nothing gets lost any more. */
const SETTLING_ROUNDS = 6
/** Errors that a step may answer: the books do not allow it as they are. */
const EXPECTED: readonly ErrorCode[] = [
  'validation_failed',
  'period_locked',
  'received_duplicate',
  'received_void',
  'received_paid',
  'payment_exceeds_due',
  'payment_in_use',
  'version_conflict',
  'not_found',
  'account_unknown',
  'entry_generated',
  'already_filed',
  'filed_by_service',
  'year_not_closable',
  'contact_in_use',
  'bundle_gap',
  'bundle_old',
]

/** Ends a step as the end of the process would. */
class Crash extends Error {}

interface Tokens {
  /** Texts that changes of the adviser leave in the books, each of one change. */
  made: Set<string>
}

export interface Tally {
  interleavings: number
  steps: number
  changes: number
  taken: number
  rejected: number
  lost: number
  doubled: number
  forks: number
  files: number
  crashes: number
  restores: number
  refused: Record<string, number>
}

export const newTally = (): Tally => ({
  interleavings: 0,
  steps: 0,
  changes: 0,
  taken: 0,
  rejected: 0,
  lost: 0,
  doubled: 0,
  forks: 0,
  files: 0,
  crashes: 0,
  restores: 0,
  refused: {},
})

type Step = () => Promise<void>

export class Play {
  private readonly pair: Pair
  /** A file of another client and its adviser. */
  private readonly foreignFile: string
  private readonly random: Dice
  private readonly tally: Tally
  private readonly tokens: Tokens = { made: new Set() }
  /** Files on their way. */
  private readonly toAdviser: string[] = []
  private readonly toClient: string[] = []
  private readonly backups = new Map<World, { folder: string; tokens: Set<string> }>()
  /** Records in the copy when the books arrived: the adviser adds none. */
  private recordsArrived = 0
  private serial = 0
  /** Texts whose decisions are in the tally. */
  private readonly counted = new Set<string>()
  private readonly recent: string[] = []

  private constructor(pair: Pair, foreignFile: string, seed: number, tally: Tally) {
    this.pair = pair
    this.foreignFile = foreignFile
    this.random = dice(seed)
    this.tally = tally
  }

  static async open(seed: number, tally: Tally, foreignFile: string): Promise<Play> {
    return new Play(await Pair.ready(), foreignFile, seed, tally)
  }

  /**
   * Plays one interleaving. `compare`: exchanges everything after it and checks what was promised; `verify`: with the
   * self-check of both books.
   */
  async interleave({ compare, verify }: { compare: boolean; verify: boolean }): Promise<void> {
    for (let step = 0; step < STEPS; step += 1) await this.step()
    this.tally.interleavings += 1
    if (!compare) return
    await this.settle()
    await this.check(verify)
  }

  describe(): string {
    return this.recent.slice(-40).join('\n')
  }

  private async step(): Promise<void> {
    const { random } = this
    this.tally.steps += 1
    this.pair.advance(60_000 * (1 + random.below(60)))
    const [name, step] = random.pick(this.steps())
    const crashes = random.chance(0.08)
    this.recent.push(`${name}${crashes ? ' with a crash' : ''}`)
    // The side whose process ends.
    const isAtClient = /^client|^books written|^changes arrive/.test(name)
    const side = isAtClient ? this.pair.client : this.pair.adviser
    try {
      if (crashes) await this.crashing(side, step)
      else await step()
    } catch (error) {
      if (!(error instanceof AppError) || !EXPECTED.includes(error.code)) throw error
      this.refused(error.code)
      if (error.code === 'validation_failed') this.recent.push(`  ${JSON.stringify(error.details)}`)
    }
    await this.assertNothingIssuedThere()
  }

  private refused(code: string): void {
    this.tally.refused[code] = (this.tally.refused[code] ?? 0) + 1
    this.recent.push(`  ${code}`)
  }

  private steps(): [string, Step][] {
    const { client, adviser } = this.pair
    return [
      ['client issues', () => this.issue()],
      ['client buys', () => this.buy()],
      ['client pays', () => this.pay()],
      ['client voids', () => this.voidOne(client)],
      ['client locks', () => this.lock(client)],
      ['client account', () => this.account()],
      ['client decides', () => this.decide()],
      ['client decides', () => this.decide()],
      ['adviser buys', () => this.enter()],
      ['adviser buys', () => this.enter()],
      ['adviser buys', () => this.enter()],
      ['adviser books', () => this.book()],
      ['adviser buys', () => this.enterWithFile()],
      ['adviser corrects', () => this.correct()],
      ['adviser books', () => this.book()],
      ['adviser books again', () => this.rebook()],
      ['adviser locks', () => this.lock(adviser)],
      ['adviser closes', () => this.close()],
      ['adviser tries to issue', () => this.forbidden()],
      ['books written', async () => void this.toAdviser.push(await this.write('client'))],
      ['changes written', async () => void this.toClient.push(await this.write('adviser'))],
      ['books arrive', () => this.arrive('adviser')],
      ['books arrive', () => this.arrive('adviser')],
      ['changes arrive', () => this.arrive('client')],
      ['changes arrive', () => this.arrive('client')],
      ['file lost', async () => this.lose()],
      ...(this.random.chance(0.3) ? ([['backup', () => this.backUpOrRestore()]] as [string, Step][]) : []),
    ]
  }

  private token(kind: string): string {
    this.serial += 1
    return `${kind}-${this.serial}`
  }

  private day(): string {
    const month = 1 + this.random.below(6)
    return `2026-${String(month).padStart(2, '0')}-${String(1 + this.random.below(28)).padStart(2, '0')}`
  }

  // ---- The client ----

  private async issue(): Promise<void> {
    const { client } = this.pair
    const draft = await client.run('invoices.create', {
      clientName: 'Ana Ruiz Gil',
      clientNif: '12345678Z',
      lines: [{ description: 'Mano de obra', quantity: 1 + this.random.below(9), unitPrice: 10 }],
    })
    const validated = await client.run('invoices.validate', { id: draft.id })
    const confirmationToken = validated.confirmation?.confirmationToken ?? ''
    await client.run('invoices.issue', { id: draft.id, confirmationToken })
  }

  /** Sometimes the same paper that the adviser has entered. */
  private async buy(): Promise<void> {
    const number = this.random.chance(0.4) ? `ADV-${this.random.below(this.serial + 1)}` : this.token('CLI')
    const day = this.day()
    await this.pair.client.run(
      'received.create',
      purchase(number, { issueDate: '2026-01-01', receptionDate: day, notes: 'own' }),
    )
  }

  private async someReceived(world: World): Promise<string> {
    const { items } =
      world === this.pair.client
        ? await world.run('received.list', { limit: 50 })
        : await this.pair.advise('received.list', { limit: 50 })
    if (items.length === 0) throw new AppError('not_found')
    return this.random.pick(items).id
  }

  private async pay(): Promise<void> {
    const { client } = this.pair
    const id = await this.someReceived(client)
    await client.run('payments.payReceived', { id, date: '2026-06-30', method: 'transfer', amount: 5 })
  }

  private async voidOne(world: World): Promise<void> {
    await world.run('received.void', { id: await this.someReceived(world) })
  }

  private async lock(world: World): Promise<void> {
    const until = this.random.chance(0.7)
      ? null
      : this.random.pick(['2026-01-31', '2026-02-28', '2026-03-31'])
    if (world === this.pair.client) await world.run('ledger.lock', { until })
    else await this.pair.advise('ledger.lock', { until })
  }

  private async account(): Promise<void> {
    await this.pair.client.run('ledger.saveAccount', { code: '626', active: this.random.chance(0.6) })
  }

  private async decide(): Promise<void> {
    const { client } = this.pair
    const { changes } = await client.run('bundles.state', {})
    const ids = changes
      .filter(({ state }) => state === 'waiting' && this.random.chance(0.7))
      .map(({ id }) => id)
    if (ids.length === 0) return
    if (this.random.chance(0.75)) await client.run('bundles.take', { ids })
    else await client.run('bundles.reject', { ids, note: 'No procede' })
  }

  // ---- The adviser ----

  private noteMade(token: string): void {
    this.tokens.made.add(token)
    this.tally.changes += 1
  }

  private async enter(): Promise<void> {
    const token = this.token('adv')
    const day = this.day()
    await this.pair.advise(
      'received.create',
      purchase(`ADV-${this.serial}`, { issueDate: '2026-01-01', receptionDate: day, notes: token }),
    )
    this.noteMade(token)
  }

  private async enterWithFile(): Promise<void> {
    const token = this.token('adv')
    const content = Buffer.from(`Factura ${this.random.chance(0.3) ? 'repetida' : token}`).toString('base64')
    const file = await this.pair.advise('attachments.upload', { name: 'factura.txt', content })
    await this.pair.advise(
      'received.create',
      purchase(`ADV-${this.serial}`, { issueDate: '2026-01-01', notes: token, attachments: [file.id] }),
    )
    this.noteMade(token)
  }

  private async correct(): Promise<void> {
    const id = await this.someReceived(this.pair.adviser)
    if (this.random.chance(0.3)) await this.pair.advise('received.void', { id })
    else
      await this.pair.advise('received.update', {
        id,
        taxLines: [{ base: 10 * (1 + this.random.below(30)), vatRate: 21 }],
      })
  }

  private async book(): Promise<void> {
    const token = this.token('adv-entry')
    await this.pair.advise('ledger.writeEntry', entry(token, 1 + this.random.below(500), this.day()))
    this.noteMade(token)
  }

  /** Replaces or removes an entry by hand, also one that only the adviser has so far. */
  private async rebook(): Promise<void> {
    const { items } = await this.pair.advise('ledger.journal', { source: 'manual', limit: 50 })
    if (items.length === 0) throw new AppError('not_found')
    const { id, text, date } = this.random.pick(items)
    if (this.random.chance(0.3)) await this.pair.advise('ledger.removeEntry', { id })
    else await this.pair.advise('ledger.writeEntry', { ...entry(text ?? '', 7, date), id })
  }

  private async close(): Promise<void> {
    const quarter = 1 + this.random.below(2)
    const way = this.random.below(4)
    if (way === 0) await this.pair.advise('fiscal.markFiled', { model: '303', year: 2026, quarter })
    else if (way === 1) await this.pair.advise('fiscal.withdrawFiling', { model: '303', year: 2026, quarter })
    else if (way === 2) await this.pair.advise('ledger.settleVat', { year: 2026, quarter, write: true })
    else await this.pair.advise('ledger.saveAccount', { code: '6260001', name: 'Comisiones', active: true })
  }

  private async forbidden(): Promise<void> {
    const code = async (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => 'done',
        (error: unknown) => (error as AppError).code,
      )
    const draft = {
      clientName: 'Ana Ruiz Gil',
      clientNif: '12345678Z',
      lines: [{ description: 'Mano de obra', quantity: 2, unitPrice: 10 }],
    }
    expect(await code(this.pair.advise('invoices.create', draft))).toBe('company_advised')
    expect(await code(this.pair.advise('registry.send', {}))).toBe('company_advised')
    expect(await code(this.pair.advise('registry.newInstallation', {} as never))).toMatch(
      /^(company_advised|validation_failed)$/,
    )
    this.refused('company_advised')
  }

  /** The copy has as many records as arrived. */
  private async assertNothingIssuedThere(): Promise<void> {
    const records = await this.recordsOf(this.pair.adviser)
    expect(records.length).toBe(this.recordsArrived)
  }

  private recordsOf(world: World): Promise<{ sequence: number; hash: Uint8Array }[]> {
    return world.env.store.reader
      .selectFrom('registry_records')
      .innerJoin('books', 'books.id', 'registry_records.book_id')
      .select(['sequence', 'hash'])
      .where('books.public_id', '=', this.pair.client.books.test.publicId)
      .orderBy('sequence')
      .execute()
  }

  // ---- Files ----

  private async write(side: 'client' | 'adviser'): Promise<string> {
    this.tally.files += 1
    return side === 'client' ? this.pair.books() : this.pair.changes()
  }

  private lose(): void {
    const queue = this.random.chance(0.5) ? this.toAdviser : this.toClient
    if (queue.length > 0) queue.splice(this.random.below(queue.length), 1)
  }

  /** Delivers any of the files on their way, sometimes spoilt, and sometimes not for the last time. */
  private async arrive(side: 'client' | 'adviser'): Promise<void> {
    const { client, adviser } = this.pair
    const queue = side === 'adviser' ? this.toAdviser : this.toClient
    const world = side === 'adviser' ? adviser : client
    if (queue.length === 0) return
    const at = this.random.below(queue.length)
    const content = queue[at] ?? ''
    const spoilt = this.random.chance(0.25) ? this.spoil(content) : null
    if (spoilt) {
      const code = await world.run('bundles.read', { content: spoilt.content }).then(
        () => 'read',
        (error: unknown) => (error as AppError).code,
      )
      expect(spoilt.codes).toContain(code)
      this.refused(code)
      return
    }
    if (!this.random.chance(0.3)) queue.splice(at, 1)
    await world.run('bundles.read', { content })
    if (side === 'adviser') this.recordsArrived = (await this.recordsOf(adviser)).length
  }

  private spoil(content: string): { content: string; codes: string[] } {
    const bytes = Buffer.from(content, 'base64')
    const way = this.random.below(3)
    if (way === 0) {
      const cut = bytes.subarray(0, 1 + this.random.below(bytes.length - 1))
      return { content: cut.toString('base64'), codes: ['bundle_torn', 'bundle_unreadable'] }
    }
    if (way === 1) {
      const at = this.random.below(bytes.length)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << this.random.below(8))
      return {
        content: bytes.toString('base64'),
        codes: ['bundle_tampered', 'bundle_torn', 'bundle_unreadable', 'bundle_foreign', 'bundle_newer'],
      }
    }
    return { content: this.foreignFile, codes: ['bundle_foreign'] }
  }

  // ---- Crashes and backups ----

  /** Runs a step in which a side's process ends at one of its commits; nothing of it is written after that. */
  private async crashing(world: World, step: Step): Promise<void> {
    const store = embedded(world.env.store)
    let left = this.random.below(2)
    const before = this.random.chance(0.5)
    let isDead = false
    const around = async <T>(commit: (hang: () => void) => Promise<T>): Promise<T> => {
      if (isDead) throw new Crash()
      if (left > 0) {
        left -= 1
        return commit(() => {})
      }
      isDead = true
      const result = await commit(() => {
        if (before) throw new Crash()
      })
      void result
      throw new Crash()
    }
    const transaction = store.transaction.bind(store)
    const replaceRows = store.replaceRows.bind(store)
    store.transaction = (companyId, work, start) =>
      around((hang) =>
        transaction(
          companyId,
          async (db) => {
            const result = await work(db)
            hang()
            return result
          },
          start,
        ),
      )
    store.replaceRows = (work) =>
      around((hang) =>
        replaceRows(async (connection) => {
          const result = await work(connection)
          hang()
          return result
        }),
      )
    try {
      await step()
    } catch (error) {
      if (!isDead) throw error
    } finally {
      if (isDead) {
        this.tally.crashes += 1
        store.transaction = transaction
        store.replaceRows = replaceRows
        await world.restart()
        this.recordsArrived = (await this.recordsOf(this.pair.adviser)).length
      } else {
        store.transaction = transaction
        store.replaceRows = replaceRows
      }
    }
  }

  /** Makes a backup of one side, or restores it: what came after is lost there. */
  private async backUpOrRestore(): Promise<void> {
    const world = this.random.chance(0.5) ? this.pair.client : this.pair.adviser
    const known = this.backups.get(world)
    if (!known) {
      const folder = `${world.folder}-backup`
      await world.restartAfter(() => cpSync(world.folder, folder, { recursive: true }))
      this.backups.set(world, { folder, tokens: new Set(this.tokens.made) })
      return
    }
    await world.restartAfter(() => {
      rmSync(world.folder, { recursive: true, force: true })
      cpSync(known.folder, world.folder, { recursive: true })
    })
    rmSync(known.folder, { recursive: true, force: true })
    this.backups.delete(world)
    this.tally.restores += 1
    this.recordsArrived = (await this.recordsOf(this.pair.adviser)).length
    // What neither side has any more is lost with a disk, not by the exchange: the adviser never sent it, or went back
    // to before it as well. Otherwise the adviser still has it, and sends it again.
    const noted = new Set([
      ...(await this.statesAt(this.pair.adviser)).keys(),
      ...(await this.statesAt(this.pair.client)).keys(),
    ])
    for (const token of this.tokens.made) if (!noted.has(token)) this.tokens.made.delete(token)
  }

  /** Returns the texts in the changes that an installation knows, with their states. */
  private async statesAt(world: World): Promise<Map<string, string[]>> {
    const rows = await world.env.store.reader
      .selectFrom('bundle_changes')
      .select(['operation', 'input', 'state'])
      .execute()
    const states = new Map<string, string[]>()
    for (const { operation, input, state } of rows) {
      const { notes, text, id } = JSON.parse(input) as { notes?: string; text?: string; id?: unknown }
      const token =
        operation === 'received.create' ? notes : operation === 'ledger.writeEntry' ? text : undefined
      if (token === undefined || id !== undefined) continue
      states.set(token, [...(states.get(token) ?? []), state])
    }
    return states
  }

  // ---- The end of an interleaving ----

  /** Exchanges everything without faults, and decides everything. */
  private async settle(): Promise<void> {
    const { pair } = this
    for (let round = 0; ; round += 1) {
      await pair.sendBooks()
      this.tally.files += 2
      await pair.sendChanges()
      await pair.takeAll()
      const { changes } = await pair.client.run('bundles.state', {})
      const failing = changes.filter(({ state }) => state === 'waiting').map(({ id }) => id)
      if (failing.length > 0) await pair.client.run('bundles.reject', { ids: failing, note: 'Ya no procede' })
      await pair.sendBooks()
      this.recordsArrived = (await this.recordsOf(pair.adviser)).length
      const there = await pair.advise('bundles.state', {})
      if (there.changes.every(({ state }) => state !== 'waiting')) return
      expect(round, 'everything is decided').toBeLessThan(SETTLING_ROUNDS)
    }
  }

  private async check(whole: boolean): Promise<void> {
    const { client, adviser } = this.pair
    const here = await this.statesAt(client)
    const there = await this.statesAt(adviser)
    const found = await this.effects()
    for (const token of this.tokens.made) {
      const states = here.get(token) ?? []
      if (states.length === 0 || states.includes('waiting')) this.tally.lost += 1
      if (states.length > 1) this.tally.doubled += 1
      const wanted = states.filter((state) => state === 'taken').length
      const effects = found.get(token) ?? 0
      // An entry can be removed by a later change; a purchase stays, void at most.
      if (effects < wanted && !token.startsWith('adv-entry')) this.tally.lost += 1
      if (effects > wanted) this.tally.doubled += 1
      if (!this.counted.has(token)) {
        this.tally.taken += wanted
        this.tally.rejected += states.length - wanted
      }
      this.counted.add(token)
      const decided = there.get(token)
      // A restored adviser no longer has the change; the books have it.
      if (decided) expect(decided, token).toEqual(states)
    }
    const [ours, theirs] = [await this.recordsOf(client), await this.recordsOf(adviser)]
    const hashes = (records: typeof ours): string[] =>
      records.map(({ hash }) => Buffer.from(hash).toString('hex'))
    if (hashes(ours).join() !== hashes(theirs).join()) this.tally.forks += 1
    expect([this.tally.lost, this.tally.doubled, this.tally.forks]).toEqual([0, 0, 0])
    expect(await this.pair.advise('ledger.trialBalance', { year: 2026 })).toEqual(
      await client.run('ledger.trialBalance', { year: 2026 }),
    )
    expect(await this.pair.advise('fiscal.model', { model: '303', year: 2026, quarter: 2 })).toEqual(
      await client.run('fiscal.model', { model: '303', year: 2026, quarter: 2 }),
    )
    if (!whole) return
    expect(await failedChecks(client)).toEqual([])
    expect(await failedChecks(adviser)).toEqual([])
  }

  /** Returns how often the text of each change is in the books of the client. */
  private async effects(): Promise<Map<string, number>> {
    const { reader } = this.pair.client.env.store
    const counts = new Map<string, number>()
    const purchases = await reader.selectFrom('received_invoices').select('notes').execute()
    const entries = await reader
      .selectFrom('journal_entries')
      .select('text')
      .where('text', 'like', 'adv-%')
      .execute()
    for (const { notes } of purchases)
      if (notes?.startsWith('adv-')) counts.set(notes, (counts.get(notes) ?? 0) + 1)
    for (const { text } of entries) if (text) counts.set(text, (counts.get(text) ?? 0) + 1)
    return counts
  }
}
