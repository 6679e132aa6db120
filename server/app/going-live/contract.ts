/** Contracts for copying data from the test book to the live one. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { PathId } from '../../domain/contract/fields.ts'

/** Most invoices offered, last changed first. */
export const INVOICES_OFFERED = 20

const CarryOffer = z
  .strictObject({
    contacts: z.int().meta({ description: 'Contacts of the test book that the live book lacks.' }),
    items: z.int().meta({ description: 'Products and services of the test book that the live book lacks.' }),
    invoices: z
      .array(
        z.strictObject({
          id: z.string(),
          number: z.string().nullable().meta({ description: 'Null for a draft.' }),
          clientName: z.string(),
          total: z.number().meta({ description: 'Euros, tax included.' }),
        }),
      )
      .meta({ description: 'Drafts and issued test invoices, the last changed first.' }),
  })
  .meta({ id: 'CarryOffer' })

export const carryOfferContract = defineContract({
  name: 'goingLive.offer',
  summary: 'What the test book holds that this live book lacks.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: CarryOffer,
  errors: ['not_found'],
})

export const carryContract = defineContract({
  name: 'goingLive.carry',
  summary: 'Copy contacts, items and invoices of the test book into this live book; invoices become drafts.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    contacts: z.boolean().meta({ description: 'All contacts that the live book lacks.' }),
    items: z.boolean().meta({ description: 'All products and services that the live book lacks.' }),
    invoices: z
      .array(PathId)
      .max(INVOICES_OFFERED)
      .meta({ description: 'Drafts or issued invoices of the test book, with their customers and items.' }),
  }),
  output: z.strictObject({
    contacts: z.int().meta({ description: 'Contacts added.' }),
    items: z.int().meta({ description: 'Items added.' }),
    drafts: z.array(z.strictObject({ from: z.string(), id: z.string() })),
  }),
  errors: ['not_found', 'validation_failed'],
})
