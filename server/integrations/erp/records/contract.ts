/** Contract of the records read from an accounting system: lists, links to contacts, copies. */
import { z } from 'zod'
import { defineContract } from '../../../domain/contract/define-contract.ts'
import { businessDate, decimal, euros, Instant, PathId } from '../../../domain/contract/fields.ts'
import { ReceivedInput } from '../../../purchases/invoices/contract.ts'
import { LINK_FIELDS } from './link-fields.ts'

const money = (description: string) =>
  z.number().meta({ description: `${description} In the currency of the document.` })

const Link = z
  .strictObject({ contactId: z.string(), name: z.string() })
  .meta({ description: 'A contact of this book.' })

export const ErpContact = z
  .strictObject({
    id: z.string(),
    externalId: z.string(),
    name: z.string(),
    tradeName: z.string().nullable(),
    taxId: z.string().nullable(),
    country: z.string().nullable(),
    isClient: z.boolean(),
    isSupplier: z.boolean(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    iban: z.string().nullable(),
    address: z
      .strictObject({
        street: z.string().nullable(),
        postalCode: z.string().nullable(),
        city: z.string().nullable(),
        province: z.string().nullable(),
        country: z.string().nullable(),
      })
      .nullable(),
    archived: z.boolean(),
    missingSince: Instant.nullable(),
    changedAt: Instant,
    link: Link.nullable(),
    warnings: z.array(z.string()),
    untrusted: z.literal(true),
  })
  .meta({ id: 'ErpContact', description: 'A contact of the accounting system.' })
export type ErpContact = z.infer<typeof ErpContact>

const listFields = {
  connectionId: PathId.optional().meta({ description: 'Default: the connection of now, else the last one.' }),
  text: z.string().max(100).optional(),
  missing: z.boolean().optional().meta({ description: 'Only those not there any more, or only the others.' }),
}
const byCursor = { limit: z.int().min(1).max(100).optional(), cursor: z.string().max(400).optional() }
const byPlace = {
  offset: z.int().min(0).max(10_000_000).optional(),
  limit: z.int().min(0).max(500).optional(),
}

const contactFilter = {
  ...listFields,
  role: z.enum(['client', 'supplier']).optional(),
  linked: z.boolean().optional(),
}

export const listErpContactsContract = defineContract({
  name: 'erp.contacts',
  summary: 'Contacts of the accounting system as last read, by name.',
  access: 'integrations.read',
  effect: 'read',
  rest: { method: 'GET', path: '/integrations/erp/contacts' },
  input: z.strictObject({ ...contactFilter, ...byCursor }),
  output: z.strictObject({ items: z.array(ErpContact), nextCursor: z.string().nullable() }),
  errors: ['validation_failed', 'not_found'],
})

const docKind = z.enum(['invoice', 'simplified', 'rectifying', 'refund'])

const documentFields = {
  id: z.string(),
  externalId: z.string(),
  externalKind: z.string(),
  side: z.enum(['issued', 'received']),
  kind: docKind,
  number: z.string().nullable().meta({ description: "Own number, or the supplier's; null while a draft." }),
  issueDate: businessDate().nullable(),
  dueDate: businessDate().nullable(),
  partyName: z.string(),
  partyTaxId: z.string().nullable(),
  currency: z.string(),
  net: money('Without taxes.'),
  tax: money('VAT.'),
  surcharge: money('Equivalence surcharge.'),
  withholding: money('Kept back.'),
  total: money('What is paid: net + VAT + surcharge - withholding.'),
  pending: money('Still to pay.').nullable(),
  totalEuros: euros('Total by the rate of the document; null when that is not known.').nullable(),
  state: z.enum(['draft', 'approved', 'cancelled']),
  payment: z.enum(['unpaid', 'partial', 'paid', 'unknown']),
  amountCheck: z.enum(['ok', 'failed', 'skipped']).meta({ description: 'Whether its own sums agree.' }),
  missingSince: Instant.nullable(),
  changedAt: Instant,
  here: z
    .strictObject({ type: z.enum(['invoice', 'received']), id: z.string(), label: z.string() })
    .nullable()
    .meta({
      description:
        'What there is of it in this book: a draft or invoice made of it, or the same received invoice.',
    }),
  warnings: z.array(z.string()),
  untrusted: z.literal(true),
}

export const ErpDocument = z
  .strictObject(documentFields)
  .meta({ id: 'ErpDocument', description: 'An invoice of the accounting system: no part of the books here.' })
export type ErpDocument = z.infer<typeof ErpDocument>

const ErpDocumentDetail = z
  .strictObject({
    ...documentFields,
    description: z.string().nullable(),
    fxRate: z.string().nullable().meta({ description: 'Units of the currency for 1 EUR.' }),
    paid: money('Paid.').nullable(),
    contact: z.strictObject({ id: z.string(), name: z.string() }).nullable(),
    lines: z.array(
      z.strictObject({
        description: z.string(),
        quantity: z.number(),
        unitPrice: z.number(),
        discountPct: z.number(),
        vatRate: z.number().nullable(),
        surchargeRate: z.number().nullable(),
        withholdingRate: z.number().nullable(),
        net: z.number(),
      }),
    ),
  })
  .meta({ id: 'ErpDocumentDetail' })
const documentFilter = {
  ...listFields,
  side: z.enum(['issued', 'received']),
  state: z.enum(['draft', 'approved', 'cancelled']).optional(),
  from: businessDate().optional(),
  to: businessDate().optional(),
  here: z
    .boolean()
    .optional()
    .meta({ description: 'Only those that stand in this book too, or only the others.' }),
}

const DocumentTotals = z.strictObject({
  count: z.int(),
  net: euros('Without drafts, cancelled ones and those without a rate.'),
  tax: euros('VAT and surcharge of the same.'),
  total: euros('Total of the same.'),
  withoutRate: z.int().meta({ description: 'Left out: in another currency, without a rate.' }),
})

export const listErpDocumentsContract = defineContract({
  name: 'erp.documents',
  summary: 'Invoices of the accounting system as last read, newest first.',
  access: 'integrations.read',
  effect: 'read',
  rest: { method: 'GET', path: '/integrations/erp/documents' },
  input: z.strictObject({ ...documentFilter, ...byCursor, totals: z.boolean().optional() }),
  output: z.strictObject({
    items: z.array(ErpDocument),
    nextCursor: z.string().nullable(),
    totals: DocumentTotals.optional(),
  }),
  errors: ['validation_failed', 'not_found'],
})

export const windowErpDocumentsContract = defineContract({
  name: 'erp.windowDocuments',
  summary: 'A stretch of the invoices of the accounting system by position, with totals.',
  access: 'integrations.read',
  effect: 'read',
  input: z.strictObject({ ...documentFilter, ...byPlace, summary: z.boolean().optional() }),
  output: z.strictObject({ items: z.array(ErpDocument), offset: z.int(), totals: DocumentTotals.optional() }),
  errors: ['validation_failed', 'not_found'],
})

export const getErpDocumentContract = defineContract({
  name: 'erp.document',
  summary: 'An invoice of the accounting system with its lines.',
  access: 'integrations.read',
  effect: 'read',
  rest: { method: 'GET', path: '/integrations/erp/documents/:id' },
  input: z.strictObject({ id: PathId }),
  output: ErpDocumentDetail,
  errors: ['not_found'],
})

export const ErpItem = z
  .strictObject({
    id: z.string(),
    externalId: z.string(),
    kind: z.enum(['product', 'service', 'variant']),
    name: z.string(),
    sku: z.string().nullable(),
    barcode: z.string().nullable(),
    unitPrice: decimal(6, { max: 999_999_999, description: 'Without tax.' }).nullable(),
    currency: z.string(),
    vatRate: z.number().nullable(),
    archived: z.boolean(),
    missingSince: Instant.nullable(),
    untrusted: z.literal(true),
  })
  .meta({ id: 'ErpItem', description: 'A product or service of the accounting system.' })
export type ErpItem = z.infer<typeof ErpItem>

export const listErpItemsContract = defineContract({
  name: 'erp.items',
  summary: 'Products and services of the accounting system as last read, by name.',
  access: 'integrations.read',
  effect: 'read',
  rest: { method: 'GET', path: '/integrations/erp/items' },
  input: z.strictObject({ ...listFields, ...byCursor }),
  output: z.strictObject({ items: z.array(ErpItem), nextCursor: z.string().nullable() }),
  errors: ['validation_failed', 'not_found'],
})

/** The window's lists: by position, so that a scroll bar can jump. */
export const windowErpItemsContract = defineContract({
  name: 'erp.windowItems',
  summary: 'A stretch of the products and services by position.',
  access: 'integrations.read',
  effect: 'read',
  input: z.strictObject({ ...listFields, ...byPlace }),
  output: z.strictObject({ items: z.array(ErpItem), offset: z.int(), count: z.int() }),
  errors: ['validation_failed', 'not_found'],
})

export const LinkField = z.enum(LINK_FIELDS)
export type LinkField = z.infer<typeof LinkField>

/** Relation of an external contact to the contacts here. */
export const Matching = z.enum(['linked', 'same_tax_id', 'new', 'conflict']).meta({
  description:
    'linked; same_tax_id: one contact here has its number; new: none has; conflict: several here have it, or several there share it.',
})
export type Matching = z.infer<typeof Matching>

const Differences = z.array(
  z.strictObject({ field: LinkField, here: z.string().nullable(), there: z.string().nullable() }),
)

export const Comparison = z
  .strictObject({
    erp: ErpContact,
    matching: Matching,
    candidates: z.array(Link).meta({ description: 'Contacts here with the same tax number, ten at most.' }),
    differences: Differences.meta({
      description: 'Against the linked contact, or the only candidate. Nothing changes by itself.',
    }),
  })
  .meta({ id: 'ErpComparison' })
export type Comparison = z.infer<typeof Comparison>

export const compareContactsContract = defineContract({
  name: 'erp.compareContacts',
  summary:
    'Contacts there beside contacts here: what is linked, what could be, and what differs. Nothing is changed.',
  access: 'integrations.read',
  effect: 'read',
  input: z.strictObject({ ...contactFilter, matching: Matching.optional(), ...byPlace }),
  output: z.strictObject({
    items: z.array(Comparison),
    offset: z.int(),
    count: z.int(),
    counts: z.strictObject({ linked: z.int(), same_tax_id: z.int(), new: z.int(), conflict: z.int() }),
  }),
  errors: ['validation_failed', 'not_found'],
})

export const compareWithContract = defineContract({
  name: 'erp.compareWith',
  summary: 'What differs between a contact there and any contact here. Nothing is changed.',
  access: 'integrations.read',
  effect: 'read',
  input: z.strictObject({ id: PathId, contactId: PathId }),
  output: z.strictObject({ differences: Differences }),
  errors: ['not_found'],
})

export const linkContactsContract = defineContract({
  name: 'erp.linkContacts',
  summary: 'Link contacts there to contacts here, make new ones of them, or unlink them.',
  description: 'A contact here changes only in the fields named in `take`.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    items: z
      .array(
        z.strictObject({
          id: PathId.meta({ description: 'Of the contact there.' }),
          action: z.enum(['link', 'create', 'unlink']),
          contactId: PathId.optional().meta({
            description: 'To link to. Default: the only one with its number.',
          }),
          take: z.array(LinkField).max(LINK_FIELDS.length).optional(),
        }),
      )
      .min(1)
      .max(200),
  }),
  output: z.strictObject({
    linked: z.int(),
    created: z.int(),
    unlinked: z.int(),
    changed: z.int().meta({ description: 'Contacts here that took fields.' }),
    failed: z.array(z.strictObject({ id: z.string(), code: z.string(), message: z.string() })),
    done: z.array(z.strictObject({ id: z.string(), contactId: z.string(), wasCreated: z.boolean() })),
  }),
  errors: ['validation_failed', 'not_found'],
})

export const copyDocumentContract = defineContract({
  name: 'erp.copy',
  summary:
    'Copy an invoice of the accounting system: an issued one becomes a draft here, a received one a proposal to enter.',
  description:
    'A draft is made without number and date of its own; a proposal is answered and nothing is written until it is entered.',
  access: 'invoices.write',
  effect: 'write',
  bringsNew: true,
  rest: { method: 'POST', path: '/integrations/erp/documents/:id/copy' },
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({
    type: z.enum(['invoice', 'received']),
    invoiceId: z.string().nullable().meta({ description: 'Of the draft.' }),
    proposal: ReceivedInput.nullable().meta({ description: 'Input of POST /received-invoices.' }),
    notes: z
      .array(
        z.enum(['lines_summed', 'rate_missing', 'contact_unlinked', 'withholding_differs', 'totals_differ']),
      )
      .meta({ description: 'What to look at.' }),
  }),
  errors: ['not_found', 'erp_document_unreadable', 'validation_failed'],
})
