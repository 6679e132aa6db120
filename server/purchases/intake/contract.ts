/** Contract of reading a supplier's file into a proposal: what was read, how certain each field is, and where it stands. */
import { z } from 'zod'
import { Address } from '../../company/contract.ts'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { businessDate, FaultShape } from '../../domain/contract/fields.ts'
import { FILE_BODY_MIB, fileFields } from '../../platform/attachments/contract.ts'
import { PaymentMethod } from '../../sales/invoices/contract.ts'
import { ReceivedKind, RectifiedReference, TaxLineInput } from '../invoices/contract.ts'

/** Source of a proposed value. */
export const ReadSource = z.enum(['facturae', 'ubl', 'cii', 'facturx', 'qr', 'text', 'ocr', 'none'])
export type ReadSource = z.infer<typeof ReadSource>

const ReadLevel = z.enum(['proven', 'known', 'read', 'guess', 'missing'])

/** Why the reader of documents takes a value. */
const ReadReason = z.enum([
  'sums_close',
  'base_rate_tax',
  'parts_sum',
  'control_digit',
  'label',
  'heading',
  'words',
  'title',
  'position',
  'symbol',
  'own_number',
  'country_prefix',
  'known_layout',
])
export type ReadReason = z.infer<typeof ReadReason>

/** Categories of expenses that the words of a document decide. */
const ReadCategory = z.enum([
  'compras',
  'profesionales',
  'restauracion',
  'combustible',
  'telefonia',
  'suministros',
  'viajes',
  'seguros',
  'alquiler',
  'software',
])
export type ReadCategory = z.infer<typeof ReadCategory>

const EvidenceBox = z
  .strictObject({
    left: z.number().meta({ description: 'Left edge of the words, as a share of the width of the page.' }),
    top: z.number().meta({ description: 'Upper edge of the words, as a share of the height of the page.' }),
    right: z.number().meta({ description: 'Right edge of the words, as a share of the width of the page.' }),
    bottom: z.number().meta({ description: 'Lower edge of the words, as a share of the height.' }),
  })
  .meta({
    description:
      'Shares from 0 to 1 of the page as a viewer shows it, from its top left corner; of a picture, before it was straightened.',
  })

const ReadEvidence = z
  .strictObject({
    page: z.int().meta({ description: 'From 0.' }),
    box: EvidenceBox,
    reason: ReadReason.meta({ description: 'Why the value was taken.' }),
    args: z.record(z.string(), z.string()).meta({ description: 'What the reason names, such as the label.' }),
  })
  .meta({ id: 'ReadEvidence' })

/** What the memory of a supplier goes by in its next document. */
const ReadLayout = z
  .strictObject({
    print: z.array(z.string()).meta({ description: 'Digests of the words at the head of the first page.' }),
    words: z.array(z.string()).meta({ description: 'Distinct words of the document.' }),
    labelled: z
      .array(
        z.strictObject({
          kind: z.enum(['number', 'date']),
          label: z.string().meta({ description: 'Words before or above it.' }),
          value: z.string().meta({ description: 'The number as printed, or the day.' }),
          text: z.string().meta({ description: 'As printed.' }),
          other: z
            .string()
            .nullable()
            .meta({ description: 'The second reading of a picture, if it differs.' }),
          isWeak: z.boolean().meta({ description: 'The OCR was not certain of it.' }),
          page: z.int(),
          box: EvidenceBox,
        }),
      )
      .meta({ description: 'Numbers and days of the document with the words that name them.' }),
  })
  .meta({ id: 'ReadLayout' })

