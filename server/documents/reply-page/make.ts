/** Makes the reply page of an issued invoice: offers it, writes it and signs it if the company can. */
import type { DocumentLanguage } from '../../domain/languages.ts'
import type { Ctx } from '../../context.ts'
import { findCompany } from '../../company/index.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { getInvoice } from '../../sales/invoices/index.ts'
import type { InvoiceRow } from '../../sales/invoices/index.ts'
import { offerPage } from '../../sales/replies/index.ts'
import type { PageFacts } from '../../sales/replies/index.ts'
import { isPaidByTransfer, signerOf } from '../rendering/index.ts'
import { openSigningKey, signDetached, UnusableKey } from '../signing/index.ts'
import { pageFileName, replyPageHtml } from './page.ts'

/** The page as a file. */
interface ReplyPage {
  fileName: string
  page: string
  signature: 'CMS' | 'none'
  /** Milliseconds since 1970. */
  offeredAt: number
}

const SIGNATURE = '<!--sello-signature '

const roundedEuros = (euros: number): number => Math.round(euros * 100) / 100

/** Returns what a page shows of an issued invoice. Throws `invoice_cancelled`. */
async function factsOf(ctx: Ctx, row: InvoiceRow, replyTo: string | null): Promise<PageFacts> {
  const invoice = await getInvoice(ctx, { id: row.public_id })
  const { number, issueDate, issuer, instalments = [] } = invoice
  if (invoice.cancelledAt !== undefined)
    throw new AppError('invoice_cancelled', { details: { id: row.public_id } })
  if (number === null || issueDate === null)
    throw new AppError('invoice_not_issued', { details: { id: row.public_id } })
  const company = await findCompany(ctx)
  const payable = roundedEuros(invoice.total - (invoice.withholding?.amount ?? 0) - invoice.replaced)
  return {
    seller: { name: issuer?.name ?? company.legal_name, nif: issuer?.nif ?? company.nif },
    buyer: { name: invoice.clientName, nif: invoice.clientNif },
    number,
    issueDate,
    dueDate: instalments.length > 0 ? null : invoice.dueDate,
    instalments: instalments.map(({ dueDate, amount }) => ({ dueDate, amount })),
    currency: invoice.inCurrency?.currency ?? 'EUR',
    total: invoice.inCurrency?.total ?? invoice.total,
    payable: invoice.inCurrency !== undefined || payable === invoice.total ? null : payable,
    iban: company.iban !== null && payable > 0 && isPaidByTransfer(invoice) ? company.iban : null,
    replyTo,
  }
}

/** Returns the name that the page of an invoice would have. */
export function replyPageName(row: InvoiceRow, language: DocumentLanguage): string {
  return pageFileName({ facts: { number: row.number ?? row.public_id }, language })
}

/** Appends the signature of all bytes before it; a key that cannot sign leaves the page unsigned. */
async function signed(ctx: Ctx, page: string): Promise<Pick<ReplyPage, 'page' | 'signature'>> {
  const { credential } = await signerOf(ctx)
  if (credential === null) return { page, signature: 'none' }
  try {
    const signature = signDetached(openSigningKey(credential), Buffer.from(page, 'utf8'))
    return { page: `${page}${SIGNATURE}${signature.toString('base64')}-->\n`, signature: 'CMS' }
  } catch (error) {
    if (error instanceof UnusableKey) return { page, signature: 'none' }
    throw error
  }
}

/**
 * Returns the reply page of an issued invoice. The same page is returned as long as the invoice says the same. Throws
 * `invoice_cancelled`.
 */
export async function makeReplyPage(
  ctx: Ctx,
  row: InvoiceRow,
  { language, replyTo }: { language: DocumentLanguage; replyTo: string | null },
): Promise<ReplyPage> {
  const offered = await offerPage(ctx, row, { language, facts: await factsOf(ctx, row, replyTo) })
  return {
    fileName: pageFileName(offered),
    ...(await signed(ctx, replyPageHtml(offered))),
    offeredAt: offered.offeredAt,
  }
}
