/** Contract of the series of invoice numbers. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { Instant, line, PathId } from '../../domain/contract/fields.ts'
import { SeriesKind } from '../contract.ts'

const SeriesPurpose = z
  .enum(['general', 'recipient', 'third_party', 'forced_sale', 'reverse_charge', 'vat_group'])
  .meta({
    description:
      'What it is kept apart for (RD 1619/2012 art. 6.1.a): invoices made by the customer or by a third party, sales under forced procedures, reverse charge of art. 84.Uno.2.g LIVA, VAT groups (art. 61 quinquies RIVA).',
  })
const StartNumber = z.int().min(1).max(9_999_999)

export const Series = z
  .strictObject({
    id: z.string(),
    code: z.string(),
    kind: SeriesKind,
    purpose: SeriesPurpose,
    yearly: z.boolean().meta({ description: 'Begins anew each year, under the code of that year.' }),
    isDefault: z.boolean().meta({ description: 'Used for its kind when none is named.' }),
    archived: z.boolean().meta({ description: 'Gives no more numbers.' }),
    note: z.string().nullable(),
    nextNumber: z.int(),
    nextPrintedNumber: z.string(),
    issued: z.int().meta({ description: 'Numbers given so far.' }),
    canRestart: z.boolean().meta({ description: 'No number was given yet: where it begins can be chosen.' }),
    createdAt: Instant,
  })
  .meta({ id: 'Series' })
export type Series = z.infer<typeof Series>

export const listSeriesContract = defineContract({
  name: 'series.list',
  summary: 'The series of the book with their next numbers.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/series' },
  input: z.strictObject({}),
  output: z.strictObject({ items: z.array(Series) }),
  errors: [],
})

export const createSeriesContract = defineContract({
  name: 'series.create',
  summary: 'Add a series. Where it begins can be chosen until its first number is given.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/series', status: 201 },
  input: z.strictObject({
    code: z
      .string()
      .regex(/^[A-Za-z0-9{][A-Za-z0-9/_{}-]{0,16}$/)
      .meta({
        description:
          'Up to 15 letters, digits, hyphens, slashes or underscores. With {YYYY} in place of a year it begins anew each year. A test book puts T- before it.',
      }),
    kind: SeriesKind,
    startNumber: StartNumber.optional(),
    purpose: SeriesPurpose.optional(),
    yearly: z
      .boolean()
      .optional()
      .meta({ description: 'The code holds the current year, and the next year gets a series of its own.' }),
    isDefault: z.boolean().optional(),
    note: line(120).nullable().optional(),
  }),
  output: Series,
  errors: ['validation_failed'],
})

export const updateSeriesContract = defineContract({
  name: 'series.update',
  summary:
    'Change a series: where it begins (before its first number), whether it is the usual one, whether it is still used.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'PATCH', path: '/series/:id' },
  input: z.strictObject({
    id: PathId,
    startNumber: StartNumber.optional().meta({
      description: 'The number of its first invoice: after the last one issued with another program.',
    }),
    isDefault: z.boolean().optional(),
    archived: z.boolean().optional(),
    note: line(120).nullable().optional(),
  }),
  output: Series,
  errors: ['not_found', 'series_started', 'series_needed', 'validation_failed'],
})
