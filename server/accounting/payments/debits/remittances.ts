/** Remittances: files of direct debits and transfers, their candidates, their XML, and their execution by the bank. */
import { createHash } from 'node:crypto'
import { recordAudit } from '../../../platform/audit/index.ts'
import { findCompany } from '../../../company/index.ts'
import type { ContractInput } from '../../../domain/contract/define-contract.ts'
import { madridInstant } from '../../../domain/dates.ts'
import { lastIdIn, pageById } from '../../../domain/contract/cursor.ts'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { centsFromEuros, eurosFromCents } from '../../../domain/money.ts'
import type { Cents } from '../../../domain/money.ts'
import { orNotFound } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { instalmentsOfInvoice, resolveInvoice } from '../../../sales/invoices/index.ts'
import { accountExists } from '../../ledger/index.ts'
import type {
  createRemittanceContract,
  discardRemittanceContract,
  getRemittanceContract,
  listRemittancesContract,
  Remittance,
  remittanceFileContract,
  returnDebitContract,
  settleRemittanceContract,
  unsettleRemittanceContract,
} from './contract.ts'
import { lastIbans, sequenceOf } from './candidates.ts'
import type { Sequence } from './candidates.ts'
import { findCreditor, ibanOrFault, mandatesInForce } from './mandates.ts'
import type { MandateRow } from './mandates.ts'
import { resolveReceived } from '../../../purchases/invoices/index.ts'
import { recordPayment, removePayment } from '../record.ts'
import { firstExecution, isBankDay } from './target-calendar.ts'
import { debitXml, transferXml } from './sepa-xml.ts'
import { invoiceTarget, receivedTarget } from '../targets.ts'
import type { Target } from '../targets.ts'

function remittanceRows(ctx: Ctx) {
  return ctx.db
    .selectFrom('remittances')
    .selectAll('remittances')
    .select((eb) => [
      eb
        .selectFrom('remittance_items')
        .select(eb.fn.countAll<number>().as('n'))
        .whereRef('remittance_items.remittance_id', '=', 'remittances.id')
        .as('items'),
      eb
        .selectFrom('remittance_items')
        .select(eb.fn.countAll<number>().as('n'))
        .whereRef('remittance_items.remittance_id', '=', 'remittances.id')
        .where('remittance_items.returned_on', 'is not', null)
        .as('returned'),
    ])
    .where('remittances.book_id', '=', ctx.book.id)
}

type Row = Awaited<ReturnType<ReturnType<typeof remittanceRows>['execute']>>[number]

function summary(row: Row) {
  return {
    id: row.public_id,
    kind: row.kind,
    state: row.state,
    scheme: row.scheme,
    messageId: row.message_id,
    executionDate: row.execution_date,
    count: row.items ?? 0,
    total: eurosFromCents(row.total_cents),
    returned: row.returned ?? 0,
    settledOn: row.settled_on,
    createdAt: new Date(row.created_at).toISOString(),
  }
}

async function findRemittance(ctx: Ctx, publicId: string): Promise<Row> {
  return orNotFound(
    await remittanceRows(ctx).where('remittances.public_id', '=', publicId).executeTakeFirst(),
  )
}

async function itemsOf(ctx: Ctx, remittanceId: number) {
  return ctx.db
    .selectFrom('remittance_items')
    .leftJoin('invoices', 'invoices.id', 'remittance_items.invoice_id')
    .leftJoin('received_invoices', 'received_invoices.id', 'remittance_items.received_id')
    .leftJoin('mandates', 'mandates.id', 'remittance_items.mandate_id')
    .leftJoin('payments', 'payments.id', 'remittance_items.payment_id')
    .selectAll('remittance_items')
    .select([
      'invoices.public_id as invoice_public_id',
      'invoices.number as invoice_number',
      'received_invoices.public_id as received_public_id',
      'received_invoices.supplier_number',
      'mandates.public_id as mandate_public_id',
      'mandates.reference as mandate_reference',
      'mandates.signed_on as mandate_signed_on',
      'payments.public_id as payment_public_id',
    ])
    .where('remittance_items.remittance_id', '=', remittanceId)
    .orderBy('remittance_items.position')
    .execute()
}

