/** What can go along with the mail of an invoice: the PDF, its data as files, and the page with which it is answered. */
import { enclosuresOf, findContact } from '../../catalog/contacts/index.ts'
import type { InvoiceEnclosure } from '../../catalog/contacts/contract.ts'
import { findCompany } from '../../company/index.ts'
import type { DocumentLanguage } from '../../domain/languages.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { issuedRow } from '../../sales/invoices/index.ts'
import type { InvoiceRow } from '../../sales/invoices/index.ts'
import type { replyPageContract } from '../../sales/replies/contract.ts'
import { invoicePdf, structuredNames } from '../rendering/index.ts'
import { makeReplyPage, replyPageName } from '../reply-page/index.ts'
import type { Part } from './message.ts'
import { findAccount } from './rows.ts'

/** A document to attach; it is drawn when it is requested. */
export interface Enclosure {
  name: string
  mediaType: string
  /** Attached only on request. */
  isExtra?: boolean
  /** Returns its bytes, and the invoice whose stored document they are. */
  bring(): Promise<Part & { invoice: { rowId: number; language: string } | null }>
}

const PDF = 'application/pdf'
const XML = 'application/xml'
const HTML = 'text/html'

/** Returns a file name in printable ASCII without separators. */
export function fileName(text: string): string {
  return text.replace(/[^A-Za-z0-9._-]/g, '-')
}

/** The stored PDF of an issued invoice, with its data inside. */
export function invoiceEnclosure(ctx: Ctx, row: InvoiceRow): Enclosure {
  const name = `${fileName(row.number ?? row.public_id)}.pdf`
  return {
    name,
    mediaType: PDF,
    bring: async () => ({
      name,
      mediaType: PDF,
      bytes: (await invoicePdf(ctx, { id: row.public_id })).bytes,
      invoice: { rowId: row.id, language: row.language },
    }),
  }
}

/** A file that a customer usually gets and that an invoice cannot have. */
export interface Lacking {
  format: InvoiceEnclosure
  /** Code of the reason, as in `format_unavailable`. */
  why: string
}

interface InvoiceEnclosures {
  /** The PDF first. */
  enclosures: Enclosure[]
  lacking: Lacking[]
}

/** Returns the data of an invoice as files, those that it can have, and those that it should have and cannot. */
async function structuredEnclosures(
  ctx: Ctx,
  row: InvoiceRow,
  usual: readonly InvoiceEnclosure[],
): Promise<InvoiceEnclosures> {
  const found: InvoiceEnclosures = { enclosures: [], lacking: [] }
  for (const { format, name, why } of await structuredNames(ctx, row)) {
    const isUsual = usual.includes(format)
    if (why !== null) {
      if (isUsual) found.lacking.push({ format, why })
      continue
    }
    found.enclosures.push({
      name,
      mediaType: XML,
      isExtra: !isUsual,
      bring: async () => {
        const { bytes, fileName: written } = await invoicePdf(ctx, { id: row.public_id, format })
        return { name: written, mediaType: XML, bytes, invoice: null }
      },
    })
  }
  return found
}

/** Returns the address that answers go to: as mails say, else the company's own. */
async function replyAddress(ctx: Ctx): Promise<string | null> {
  const account = await findAccount(ctx)
  return account?.reply_to ?? account?.from_address ?? (await findCompany(ctx)).email
}

function replyEnclosure(
  ctx: Ctx,
  row: InvoiceRow,
  { language, isExtra }: { language: DocumentLanguage; isExtra: boolean },
): Enclosure {
  const name = replyPageName(row, language)
  return {
    name,
    mediaType: HTML,
    isExtra,
    bring: async () => {
      const replyTo = await replyAddress(ctx)
      const { page } = await makeReplyPage(ctx, row, { language, replyTo })
      return { name, mediaType: HTML, bytes: Buffer.from(page, 'utf8'), invoice: null }
    },
  }
}

/**
 * Returns everything that can go along with the mail of an invoice. What the customer receives usually goes unless it is left
 * out; the rest is attached only when it is named.
 */
export async function invoiceEnclosures(
  ctx: Ctx,
  row: InvoiceRow,
  about: { contact: Parameters<typeof enclosuresOf>[0] | null; language: DocumentLanguage },
): Promise<InvoiceEnclosures> {
  const usual = about.contact === null ? [] : enclosuresOf(about.contact)
  const { enclosures, lacking } = await structuredEnclosures(ctx, row, usual)
  return {
    enclosures: [
      invoiceEnclosure(ctx, row),
      ...enclosures,
      // An annulled invoice is not answered.
      ...(row.cancelled_at === null
        ? [replyEnclosure(ctx, row, { language: about.language, isExtra: !usual.includes('reply_page') })]
        : []),
    ],
    lacking,
  }
}

/** Returns the reply page of an invoice as text. */
export const replyPage: UseCase<typeof replyPageContract> = async (ctx, { id, language }) => {
  const row = await issuedRow(ctx, id)
  const contact = await contactOfInvoice(ctx, row)
  const {
    fileName: name,
    page,
    signature,
    offeredAt,
  } = await makeReplyPage(ctx, row, {
    language: language ?? contact?.language ?? row.language,
    replyTo: await replyAddress(ctx),
  })
  return { fileName: name, page, signature, offeredAt: new Date(offeredAt).toISOString() }
}

async function contactOfInvoice(ctx: Ctx, { contact_id: id }: InvoiceRow) {
  if (id === null) return null
  const row = await ctx.db.selectFrom('contacts').select('public_id').where('id', '=', id).executeTakeFirst()
  return row ? findContact(ctx, row.public_id) : null
}
