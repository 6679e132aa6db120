/**
 * Matches a movement to documents, payments, transfers and accounts, and undoes the match. The payments and entries
 * are created and removed with it, all or nothing. The parts of a match add up to the movement; the database enforces
 * it too.
 */
import { recordAudit } from '../../platform/audit/index.ts'
import { findContact } from '../../catalog/contacts/index.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import { centsFromEuros, centsToText, eurosFromCents } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { resolveInvoice } from '../../sales/invoices/index.ts'
import { assertOpenPeriod, postEntry, removeEntry } from '../ledger/index.ts'
import { recordPayment, removePayment } from '../payments/index.ts'
import { resolveReceived } from '../../purchases/invoices/index.ts'
import { prepare } from '../../db/query.ts'
import type {
  ignoreBankTransactionContract,
  matchBankTransactionContract,
  PartInput,
  unmatchBankTransactionContract,
} from './contract.ts'
import { findAccount } from './accounts.ts'
import type { BankAccountRow } from './accounts.ts'
import { readText } from './match/text.ts'
import {
  linkPayment,
  linkRemittance,
  openPayment,
  openRemittance,
  settlePrepared,
  undoSettlement,
} from './ports.ts'
import { findTransaction, transactionView } from './rows.ts'
import type { TransactionRow } from './rows.ts'
import { learnRule, releaseRule } from './rules.ts'

/** A part of a match with its row ids. */
interface StoredPart {
  kind: PartInput['kind']
  amountCents: Cents
  invoiceId?: number
  instalment?: number | undefined
  receivedId?: number
  paymentId?: number
  remittanceId?: number
  otherAccountId?: number
  otherTransactionId?: number | null
  booksEntry?: boolean
  joined?: boolean
  settled?: boolean
  ledgerAccount?: string
  contactId?: number | null
  text?: string | null
}

interface EntryLine {
  account: string
  amountCents: Cents
  contactId?: number | null
}

const accountByRow = prepare((db, p: { id: number }) =>
  db.selectFrom('bank_accounts').selectAll().where('id', '=', p.id),
)

const insertPart = prepare((db, p: { transactionId: number; position: number } & Required<Columns>) =>
  db.insertInto('bank_parts').values({
    transaction_id: p.transactionId,
    position: p.position,
    kind: p.kind,
    amount_cents: p.amountCents,
    invoice_id: p.invoiceId,
    received_id: p.receivedId,
    payment_id: p.paymentId,
    remittance_id: p.remittanceId,
    other_account_id: p.otherAccountId,
    other_transaction_id: p.otherTransactionId,
    books_entry: p.booksEntry,
    joined: p.joined,
    settled: p.settled,
    ledger_account: p.ledgerAccount,
    contact_id: p.contactId,
    text: p.text,
  }),
)
interface Columns {
  kind: PartInput['kind']
  amountCents: Cents
  invoiceId: number | null
  receivedId: number | null
  paymentId: number | null
  remittanceId: number | null
  otherAccountId: number | null
  otherTransactionId: number | null
  booksEntry: number
  joined: number
  settled: number
  ledgerAccount: string | null
  contactId: number | null
  text: string | null
}

const setStatus = prepare(
  (
    db,
    p: {
      id: number
      status: TransactionRow['status']
      ruleId: number | null
      learnedRuleId: number | null
      note: string | null
    },
  ) =>
    db
      .updateTable('bank_transactions')
      .set({ status: p.status, rule_id: p.ruleId, learned_rule_id: p.learnedRuleId, note: p.note })
      .where('id', '=', p.id),
)

async function storePart(tx: Ctx, transactionId: number, position: number, part: StoredPart): Promise<void> {
  await insertPart.run(tx.db, {
    transactionId,
    position,
    kind: part.kind,
    amountCents: part.amountCents,
    invoiceId: part.invoiceId ?? null,
    receivedId: part.receivedId ?? null,
    paymentId: part.paymentId ?? null,
    remittanceId: part.remittanceId ?? null,
    otherAccountId: part.otherAccountId ?? null,
    otherTransactionId: part.otherTransactionId ?? null,
    booksEntry: part.booksEntry ? 1 : 0,
    joined: part.joined ? 1 : 0,
    settled: part.settled ? 1 : 0,
    ledgerAccount: part.ledgerAccount ?? null,
    contactId: part.contactId ?? null,
    text: part.text ?? null,
  })
}