async function remittanceView(ctx: Ctx, publicId: string): Promise<Remittance> {
  const row = await findRemittance(ctx, publicId)
  const items = await itemsOf(ctx, row.id)
  return {
    ...summary(row),
    name: row.name,
    iban: row.iban,
    account: row.account,
    items: items.map((item) => ({
      index: item.position,
      invoiceId: item.invoice_public_id,
      ...(item.instalment === 0 ? {} : { instalment: item.instalment }),
      receivedId: item.received_public_id,
      number: item.invoice_number ?? item.supplier_number,
      name: item.name,
      iban: item.iban,
      mandateId: item.mandate_public_id,
      sequence: item.sequence,
      amount: eurosFromCents(item.cents),
      paymentId: item.payment_public_id,
      returned:
        item.returned_on === null
          ? null
          : {
              date: item.returned_on,
              reason: item.return_reason,
              fee: eurosFromCents(item.return_fee_cents ?? 0),
            },
    })),
  }
}

/** Lists remittances, newest first. */
export const listRemittances: UseCase<typeof listRemittancesContract> = async (
  ctx,
  { kind, limit = 100, cursor },
) => {
  let query = remittanceRows(ctx)
  if (kind !== undefined) query = query.where('remittances.kind', '=', kind)
  if (cursor !== undefined)
    query = query.where('remittances.id', '<', lastIdIn(cursor, 'remittances', { kind }))
  const rows = await query
    .orderBy('remittances.id', 'desc')
    .limit(limit + 1)
    .execute()
  const { shown, nextCursor } = pageById(rows, limit, 'remittances', { kind })
  return { items: shown.map(summary), nextCursor }
}

/** Returns one remittance. */
export const getRemittance: UseCase<typeof getRemittanceContract> = (ctx, { id }) => remittanceView(ctx, id)

interface NewItem {
  invoiceId: number | null
  /** 0 without. */
  instalment: number
  receivedId: number | null
  mandate: MandateRow | null
  sequence: Sequence | null
  cents: Cents
  name: string
  iban: string
  bic: string | null
}

const itemFault = (index: number, code: string, message: string, fix: string, field = 'id'): Fault => ({
  code,
  field: `items[${index}].${field}`,
  severity: 'error',
  message,
  fix,
})

type Input = ContractInput<typeof createRemittanceContract>

/**
 * Returns the instalment that a debit collects: the named one, else the one due first that stands in no file. Number 0 for an
 * invoice with one due date; null when there is none.
 */
async function instalmentFor(
  tx: Ctx,
  target: Target,
  named: number | undefined,
  items: readonly NewItem[],
): Promise<{ number: number; openCents: Cents } | null> {
  if (!target.inInstalments) return named === undefined ? { number: 0, openCents: target.dueCents } : null
  const open = (await instalmentsOfInvoice(tx, target.rowId)).filter(({ openCents }) => openCents > 0)
  if (named !== undefined) return open.find(({ number }) => number === named) ?? null
  const waiting = await tx.db
    .selectFrom('remittance_items')
    .select('instalment')
    .where('invoice_id', '=', target.rowId)
    .where('is_open', '=', 1)
    .execute()
  const taken = new Set([
    ...waiting.map(({ instalment }) => instalment),
    ...items.filter(({ invoiceId }) => invoiceId === target.rowId).map(({ instalment }) => instalment),
  ])
  return open.find(({ number }) => !taken.has(number)) ?? open[0] ?? null
}

