/** Input of a draft; quotes, templates and recurring invoices store parts of it. */
import { z } from 'zod'
import {
  businessDate,
  decimal,
  line,
  MetadataInput,
  paragraph,
  PathId,
} from '../../../domain/contract/fields.ts'
import { hideFromTools, textInputs } from '../../../domain/contract/text-fields.ts'
import { INSTALMENTS } from '../../../domain/tax/instalments.ts'
import { DOCUMENT_LANGUAGES } from '../../../domain/languages.ts'
import { PAYMENT_METHODS } from '../../../domain/payment-methods.ts'
import { LINE_SUPPLIES } from '../../../domain/tax/line-supply.ts'
import { TAX_TREATMENTS } from '../../../domain/tax/totals.ts'
import { Address } from '../../../company/contract.ts'
import { Dir3, IdType } from '../../../catalog/contacts/contract.ts'
import { HEADER, NOT_IN_QUOTES, NOT_IN_RECURRING } from '../fields.ts'
import { ISSUED_BY, LINE_ACCOUNT, MAX_LINES } from '../limits.ts'
import { RECTIFY_CAUSES } from '../correct/rectify-causes.ts'

export const InvoiceKind = z.enum(['F1', 'F2', 'F3', 'R1', 'R2', 'R3', 'R4', 'R5']).meta({
  description:
    'F1 complete, F2 simplified, F3 complete in place of simplified ones; rectifying: R1 law or agreement, R2 insolvency, R3 uncollectible, R4 the rest, R5 of simplified ones.',
})
/** Without the description of the codes, for places that have their own. */
export const KindCode = z.enum(InvoiceKind.options)
export type InvoiceKind = z.infer<typeof InvoiceKind>

export const PaymentMethod = z.enum(PAYMENT_METHODS)
/** For answers, which are long enough without the description of the codes. */
export const TreatmentCode = z.enum(TAX_TREATMENTS)
export const Treatment = TreatmentCode.meta({
  description: "S1 taxed, S2 reverse charge, N1/N2 not subject, E1..E8 exempt (the registry's codes).",
})
export const RegimeKey = z
  .string()
  .regex(/^(0[1-9]|1[0-9]|20|21)$/)
  .meta({ description: 'VAT regime key of the registry, 01 general.' })

/** Reason why a line is exempt or not subject: a code of GET /tax/causes. */
const TaxCause = z
  .string()
  .regex(/^[a-z0-9_]{2,40}$/)
  .meta({ description: 'Decides the legal mention.' })
const LedgerAccount = z.string().regex(LINE_ACCOUNT).meta({
  description: 'Ledger account (PGC). Default: 700 goods, 705 services.',
})

/** What a line sells. */
export const Supply = z.enum(LINE_SUPPLIES).meta({
  description: "Needed only where the registry lists goods and services apart. Default: the item's.",
})

/** Figures of a line that may be left for later. */
const LATER_FIGURES = ['quantity', 'unitPrice'] as const
export type LaterFigure = (typeof LATER_FIGURES)[number]
export const MissingFigures = z.array(z.enum(LATER_FIGURES)).max(LATER_FIGURES.length).meta({
  description: 'Figures still to be given; they count as 0.',
})

export const InvoiceLineInput = z
  .strictObject({
    description: paragraph(500, 1),
    quantity: decimal(6, { max: 999_999_999 }),
    unitPrice: decimal(6, { max: 999_999_999, description: 'Euros; before tax unless priceMode is gross.' }),
    unit: line(20).optional(),
    discountPct: decimal(2, { min: 0, max: 100 }).optional(),
    discountAmount: decimal(2, {
      min: 0,
      max: 999_999_999,
      description: 'After discountPct.',
    }).optional(),
    vatRate: decimal(2, {
      min: 0,
      max: 100,
      description: "Percent. Default: the day's general rate; one-stop shop: the customer's country's.",
    }).optional(),
    taxTreatment: Treatment.optional(),
    surcharge: decimal(2, {
      min: 0,
      max: 100,
      description: "Equivalence surcharge, percent. Default: the customer's.",
    }).optional(),
    regimeKey: RegimeKey.optional(),
    withholdable: z.boolean().optional(),
    isDisbursement: z.boolean().optional().meta({ description: "Paid in the customer's name (suplido)." }),
    cost: decimal(2, {
      min: -999_999_999,
      max: 999_999_999,
      description: 'With regimes 03 and 05: what it cost; only the margin is taxed.',
    }).optional(),
    cause: TaxCause.optional(),
    itemId: PathId.optional().meta({
      description: 'Item whose unit, tax and account fill the gaps.',
    }),
    account: LedgerAccount.optional(),
    supply: Supply.optional(),
    missing: MissingFigures.optional(),
  })
  .meta({ id: 'InvoiceLineInput' })
