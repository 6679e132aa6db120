/** Contract of contacts (customers and suppliers). */
import { z } from 'zod'
import { Address } from '../../company/contract.ts'
import { defineContract } from '../../domain/contract/define-contract.ts'
import {
  ChosenIds,
  decimal,
  euros,
  FaultShape,
  Instant,
  line,
  MetadataInput,
  MetadataOutput,
  PathId,
  StreamAnswer,
  UpdatedSince,
} from '../../domain/contract/fields.ts'
import { INSTALMENTS, MAX_TERM } from '../../domain/tax/instalments.ts'
import { DOCUMENT_LANGUAGES } from '../../domain/languages.ts'
import { TAX_TREATMENTS } from '../../domain/tax/totals.ts'
import { PAYMENT_METHODS } from '../../domain/payment-methods.ts'

/** Kind of identification of a customer without a Spanish NIF, in the registry's codes. */
export const IdType = z.enum(['02', '03', '04', '05', '06', '07']).meta({
  description:
    '02 EU VAT number, 03 passport, 04 foreign document, 05 residence certificate, 06 other, 07 not in the census.',
})
export type IdType = z.infer<typeof IdType>

const Roles = z
  .strictObject({ customer: z.boolean(), supplier: z.boolean() })
  .meta({ description: 'Whether it buys, sells, or both.' })

const PaymentMethod = z.enum(PAYMENT_METHODS)

/** Default taxation of operations with a contact. */
const VatDefault = z
  .strictObject({
    taxTreatment: z.enum(TAX_TREATMENTS),
    cause: z
      .string()
      .regex(/^[a-z0-9_]{2,40}$/)
      .nullable()
      .optional()
      .meta({ description: 'A code of GET /tax/causes.' }),
  })
  .meta({ description: 'How operations with it are usually taxed, when not like any sale.' })

/** What can go along with the PDF of an invoice by mail. */
export const INVOICE_ENCLOSURES = ['facturae', 'ubl25', 'ubl', 'cii', 'reply_page'] as const
export type InvoiceEnclosure = (typeof INVOICE_ENCLOSURES)[number]

const InvoiceEnclosures = z.array(z.enum(INVOICE_ENCLOSURES)).max(INVOICE_ENCLOSURES.length)

const Dir3Code = z.string().regex(/^[A-Z0-9]{9}$/i)

/** The offices of a public body. Source: Orden HAP/1074/2014, directory DIR3. */
export const Dir3 = z
  .strictObject({
    accountingOffice: Dir3Code,
    managingBody: Dir3Code,
    processingUnit: Dir3Code,
    proposingBody: Dir3Code.optional().meta({ description: 'If asked for.' }),
  })
  .meta({ description: 'Offices of a public body in DIR3, such as L01280796.' })
export type Dir3 = z.infer<typeof Dir3>

const ContactKind = z.enum(['natural', 'legal'])

export const PaymentTermShape = z
  .strictObject({
    days: z.int().min(0).max(MAX_TERM).meta({ description: 'After the issue.' }),
    percent: decimal(2, {
      min: 0.01,
      max: 100,
      description: 'Without: the last one the rest, or all of them equal parts.',
    }).optional(),
  })
  .meta({ id: 'PaymentTerm' })

const fields = {
  name: line(120),
  tradeName: line(120).nullable().optional(),
  kind: ContactKind.nullable()
    .optional()
    .meta({ description: 'Natural or legal person. Default: as the NIF says.' }),
  isBusiness: z
    .boolean()
    .nullable()
    .optional()
    .meta({ description: 'Acts as a business; null while nobody has said. An entity does by default.' }),
  roles: Roles.optional(),
  iban: line(42).nullable().optional(),
  paymentMethod: PaymentMethod.nullable().optional(),
  vatDefault: VatDefault.nullable().optional(),
  dir3: Dir3.nullable().optional(),
  tags: z.array(line(30)).max(20).optional(),
  externalRefs: z.array(line(60)).max(20).optional().meta({ description: 'How other programs call it.' }),
  uniqueExternalRef: z.boolean().optional().meta({
    description:
      'Refuse with `external_ref_taken` when another contact has one of externalRefs. Without it that is a warning.',
  }),
  metadata: MetadataInput.optional(),
  nif: line(20).nullable().optional(),
  idType: IdType.nullable().optional(),
  address: Address.nullable().optional(),
  email: z.email().max(120).nullable().optional(),
  phone: line(40).nullable().optional(),
  surcharge: z
    .boolean()
    .optional()
    .meta({ description: 'The customer is a retailer under the equivalence surcharge.' }),
  remindersOff: z.boolean().optional().meta({ description: 'No planned payment reminders.' }),
  invoiceEnclosures: InvoiceEnclosures.optional().meta({
    description:
      'How it receives invoices by mail: what goes along with the PDF, which has the data of EN 16931 in it. facturae, cii, ubl: as a file; reply_page: the page with which it can answer.',
  }),
  withholdingPct: z.number().min(0).max(50).nullable().optional(),
  paymentDays: z.int().min(0).max(365).nullable().optional(),
  paymentTerms: z
    .array(PaymentTermShape)
    .min(INSTALMENTS.min)
    .max(INSTALMENTS.max)
    .nullable()
    .optional()
    .meta({
      description:
        'Usual instalments, in place of paymentDays: "30, 60 and 90 days" or "50 % now, 50 % at 30 days".',
    }),
  language: z.enum(DOCUMENT_LANGUAGES).nullable().optional(),
  notes: line(500, 0).nullable().optional(),
}

