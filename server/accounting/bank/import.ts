/** Imports bank files: read, compare with the stored movements, preview, store in one transaction; and undo an import. */
import { createHash } from 'node:crypto'
import { recordAudit } from '../../platform/audit/index.ts'
import type { ContractInput, ContractOutput } from '../../domain/contract/define-contract.ts'
import { lastIdIn, pageById } from '../../domain/contract/cursor.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { centsToText, eurosFromCents } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import { piecesOfBase64 } from '../../platform/processes/parsers.ts'
import { searchText } from '../../domain/text.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { prepare } from '../../db/query.ts'
import { bankBalance, findAccount, findAccountByIban } from './accounts.ts'
import type { BankAccountRow } from './accounts.ts'
import { applyAutomaticRules, unbookImport } from './automatic.ts'
import type {
  CsvMapping,
  importBankFileContract,
  listBankImportsContract,
  previewBankFileContract,
  undoBankImportContract,
} from './contract.ts'
import { fileWarning, refuseFile } from './formats/statement.ts'
import type { Movement, Statement } from './formats/statement.ts'
import type { ReadBankFile } from './formats/read.ts'

const SAMPLE = 40

type FileInput = ContractInput<typeof previewBankFileContract>

type MovementState = 'new' | 'duplicate' | 'probable'

interface Compared {
  statement: Statement
  account: BankAccountRow | null
  rows: { movement: Movement; state: MovementState; fingerprint: Buffer }[]
}

/**
 * Fingerprints of movements. Two movements of an account are equal when day, amount, balance and text match, and they
 * are the same occurrence among identical ones.
 */
function fingerprintsOf(movements: readonly Movement[]): Buffer[] {
  const seen = new Map<string, number>()
  return movements.map(({ date, amountCents, balanceCents, text, reference }) => {
    const key = JSON.stringify([
      date,
      amountCents,
      balanceCents,
      searchText(text),
      searchText(reference ?? ''),
    ])
    const occurrence = (seen.get(key) ?? 0) + 1
    seen.set(key, occurrence)
    return createHash('sha256').update(`${key}#${occurrence}`).digest().subarray(0, 16)
  })
}

interface KnownRow {
  fingerprint: Uint8Array
  date: string
  amount_cents: Cents
  balance_cents: Cents | null
  search: string
}

const between = prepare((db, p: { accountId: number; from: string; to: string }) =>
  db
    .selectFrom('bank_transactions')
    .select(['fingerprint', 'date', 'amount_cents', 'balance_cents', 'search'])
    .where('account_id', '=', p.accountId)
    .where('date', '>=', p.from)
    .where('date', '<=', p.to),
)

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/**
 * Marks movements that are stored already, exactly or probably. A stored movement without an exact match is a
 * probable one when day and amount match, and the balance or the text as well: another file described it differently.
 */
async function compare(ctx: Ctx, statement: Statement, account: BankAccountRow | null): Promise<Compared> {
  const { movements } = statement
  const fingerprints = fingerprintsOf(movements)
  const dates = movements.map(({ date }) => date).toSorted()
  const [from, to] = [dates[0], dates.at(-1)]
  const known: KnownRow[] =
    account && from !== undefined && to !== undefined
      ? await between.all(ctx.db, { accountId: account.id, from, to })
      : []
  const open = new Map(known.map((row) => [hex(row.fingerprint), row]))
  const states: MovementState[] = movements.map((_, index) => {
    const key = hex(fingerprints[index] ?? Buffer.alloc(0))
    return open.delete(key) ? 'duplicate' : 'new'
  })
  const rest = new Map<string, KnownRow[]>()
  for (const row of open.values()) {
    const key = `${row.date} ${row.amount_cents}`
    const list = rest.get(key)
    if (list) list.push(row)
    else rest.set(key, [row])
  }
  for (const [index, movement] of movements.entries()) {
    if (states[index] !== 'new') continue
    const alike = rest.get(`${movement.date} ${movement.amountCents}`)
    const at = alike?.findIndex(
      (row) =>
        (row.balance_cents !== null && row.balance_cents === movement.balanceCents) ||
        row.search.startsWith(searchText(movement.text)),
    )
    if (alike && at !== undefined && at >= 0) {
      alike.splice(at, 1)
      states[index] = 'probable'
    }
  }
  return {
    statement,
    account,
    rows: movements.map((movement, index) => ({
      movement,
      state: states[index] ?? 'new',
      fingerprint: fingerprints[index] ?? Buffer.alloc(16),
    })),
  }
}

