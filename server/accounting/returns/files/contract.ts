/** Contracts of reading a file made for the tax agency, and of storing it as the return that was filed. */
import { z } from 'zod'
import { defineContract } from '../../../domain/contract/define-contract.ts'
import { businessDate, line, Untrusted } from '../../../domain/contract/fields.ts'
import { FiscalModel, ModelNumber } from '../contract.ts'

/** Body limit: a file of 20 MiB in base64 plus the surrounding JSON. */
const FILE_BODY_MIB = 28
const MAX_BASE64 = 27_962_028

const content = z
  .base64()
  .max(MAX_BASE64)
  .meta({ description: 'The file, in base64; at most 100 KiB of pages, or 20 MiB of records.' })

const BoxKind = z.enum(['amount', 'percent', 'count'])

export const fiscalReadFileContract = defineContract({
  name: 'fiscal.readFile',
  summary: 'Reads a file of a return made for the tax agency, and compares it with the figures here.',
  description: 'Stores nothing. Boxes are compared only if the return is of this company.',
  access: 'person',
  effect: 'read',
  bodyMiB: FILE_BODY_MIB,
  input: z.strictObject({ content }),
  output: z.strictObject({
    model: z.string(),
    year: z.int(),
    period: z.string().meta({ description: '1T to 4T, 01 to 12, or 0A for a year.' }),
    version: z.string().meta({ description: 'The agency’s name of the design of the file.' }),
    kind: z.string().nullable().meta({
      description: 'The agency’s letter of the kind of return, such as I to pay; null without one.',
    }),
    nature: z.enum(['first', 'complementary', 'rectifying', 'substitutive']),
    previous: z.string().nullable().meta({ description: 'Number of the earlier return that it corrects.' }),
    taxNumber: z.string(),
    name: z.string(),
    software: z
      .strictObject({ version: z.string(), nif: z.string() })
      .nullable()
      .meta({ description: 'The program that wrote it, if it says so.' }),
    boxes: z
      .array(
        z.strictObject({
          box: z.string(),
          record: z.string().meta({ description: 'Page or record that states it.' }),
          kind: BoxKind,
          amount: z.number().meta({ description: 'Euros, percent or a count.' }),
        }),
      )
      .meta({ description: 'Boxes that are not zero.' }),
    totals: z
      .array(
        z.strictObject({
          key: z.string(),
          kind: z.enum(['amount', 'count']),
          declared: z.number().meta({ description: 'As the first record states it; euros or a count.' }),
          found: z.number().meta({ description: 'As its records add up.' }),
        }),
      )
      .meta({ description: 'Of a file of records.' }),
    parties: z
      .array(
        z.strictObject({
          record: z.string(),
          taxNumber: z.string(),
          name: z.string(),
          key: z.string(),
          amount: z.number().meta({ description: 'Euros.' }),
        }),
      )
      .meta({ description: 'The first 1,000.' }),
    partyCount: z.int().meta({ description: 'Records of parties in all.' }),
    otherFiler: z.boolean().meta({ description: 'The return is not of this company.' }),
    comparison: z
      .strictObject({
        against: z
          .enum(['filed', 'computed'])
          .meta({ description: 'What was filed for the period, or else what Sello computes now.' }),
        boxes: z.array(
          z.strictObject({
            box: z.string(),
            kind: BoxKind,
            file: z.number(),
            sello: z.number().nullable().meta({ description: 'Null where Sello has no figure.' }),
            differs: z.boolean().meta({ description: 'False also where Sello has no figure.' }),
          }),
        ),
        differences: z.int(),
      })
      .nullable(),
    notCompared: z
      .enum(['other_filer', 'other_model', 'other_period', 'not_computed'])
      .nullable()
      .meta({ description: 'Why nothing is compared.' }),
    canImport: z.boolean().meta({ description: 'It can be stored as the return filed for its period.' }),
    untrusted: Untrusted,
  }),
  errors: ['validation_failed', 'no_file_layout', 'too_busy'],
})

export const fiscalImportFilingContract = defineContract({
  name: 'fiscal.importFiling',
  summary: 'Stores a file that another program made as the return filed for its period.',
  description:
    'Only a return of this company, for a period without a filing in force. Nothing is sent to the tax agency.',
  access: 'person',
  effect: 'write',
  bodyMiB: FILE_BODY_MIB,
  input: z.strictObject({
    content,
    filedOn: businessDate('Day on which it was filed; today when left out.').optional(),
    reference: line(40).optional().meta({ description: 'Number of the receipt.' }),
  }),
  output: z.strictObject({
    number: ModelNumber,
    year: z.int(),
    period: z.string(),
    model: FiscalModel,
  }),
  errors: ['validation_failed', 'no_file_layout', 'already_filed', 'too_busy'],
})
