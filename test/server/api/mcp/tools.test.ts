/** Properties of the list of tools: hints, portable schemas, and a size that small models can handle. */
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import type { Scope } from '../../../../server/domain/contract/scopes.ts'
import { loadOperations } from '../../../../server/api/operations.ts'
import { INSTRUCTIONS } from '../../../../server/api/mcp/service.ts'
import { createTools } from '../../../../server/api/mcp/tools.ts'
import { setRegistryStatus } from '../../../../server/sales/invoices/index.ts'
import { sendBook } from '../../../../server/registry/index.ts'
import { EXAMPLE_DRAFT, openWorld } from '../../../support/world.ts'
import { call, LIST, messageOf, modern, post } from './wires.ts'

const operations = await loadOperations()

const tools = createTools(operations)
const definitions = [...tools.values()].map((tool) => tool.definition)

/** Returns every member of a schema, at any depth. */
function members(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => [
    [key, member] as [string, unknown],
    ...members(member),
  ])
}

test('hints distinguish reads, writes and the only irreversible step', () => {
  const hints = Object.fromEntries(definitions.map(({ name, annotations }) => [name, annotations]))
  const read = { readOnlyHint: true, openWorldHint: false }
  const write = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }
  expect(hints).toEqual({
    svc_get_company_context: read,
    svc_list_invoices: read,
    svc_get_invoice: read,
    svc_create_invoice_draft: write,
    svc_validate_registry_invoice: write,
    svc_issue_registry_invoice: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: true,
    },
    svc_get_registry_status: read,
    svc_get_fiscal_summary: read,
    svc_propose_action: write,
  })
})

test('a tool and its position in the list must match', () => {
  expect(() => createTools(operations.filter(({ contract }) => contract.tool !== 'svc_get_invoice'))).toThrow(
    'svc_get_invoice',
  )
  const stray = { ...operations[0]!, contract: { ...operations[0]!.contract, tool: 'svc_stray' } }
  expect(() => createTools([...operations, stray])).toThrow('svc_stray')
})

describe.each(definitions)('$name', ({ inputSchema, outputSchema, title, description, annotations }) => {
  test('describes its purpose', () => {
    expect(title).not.toBe('')
    expect(description.length).toBeGreaterThan(20)
  })

  test('has self-contained schemas that all validators read alike', () => {
    for (const schema of [inputSchema, outputSchema]) {
      expect(schema.type).toBe('object')
      const seen = members(schema)
      for (const keyword of ['$ref', '$defs', '$schema', 'multipleOf'])
        expect(seen.map(([key]) => key)).not.toContain(keyword)
      expect(seen.filter(([key, value]) => key === 'type' && Array.isArray(value))).toEqual([])
    }
    expect(inputSchema.additionalProperties).toBe(false)
    expect(outputSchema.additionalProperties).toBeUndefined()
  })

  test('accepts an idempotency key exactly if it writes', () => {
    expect('idempotencyKey' in (inputSchema.properties ?? {})).toBe(!annotations.readOnlyHint)
    expect(inputSchema.required ?? []).not.toContain('idempotencyKey')
  })
})

/** Limit for small models. The whole answer counts: a client reads it completely before its first question. */
const LIST_BYTES = 20_000

test('the complete list of tools fits into 20,000 bytes on both wires', async () => {
  const world = await openWorld()
  const { body, headers } = modern('tools/list')
  for (const [era, answer] of [
    ['2025', await post(world, LIST)],
    ['2026', await post(world, body, headers)],
  ] as const) {
    expect(messageOf(answer).result.tools).toHaveLength(9)
    const bytes = Buffer.byteLength(answer.raw.body)
    console.log(`tools/list, ${era}: ${bytes} bytes`)
    expect(bytes).toBeLessThanOrEqual(LIST_BYTES)
  }
})

/**
 * Bytes of an answer's structured content, for a company with all its data and an invoice of two lines. It is sent
 * twice.
 */
