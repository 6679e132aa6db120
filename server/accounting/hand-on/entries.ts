/** Entries of the journal as they are handed on, page by page, with the accounts of the office. */
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Ctx } from '../../context.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import {
  accountName,
  dayNumber,
  dayText,
  entryIdOf,
  SOURCE_TYPES,
  sourceName,
  sourcesOf,
} from '../ledger/index.ts'
import type { AccountNames, SourceType } from '../ledger/index.ts'
import { hasOwnAccounts } from './accounts/numbers.ts'
import type { Numbers, NumberFault } from './accounts/numbers.ts'
import { issuedDocuments, receivedDocuments } from './documents.ts'
import type { HandOnAccount, HandOnEntry, HandOnFault, HandOnLine, HandOnParty } from './model.ts'

const PAGE = 250
/** Pseudo-months of the journal from 13 on are the regularisation and the closing of a year. */
const CLOSING_SOURCES = [SOURCE_TYPES.regularisation, SOURCE_TYPES.closing]

const WORDS: Readonly<Record<SourceType, string>> = {
  invoice: 'Factura emitida',
  received: 'Factura recibida',
  payment: 'Cobro o pago',
  bank: 'Movimiento bancario',
  reversal: 'Anulación',
  manual: 'Asiento manual',
  opening: 'Asiento de apertura',
  regularisation: 'Regularización',
  closing: 'Asiento de cierre',
  vat_settlement: 'Liquidación de IVA',
  filing: 'Impuestos',
  import: 'Importación',
  depreciation: 'Amortización',
  asset_disposal: 'Baja de un bien',
  vat_adjustment: 'Regularización IVA inversiones',
}

export interface EntryRow {
  id: number
  day: number
  source_type: number
  source_id: number | null
  text: string | null
}

/** An entry with the digest of what the ledger says, to notice later changes. */
export interface ReadEntry {
  entry: HandOnEntry
  digest: Uint8Array
  faults: HandOnFault[]
}

/** Yields the rows of the journal between two days, in order. */
export async function* rowsBetween(
  ctx: Ctx,
  { from, to, closingEntries }: { from: BusinessDate; to: BusinessDate; closingEntries: boolean },
): AsyncGenerator<EntryRow[]> {
  let after = { day: 0, id: 0 }
  for (;;) {
    const rows: EntryRow[] = await ctx.db
      .selectFrom('journal_entries')
      .select(['id', 'day', 'source_type', 'source_id', 'text'])
      .where('book_id', '=', ctx.book.id)
      .where('day', '>=', Math.max(dayNumber(from), after.day))
      .where('day', '<=', dayNumber(to))
      .where((where) =>
        where.or([
          where('day', '>', after.day),
          where.and([where('day', '=', after.day), where('id', '>', after.id)]),
        ]),
      )
      .orderBy('day')
      .orderBy('id')
      .limit(PAGE)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    const chosen = closingEntries
      ? rows
      : rows.filter((row) => !CLOSING_SOURCES.some((type) => type === row.source_type))
    if (chosen.length > 0) yield chosen
    after = { day: last.day, id: last.id }
    // The store of a desk answers at once, so that nothing else would run.
    await nextTurn()
  }
}

const distinct = <Value>(values: readonly Value[]): Value[] => [...new Set(values)]

/** The accounts and contacts that entries name, and the accounts of the office that they have got. */
export class Accounts {
  private readonly parties = new Map<number, HandOnParty>()
  private readonly names = new Map<string, string>()
  private readonly accountIds = new Map<number, { code: string; name: string | null }>()
  private readonly used = new Map<string, HandOnAccount>()

  readonly numbers: Numbers

  /** Names of the plan's accounts in these books. */
  private readonly named: AccountNames

  constructor(numbers: Numbers, named: AccountNames) {
    this.numbers = numbers
    this.named = named
  }

  /** Accounts of the office that entries have named, in order. */
  list(): HandOnAccount[] {
    return [...this.used.values()].toSorted((a, b) =>
      a.account < b.account ? -1 : a.account > b.account ? 1 : 0,
    )
  }

  /** Reads what lines name and is not known yet. */
  async read(ctx: Ctx, lines: readonly { account_id: number; contact_id: number | null }[]): Promise<void> {
    const accountIds = distinct(lines.map((line) => line.account_id)).filter((id) => !this.accountIds.has(id))
    if (accountIds.length > 0)
      for (const { id, code, name } of await ctx.db
        .selectFrom('ledger_accounts')
        .select(['id', 'code', 'name'])
        .where('id', 'in', accountIds)
        .execute())
        this.accountIds.set(id, { code, name })
    const contactIds = distinct(lines.flatMap((line) => line.contact_id ?? [])).filter(
      (id) => !this.parties.has(id),
    )
    if (contactIds.length > 0)
      for (const row of await ctx.db
        .selectFrom('contacts')
        .select([
          'id',
          'public_id',
          'name',
          'nif',
          'nif_written',
          'country',
          'street',
          'postal_code',
          'city',
          'province',
        ])
        .where('id', 'in', contactIds)
        .execute())
        this.parties.set(row.id, {
          id: row.public_id,
          name: row.name,
          nif: row.nif_written ?? row.nif ?? '',
          country: row.country,
          street: row.street ?? '',
          postalCode: row.postal_code ?? '',
          city: row.city ?? '',
          province: row.province ?? '',
        })
  }