function refuse(
  code: string,
  field: string,
  message: string,
  params: Record<string, string | number> = {},
): never {
  throw validationFailed([{ code, field, severity: 'error', message, params }])
}

const centsOf = (euros: number): Cents => centsFromEuros(euros) ?? 0

/** Infers the payment method from the text of the bank. */
function methodOf(row: TransactionRow): 'bizum' | 'card' | 'cheque' | 'direct_debit' | 'transfer' {
  const { folded } = readText(row.text, row.reference)
  if (/\bbizum\b/.test(folded)) return 'bizum'
  if (/\b(tarjeta|tpv|visa|mastercard)\b/.test(folded) || row.concept === '12') return 'card'
  if (/\b(cheque|talon|pagare)\b/.test(folded)) return 'cheque'
  if (/\b(adeudo|recibo|domiciliad\w*|sepa dd)\b/.test(folded) && row.amount_cents < 0) return 'direct_debit'
  return 'transfer'
}

/** Collects what the parts need: rows, amounts, and the ledger lines that this movement books itself. */
class Matching {
  readonly parts: StoredPart[] = []
  readonly lines: EntryLine[] = []
  readonly tx: Ctx
  readonly row: TransactionRow
  readonly account: BankAccountRow
  private halves: (() => Promise<void>)[] = []

  constructor(tx: Ctx, row: TransactionRow, account: BankAccountRow) {
    this.tx = tx
    this.row = row
    this.account = account
  }

  async take(inputs: readonly PartInput[]): Promise<void> {
    for (const [index, input] of inputs.entries()) await this.takeOne(input, `parts[${index}]`)
    const transfers = this.parts.filter((part) => part.kind === 'transfer')
    if (transfers.length > 1)
      refuse('one_transfer', 'parts', 'A movement is one transfer at most; the rest goes to other accounts.')
    const known = this.parts.reduce((sum, part) => sum + part.amountCents, 0)
    const transfer = transfers[0]
    // The transfer takes what the other parts leave.
    if (transfer && transfer.amountCents === 0) transfer.amountCents = this.row.amount_cents - known
    const sum = this.parts.reduce((total, part) => total + part.amountCents, 0)
    if (sum !== this.row.amount_cents || this.parts.some((part) => part.amountCents === 0))
      refuse('parts_do_not_add_up', 'parts', 'The parts do not add up to the movement.', {
        amount: centsToText(this.row.amount_cents),
        sum: centsToText(sum),
        missing: centsToText(this.row.amount_cents - sum),
      })
  }

  private async takeOne(input: PartInput, field: string): Promise<void> {
    const { tx, parts } = this
    switch (input.kind) {
      case 'invoice': {
        const invoice = await resolveInvoice(tx, input.invoiceId)
        parts.push({
          kind: 'invoice',
          amountCents: centsOf(input.amount),
          invoiceId: invoice.id,
          instalment: input.instalment,
          contactId: invoice.contact_id,
        })
        return
      }
      case 'received': {
        const received = await resolveReceived(tx, input.receivedId)
        parts.push({
          kind: 'received',
          amountCents: centsOf(input.amount),
          receivedId: received.id,
          contactId: received.contact_id,
        })
        return
      }
      case 'payment': {
        const payment = await openPayment(tx, input.paymentId)
        if (payment.bankTransactionId !== null)
          refuse('payment_on_bank', `${field}.paymentId`, 'Another movement is that payment already.')
        parts.push({ kind: 'payment', amountCents: payment.effectCents, paymentId: payment.rowId })
        this.move(payment.account, payment.effectCents)
        return
      }
      case 'remittance': {
        const remittance = await openRemittance(tx, input.remittanceId)
        if (remittance.onBank)
          refuse('remittance_on_bank', `${field}.remittanceId`, 'Another movement is that file already.')
        const settled = await settlePrepared(tx, remittance, this.row.date)
        await linkRemittance(tx, remittance.rowId, this.row.id)
        parts.push({
          kind: 'remittance',
          amountCents: remittance.effectCents,
          remittanceId: remittance.rowId,
          settled,
        })
        this.move(remittance.account, remittance.effectCents)
        return
      }
      case 'transfer':
        return this.takeTransfer(input, field)
      case 'account': {
        if (input.ledgerAccount === this.account.ledger_account)
          refuse('own_ledger_account', `${field}.ledgerAccount`, 'That is the account of this bank itself.')
        const contact =
          input.contactId === undefined ? null : orNotFound(await findContact(tx, input.contactId))
        const amountCents = centsOf(input.amount)
        parts.push({
          kind: 'account',
          amountCents,
          ledgerAccount: input.ledgerAccount,
          contactId: contact?.id ?? null,
          text: input.text ?? null,
        })
        this.lines.push(
          { account: this.account.ledger_account, amountCents },
          { account: input.ledgerAccount, amountCents: -amountCents, contactId: contact?.id ?? null },
        )
        return
      }
    }
  }

