/** Reads one invoice, by identifier or by number. */
import { AppError } from '../../../domain/errors/app-error.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import type { ContractOutput } from '../../../domain/contract/define-contract.ts'
import type { getInvoiceContract } from '../contract.ts'
import { orNotFound } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { findByNumber, findBySequence, findInvoice } from '../rows.ts'
import type { InvoiceRow } from '../rows.ts'
import { invoiceView } from './view.ts'

const PUBLIC_ID = /^inv_[0-9a-z]{16}$/
/** Matches a number without its series. */
const DIGITS = /^\d{1,9}$/

async function onlyOneWith(ctx: Ctx, sequence: number): Promise<string | undefined> {
  const [first, ...others] = await findBySequence(ctx, sequence)
  if (first === undefined || others.length === 0) return first?.public_id
  const candidates = [first, ...others].map((row) => ({
    id: row.public_id,
    number: row.number,
    issueDate: row.issue_date,
    total: eurosFromCents(row.total_cents),
  }))
  throw new AppError('invoice_number_ambiguous', { field: 'id', details: { candidates } })
}

/**
 * Returns the row of an identifier, a number, or digits that only one series has used; throws `not_found`, or
 * `invoice_number_ambiguous` with the candidates.
 */
export async function resolveInvoice(ctx: Ctx, idOrNumber: string): Promise<InvoiceRow> {
  if (PUBLIC_ID.test(idOrNumber)) return orNotFound(await findInvoice(ctx, idOrNumber))
  const publicId = DIGITS.test(idOrNumber)
    ? await onlyOneWith(ctx, Number(idOrNumber))
    : (await findByNumber(ctx, idOrNumber))[0]
  return orNotFound(publicId === undefined ? undefined : await findInvoice(ctx, publicId))
}

/** Returns the issued invoice of an id or a number, or throws the reason why no further record is possible. */
export async function issuedRow(ctx: Ctx, id: string, expectedVersion?: number): Promise<InvoiceRow> {
  const row = await resolveInvoice(ctx, id)
  if (row.state === 'history') throw new AppError('before_these_books', { details: { id: row.public_id } })
  if (row.state !== 'issued') throw new AppError('invoice_not_issued', { details: { id: row.public_id } })
  if (expectedVersion !== undefined && expectedVersion !== row.version)
    throw new AppError('version_conflict', {
      field: 'expectedVersion',
      details: { expectedVersion, version: row.version },
    })
  return row
}

const MAX_READINGS = 20

/**
 * Runs several queries over one invoice. Outside a transaction it may change between them, and a mixture of before
 * and after would be wrong or fail: then it is read again.
 */
export async function readInvoice<T>(
  ctx: Ctx,
  idOrNumber: string,
  read: (row: InvoiceRow) => Promise<T>,
): Promise<T> {
  for (let reading = 1; ; reading++) {
    const row = await resolveInvoice(ctx, idOrNumber)
    // An issued invoice is frozen, and inside a transaction nobody else writes.
    if (row.state === 'issued' || ctx.inTransaction) return read(row)
    const [result] = await Promise.allSettled([read(row)])
    const after = await findInvoice(ctx, row.public_id)
    const stayed = after?.version === row.version && after.state === row.state
    if (!stayed && reading < MAX_READINGS) continue
    if (result.status === 'rejected') throw result.reason
    return result.value
  }
}

/** Returns one invoice in full. */
export const getInvoice: UseCase<typeof getInvoiceContract> = (ctx, { id }) => {
  const read = (): Promise<ContractOutput<typeof getInvoiceContract>> =>
    readInvoice(ctx, id, (row) => invoiceView(ctx, row))
  return ctx.inTransaction ? read() : ctx.env.store.readTogether(ctx.book.companyId, read)
}