async function read(
  ctx: Ctx,
  input: FileInput,
  lenient: boolean,
): Promise<{ file: ReadBankFile; sha256: Buffer; chosen: BankAccountRow | null }> {
  const chosen = input.accountId === undefined ? null : await findAccount(ctx, input.accountId)
  const sha256 = createHash('sha256')
  const { readBankFileInChildProcess } = await import('./formats/read-apart.ts')
  const remembered = chosen?.csv_mapping ? (JSON.parse(chosen.csv_mapping) as CsvMapping) : null
  const pieces = piecesOfBase64(input.content, (piece) => sha256.update(piece))
  const file = await readBankFileInChildProcess(pieces, { given: input.mapping, remembered }, lenient)
  return { file, sha256: sha256.digest(), chosen }
}

/** Returns the account of a statement: by its IBAN, or the chosen one when the file names none. */
async function accountOf(
  ctx: Ctx,
  statement: Statement,
  chosen: BankAccountRow | null,
  warnings: Fault[],
): Promise<BankAccountRow | null> {
  if (statement.iban === null) return chosen
  const known = await findAccountByIban(ctx, statement.iban)
  if (known) {
    if (chosen && chosen.id !== known.id)
      warnings.push(
        fileWarning('bank_other_account', `The file is of ${known.name}, not of ${chosen.name}.`, {
          name: known.name,
          chosen: chosen.name,
        }),
      )
    return known
  }
  // An account without a stored IBAN accepts the file for which it was chosen.
  return chosen?.iban === null ? chosen : null
}

const lastStatement = prepare((db, p: { accountId: number; before: string }) =>
  db
    .selectFrom('bank_statements')
    .select(['to_date', 'closing_cents'])
    .where('account_id', '=', p.accountId)
    .where('to_date', '<', p.before)
    .where('closing_cents', 'is not', null)
    .orderBy('to_date', 'desc')
    .orderBy('id', 'desc')
    .limit(1),
)

/** Warns when the balance jumps between two files, which means that days are missing. */
async function gapWarning(ctx: Ctx, { statement, account, rows }: Compared): Promise<Fault | null> {
  const { openingCents, from } = statement
  if (!account || openingCents === null || from === null || rows.some(({ state }) => state !== 'new'))
    return null
  const before = await lastStatement.first(ctx.db, { accountId: account.id, before: from })
  if (before && before.closing_cents !== null) {
    if (before.closing_cents === openingCents) return null
    return fileWarning(
      'bank_gap',
      `${account.name} had ${centsToText(before.closing_cents)} on ${before.to_date ?? ''} and begins now with ${centsToText(openingCents)}: movements between are missing.`,
      {
        name: account.name,
        date: before.to_date ?? '',
        before: centsToText(before.closing_cents),
        now: centsToText(openingCents),
      },
    )
  }
  const { cents, count } = await bankBalance(ctx, account, from)
  if (count > 0 || cents === openingCents || account.opening_date > from) return null
  return fileWarning(
    'bank_opening_differs',
    `${account.name} begins with ${centsToText(openingCents)} in the file and with ${centsToText(cents)} in Sello.`,
    { name: account.name, before: centsToText(cents), now: centsToText(openingCents), date: from },
  )
}

function sumOf(rows: Compared['rows'], sign: 1 | -1): Cents {
  let sum = 0
  for (const { movement, state } of rows)
    if (state === 'new' && Math.sign(movement.amountCents) === sign) sum += Math.abs(movement.amountCents)
  return sum
}

const countOf = (rows: Compared['rows'], state: MovementState): number =>
  rows.filter((row) => row.state === state).length

const eurosOrNull = (cents: Cents | null): number | null => (cents === null ? null : eurosFromCents(cents))

/** Reads a file and returns which movements would be new, without storing anything. */
export const previewBankFile: UseCase<typeof previewBankFileContract> = async (ctx, input) => {
  const { file, sha256, chosen } = await read(ctx, input, true)
  const warnings = [...file.warnings]
  const statements: ContractOutput<typeof previewBankFileContract>['statements'] = []
  for (const statement of file.statements) {
    const account = await accountOf(ctx, statement, chosen, warnings)
    const compared = await compare(ctx, statement, account)
    const gap = await gapWarning(ctx, compared)
    if (gap) warnings.push(gap)
    statements.push({
      accountId: account?.public_id ?? null,
      accountName: account?.name ?? null,
      iban: statement.iban,
      from: statement.from,
      to: statement.to,
      opening: eurosOrNull(statement.openingCents),
      closing: eurosOrNull(statement.closingCents),
      rows: compared.rows.length,
      duplicates: countOf(compared.rows, 'duplicate'),
      probable: countOf(compared.rows, 'probable'),
      moneyIn: eurosFromCents(sumOf(compared.rows, 1)),
      moneyOut: eurosFromCents(sumOf(compared.rows, -1)),
      sample: compared.rows.slice(0, SAMPLE).map(({ movement, state }) => ({
        line: movement.line,
        date: movement.date,
        text: movement.text,
        amount: eurosFromCents(movement.amountCents),
        balance: eurosOrNull(movement.balanceCents),
        state,
      })),
    })
  }
  return {
    format: file.format,
    encoding: file.encoding,
    sha256: sha256.toString('hex'),
    statements,
    warnings,
    csv: file.csv,
  }
}