async function debitItems(tx: Ctx, input: Input, faults: Fault[]): Promise<NewItem[]> {
  const items: NewItem[] = []
  const used = new Map<number, number>()
  for (const [index, one] of input.items.entries()) {
    const target = await invoiceTarget(tx, (await resolveInvoice(tx, one.id)).id)
    const mandate =
      target.contactId === null
        ? undefined
        : (await mandatesInForce(tx, input.scheme ?? 'CORE', [target.contactId])).get(target.contactId)
    if (!mandate) {
      faults.push(
        itemFault(
          index,
          'mandate_missing',
          'The customer has no mandate in force.',
          'Add the signed mandate first.',
        ),
      )
      continue
    }
    const instalment = await instalmentFor(tx, target, one.instalment, items)
    if (instalment === null) {
      faults.push(
        itemFault(
          index,
          'instalment_unknown',
          'The invoice has no such instalment that is open.',
          'Leave it out to collect the one due first.',
          'instalment',
        ),
      )
      continue
    }
    const before = used.get(mandate.id) ?? 0
    used.set(mandate.id, before + 1)
    items.push({
      invoiceId: target.rowId,
      instalment: instalment.number,
      receivedId: null,
      mandate,
      sequence: sequenceOf(mandate, before, one.last === true),
      cents: amountOf(one.amount, instalment.openCents, index, faults),
      name: mandate.holder,
      iban: mandate.iban,
      bic: mandate.bic,
    })
  }
  return items
}

async function transferItems(tx: Ctx, input: Input, faults: Fault[]): Promise<NewItem[]> {
  const items: NewItem[] = []
  for (const [index, one] of input.items.entries()) {
    const target = await receivedTarget(tx, (await resolveReceived(tx, one.id)).id)
    const last =
      target.contactId === null ? undefined : (await lastIbans(tx, [target.contactId])).get(target.contactId)
    const iban = one.iban === undefined ? last?.iban : ibanOrFault(one.iban, `items[${index}].iban`)
    if (iban === undefined) {
      faults.push(
        itemFault(
          index,
          'iban_missing',
          'The account of the supplier is not known.',
          'Send its iban.',
          'iban',
        ),
      )
      continue
    }
    items.push({
      invoiceId: null,
      instalment: 0,
      receivedId: target.rowId,
      mandate: null,
      sequence: null,
      cents: amountOf(one.amount, target.dueCents, index, faults),
      name: target.name,
      iban,
      bic: iban === last?.iban ? last.bic : null,
    })
  }
  return items
}

function amountOf(euros: number | undefined, dueCents: Cents, index: number, faults: Fault[]): Cents {
  const cents = euros === undefined ? dueCents : (centsFromEuros(euros) ?? 0)
  if (cents > 0 && cents <= dueCents) return cents
  faults.push(
    itemFault(
      index,
      'more_than_due',
      'That is more than the amount due.',
      'Lower it, or leave the invoice out.',
      'amount',
    ),
  )
  return cents
}

async function assertFree(tx: Ctx, items: readonly NewItem[]): Promise<void> {
  for (const [index, { invoiceId, receivedId, instalment }] of items.entries()) {
    const other = await tx.db
      .selectFrom('remittance_items')
      .innerJoin('remittances', 'remittances.id', 'remittance_items.remittance_id')
      .select('remittances.public_id')
      .where('remittance_items.is_open', '=', 1)
      .where((eb) =>
        invoiceId === null
          ? eb('remittance_items.received_id', '=', receivedId)
          : eb('remittance_items.invoice_id', '=', invoiceId),
      )
      .where('remittance_items.instalment', '=', instalment)
      .executeTakeFirst()
    if (other)
      throw validationFailed([
        {
          ...itemFault(
            index,
            'in_other_file',
            'It stands in another file that waits for the bank.',
            'Discard that one first.',
          ),
          params: { remittanceId: other.public_id },
        },
      ])
  }
}

