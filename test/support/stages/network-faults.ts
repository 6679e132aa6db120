/**
 * A live book of a sandbox against the simulated authority over real TLS with random faults: lost, duplicated and
 * late messages, crashes, restarts and clock jumps, all from one seed. `proof` checks the invariants afterwards.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSello } from '../../../server/api/application.ts'
import type { OpenedSello } from '../../../server/api/application.ts'
import { listBooks } from '../../../server/platform/books/index.ts'
import type { InputOf, OperationName, OutputOf } from '../../../server/api/contracts.ts'
import { AppError } from '../../../server/domain/errors/app-error.ts'
import { NO_BOOK } from '../../../server/context.ts'
import type { Book, Ctx } from '../../../server/context.ts'
import { createDice } from '../../../server/app/demo/index.ts'
import { setRegistryStatus } from '../../../server/sales/invoices/index.ts'
import { loadOperation } from '../../../server/api/operations.ts'
import type { Authority } from '../../../server/registry/queue/authority.ts'
import { authorityOf } from '../../../server/registry/queue/jobs.ts'
import { recoverInterrupted, sendDueRecords } from '../../../server/registry/queue/sender.ts'
import { memoryState } from '../../../server/registry/systems/verifactu/simulator/index.ts'
import type { Fault, StoredRecord } from '../../../server/registry/systems/verifactu/simulator/index.ts'
import { startAuthorityServer } from '../../../server/registry/systems/verifactu/simulator/server.ts'
import type { AuthorityServer } from '../../../server/registry/systems/verifactu/simulator/server.ts'
import { runOperation } from '../../../server/api/run.ts'
import { checkBooks } from '../../../server/app/integrity/index.ts'
import { makeP12 } from '../files/certificates.ts'
import { EXAMPLE_COMPANY } from '../store.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** The only NIF unknown to the simulated census. */
const UNKNOWN_NIF = '99999999R'
const PASSWORD = 'tormenta'

/** Faults of the connection and the authority, with the message processed or not before the answer is lost. */
const FAULTS: readonly Fault[] = [
  { kind: 'drop_request' },
  { kind: 'drop_reply' },
  { kind: 'slow', ms: 15 },
  { kind: 'error_500' },
  { kind: 'error_500', processed: true },
  { kind: 'html_200' },
  { kind: 'html_200', processed: true },
  { kind: 'half_xml' },
  { kind: 'fault_server' },
  { kind: 'fault_server', processed: true },
  { kind: 'fault_client', code: '4134' },
  { kind: 'throttle', seconds: 120 },
]

/** Points at which the program is stopped as in a power failure. */
type Crash = 'before_sending' | 'before_hearing' | 'before_settling'
const CRASHES: readonly Crash[] = ['before_sending', 'before_hearing', 'before_settling']

interface Weather {
  steps: number
  issued: number
  cancelled: number
  amended: number
  submissions: number
  faults: number
  doubled: number
  crashes: number
  clockJumps: number
  /** Issues, annulments and amendments rejected because of the clock. */
  refusedByClock: number
}

interface Proof {
  records: number
  accepted: number
  rejected: number
  /** Records held more than once without a duplicate by the network. */
  duplicates: number
  /** Accepted records that the authority does not hold. */
  missing: number
  /** Held records that precede one created earlier. */
  outOfOrder: number
  /** Submissions of a record after its rejection was known. */
  resentAfterRejection: number
  unsettled: number
  /** Result of the books' integrity check. */
  whole: boolean
  /** Invoices whose state differs from the authority's. */
  differing: string[]
}

/** The required result after all faults have ended. */
export const CLEAR = {
  duplicates: 0,
  missing: 0,
  outOfOrder: 0,
  resentAfterRejection: 0,
  unsettled: 0,
  whole: true,
  differing: [],
} satisfies Partial<Proof>

export class Storm {
  readonly weather: Weather = {
    steps: 0,
    issued: 0,
    cancelled: 0,
    amended: 0,
    submissions: 0,
    faults: 0,
    doubled: 0,
    crashes: 0,
    clockJumps: 0,
    refusedByClock: 0,
  }
  private readonly folder = mkdtempSync(join(tmpdir(), 'sello-storm-'))
  private readonly dice: (below: number) => number
  private readonly state = memoryState()
  /** The real time. */
  private time = Date.parse('2026-11-21T09:00:00Z')
  /** Offset of this computer's clock, for a number of steps. */
  private clockOffMs = 0
  private clockOffSteps = 0
  private server: AuthorityServer | null = null
  private sello: OpenedSello | null = null
  private book: Book | null = null
  /** Settled invoices, to annul and amend. */
  private readonly invoices: string[] = []
  /** Records whose message the network duplicated: the authority then registers a correction or cancellation twice. */
  private readonly doubledRecords = new Set<string>()
  private csvs = 0