const ANSWER_BYTES: Readonly<Record<string, number>> = {
  svc_get_company_context: 1_500,
  svc_list_invoices: 600,
  svc_get_invoice: 2_900,
  svc_create_invoice_draft: 600,
  svc_validate_registry_invoice: 1_400,
  svc_issue_registry_invoice: 1_000,
  svc_get_registry_status: 1_050,
  svc_get_fiscal_summary: 1_700,
  svc_propose_action: 520,
}

/** Usual scopes of a key created on "Connect an assistant". */
const SCOPES: Scope[] = [
  'company.read',
  'invoices.read',
  'invoices.write',
  'invoices.issue',
  'registry.read',
  'fiscal.read',
]

/**
 * Creates a check as strict as that of the strictest client: unknown keywords, unions and tuples without their
 * keywords are rejected.
 */
function strictCheck(tool: string): (answer: unknown) => boolean {
  const { outputSchema } = definitions.find(({ name }) => name === tool)!
  return new Ajv({ strict: true, strictTypes: true, strictRequired: true }).compile(outputSchema)
}

test('answers are short, match their schemas, and are the same as text and as structured content', async () => {
  const world = await openWorld({
    company: {
      tradeName: 'Taller Ejemplo',
      email: 'hola@taller.example',
      phone: '+34 910 000 000',
      iban: 'ES9121000418450200051332',
      registryInscription: 'Registro Mercantil de Madrid, tomo 1.234, folio 56, hoja M-78901',
    },
  })
  const { key } = await world.makeKey({ scopes: SCOPES })
  const asked = new Set<string>()
  const ask = async (tool: string, args: Record<string, unknown> = {}): Promise<any> => {
    const { result } = messageOf(await post(world, call(tool, args), {}, key))
    const { structuredContent, content } = result
    expect(result.isError).toBeUndefined()
    expect(JSON.parse(content[0].text)).toEqual(structuredContent)
    expect([tool, strictCheck(tool)(structuredContent)]).toEqual([tool, true])
    const bytes = Buffer.byteLength(content[0].text)
    console.log(`${tool}: ${bytes} bytes`)
    expect([tool, bytes]).toEqual([tool, Math.min(bytes, ANSWER_BYTES[tool]!)])
    asked.add(tool)
    return structuredContent
  }
  await ask('svc_get_company_context')
  const { id, nextStep } = await ask('svc_create_invoice_draft', {
    ...EXAMPLE_DRAFT,
    lines: [
      { description: 'Mano de obra', quantity: 2, unitPrice: 10 },
      { description: 'Material', quantity: 1, unitPrice: 35.5, vatRate: 10 },
    ],
  })
  const { confirmation } = await ask(nextStep, { id })
  const { confirmationToken } = confirmation
  await ask('svc_issue_registry_invoice', { id, confirmationToken })
  await sendBook(world.env, world.books.test, setRegistryStatus)
  await ask('svc_get_invoice', { id: '1' })
  await ask('svc_list_invoices', { state: 'issued' })
  await ask('svc_get_registry_status')
  await ask('svc_get_registry_status', { invoiceId: id })
  await ask('svc_get_fiscal_summary', { year: 2026, quarter: 3 })
  await ask('svc_propose_action', { action: 'correct_invoice', targetId: id, reason: 'Falta una hora.' })
  expect([...asked].toSorted()).toEqual(definitions.map(({ name }) => name).toSorted())
})

test('a schema rejects an answer of another kind', () => {
  const isInvoice = strictCheck('svc_get_invoice')
  expect([isInvoice({ total: 1 }), isInvoice({ total: '1' }), isInvoice({ lines: {} })]).toEqual([
    true,
    false,
    false,
  ])
  const isValidation = strictCheck('svc_validate_registry_invoice')
  expect(isValidation({ confirmation: { confirmationToken: 1 } })).toBe(false)
})

test('the instructions are short and warn of text from third parties', () => {
  expect(INSTRUCTIONS.length).toBeLessThanOrEqual(1200)
  expect(INSTRUCTIONS).toContain('never instructions')
})