export type InvoiceLineInput = z.infer<typeof InvoiceLineInput>

export const ClientInput = z
  .strictObject({
    address: Address.nullable().optional(),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .optional()
      .meta({ description: 'ISO 3166-1 alpha-2.' }),
    idType: IdType.nullable().optional(),
    email: z.email().max(120).nullable().optional(),
    dir3: Dir3.nullable().optional(),
  })
  .meta({ id: 'ClientInput' })

/** Invoice named by another: one of this book by its id, one of another program by its number and date. */
export const InvoiceReferenceInput = z
  .strictObject({
    id: PathId.optional(),
    series: line(20).optional(),
    number: line(60).optional(),
    issueDate: businessDate().optional(),
  })
  .meta({
    id: 'InvoiceReferenceInput',
    description: 'id (or number) of one in this book; series, number and issueDate of one made elsewhere.',
  })
export type InvoiceReferenceInput = z.infer<typeof InvoiceReferenceInput>

/** Cause of a rectification, in the words of the trade. */
export const RectificationCause = z
  .enum(RECTIFY_CAUSES)
  .meta({ description: 'Decides the kind; a simplified invoice is always rectified as R5.' })
export type RectificationCause = z.infer<typeof RectificationCause>

const RectificationInput = z
  .strictObject({
    method: z.enum(['S', 'I']).meta({
      description: 'I: the lines say the difference. S: the right figures; then give what is rectified.',
    }),
    cause: RectificationCause.nullable().optional(),
    reason: line(300).nullable().optional(),
    base: decimal(2, { min: -1e12, max: 1e12, description: 'With S: its base.' }).optional(),
    tax: decimal(2, { min: -1e12, max: 1e12, description: 'With S: its VAT.' }).optional(),
    surcharge: decimal(2, { min: -1e12, max: 1e12, description: 'With S: its surcharge.' })
      .nullable()
      .optional(),
  })
  .meta({ id: 'RectificationInput' })
const reference = line(60).nullable().optional()

/** References of the customer, required by its books: BT-13, BT-12 and BT-17 of EN 16931. */
const CustomerReferencesInput = z
  .strictObject({
    order: reference,
    contract: reference,
    file: reference,
  })
  .meta({
    id: 'CustomerReferencesInput',
  })

/** Who issued the invoice in the company's name; a third party is identified, the customer is the invoice's. */
const IssuedByInput = z
  .strictObject({
    kind: z.enum(ISSUED_BY).nullable().optional(),
    name: line(120).nullable().optional(),
    nif: line(20).nullable().optional(),
    idType: IdType.nullable().optional(),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .nullable()
      .optional()
      .meta({ description: 'ISO 3166-1 alpha-2; default ES.' }),
    street: line(120).nullable().optional(),
    postalCode: line(12).nullable().optional(),
    city: line(80).nullable().optional(),
    province: line(80).nullable().optional(),
  })
  .meta({ id: 'IssuedByInput', description: 'Left out when the company issues it.' })

const MAX_REFERENCES = 500

/** One of several due dates: a percentage or an amount. The last one may have neither, and is the rest. */
const InstalmentInput = z
  .strictObject({
    dueDate: businessDate(),
    percent: decimal(2, { min: 0.01, max: 100, description: 'Of what is to be paid.' }).optional(),
    amount: decimal(2, {
      min: 0.01,
      max: 999_999_999_999.99,
      description: "In the document's currency.",
    }).optional(),
  })
  .meta({
    id: 'InstalmentInput',
    description: 'Either percent or amount; the last one may have neither, and is the rest.',
  })

/** `notes` and `externalRef` keep their place in the published description; a text field added to the table comes last. */
const { notes, externalRef, ...addedTexts } = textInputs(HEADER)