  constructor(seed: number) {
    this.dice = createDice(seed)
  }

  async open(): Promise<void> {
    this.server = await startAuthorityServer({
      state: this.state,
      now: () => new Date(this.time),
      newCsv: () => `A-${String(++this.csvs).padStart(14, '0')}`,
      waitSeconds: 60,
    })
    const ca = join(this.folder, 'authority.pem')
    writeFileSync(ca, this.server.caPem)
    await this.start(ca)
    const { books } = await this.run('company.create', EXAMPLE_COMPANY, NO_BOOK)
    this.book = (await listBooks(this.env.store.reader)).find((one) => one.mode === 'live') ?? null
    if (!this.book || books.length !== 2) throw new Error('The company was not made.')
    const { p12 } = makeP12({
      kind: 'seal',
      nif: EXAMPLE_COMPANY.nif,
      name: 'Sello de Talleres Ejemplo',
      organization: EXAMPLE_COMPANY.legalName,
      organizationNif: EXAMPLE_COMPANY.nif,
      keyType: 'ec',
      from: '2025-01-01T00:00:00Z',
      to: '2039-01-01T00:00:00Z',
      password: PASSWORD,
    })
    await this.run('certificates.import', { file: p12.toString('base64'), password: PASSWORD })
  }

  async close(): Promise<void> {
    await this.sello?.close()
    await this.server?.close()
    rmSync(this.folder, { recursive: true, force: true })
  }

  private async start(ca = join(this.folder, 'authority.pem')): Promise<void> {
    this.sello = await openSello({
      dataDir: join(this.folder, 'data'),
      create: true,
      sandbox: true,
      keychain: null,
      cacheKib: 2048,
      now: () => new Date(this.time + this.clockOffMs),
      environment: {
        SELLO_TEST_AUTHORITY_URL: this.authority.url,
        SELLO_TEST_AUTHORITY_CA: ca,
      },
    })
    if (this.book) await recoverInterrupted(this.ctx())
  }

  private get authority(): AuthorityServer {
    if (!this.server) throw new Error('The authority is not open.')
    return this.server
  }

  private get env() {
    if (!this.sello) throw new Error('The books are not open.')
    return this.sello.env
  }

  private ctx(book: Book | null = this.book): Ctx {
    if (!this.sello || !book) throw new Error('The books are not open.')
    return this.sello.ctx(book, { kind: 'user', id: 'user', name: 'Persona' })
  }

