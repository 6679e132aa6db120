/** Contracts of the handing back of a company: only the window of an office has them. */
import { z } from 'zod'
import { defineContract } from '../../../domain/contract/define-contract.ts'
import { Instant, line, StreamAnswer } from '../../../domain/contract/fields.ts'

const Nif = line(20).meta({ description: 'The NIF of the company, typed to confirm.' })

export const handBackOfferContract = defineContract({
  name: 'companies.handBackOffer',
  summary: 'Whether the company was handed back to its owner, and a new code for its file.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({
    nif: z.string(),
    handedBackAt: Instant.nullable().meta({ description: 'Since then it is only read here; null before.' }),
    code: z.string().meta({ description: 'Another one at each call; it is stored nowhere.' }),
    groups: z.array(z.string()).meta({ description: 'The code as it is printed.' }),
  }),
  errors: [],
})

export const handBackContract = defineContract({
  name: 'companies.handBack',
  summary:
    'The whole company as one file that opens on a desk with the code alone. From then on it is only read here.',
  access: 'person',
  effect: 'write',
  external: true,
  media: 'application/octet-stream',
  input: z.strictObject({
    nif: Nif,
    code: line(80).meta({ description: 'The code of the offer.' }),
  }),
  output: StreamAnswer,
  errors: ['validation_failed', 'company_moving', 'backup_not_made', 'transfer_refused', 'transfer_differs'],
})

export const takeBackContract = defineContract({
  name: 'companies.takeBack',
  summary:
    'Let a company that was handed back be written here again. Its live book waits for a new installation.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ nif: Nif }),
  output: z.strictObject({ handedBackAt: z.null() }),
  errors: ['validation_failed', 'company_here', 'company_moving'],
})