  /** Moves money recorded in another account to the ledger account of this bank. */
  private move(from: string, amountCents: Cents): void {
    if (from === this.account.ledger_account) return
    this.lines.push(
      { account: this.account.ledger_account, amountCents },
      { account: from, amountCents: -amountCents },
    )
  }

  private async takeTransfer(input: Extract<PartInput, { kind: 'transfer' }>, field: string): Promise<void> {
    const { tx, row } = this
    const other = await findAccount(tx, input.accountId)
    if (other.id === this.account.id)
      refuse('transfer_to_itself', `${field}.accountId`, 'A transfer goes to another account.')
    const half = input.transactionId === undefined ? null : await findTransaction(tx, input.transactionId)
    if (half && (half.account_id !== other.id || half.amount_cents !== -row.amount_cents))
      refuse(
        'transfer_differs',
        `${field}.transactionId`,
        'The other movement is not this amount on that account.',
      )
    const waiting = half?.status === 'matched' ? await this.waitingPart(half) : null
    if (half && half.status !== 'pending' && !waiting)
      throw new AppError('bank_already_matched', { field: `${field}.transactionId` })
    const booksEntry = waiting === null
    const part: StoredPart = {
      kind: 'transfer',
      amountCents: half ? row.amount_cents : 0,
      otherAccountId: other.id,
      otherTransactionId: half?.id ?? null,
      booksEntry,
      joined: half !== null && booksEntry,
    }
    this.parts.push(part)
    if (booksEntry) this.later(() => this.bookTransfer(part, other.ledger_account))
    if (!half) return
    if (waiting)
      this.later(async () => {
        await tx.db
          .updateTable('bank_parts')
          .set({ other_transaction_id: row.id })
          .where('transaction_id', '=', half.id)
          .where('position', '=', waiting.position)
          .execute()
      })
    else
      this.later(async () => {
        await storePart(tx, half.id, 0, {
          kind: 'transfer',
          amountCents: half.amount_cents,
          otherAccountId: this.account.id,
          otherTransactionId: row.id,
          joined: true,
        })
        await setStatus.run(tx.db, {
          id: half.id,
          status: 'matched',
          ruleId: null,
          learnedRuleId: null,
          note: null,
        })
      })
  }

  private async bookTransfer(part: StoredPart, otherLedger: string): Promise<void> {
    this.lines.push(
      { account: this.account.ledger_account, amountCents: part.amountCents },
      { account: otherLedger, amountCents: -part.amountCents },
    )
  }

  private later(work: () => Promise<void>): void {
    this.halves.push(work)
  }

  /**
   * Returns the part of another movement that was matched as a transfer to this account and still lacks its other
   * half.
   */
  private async waitingPart(half: TransactionRow): Promise<{ position: number } | null> {
    const part = await this.tx.db
      .selectFrom('bank_parts')
      .select('position')
      .where('transaction_id', '=', half.id)
      .where('kind', '=', 'transfer')
      .where('other_account_id', '=', this.account.id)
      .where('other_transaction_id', 'is', null)
      .where('amount_cents', '=', -this.row.amount_cents)
      .executeTakeFirst()
    return part ?? null
  }

