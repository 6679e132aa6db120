/** Contracts of the sample company: a separate company, with invented data in its test book. */
import { z } from 'zod'
import { Territory } from '../../tax/systems/contract.ts'
import { defineContract } from '../../domain/contract/define-contract.ts'

/** Parts in the order they are created; each call of `demo.fill` creates the next. */
const SampleParts = z.enum(['company', 'customers', 'items', 'purchases'])
export type SamplePart = z.infer<typeof SampleParts>

export const SampleState = z
  .strictObject({
    bookId: z.string().nullable().meta({ description: 'Its test book; null before there is one.' }),
    shown: z.boolean().meta({ description: 'False while it is put away.' }),
    made: z.int().meta({ description: 'Parts that are there.' }),
    parts: z.int(),
    next: SampleParts.nullable().meta({ description: 'Null when everything is there.' }),
  })
  .meta({ id: 'SampleState' })
export type SampleState = z.infer<typeof SampleState>

export const sampleStateContract = defineContract({
  name: 'demo.state',
  summary: 'Whether there is a sample company, and how much of it.',
  access: 'person',
  effect: 'read',
  desk: true,
  bookless: true,
  input: z.strictObject({}),
  output: SampleState,
  errors: [],
})

export const fillSampleContract = defineContract({
  name: 'demo.fill',
  summary: 'Make the next part of the sample company, or show it again. Call until `next` is null.',
  access: 'person',
  effect: 'write',
  desk: true,
  bringsNew: true,
  bookless: true,
  input: z.strictObject({
    territory: Territory.optional().meta({
      description: 'Where the company is, when it is made: its tax follows. Default: most of Spain.',
    }),
  }),
  output: SampleState,
  errors: [],
})

export const removeSampleContract = defineContract({
  name: 'demo.remove',
  summary: 'Put the sample company away. Its test records stay in the file, since they are chained.',
  access: 'person',
  effect: 'write',
  desk: true,
  bookless: true,
  input: z.strictObject({}),
  output: SampleState,
  errors: [],
})
