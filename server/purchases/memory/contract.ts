/** Contracts of what is remembered of a supplier's documents: shown at its contact, and erased there. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { Instant, PathId } from '../../domain/contract/fields.ts'
import { PLACED_FIELDS, USUAL_FIELDS } from './shape.ts'

const documents = z.int().meta({ description: 'Documents entered one after the other without a correction.' })
const isSure = z.boolean().meta({ description: 'Often enough for the value to count as known.' })

export const SupplierMemoryView = z
  .strictObject({
    nif: z.string(),
    name: z.string().nullable(),
    documents: z.int().meta({ description: 'Documents learned from.' }),
    updatedAt: Instant,
    places: z
      .array(
        z.strictObject({
          field: z.enum(PLACED_FIELDS),
          label: z.string().meta({ description: 'The words at which the value stands.' }),
          shapes: z.array(z.string()).meta({
            description: 'Forms of the value: `#` for a digit, `@` for a letter, and as printed otherwise.',
          }),
          documents,
          isSure,
        }),
      )
      .meta({ description: 'Where fields stand on the paper.' }),
    usual: z
      .array(z.strictObject({ field: z.enum(USUAL_FIELDS), value: z.string(), documents, isSure }))
      .meta({ description: 'Values that its documents usually have.' }),
    rates: z.array(z.number()).meta({ description: 'VAT rates in percent.' }),
    ibans: z.array(z.strictObject({ iban: z.string(), documents: z.int(), lastOn: z.string() })),
    fields: z
      .array(
        z.strictObject({
          field: z.string(),
          shown: z.int(),
          sure: z.int().meta({ description: 'Shown as proven or known.' }),
          corrected: z.int(),
          sureCorrected: z.int().meta({ description: 'Corrected although shown as sure.' }),
        }),
      )
      .meta({ description: 'How often each field was read, and corrected by a person.' }),
  })
  .meta({ id: 'SupplierMemory' })
export type SupplierMemoryView = z.infer<typeof SupplierMemoryView>

const id = PathId.meta({
  description: 'A contact, or the tax number of a supplier that is none.',
})

export const supplierMemoryContract = defineContract({
  name: 'received.memory',
  summary: "What is remembered of a supplier's documents; null if nothing is.",
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/contacts/:id/purchase-memory' },
  input: z.strictObject({ id }),
  output: z.strictObject({ memory: SupplierMemoryView.nullable() }),
  errors: ['not_found'],
})

export const forgetSupplierContract = defineContract({
  name: 'received.forget',
  summary: "Erase what is remembered of a supplier's documents. Entered documents stay.",
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'DELETE', path: '/contacts/:id/purchase-memory' },
  input: z.strictObject({ id }),
  output: z.strictObject({ erased: z.boolean() }),
  errors: ['not_found'],
})