/** Returns the company's account for the remittance: the one set for debits, else the company's. */
async function ownAccount(tx: Ctx, kind: 'debit' | 'transfer') {
  const creditor = await findCreditor(tx)
  if (creditor) return creditor
  const company = await findCompany(tx)
  if (kind === 'debit' || company.iban === null) throw new AppError('creditor_missing')
  return { creditor_id: null, name: company.legal_name, iban: company.iban, bic: null }
}

/** Prepares a remittance. */
export const createRemittance: UseCase<typeof createRemittanceContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const { kind } = input
    const own = await ownAccount(tx, kind)
    const first = firstExecution(kind, tx.today())
    const executionDate = input.executionDate ?? first
    const faults: Fault[] = []
    if (!isBankDay(executionDate) || executionDate < first)
      faults.push({
        code: 'not_a_bank_day',
        field: 'executionDate',
        severity: 'error',
        message: 'The bank cannot execute it that day.',
        fix: `Choose a bank day from ${first} on.`,
        params: { first },
      })
    const account = input.account ?? '572'
    if (!(await accountExists(tx, account)))
      faults.push({
        code: 'account_unknown',
        field: 'account',
        severity: 'error',
        message: 'There is no account with that code.',
        fix: 'Choose one of the chart, or add it first.',
      })
    const ids = input.items.map(({ id, instalment = 0 }) => `${id}#${instalment}`)
    ids.forEach((id, index) => {
      if (ids.indexOf(id) !== index)
        faults.push(itemFault(index, 'repeated', 'It is named twice.', 'Give it once.'))
    })
    const items = await (kind === 'debit' ? debitItems : transferItems)(tx, input, faults)
    if (faults.length > 0) throw validationFailed(faults)
    await assertFree(tx, items)
    const publicId = tx.newId('deb')
    const { id } = await tx.db
      .insertInto('remittances')
      .values({
        book_id: tx.book.id,
        public_id: publicId,
        kind,
        state: 'prepared',
        scheme: kind === 'debit' ? (input.scheme ?? 'CORE') : null,
        // Unique at the bank too: the part of the identifier after its prefix.
        message_id: `SELLO${publicId.slice(4).toUpperCase()}`,
        execution_date: executionDate,
        name: own.name,
        creditor_id: kind === 'debit' ? own.creditor_id : null,
        iban: own.iban,
        bic: own.bic,
        account,
        total_cents: items.reduce((sum, { cents }) => sum + cents, 0),
        created_at: tx.now().getTime(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const [position, item] of items.entries()) {
      await tx.db
        .insertInto('remittance_items')
        .values({
          remittance_id: id,
          position,
          invoice_id: item.invoiceId,
          instalment: item.instalment,
          received_id: item.receivedId,
          mandate_id: item.mandate?.id ?? null,
          sequence: item.sequence,
          cents: item.cents,
          end_to_end_id: `${publicId.slice(4).toUpperCase()}-${position + 1}`,
          name: item.name,
          iban: item.iban,
          bic: item.bic,
        })
        .execute()
      if (item.mandate) await useMandate(tx, item.mandate.id, 1, executionDate)
    }
    await recordRemittanceChange(tx, 'remittance.prepared', publicId)
    return remittanceView(tx, publicId)
  })

async function useMandate(tx: Ctx, id: number, times: 1 | -1, date: string): Promise<void> {
  await tx.db
    .updateTable('mandates')
    .set((eb) => ({ uses: eb('uses', '+', times), ...(times === 1 ? { last_used_on: date } : {}) }))
    .where('id', '=', id)
    .execute()
}

async function recordRemittanceChange(tx: Ctx, action: string, publicId: string): Promise<void> {
  const row = await findRemittance(tx, publicId)
  await recordAudit(tx, {
    action,
    target: { type: 'remittance', id: publicId, label: `${eurosFromCents(row.total_cents).toFixed(2)} EUR` },
  })
  await emitEvent(tx, 'payment.changed', { remittanceId: publicId })
}

