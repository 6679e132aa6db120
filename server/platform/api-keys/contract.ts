/** API keys as callers see them; the secret is never returned again after creation. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { Instant, line, PathId } from '../../domain/contract/fields.ts'
import { SCOPES } from '../../domain/contract/scopes.ts'
import { Mode } from '../../domain/contract/fields.ts'

const KeyLimits = z
  .strictObject({
    perDay: z
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .meta({ description: 'Invoices the key may issue in a day.' }),
    eurPerDay: z
      .number()
      .min(0)
      .max(1_000_000_000)
      .optional()
      .meta({ description: 'Euros the key may issue in a day.' }),
  })
  .meta({ id: 'KeyLimits' })

export const ApiKey = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    prefix: z.string().meta({ description: 'Start of the key, enough to recognise it.' }),
    mode: Mode,
    scopes: z.array(z.enum(SCOPES)),
    approval: z.enum(['always', 'never']).meta({ description: 'Whether a person approves each live issue.' }),
    assistant: z.boolean(),
    maker: z.strictObject({ id: z.string(), name: z.string() }).nullable().meta({
      description:
        'The key that made this one; null when a person did. What this key issues counts against the caps of its makers too, and it is revoked with them.',
    }),
    createdAt: Instant,
    lastUsedAt: Instant.nullable(),
    expiresAt: Instant.nullable(),
    limits: KeyLimits,
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.infer<typeof ApiKey>

export const listKeysContract = defineContract({
  name: 'keys.list',
  summary: 'Active API keys of the book.',
  access: 'keys.read',
  effect: 'read',
  rest: { method: 'GET', path: '/keys' },
  input: z.strictObject({}),
  output: z.strictObject({ items: z.array(ApiKey) }),
  errors: [],
})

const newKeyFields = {
  name: line(64),
  scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length),
  assistant: z.boolean().optional(),
  expiresAt: z.iso.datetime({ offset: true }).optional(),
  limits: KeyLimits.optional(),
}

const NewApiKey = z.strictObject({
  ...ApiKey.shape,
  key: z.string().meta({ description: 'The key itself. Shown only now.' }),
})

export const createKeyContract = defineContract({
  name: 'keys.create',
  summary: 'Make an API key for the same book, never looser than the caller.',
  access: 'keys.write',
  effect: 'write',
  rest: { method: 'POST', path: '/keys', status: 201 },
  input: z.strictObject(newKeyFields),
  output: NewApiKey,
  errors: ['key_name_taken', 'key_too_wide', 'unauthorized', 'validation_failed'],
})

/** Only a person may create a key that issues without approval. */
export const createKeyByPersonContract = defineContract({
  name: 'keys.createByPerson',
  summary: 'Make an API key in the app, with the choice whether live issues wait for approval.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    ...newKeyFields,
    approval: z.enum(['always', 'never']).optional(),
    code: z.string().min(1).max(200).optional().meta({
      description:
        "The code of the app lock: needed for a live key that issues without being asked, where the computer's own question did not answer.",
    }),
  }),
  output: NewApiKey,
  errors: ['key_name_taken', 'validation_failed', 'identity_needed', 'lock_code_wrong', 'lock_wait'],
})

export const revokeKeyContract = defineContract({
  name: 'keys.revoke',
  summary: 'Revoke an API key and the keys it made. Effective at their next request.',
  access: 'keys.write',
  effect: 'write',
  rest: { method: 'DELETE', path: '/keys/:id' },
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({
    revoked: z.literal(true),
    alsoRevoked: z
      .array(z.string())
      .meta({ description: 'Keys that were revoked with it: those it made, and those they made.' }),
  }),
  errors: ['not_found'],
})
