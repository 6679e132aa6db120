/** Operations on the documents of one invoice: read, preview, sign later. */
import { createHash } from 'node:crypto'
import { filesOf, readFile } from '../../platform/attachments/index.ts'
import { recordAudit } from '../../platform/audit/index.ts'
import type { BytesAnswer } from '../../domain/contract/fields.ts'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { availableFormats, ciiXml, peppolXml, ubl25Xml, ublXml } from '../e-invoice/index.ts'
import type { EInvoice, StructuredFormat } from '../e-invoice/index.ts'
import {
  countUnsigned,
  documentsOf,
  firstDocument,
  HISTORY_TARGET,
  isSimplified,
  issuedRow,
  readInvoice,
  resolveInvoice,
} from '../../sales/invoices/index.ts'
import type { InvoiceRow, DocumentEntry, StoredDocument } from '../../sales/invoices/index.ts'
import type {
  DocumentFormat,
  invoicePdfContract,
  Preview,
  previewInvoiceContract,
  signInvoiceContract,
} from './contract.ts'
import { signerOf } from './credential.ts'
import { eInvoiceOfRow } from './e-invoice.ts'
import { facturaeOf, storedPdf, makePreview, signStored } from './make.ts'
import { paperOf } from './paper-of.ts'
import type { PaperWish } from './paper-of.ts'
import { withWaitLimit } from './wait-limit.ts'

const XML = 'application/xml'

/** Returns a file name in printable ASCII without separators: safe in a header and on every file system. */
function baseName(row: InvoiceRow): string {
  return (row.number ?? `borrador-${row.public_id}`).replace(/[^A-Za-z0-9._-]/g, '-')
}

const hex = (sha256: Uint8Array): string => Buffer.from(sha256).toString('hex')

function unavailable(format: string, why: string): AppError {
  return new AppError('format_unavailable', { field: 'format', details: { format, why } })
}

function pdfAnswer(row: InvoiceRow, document: StoredDocument): BytesAnswer {
  const copy = document.language === row.language ? '' : `-${document.language}`
  return {
    bytes: document.bytes,
    sha256: hex(document.sha256),
    fileName: `${baseName(row)}${copy}.pdf`,
    signature: document.signature === null ? 'none' : 'PAdES-B-B',
  }
}

/** Writers of the formats that are not stored: they follow from the invoice alone. */
const PLAIN_WRITERS: Record<Exclude<StructuredFormat, 'facturae'>, (invoice: EInvoice) => string> = {
  cii: ciiXml,
  ubl: ublXml,
  ubl25: (invoice) => ubl25Xml(invoice, { copy: false }),
  peppol: peppolXml,
}

async function structuredAnswer(ctx: Ctx, row: InvoiceRow, format: StructuredFormat): Promise<BytesAnswer> {
  if (row.state === 'draft') throw unavailable(format, 'not_issued')
  if (row.state === 'history') throw unavailable(format, 'history')
  const invoice = await eInvoiceOfRow(ctx, row)
  const fault = availableFormats(invoice)[format]
  if (fault !== null) throw unavailable(format, fault)
  if (format === 'facturae') {
    const { bytes, sha256, isSigned } = await facturaeOf(ctx, row, invoice)
    // Signed Facturae files have this extension (facturae.gob.es).
    const fileName = `${baseName(row)}.${isSigned ? 'xsig' : 'xml'}`
    return { bytes, sha256: hex(sha256), fileName, mediaType: XML }
  }
  const bytes = Buffer.from(PLAIN_WRITERS[format](invoice), 'utf8')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { bytes, sha256, fileName: `${baseName(row)}-${format}.xml`, mediaType: XML }
}

/**
 * Returns the structured formats with the name of each file, and why this invoice cannot have it; null if it can. None before
 * its issue.
 */
export async function structuredNames(
  ctx: Ctx,
  row: InvoiceRow,
): Promise<{ format: (typeof NAMED_FORMATS)[number]; name: string; why: string | null }[]> {
  if (row.state !== 'issued') return []
  const faults = availableFormats(await eInvoiceOfRow(ctx, row))
  const isSigned =
    faults.facturae === null &&
    ((await signerOf(ctx)).credential !== null ||
      (await documentsOf(ctx.db, row.id)).some(({ format }) => format === 'facturae'))
  return NAMED_FORMATS.map((format) => ({
    format,
    why: faults[format],
    name:
      format === 'facturae'
        ? `${baseName(row)}.${isSigned ? 'xsig' : 'xml'}`
        : `${baseName(row)}-${format}.xml`,
  }))
}

/** In the order in which they are offered. */
const NAMED_FORMATS = ['facturae', 'cii', 'ubl', 'ubl25'] as const satisfies readonly StructuredFormat[]

type DocumentRequest = ContractInput<typeof invoicePdfContract>