interface MovementValues {
  bookId: number
  publicId: string
  accountId: number
  importId: number
  date: string
  valueDate: string | null
  amountCents: Cents
  balanceCents: Cents | null
  text: string
  counterparty: string | null
  counterpartyIban: string | null
  reference: string | null
  concept: string | null
  details: string | null
  fingerprint: Uint8Array
  search: string
  at: number
}

const insertMovement = prepare((db, p: MovementValues) =>
  db.insertInto('bank_transactions').values({
    book_id: p.bookId,
    public_id: p.publicId,
    account_id: p.accountId,
    import_id: p.importId,
    date: p.date,
    value_date: p.valueDate,
    amount_cents: p.amountCents,
    balance_cents: p.balanceCents,
    text: p.text,
    counterparty: p.counterparty,
    counterparty_iban: p.counterpartyIban,
    reference: p.reference,
    concept: p.concept,
    details: p.details,
    fingerprint: p.fingerprint,
    search: p.search,
    created_at: p.at,
  }),
)

/** Returns the searchable text of a movement. */
function searchOf(movement: Movement): string {
  return searchText(
    [
      movement.text,
      movement.counterparty,
      movement.counterpartyIban,
      movement.reference,
      centsToText(movement.amountCents),
    ]
      .filter(Boolean)
      .join(' '),
  )
}

async function keep(tx: Ctx, importId: number, compared: Compared, keepProbable: boolean): Promise<number> {
  const { account, statement, rows } = compared
  if (!account) return 0
  const at = tx.now().getTime()
  let kept = 0
  for (const { movement, state, fingerprint } of rows) {
    if (state === 'duplicate' || (state === 'probable' && !keepProbable)) continue
    await insertMovement.run(tx.db, {
      bookId: tx.book.id,
      publicId: tx.newId('btx'),
      accountId: account.id,
      importId,
      date: movement.date,
      valueDate: movement.valueDate,
      amountCents: movement.amountCents,
      balanceCents: movement.balanceCents,
      text: movement.text,
      counterparty: movement.counterparty,
      counterpartyIban: movement.counterpartyIban,
      reference: movement.reference,
      concept: movement.concept,
      details: movement.details.length === 0 ? null : JSON.stringify(movement.details),
      fingerprint,
      search: searchOf(movement),
      at,
    })
    kept++
  }
  await tx.db
    .insertInto('bank_statements')
    .values({
      import_id: importId,
      account_id: account.id,
      from_date: statement.from,
      to_date: statement.to,
      opening_cents: statement.openingCents,
      closing_cents: statement.closingCents,
    })
    .execute()
  if (account.iban === null && statement.iban !== null)
    await tx.db
      .updateTable('bank_accounts')
      .set({ iban: statement.iban })
      .where('id', '=', account.id)
      .execute()
  return kept
}

/**
 * Stores the new movements of a file and books those that automatic rules match. Throws when no statement belongs to
 * an account of the book.
 */
