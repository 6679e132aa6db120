/**
 * Makes the documents of an issued invoice once and stores them: its PDFs in each language and format, and its signed
 * Facturae.
 */
import { createHash } from 'node:crypto'
import type { DocumentLanguage } from '../../domain/languages.ts'
import type { Ctx } from '../../context.ts'
import { ciiXml, availableFormats, facturaeXml } from '../e-invoice/index.ts'
import type { EInvoice } from '../e-invoice/index.ts'
import { keepContent, readContent } from '../../platform/contents/index.ts'
import { emitEvent } from '../../platform/events/index.ts'
import {
  documentsOf,
  readDocument,
  readInvoice,
  saveDocument,
  saveSignature,
  withBytes,
} from '../../sales/invoices/index.ts'
import type {
  InvoiceRow,
  DocumentEntry,
  NewDocument,
  NewSignature,
  StoredDocument,
} from '../../sales/invoices/index.ts'
import { labelsFor } from '../pdf/index.ts'
import type { InvoicePaper } from '../pdf/index.ts'
import type { Preview } from './contract.ts'
import { signerOf } from './credential.ts'
import { eInvoiceOfRow } from './e-invoice.ts'
import { paperOf } from './paper-of.ts'
import type { PaperWish } from './paper-of.ts'
import type { DocumentJob, MadeDocument, SigningJob } from './worker.ts'

/** Stored with each document: the version of the renderer that drew it. */
const RENDERER = 'sello-pdf-3'
const FACTURAE_WRITER = 'sello-facturae-1'

const make = (ctx: Ctx, job: DocumentJob): Promise<MadeDocument> => ctx.env.documents.make(job)

/** Returns the certificate for a job, and its holder; null when nobody signs. */
async function signingOf(
  ctx: Ctx,
  language: DocumentLanguage,
): Promise<{ job: SigningJob; certificateId: string } | null> {
  const { credential } = await signerOf(ctx)
  if (credential === null) return null
  const { keyPem, chainPem, certificateId, holderName: name } = credential
  const fieldLabel = labelsFor(language).signature
  return { job: { keyPem, chainPem, signedAt: ctx.now().toISOString(), name, fieldLabel }, certificateId }
}

async function certificateRow(ctx: Ctx, publicId: string): Promise<number> {
  const row = await ctx.db
    .selectFrom('certificates')
    .select('id')
    .where('public_id', '=', publicId)
    .executeTakeFirstOrThrow()
  return row.id
}

async function newSignature(
  ctx: Ctx,
  made: MadeDocument['signature'],
  certificateId: string | undefined,
): Promise<NewSignature | null> {
  if (made === null || certificateId === undefined) return null
  return {
    level: 'PAdES-B-B',
    certificateId: await certificateRow(ctx, certificateId),
    appended: made.appended,
    sha256: Buffer.from(made.sha256, 'hex'),
  }
}

/**
 * Returns the invoice as XML for embedding; null when that is not possible. A bug in it must not block the customer's
 * PDF: a request for the format itself reports it.
 */
async function embeddedXml(ctx: Ctx, row: InvoiceRow, language: DocumentLanguage): Promise<string | null> {
  try {
    const invoice = await eInvoiceOfRow(ctx, row, language)
    return availableFormats(invoice).cii === null ? ciiXml(invoice) : null
  } catch {
    return null
  }
}

/** A document that was made. */
interface NewFile extends Omit<NewDocument, 'invoiceId' | 'content'> {
  /** Without the bytes that a signature appends. */
  bytes: Uint8Array
  sha256: Uint8Array
}

async function keep(
  ctx: Ctx,
  row: InvoiceRow,
  { bytes, sha256, ...facts }: NewFile,
): Promise<StoredDocument> {
  const content = { cell: await keepContent(ctx, bytes, sha256), sha256 }
  const { document, isNew } = await ctx.transaction(async (tx) => {
    const saved = await saveDocument(tx, { ...facts, invoiceId: row.id, content })
    if (saved.isNew && facts.format !== 'facturae')
      await emitEvent(tx, 'document.ready', { invoiceId: row.public_id })
    return saved
  })
  return isNew ? withBytes(document, bytes) : readDocument(ctx, document)
}

/**
 * Draws a copy for books on read-only media: unsigned and not stored, so that the stored document stays the only
 * original.
 */