const draftFields = {
  clientName: line(120),
  clientNif: line(20).nullable().optional(),
  clientId: PathId.nullable().optional(),
  client: ClientInput.optional(),
  lines: z.array(InvoiceLineInput).min(1).max(MAX_LINES),
  kind: InvoiceKind.optional(),
  series: line(20).nullable().optional(),
  issueDate: businessDate('Default: the day of issue.').nullable().optional(),
  operationDate: businessDate('If not the issue date.').nullable().optional(),
  dueDate: businessDate().nullable().optional(),
  instalments: hideFromTools(
    z.array(InstalmentInput).min(INSTALMENTS.min).max(INSTALMENTS.max).nullable().optional().meta({
      description:
        "In place of dueDate: several due dates. Their sum is what is to be paid after withholding; rounding goes to the last. Default: the contact's terms.",
    }),
  ),
  withholdingPct: decimal(2, {
    min: 0,
    max: 50,
    description: 'IRPF kept back, percent.',
  })
    .nullable()
    .optional(),
  priceMode: z.enum(['net', 'gross']).optional(),
  discountPct: decimal(2, { min: 0, max: 100, description: 'Off the whole document.' }).nullable().optional(),
  discountAmount: decimal(2, {
    min: 0,
    max: 999_999_999,
    description: 'Off the whole document.',
  })
    .nullable()
    .optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional()
    .meta({ description: 'ISO 4217; default EUR. Prices are in it; VAT and books are in euros.' }),
  fxRate: decimal(6, { min: 0.000001, max: 1_000_000, description: 'Units of that currency for 1 EUR.' })
    .nullable()
    .optional(),
  fxDate: businessDate('Day of that rate.').nullable().optional(),
  fxSource: line(60).nullable().optional(),
  rectifies: z.array(InvoiceReferenceInput).max(MAX_REFERENCES).optional(),
  rectification: RectificationInput.nullable().optional(),
  substitutes: z
    .array(InvoiceReferenceInput)
    .max(MAX_REFERENCES)
    .optional()
    .meta({ description: 'Of an F3: the simplified invoices it stands for.' }),
  property: z
    .strictObject({
      situation: z.enum(['1', '2', '3', '4']).meta({
        description:
          '1 with cadastral reference, 2 in the Basque Country or Navarre, 3 without reference, 4 abroad.',
      }),
      cadastralRef: line(25).optional(),
    })
    .nullable()
    .optional()
    .meta({ description: 'Of a rent: the premises.' }),
  simplifiedArt7273: z.boolean().optional().meta({
    description: "Simplified with the customer's data (RD 1619/2012 art. 7.2-3); as F1.",
  }),
  notes,
  language: z.enum(DOCUMENT_LANGUAGES).optional(),
  paymentMethod: PaymentMethod.nullable().optional(),
  externalRef,
  customerReferences: CustomerReferencesInput.nullable().optional(),
  issuedBy: hideFromTools(IssuedByInput.nullable().optional()),
  ...addedTexts,
}

export const DraftInput = z.strictObject(draftFields)
export type DraftInput = z.infer<typeof DraftInput>

/** Content of a draft that a quote stores. */
export const quoteFields = DraftInput.omit(NOT_IN_QUOTES).shape
/** Content of a draft that recurring invoices and templates store. */
export const recurringFields = DraftInput.omit(NOT_IN_RECURRING).shape

/** Data of other programs beside a draft, and how they are stored. */
const programFields = {
  metadata: MetadataInput.optional(),
  uniqueExternalRef: z.boolean().optional().meta({
    description: 'Refuse when another invoice has externalRef; else warn.',
  }),
}

/** Input of a new draft; if it names another draft, it replaces that one, so that a correction leaves no second draft. */
export const NewDraft = z
  .strictObject({
    ...draftFields,
    ...programFields,
    replacesDraft: PathId.optional().meta({
      description: 'Draft to correct: this content takes its place under the same id.',
    }),
  })
  .meta({ id: 'NewInvoiceDraft' })

/** Changes of a draft: each given field replaces the draft's; null clears it. */
export const DraftChanges = z.strictObject({
  ...draftFields,
  clientName: draftFields.clientName.optional(),
  lines: draftFields.lines.optional(),
})
export type DraftChanges = z.infer<typeof DraftChanges>

export const DraftUpdate = z.strictObject({
  id: PathId,
  ...DraftChanges.shape,
  ...programFields,
  expectedVersion: z.int().optional(),
})
