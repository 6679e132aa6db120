/** Contracts of saved views: a filter of a list stored under a name. The list itself interprets the filter. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { line } from '../../domain/contract/fields.ts'

export const ViewList = z.enum(['invoices', 'quotes', 'received', 'contacts', 'items', 'bank', 'activity'])
export type ViewList = z.infer<typeof ViewList>

/** As many as a row of tabs can show. */
export const MOST_VIEWS = 12

export const SavedView = z
  .strictObject({
    id: z.string().max(60),
    name: line(40),
    query: z
      .record(z.string().regex(/^[a-z][A-Za-z]{0,19}$/), z.string().min(1).max(100))
      .meta({ description: 'The part of the address after the question mark.' }),
  })
  .meta({ id: 'SavedView' })
export type SavedView = z.infer<typeof SavedView>

const KeptViews = z.strictObject({ version: z.int(), items: z.array(SavedView) })

export const listViewsContract = defineContract({
  name: 'views.list',
  summary: "A person's own views of a list, in their order.",
  access: 'person',
  effect: 'read',
  input: z.strictObject({ list: ViewList }),
  output: KeptViews,
  errors: [],
})

export const saveViewsContract = defineContract({
  name: 'views.save',
  summary: "Replace a person's own views of a list: added, renamed, reordered or removed.",
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    list: ViewList,
    expectedVersion: z.int(),
    items: z.array(SavedView.extend({ id: SavedView.shape.id.optional() })).max(MOST_VIEWS),
  }),
  output: KeptViews,
  errors: ['version_conflict', 'validation_failed'],
})
