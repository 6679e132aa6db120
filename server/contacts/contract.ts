/** Contacts (customers and suppliers) as outsiders see them. */
import { z } from 'zod'
import { defineContract, euros, FaultShape, Instant, line, PathId } from '../core/contract.ts'
import { Address } from '../company/contract.ts'

/** How a customer without a Spanish NIF is identified, in the registry's codes. */
export const IdType = z.enum(['02', '03', '04', '05', '06', '07']).meta({
  description:
    '02 EU VAT number, 03 passport, 04 official foreign document, 05 residence certificate, 06 other, 07 not in the census.',
})
export type IdType = z.infer<typeof IdType>

const fields = {
  name: line(120),
  nif: line(20).nullable().optional(),
  idType: IdType.nullable().optional(),
  address: Address.nullable().optional(),
  email: z.email().max(120).nullable().optional(),
  phone: line(40).nullable().optional(),
  surcharge: z
    .boolean()
    .optional()
    .meta({ description: 'The customer is a retailer under the equivalence surcharge.' }),
  withholdingPct: z.number().min(0).max(50).nullable().optional(),
  paymentDays: z.int().min(0).max(365).nullable().optional(),
  language: z.enum(['es', 'en']).nullable().optional(),
  notes: line(500, 0).nullable().optional(),
}

export const Contact = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    nif: z.string().nullable(),
    idType: IdType.nullable(),
    address: Address.nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    surcharge: z.boolean(),
    withholdingPct: z.number().nullable(),
    paymentDays: z.int().nullable(),
    language: z.enum(['es', 'en']).nullable(),
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
  summary: 'Contacts by name, NIF or e-mail.',
  access: 'invoices.read',
  effect: 'read',
  input: z.strictObject({
    text: z.string().max(100).optional(),
    sort: z.enum(['name', '-lastUsed']).optional(),
    limit: z.int().min(1).max(200).optional(),
    offset: z.int().min(0).optional(),
  }),
  output: z.strictObject({ items: z.array(ContactRow), count: z.int() }),
  errors: [],
})

export const getContactContract = defineContract({
  name: 'contacts.get',
  summary: 'One contact with what it has been invoiced.',
  access: 'invoices.read',
  effect: 'read',
  input: z.strictObject({ id: PathId }),
  output: ContactRow,
  errors: ['not_found'],
})

const WithWarnings = z.strictObject({
  contact: Contact,
  warnings: z.array(FaultShape),
})

export const createContactContract = defineContract({
  name: 'contacts.create',
  summary: 'Add a contact.',
  access: 'invoices.write',
  effect: 'write',
  input: z.strictObject(fields),
  output: WithWarnings,
  errors: ['validation_failed'],
})

export const updateContactContract = defineContract({
  name: 'contacts.update',
  summary: 'Change a contact. Issued invoices keep the data they were issued with.',
  access: 'invoices.write',
  effect: 'write',
  input: z.strictObject({
    id: PathId,
    ...fields,
    name: line(120).optional(),
    expectedVersion: z.int().optional(),
  }),
  output: WithWarnings,
  errors: ['not_found', 'version_conflict'],
})

export const deleteContactContract = defineContract({
  name: 'contacts.delete',
  summary: 'Remove a contact. Issued invoices are not touched.',
  access: 'invoices.write',
  effect: 'write',
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ deleted: z.literal(true) }),
  errors: ['not_found', 'contact_in_use'],
})

export const contactContracts = [
  listContactsContract,
  getContactContract,
  createContactContract,
  updateContactContract,
  deleteContactContract,
] as const
