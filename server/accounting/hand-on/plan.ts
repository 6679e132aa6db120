/** What a file would contain: the entries that are new or have changed, their accounts, and what the format cannot hold. */
import type { Ctx } from '../../context.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { quarterPeriod } from '../../domain/dates.ts'
import { validationFailed } from '../../domain/errors/app-error.ts'
import { accountNames, dayNumber, dayText } from '../ledger/index.ts'
import { Numbers } from './accounts/numbers.ts'
import type { StoredNumber } from './accounts/numbers.ts'
import { findNumbers } from './accounts/rows.ts'
import { Accounts, readEntries, rowsBetween } from './entries.ts'
import { entryFault } from './formats/faults.ts'
import { FORMATS } from './formats/index.ts'
import { isReplaced } from './formats/text.ts'
import type { HandOnAccount, HandOnEntry, HandOnFault, HandOnSettings } from './model.ts'

interface PeriodInput {
  from?: BusinessDate | undefined
  to?: BusinessDate | undefined
  year?: number | undefined
  quarter?: number | undefined
}

/** Returns the days asked for: two days, a year, or a quarter of a year. */
export function daysOf({ from, to, year, quarter }: PeriodInput): { from: BusinessDate; to: BusinessDate } {
  const fault = (code: string, field: string, message: string, fix: string) =>
    validationFailed([{ code, field, severity: 'error', message, fix }])
  if (year !== undefined) {
    if (from !== undefined || to !== undefined)
      throw fault('hand_on_two_periods', 'from', 'Both days and a year are given.', 'Send one of them.')
    return quarter === undefined
      ? { from: `${year}-01-01`, to: `${year}-12-31` }
      : quarterPeriod(year, quarter)
  }
  if (from === undefined || to === undefined)
    throw fault('hand_on_no_period', 'from', 'No days are given.', 'Send from and to, or a year.')
  if (to < from)
    throw fault('dates_reversed', 'to', 'The last day is before the first one.', 'Check both days.')
  return { from, to }
}

/** An entry of the file, as it is remembered. */
export interface PlannedEntry {
  row: number
  number: number
  day: number
  label: string
  debitCents: number
  digest: Uint8Array
}

/** A handed-on entry that is no longer as it was. */
interface DifferentEntry {
  /** Its number in the file that it was in. */
  number: number
  date: BusinessDate
  label: string
  handedAt: number
  what: 'changed' | 'undone'
}

interface Plan {
  entries: PlannedEntry[]
  lines: number
  debitCents: number
  /** Handed on before, and the same since. */
  known: number
  accounts: HandOnAccount[]
  /** Accounts of contacts that get their number with this file. */
  added: Numbers['added']
  faults: HandOnFault[]
  faultCount: number
  different: DifferentEntry[]
  /** What the accounts were read from, to notice that somebody else gave numbers meanwhile. */
  stored: StoredNumber[]
}

const MOST_FAULTS = 200
/** Faults of the whole file, which any number of entries may cause, are told once. */
const key = (fault: HandOnFault): string => `${fault.code}/${fault.field}/${fault.entry?.id ?? ''}`

class Faults {
  readonly list: HandOnFault[] = []
  count = 0
  private readonly seen = new Set<string>()

  add(fault: HandOnFault): void {
    if (this.seen.has(key(fault))) return
    this.seen.add(key(fault))
    this.count += 1
    // Errors are never cut off.
    if (this.list.length < MOST_FAULTS || fault.severity === 'error') this.list.push(fault)
  }
}

const general = (
  code: string,
  message: string,
  fix: string,
  params: HandOnFault['params'] = {},
): HandOnFault => ({
  code,
  field: '',
  severity: 'warning',
  message,
  fix,
  params,
  entry: null,
})

/** Returns when and how entries were handed on last. */
async function handedOf(ctx: Ctx, rows: readonly number[]) {
  const found = await ctx.db
    .selectFrom('hand_on_entries')
    .innerJoin('hand_on_runs', 'hand_on_runs.id', 'hand_on_entries.run_id')
    .select([
      'hand_on_entries.entry_id',
      'hand_on_entries.number',
      'hand_on_entries.day',
      'hand_on_entries.label',
      'hand_on_entries.digest',
      'hand_on_runs.created_at',
    ])
    .where('hand_on_entries.entry_id', 'in', rows)
    .orderBy('hand_on_entries.run_id')
    .execute()
  return new Map(found.map((row) => [row.entry_id, row]))
}

/** Returns handed-on entries of the days that the journal no longer has, and that no later file has told. */
async function undone(
  ctx: Ctx,
  { from, to }: { from: BusinessDate; to: BusinessDate },
): Promise<DifferentEntry[]> {
  const rows = await ctx.db
    .selectFrom('hand_on_entries')
    .innerJoin('hand_on_runs', 'hand_on_runs.id', 'hand_on_entries.run_id')
    .select([
      'hand_on_entries.number',
      'hand_on_entries.day',
      'hand_on_entries.label',
      'hand_on_runs.created_at',
    ])
    .where('hand_on_runs.book_id', '=', ctx.book.id)
    .where('hand_on_entries.entry_id', 'is', null)
    .where('hand_on_entries.told_at', 'is', null)
    .where('hand_on_entries.day', '>=', dayNumber(from))
    .where('hand_on_entries.day', '<=', dayNumber(to))
    .orderBy('hand_on_entries.run_id')
    .orderBy('hand_on_entries.number')
    .execute()
  return rows.map((row) => ({
    number: row.number,
    date: dayText(row.day),
    label: row.label,
    handedAt: row.created_at,
    what: 'undone',
  }))
}

