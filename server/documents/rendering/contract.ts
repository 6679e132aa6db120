/** Contract of the documents of invoices: PDFs in each language, structured formats, signatures, previews, archives. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { BytesAnswer, Instant, PathId } from '../../domain/contract/fields.ts'
import { DOCUMENT_LANGUAGES } from '../../domain/languages.ts'
import { DesignChanges } from '../../company/contract.ts'

/** Formats of a document: printed form, or structured data for programs. */
const DOCUMENT_FORMATS = ['pdf', 'facturae', 'ubl', 'cii', 'ubl25', 'peppol'] as const
export const DocumentFormat = z.enum(DOCUMENT_FORMATS)
export type DocumentFormat = z.infer<typeof DocumentFormat>

const Language = z.enum(DOCUMENT_LANGUAGES)

const Signature = z
  .strictObject({
    level: z.enum(['PAdES-B-B', 'none']),
    subject: z.string().optional().meta({ description: 'Whose certificate signed.' }),
    signedAt: Instant.optional(),
  })
  .meta({ id: 'DocumentSignature' })

export const invoicePdfContract = defineContract({
  name: 'invoices.pdf',
  summary: 'The document of an invoice: its PDF with the registry QR, or a structured format.',
  description:
    'An issued invoice has one document for ever: the stored bytes, signed with the company’s certificate when there is one. Another language or paper is a further copy, kept and signed in the same way. A draft gives a watermarked preview and has no structured format. PDFs are PDF/A-3a and PDF/UA-1 and carry the invoice as Factur-X (EN 16931). `facturae` is Facturae 3.2.2, signed (XAdES) when the company has a certificate; `ubl` is UBL 2.1 and `cii` CII D16B, both EN 16931; `ubl25` is UBL 2.5 in the profile of the public platform for invoices between businesses in Spain (EN 16931:2026), and `peppol` Peppol BIS Billing 3.0. `format_unavailable` says in `details.why` why an invoice has no document in a format.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/invoices/:id/pdf' },
  input: z.strictObject({
    id: PathId,
    format: DocumentFormat.optional(),
    language: Language.optional().meta({ description: "Of the labels; the invoice's own by default." }),
    paper: z
      .enum(['a4', 'ticket'])
      .optional()
      .meta({ description: 'Of simplified invoices: a sheet, or an 80 mm roll.' }),
  }),
  output: BytesAnswer,
  media: 'application/pdf',
  otherMedia: ['application/xml'],
  errors: ['not_found', 'invoice_number_ambiguous', 'format_unavailable'],
})

export const signInvoiceContract = defineContract({
  name: 'invoices.sign',
  summary: 'Sign the PDFs of an issued invoice that were made before the company had a certificate.',
  description:
    'The signature is appended: what was registered and sent stays byte for byte. Signing again changes nothing.',
  access: 'invoices.write',
  effect: 'write',
  storesContent: true,
  rest: { method: 'POST', path: '/invoices/:id/sign' },
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ id: z.string(), signature: Signature }),
  errors: [
    'not_found',
    'invoice_number_ambiguous',
    'invoice_not_issued',
    'before_these_books',
    'certificate_missing',
    'certificate_expired',
  ],
})

const Area = z
  .strictObject({
    page: z.int(),
    x: z.number(),
    y: z.number(),
    width: z.number(),
    height: z.number(),
    field: z.string(),
  })
  .meta({ description: 'Where a field stands: points from the top left; pages count from 0.' })

export const Preview = z.strictObject({
  pdf: z.string().meta({ description: 'The file in base64.' }),
  sha256: z.string(),
  pages: z.int(),
  areas: z.array(Area),
})
export type Preview = z.infer<typeof Preview>

export const previewInvoiceContract = defineContract({
  name: 'invoices.preview',
  summary:
    'The PDF of an invoice to be looked at: of a draft as it would be drawn now, of an issued one as kept.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({ id: PathId, language: Language.optional() }),
  output: Preview,
  errors: ['not_found', 'invoice_number_ambiguous'],
})

export const sampleDesignContract = defineContract({
  name: 'company.designSample',
  summary: "An invented invoice of the company as it would look after changing the papers' design.",
  access: 'person',
  effect: 'read',
  bodyMiB: 2,
  input: z.strictObject({ ...DesignChanges.shape, language: Language.optional() }),
  output: Preview,
  errors: ['validation_failed', 'logo_unusable'],
})