/** Returns the XML for the bank; identical bytes on every call within one program version. */
export const remittanceFile: UseCase<typeof remittanceFileContract> = async (ctx, { id, version }) => {
  const row = await findRemittance(ctx, id)
  if (row.state === 'discarded') throw new AppError('remittance_discarded')
  const fits = row.kind === 'debit' ? ['02', '08'] : ['03', '09']
  const chosen = version ?? fits[0]!
  if (!fits.includes(chosen))
    throw validationFailed([
      {
        code: 'not_allowed',
        field: 'version',
        severity: 'error',
        message: `This file has the versions ${fits.join(' and ')}.`,
      },
    ])
  const items = await itemsOf(ctx, row.id)
  const company = await findCompany(ctx)
  const head = {
    messageId: row.message_id,
    createdAt: madridInstant(new Date(row.created_at)).slice(0, 19),
    executionDate: row.execution_date,
    name: row.name,
    iban: row.iban,
    bic: row.bic,
  }
  const shared = (item: (typeof items)[number]) => ({
    endToEndId: item.end_to_end_id,
    cents: item.cents,
    name: item.name,
    iban: item.iban,
    bic: item.bic,
  })
  const xml =
    row.kind === 'debit'
      ? debitXml({
          ...head,
          version: chosen as '02' | '08',
          scheme: row.scheme ?? 'CORE',
          creditorId: row.creditor_id ?? '',
          items: items.map((item) => ({
            ...shared(item),
            text: `Factura ${item.invoice_number ?? ''}${item.instalment === 0 ? '' : ` vencimiento ${item.instalment}`}`,
            sequence: item.sequence ?? 'RCUR',
            mandate: { reference: item.mandate_reference ?? '', signedOn: item.mandate_signed_on ?? '' },
          })),
        })
      : transferXml({
          ...head,
          version: chosen as '03' | '09',
          nif: company.nif,
          items: items.map((item) => ({ ...shared(item), text: `Factura ${item.supplier_number ?? ''}` })),
        })
  const bytes = new TextEncoder().encode(xml)
  return {
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    fileName: `${row.kind === 'debit' ? 'recibos' : 'transferencias'}-${row.execution_date}-${row.public_id.slice(-6)}.xml`,
  }
}

/** Records that the bank executed a remittance: each item becomes a payment. */
export const settleRemittance: UseCase<typeof settleRemittanceContract> = (ctx, { id, date }) =>
  ctx.transaction(async (tx) => {
    const row = await findRemittance(tx, id)
    if (row.state !== 'prepared')
      throw new AppError('remittance_not_prepared', { details: { state: row.state } })
    const day = date ?? row.execution_date
    for (const item of await itemsOf(tx, row.id)) {
      const paymentId = await recordPayment(tx, {
        direction: row.kind === 'debit' ? 'in' : 'out',
        date: day,
        amountCents: item.cents,
        method: row.kind === 'debit' ? 'direct_debit' : 'transfer',
        reference: row.message_id,
        account: row.account,
        allocations: [
          item.invoice_id === null
            ? { receivedId: item.received_id ?? 0, cents: item.cents }
            : { invoiceId: item.invoice_id, cents: item.cents, ...instalmentOf(item) },
        ],
        rest: 'refuse',
        remittanceId: row.id,
      })
      await setItem(tx, row.id, item.position, { payment_id: paymentId, is_open: 0 })
    }
    await tx.db
      .updateTable('remittances')
      .set({ state: 'settled', settled_on: day })
      .where('id', '=', row.id)
      .execute()
    await recordRemittanceChange(tx, 'remittance.settled', id)
    return remittanceView(tx, id)
  })

/** Names the instalment that an item collects, if its invoice has several. */
function instalmentOf({ instalment }: { instalment: number }): { instalment?: number } {
  return instalment === 0 ? {} : { instalment }
}