/** Returns the number after the last one that was handed on in the year of a day, or 1. */
async function nextNumber(ctx: Ctx, from: BusinessDate): Promise<number> {
  const year = Number(from.slice(0, 4)) * 10_000
  const row = await ctx.db
    .selectFrom('hand_on_entries')
    .innerJoin('hand_on_runs', 'hand_on_runs.id', 'hand_on_entries.run_id')
    .select(({ fn }) => fn.max('hand_on_entries.number').as('highest'))
    .where('hand_on_runs.book_id', '=', ctx.book.id)
    .where('hand_on_entries.day', '>=', year)
    .where('hand_on_entries.day', '<', year + 10_000)
    .executeTakeFirst()
  return Number(row?.highest ?? 0) + 1
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0
}

/** What a file shows of an entry in words. */
const shownLines = (entry: HandOnEntry): string[] => [
  entry.text,
  entry.label,
  ...entry.lines.map(({ name }) => name),
  entry.document?.party.name ?? '',
]

/** Reads the journal and returns what a file of these days would contain. Writes nothing. */
export async function planOf(
  ctx: Ctx,
  settings: HandOnSettings,
  chosen: { from: BusinessDate; to: BusinessDate; all: boolean; firstNumber?: number | undefined },
): Promise<Plan> {
  const format = FORMATS[settings.format]
  const stored = await findNumbers(ctx)
  const numbers = new Numbers(settings, stored)
  const named = await accountNames(ctx, 'es')
  const accounts = new Accounts(numbers, named)
  const faults = new Faults()
  const plan: Omit<Plan, 'accounts' | 'added' | 'faults' | 'faultCount' | 'stored'> = {
    entries: [],
    lines: 0,
    debitCents: 0,
    known: 0,
    different: await undone(ctx, chosen),
  }
  let number = chosen.firstNumber ?? (await nextNumber(ctx, chosen.from))
  // Entries that were handed on are read by themselves, so that they give no number.
  const known = new Accounts(new Numbers(settings, stored), named)
  let replaced = 0
  let example = ''
  for await (const rows of rowsBetween(ctx, { ...chosen, closingEntries: settings.closingEntries })) {
    const handed = await handedOf(
      ctx,
      rows.map(({ id }) => id),
    )
    const before = await readEntries(
      ctx,
      rows.filter(({ id }) => handed.has(id)),
      known,
      () => 0,
    )
    const same = new Set<number>()
    for (const { entry, digest } of before) {
      const last = handed.get(entry.row)
      if (!last) continue
      if (isEqual(last.digest, digest)) same.add(entry.row)
      else
        plan.different.push({
          number: last.number,
          date: dayText(last.day),
          label: last.label,
          handedAt: last.created_at,
          what: 'changed',
        })
    }
    plan.known += same.size
    const wanted = chosen.all ? rows : rows.filter(({ id }) => !same.has(id))
    for (const { entry, digest, faults: own } of await readEntries(ctx, wanted, accounts, () => number++)) {
      const debitCents = entry.lines.reduce((sum, { amountCents }) => sum + Math.max(amountCents, 0), 0)
      plan.entries.push({
        row: entry.row,
        number: entry.number,
        day: dayNumber(entry.date),
        label: (entry.label === '' ? entry.text : entry.label).slice(0, 200),
        debitCents,
        digest,
      })
      plan.lines += entry.lines.length
      plan.debitCents += debitCents
      for (const fault of own) faults.add(fault)
      if (own.length === 0) for (const fault of format.check(entry, settings)) faults.add(fault)
      if ((entry.undoes === 'invoice' || entry.undoes === 'received') && format.id !== 'csv')
        faults.add(entryFault('hand_on_reversed', entry))
      for (const text of shownLines(entry))
        if (isReplaced(text, settings.encoding)) {
          replaced += 1
          example ||= text
        }
    }
  }
  if (replaced > 0)
    faults.add(
      general(
        'hand_on_characters',
        `Windows-1252 lacks characters of ${replaced} texts, which were replaced: ${example}.`,
        'Check the names in the other program.',
        { count: replaced, example },
      ),
    )
  if (!settings.confirmed && settings.format !== 'csv')
    faults.add(
      general(
        'hand_on_unconfirmed',
        'The office has not confirmed its digits, codes and lengths yet.',
        'Ask the office, and mark the settings as confirmed.',
      ),
    )
  return {
    ...plan,
    accounts: accounts.list(),
    added: numbers.added,
    faults: faults.list,
    faultCount: faults.count,
    stored,
  }
}