async function drawCopy(ctx: Ctx, row: InvoiceRow, paper: InvoicePaper): Promise<StoredDocument> {
  const xml = await embeddedXml(ctx, row, paper.language)
  const made = await make(ctx, { kind: 'draw', paper, xml, signing: null })
  const sha256 = Buffer.from(made.sha256, 'hex')
  const { format, language } = paper
  const content = { cell: made.bytes, sha256 }
  return withBytes({ id: 0, format, language, sha256, signature: null, content, appended: null }, made.bytes)
}

async function draw(ctx: Ctx, row: InvoiceRow, paper: InvoicePaper): Promise<StoredDocument> {
  if (ctx.env.store.forReading) return drawCopy(ctx, row, paper)
  const signing = await signingOf(ctx, paper.language)
  const xml = await embeddedXml(ctx, row, paper.language)
  const made = await make(ctx, { kind: 'draw', paper, xml, signing: signing?.job ?? null })
  return keep(ctx, row, {
    format: paper.format,
    language: paper.language,
    bytes: made.bytes,
    sha256: Buffer.from(made.sha256, 'hex'),
    renderer: RENDERER,
    signature: await newSignature(ctx, made.signature, signing?.certificateId),
  })
}

/**
 * Returns the PDF of an issued invoice: the stored one, or one drawn and stored now. Without options it is the first
 * one that was drawn, so that a later change of the company's settings never produces a different document.
 */
export async function storedPdf(ctx: Ctx, row: InvoiceRow, wish: PaperWish = {}): Promise<StoredDocument> {
  const kept = (await documentsOf(ctx.db, row.id)).filter(({ format }) => format !== 'facturae')
  const first = kept[0]
  const language = wish.language ?? row.language
  const format = wish.format ?? first?.format ?? null
  const known = kept.find((each) => each.language === language && (format === null || each.format === format))
  if (known) return readDocument(ctx, known)
  const paper = await readInvoice(ctx, row.public_id, (read) =>
    paperOf(ctx, read, { language, format: format === 'facturae' ? null : format }),
  )
  return draw(ctx, row, paper)
}

/**
 * Appends the company's signature to a stored PDF without one. Returns false when signing is not possible now, or the
 * PDF was signed meanwhile.
 */
export async function signStored(ctx: Ctx, document: DocumentEntry): Promise<boolean> {
  const signing = await signingOf(ctx, document.language)
  if (signing === null || document.signature !== null) return false
  const unsigned = await readContent(ctx, document.content)
  const made = await make(ctx, { kind: 'sign', unsigned, signing: signing.job })
  const signature = await newSignature(ctx, made.signature, signing.certificateId)
  if (!signature) return false
  return ctx.transaction((tx) => saveSignature(tx, document.id, signature))
}

/**
 * Returns the Facturae of an issued invoice: stored once it is signed, written again each time while it cannot be
 * signed.
 */
export async function facturaeOf(
  ctx: Ctx,
  row: InvoiceRow,
  invoice: EInvoice,
): Promise<{ bytes: Uint8Array; sha256: Uint8Array; isSigned: boolean }> {
  const kept = (await documentsOf(ctx.db, row.id)).find(({ format }) => format === 'facturae')
  if (kept) return { ...(await readDocument(ctx, kept)), isSigned: true }
  const xml = facturaeXml(invoice)
  const { credential } = await signerOf(ctx)
  if (credential === null) {
    const bytes = Buffer.from(xml, 'utf8')
    return { bytes, sha256: createHash('sha256').update(bytes).digest(), isSigned: false }
  }
  const { openSigningKey, signFacturae } = await import('../signing/index.ts')
  const bytes = Buffer.from(signFacturae(xml, openSigningKey(credential), { signedAt: ctx.now() }), 'utf8')
  const sha256 = createHash('sha256').update(bytes).digest()
  const document = await keep(ctx, row, {
    format: 'facturae',
    language: row.language,
    bytes,
    sha256,
    renderer: FACTURAE_WRITER,
    signature: {
      level: 'XAdES-EPES',
      certificateId: await certificateRow(ctx, credential.certificateId),
      appended: new Uint8Array(),
      sha256,
    },
  })
  return { ...document, isSigned: true }
}

/** Draws a document as it would be now, with the positions of its fields. Stores nothing. */
export async function makePreview(ctx: Ctx, paper: InvoicePaper): Promise<Preview> {
  const { bytes, sha256, pages, areas } = await make(ctx, { kind: 'draw', paper, xml: null, signing: null })
  return {
    pdf: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
    sha256,
    pages,
    areas,
  }
}