  /** Returns a line with the office's account. */
  line(row: { account_id: number; contact_id: number | null; amount_cents: number }): {
    line: HandOnLine
    fault: { code: NumberFault; account: string } | null
  } {
    const { code, name } = this.accountIds.get(row.account_id) ?? { code: '', name: null }
    const party = row.contact_id === null ? null : (this.parties.get(row.contact_id) ?? null)
    const found = this.numbers.accountOf(code, party === null ? null : row.contact_id)
    const general = this.names.get(code) ?? accountName({ code, name }, this.named)
    this.names.set(code, general)
    // Accounts that are not of one contact keep their own name.
    const isOwn = party !== null && hasOwnAccounts(code)
    const line: HandOnLine = {
      code,
      account: found.account,
      name: isOwn ? party.name : general,
      amountCents: row.amount_cents,
      party,
    }
    if ('fault' in found) return { line, fault: { code: found.fault, account: found.account } }
    if (!this.used.has(line.account))
      this.used.set(line.account, {
        account: line.account,
        code,
        name: line.name,
        party: isOwn ? party : null,
      })
    return { line, fault: null }
  }
}

const NUMBER_FAULTS: Readonly<Record<NumberFault, { message: string; fix: string }>> = {
  hand_on_digits_short: {
    message: 'Account {account} has more digits than the accounts of the office.',
    fix: 'Type the account that the office uses for it, or choose more digits.',
  },
  hand_on_typed_digits: {
    message: 'The account typed for this one, {account}, has other digits than the accounts of the office.',
    fix: 'Type it again with the digits that the office uses now.',
  },
  hand_on_numbers_full: {
    message: 'Accounts of group {account} have no number left with the digits of the office.',
    fix: 'Choose more digits, or a lower first number.',
  },
}

function numberFault({ code, account }: { code: NumberFault; account: string }): HandOnFault {
  const { message, fix } = NUMBER_FAULTS[code]
  return {
    code,
    field: account,
    severity: 'error',
    message: message.replace('{account}', account),
    fix,
    params: { account },
    entry: null,
  }
}

/** Returns the digest of what the ledger says of an entry, without rows, which differ on another computer. */
function digestOf(row: EntryRow, lines: readonly HandOnLine[]): Uint8Array {
  const content = [
    row.day,
    row.source_type,
    row.text,
    lines.map(({ code, amountCents, party }) => [code, amountCents, party?.id ?? null]),
  ]
  return createHash('sha256').update(JSON.stringify(content)).digest().subarray(0, 16)
}

/** Returns the sources of entries that others reverse, by row. */
async function reversedSources(ctx: Ctx, rows: readonly number[]): Promise<Map<number, SourceType>> {
  if (rows.length === 0) return new Map()
  const found = await ctx.db
    .selectFrom('journal_entries')
    .select(['id', 'source_type'])
    .where('id', 'in', rows)
    .execute()
  return new Map(found.map(({ id, source_type }) => [id, sourceName(source_type)]))
}

/** Returns the entries of rows of the journal, numbered by `numberOf`. */
export async function readEntries(
  ctx: Ctx,
  rows: readonly EntryRow[],
  accounts: Accounts,
  numberOf: (row: number) => number,
): Promise<ReadEntry[]> {
  if (rows.length === 0) return []
  const lines = await ctx.db
    .selectFrom('journal_lines')
    .select(['entry_id', 'account_id', 'contact_id', 'amount_cents'])
    .where(
      'entry_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('entry_id')
    .orderBy('position')
    .execute()
  await accounts.read(ctx, lines)
  const byEntry = Map.groupBy(lines, (line) => line.entry_id)
  const sources = await sourcesOf(ctx, rows)
  const sourceIds = (type: number) =>
    rows.flatMap((row) => (row.source_type === type && row.source_id !== null ? [row.source_id] : []))
  const issued = await issuedDocuments(ctx, sourceIds(SOURCE_TYPES.invoice))
  const received = await receivedDocuments(ctx, sourceIds(SOURCE_TYPES.received))
  const undone = await reversedSources(ctx, sourceIds(SOURCE_TYPES.reversal))
  return rows.map((row) => {
    const source = sourceName(row.source_type)
    const { label = null, party = null } = sources.get(row.id) ?? {}
    const faults: HandOnFault[] = []
    const own = (byEntry.get(row.id) ?? []).map((each) => {
      const { line, fault } = accounts.line(each)
      if (fault) faults.push(numberFault(fault))
      return line
    })
    const documents = source === 'invoice' ? issued : source === 'received' ? received : null
    return {
      digest: digestOf(row, own),
      faults,
      entry: {
        row: row.id,
        id: entryIdOf(ctx.book, row.id),
        number: numberOf(row.id),
        date: dayText(row.day),
        source,
        undoes: source === 'reversal' && row.source_id !== null ? (undone.get(row.source_id) ?? null) : null,
        text:
          row.text ?? [WORDS[source], label, party].filter((each) => each !== null && each !== '').join(' '),
        label: label ?? '',
        lines: own,
        document: (row.source_id === null ? undefined : documents?.get(row.source_id)) ?? null,
      },
    }
  })
}
