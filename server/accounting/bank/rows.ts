/** Rows of bank movements, their parts, and the conversion of both to API output. */
import type { Selectable } from 'kysely'
import { eurosFromCents } from '../../domain/money.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx } from '../../context.ts'
import { prepare } from '../../db/query.ts'
import type { BankTransactionsTable } from '../../db/schema.ts'
import type { BankPart, BankReason, BankSuggestion, BankTransaction } from './contract.ts'
import type { MovementDetail } from './formats/statement.ts'
import { confidenceOf } from './match/score.ts'
import type { MovementFacts, SuggestedPart, Suggestion } from './match/types.ts'
import { sha256Hex } from '../../domain/sha256.ts'

export type TransactionRow = Selectable<BankTransactionsTable>

const byPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  db
    .selectFrom('bank_transactions')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('public_id', '=', p.publicId),
)

/** Returns a movement of the book. Throws `not_found`. */
export async function findTransaction(ctx: Ctx, publicId: string): Promise<TransactionRow> {
  return orNotFound(await byPublicId.first(ctx.db, { bookId: ctx.book.id, publicId }))
}

/** Returns the operations that the bank combined into one movement. */
export function detailsOf(row: TransactionRow): MovementDetail[] {
  return row.details === null ? [] : (JSON.parse(row.details) as MovementDetail[])
}

/** Returns the facts of a movement that the matching engine uses. */
export function factsOf(row: TransactionRow): MovementFacts {
  return {
    id: row.id,
    accountId: row.account_id,
    date: row.date,
    amountCents: row.amount_cents,
    text: row.text,
    counterparty: row.counterparty,
    counterpartyIban: row.counterparty_iban,
    reference: row.reference,
    concept: row.concept,
    details: detailsOf(row),
  }
}

const EMPTY: Omit<BankPart, 'kind' | 'amount' | 'label'> = {
  invoiceId: null,
  receivedId: null,
  paymentId: null,
  remittanceId: null,
  accountId: null,
  transactionId: null,
  ledgerAccount: null,
  contactId: null,
  text: null,
}

/** Converts a suggested part to API output. */
function suggestedPartView(part: SuggestedPart): BankPart {
  return {
    ...EMPTY,
    kind: part.kind,
    amount: eurosFromCents(part.amountCents),
    label: part.label,
    invoiceId: part.kind === 'invoice' ? (part.document?.id ?? null) : null,
    ...(part.instalment === undefined ? {} : { instalment: part.instalment }),
    receivedId: part.kind === 'received' ? (part.document?.id ?? null) : null,
    ...(part.document?.isHistory ? { history: true } : {}),
    paymentId: part.payment?.id ?? null,
    remittanceId: part.remittance?.id ?? null,
    accountId: part.transfer?.account.id ?? null,
    transactionId: part.transfer?.half?.id ?? null,
    ledgerAccount: part.ledgerAccount ?? null,
    contactId: part.contactId ?? null,
    text: part.text ?? null,
  }
}

export function suggestionView(suggestion: Suggestion): BankSuggestion {
  const parts = suggestion.parts.map(suggestedPartView)
  return {
    id: sha256Hex(JSON.stringify([suggestion.kind, parts])).slice(0, 16),
    kind: suggestion.kind,
    confidence: confidenceOf(suggestion.score),
    score: suggestion.score,
    parts,
    reasons: suggestion.reasons as BankReason[],
    ruleId: suggestion.rule?.id ?? null,
  }
}

