/** Reading one invoice, by identifier or by number. */
import { AppError } from '../core/errors.ts'
import type { OutputOf, ParsedInputOf } from '../contracts.ts'
import { found } from '../ctx.ts'
import type { Ctx, UseCase } from '../ctx.ts'
import { findByNumber, findInvoice } from './rows.ts'
import type { InvoiceRow } from './rows.ts'
import { invoiceView } from './view.ts'

const PUBLIC_ID = /^inv_[0-9a-z]{16}$/

/** The row behind an identifier or a number; `not_found`, or `invoice_number_ambiguous` with the candidates. */
export async function resolveInvoice(ctx: Ctx, idOrNumber: string): Promise<InvoiceRow> {
  if (PUBLIC_ID.test(idOrNumber)) return found(await findInvoice(ctx, idOrNumber))
  const candidates = await findByNumber(ctx, idOrNumber)
  if (candidates.length > 1) throw new AppError('invoice_number_ambiguous', { field: 'id', details: { candidates } })
  const [only] = candidates
  return found(only === undefined ? undefined : await findInvoice(ctx, only))
}

/** Full detail of one invoice. */
export const getInvoice: UseCase<ParsedInputOf<'invoices.get'>, OutputOf<'invoices.get'>> = async (ctx, { id }) =>
  invoiceView(ctx, await resolveInvoice(ctx, id))
