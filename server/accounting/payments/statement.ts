/** Statement of a contact: invoices and payments in a range of days, with opening, running and closing balance. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import { textCell } from '../../domain/formats/csv-writer.ts'
import { validationFailed } from '../../domain/errors/app-error.ts'
import { centsToText, eurosFromCents } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { findContact } from '../../catalog/contacts/index.ts'
import type { ContactRecord } from '../../catalog/contacts/index.ts'
import type { Side, Statement, statementContract, statementFileContract } from './contract.ts'
import { agingOf, openItemsOf } from './open.ts'

const OPEN_LIMIT = 500

interface MovementRow {
  date: string
  type: Statement['movements'][number]['type']
  public_id: string
  number: string | null
  text: string | null
  /** Positive when the contact owes more. */
  cents: Cents
}

/**
 * Selects the movements of a customer. A payment counts with what it settles of this contact's invoices, and with the
 * advances it leaves or uses.
 */
function customerMovements(contactId: number): RawBuilder<MovementRow> {
  return sql<MovementRow>`
    select i.issue_date as date, case when i.kind like 'R%' then 'rectifying' else 'invoice' end as type, i.public_id,
      i.number, i.external_ref as text, i.due_cents + i.paid_cents as cents, 0 as turn, i.id as place
    from invoices i where i.contact_id = ${contactId} and i.state <> 'draft' and i.cancelled_at is null
    union all
    select p.date, p.kind, p.public_id, null, p.reference, -sum(x.cents), 1, p.id from (
      select a.payment_id, a.cents from invoices i join payment_allocations a on a.invoice_id = i.id
        where i.contact_id = ${contactId} and i.state <> 'draft'
      union all select a.payment_id, -a.cents from payments q join payment_allocations a on a.advance_id = q.id
        where q.contact_id = ${contactId} and q.direction = 'in'
      union all select id, advance_cents from payments
        where contact_id = ${contactId} and direction = 'in' and advance_cents > 0
    ) x join payments p on p.id = x.payment_id group by p.id`
}

function supplierMovements(contactId: number): RawBuilder<MovementRow> {
  return sql<MovementRow>`
    select r.issue_date as date, case when r.kind = 'rectifying' then 'rectifying' else 'received' end as type, r.public_id,
      r.supplier_number as number, null as text, -r.payable_cents as cents, 0 as turn, r.id as place
    from received_invoices r where r.contact_id = ${contactId} and r.state <> 'void'
    union all
    select p.date, p.kind, p.public_id, null, p.reference, sum(x.cents), 1, p.id from (
      select a.payment_id, a.cents from received_invoices r join payment_allocations a on a.received_id = r.id
        where r.contact_id = ${contactId}
      union all select a.payment_id, -a.cents from payments q join payment_allocations a on a.advance_id = q.id
        where q.contact_id = ${contactId} and q.direction = 'out'
      union all select id, advance_cents from payments
        where contact_id = ${contactId} and direction = 'out' and advance_cents > 0
    ) x join payments p on p.id = x.payment_id group by p.id`
}

async function statementOf(
  ctx: Ctx,
  contact: ContactRecord,
  side: Side,
  from: string,
  to: string,
): Promise<Statement> {
  const all = side === 'receivable' ? customerMovements(contact.id) : supplierMovements(contact.id)
  const before = await sql<{ cents: number }>`select coalesce(sum(cents), 0) as cents from (${all}) m
    where m.date < ${from}`.execute(ctx.db)
  const { rows } =
    await sql<MovementRow>`select * from (${all}) m where m.date between ${from} and ${to} and m.cents <> 0
    order by m.date, m.turn, m.place`.execute(ctx.db)
  const openingCents = before.rows[0]?.cents ?? 0
  let balance = openingCents
  let debit = 0
  let credit = 0
  const movements = rows.map((row) => {
    balance += row.cents
    if (row.cents > 0) debit += row.cents
    else credit -= row.cents
    return {
      date: row.date,
      type: row.type,
      id: row.public_id,
      number: row.number,
      text: row.text,
      debit: eurosFromCents(Math.max(0, row.cents)),
      credit: eurosFromCents(Math.max(0, -row.cents)),
      balance: eurosFromCents(balance),
    }
  })
  const { items } = await openItemsOf(ctx, side, { contactId: contact.id, limit: OPEN_LIMIT })
  return {
    contact: { id: contact.public_id, name: contact.name, nif: contact.nif },
    side,
    from,
    to,
    opening: eurosFromCents(openingCents),
    movements,
    debit: eurosFromCents(debit),
    credit: eurosFromCents(credit),
    closing: eurosFromCents(balance),
    aging: await agingOf(ctx, side, contact.id),
    open: items,
  }
}

async function requestedPeriod(ctx: Ctx, input: ContractInput<typeof statementContract>): Promise<Statement> {
  const contact = orNotFound(await findContact(ctx, input.id))
  const today = ctx.today()
  const { side = 'receivable', to = today } = input
  const from = input.from ?? `${to.slice(0, 4)}-01-01`
  if (from > to)
    throw validationFailed([
      {
        code: 'dates_reversed',
        field: 'from',
        severity: 'error',
        message: 'The first day comes after the last.',
      },
    ])
  return statementOf(ctx, contact, side, from, to)
}

/** Returns a contact's statement. */
export const statement: UseCase<typeof statementContract> = (ctx, input) => requestedPeriod(ctx, input)

const amount = (euros: number): string => centsToText(Math.round(euros * 100)).replace('.', ',')

const TYPE_WORDS: Record<MovementRow['type'], string> = {
  invoice: 'Factura',
  rectifying: 'Factura rectificativa',
  received: 'Factura recibida',
  payment: 'Cobro',
  compensation: 'Compensación',
  write_off: 'Incobrable',
}

function spanishDay(date: string): string {
  return `${date.slice(8)}/${date.slice(5, 7)}/${date.slice(0, 4)}`
}

/**
 * Returns the statement as CSV for Spanish spreadsheets: semicolons, decimal comma, dates as dd/mm/yyyy, UTF-8 with a
 * byte order mark.
 */
export const statementFile: UseCase<typeof statementFileContract> = async (ctx, input) => {
  const data = await requestedPeriod(ctx, input)
  const lines: string[][] = [
    ['Fecha', 'Movimiento', 'Número', 'Referencia', 'Debe', 'Haber', 'Saldo'],
    [spanishDay(data.from), 'Saldo anterior', '', '', '', '', amount(data.opening)],
    ...data.movements.map((row) => [
      spanishDay(row.date),
      data.side === 'payable' && row.type === 'payment' ? 'Pago' : TYPE_WORDS[row.type],
      textCell(row.number ?? ''),
      textCell(row.text ?? ''),
      row.debit === 0 ? '' : amount(row.debit),
      row.credit === 0 ? '' : amount(row.credit),
      amount(row.balance),
    ]),
    [
      spanishDay(data.to),
      'Saldo final',
      '',
      '',
      amount(data.debit),
      amount(data.credit),
      amount(data.closing),
    ],
  ]
  const text = `\ufeff${lines.map((line) => line.join(';')).join('\r\n')}\r\n`
  const bytes = new TextEncoder().encode(text)
  return {
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    fileName: `extracto-${data.contact.nif ?? data.contact.id}-${data.from}-${data.to}.csv`,
  }
}