async function draftAnswer(
  ctx: Ctx,
  row: InvoiceRow,
  { language, paper: format }: DocumentRequest,
): Promise<BytesAnswer> {
  const paper = await readInvoice(ctx, row.public_id, (read) =>
    paperOf(ctx, read, { language: language ?? null, format: format ?? null }),
  )
  const { bytes, sha256 } = await withWaitLimit(
    ctx.env.documents.make({ kind: 'draw', paper, xml: null, signing: null }),
  )
  return { bytes, sha256, fileName: `${baseName(row)}.pdf`, signature: 'none' }
}

/**
 * Returns the document of an issued invoice: the stored one, or one made and stored now, however long that takes.
 * Throws `format_unavailable`.
 */
export async function issuedDocument(
  ctx: Ctx,
  row: InvoiceRow,
  wish: { format: DocumentFormat; language: PaperWish['language']; paper?: PaperWish['format'] },
): Promise<BytesAnswer> {
  const { format, language = null, paper = null } = wish
  if (format !== 'pdf') return structuredAnswer(ctx, row, format)
  return pdfAnswer(row, await storedPdf(ctx, row, { language, format: paper }))
}

/**
 * Returns the document of an invoice in a format: the stored bytes of an issued one, a watermarked preview of a
 * draft.
 */
export const invoicePdf: UseCase<typeof invoicePdfContract> = async (ctx, asked) => {
  const { format = 'pdf', language = null, paper = null } = asked
  const row = await resolveInvoice(ctx, asked.id)
  if (format !== 'pdf') return structuredAnswer(ctx, row, format)
  if (paper === 'ticket' && !isSimplified(row.kind)) throw unavailable('ticket', 'not_simplified')
  if (row.state === 'draft') return draftAnswer(ctx, row, asked)
  if (row.state === 'history') return originalOf(ctx, row)
  return withWaitLimit(issuedDocument(ctx, row, { format, language, paper }))
}

async function storedAnswer(
  ctx: Ctx,
  row: InvoiceRow,
  language: PaperWish['language'],
): Promise<{ bytes: Uint8Array; sha256: string }> {
  const { bytes, sha256 } = await storedPdf(ctx, row, { language })
  return { bytes, sha256: hex(sha256) }
}

/**
 * Returns the document that an earlier program made, as a person attached it: Sello draws none of what it has not issued.
 * Throws `format_unavailable` if there is none.
 */
async function originalOf(ctx: Ctx, row: InvoiceRow): Promise<BytesAnswer> {
  const files = await filesOf(ctx, { type: HISTORY_TARGET, id: row.id })
  const pdf = files.find(({ media_type: type }) => type === 'application/pdf')
  if (!pdf) throw unavailable('pdf', 'history')
  return {
    bytes: await readFile(ctx, pdf),
    sha256: hex(pdf.sha256),
    fileName: `${baseName(row)}.pdf`,
    signature: 'none',
  }
}

/** Returns the window's preview of an invoice: the same bytes as the download, with the positions of a draft's fields. */
export const previewInvoice: UseCase<typeof previewInvoiceContract> = async (
  ctx,
  { id, language = null },
): Promise<Preview> => {
  const row = await resolveInvoice(ctx, id)
  if (row.state === 'draft')
    return makePreview(ctx, await readInvoice(ctx, id, (read) => paperOf(ctx, read, { language })))
  const { bytes, sha256 } =
    row.state === 'history' ? await originalOf(ctx, row) : await storedAnswer(ctx, row, language)
  return { pdf: Buffer.from(bytes).toString('base64'), sha256, pages: 0, areas: [] }
}

/** Returns the number of invoices that could be signed now and are not: 0 without a valid certificate. */
export async function countSignable(ctx: Ctx): Promise<number> {
  return (await signerOf(ctx)).why === null ? countUnsigned(ctx) : 0
}

/** Signs documents made before there was a certificate, or while it had expired. */
export const signInvoice: UseCase<typeof signInvoiceContract> = async (ctx, { id }) => {
  const row = await issuedRow(ctx, id)
  const isSigned = (document: DocumentEntry): boolean =>
    document.signature !== null || document.format === 'facturae'
  // A document that was not drawn yet is drawn, and signed with it.
  if ((await firstDocument(ctx.db, row.id)) === undefined) await storedPdf(ctx, row)
  const unsigned = (await documentsOf(ctx.db, row.id)).filter((document) => !isSigned(document))
  if (unsigned.length > 0) {
    const { why } = await signerOf(ctx)
    if (why !== null) throw new AppError(why)
  }
  let signed = 0
  for (const document of unsigned) if (await signStored(ctx, document)) signed += 1
  if (signed > 0)
    await ctx.transaction((tx) =>
      recordAudit(tx, {
        action: 'document.signed',
        target: { type: 'document', id: row.public_id, label: row.number ?? '' },
      }),
    )
  const signature = (await firstDocument(ctx.db, row.id))?.signature
  return {
    id: row.public_id,
    signature: signature
      ? {
          level: 'PAdES-B-B',
          subject: signature.subject,
          signedAt: new Date(signature.signedAt).toISOString(),
        }
      : { level: 'none' },
  }
}