export const importBankFile: UseCase<typeof importBankFileContract> = async (ctx, input) => {
  const { file, sha256 } = await read(ctx, input, false)
  return ctx.transaction(async (tx) => {
    // Checked again: while the file was read, another request may have set the account's IBAN or removed the account.
    const chosen = input.accountId === undefined ? null : await findAccount(tx, input.accountId)
    const warnings = [...file.warnings]
    const all: Compared[] = []
    for (const statement of file.statements) {
      const account = await accountOf(tx, statement, chosen, warnings)
      if (!account) {
        warnings.push(
          fileWarning(
            'bank_account_unknown',
            `No account has the IBAN ${statement.iban ?? '?'}: it was left out.`,
            {
              iban: statement.iban ?? '?',
            },
          ),
        )
        continue
      }
      const compared = await compare(tx, statement, account)
      const gap = await gapWarning(tx, compared)
      if (gap) warnings.push(gap)
      all.push(compared)
    }
    if (all.length === 0)
      refuseFile(
        'bank_account_unknown',
        'None of your accounts is the one of this file.',
        { iban: file.statements[0]?.iban ?? '?' },
        'Add the account with this IBAN, or choose one.',
      )
    const rows = all.flatMap((compared) => compared.rows)
    const duplicates = countOf(rows, 'duplicate')
    const probable = countOf(rows, 'probable')
    const keepProbable = input.keepProbable ?? false
    const accounts = [...new Set(all.map(({ account }) => account?.public_id ?? ''))]
    const toKeep = rows.length - duplicates - (keepProbable ? 0 : probable)
    if (file.csv && chosen)
      await tx.db
        .updateTable('bank_accounts')
        .set({ csv_mapping: JSON.stringify(file.csv.mapping) })
        .where('id', '=', chosen.id)
        .execute()
    if (toKeep === 0)
      return { importId: null, imported: 0, duplicates, probable, booked: 0, accounts, warnings }
    const publicId = tx.newId('imp')
    const { id: importId } = await tx.db
      .insertInto('bank_imports')
      .values({
        book_id: tx.book.id,
        public_id: publicId,
        file_name: input.fileName,
        format: file.format,
        sha256,
        movements: toKeep,
        duplicates: rows.length - toKeep,
        imported_at: tx.now().getTime(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    let imported = 0
    for (const compared of all) imported += await keep(tx, importId, compared, keepProbable)
    const { length: booked } = await applyAutomaticRules(tx, { importId })
    await recordAudit(tx, {
      action: 'bank_import.taken',
      target: { type: 'bank_import', id: publicId, label: `${input.fileName} (${imported})` },
    })
    for (const accountId of accounts) await emitEvent(tx, 'bank.changed', { accountId })
    return { importId: publicId, imported, duplicates, probable, booked, accounts, warnings }
  })
}

/** Lists the imported files, newest first. */
export const listBankImports: UseCase<typeof listBankImportsContract> = async (
  ctx,
  { limit = 25, cursor },
) => {
  let query = ctx.db.selectFrom('bank_imports').selectAll().where('book_id', '=', ctx.book.id)
  if (cursor !== undefined) query = query.where('id', '<', lastIdIn(cursor, 'bank imports', {}))
  const found = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { shown: imports, nextCursor } = pageById(found, limit, 'bank imports', {})
  const items: ContractOutput<typeof listBankImportsContract>['items'] = []
  for (const row of imports) {
    const { matched, booked } = await ctx.db
      .selectFrom('bank_transactions')
      .select((eb) => [
        eb.fn.countAll<number>().as('matched'),
        // `count` ignores nulls, which are the movements booked by a person.
        eb.fn.count<number>('rule_id').as('booked'),
      ])
      .where('import_id', '=', row.id)
      .where('status', '=', 'matched')
      .executeTakeFirstOrThrow()
    const statements = await ctx.db
      .selectFrom('bank_statements')
      .innerJoin('bank_accounts', 'bank_accounts.id', 'bank_statements.account_id')
      .select(['bank_accounts.name', 'from_date', 'to_date'])
      .where('import_id', '=', row.id)
      .orderBy('bank_statements.id')
      .execute()
    const days = statements
      .flatMap(({ from_date, to_date }) => [from_date, to_date])
      .filter((day) => day !== null)
    items.push({
      id: row.public_id,
      fileName: row.file_name,
      format: row.format,
      importedAt: new Date(row.imported_at).toISOString(),
      movements: row.movements,
      duplicates: row.duplicates,
      matched,
      booked,
      from: days.toSorted()[0] ?? null,
      to: days.toSorted().at(-1) ?? null,
      accounts: [...new Set(statements.map(({ name }) => name))],
    })
  }
  return { items, nextCursor }
}

/** Undoes the import of a file and what rules booked of it, unless a person has booked one of its movements. */
export const undoBankImport: UseCase<typeof undoBankImportContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const row = orNotFound(
      await tx.db
        .selectFrom('bank_imports')
        .selectAll()
        .where('book_id', '=', tx.book.id)
        .where('public_id', '=', id)
        .executeTakeFirst(),
    )
    await unbookImport(tx, row.id)
    const { matched } = await tx.db
      .selectFrom('bank_transactions')
      .select((eb) => eb.fn.countAll<number>().as('matched'))
      .where('import_id', '=', row.id)
      .where('status', '=', 'matched')
      .executeTakeFirstOrThrow()
    if (matched > 0) throw new AppError('bank_import_matched', { details: { matched } })
    const removed = await tx.db
      .deleteFrom('bank_transactions')
      .where('import_id', '=', row.id)
      .executeTakeFirst()
    await tx.db.deleteFrom('bank_statements').where('import_id', '=', row.id).execute()
    await tx.db.deleteFrom('bank_imports').where('id', '=', row.id).execute()
    await recordAudit(tx, {
      action: 'bank_import.undone',
      target: { type: 'bank_import', id, label: row.file_name },
    })
    await emitEvent(tx, 'bank.changed', { importId: id })
    return { removed: Number(removed.numDeletedRows) }
  })
