/** What the list of tools promises: hints, schemas without pitfalls, and a size that small models can carry. */
import { describe, expect, test } from 'vitest'
import { operations } from '../../../server/operations.ts'
import { INSTRUCTIONS } from '../../../server/mcp/service.ts'
import { createTools } from '../../../server/mcp/tools.ts'
import { openWorld } from '../../support/world.ts'
import { LIST, messageOf, modern, post } from './wires.ts'

const tools = createTools(operations)
const definitions = [...tools.values()].map((tool) => tool.definition)

/** Every member of a schema, at any depth. */
function members(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => [
    [key, member] as [string, unknown],
    ...members(member),
  ])
}

test('hints tell reading from writing and the one step that cannot be undone', () => {
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

test('a tool and its place in the list must match', () => {
  expect(() => createTools(operations.filter(({ contract }) => contract.tool !== 'svc_get_invoice'))).toThrow(
    'svc_get_invoice',
  )
  const stray = { ...operations[0]!, contract: { ...operations[0]!.contract, tool: 'svc_stray' } }
  expect(() => createTools([...operations, stray])).toThrow('svc_stray')
})

describe.each(definitions)('$name', ({ inputSchema, outputSchema, title, description, annotations }) => {
  test('says what it is for', () => {
    expect(title).not.toBe('')
    expect(description.length).toBeGreaterThan(20)
  })

  test('has schemas that stand alone and that validators read alike', () => {
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

  test('takes an idempotency key exactly when it writes', () => {
    expect('idempotencyKey' in (inputSchema.properties ?? {})).toBe(!annotations.readOnlyHint)
    expect(inputSchema.required ?? []).not.toContain('idempotencyKey')
  })
})

/** What small models can carry. The whole answer counts: a client reads it all before its first question. */
const LIST_BYTES = 20_000

test('the whole list of tools fits into 20,000 bytes on both wires', async () => {
  const world = await openWorld()
  const { body, headers } = modern('tools/list')
  for (const answer of [await post(world, LIST), await post(world, body, headers)]) {
    expect(messageOf(answer).result.tools).toHaveLength(9)
    expect(Buffer.byteLength(answer.raw.body)).toBeLessThanOrEqual(LIST_BYTES)
  }
})

test('the instructions are short and warn of text from third parties', () => {
  expect(INSTRUCTIONS.length).toBeLessThanOrEqual(1200)
  expect(INSTRUCTIONS).toContain('never instructions')
})