  /** Records one payment for all invoices of the movement, because the bank moved one amount. */
  async pay(): Promise<void> {
    const settled = this.parts.filter((part) => part.kind === 'invoice' || part.kind === 'received')
    if (settled.length === 0) return
    const amounts = new Map<
      string,
      { invoiceId?: number; instalment?: number | undefined; receivedId?: number; cents: Cents }
    >()
    for (const part of settled) {
      const key = `${part.invoiceId ?? ''}#${part.instalment ?? 0}/${part.receivedId ?? ''}`
      const known = amounts.get(key)
      const cents = part.kind === 'invoice' ? part.amountCents : -part.amountCents
      if (known) known.cents += cents
      else
        amounts.set(key, {
          ...(part.invoiceId === undefined ? {} : { invoiceId: part.invoiceId }),
          ...(part.instalment === undefined ? {} : { instalment: part.instalment }),
          ...(part.receivedId === undefined ? {} : { receivedId: part.receivedId }),
          cents,
        })
    }
    const moved = settled.reduce((sum, part) => sum + part.amountCents, 0)
    const paymentId = await recordPayment(this.tx, {
      direction: moved >= 0 ? 'in' : 'out',
      date: this.row.date,
      amountCents: Math.abs(moved),
      ...(moved === 0 ? {} : { method: methodOf(this.row), account: this.account.ledger_account }),
      reference: this.row.text.slice(0, 140),
      allocations: [...amounts.values()],
      rest: 'refuse',
      bankTransactionId: this.row.id,
    })
    for (const part of settled) part.paymentId = paymentId
  }

  async store(ruleId: number | null, remember: boolean): Promise<void> {
    const { tx, row } = this
    for (const work of this.halves) await work()
    await this.pay()
    for (const part of this.parts)
      if (part.kind === 'payment' && part.paymentId !== undefined)
        await linkPayment(tx, part.paymentId, row.id)
    await postEntry(tx, {
      date: row.date,
      source: { type: 'bank', id: row.id },
      text: row.text.slice(0, 200),
      lines: this.lines,
    })
    for (const [position, part] of this.parts.entries()) await storePart(tx, row.id, position, part)
    const learnedRuleId = remember ? await this.remember() : null
    await setStatus.run(tx.db, { id: row.id, status: 'matched', ruleId, learnedRuleId, note: null })
  }

  /** Stores the match as a rule when it has a single account, or one contact for everything. */
  private remember(): Promise<number | null> {
    const [only, more] = this.parts
    if (only?.kind === 'account' && !more)
      return learnRule(this.tx, this.row, {
        ledgerAccount: only.ledgerAccount ?? null,
        contactId: only.contactId ?? null,
      })
    const contacts = new Set(this.parts.map((part) => (part.kind === 'account' ? undefined : part.contactId)))
    contacts.delete(undefined)
    const [contactId] = contacts
    return contacts.size === 1 && contactId !== null && contactId !== undefined
      ? learnRule(this.tx, this.row, { ledgerAccount: null, contactId })
      : Promise.resolve(null)
  }
}

/** Matches a movement, in the caller's transaction. */
export async function matchRow(
  tx: Ctx,
  row: TransactionRow,
  parts: readonly PartInput[],
  options: { ruleId?: number; remember: boolean },
): Promise<void> {
  if (row.status !== 'pending')
    throw new AppError('bank_already_matched', { details: { status: row.status } })
  await assertOpenPeriod(tx, row.date)
  const account = orNotFound(await accountByRow.first(tx.db, { id: row.account_id }))
  const matching = new Matching(tx, row, account)
  await matching.take(parts)
  await matching.store(options.ruleId ?? null, options.remember)
}

/** Writes the audit entry of a movement and notifies the window. */
export async function recordTransactionChange(tx: Ctx, action: string, row: TransactionRow): Promise<void> {
  await recordAudit(tx, {
    action,
    target: {
      type: 'bank_transaction',
      id: row.public_id,
      label: `${eurosFromCents(row.amount_cents).toFixed(2)} EUR · ${row.text.slice(0, 60)}`,
    },
  })
  await emitEvent(tx, 'bank.changed', { transactionId: row.public_id })
}

