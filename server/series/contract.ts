/** Series of invoice numbers as outsiders see them. */
import { z } from 'zod'
import { defineContract, Instant } from '../core/contract.ts'
import { SeriesKind } from '../company/contract.ts'

export const Series = z
  .strictObject({
    id: z.string(),
    code: z.string(),
    kind: SeriesKind,
    nextNumber: z.int(),
    nextPrintedNumber: z.string(),
    issued: z.int().meta({ description: 'Numbers given so far.' }),
    createdAt: Instant,
  })
  .meta({ id: 'Series' })
export type Series = z.infer<typeof Series>

export const listSeriesContract = defineContract({
  name: 'series.list',
  summary: 'The series of the book with their next numbers.',
  access: 'invoices.read',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({ items: z.array(Series) }),
  errors: [],
})

export const createSeriesContract = defineContract({
  name: 'series.create',
  summary: 'Add a series. The start number can be chosen only now.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    code: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9/_-]{0,14}$/),
    kind: SeriesKind,
    startNumber: z.int().min(1).max(9_999_999).optional(),
  }),
  output: Series,
  errors: ['validation_failed'],
})

export const seriesContracts = [listSeriesContract, createSeriesContract] as const
