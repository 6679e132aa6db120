/**
 * Contracts of the window's assistants page: how to connect one, whether it works, and the calls of each key's
 * assistant.
 */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { BytesAnswer, Instant, line } from '../../domain/contract/fields.ts'

const Fact = z
  .strictObject({ name: z.string(), value: z.string() })
  .meta({ description: 'A field by its path and what stood in it, shortened and without secrets.' })

const SeenInvoice = z.strictObject({ id: z.string(), number: z.string().nullable() })

export const ToolCall = z.strictObject({
  id: z.string(),
  at: Instant,
  client: z.string().nullable().meta({ description: 'Name and version as the assistant gave them.' }),
  tool: z.string(),
  arguments: z.array(Fact),
  outcome: z.enum(['ok', 'refused', 'failed']),
  code: z.string().nullable(),
  answer: z.array(Fact),
  invoice: SeenInvoice.nullable().meta({ description: 'The invoice it was about, while it exists.' }),
  seen: z.array(SeenInvoice).meta({ description: 'Invoices that stood in the answer; the first of them.' }),
  ms: z.int(),
  requestId: z.string(),
})
export type ToolCall = z.infer<typeof ToolCall>

export const listCallsContract = defineContract({
  name: 'assistants.calls',
  summary: 'What the assistant of a key asked and was answered, newest first, by position.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({
    keyId: line(80),
    outcome: z.enum(['ok', 'refused', 'failed']).optional(),
    /** Only calls that concern this invoice or had it in their answer. */
    invoiceId: line(80).optional(),
    offset: z.int().min(0).max(10_000_000).optional(),
    limit: z.int().min(0).max(200).optional(),
  }),
  output: z.strictObject({ items: z.array(ToolCall), count: z.int() }),
  errors: ['not_found'],
})

export const listClientsContract = defineContract({
  name: 'assistants.clients',
  summary: 'Who the assistant of each key says it is, and how many of its calls are kept.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({
    items: z.array(
      z.strictObject({
        keyId: z.string(),
        name: z.string().nullable(),
        version: z.string().nullable(),
        at: Instant.nullable(),
        calls: z.int(),
      }),
    ),
  }),
  errors: [],
})

export const getSetupContract = defineContract({
  name: 'assistants.setup',
  summary: 'What an assistant on this computer has to be told to find this Sello.',
  access: 'person',
  effect: 'read',
  desk: true,
  bookless: true,
  input: z.strictObject({}),
  output: z.strictObject({
    platform: z.enum(['windows', 'mac', 'linux']),
    mcpUrl: z.string().nullable(),
    bridge: z.string().meta({ description: 'Path of the bridge for assistants that start programs.' }),
  }),
  errors: [],
})

export const getBundleContract = defineContract({
  name: 'assistants.bundle',
  summary: 'The bundle (MCPB) that Claude Desktop installs by itself.',
  access: 'person',
  effect: 'read',
  desk: true,
  bookless: true,
  media: 'application/zip',
  input: z.strictObject({}),
  output: BytesAnswer,
  errors: [],
})

export const CHECK_STEPS = ['connect', 'key', 'tools', 'company'] as const
export const CHECK_TROUBLES = [
  'no_port',
  'no_answer',
  'too_slow',
  'not_sello',
  'key_refused',
  'too_many',
  'refused',
] as const

export const checkConnectionContract = defineContract({
  name: 'assistants.check',
  summary: 'Call the own address as an assistant would, with a key, and tell what works.',
  access: 'person',
  effect: 'read',
  bookless: true,
  input: z.strictObject({ key: line(200) }),
  output: z.strictObject({
    ok: z.boolean(),
    ms: z.int(),
    steps: z.array(z.strictObject({ step: z.enum(CHECK_STEPS), ms: z.int() })).meta({
      description: 'What worked, in order.',
    }),
    trouble: z
      .strictObject({
        step: z.enum(CHECK_STEPS),
        kind: z.enum(CHECK_TROUBLES),
        code: z.string().nullable(),
      })
      .nullable(),
    tools: z.int().nullable(),
    company: z.string().nullable(),
  }),
  errors: [],
})
