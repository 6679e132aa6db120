/**
 * Frequent needs of an assistant's user: a corrected draft, a retry without a duplicate, and names resolved to
 * records.
 */
import { expect, test } from 'vitest'
import { mcpMessage } from '../../../support/mcp.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

async function callTool(world: World, name: string, args: object): Promise<any> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  const headers = { accept: 'application/json, text/event-stream' }
  return mcpMessage((await world.post('/api/mcp/svc', message, { headers })).raw.body).result
}

const DRAFT = {
  clientName: 'Quintana Hermanos, S.L.',
  clientNif: 'B87654323',
  lines: [{ description: 'Horas', quantity: 2, unitPrice: 50 }],
}

const drafts = async (world: World) => (await world.run('invoices.list', { state: 'draft' })).items

async function made(world: World, args: object): Promise<{ id: string; total: number; assumptions?: any[] }> {
  const { structuredContent, isError, content } = await callTool(world, 'svc_create_invoice_draft', args)
  if (isError) throw new Error(content[0].text)
  return structuredContent
}

test('a call repeated without a key leaves one draft, and says so', async () => {
  const world = await openWorld()
  const first = await made(world, DRAFT)
  const again = await made(world, DRAFT)
  expect(again.id).toBe(first.id)
  expect(again.assumptions).toContainEqual(expect.objectContaining({ field: 'id', value: first.id }))
  expect(await drafts(world)).toHaveLength(1)
  // Different content is another draft, and so is the same content later.
  await made(world, { ...DRAFT, externalRef: 'segunda' })
  expect(await drafts(world)).toHaveLength(2)
  world.setTime('2026-07-01T10:11:00+02:00')
  await made(world, DRAFT)
  expect(await drafts(world)).toHaveLength(3)
})

test('a draft is corrected in place', async () => {
  const world = await openWorld()
  const { id } = await made(world, DRAFT)
  const corrected = await made(world, {
    ...DRAFT,
    lines: [{ description: 'Horas', quantity: 3, unitPrice: 50 }],
    replacesDraft: id,
  })
  expect(corrected).toMatchObject({ id, total: 181.5 })
  expect(await drafts(world)).toMatchObject([{ id, total: 181.5, version: 2 }])
  await world.issue(id)
  const { isError, content } = await callTool(world, 'svc_create_invoice_draft', {
    ...DRAFT,
    replacesDraft: id,
  })
  expect(isError).toBe(true)
  expect(JSON.parse(content[0].text).error.code).toBe('invoice_not_draft')
})

test('errors and findings are in the language of the owner, to whom they are shown', async () => {
  const world = await openWorld()
  const refusal = async () =>
    JSON.parse((await callTool(world, 'svc_get_invoice', { id: 'inv_0' })).content[0].text).error
  expect(await refusal()).toMatchObject({ code: 'not_found', message: 'Eso ya no está.' })
  const { id } = await made(world, { ...DRAFT, issueDate: '2026-06-30', dueDate: '2026-01-01' })
  const issues = async (): Promise<{ code: string; message: string }[]> =>
    (await callTool(world, 'svc_validate_registry_invoice', { id })).structuredContent.issues
  const late = (list: Awaited<ReturnType<typeof issues>>) =>
    list.find(({ code }) => code === 'due_date_before_issue')?.message
  expect(late(await issues())).toContain('Vence antes de emitirse')
  await world.run('session.savePreferences', { language: 'en' })
  expect((await refusal()).message).toBe('There is no record with that address or identifier.')
  expect(late(await issues())).not.toContain('Vence')
})

test('contacts and items are found by the beginning of their words', async () => {
  const world = await openWorld()
  for (const [name, nif] of [
    ['Ana Ruiz', '12345678Z'],
    ['Quintana Hermanos, S.L.', 'B87654323'],
  ])
    await world.run('contacts.create', { name: name!, nif: nif! })
  await world.run('items.create', { name: 'Análisis de agua', unitPrice: 80 })
  const { structuredContent } = await callTool(world, 'svc_get_company_context', { find: 'ana' })
  expect(structuredContent.found).toMatchObject({
    contacts: [{ name: 'Ana Ruiz', nif: '12345678Z' }],
    items: [{ name: 'Análisis de agua', unitPrice: 80 }],
    untrusted: true,
  })
  expect((await callTool(world, 'svc_get_company_context', {})).structuredContent).not.toHaveProperty('found')
})