  private async run<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    book: Book | null = this.book,
  ): Promise<OutputOf<Name>> {
    const operation = await loadOperation(name)
    return (await runOperation(operation, this.ctx(book), input)) as OutputOf<Name>
  }

  /** Runs one random step. */
  async step(): Promise<void> {
    this.weather.steps += 1
    this.time += 1000 * (1 + this.dice(45))
    if (this.clockOffSteps > 0 && --this.clockOffSteps === 0) this.clockOffMs = 0
    const roll = this.dice(100)
    if (roll < 26) await this.issue()
    else if (roll < 31) await this.follow('cancel')
    else if (roll < 37) await this.follow('amend')
    else if (roll < 66) await this.send()
    else if (roll < 72) await this.sendDoubled()
    else if (roll < 82) this.spoil()
    else if (roll < 88) await this.crash()
    else if (roll < 91) await this.restart()
    else if (roll < 93) this.jump()
    else this.time += MINUTE * (1 + this.dice(120))
  }

  private async issue(): Promise<void> {
    const unknown = this.dice(8) === 0
    const { id } = await this.run('invoices.create', {
      clientName: `Cliente ${this.dice(50)}`,
      clientNif: unknown ? UNKNOWN_NIF : 'B87654323',
      lines: [
        { description: 'Servicios', quantity: 1 + this.dice(9), unitPrice: (1 + this.dice(90_000)) / 100 },
      ],
    })
    await this.refusable(async () => {
      const { confirmation, issues } = await this.run('invoices.validate', { id })
      if (!confirmation) throw new AppError('invoice_invalid', { details: { faults: issues } })
      await this.run('invoices.issue', { id, confirmationToken: confirmation.confirmationToken })
      this.invoices.push(id)
      this.weather.issued += 1
    })
  }

  /** Cancels or amends an invoice, as far as its state allows it. */
  private async follow(action: 'cancel' | 'amend'): Promise<void> {
    const id = this.invoices[this.dice(Math.max(1, this.invoices.length))]
    if (id === undefined) return
    const changes = {
      clientNif: this.dice(6) === 0 ? UNKNOWN_NIF : 'B87654323',
      description: `Corregido ${this.dice(1000)}`,
    }
    await this.refusable(async () => {
      const validated = await this.run('invoices.validate', {
        id,
        action,
        ...(action === 'amend' ? { changes } : {}),
      })
      if (!validated.confirmation)
        throw new AppError('invoice_invalid', { details: { faults: validated.issues } })
      const { confirmationToken } = validated.confirmation
      if (action === 'cancel') await this.run('invoices.cancel', { id, confirmationToken })
      else await this.run('invoices.amend', { id, confirmationToken })
      this.weather[action === 'cancel' ? 'cancelled' : 'amended'] += 1
    })
  }

  /** Ignores justified rejections of the product; anything else fails the test. */
  private async refusable(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const faults = (error.details?.faults ?? []) as { code: string }[]
      if (error.code === 'clock_wrong' || faults.some(({ code }) => code === 'clock_wrong'))
        this.weather.refusedByClock += 1
      else if (!['registry_pending', 'invoice_invalid'].includes(error.code)) throw error
    }
  }

  private async senderOptions(around: (real: Authority) => Authority = (real) => real) {
    const { legalName: name, nif } = EXAMPLE_COMPANY
    const real = await authorityOf(this.ctx())
    const counted: Authority = {
      submit: (envelope) => {
        this.weather.submissions += 1
        return real.submit(envelope)
      },
      query: (envelope) => real.query(envelope),
    }
    return {
      authority: around(counted),
      issuer: { name, nif },
      onStatus: setRegistryStatus,
      random: () => this.dice(1000) / 1000,
    }
  }

  private async send(): Promise<void> {
    // Half of the time a person does not wait for the backoff.
    if (this.dice(2) === 0) await this.run('registry.send', {})
    await sendDueRecords(this.ctx(), await this.senderOptions())
  }

  /** The network sends the message twice; the second answer arrives. */
  private async sendDoubled(): Promise<void> {
    const options = await this.senderOptions((real) => ({
      ...real,
      submit: async (envelope) => {
        for (const match of envelope.matchAll(/<sf:RefExterna>(rec-\d+)</g))
          this.doubledRecords.add(match[1] ?? '')
        this.weather.doubled += 1
        await real.submit(envelope)
        return real.submit(envelope)
      },
    }))
    await sendDueRecords(this.ctx(), options)
  }

  private spoil(): void {
    const fault = FAULTS[this.dice(FAULTS.length)]
    if (!fault) return
    this.weather.faults += 1
    this.authority.control.next(fault, { times: 1 + this.dice(2), on: 'any' })
  }

  private async crash(): Promise<void> {
    const point = CRASHES[this.dice(CRASHES.length)]
    this.weather.crashes += 1
    const never = new Promise<never>(() => {})
    let reached: () => void = () => {}
    const stopped = new Promise<void>((resolve) => (reached = resolve))
    const { store } = this.env
    const options = await this.senderOptions((real) => ({
      ...real,
      submit: async (envelope) => {
        if (point === 'before_sending') {
          reached()
          return never
        }
        const answer = await real.submit(envelope)
        if (point === 'before_hearing') {
          reached()
          return never
        }
        store.transaction = () => {
          reached()
          return never
        }
        return answer
      },
    }))
    const turn = sendDueRecords(this.ctx(), options)
    // If nothing was due, no failpoint is reached, and the power failure occurs while the queue is idle.
    await Promise.race([stopped, turn])
    await this.restart()
  }

  private async restart(): Promise<void> {
    const { sello } = this
    this.sello = null
    // Hanging work hangs for ever: its transactions are not awaited, as after a crash.
    sello?.env.store.close()
    await this.start()
  }

  private jump(): void {
    this.weather.clockJumps += 1
    // A clock far ahead prevents issuing for as long afterwards, which has its own test.
    this.clockOffMs = this.dice(2) === 0 ? MINUTE * (1 + this.dice(8)) : -HOUR * (1 + this.dice(30))
    this.clockOffSteps = 1 + this.dice(12)
  }

  /** Ends all faults: a correct clock, and sending until nothing waits. */
  async heal(): Promise<void> {
    this.authority.control.clear()
    this.clockOffMs = 0
    for (let turn = 0; turn < 500; turn++) {
      const { nextAt } = await sendDueRecords(this.ctx(), await this.senderOptions())
      if (nextAt === null) return
      this.time = Math.max(this.time + 1, nextAt)
    }
    throw new Error('The queue does not empty.')
  }

  /** Returns the state after healing. */
  async proof(): Promise<Proof> {
    const reader = this.ctx().db
    const rows = await reader
      .selectFrom('registry_records')
      .innerJoin('registry_submissions', 'registry_submissions.record_id', 'registry_records.id')
      .select(['registry_records.id', 'sequence', 'hash', 'kind', 'status', 'answered_at', 'invoice_id'])
      .orderBy('sequence')
      .execute()
    const held = new Map<string, StoredRecord[]>()
    for (const record of this.state.records())
      held.set(record.hash, [...(held.get(record.hash) ?? []), record])
    const hex = (hash: Uint8Array) => Buffer.from(hash).toString('hex').toUpperCase()
    const accepted = rows.filter(({ status }) => status === 'accepted' || status === 'accepted_with_errors')
    const order = this.state.records().map(({ hash }) => hash)
    const firstAt = accepted.map((row) => order.indexOf(hex(row.hash))).filter((index) => index >= 0)
    const late = await reader
      .selectFrom('registry_attempts')
      .innerJoin('registry_batches', 'registry_batches.id', 'registry_attempts.batch_id')
      .innerJoin('registry_submissions', 'registry_submissions.record_id', 'registry_attempts.record_id')
      .select(['registry_attempts.record_id', 'registry_attempts.attempt'])
      .select((eb) => eb.fn.max('registry_submissions.batch_id').as('settling'))
      .where('registry_submissions.status', '=', 'rejected')
      .where('registry_batches.kind', '=', 'submission')
      .whereRef('registry_batches.id', '>', 'registry_submissions.batch_id')
      .groupBy(['registry_attempts.record_id', 'registry_attempts.attempt'])
      .execute()
    const { ok } = await checkBooks(this.env, (book) => this.ctx(book))
    return {
      records: rows.length,
      accepted: accepted.length,
      rejected: rows.filter(({ status }) => status === 'rejected').length,
      duplicates: rows.filter(
        (row) =>
          (held.get(hex(row.hash))?.length ?? 0) > 1 && !this.doubledRecords.has(`rec-${row.sequence}`),
      ).length,
      missing: accepted.filter((row) => !held.has(hex(row.hash))).length,
      outOfOrder: firstAt.filter((position, index) => index > 0 && position < (firstAt[index - 1] ?? 0))
        .length,
      resentAfterRejection: late.length,
      unsettled: rows.length - accepted.length - rows.filter(({ status }) => status === 'rejected').length,
      whole: ok,
      differing: await this.differing(),
    }
  }

  /** Returns invoices whose last accepted record is not the one that the authority holds under their key. */
  private async differing(): Promise<string[]> {
    const rows = await this.ctx()
      .db.selectFrom('registry_records')
      .innerJoin('registry_submissions', 'registry_submissions.record_id', 'registry_records.id')
      .innerJoin('invoices', 'invoices.id', 'registry_records.invoice_id')
      .select(['invoices.number', 'registry_records.kind', 'registry_records.hash'])
      .where('registry_submissions.status', 'in', ['accepted', 'accepted_with_errors'])
      .orderBy('registry_records.sequence')
      .execute()
    const last = new Map(rows.map((row) => [row.number, row]))
    const entries = new Map(this.state.entries().map((entry) => [entry.number, entry]))
    const wrong: string[] = []
    for (const [number, row] of last) {
      const entry = entries.get(number ?? '')
      const hash = Buffer.from(row.hash).toString('hex').toUpperCase()
      const expected = row.kind === 'cancellation' ? 'cancelled' : 'active'
      const heldHash = row.kind === 'cancellation' ? entry?.cancellationHash : entry?.hash
      if (entry?.status !== expected || heldHash !== hash) wrong.push(number ?? '')
    }
    for (const entry of entries.values()) if (!last.has(entry.number)) wrong.push(entry.number)
    return wrong
  }
}