export const Proposal = z
  .strictObject({
    source: ReadSource.meta({ description: 'The best of what was found in the file.' }),
    format: z.string().nullable().meta({ description: 'Syntax and version, such as Facturae 3.2.2.' }),
    kind: ReceivedKind.optional(),
    supplierName: z.string().optional(),
    supplierNif: z.string().optional(),
    supplierCountry: z.string().optional(),
    supplierAddress: Address.optional(),
    supplierId: z.string().optional().meta({ description: 'The contact with that NIF.' }),
    supplierNumber: z.string().optional(),
    issueDate: businessDate().optional(),
    operationDate: businessDate().optional(),
    dueDate: businessDate().optional(),
    currency: z.string().optional(),
    taxLines: z.array(TaxLineInput),
    withholding: z
      .strictObject({ rate: z.number(), base: z.number().optional(), amount: z.number().optional() })
      .optional(),
    total: z.number().optional().meta({ description: 'Total of the document, before withholding.' }),
    payable: z.number().optional(),
    prepaid: z.number().optional().meta({
      description:
        'What the payable leaves out beside the withholding: paid before, or asked for by the invoices it replaces.',
    }),
    paymentMethod: PaymentMethod.optional(),
    concept: z
      .string()
      .optional()
      .meta({ description: 'As for the last invoice of this supplier, else by the words of the document.' }),
    account: z.string().optional(),
    rectifies: z.array(RectifiedReference).optional(),
    customerNif: z.string().optional(),
    qrUrl: z.string().optional().meta({ description: 'The registry code found on it.' }),
    iban: z.string().optional().meta({ description: 'Account to pay to, with the right control digits.' }),
    category: ReadCategory.optional().meta({
      description: 'Proposed by the words of the document; the concept goes by the supplier first.',
    }),
    confidence: z.record(z.string(), z.enum(['high', 'medium', 'low'])).meta({
      description:
        'For each field found: high from structured data, medium from the registry code or from matching sums, low from plain text.',
    }),
    levels: z.record(z.string(), ReadLevel).meta({
      description:
        'For each field found: proven (by arithmetic, a control digit, a code or structured data), known (as in the confirmed layout of the supplier), read (exact text at a label), guess. Only the first two are sure.',
    }),
    evidence: z.record(z.string(), z.array(ReadEvidence)).meta({
      description: 'For each field read from the pages: where it stands, and why it was taken.',
    }),
    alternatives: z
      .record(z.string(), z.array(z.union([z.string(), z.number()])))
      .meta({ description: 'For each field: other values that the document allows.' }),
    layout: ReadLayout.optional(),
    isSelfBilled: z.boolean().optional().meta({
      description: 'The customer issued it in the name of the supplier.',
    }),
    isCopy: z.boolean().optional().meta({
      description: 'A faithful copy, for the public platform, of an invoice that took another way.',
    }),
    rectificationMethod: z.enum(['substitution', 'differences']).optional().meta({
      description: 'Whether a rectification replaces the invoice or states what changes.',
    }),
    paidOn: businessDate()
      .optional()
      .meta({ description: 'Day on which the invoice says that it was paid.' }),
    closes: z.boolean().meta({
      description:
        'True if the taxes make the printed amount to pay at its label, or are structured data, and nothing in the document contradicts them.',
    }),
  })
  .meta({ id: 'ReceivedProposal' })
export type Proposal = z.infer<typeof Proposal>

/** What is read while the caller waits. */
const ReadAnswer = z
  .strictObject({
    proposal: Proposal,
    duplicate: z.strictObject({ id: z.string(), receptionNumber: z.string() }).nullable(),
    warnings: z.array(FaultShape),
    mediaType: z.string(),
  })
  .meta({ id: 'ReadAnswer' })

/** Where the reading goes on when the caller does not wait. */
const ReadLater = z
  .strictObject({
    documentId: z
      .string()
      .meta({ description: 'The incoming document that shows the progress and the result.' }),
    state: z.string().meta({ description: 'Its state.' }),
  })
  .meta({ id: 'ReadLater' })

export const readReceivedContract = defineContract({
  name: 'received.read',
  summary:
    "Read a supplier's file (Facturae, UBL, CII, Factur-X, registry code, PDF, scan, photo) into a proposal.",
  description:
    'The file is read in processes of their own, under limits of size, time and memory; what it says is a proposal to check, never a fact. A scan or a photo takes seconds a page: with `wait: false` the answer comes at once (202) with the incoming document under which it is read; `GET /incoming-documents/{id}` shows the progress and then the result, and the events `incoming.progress` and `incoming.changed` tell of them. Otherwise nothing is written.',
  access: 'invoices.write',
  effect: 'write',
  storesContent: true,
  rest: {
    method: 'POST',
    path: '/received-invoices/read',
    otherStatus: { status: 202, when: (data) => 'documentId' in (data as object) },
  },
  bodyMiB: FILE_BODY_MIB,
  input: z.strictObject({
    ...fileFields,
    wait: z.boolean().optional().meta({ description: 'False: read it in the background. Default: true.' }),
  }),
  output: z.union([ReadAnswer, ReadLater]),
  errors: ['validation_failed', 'payload_too_large', 'attachment_type', 'file_unreadable'],
})