async function setItem(
  tx: Ctx,
  remittanceId: number,
  position: number,
  values: {
    payment_id?: number | null
    is_open?: number
    returned_on?: string
    return_reason?: string | null
    return_fee_cents?: number
  },
): Promise<void> {
  await tx.db
    .updateTable('remittance_items')
    .set(values)
    .where('remittance_id', '=', remittanceId)
    .where('position', '=', position)
    .execute()
}

/** Undoes the execution of a remittance. */
export const unsettleRemittance: UseCase<typeof unsettleRemittanceContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const row = await findRemittance(tx, id)
    if (row.state !== 'settled')
      throw new AppError('remittance_not_settled', { details: { state: row.state } })
    if ((row.returned ?? 0) > 0)
      throw new AppError('debit_already_returned', { details: { returned: row.returned } })
    for (const item of await itemsOf(tx, row.id)) {
      await setItem(tx, row.id, item.position, { payment_id: null, is_open: 1 })
      if (item.payment_id === null) continue
      const payment = await tx.db
        .selectFrom('payments')
        .select('bank_transaction_id')
        .where('id', '=', item.payment_id)
        .executeTakeFirst()
      if (payment && payment.bank_transaction_id !== null)
        throw new AppError('payment_in_use', { details: { by: 'bank' } })
      await removePayment(tx, item.payment_id, { ofRemittance: true })
    }
    await tx.db
      .updateTable('remittances')
      .set({ state: 'prepared', settled_on: null })
      .where('id', '=', row.id)
      .execute()
    await recordRemittanceChange(tx, 'remittance.unsettled', id)
    return remittanceView(tx, id)
  })

/**
 * Records a returned debit: the collection stays in the books on its day, and a payment out on the day of the return
 * reverses it, with the fee; the invoice is open again.
 */
export const returnDebit: UseCase<typeof returnDebitContract> = (ctx, { id, index, date, reason, fee = 0 }) =>
  ctx.transaction(async (tx) => {
    const row = await findRemittance(tx, id)
    if (row.kind !== 'debit' || row.state !== 'settled')
      throw new AppError('remittance_not_settled', { details: { state: row.state, kind: row.kind } })
    const item = orNotFound((await itemsOf(tx, row.id))[index])
    if (item.returned_on !== null) throw new AppError('debit_already_returned', { details: { index } })
    if (date < (row.settled_on ?? date))
      throw validationFailed([
        {
          code: 'date_order',
          field: 'date',
          severity: 'error',
          message: 'A debit is given back after it was collected.',
        },
      ])
    const feeCents = centsFromEuros(fee) ?? 0
    await recordPayment(tx, {
      direction: 'out',
      date,
      amountCents: item.cents + feeCents,
      method: 'direct_debit',
      reference: reason ? `${row.message_id} ${reason}` : row.message_id,
      account: row.account,
      allocations: [{ invoiceId: item.invoice_id ?? 0, cents: -item.cents, ...instalmentOf(item) }],
      feeCents,
      rest: 'refuse',
      takesBack: true,
      remittanceId: row.id,
    })
    await setItem(tx, row.id, index, {
      returned_on: date,
      return_reason: reason ?? null,
      return_fee_cents: feeCents,
    })
    await recordRemittanceChange(tx, 'remittance.returned', id)
    return remittanceView(tx, id)
  })

/** Discards a remittance that was not submitted. */
export const discardRemittance: UseCase<typeof discardRemittanceContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const row = await findRemittance(tx, id)
    if (row.state !== 'prepared')
      throw new AppError('remittance_not_prepared', { details: { state: row.state } })
    for (const item of await itemsOf(tx, row.id)) {
      await setItem(tx, row.id, item.position, { is_open: 0 })
      if (item.mandate_id !== null) await useMandate(tx, item.mandate_id, -1, row.execution_date)
    }
    await tx.db.updateTable('remittances').set({ state: 'discarded' }).where('id', '=', row.id).execute()
    await recordRemittanceChange(tx, 'remittance.discarded', id)
    return { deleted: true }
  })