export const Contact = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    tradeName: z.string().nullable(),
    nif: z.string().nullable(),
    kind: ContactKind.nullable(),
    isBusiness: z.boolean().nullable(),
    roles: Roles,
    idType: IdType.nullable(),
    address: Address.nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    iban: z.string().nullable(),
    paymentMethod: PaymentMethod.nullable(),
    vatDefault: VatDefault.nullable(),
    dir3: Dir3.nullable(),
    tags: z.array(z.string()),
    externalRefs: z.array(z.string()),
    metadata: MetadataOutput,
    surcharge: z.boolean(),
    remindersOff: z.boolean(),
    invoiceEnclosures: InvoiceEnclosures.meta({
      description: 'How it receives invoices by mail: what goes along with the PDF.',
    }),
    withholdingPct: z.number().nullable(),
    paymentDays: z.int().nullable(),
    paymentTerms: z.array(PaymentTermShape).nullable().meta({ description: 'Usual instalments.' }),
    language: z.enum(DOCUMENT_LANGUAGES).nullable(),
    notes: z.string().nullable(),
    version: z.int(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Contact' })
export type Contact = z.infer<typeof Contact>

export const ContactRow = z.strictObject({
  ...Contact.shape,
  invoices: z.int(),
  invoiced: euros('Issued to this contact in total.'),
  owed: euros('Issued and not collected.'),
  lastInvoiceOn: z.string().nullable(),
})
export type ContactRow = z.infer<typeof ContactRow>

export const listContactsContract = defineContract({
  name: 'contacts.list',
  summary: 'Contacts by name, NIF, e-mail or telephone.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/contacts' },
  input: z.strictObject({
    text: z.string().max(100).optional(),
    role: z.enum(['customer', 'supplier']).optional(),
    tag: line(30).optional(),
    nif: line(20).optional(),
    externalRef: line(60).optional().meta({ description: 'One of its externalRefs, whole.' }),
    updatedSince: UpdatedSince.optional(),
    sort: z.enum(['name', '-lastUsed']).optional(),
    limit: z.int().min(1).max(200).optional(),
    cursor: z.string().max(400).optional(),
    offset: z.int().min(0).optional().meta({ description: 'By position, in place of a cursor.' }),
  }),
  output: z.strictObject({
    items: z.array(ContactRow),
    count: z.int().meta({ description: 'Of the whole filter.' }),
    nextCursor: z.string().nullable(),
  }),
  errors: ['validation_failed'],
})

export const exportContactsContract = defineContract({
  name: 'contacts.export',
  summary: 'Contacts with what each owes as a CSV file, by name.',
  description:
    'UTF-8 with its mark, semicolons and decimal commas, as a Spanish spreadsheet opens it. The titles are those of the import.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'POST', path: '/contacts/export' },
  media: 'text/csv; charset=utf-8',
  input: z.strictObject({
    ids: ChosenIds,
    text: z.string().max(100).optional(),
    role: z.enum(['customer', 'supplier']).optional(),
    tag: line(30).optional(),
  }),
  output: StreamAnswer,
  errors: ['validation_failed', 'not_found'],
})

export const getContactContract = defineContract({
  name: 'contacts.get',
  summary: 'One contact with what it has been invoiced.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/contacts/:id' },
  input: z.strictObject({ id: PathId }),
  output: ContactRow,
  errors: ['not_found'],
})

const WithWarnings = z.strictObject({
  ...Contact.shape,
  warnings: z.array(FaultShape).meta({ description: 'What to look at again.' }),
})

export const createContactContract = defineContract({
  name: 'contacts.create',
  summary: 'Add a contact.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/contacts', status: 201, location: '/contacts/{id}' },
  input: z.strictObject(fields),
  output: WithWarnings,
  errors: ['validation_failed', 'external_ref_taken'],
})

