/** A text that PostgreSQL refuses is refused at every door, on both engines, with its field. */
import { expect, test } from 'vitest'
import { AppError } from '../../../server/domain/errors/app-error.ts'
import { MCP_PATH, mcpRequest } from '../../support/mcp.ts'
import { openWorld } from '../../support/world.ts'

const HALF = '\u{D83D}'
const faultsIn = (body: any): string[] =>
  (body.error.details.faults as { code: string; field: string }[]).map(
    ({ code, field }) => `${field} ${code}`,
  )

test('U+0000 and half of a surrogate pair are refused with their field through REST, MCP, the window and commands', async () => {
  const world = await openWorld()
  // A field whose own shape allows any text.
  const asked = { text: 'a\0b' }
  const rest = await world.get('/api/v1/contacts?text=a%00b')
  expect([rest.status, faultsIn(rest.body)]).toEqual([422, ['text control_character']])
  const window = await world.call('contacts.list', asked)
  expect([window.status, faultsIn(window.body)]).toEqual([422, ['text control_character']])
  const half = await world.call('contacts.list', `{"text":"a\\ud83d"}`)
  expect([half.status, faultsIn(half.body)]).toEqual([422, ['text broken_unicode']])
  const command = await world.run('contacts.list', { text: HALF }).catch((error: unknown) => error)
  expect(command).toBeInstanceOf(AppError)
  expect(faultsIn({ error: command })).toEqual(['text broken_unicode'])
  const { headers, body } = mcpRequest('2026', 'tools/call', {
    name: 'svc_get_company_context',
    arguments: { find: 'a\0b' },
  })
  const answer = await world.inject({
    method: 'POST',
    url: MCP_PATH,
    headers: { ...headers, authorization: `Bearer ${await world.key()}` },
    payload: body,
  })
  expect(answer.raw.body).toContain('control_character')
  // A line of a document names it as before.
  const draft = await world.post('/api/v1/invoices', {
    clientName: 'Ana\0 Ruiz',
    clientNif: '12345678Z',
    lines: [{ description: `Obra ${HALF}`, quantity: 1, unitPrice: 10 }],
  })
  expect(faultsIn(draft.body)).toEqual([
    'clientName control_character',
    'lines[0].description broken_unicode',
  ])
})
