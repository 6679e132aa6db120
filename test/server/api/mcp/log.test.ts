/** One log line per call, on either wire: caller, tool and result, without any content. */
import { expect, test } from 'vitest'
import { EXAMPLE_DRAFT, openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'
import { call, messageOf, modern, post } from './wires.ts'

const SAID = 'Nombre Que No Sale'

const WIRES = {
  '2025': (world: World, name: string, args: unknown) => post(world, call(name, args)),
  '2026': (world: World, name: string, args: unknown) => {
    const { body, headers } = modern('tools/call', { name, arguments: args })
    return post(world, body, headers)
  },
}

test.each(['2025', '2026'] as const)('each call on the %s wire is one line', async (era) => {
  const world = await openWorld()
  const ask = async (name: string, args: unknown) =>
    messageOf(await WIRES[era](world, name, args)).result?.structuredContent
  const { id } = await ask('svc_create_invoice_draft', { ...EXAMPLE_DRAFT, clientName: SAID })
  const { confirmation } = await ask('svc_validate_registry_invoice', { id })
  const { confirmationToken } = confirmation
  await ask('svc_issue_registry_invoice', { id, confirmationToken })
  await ask('svc_issue_registry_invoice', { confirmationToken, id })
  await ask('svc_get_invoice', { id: 'inv_0000000000000000' })
  await ask('svc_drop_everything', {})

  const entries = world.logged.map((line) => JSON.parse(line)).filter(({ event }) => event === 'mcp')
  expect(entries.map(({ tool, outcome, code }) => [tool, outcome, ...(code ? [code] : [])])).toEqual([
    ['svc_create_invoice_draft', 'ok'],
    ['svc_validate_registry_invoice', 'ok'],
    ['svc_issue_registry_invoice', 'ok'],
    ['svc_issue_registry_invoice', 'ok'],
    ['svc_get_invoice', 'refused', 'not_found'],
    ['unknown', 'refused', 'not_found'],
  ])
  for (const entry of entries)
    expect(entry).toMatchObject({
      era,
      requestId: expect.stringMatching(/^req_/),
      keyId: expect.stringMatching(/^key_/),
      argsHash: expect.stringMatching(/^[0-9a-f]{16}$/),
      ms: expect.any(Number),
    })
  expect(new Set(entries.map(({ requestId }) => requestId)).size).toBe(6)
  // The same arguments in another order are the same call.
  expect(new Set(entries.map(({ argsHash }) => argsHash)).size).toBe(5)
  for (const secret of [SAID, EXAMPLE_DRAFT.clientNif, confirmationToken])
    expect(world.logged.join('\n')).not.toContain(secret)

  const history = await world.run('audit.list', { invoiceId: id })
  expect(history.items.map(({ action, channel }) => [action, channel])).toEqual(
    ['invoice.issued', 'invoice.confirmation_given', 'invoice.drafted'].map((action) => [action, 'mcp']),
  )
})
