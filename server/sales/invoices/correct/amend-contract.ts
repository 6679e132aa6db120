/** Shapes of an amendment of a registered invoice. */
import { z } from 'zod'
import { businessDate, line } from '../../../domain/contract/fields.ts'
import { IdType } from '../../../catalog/contacts/contract.ts'
import { RegimeKey, Treatment, TreatmentCode } from '../draft/draft-input.ts'
import { ISSUED_BY } from '../limits.ts'

/**
 * Changes of an amendment (subsanacion): facts of the record besides number, date, issuer and amounts. A wrong amount
 * needs a rectifying invoice.
 */
export const AmendChanges = z.strictObject({
  clientName: line(120).optional(),
  clientNif: line(20).optional(),
  clientCountry: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional()
    .meta({ description: 'ISO 3166-1 alpha-2.' }),
  clientIdType: IdType.nullable().optional().meta({ description: 'Null: a Spanish tax number.' }),
  description: line(500).optional(),
  operationDate: businessDate().nullable().optional(),
  issuedBy: z
    .strictObject({
      kind: z.enum(ISSUED_BY).nullable(),
      name: line(120).nullable().optional(),
      nif: line(20).nullable().optional(),
      idType: IdType.nullable().optional(),
      country: z
        .string()
        .regex(/^[A-Z]{2}$/)
        .nullable()
        .optional(),
    })
    .optional()
    .meta({ description: 'Whole; kind null: the company issued it.' }),
  breakdown: z
    .array(
      z.strictObject({
        index: z.int().min(0).max(11).meta({ description: 'Position in taxBreakdown.' }),
        taxTreatment: Treatment.optional().meta({ description: 'Only between treatments without VAT.' }),
        regimeKey: RegimeKey.optional(),
      }),
    )
    .max(12)
    .optional(),
})
export type AmendChanges = z.infer<typeof AmendChanges>

/** Amendable facts of a registration, under the names of AmendChanges. */
export const AmendableFacts = z.strictObject({
  clientName: z.string().optional(),
  clientNif: z.string().optional(),
  clientCountry: z.string().optional(),
  clientIdType: z.enum(IdType.options).nullable().optional(),
  description: z.string(),
  operationDate: z.string().nullable(),
  issuedBy: z.enum(ISSUED_BY).nullable().optional(),
  issuedByName: z.string().nullable().optional(),
  issuedByNif: z.string().nullable().optional(),
  issuedByIdType: z.enum(IdType.options).nullable().optional(),
  issuedByCountry: z.string().nullable().optional(),
  breakdown: z.array(z.strictObject({ taxTreatment: TreatmentCode, regimeKey: z.string().nullable() })),
})
export type AmendableFacts = z.infer<typeof AmendableFacts>