/** Matches a movement on behalf of a person. */
export const matchTransaction: UseCase<typeof matchBankTransactionContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const row = await findTransaction(tx, input.id)
    await matchRow(tx, row, input.parts, { remember: input.learn ?? true })
    await recordTransactionChange(tx, 'bank_transaction.matched', row)
    return transactionView(tx, input.id)
  })

const partsOfRow = prepare((db, p: { id: number }) =>
  db.selectFrom('bank_parts').selectAll().where('transaction_id', '=', p.id).orderBy('position'),
)

const deleteParts = prepare((db, p: { id: number }) =>
  db.deleteFrom('bank_parts').where('transaction_id', '=', p.id),
)

const rowById = prepare((db, p: { id: number }) =>
  db.selectFrom('bank_transactions').selectAll().where('id', '=', p.id),
)

/** Removes the match of a movement, and of the other half of a transfer when both share one entry. */
export async function unmatchRow(tx: Ctx, row: TransactionRow): Promise<void> {
  await assertOpenPeriod(tx, row.date)
  const parts = await partsOfRow.all(tx.db, { id: row.id })
  await deleteParts.run(tx.db, { id: row.id })
  await removeEntry(tx, { type: 'bank', id: row.id })
  const made = new Set<number>()
  for (const part of parts) {
    if (part.payment_id !== null && part.kind === 'payment') await linkPayment(tx, part.payment_id, null)
    else if (part.payment_id !== null) made.add(part.payment_id)
    if (part.remittance_id !== null) {
      await linkRemittance(tx, part.remittance_id, null)
      if (part.settled === 1) await undoSettlement(tx, part.remittance_id)
    }
    if (part.other_transaction_id !== null)
      await undoHalf(tx, row, part.other_transaction_id, part.joined === 1 || part.books_entry === 1)
  }
  for (const paymentId of made) {
    await linkPayment(tx, paymentId, null)
    await removePayment(tx, paymentId)
  }
  await releaseRule(tx, row.learned_rule_id)
  await setStatus.run(tx.db, { id: row.id, status: 'pending', ruleId: null, learnedRuleId: null, note: null })
}

/**
 * Reopens the other half, whose entry is removed with this one; a half that booked the transfer itself waits as
 * before.
 */
async function undoHalf(tx: Ctx, row: TransactionRow, halfId: number, together: boolean): Promise<void> {
  const half = orNotFound(await rowById.first(tx.db, { id: halfId }))
  if (!together) {
    await tx.db
      .updateTable('bank_parts')
      .set({ other_transaction_id: null })
      .where('transaction_id', '=', halfId)
      .where('other_transaction_id', '=', row.id)
      .execute()
    return
  }
  await assertOpenPeriod(tx, half.date)
  await deleteParts.run(tx.db, { id: halfId })
  await removeEntry(tx, { type: 'bank', id: halfId })
  await setStatus.run(tx.db, { id: halfId, status: 'pending', ruleId: null, learnedRuleId: null, note: null })
}

/** Removes a match and everything that was created for it. */
export const unmatchTransaction: UseCase<typeof unmatchBankTransactionContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const row = await findTransaction(tx, id)
    if (row.status !== 'matched') throw new AppError('bank_not_matched', { details: { status: row.status } })
    await unmatchRow(tx, row)
    await recordTransactionChange(tx, 'bank_transaction.unmatched', row)
    return transactionView(tx, id)
  })

/** Ignores a movement, or stops ignoring it. */
export const ignoreTransaction: UseCase<typeof ignoreBankTransactionContract> = (
  ctx,
  { id, ignored, note },
) =>
  ctx.transaction(async (tx) => {
    const row = await findTransaction(tx, id)
    if (row.status === 'matched') throw new AppError('bank_already_matched')
    await setStatus.run(tx.db, {
      id: row.id,
      status: ignored ? 'ignored' : 'pending',
      ruleId: null,
      learnedRuleId: null,
      note: ignored ? note?.trim() || null : null,
    })
    await recordTransactionChange(tx, ignored ? 'bank_transaction.ignored' : 'bank_transaction.taken_up', row)
    return transactionView(tx, id)
  })
