/** Writes the file of a run while it is sent: one page of entries is in memory at a time. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Ctx, UseCase } from '../../context.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Cents } from '../../domain/money.ts'
import { zipOf } from '../../domain/formats/zip-stream.ts'
import type { ZipEntry } from '../../domain/formats/zip-stream.ts'
import { Numbers } from './accounts/numbers.ts'
import { findNumbers } from './accounts/rows.ts'
import { accountNames } from '../ledger/index.ts'
import type { handOnFileContract } from './contract.ts'
import { Accounts, readEntries } from './entries.ts'
import type { EntryRow, ReadEntry } from './entries.ts'
import { sumsOf } from './formats/a3-invoice.ts'
import { FORMATS } from './formats/index.ts'
import type { Format, HandOnEntry, HandOnFile, HandOnSettings, HandOnWork } from './model.ts'
import { findRun } from './runs.ts'

const PAGE = 250
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const MEDIA: Readonly<Record<string, string>> = {
  xlsx: XLSX,
  csv: 'text/csv; charset=utf-8',
  zip: 'application/zip',
}

interface Handed extends EntryRow {
  number: number
  digest: Uint8Array
}

/** Yields the rows of the journal of a run, in order. Throws `hand_on_changed` when one of them is gone. */
async function* rowsOfRun(ctx: Ctx, runId: number): AsyncGenerator<Handed[]> {
  let after = 0
  for (;;) {
    const rows = await ctx.db
      .selectFrom('hand_on_entries')
      .leftJoin('journal_entries', 'journal_entries.id', 'hand_on_entries.entry_id')
      .select([
        'hand_on_entries.number as handed_number',
        'hand_on_entries.digest',
        'journal_entries.id',
        'journal_entries.day',
        'journal_entries.source_type',
        'journal_entries.source_id',
        'journal_entries.text',
      ])
      .where('hand_on_entries.run_id', '=', runId)
      .where('hand_on_entries.number', '>', after)
      .orderBy('hand_on_entries.number')
      .limit(PAGE)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    yield rows.map(({ handed_number: number, digest, id, day, source_type, source_id, text }) => {
      if (id === null || day === null || source_type === null) throw new AppError('hand_on_changed')
      return { id, day, source_type, source_id, text, number, digest }
    })
    after = last.handed_number
    await nextTurn()
  }
}

/** Checks that the file posts what the ledger has, account by account; anything else is a bug of the format. */
function assertPosted(format: Format, entry: HandOnEntry): Cents {
  const posted = sumsOf(format.posted(entry))
  const booked = sumsOf(entry.lines)
  let balance = 0
  for (const [account, cents] of booked) {
    balance += cents
    if (posted.get(account) !== cents) throw new Error(`Entry ${entry.id} posts otherwise on ${account}.`)
  }
  if (posted.size !== booked.size || balance !== 0) throw new Error(`Entry ${entry.id} posts otherwise.`)
  return entry.lines.reduce((sum, { amountCents }) => sum + Math.max(amountCents, 0), 0)
}

class RunReader {
  private readonly ctx: Ctx
  private readonly run: { id: number; debit_cents: Cents }
  private readonly accounts: Accounts
  private readonly format: Format

  constructor(ctx: Ctx, run: { id: number; debit_cents: Cents }, accounts: Accounts, format: Format) {
    this.ctx = ctx
    this.run = run
    this.accounts = accounts
    this.format = format
  }

  private async read(rows: readonly Handed[]): Promise<ReadEntry[]> {
    const byRow = new Map(rows.map((row) => [row.id, row]))
    const found = await readEntries(this.ctx, rows, this.accounts, (row) => byRow.get(row)?.number ?? 0)
    for (const { entry, digest, faults } of found) {
      const before = byRow.get(entry.row)
      if (faults.length > 0 || !before || Buffer.compare(before.digest, digest) !== 0)
        throw new AppError('hand_on_changed')
    }
    return found
  }

  /** Reads the run once, so that its accounts are known and nothing has changed. */
  async prepare(): Promise<void> {
    for await (const rows of rowsOfRun(this.ctx, this.run.id)) await this.read(rows)
  }

  /** Yields its entries; at the end the sum is that of the run. */
  async *entries(): AsyncGenerator<HandOnEntry[]> {
    let debitCents = 0
    for await (const rows of rowsOfRun(this.ctx, this.run.id)) {
      const page = (await this.read(rows)).map(({ entry }) => entry)
      for (const entry of page) debitCents += assertPosted(this.format, entry)
      yield page
    }
    if (debitCents !== this.run.debit_cents) throw new AppError('hand_on_changed')
  }
}

async function* zipEntries(files: readonly HandOnFile[]): AsyncGenerator<ZipEntry> {
  for (const { name, parts } of files) yield { name, parts }
}

async function* bytesOf({ parts }: HandOnFile): AsyncGenerator<Uint8Array> {
  for await (const part of parts) yield typeof part === 'string' ? Buffer.from(part, 'utf8') : part
}

/** Returns the file of a run. Throws `hand_on_changed` once an entry of it has changed or is gone. */
export const handOnFile: UseCase<typeof handOnFileContract> = async (ctx, { id }) => {
  const run = await findRun(ctx, id)
  const settings = JSON.parse(run.settings) as HandOnSettings
  const format = FORMATS[run.format]
  const accounts = new Accounts(new Numbers(settings, await findNumbers(ctx)), await accountNames(ctx, 'es'))
  const reader = new RunReader(ctx, run, accounts, format)
  await reader.prepare()
  const work: HandOnWork = {
    settings,
    from: run.from_day,
    accounts: accounts.list(),
    writtenAt: new Date(run.created_at),
    entries: () => reader.entries(),
  }
  const files = format.files(work)
  const [only] = files
  const isOne = files.length === 1 && only !== undefined
  const fileName = isOne ? only.name : `${run.format} ${run.from_day} ${run.to_day}.zip`
  return {
    stream: isOne ? bytesOf(only) : zipOf(zipEntries(files), work.writtenAt),
    fileName,
    mediaType: MEDIA[fileName.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
  }
}
