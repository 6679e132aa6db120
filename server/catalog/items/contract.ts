/** Contract of items (products and services). */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import {
  ChosenIds,
  decimal,
  FaultShape,
  Instant,
  line,
  MetadataInput,
  MetadataOutput,
  paragraph,
  PathId,
  StreamAnswer,
  UpdatedSince,
} from '../../domain/contract/fields.ts'
import { LINE_SUPPLIES } from '../../domain/tax/line-supply.ts'
import { TAX_TREATMENTS } from '../../domain/tax/totals.ts'

const SUPPLY_TEXT = 'What its lines sell; some registries list goods and services apart.'

const fields = {
  sku: line(40).nullable().optional().meta({ description: 'Your own code; one item has it.' }),
  name: line(120),
  description: paragraph(500)
    .nullable()
    .optional()
    .meta({ description: 'What the line of an invoice says. Default: the name.' }),
  unit: line(20).nullable().optional(),
  unitPrice: decimal(6, { max: 999_999_999, description: 'Euros; before tax unless priceMode is gross.' }),
  priceMode: z.enum(['net', 'gross']).optional().meta({ description: 'Default net.' }),
  vatRate: decimal(2, { min: 0, max: 100, description: 'Percent. Null: the general rate of the day.' })
    .nullable()
    .optional(),
  taxTreatment: z
    .enum(TAX_TREATMENTS)
    .optional()
    .meta({ description: 'S1 taxed (default), S2 reverse charge, N1/N2 not subject, E1..E8 exempt.' }),
  cause: z
    .string()
    .regex(/^[a-z0-9_]{2,40}$/)
    .nullable()
    .optional()
    .meta({ description: 'Why it is exempt, not subject or special: a code of GET /tax/causes.' }),
  regimeKey: z
    .string()
    .regex(/^(0[1-9]|1[0-9]|20|21)$/)
    .nullable()
    .optional()
    .meta({ description: 'Default: of the cause, else derived on the invoice.' }),
  withholdable: z
    .boolean()
    .optional()
    .meta({ description: 'Income tax may be withheld on it. Default true.' }),
  account: z
    .string()
    .regex(/^[67]\d{2,11}$/)
    .nullable()
    .optional()
    .meta({ description: 'Ledger account of its sales, such as 705.' }),
  supply: z.enum(LINE_SUPPLIES).nullable().optional().meta({ description: SUPPLY_TEXT }),
  active: z.boolean().optional().meta({ description: 'Offered on new invoices. Default true.' }),
  metadata: MetadataInput.optional(),
}

export const Item = z
  .strictObject({
    id: z.string(),
    sku: z.string().nullable(),
    name: z.string(),
    description: z.string().nullable(),
    unit: z.string().nullable(),
    unitPrice: z.number(),
    priceMode: z.enum(['net', 'gross']),
    vatRate: z.number().nullable(),
    taxTreatment: z.enum(TAX_TREATMENTS),
    cause: z.string().nullable(),
    regimeKey: z.string().nullable(),
    withholdable: z.boolean(),
    account: z.string().nullable(),
    supply: z.enum(LINE_SUPPLIES).nullable().meta({ description: SUPPLY_TEXT }),
    active: z.boolean(),
    metadata: MetadataOutput,
    version: z.int(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Item' })
export type Item = z.infer<typeof Item>

export const listItemsContract = defineContract({
  name: 'items.list',
  summary: 'Items by name or code.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/items' },
  input: z.strictObject({
    text: z.string().max(100).optional(),
    active: z.boolean().optional(),
    updatedSince: UpdatedSince.optional(),
    limit: z.int().min(1).max(200).optional(),
    cursor: z.string().max(400).optional(),
    offset: z.int().min(0).optional().meta({ description: 'By position, in place of a cursor.' }),
  }),
  output: z.strictObject({
    items: z.array(Item),
    count: z.int().meta({ description: 'Of the whole filter.' }),
    nextCursor: z.string().nullable(),
  }),
  errors: ['validation_failed'],
})

export const exportItemsContract = defineContract({
  name: 'items.export',
  summary: 'Items as a CSV file, by name.',
  description:
    'UTF-8 with its mark, semicolons and decimal commas, as a Spanish spreadsheet opens it. The titles are those of the import.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'POST', path: '/items/export' },
  media: 'text/csv; charset=utf-8',
  input: z.strictObject({
    ids: ChosenIds,
    text: z.string().max(100).optional(),
    active: z.boolean().optional(),
  }),
  output: StreamAnswer,
  errors: ['validation_failed', 'not_found'],
})

export const getItemContract = defineContract({
  name: 'items.get',
  summary: 'One item.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/items/:id' },
  input: z.strictObject({ id: PathId }),
  output: Item,
  errors: ['not_found'],
})

const WithWarnings = z.strictObject({
  ...Item.shape,
  warnings: z.array(FaultShape).meta({ description: 'What to look at again.' }),
})

export const createItemContract = defineContract({
  name: 'items.create',
  summary: 'Add an item.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/items', status: 201, location: '/items/{id}' },
  input: z.strictObject(fields),
  output: WithWarnings,
  errors: ['validation_failed'],
})

export const updateItemContract = defineContract({
  name: 'items.update',
  summary: 'Change an item. Invoices made with it keep what they say.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'PATCH', path: '/items/:id' },
  input: z.strictObject({
    id: PathId,
    ...fields,
    name: fields.name.optional(),
    unitPrice: fields.unitPrice.optional(),
    expectedVersion: z.int().optional(),
  }),
  output: WithWarnings,
  errors: ['validation_failed', 'not_found', 'version_conflict'],
})

export const deleteItemContract = defineContract({
  name: 'items.delete',
  summary: 'Remove an item; one that stands on an invoice is only taken off offer.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'DELETE', path: '/items/:id' },
  input: z.strictObject({ id: PathId, expectedVersion: z.int().optional() }),
  output: z.strictObject({
    deleted: z.boolean().meta({ description: 'False: it is in use, so it only stopped being offered.' }),
  }),
  errors: ['not_found', 'version_conflict'],
})
