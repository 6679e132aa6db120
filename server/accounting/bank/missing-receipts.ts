/** Lists what was spent without a receipt, so that it can be asked for (deduction needs it: LIVA art. 97, LIRPF art. 30). */
import { searchText } from '../../domain/text.ts'
import { addDays, daysBetween } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { eurosFromCents } from '../../domain/money.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { openTotals } from '../../purchases/incoming/index.ts'
import type { OpenTotal } from '../../purchases/incoming/index.ts'
import { receptionNumber } from '../../purchases/invoices/index.ts'
import type { MissingReceipt, missingReceiptsContract } from './contract.ts'
import { indexOpenItems, suggest } from './match/engine.ts'
import type { OpenIndex } from './match/engine.ts'
import { nameWords, namesParty, readText } from './match/text.ts'
import { openItems } from './open-items.ts'
import { factsOf } from './rows.ts'
import type { TransactionRow } from './rows.ts'

/** Rows of each kind that are looked at, the newest. */
const MANY = 2_000
const SHOWN = 500
const DAYS = 365

/**
 * Accounts whose entries need a document of a supplier: purchases, external services but the bank's own, assets, and
 * suppliers themselves. Source: RD 1514/2007, part 4.
 */
const NEEDS_RECEIPT = /^(?:60|61|62(?!6)|2[01]|40[07]|41)/
/** Kinds of suggestions that say where the money went without a supplier. */
const EXPLAINED = ['payment', 'remittance', 'transfer', 'invoice', 'combination']
/** Score from which a suggestion explains a movement. */
const LIKELY = 55

/** True if nothing says that a pending movement needs no receipt. */
function isUnexplained(row: TransactionRow, index: OpenIndex): boolean {
  for (const { kind, score, parts, rule } of suggest(factsOf(row), index)) {
    // A rule of a person, or what it learned from one, decides.
    if (score < LIKELY && rule === null && kind !== 'pattern') continue
    if (EXPLAINED.includes(kind)) return false
    const accounts = parts.flatMap(({ ledgerAccount }) => ledgerAccount ?? [])
    if (accounts.length > 0) return accounts.some((account) => NEEDS_RECEIPT.test(account))
  }
  return true
}

async function pendingOut(ctx: Ctx, from: BusinessDate, to: BusinessDate): Promise<TransactionRow[]> {
  const rows = await ctx.db
    .selectFrom('bank_transactions')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('status', '=', 'pending')
    .where('amount_cents', '<', 0)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .orderBy('date', 'desc')
    .orderBy('id', 'desc')
    .limit(MANY)
    .execute()
  if (rows.length === 0) return []
  const index = indexOpenItems(await openItems(ctx, from, to))
  return rows.filter((row) => isUnexplained(row, index))
}

/** Returns the movements that were booked to an account which needs a receipt, without one. */
async function bookedOut(ctx: Ctx, from: BusinessDate, to: BusinessDate): Promise<TransactionRow[]> {
  const rows = await ctx.db
    .selectFrom('bank_transactions')
    .innerJoin('bank_parts', 'bank_parts.transaction_id', 'bank_transactions.id')
    .selectAll('bank_transactions')
    .select('bank_parts.ledger_account as booked_account')
    .where('bank_transactions.book_id', '=', ctx.book.id)
    .where('bank_transactions.status', '=', 'matched')
    .where('bank_transactions.amount_cents', '<', 0)
    .where('bank_parts.kind', '=', 'account')
    .where('bank_parts.amount_cents', '<', 0)
    .where('bank_transactions.date', '>=', from)
    .where('bank_transactions.date', '<=', to)
    .orderBy('bank_transactions.date', 'desc')
    .orderBy('bank_transactions.id', 'desc')
    .limit(MANY)
    .execute()
  const found = new Map<number, TransactionRow>()
  for (const { booked_account: account, ...row } of rows)
    if (account !== null && NEEDS_RECEIPT.test(account)) found.set(row.id, row)
  return [...found.values()]
}

interface KnownSupplier {
  contactId: string
  name: string
  email: string | null
  iban: string | null
  words: string[]
}

async function suppliersOf(ctx: Ctx): Promise<KnownSupplier[]> {
  const rows = await ctx.db
    .selectFrom('contacts')
    .select(['public_id', 'name', 'trade_name', 'email', 'iban'])
    .where('book_id', '=', ctx.book.id)
    .where('is_supplier', '=', 1)
    .where('merged_into', 'is', null)
    .where('blocked_at', 'is', null)
    .limit(MANY * 5)
    .execute()
  return rows.map(({ public_id: contactId, name, email, iban }) => ({
    contactId,
    name,
    email,
    iban,
    words: nameWords(name),
  }))
}