export const updateContactContract = defineContract({
  name: 'contacts.update',
  summary: 'Change a contact. Issued invoices keep the data they were issued with.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'PATCH', path: '/contacts/:id' },
  input: z.strictObject({
    id: PathId,
    ...fields,
    name: line(120).optional(),
    expectedVersion: z.int().optional(),
  }),
  output: WithWarnings,
  errors: ['validation_failed', 'not_found', 'version_conflict', 'external_ref_taken'],
})

export const deleteContactContract = defineContract({
  name: 'contacts.delete',
  summary: 'Remove a contact. Issued invoices are not touched.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'DELETE', path: '/contacts/:id' },
  input: z.strictObject({ id: PathId, expectedVersion: z.int().optional() }),
  output: z.strictObject({ deleted: z.literal(true) }),
  errors: ['not_found', 'version_conflict', 'contact_in_use'],
})

export const contactChecksContract = defineContract({
  name: 'contacts.checks',
  summary: 'What VIES and the census answered of a contact the last time they were asked.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/contacts/:id/checks' },
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({
    vies: z
      .strictObject({
        vatNumber: z.string(),
        valid: z.boolean(),
        name: z.string().nullable(),
        consultationNumber: z.string().nullable(),
        checkedAt: Instant,
      })
      .nullable(),
    census: z
      .strictObject({
        nif: z.string(),
        result: z.enum(['identified', 'similar', 'not_identified', 'inactive', 'revoked']),
        censusName: z.string().nullable(),
        checkedAt: Instant,
      })
      .nullable(),
  }),
  errors: ['not_found'],
})

export const DuplicateReason = z.enum([
  'same_nif',
  'same_name',
  'same_email',
  'same_phone',
  'same_iban',
  'similar_name',
])
export type DuplicateReason = z.infer<typeof DuplicateReason>

const Twin = z.strictObject({
  id: z.string(),
  name: z.string(),
  nif: z.string().nullable(),
  email: z.string().nullable(),
  city: z.string().nullable(),
})

export const listDuplicatesContract = defineContract({
  name: 'contacts.duplicates',
  summary: 'Pairs of contacts that look like one and the same, with the reasons; the surest first.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/contacts/duplicates' },
  input: z.strictObject({
    limit: z.int().min(1).max(200).optional(),
    cursor: z.string().max(400).optional(),
  }),
  output: z.strictObject({
    items: z.array(z.strictObject({ first: Twin, second: Twin, reasons: z.array(DuplicateReason) })),
    nextCursor: z.string().nullable(),
    count: z.int().meta({ description: 'Pairs in total.' }),
  }),
  errors: [],
})

/** Fields that a merge may take from the removed contact. */
export const MERGE_FIELDS = [
  'name',
  'tradeName',
  'nif',
  'address',
  'email',
  'phone',
  'iban',
  'paymentMethod',
  'paymentDays',
  'paymentTerms',
  'withholdingPct',
  'surcharge',
  'vatDefault',
  'dir3',
  'language',
  'notes',
] as const

export const mergeContactsContract = defineContract({
  name: 'contacts.merge',
  summary: 'Make two entries of the same contact one. Issued invoices keep what they say; it can be undone.',
  description:
    'What `id` does not have is filled from `otherId`; `take` names what to take from the other although both have it. Drafts, quotes, received invoices, payments, mandates and the rest of the other are moved, and its identifier leads to the one that stays.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/contacts/:id/merge' },
  input: z.strictObject({
    id: PathId,
    otherId: PathId,
    take: z.array(z.enum(MERGE_FIELDS)).max(20).optional(),
  }),
  output: z.strictObject({
    contact: Contact,
    mergeId: z.string(),
    moved: z.record(z.string(), z.int()).meta({ description: 'Rows that were moved, by what they are.' }),
  }),
  errors: ['validation_failed', 'not_found'],
})

export const undoMergeContract = defineContract({
  name: 'contacts.undoMerge',
  summary: 'Take a merge back: two entries again, each with what was its own.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/contacts/merges/:id/undo' },
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ kept: Contact, restored: Contact }),
  errors: ['not_found', 'merge_superseded'],
})

export const keepApartContract = defineContract({
  name: 'contacts.keepApart',
  summary: 'Two contacts that look alike are not the same: they are not shown as duplicates again.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/contacts/:id/keep-apart' },
  input: z.strictObject({ id: PathId, otherId: PathId, apart: z.boolean().optional() }),
  output: z.strictObject({ apart: z.boolean() }),
  errors: ['not_found'],
})