/** Returns the parts of movements, by row id. */
async function partsOf(ctx: Ctx, rows: readonly TransactionRow[]): Promise<Map<number, BankPart[]>> {
  const matched = rows.filter((row) => row.status === 'matched').map((row) => row.id)
  const parts = new Map<number, BankPart[]>()
  if (matched.length === 0) return parts
  const stored = await ctx.db
    .selectFrom('bank_parts')
    .leftJoin('invoices', 'invoices.id', 'bank_parts.invoice_id')
    .leftJoin('parties', 'parties.id', 'invoices.party_id')
    .leftJoin('received_invoices', 'received_invoices.id', 'bank_parts.received_id')
    .leftJoin('payments', 'payments.id', 'bank_parts.payment_id')
    .leftJoin('remittances', 'remittances.id', 'bank_parts.remittance_id')
    .leftJoin('bank_accounts as other', 'other.id', 'bank_parts.other_account_id')
    .leftJoin('bank_transactions as half', 'half.id', 'bank_parts.other_transaction_id')
    .leftJoin('contacts', 'contacts.id', 'bank_parts.contact_id')
    .select([
      'bank_parts.transaction_id',
      'bank_parts.kind',
      'bank_parts.amount_cents',
      'bank_parts.ledger_account',
      'bank_parts.text',
      'invoices.public_id as invoice_id',
      'invoices.number as invoice_number',
      'invoices.state as invoice_state',
      'received_invoices.state as received_state',
      'parties.name as customer',
      'received_invoices.public_id as received_id',
      'received_invoices.supplier_number',
      'received_invoices.supplier_name',
      'payments.public_id as payment_id',
      'payments.reference as payment_reference',
      'remittances.public_id as remittance_id',
      'remittances.message_id',
      'other.public_id as other_account',
      'other.name as other_name',
      'half.public_id as other_transaction',
      'contacts.public_id as contact_id',
      'contacts.name as contact_name',
    ])
    .where('bank_parts.transaction_id', 'in', matched)
    .orderBy('bank_parts.transaction_id')
    .orderBy('bank_parts.position')
    .execute()
  for (const part of stored) {
    const label =
      part.kind === 'invoice'
        ? `${part.invoice_number ?? ''} · ${part.customer ?? ''}`
        : part.kind === 'received'
          ? `${part.supplier_number ?? ''} · ${part.supplier_name ?? ''}`
          : (part.other_name ??
            part.message_id ??
            part.text ??
            part.contact_name ??
            part.payment_reference ??
            part.ledger_account ??
            '')
    const view: BankPart = {
      kind: part.kind,
      amount: eurosFromCents(part.amount_cents),
      invoiceId: part.invoice_id,
      receivedId: part.received_id,
      ...(part.invoice_state === 'history' || part.received_state === 'history' ? { history: true } : {}),
      paymentId: part.payment_id,
      remittanceId: part.remittance_id,
      accountId: part.other_account,
      transactionId: part.other_transaction,
      ledgerAccount: part.ledger_account,
      contactId: part.contact_id,
      label,
      text: part.text,
    }
    const list = parts.get(part.transaction_id)
    if (list) list.push(view)
    else parts.set(part.transaction_id, [view])
  }
  return parts
}

const accountNames = prepare((db, p: { bookId: number }) =>
  db.selectFrom('bank_accounts').select(['id', 'public_id']).where('book_id', '=', p.bookId),
)

/** Converts movements to API output. */
export async function transactionViews(
  ctx: Ctx,
  rows: readonly TransactionRow[],
): Promise<BankTransaction[]> {
  const parts = await partsOf(ctx, rows)
  const accounts = new Map(
    (await accountNames.all(ctx.db, { bookId: ctx.book.id })).map((row) => [row.id, row.public_id]),
  )
  const importIds = [...new Set(rows.flatMap((row) => (row.import_id === null ? [] : [row.import_id])))]
  const imports = new Map(
    importIds.length === 0
      ? []
      : (
          await ctx.db
            .selectFrom('bank_imports')
            .select(['id', 'public_id'])
            .where('id', 'in', importIds)
            .execute()
        ).map((row) => [row.id, row.public_id] as const),
  )
  return rows.map((row) => ({
    id: row.public_id,
    accountId: accounts.get(row.account_id) ?? '',
    date: row.date,
    valueDate: row.value_date,
    amount: eurosFromCents(row.amount_cents),
    balance: row.balance_cents === null ? null : eurosFromCents(row.balance_cents),
    text: row.text,
    counterparty: row.counterparty,
    counterpartyIban: row.counterparty_iban,
    reference: row.reference,
    concept: row.concept,
    status: row.status,
    note: row.note,
    importId: row.import_id === null ? null : (imports.get(row.import_id) ?? null),
    automatic: row.status === 'matched' && row.rule_id !== null,
    parts: parts.get(row.id) ?? [],
  }))
}

/** Returns one movement as API output. */
export async function transactionView(ctx: Ctx, publicId: string): Promise<BankTransaction> {
  const [view] = await transactionViews(ctx, [await findTransaction(ctx, publicId)])
  return orNotFound(view)
}
