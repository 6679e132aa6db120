/** Hidden text aimed at an assistant: no field of a tool accepts it, and no answer contains it. */
import { expect, test } from 'vitest'
import { textFault } from '../../../../server/domain/text.ts'
import { loadOperations } from '../../../../server/api/operations.ts'
import { createTools } from '../../../../server/api/mcp/tools.ts'
import { EXAMPLE_DRAFT, openWorld } from '../../../support/world.ts'
import { call, messageOf, post, toldError } from './wires.ts'

const operations = await loadOperations()

const HOSTILE = {
  'a C0 control': '\u0007',
  'a C1 control': '\u009b',
  'a zero-width space': '\u200b',
  'a bidirectional override': '\u202e',
  'a bidirectional isolate': '\u2066',
  'tag characters': '\u{e0049}\u{e0067}',
  'a row of joiners': '\u200d\u200c\u200d\u200c',
  'a row of variation selectors': '\u{e0148}\u{e0155}\u{e015c}',
}

type Schema = {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  enum?: unknown
  format?: string
}

/**
 * Returns every free-text field in a tool's arguments, as a path of members; lists are entered at their first
 * element.
 */
function textPlaces(schema: Schema, path: string[] = []): string[][] {
  if (schema.properties)
    return Object.entries(schema.properties).flatMap(([name, member]) => textPlaces(member, [...path, name]))
  if (schema.items) return textPlaces(schema.items, [...path, '0'])
  return schema.type === 'string' && !schema.enum && !schema.format ? [path] : []
}

/** Returns a copy of `value` with `text` at a path, created if missing. */
function withText(value: unknown, [name, ...rest]: string[], text: string): unknown {
  if (name === undefined) return text
  if (name === '0') {
    const [first, ...others] = (value ?? [{}]) as unknown[]
    return [withText(first, rest, text), ...others]
  }
  const object = (value ?? {}) as Record<string, unknown>
  return { ...object, [name]: withText(object[name], rest, text) }
}

const dotted = (path: string[]): string =>
  path.map((part, at) => (part === '0' ? '[0]' : at === 0 ? part : `.${part}`)).join('')

const CALLS: Readonly<Record<string, object>> = {
  svc_get_company_context: {},
  svc_list_invoices: {},
  svc_get_invoice: {},
  svc_create_invoice_draft: EXAMPLE_DRAFT,
  svc_validate_registry_invoice: { id: 'inv_0000000000000000' },
  svc_issue_registry_invoice: { id: 'inv_0000000000000000' },
  svc_get_registry_status: {},
  svc_propose_action: { action: 'sync_erp', reason: 'x' },
}

/** Opaque values: compared or looked up by a hash, and never shown. */
const OPAQUE = new Set(['cursor', 'confirmationToken'])

const tools = createTools(operations)
const PLACES = Object.entries(CALLS).flatMap(([tool, args]) =>
  textPlaces(tools.get(tool)!.definition.inputSchema as Schema)
    .filter((path) => !OPAQUE.has(path[0]!))
    .map((path) => ({ tool, args, path, field: dotted(path) })),
)

test('every tool that accepts text is checked', () => {
  const taking = [...tools.values()].filter(
    ({ definition }) => textPlaces(definition.inputSchema as Schema).length > 0,
  )
  expect(taking.map(({ definition }) => definition.name)).toEqual(Object.keys(CALLS))
  expect(PLACES.length).toBeGreaterThan(40)
})

test.each(Object.entries(HOSTILE))('no field of any tool accepts %s', async (_, characters) => {
  const world = await openWorld()
  for (const { tool, args, path, field } of PLACES) {
    const answer = await post(world, call(tool, withText(args, path, `abc${characters}def`)))
    const error = toldError(answer)
    expect([tool, field, error.code]).toEqual([tool, field, 'validation_failed'])
    expect(error.details.faults.map((fault: { field: string }) => fault.field)).toContain(field)
    expect(JSON.stringify(error)).not.toContain(characters)
  }
  expect((await world.run('invoices.list', {})).items).toEqual([])
})

/** Returns every text of an answer, at any depth. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

test('accepted text is composed, and returned composed in answers, history and names', async () => {
  const world = await openWorld()
  const decomposed = 'Pen\u0303a y Jose\u0301'
  const draft = {
    ...EXAMPLE_DRAFT,
    clientName: decomposed,
    notes: decomposed,
    lines: [{ description: decomposed, quantity: 1, unitPrice: 10 }],
  }
  const { structuredContent } = messageOf(await post(world, call('svc_create_invoice_draft', draft))).result
  const { id } = structuredContent
  const seen = messageOf(await post(world, call('svc_get_invoice', { id }))).result.structuredContent
  expect([seen.clientName, seen.notes, seen.lines[0].description]).toEqual(
    Array(3).fill(decomposed.normalize('NFC')),
  )
  const { items } = await world.run('audit.list', { invoiceId: id })
  expect(items[0]?.target?.label).toBe(decomposed.normalize('NFC'))
  for (const text of [...textsOf(seen), ...textsOf(items)]) {
    expect(text).toBe(text.normalize('NFC'))
    expect(textFault(text)).toBeNull()
  }
})

test('a key cannot be named so that the history contains more than is visible', async () => {
  const world = await openWorld()
  for (const characters of Object.values(HOSTILE)) {
    const made = await world.post('/api/v1/keys', { name: `abc${characters}`, scopes: ['company.read'] })
    expect([made.status, made.body.error.field]).toEqual([422, 'name'])
  }
})