/** Finds the supplier of a movement by its account, or else by the words of its name. */
class Suppliers {
  private readonly byIban = new Map<string, KnownSupplier>()
  private readonly byWord = new Map<string, KnownSupplier[]>()

  constructor(suppliers: readonly KnownSupplier[]) {
    for (const supplier of suppliers) {
      if (supplier.iban !== null) this.byIban.set(supplier.iban, supplier)
      for (const word of supplier.words) this.byWord.set(word, [...(this.byWord.get(word) ?? []), supplier])
    }
  }

  of({ text, counterparty, counterparty_iban: iban, reference }: TransactionRow): MissingReceipt['supplier'] {
    const byIban = iban === null ? undefined : this.byIban.get(iban)
    const read = readText(text, counterparty, reference)
    const near = new Set([...read.words].flatMap((word) => this.byWord.get(word) ?? []))
    const named = [...near].filter(({ words }) => namesParty(read, words) === 'whole')
    const found = byIban ?? (named.length === 1 ? named[0] : undefined)
    if (found) return { name: found.name, contactId: found.contactId, email: found.email }
    return counterparty === null ? null : { name: counterparty, contactId: null, email: null }
  }
}

/** Days before and after its day of issue on which a document that waits is paid. */
const PAID_BEFORE = 15
const PAID_AFTER = 100

function waitingFor(row: TransactionRow, open: readonly OpenTotal[]): MissingReceipt['waiting'] {
  const found = open.find(({ totalCents, issueDate }) => {
    if (totalCents !== -row.amount_cents) return false
    if (issueDate === null) return true
    const days = daysBetween(issueDate, row.date)
    return days >= -PAID_BEFORE && days <= PAID_AFTER
  })
  return found ? { id: found.id, name: found.name } : null
}

/** Received documents that are no proof of an expense by themselves, and have no paper of a supplier. */
const WITHOUT_PAPER = ['receipt', 'self_billed'] as const

async function entriesWithoutPaper(
  ctx: Ctx,
  from: BusinessDate,
  to: BusinessDate,
): Promise<MissingReceipt[]> {
  const rows = await ctx.db
    .selectFrom('received_invoices')
    .leftJoin('contacts', 'contacts.id', 'received_invoices.contact_id')
    .select([
      'received_invoices.public_id',
      'received_invoices.year',
      'received_invoices.sequence',
      'received_invoices.supplier_number',
      'received_invoices.supplier_name',
      'received_invoices.issue_date',
      'received_invoices.total_cents',
      'contacts.public_id as contact_id',
      'contacts.email',
    ])
    .where('received_invoices.book_id', '=', ctx.book.id)
    .where('received_invoices.state', '<>', 'void')
    .where('received_invoices.files', '=', 0)
    .where('received_invoices.kind', 'not in', [...WITHOUT_PAPER])
    .where('received_invoices.issue_date', '>=', from)
    .where('received_invoices.issue_date', '<=', to)
    .orderBy('received_invoices.issue_date', 'desc')
    .orderBy('received_invoices.id', 'desc')
    .limit(MANY)
    .execute()
  return rows.map((row) => ({
    type: 'received',
    id: row.public_id,
    date: row.issue_date,
    amount: eurosFromCents(row.total_cents),
    text: row.supplier_number ?? receptionNumber(row.year, row.sequence),
    supplier: { name: row.supplier_name, contactId: row.contact_id, email: row.email },
    waiting: null,
  }))
}

/** Lists what was spent without a receipt between two days, newest first. */
export const missingReceipts: UseCase<typeof missingReceiptsContract> = async (ctx, input) => {
  const to = input.to ?? ctx.today()
  const from = input.from ?? addDays(to, -DAYS)
  const rows = [...(await pendingOut(ctx, from, to)), ...(await bookedOut(ctx, from, to))]
  const suppliers = new Suppliers(rows.length === 0 ? [] : await suppliersOf(ctx))
  const open = rows.length === 0 ? [] : await openTotals(ctx)
  const movements = rows.map((row): MissingReceipt => ({
    type: 'movement',
    id: row.public_id,
    date: row.date,
    amount: eurosFromCents(-row.amount_cents),
    text: row.text,
    supplier: suppliers.of(row),
    waiting: waitingFor(row, open),
  }))
  const entries = await entriesWithoutPaper(ctx, from, to)
  const items = [...movements, ...entries].toSorted(
    (a, b) =>
      (a.date < b.date ? 1 : a.date > b.date ? -1 : 0) ||
      searchText(a.text).localeCompare(searchText(b.text)),
  )
  const cents = items.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
  return { items: items.slice(0, SHOWN), count: items.length, total: eurosFromCents(cents) }
}
