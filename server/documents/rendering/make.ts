/** The documents of an issued invoice, each made once and kept: its PDFs in each language and format, and its signed Facturae. */
import { createHash } from 'node:crypto'
import type { DocumentLanguage } from '../../domain/languages.ts'
import type { Ctx } from '../../context.ts'
import { ciiXml, availableFormats, facturaeXml } from '../e-invoice/index.ts'
import type { EInvoice } from '../e-invoice/index.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { documentsOf, saveDocument, saveSignature, readInvoice } from '../../sales/invoices/index.ts'
import type { InvoiceRow, NewDocument, NewSignature, StoredDocument } from '../../sales/invoices/index.ts'
import { labelsFor } from '../pdf/index.ts'
import type { InvoicePaper } from '../pdf/index.ts'
import type { Preview } from './contract.ts'
import { signerOf } from './credential.ts'
import { eInvoiceOfRow } from './e-invoice.ts'
import { paperOf } from './paper-of.ts'
import type { PaperWish } from './paper-of.ts'
import type { DocumentJob, MadeDocument, SigningJob } from './worker.ts'

/** Named in the store beside each document: says which program drew it. */
const RENDERER = 'sello-pdf-3'
const FACTURAE_WRITER = 'sello-facturae-1'

const make = (ctx: Ctx, job: DocumentJob): Promise<MadeDocument> => ctx.env.documents.make(job)

/** The certificate as a job takes it along, and whose it is; null when nobody signs. */
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
 * The invoice as XML to be embedded; null when it cannot be had. A fault of ours in it must not keep the customer from the
 * paper: whoever asks for the format itself hears of it.
 */
async function embeddedXml(ctx: Ctx, row: InvoiceRow, language: DocumentLanguage): Promise<string | null> {
  try {
    const invoice = await eInvoiceOfRow(ctx, row, language)
    return availableFormats(invoice).cii === null ? ciiXml(invoice) : null
  } catch {
    return null
  }
}

async function keep(ctx: Ctx, row: InvoiceRow, document: NewDocument): Promise<StoredDocument> {
  return ctx.transaction(async (tx) => {
    const { document: kept, isNew } = await saveDocument(tx, document)
    if (isNew && document.format !== 'facturae')
      await emitEvent(tx, 'document.ready', { invoiceId: row.public_id })
    return kept
  })
}

/** A copy of books on media that cannot be written: drawn unsigned and not kept, so that the kept one stays the only original. */
async function drawCopy(ctx: Ctx, row: InvoiceRow, paper: InvoicePaper): Promise<StoredDocument> {
  const xml = await embeddedXml(ctx, row, paper.language)
  const made = await make(ctx, { kind: 'draw', paper, xml, signing: null })
  return {
    id: 0,
    format: paper.format,
    language: paper.language,
    bytes: made.bytes,
    sha256: Buffer.from(made.sha256, 'hex'),
    unsignedLength: made.bytes.byteLength,
    signature: null,
  }
}

async function draw(ctx: Ctx, row: InvoiceRow, paper: InvoicePaper): Promise<StoredDocument> {
  if (ctx.env.store.forReading) return drawCopy(ctx, row, paper)
  const signing = await signingOf(ctx, paper.language)
  const xml = await embeddedXml(ctx, row, paper.language)
  const made = await make(ctx, { kind: 'draw', paper, xml, signing: signing?.job ?? null })
  return keep(ctx, row, {
    invoiceId: row.id,
    format: paper.format,
    language: paper.language,
    bytes: made.bytes,
    sha256: Buffer.from(made.sha256, 'hex'),
    renderer: RENDERER,
    signature: await newSignature(ctx, made.signature, signing?.certificateId),
  })
}

/**
 * The PDF of an issued invoice: the kept one, or drawn now and kept. Without a wish it is the first one that was drawn, so
 * that a later change of the company's settings gives nobody another document.
 */
export async function storedPdf(ctx: Ctx, row: InvoiceRow, wish: PaperWish = {}): Promise<StoredDocument> {
  const kept = (await documentsOf(ctx.db, row.id)).filter(({ format }) => format !== 'facturae')
  const first = kept[0]
  const language = wish.language ?? row.language
  const format = wish.format ?? first?.format ?? null
  const known = kept.find((each) => each.language === language && (format === null || each.format === format))
  if (known) return known
  const paper = await readInvoice(ctx, row.public_id, (read) =>
    paperOf(ctx, read, { language, format: format === 'facturae' ? null : format }),
  )
  return draw(ctx, row, paper)
}

/** Appends the company's signature to a kept PDF that has none. False when nobody can sign now, or somebody has meanwhile. */
export async function signStored(ctx: Ctx, document: StoredDocument): Promise<boolean> {
  const signing = await signingOf(ctx, document.language)
  if (signing === null || document.signature !== null) return false
  const made = await make(ctx, { kind: 'sign', unsigned: document.bytes, signing: signing.job })
  const signature = await newSignature(ctx, made.signature, signing.certificateId)
  if (!signature) return false
  return ctx.transaction((tx) => saveSignature(tx, document.id, signature))
}

/** The Facturae of an issued invoice: kept once it is signed, written anew as long as nobody can sign it. */
export async function facturaeOf(
  ctx: Ctx,
  row: InvoiceRow,
  invoice: EInvoice,
): Promise<{ bytes: Uint8Array; sha256: Uint8Array; isSigned: boolean }> {
  const kept = (await documentsOf(ctx.db, row.id)).find(({ format }) => format === 'facturae')
  if (kept) return { ...kept, isSigned: true }
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
    invoiceId: row.id,
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

/** A paper as it would be drawn now, with the places of its fields. Nothing is kept. */
export async function makePreview(ctx: Ctx, paper: InvoicePaper): Promise<Preview> {
  const { bytes, sha256, pages, areas } = await make(ctx, { kind: 'draw', paper, xml: null, signing: null })
  return {
    pdf: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
    sha256,
    pages,
    areas,
  }
}
